"""Reading fields of a `config.json`: necessary ones are refused by name when they are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from configurator.domain.errors import BadInput
from configurator.domain.message import message


class Fields:
    """The fields of one configuration under the names that its family uses."""

    def __init__(self, config: Mapping[str, Any], name: str) -> None:
        self._config = config
        self.name = name

    def need(self, *names: str) -> int:
        """Return a necessary whole number by the first name that is there. Raises BadInput."""
        for name in names:
            value = self._config.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        raise BadInput(
            message(
                "model '{model}': its config.json has no field '{field}'", model=self.name, field=names[0]
            )
        )

    def get(self, *names: str, default: int) -> int:
        """Return a whole number, or the family's default where none is stated."""
        for name in names:
            value = self._config.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        return default

    def flag(self, name: str, default: bool) -> bool:
        """Return a switch, or the family's default."""
        value = self._config.get(name)
        return value if isinstance(value, bool) else default

    def raw(self, name: str) -> Any:
        """Return a field as it is, or None."""
        return self._config.get(name)

    def layer_types(self, count: int) -> list[str] | None:
        """Return the kind of every layer where the configuration lists them."""
        listed = self._config.get("layer_types")
        if isinstance(listed, list) and len(listed) >= count:
            return [str(kind) for kind in listed[:count]]
        return None
