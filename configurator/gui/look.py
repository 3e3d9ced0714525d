"""How the window looks and speaks: one language, one theme, the colours of `tokens.json`. No Qt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from configurator.catalog.places import RESOURCES


@lru_cache(maxsize=1)
def tokens() -> dict[str, Any]:
    """Return the table of colours, type sizes and grid that window and sheet share."""
    table: dict[str, Any] = json.loads((RESOURCES / "tokens.json").read_text(encoding="utf-8"))
    return table


@dataclass(frozen=True, slots=True)
class Look:
    """A language (`de`, `en`), a theme (`light`, `dark`), and whether the customer is looking on."""

    language: str
    theme: str
    presenting: bool = False

    def colour(self, role: str) -> str:
        """Return the colour of a role: ink, muted, hairline, surface, ground, accent, ok, warn, fail."""
        return str(tokens()[self.theme][role])

    def series(self, component: str) -> str:
        """Return the colour of a ledger component."""
        return str(tokens()["series"][self.theme][component])

    def mixed(self, role: str, share: float, ground: str = "surface") -> str:
        """Return `share` of a role's colour on a ground: quiet fills of badges and marked rows."""
        pairs = zip(_channels(self.colour(role)), _channels(self.colour(ground)), strict=True)
        return "#" + "".join(f"{round(share * top + (1 - share) * below):02x}" for top, below in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
