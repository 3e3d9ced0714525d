"""The engine: a case in, the ledger of every device out. No Qt, no files, no sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.ledger import DeviceLedger, Estimate, Phase, PhaseTotal, Verdict
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes
from configurator.domain.workload import Workload
from configurator.memory.assume import completed, framework_of
from configurator.memory.books import Books
from configurator.memory.devices import Device, devices
from configurator.memory.host import host
from configurator.memory.inference import inference_books
from configurator.memory.layer_split import dealt, gpu_layers
from configurator.memory.plans import checked, copies, usual
from configurator.memory.reserves import enter_reserves, usable
from configurator.memory.sequences import host_cache
from configurator.memory.setting import Setting
from configurator.memory.stored import shared_out
from configurator.memory.tensors import parameters
from configurator.memory.training import training_books
from configurator.memory.views import Views, views
from configurator.memory.weights import Stage, stages

_ORDER: tuple[Verdict, ...] = ("fits", "tight", "spills", "exceeds")


@dataclass(frozen=True, slots=True)
class Prediction:
    """An estimate, the workload without open questions, and the views that logs give."""

    estimate: Estimate
    workload: Workload
    assumed: frozenset[str]
    parameters: int
    devices: tuple[Views, ...]
    host_cache: float = 0.0
    """Bytes of KV cache of layers that the host keeps."""


def estimate(case: Case, catalog: Catalog) -> Estimate:
    """Return the ledger of every device. Raises BadInput for what cannot be computed."""
    return predict(case, catalog).estimate


def predict(case: Case, catalog: Catalog) -> Prediction:
    """Return the estimate and the views of it that measured runs are compared with."""
    hardware = devices(case.machine, catalog)
    apple = case.machine.os == "macos" or (case.machine.system or "").startswith("mac")
    framework = framework_of(case.workload, apple)
    model = shared_out(catalog.architecture(case.workload.model))
    workload, assumed = completed(case.workload, framework, model)
    plan, why = case.plan, None
    if plan is None:
        plan, why = usual(workload, framework, model, len(hardware), case.machine.nodes)
    setting = Setting(case, workload, framework, model, checked(plan, len(hardware)))
    setting = replace(setting, stages=_stages(setting, hardware))
    used = _laid_out(setting, hardware)
    ledgers, phases, seen = [], [], []
    done: dict[object, tuple[DeviceLedger, dict[Phase, Bytes], Views]] = {}
    for device, stage in used:
        # Equal ranks of equal devices are computed once.
        alike = (stage, device.capacity, device.unified, device.drives_display, device.id == "gpu0")
        if alike not in done:
            done[alike] = _filled(setting, stage, device)
        ledger, totals, view = done[alike]
        ledgers.append(ledger.model_copy(update={"device": device.id, "name": device.name}))
        phases += [PhaseTotal(phase=p, device=device.id, total=total) for p, total in totals.items()]
        seen.append(view)
    verdict = max((ledger.verdict for ledger in ledgers), key=_ORDER.index)
    answer = Estimate(
        verdict=verdict,
        plan=setting.plan,
        devices=tuple(ledgers),
        host=host(setting),
        phases=tuple(phases),
        notes=tuple(_notes(setting, why, len(hardware))),
    )
    kept = 0.0 if workload.trains else host_cache(setting)
    return Prediction(answer, workload, assumed, parameters(model), tuple(seen), kept)


def _stages(s: Setting, hardware: tuple[Device, ...]) -> tuple[Stage, ...]:
    """Deal the layers out: evenly, by the stated split, or by the memory of the devices.

    Servers deal evenly; what spreads layers over the cards that are there looks at their memory.
    """
    by_memory = tuple(float(device.capacity) for device in hardware[: s.plan.pp])
    if s.framework.workspace == "llama.cpp" and not s.workload.trains:
        stated = s.plan.split if s.plan.split and len(s.plan.split) == s.plan.pp else None
        return dealt(s.model, stated or by_memory, gpu_layers(s))
    plan = s.plan
    if not s.workload.trains and s.framework.workspace != "server" and plan.split is None:
        plan = plan.model_copy(update={"split": by_memory}) if len(set(by_memory)) > 1 else plan
    return stages(s.model, plan)


def _laid_out(s: Setting, hardware: tuple[Device, ...]) -> list[tuple[Device, Stage]]:
    """Assign stages to devices: tensor-parallel neighbours share a stage, replicas repeat the stages."""
    ranks = s.plan.tp * s.plan.cp
    order = [stage for _ in range(s.plan.dp) for stage in s.stages for _ in range(ranks)]
    return list(zip(hardware, order, strict=False))


def _filled(s: Setting, stage: Stage, device: Device) -> tuple[DeviceLedger, dict[Phase, Bytes], Views]:
    """Return the ledger of one rank on a device, its total in every phase, and its views."""
    books = _books(s, stage, device)
    view = views(s, books, stage, device)
    enter_reserves(books, s, device)
    totals = {phase: books.total(phase) for phase in books.phases}
    return _ledger(books, s, device, view), totals, view


def _books(s: Setting, stage: Stage, device: Device) -> Books:
    return training_books(s, stage) if s.workload.trains else inference_books(s, stage, device)


def _ledger(books: Books, s: Setting, device: Device, view: Views) -> DeviceLedger:
    peak = books.peak()
    total = books.total(peak)
    limit = usable(device)
    return DeviceLedger(
        device=device.id,
        name=device.name,
        capacity=device.capacity,
        usable=limit,
        verdict=max(
            _verdict(total, limit, s.case.machine.os == "windows"), _room_in_pool(view), key=_ORDER.index
        ),
        entries=tuple(books.phases[peak]),
        total=total,
        reserved_by_framework=view.reserved_by_framework,
    )


def _verdict(total: Bytes, limit: int, pages: bool) -> Verdict:
    """Judge a device. The Windows driver moves what is too much to shared memory: slow, but it runs."""
    if total.high <= limit:
        return "fits"
    if total.likely <= limit:
        return "tight"
    return "spills" if pages and total.likely <= 1.5 * limit else "exceeds"


def _room_in_pool(view: Views) -> Verdict:
    """Judge whether a server's pool takes the stated load: else it refuses to start or lets requests wait."""
    if view.pool_kv is None:
        return "fits"
    need = view.kv_cache.likely + view.recurrent_state.likely
    if need <= view.pool_kv.low:
        return "fits"
    return "tight" if need <= view.pool_kv.high else "exceeds"


def _notes(s: Setting, plan_why: Message | None, gpus: int) -> list[Message]:
    notes = [plan_why] if plan_why else []
    if s.plan.dp > 1 and s.plan.zero == 0 and not plan_why:
        notes.append(copies(s.plan.dp))
    if s.plan.gpus < gpus:
        notes.append(message("{idle} GPU(s) stay idle under this plan", idle=gpus - s.plan.gpus))
    if (nodes := s.case.machine.nodes) > 1:
        notes.append(
            message(
                "{nodes} machines with {gpus} GPU(s) each: RAM, drives, power and prices are those of one of them",
                nodes=nodes,
                gpus=gpus // nodes,
            )
        )
    notes += [message("model: {note}", note=note) for note in s.model.notes]
    return notes
