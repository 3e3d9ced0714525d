"""The whole answer to a case: what was assumed, the estimate with limits and remedies, the findings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from configurator.advice.limits import limits
from configurator.advice.option import Situation
from configurator.advice.remedies import remedies
from configurator.advice.steps import Steps, finished
from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.finding import Findings
from configurator.domain.ledger import Estimate
from configurator.memory.engine import predict
from configurator.speed.engine import speeds
from configurator.speed.measured import measured_beside
from configurator.speed.power import loudness
from configurator.system.checks import check


@dataclass(frozen=True, slots=True)
class Answer:
    """A case without open questions, the names of the assumed ones, and what follows from it."""

    case: Case
    assumed: frozenset[str]
    estimate: Estimate
    findings: Findings


def answer(case: Case, catalog: Catalog) -> Answer:
    """Return the whole answer to a case. Raises BadInput for what cannot be answered."""
    return finished(advising(case, judged(case, catalog), catalog))


def judged(case: Case, catalog: Catalog) -> Answer:
    """Return the answer without limits and remedies: at once. Raises BadInput."""
    prediction = predict(case, catalog)
    found = speeds(case, prediction, catalog)
    notes = prediction.estimate.notes
    if found:
        notes += tuple(measured_beside(case, prediction.workload, catalog))
    if watts := found.get("wall_power_w"):
        notes += (loudness(case.machine, catalog, watts),)
    estimate = prediction.estimate.model_copy(update={"speed": found, "notes": notes})
    full = case.model_copy(update={"workload": prediction.workload, "plan": estimate.plan})
    return Answer(full, prediction.assumed, estimate, check(full, estimate, catalog))


def advising(case: Case, found: Answer, catalog: Catalog) -> Steps[Answer]:
    """Return the answer found for a case with limits and remedies, in small steps."""
    full, estimate = found.case, found.estimate
    most = yield from limits(case, full.workload, catalog)
    situation = Situation(
        case, full, estimate, most, catalog.frameworks[full.workload.framework or ""], catalog
    )
    ways = yield from remedies(situation)
    return replace(found, estimate=estimate.model_copy(update={"limits": most, "remedies": ways}))
