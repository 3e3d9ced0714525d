"""All checks in the order in which a consultant reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.finding import SEVERITIES, Finding, Findings
from configurator.domain.ledger import Estimate
from configurator.system import display, host, memory, power, slots
from configurator.system.facts import Facts, gather

Check = Callable[[Facts], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    memory.check_per_gpu,
    memory.check_growth,
    memory.check_sharding,
    memory.check_unified,
    power.check_supply,
    power.check_connectors,
    power.check_mains,
    slots.check_slots,
    slots.check_lanes,
    slots.check_case,
    host.check_ram,
    host.check_storage,
    host.check_backup,
    display.check_display,
    display.check_cad,
)


def check(case: Case, estimate: Estimate, catalog: Catalog) -> Findings:
    """Return one finding for every check that applies, the worst first. Raises BadInput for an unknown part."""
    facts = gather(case, estimate, catalog)
    found = [finding for one in CHECKS for finding in one(facts)]
    return Findings(findings=tuple(sorted(found, key=lambda f: -SEVERITIES.index(f.severity))))
