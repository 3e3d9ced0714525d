"""A case: one workload on one machine, the input of `estimate`, `check`, `compare` and `advise`."""

from __future__ import annotations

from typing import Literal

from configurator.domain.base import Word
from configurator.domain.machine import Also, Machine
from configurator.domain.plan import Plan
from configurator.domain.workload import Workload


class Case(Word):
    """The file format `case/1`."""

    format: Literal["case/1"] = "case/1"
    workload: Workload
    machine: Machine
    also: Also = Also()
    plan: Plan | None = None
