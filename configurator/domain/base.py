"""What all words have in common: frozen, strict, no unknown key."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict

T = TypeVar("T")


class Word(BaseModel):
    """A frozen model that refuses unknown keys and wrong types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Several = Annotated[tuple[T, ...], Strict(False)]
"""A tuple that may be written as a YAML list."""

Count = Annotated[int, Field(ge=1)]
"""A number of things, at least one."""

Share = Annotated[float, Field(gt=0, le=1)]
"""A part of a whole, above 0 and at most 1."""

DateText = Annotated[str, BeforeValidator(str)]
"""A date as precise as its source gives it: 2024, 2024-05 or 2024-05-17."""
