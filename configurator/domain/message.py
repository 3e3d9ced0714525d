"""A sentence that is not yet in a language: a template and the values to put in.

The engine returns messages, never sentences. The template is the English text and serves as
the key of the translation. Values are put in by name; behind the colon stands how a value is
written: `{size:gib}` bytes as GiB, `{size:gb}` bytes as GB, `{count:n}` a grouped number,
`{amount:2}` two decimals as one types them, `{share:%}` a share, `{power:w}` watts, `{name}` as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import PlainSerializer, SerializationInfo


@dataclass(frozen=True, slots=True)
class Message:
    """A template and its values. Values may be messages again."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.template


def message(template: str, /, **values: Any) -> Message:
    """Make a message. The translation tool collects the first argument of every call."""
    return Message(template, values)


def _say(text: Message, info: SerializationInfo) -> str:
    say = (info.context or {}).get("say", str)
    return str(say(text))


Text = Annotated[Message, PlainSerializer(_say, return_type=str)]
"""A message as a field of a model. It is written as a sentence by `context={"say": ...}`."""
