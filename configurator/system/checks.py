"""All checks in the order in which a consultant reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.finding import SEVERITIES, Finding, Findings
from configurator.domain.ledger import Estimate
from configurator.system.bar import check_bar
from configurator.system.battery import check_ups
from configurator.system.cad import check_cad
from configurator.system.case import check_case
from configurator.system.connectors import check_connectors
from configurator.system.cooling import check_cooling
from configurator.system.cpu_cooler import check_cpu_cooler
from configurator.system.display import check_display
from configurator.system.endurance import check_endurance
from configurator.system.facts import Facts, gather
from configurator.system.lanes import check_lanes
from configurator.system.limit import check_limit
from configurator.system.load import check_load_phase
from configurator.system.mains import check_mains
from configurator.system.memory import check_growth, check_per_gpu
from configurator.system.p2p import check_p2p
from configurator.system.platform_cpu import check_platform
from configurator.system.population import check_population
from configurator.system.ram import check_ram
from configurator.system.scaling import check_scaling
from configurator.system.sharding import check_sharding
from configurator.system.slots import check_slots
from configurator.system.software_engine import check_engine
from configurator.system.software_gpu import check_software_gpu
from configurator.system.software_precision import check_precision
from configurator.system.storage import check_backup, check_storage
from configurator.system.supply import check_supply
from configurator.system.tensor_parallel import check_tensor_parallel
from configurator.system.throughput import check_throughput
from configurator.system.unequal import check_unequal
from configurator.system.unified import check_unified

Check = Callable[[Facts], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    check_per_gpu,
    check_load_phase,
    check_growth,
    check_unified,
    check_sharding,
    check_tensor_parallel,
    check_unequal,
    check_scaling,
    check_slots,
    check_lanes,
    check_p2p,
    check_bar,
    check_supply,
    check_connectors,
    check_mains,
    check_ups,
    check_limit,
    check_case,
    check_cooling,
    check_cpu_cooler,
    check_ram,
    check_population,
    check_storage,
    check_throughput,
    check_endurance,
    check_backup,
    check_platform,
    check_engine,
    check_software_gpu,
    check_precision,
    check_display,
    check_cad,
)


def check(case: Case, estimate: Estimate, catalog: Catalog) -> Findings:
    """Return one finding for every check that applies, the worst first. Raises BadInput for an unknown part."""
    facts = gather(case, estimate, catalog)
    found = [finding for one in CHECKS for finding in one(facts)]
    return Findings(findings=tuple(sorted(found, key=lambda f: -SEVERITIES.index(f.severity))))
