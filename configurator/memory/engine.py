"""The engine: a case in, the ledger of every device out. No Qt, no files, no sentences."""

from __future__ import annotations

from dataclasses import replace

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.ledger import DeviceLedger, Estimate, Phase, PhaseTotal
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes
from configurator.memory.assume import completed, framework_of
from configurator.memory.books import Books
from configurator.memory.devices import Device, devices
from configurator.memory.host import host
from configurator.memory.images.engine import predict_images
from configurator.memory.images.subject import image_subject
from configurator.memory.inference import inference_books
from configurator.memory.layout import laid_stages
from configurator.memory.plans import checked, copies, usual
from configurator.memory.prediction import Prediction
from configurator.memory.reserves import beside, enter_reserves
from configurator.memory.sequences import host_cache
from configurator.memory.setting import Setting
from configurator.memory.stored import shared_out
from configurator.memory.tensors import parameters
from configurator.memory.training import training_books
from configurator.memory.verdicts import device_ledger, worst
from configurator.memory.views import Views, views
from configurator.memory.weights import Stage


def estimate(case: Case, catalog: Catalog) -> Estimate:
    """Return the ledger of every device. Raises BadInput for what cannot be computed."""
    return predict(case, catalog).estimate


def predict(case: Case, catalog: Catalog) -> Prediction:
    """Return the estimate and the views of it that measured runs are compared with."""
    hardware = devices(case.machine, catalog)
    subject = (
        None if catalog.models.knows(case.workload.model) else image_subject(case.workload, catalog.images)
    )
    if subject:
        return predict_images(case, subject, hardware)
    apple = case.machine.os == "macos" or (case.machine.system or "").startswith("mac")
    framework = framework_of(case.workload, apple)
    model = shared_out(catalog.architecture(case.workload.model))
    workload, assumed = completed(case.workload, framework, model)
    plan, why = case.plan, None
    if plan is None:
        plan, why = usual(workload, framework, model, len(hardware), case.machine.nodes)
    setting = Setting(case, workload, framework, checked(plan, len(hardware)), model)
    setting = replace(setting, stages=laid_stages(setting, hardware))
    used = _laid_out(setting, hardware)
    ledgers, phases, seen = [], [], []
    done: dict[object, tuple[DeviceLedger, dict[Phase, Bytes], Views]] = {}
    for device, stage in used:
        # Equal ranks of equal devices are computed once.
        shared = tuple(size.high for _, size in beside(setting, device))
        alike = (stage, device.capacity, device.unified, device.drives_display, device.id == "gpu0", shared)
        if alike not in done:
            done[alike] = _filled(setting, stage, device)
        ledger, totals, view = done[alike]
        ledgers.append(ledger.model_copy(update={"device": device.id, "name": device.name}))
        phases += [PhaseTotal(phase=p, device=device.id, total=total) for p, total in totals.items()]
        seen.append(view)
    answer = Estimate(
        verdict=worst(ledgers),
        plan=setting.plan,
        devices=tuple(ledgers),
        host=host(setting),
        phases=tuple(phases),
        notes=tuple(_notes(setting, why, len(hardware))),
    )
    kept = 0.0 if workload.trains else host_cache(setting)
    return Prediction(answer, workload, assumed, parameters(model), tuple(seen), kept)


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
    ledger = device_ledger(books, device, view, s.case.machine.os)
    return ledger, totals, view


def _books(s: Setting, stage: Stage, device: Device) -> Books:
    return training_books(s, stage) if s.workload.trains else inference_books(s, stage, device)


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
