"""The desktop program: frame first, everything heavy after the first paint."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.gui.flow import step_named
from configurator.gui.recovery import Recovery, left_over, recover, watch
from configurator.gui.remembered import remember_look, remember_place, remembered_place
from configurator.gui.startup import ends_when_ready, trace
from configurator.gui.style import load_fonts
from configurator.gui.window import MainWindow
from configurator.texts import say_in


def run(
    file: Path | None,
    screenshot: Path | None,
    size: tuple[int, int],
    step: str | None,
    lang: str,
    theme: str | None,
) -> int:
    """Show the window and return the exit status; with `screenshot`, paint it into a PNG and end.

    `size` in pixels. Raises BadInput for a file that cannot be read or a picture that cannot be written.
    """
    if not _has_screen():
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    load_fonts()
    window = MainWindow(language=lang, theme=theme)
    window.resize(*size)
    if screenshot is None:
        settle_in(window)
    window.show()
    app.processEvents()
    trace("first-paint")
    problems: list[Exception] = []
    QTimer.singleShot(0, lambda: _make_ready(window, file, screenshot, step, problems))
    status = app.exec()
    if problems:
        raise problems[0]
    return status


def _make_ready(
    window: MainWindow,
    file: Path | None,
    screenshot: Path | None,
    step: str | None,
    problems: list[Exception],
) -> None:
    from configurator.advice.answer import judged
    from configurator.catalog.catalog import load_catalog

    try:
        if file is not None:
            window.filing.open(file)
        window.step = step_named(step)
        window.furnish(load_catalog(), judged)
        if screenshot is not None:
            window.settle()
        # Wrapped texts find their height in a second pass, scroll bars theirs in a third.
        for _ in range(3):
            QApplication.processEvents()
        trace("ready")
        if screenshot is None:
            offer_left_over(window)
        if screenshot is not None:
            _paint(window, screenshot)
    except Exception as problem:
        # Raised again by `run`: inside the event loop it would leave an empty window behind.
        problems.append(problem)
    if problems or screenshot is not None or ends_when_ready():
        QApplication.exit(0)


def settle_in(window: MainWindow) -> None:
    """Take up the place of the last time, and keep from now on what is not saved."""
    window.place(*remembered_place())
    recovery = Recovery(window.document, window)
    watch(recovery)

    def leave() -> None:
        recovery.close()
        remember_place(window.saveGeometry(), window.panes)
        remember_look(window.look.language, window.theme)

    window.closed.append(leave)


def offer_left_over(window: MainWindow) -> None:
    """Offer unsaved work of a program that ended without asking."""
    found = left_over()
    if not found:
        return
    one, say = found[0], say_in(window.look.language)
    text = message(
        "Unsaved work of {day:date}, {time} was found.", day=one.when.date(), time=f"{one.when:%H:%M}"
    )
    window.notice.show_notice(
        say(text),
        (say("Continue it"), lambda: recover(one, window.document)),
        (say("Discard"), lambda: one.path.unlink(missing_ok=True)),
    )


def _paint(window: MainWindow, path: Path) -> None:
    if not window.grab().save(str(path), "PNG"):
        raise BadInput(
            message("{file}: the picture cannot be written; name a folder that exists", file=str(path))
        )


def _has_screen() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
