"""Fonts and style sheet of the window, made from the shared table."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from configurator.catalog.places import RESOURCES
from configurator.gui.look import Look, tokens

GRID = int(tokens()["grid"])
_PRESENTED = 1.2
"""How much larger the type is on a projector."""

_SHEET = """
* {{ font-family: Inter; font-size: {body}px; color: {ink}; }}
QMainWindow, #ground, QScrollArea {{ background: {ground}; border: none; }}
#bar, #rail, #strip {{ background: {surface}; }}
#bar, #strip {{ border-bottom: 1px solid {hairline}; }}
#rail {{ border-right: 1px solid {hairline}; }}
#notice {{ background: {accent_fill}; border-bottom: 1px solid {hairline}; }}
#card {{ background: {surface}; border: 1px solid {hairline}; border-radius: 8px; }}
#quiet {{ background: {ground}; border-radius: 4px; }}
QLabel {{ background: transparent; }}
QLabel[type="title"] {{ font-size: {title}px; font-weight: 600; }}
QLabel[type="heading"] {{ font-size: {heading}px; font-weight: 600; }}
QLabel[type="strong"] {{ font-weight: 600; }}
QLabel[type="note"] {{ font-size: {note}px; color: {muted}; }}
QLabel[tone="muted"] {{ color: {muted}; }}
QLabel[tone="ok"] {{ color: {ok}; }}
QLabel[tone="warn"] {{ color: {warn}; }}
QLabel[tone="fail"] {{ color: {fail}; }}
QLabel[badge="true"] {{ font-size: {note}px; font-weight: 600; border-radius: 8px; padding: 1px 8px; }}
QLabel[badge="true"][tone="ok"] {{ background: {ok_fill}; }}
QLabel[badge="true"][tone="warn"] {{ background: {warn_fill}; }}
QLabel[badge="true"][tone="fail"] {{ background: {fail_fill}; }}
QLabel[badge="true"][tone="accent"] {{ background: {accent_fill}; color: {accent}; }}
QPushButton {{ background: {surface}; border: 1px solid {edge}; border-radius: 14px; padding: 5px 13px; }}
QPushButton:hover {{ border-color: {accent}; }}
QPushButton:focus {{ border: 2px solid {accent}; padding: 4px 12px; }}
QPushButton:checked {{ background: {accent}; border-color: {accent}; color: {surface}; font-weight: 500; }}
QPushButton:checked:focus {{ border-color: {ink}; }}
QPushButton[assumed="true"] {{ border: 1px dashed {muted}; color: {muted}; background: {ground}; }}
QPushButton[kind="link"] {{ border: 1px solid transparent; background: transparent; color: {accent}; padding: 2px 4px; }}
QPushButton[kind="link"]:hover {{ text-decoration: underline; }}
QPushButton[kind="link"]:disabled {{ color: {muted}; }}
QPushButton[kind="link"]:focus {{ border-color: {accent}; }}
QPushButton[kind="key"] {{ border: 1px solid transparent; border-radius: 4px; background: transparent; padding: 3px 6px; text-align: left; }}
QPushButton[kind="key"]:hover {{ background: {ground}; }}
QPushButton[kind="key"]:focus {{ border-color: {accent}; }}
QPushButton[kind="main"] {{ background: {accent}; border-color: {accent}; color: {surface}; border-radius: 4px; font-weight: 600; }}
QPushButton[kind="main"]:focus {{ border-color: {ink}; }}
QPushButton[kind="main"]:disabled {{ background: {hairline}; border-color: {hairline}; color: {muted}; }}
QPushButton[kind="tab"] {{ border: 1px solid transparent; border-radius: 4px; padding: 4px 8px; background: transparent; color: {muted}; }}
QPushButton[kind="tab"][tone="warn"] {{ color: {warn}; }}
QPushButton[kind="tab"][tone="fail"] {{ color: {fail}; }}
QPushButton[kind="tab"]:hover {{ background: {ground}; }}
QPushButton[kind="tab"]:checked {{ background: {accent_fill}; color: {ink}; font-weight: 400; }}
QPushButton[kind="tab"]:focus {{ border-color: {accent}; }}
QPushButton[kind="step"] {{ border: 2px solid transparent; border-radius: 4px; padding: 0; background: transparent; }}
QPushButton[kind="step"]:hover {{ background: {ground}; }}
QPushButton[kind="step"]:checked {{ background: {accent_fill}; }}
QPushButton[kind="step"]:focus {{ border-color: {accent}; }}
#box {{ background: {surface}; border: 1px solid {edge}; border-radius: 4px; }}
#box[assumed="true"] {{ border: 1px dashed {muted}; background: {ground}; }}
#box[wrong="true"] {{ border: 1px solid {fail}; }}
#box[focused="true"] {{ border: 1px solid {accent}; }}
QLineEdit {{ border: none; background: transparent; padding: 0; selection-background-color: {accent}; selection-color: {surface}; }}
QListView {{ background: {surface}; border: 1px solid {edge}; outline: none; padding: 4px; }}
QListView::item {{ padding: 4px; }}
QListView::item:selected, QListView::item:hover {{ background: {accent_fill}; color: {ink}; }}
QMenuBar, QMenu {{ background: {surface}; }}
QMenuBar::item {{ padding: 4px 8px; background: transparent; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {accent_fill}; }}
QMenu {{ border: 1px solid {hairline}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px; }}
QMenu::item:disabled {{ color: {muted}; }}
QScrollBar:vertical {{ background: transparent; width: 8px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {edge}; border-radius: 4px; min-height: 32px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QToolTip {{ background: {surface}; border: 1px solid {edge}; padding: 4px; }}
"""


def type_sizes(presenting: bool = False) -> dict[str, int]:
    """Return the sizes of the type in pixels."""
    larger = _PRESENTED if presenting else 1
    return {name: round(size * larger) for name, size in tokens()["type"].items()}


def load_fonts() -> None:
    """Make the bundled faces known, and Inter with lining figures of equal width the program's font."""
    for path in sorted((RESOURCES / "fonts").glob("*.otf")):
        QFontDatabase.addApplicationFont(str(path))
    font = QFont("Inter")
    font.setPixelSize(type_sizes()["body"])
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setFeature(QFont.Tag("lnum"), 1)
    QApplication.setFont(font)


def apply_style(look: Look) -> None:
    """Dress the whole program in one look."""
    roles = ("ink", "muted", "hairline", "surface", "ground", "accent", "ok", "warn", "fail")
    colours = {role: look.colour(role) for role in roles}
    fills = {f"{role}_fill": look.mixed(role, 0.12) for role in ("ok", "warn", "fail", "accent")}
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setPalette(_palette(look))
    app.setStyleSheet(
        _SHEET.format(**type_sizes(look.presenting), **colours, **fills, edge=look.mixed("muted", 0.4))
    )


def _palette(look: Look) -> QPalette:
    """Colours of what the style sheet does not reach: placeholders, dialogs."""
    palette = QPalette()
    for role, name in (
        (QPalette.ColorRole.Window, "surface"),
        (QPalette.ColorRole.Base, "surface"),
        (QPalette.ColorRole.Text, "ink"),
        (QPalette.ColorRole.WindowText, "ink"),
        (QPalette.ColorRole.PlaceholderText, "muted"),
        (QPalette.ColorRole.Highlight, "accent"),
    ):
        palette.setColor(role, QColor(look.colour(name)))
    return palette
