"""Small quotes for the tests of money and lines."""

from datetime import date
from decimal import Decimal
from typing import Any

from configurator.domain.machine import Gpus, Machine
from configurator.domain.project import Project, ProjectMachine, ProjectWorkload, QuoteLine
from configurator.domain.workload import Workload


def line(price: str | None, quantity: str = "1", vat: str = "19", **more: Any) -> QuoteLine:
    return QuoteLine(
        text="Position", quantity=Decimal(quantity), unit_price=price, vat_percent=Decimal(vat), **more
    )


def quote(*lines: QuoteLine, **more: Any) -> Project:
    return Project(
        date=date(2026, 12, 1),
        workloads=(ProjectWorkload(workload=Workload(task="qlora", model="meta-llama/Llama-3.1-8B")),),
        machines=(ProjectMachine(machine=Machine(gpus=(Gpus(gpu="geforce-rtx-4090"),))),),
        lines=lines,
        **more,
    )
