"""The engine for images: a case in, the ledger of every device out."""

from __future__ import annotations

from configurator.domain.case import Case
from configurator.domain.ledger import Estimate, Host, PhaseTotal
from configurator.domain.message import Message, message
from configurator.domain.plan import Plan
from configurator.domain.ranges import Bytes, Range, exact, spread
from configurator.memory.books import Books, gib_range
from configurator.memory.devices import Device
from configurator.memory.host import host_of
from configurator.memory.images.generation import inference_books, parts
from configurator.memory.images.setting import ImageSetting, completed_images, image_framework
from configurator.memory.images.subject import Subject
from configurator.memory.images.training import training_books
from configurator.memory.plans import checked, copies
from configurator.memory.prediction import Prediction
from configurator.memory.reserves import enter_reserves
from configurator.memory.verdicts import device_ledger, worst
from configurator.memory.views import Views

_UNCOUNTED = 0.04
"""Doubt about small buffers that a recorded run leaves out."""
_NOTHING = exact(0)


def predict_images(case: Case, subject: Subject, hardware: tuple[Device, ...]) -> Prediction:
    """Return the estimate for a network or pipeline. Raises BadInput for what cannot be computed."""
    framework = image_framework(case.workload, subject)
    workload, assumed = completed_images(case.workload, framework, subject)
    plan = case.plan or Plan(dp=len(hardware) if workload.trains else 1)
    setting = ImageSetting(case, workload, framework, checked(plan, len(hardware)), subject)
    ledgers, phases, seen = [], [], []
    for device in hardware[: plan.gpus]:
        books = training_books(setting) if workload.trains else inference_books(setting)
        view = _views(setting, books)
        enter_reserves(books, setting, device)
        ledgers.append(device_ledger(books, device, view, case.machine.os))
        phases += [PhaseTotal(phase=p, device=device.id, total=books.total(p)) for p in books.phases]
        seen.append(view)
    answer = Estimate(
        verdict=worst(ledgers),
        plan=plan,
        devices=tuple(ledgers),
        host=_host(setting),
        phases=tuple(phases),
        notes=tuple(_notes(setting, len(hardware))),
    )
    return Prediction(answer, workload, assumed, _parameters(setting), tuple(seen))


def _parameters(s: ImageSetting) -> int:
    """Return the parameters of the network, adapters included, as its code counts them."""
    own = s.subject.network.parameters
    return own + (s.subject.network.adapter_parameters or 0) * (s.workload.task in ("lora", "qlora"))


def _views(s: ImageSetting, books: Books) -> Views:
    peak = books.peak()
    counted = books.total(peak)
    rest = round(_UNCOUNTED * counted.likely)
    allocated = Bytes(low=max(0, counted.low - rest), likely=counted.likely, high=counted.high + rest)
    factor = s.framework.fragmentation
    reserved = Bytes(
        low=allocated.low,
        likely=round(allocated.likely * factor.likely),
        high=round(allocated.high * factor.high),
    )
    context = gib_range(s.framework.context_gib)
    total = Bytes(
        low=reserved.low + context.low,
        likely=reserved.likely + context.likely,
        high=reserved.high + context.high,
    )
    return Views(
        weights=books.of(peak, "weights"),
        kv_cache=_NOTHING,
        recurrent_state=_NOTHING,
        activations=_saved(s) if s.workload.trains else books.of(peak, "activations"),
        workspace=books.of(peak, "workspace"),
        context=context,
        allocated=allocated,
        reserved=reserved,
        total=total,
        decode=allocated,
    )


def _saved(s: ImageSetting) -> Bytes:
    """Return what lives between forward and backward pass."""
    fixed, per_image, per_megapixel = s.subject.network.passes[s.pass_name].saved
    size = fixed + s.batch * (per_image + per_megapixel * s.megapixels)
    return spread(size, Range(low=0.97, likely=1.0, high=1.04))


def _host(s: ImageSetting) -> Host:
    """Return RAM and disk: all parts of a pipeline wait in RAM when they are offloaded."""
    network = s.subject.network
    every = [part.weights for part in parts(s)] or [network.parameters * s.weight_bytes]
    away = sum(every) if (s.workload.offload or "none") != "none" else 0.0
    return host_of(s, sum(every), network.parameters, away)


def _notes(s: ImageSetting, gpus: int) -> list[Message]:
    notes = [copies(s.plan.dp)] if s.plan.dp > 1 and s.plan.zero == 0 else []
    if s.plan.gpus < gpus:
        notes.append(message("{idle} GPU(s) stay idle under this plan", idle=gpus - s.plan.gpus))
    if s.subject.stated:
        notes.append(
            message(
                "{model} is not in the catalogue: its activations follow from the stated figures",
                model=s.subject.network.id,
            )
        )
    if s.workload.trains and s.workload.checkpointing and "+" not in s.pass_name:
        notes.append(message("{model}: counted without checkpointing", model=s.subject.network.id))
    return notes
