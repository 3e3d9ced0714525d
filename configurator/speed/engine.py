"""The speeds of a case: what is asked depends on the task. No speed where it does not fit."""

from __future__ import annotations

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.ranges import Range
from configurator.memory.prediction import Prediction
from configurator.speed.decode import decode
from configurator.speed.images import image_speeds
from configurator.speed.power import under_limit, wall_power, with_energy
from configurator.speed.prompt import first_token, prefill
from configurator.speed.serving import served
from configurator.speed.subject import Subject, subject
from configurator.speed.training import trained


def speeds(case: Case, prediction: Prediction, catalog: Catalog) -> dict[str, Range]:
    """Return the speeds of a predicted case with power and energy; empty where it does not fit or a chip is not
    known well enough."""
    if prediction.estimate.verdict == "exceeds":
        return {}
    found = any_speeds(case, prediction, catalog)
    limited = under_limit(found, case.machine, catalog)
    return with_energy(limited, wall_power(case.machine, prediction.workload, catalog))


def any_speeds(case: Case, prediction: Prediction, catalog: Catalog) -> dict[str, Range]:
    """Return the speeds of a predicted case without a power limit, whether it fits or not."""
    if not catalog.models.knows(case.workload.model):
        return image_speeds(case, prediction.workload, catalog)
    found = subject(case, prediction, catalog)
    return speeds_of(found) if found else {}


def speeds_of(s: Subject) -> dict[str, Range]:
    """Return the speeds by their keys in the JSON of `estimate`."""
    if s.setting.workload.trains:
        return trained(s)
    reading = {"prefill_tokens_s": prefill(s), "time_to_first_token_s": first_token(s)}
    if s.setting.workload.task == "serving" or s.setting.framework.workspace == "server":
        return served(s) | reading
    return {"decode_tokens_s": decode(s)} | reading
