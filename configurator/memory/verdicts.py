"""The ledger of one device from its books, and the verdict on it."""

from __future__ import annotations

from collections.abc import Iterable

from configurator.domain.ledger import WORSENING, DeviceLedger, Verdict
from configurator.domain.ranges import Bytes
from configurator.memory.books import Books
from configurator.memory.devices import Device
from configurator.memory.reserves import usable
from configurator.memory.views import Views


def device_ledger(books: Books, device: Device, view: Views, os: str | None) -> DeviceLedger:
    """Return the ledger of a device at its peak."""
    peak = books.peak()
    total = books.total(peak)
    limit = usable(device)
    return DeviceLedger(
        device=device.id,
        name=device.name,
        capacity=device.capacity,
        usable=limit,
        verdict=max(_verdict(total, limit, os == "windows"), _room_in_pool(view), key=WORSENING.index),
        entries=tuple(books.phases[peak]),
        total=total,
        reserved_by_framework=view.reserved_by_framework,
    )


def worst(ledgers: Iterable[DeviceLedger]) -> Verdict:
    """Return the verdict of the case: that of the worst device."""
    return max((ledger.verdict for ledger in ledgers), key=WORSENING.index)


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
