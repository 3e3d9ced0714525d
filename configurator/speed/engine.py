"""The speeds of a case: what is asked depends on the task. No speed where it does not fit."""

from __future__ import annotations

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.ledger import Estimate
from configurator.domain.ranges import Range
from configurator.domain.workload import Workload
from configurator.speed.decode import decode
from configurator.speed.prompt import first_token, prefill
from configurator.speed.subject import Subject, subject


def speeds(case: Case, workload: Workload, estimate: Estimate, catalog: Catalog) -> dict[str, Range]:
    """Return the speeds of a completed workload under the plan of its estimate; empty where it does not fit
    or where a chip is not known well enough.
    """
    if estimate.verdict == "exceeds":
        return {}
    found = subject(case, workload, estimate.plan, catalog)
    return speeds_of(found) if found else {}


def speeds_of(s: Subject) -> dict[str, Range]:
    """Return the speeds by their keys in the JSON of `estimate`."""
    if s.setting.workload.trains:
        return {}
    return {
        "decode_tokens_s": decode(s),
        "prefill_tokens_s": prefill(s),
        "time_to_first_token_s": first_token(s),
    }
