"""What the Qt binding has to keep: 6.12.0 lost references to None on Python 3.11."""

from PySide6.QtCore import QObject


def test_none_survives_many_calls():
    lonely = QObject()
    assert all(lonely.parent() is None for _ in range(60_000))
