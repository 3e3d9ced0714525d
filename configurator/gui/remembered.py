"""What the window remembers from one start to the next: where it stood, what was open, how it looked."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_state_path
from PySide6.QtCore import QByteArray, QSettings

from configurator import PROGRAM

_RECENT = 8


def _settings() -> QSettings:
    return QSettings(str(user_state_path(PROGRAM) / "window.ini"), QSettings.Format.IniFormat)


def recent_files() -> list[Path]:
    """Return the enquiries that were open last and are still there, the latest first."""
    named = _settings().value("recent")
    # Qt reads a list of one as its only text.
    names = named if isinstance(named, list) else [named] if named else []
    return [path for path in map(Path, names) if path.exists()]


def remember_file(path: Path) -> None:
    """Put an enquiry at the top of those that were open last."""
    whole = path.absolute()
    others = [one for one in recent_files() if one != whole]
    _settings().setValue("recent", [str(one) for one in (whole, *others)][:_RECENT])


def remember_look(language: str, theme: str | None) -> None:
    """Keep the language and the theme; no theme follows the system."""
    settings = _settings()
    settings.setValue("language", language)
    settings.setValue("theme", theme or "")


def remembered_look() -> tuple[str | None, str | None]:
    """Return language and theme of the last time; None where none was chosen."""
    settings = _settings()
    language, theme = settings.value("language"), settings.value("theme")
    return (str(language) if language else None), (str(theme) if theme else None)


def remember_place(geometry: QByteArray, panes: QByteArray) -> None:
    """Keep where the window stands and how wide its panes are."""
    settings = _settings()
    settings.setValue("geometry", geometry)
    settings.setValue("panes", panes)


def remembered_place() -> tuple[QByteArray, QByteArray]:
    """Return where the window stood and how wide its panes were; empty where it never stood."""
    settings = _settings()
    return _bytes(settings.value("geometry")), _bytes(settings.value("panes"))


def _bytes(value: object) -> QByteArray:
    return value if isinstance(value, QByteArray) else QByteArray()
