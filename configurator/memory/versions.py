"""Versions as people and logs write them: '0.8.x (V0)', 'b9246', '4.46.0'."""

from __future__ import annotations

import re

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")


def parsed(text: str | None) -> tuple[int, ...] | None:
    """Return the first dotted number of a version; None where there is none."""
    match = _NUMBERS.search(text or "")
    return tuple(int(part) for part in match[0].split(".")) if match else None


def before(text: str | None, limit: tuple[int, ...]) -> bool:
    """Whether a version is stated and older than `limit`; a version not stated is a current one."""
    version = parsed(text)
    return version is not None and version < limit
