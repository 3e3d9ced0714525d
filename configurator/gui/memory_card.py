"""The memory of every device: verdict, stacks, legend, and the answer to "why?"."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from configurator.advice.answer import Answer
from configurator.domain.ledger import DeviceLedger, Entry
from configurator.domain.message import message
from configurator.gui.flowing import Flowing
from configurator.gui.look import Look
from configurator.gui.pieces import badge, card, cleared, label, mark
from configurator.gui.segments import sizes, spoken
from configurator.gui.stacks import Stacks
from configurator.gui.style import GRID
from configurator.quote.basis import device_names
from configurator.quote.outlook import limits_line, verdict_sentences
from configurator.quote.words import COMPONENTS, TASKS, VERDICTS
from configurator.texts import say_in

_WORDS: dict[str, str] = {str(name): word for name, word in COMPONENTS.items()}


class MemoryCard(QWidget):
    """Built once, then shown answer after answer."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self._say = look, say_in(look.language)
        self._devices: Sequence[DeviceLedger] = ()
        self._asked: tuple[int, str] | None = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        frame, column = card()
        outer.addWidget(frame)
        line = QHBoxLayout()
        self._title, self._badge = label("", "title", wrap=True), badge("", "ok")
        line.addWidget(self._title, 1)
        line.addWidget(self._badge)
        column.addLayout(line)
        self._machine = label("", tone="muted", wrap=True)
        column.addWidget(self._machine)
        self._head, self._sentences = QVBoxLayout(), list[QLabel]()
        column.addLayout(self._head)
        self.stacks = Stacks(look, self.explain)
        column.addWidget(self.stacks)
        legend = QWidget()
        self._legend = Flowing(legend, GRID // 2)
        self._keys: dict[str, QPushButton] = {}
        self._legend_box = legend
        column.addWidget(legend)
        self._limits = label("", "note", wrap=True)
        column.addWidget(self._limits)
        quiet, why = card("quiet")
        why.setContentsMargins(GRID, GRID, GRID, GRID)
        why.setSpacing(GRID // 2)
        self._why_head, self._why = label("", "strong", wrap=True), label("", wrap=True)
        self._source = label("", "note", wrap=True)
        for text in (self._why_head, self._why, self._source):
            why.addWidget(text)
        self._quiet = quiet
        column.addWidget(quiet)

    def show_answer(self, answer: Answer) -> None:
        """Show the verdict and the ledgers."""
        estimate = answer.estimate
        self._devices = estimate.devices
        word, tone = VERDICTS[estimate.verdict]
        workload = answer.case.workload
        title = self._say(message(TASKS[workload.task], model=workload.model_name))
        self._machine.setText(device_names(answer))
        self._write_head(title, self._say(word), tone, [self._say(x) for x in verdict_sentences(estimate)])
        self.stacks.show_devices(estimate.devices, answer.case.machine.display_on_gpu)
        self._show_legend()
        self._show_picture(True)
        place, name = self._asked or (0, "")
        if place >= len(self._devices) or not sizes(self._devices[place]).get(name):
            place, name = 0, self._largest(0)
        self.explain(place, name)

    def show_limits(self, answer: Answer) -> None:
        """Show the largest values that still fit; until they are known the former ones stand there."""
        line = limits_line(answer.estimate, self._say)
        self._limits.setText(line)
        self._limits.setVisible(bool(line))

    def show_problem(self, text: str) -> None:
        """Show the sentence of what cannot be answered in the place of the verdict."""
        self._write_head(self._say("This cannot be answered yet"), self._say("please check"), "fail", [text])
        self._show_picture(False)

    def explain(self, place: int, component: str) -> None:
        """Answer "why?" for one component of one device."""
        self._asked = (place, component)
        entries = [one for one in self._devices[place].entries if one.component == component]
        if not entries:
            return
        size = sum(one.likely for one in entries)
        head = message(
            "Why {size:gib} {what} on {device}?",
            size=size,
            what=message(COMPONENTS[entries[0].component]),
            device=spoken(self._devices[place].device),
        )
        self._why_head.setText(self._say(head))
        self._why.setText("\n".join(self._line(one) for one in entries))
        sources = dict.fromkeys(self._say(one.source) for one in entries)
        self._source.setText(self._say(message("Source: {source}", source="; ".join(sources))))

    def _line(self, entry: Entry) -> str:
        why = self._say(entry.why)
        if entry.low == entry.high:
            return f"{why}."
        span = self._say(message("Range {low:gib} to {high:gib}", low=entry.low, high=entry.high))
        return f"{why}. {span}."

    def _largest(self, place: int) -> str:
        found = sizes(self._devices[place])
        return max(found, key=lambda name: found[name])

    def _write_head(self, title: str, word: str, tone: str, sentences: list[str]) -> None:
        self._title.setText(title)
        self._badge.setText(word)
        mark(self._badge, tone=tone)
        if len(sentences) != len(self._sentences):
            cleared(self._head)
            self._sentences = [
                label("", tone="muted" if place else "", wrap=True) for place in range(len(sentences))
            ]
            for shown in self._sentences:
                self._head.addWidget(shown)
        for shown, sentence in zip(self._sentences, sentences, strict=True):
            shown.setText(sentence)

    def _show_picture(self, visible: bool) -> None:
        for part in (self._machine, self.stacks, self._legend_box, self._limits, self._quiet):
            part.setVisible(visible)

    def _show_legend(self) -> None:
        """Write the largest size of every component; the keys stay while the components do."""
        found = [sizes(one) for one in self._devices]
        largest = {str(name): max(one[name] for one in found) for name in COMPONENTS}
        names = [name for name, size in largest.items() if size]
        if list(self._keys) != names:
            cleared(self._legend)
            self._keys = {name: self._key(name) for name in names}
        for name, key in self._keys.items():
            text = f"{self._say(_WORDS[name])}  {self._say(message('{size:gib}', size=largest[name]))}"
            key.setText(text)
            key.setAccessibleName(f"{text}, {self._say('why?')}")
        self._legend_box.updateGeometry()

    def _key(self, name: str) -> QPushButton:
        square = QPixmap(11, 11)
        square.fill(QColor(self._look.series(name)))
        key = QPushButton(QIcon(square), "")
        key.setProperty("kind", "key")
        key.clicked.connect(lambda: self.explain(self._fullest(name), name))
        self._legend.addWidget(key)
        return key

    def _fullest(self, name: str) -> int:
        """Return the device whose size of a component stands in the legend."""
        return max(range(len(self._devices)), key=lambda place: sizes(self._devices[place])[name])
