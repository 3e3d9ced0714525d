"""A question as data: where its answer lies in the project and how it is asked. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from configurator.catalog.catalog import Catalog
from configurator.domain.message import Message
from configurator.domain.project import Project
from configurator.gui.edit import value_at, with_value

Kind = Literal["chips", "number", "decimal", "text", "search", "bool"]
WORKLOAD = "workloads.0.workload"
MACHINE = "machines.0.machine"


@dataclass(frozen=True, slots=True)
class Choice:
    """An allowed value and its English label."""

    value: Any
    label: str


def always(project: Project) -> bool:
    """Show the question in every project."""
    return True


@dataclass(frozen=True, slots=True)
class Question:
    """One row of the form."""

    path: str
    """Where the answer lies; `read` and `write` replace it where one answer changes several fields."""
    label: str | Message
    kind: Kind
    unit: str = ""
    help: str = ""
    choices: Callable[[Project, Catalog], tuple[Choice, ...]] | None = None
    shown: Callable[[Project], bool] = always
    optional: bool = True
    """Whether an answer may be taken back."""
    read: Callable[[Project], Any] | None = None
    write: Callable[[Project, Any, Catalog], Project] | None = None

    def answer_in(self, project: Project) -> Any:
        """Return the answer; None: not answered."""
        return self.read(project) if self.read else value_at(project, self.path)

    def answered(self, project: Project, value: Any, catalog: Catalog) -> Project:
        """Return the project with this answer; None takes it back. Raises BadInput."""
        if self.write:
            return self.write(project, value, catalog)
        return with_value(project, self.path, value)

    @property
    def field(self) -> str | None:
        """The workload's field that the engine may assume; None elsewhere."""
        return self.path.removeprefix(WORKLOAD + ".") if self.path.startswith(WORKLOAD) else None
