"""The whole answer to a case: what was assumed, the estimate, the findings."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.finding import Findings
from configurator.domain.ledger import Estimate
from configurator.memory.engine import predict
from configurator.system.checks import check


@dataclass(frozen=True, slots=True)
class Answer:
    """A case without open questions, the names of the assumed ones, and what follows from it."""

    case: Case
    assumed: frozenset[str]
    estimate: Estimate
    findings: Findings


def answer(case: Case, catalog: Catalog) -> Answer:
    """Return the answer to a case. Raises BadInput for what cannot be answered."""
    prediction = predict(case, catalog)
    full = case.model_copy(update={"workload": prediction.workload, "plan": prediction.estimate.plan})
    return Answer(full, prediction.assumed, prediction.estimate, check(full, prediction.estimate, catalog))
