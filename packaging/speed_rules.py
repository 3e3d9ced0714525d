"""Rules of thumb about speed, applied to the same measured runs."""

from __future__ import annotations

from configurator.catalog.catalog import Catalog
from configurator.domain.run import MeasuredRun
from configurator.speed.chips import chips
from configurator.speed.image_work import image_work
from configurator.speed.subject import Subject
from configurator.speed.work import active, active_experts, read_per_step

NAMES = {
    "decode": "0.55 x bandwidth / bytes (llmfit)",
    "prefill": "half of the peak, 2 operations a weight",
    "serving": "requests x speed of one",
    "training": "40 % of the peak, 6 operations a weight",
    "vision": "40 % of the peak",
    "diffusion": "40 % of the peak",
}
_READ = 0.55


def by_rule(mechanism: str, key: str, run: MeasuredRun, s: Subject | None, catalog: Catalog) -> float | None:
    """Return what the rule says of a measured quantity; None where it says nothing."""
    if s is None:
        return _images(key, run, catalog)
    model = s.setting.model
    weights = active(model) + active_experts(model)
    cards = len(s.chips)
    one = _READ * s.slowest.bandwidth / (read_per_step(s.setting) * s.scale)
    match mechanism:
        case "decode":
            return one
        case "prefill":
            return 0.5 * s.slowest.peak / (2 * weights)
        case "serving":
            return one * cards * max(s.setting.batch, s.setting.workload.concurrency or 1)
        case "training":
            rate = 0.4 * s.slowest.peak * cards / (6 * weights)
            tokens = s.setting.batch * s.setting.context * (s.setting.workload.grad_accum or 1) * cards
            return tokens / rate if key == "step_s" else rate
    return None


def _images(key: str, run: MeasuredRun, catalog: Catalog) -> float | None:
    work, found = image_work(run.workload, catalog), chips(run.machine, catalog)
    if work is None or not found:
        return None
    images = run.workload.batch or 1
    seconds = work.operations * (3 if run.workload.trains else 1) / (0.4 * found[0].peak)
    if key == "step_s":
        return seconds * images
    return len(found) / seconds / max(1, work.steps)
