"""One record of buildcores-open-db as facts of the catalogue: what it states, nothing that it leaves open.

In its records zero means unknown, counts of 16-pin sockets do not tell native ones from adapters, slots are
counted without order or sharing, and flags of memory for ECC and registers are mostly wrong: those are left out
or marked as inferred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from configurator.catalog.catalog import Catalog

Record = Mapping[str, Any]
Facts = dict[str, Any]

_FORMS = {
    "Mini-ITX": "mini-itx",
    "Micro ATX": "micro-atx",
    "ATX": "atx",
    "EATX": "e-atx",
    "SSI CEB": "ssi-ceb",
    "SSI EEB": "ssi-eeb",
}
_COOLING = {
    "1 Fan": None,  # a blower or not: the record does not say
    "2 Fans": "open",
    "3 Fans": "open",
    "4 Fans": "open",
    "Blower": "blower",
    "Passive": "passive",
    "Water Cooled": "liquid",
    "Hybrid": "liquid",
}
_DRIVE_FORMS = {"M.2-2280": "m.2-2280", "M.2-22110": "m.2-22110", '2.5"': "2.5", '3.5"': "3.5"}


def _some(value: Any) -> Any:
    """Return a figure, or nothing where the record has its zero for unknown."""
    return value or None


def _counts(record: Record, key: str) -> dict[str, int]:
    """Return counted plugs or sockets by kind."""
    return {name: count or 0 for name, count in (record.get(key) or {}).items()}


def supply(record: Record, catalog: Catalog) -> Facts | None:
    """Return a power supply."""
    plugs = _counts(record, "connectors")
    grades = (record.get("efficiency_rating"), record.get("cybernetics_efficiency_rating"))
    name = record["metadata"]["name"]
    standard = re.search(r"ATX (3\.[01])", name)
    return {
        "watts": record.get("wattage"),
        "standard": f"atx-{standard[1]}" if standard else None,
        "efficiency": "; ".join(grade for grade in grades if grade) or None,
        "connectors_12v2x6": _some(plugs.get("pcie_12vhpwr")),
        "connectors_8pin": _some(plugs.get("pcie_6_plus_2_pin")),
        "connectors_eps": _some(plugs.get("eps_8_pin")),
        "form_factor": record.get("form_factor"),
        "length_mm": _some(record.get("length")),
        "inferred": () if standard else ("connectors_12v2x6",),
    }


def case(record: Record, catalog: Catalog) -> Facts | None:
    """Return a case."""
    boards = (_FORMS.get(form) for form in record.get("supported_motherboard_form_factors") or ())
    return {
        "form_factor": record.get("form_factor"),
        "gpu_length_mm": _some(record.get("max_video_card_length")),
        "slots": _some(record.get("expansion_slots")),
        "cooler_height_mm": _some(record.get("max_cpu_cooler_height")),
        "form_factors": tuple(form for form in boards if form),
        "drives_35": _some(record.get("internal_3_5_bays")),
    }


def cooler(record: Record, catalog: Catalog) -> Facts | None:
    """Return a CPU cooler."""
    return {
        "kind": "liquid" if record.get("water_cooled") else "air",
        "sockets": tuple(record.get("cpu_sockets") or ()),
        "height_mm": _some(record.get("height")),
        "radiator_mm": _some(record.get("radiator_size")),
    }


def board(record: Record, catalog: Catalog) -> Facts | None:
    """Return a board without its slots; None where no platform has its socket."""
    if record.get("socket") not in {platform.socket for platform in catalog.platforms.values()}:
        return None
    memory = record.get("memory") or {}
    counted = ", ".join(
        f"{slot.get('quantity')} x PCIe {slot.get('gen')} x{slot.get('lanes')}"
        for slot in record.get("pcie_slots") or ()
    )
    return {
        "vendor": record["metadata"].get("manufacturer"),
        "socket": record["socket"],
        "chipset": record.get("chipset"),
        "form_factor": _FORMS.get(record.get("form_factor") or ""),
        "memory_type": memory.get("ram_type"),
        "dimm_slots": _some(memory.get("slots")),
        "max_ram_gb": _some(memory.get("max")),
        "sata_ports": _some((record.get("storage_devices") or {}).get("sata_6_gb_s")),
        "ethernet": tuple(
            f"{port['speed'].split()[0]} GbE"
            for port in record.get("onboard_ethernet") or ()
            if port.get("speed")
        ),
        "notes": (f"slots as counted, order and sharing not stated: {counted}",) if counted else (),
    }


def cpu(record: Record, catalog: Catalog) -> Facts | None:
    """Return a CPU; None where no platform has its socket."""
    if record.get("socket") not in {platform.socket for platform in catalog.platforms.values()}:
        return None
    facts, cores = record.get("specifications") or {}, record.get("cores") or {}
    return {
        "vendor": str(record["metadata"].get("manufacturer", "")).lower() or None,
        "socket": record["socket"],
        "cores": _some(cores.get("total")),
        "threads": _some(cores.get("threads")),
        "tdp_w": _some(facts.get("tdp")),
        "power_w": _some(facts.get("ppt")),
        "max_ram_gb": _some((facts.get("memory") or {}).get("maxSupport")),
        "ecc": facts.get("eccSupport"),
        "igpu": bool((facts.get("integratedGraphics") or {}).get("model")),
    }


def gpu(record: Record, catalog: Catalog) -> Facts | None:
    """Return a partner's card: its own sizes and plugs, the rest as the chip in the catalogue; None without one."""
    chip = catalog.gpus.named(str(record.get("chipset")))
    if chip is None or _some(record.get("memory")) not in (None, chip.vram_gb):
        return None
    plugs = _counts(record, "power_connectors")
    wide = plugs.get("pcie_12VHPWR", 0) + plugs.get("pcie_12V_2x6", 0)
    plugged = any(plugs.values())
    own = {
        "tdp_w": _some(record.get("tdp")),
        "slot_width": _some(record.get("total_slot_width")),
        "length_mm": _some(record.get("length")),
        "connectors_12v2x6": wide if plugged else None,
        "connectors_8pin": plugs.get("pcie_8_pin", 0) if plugged else None,
        "connectors_6pin": _some(plugs.get("pcie_6_pin")),
        "cooling": _COOLING.get(str(record.get("cooling"))),
        "display_outputs": _some(sum(_counts(record, "video_outputs").values())),
    }
    shared = chip.model_dump(
        exclude_none=True,
        exclude={
            "id",
            "name",
            "aliases",
            "source",
            "sources",
            "date",
            "notes",
            "doubts",
            "inferred",
            "height_mm",
        }
        | own.keys(),
    )
    of_chip = {
        "fields": tuple(field for field in shared if field not in ("confidence", "vendor")),
        "source": f"as {chip.id}",
        "date": chip.date,
    }
    marks = tuple(field for field in chip.inferred if field in shared)
    return shared | own | {"sources": (of_chip,), "inferred": marks}


def memory(record: Record, catalog: Catalog) -> Facts | None:
    """Return a kit of DIMMs; its kind by its name alone. None for notebooks and old memory."""
    if record.get("ram_type") not in ("DDR4", "DDR5") or record.get("form_factor") != "288-pin DIMM":
        return None
    name, modules = record["metadata"]["name"], record.get("modules") or {}
    registered = bool(re.search(r"\b(registered|r-?dimm)\b", name, re.IGNORECASE))
    ecc = registered or bool(re.search(r"\becc\b", name, re.IGNORECASE))
    return {
        "type": record["ram_type"],
        "modules": modules.get("quantity"),
        "module_gb": modules.get("capacity_gb"),
        "speed_mts": _some(record.get("speed")),
        "module_type": "RDIMM" if registered else "ECC UDIMM" if ecc else None,
        "ecc": True if ecc else None,
        "inferred": ("module_type", "ecc") if ecc else (),
    }


def drive(record: Record, catalog: Catalog) -> Facts | None:
    """Return a drive; None for what is no drive of a workstation today."""
    interface = str(record.get("interface"))
    lanes = re.fullmatch(r"M\.2 PCIe ([345])\.0 x([124])", interface)
    kind = (
        f"nvme-{lanes[1]}" if lanes else "sata" if "SATA 6" in interface or interface == "M.2 SATA" else None
    )
    if kind is None:
        return None
    return {
        "capacity_gb": record.get("capacity"),
        "interface": kind,
        "form_factor": _DRIVE_FORMS.get(str(record.get("form_factor"))),
        "lanes": int(lanes[2]) if lanes else None,
        "notes": ("a hard disk",)
        if record.get("storage_type") == "HDD" or record.get("type") == "HDD"
        else (),
    }


READERS: tuple[tuple[str, str, Callable[[Record, Catalog], Facts | None]], ...] = (
    ("wattage", "psus", supply),
    ("cpu_sockets", "coolers", cooler),
    ("expansion_slots", "cases", case),
    ("chipset_manufacturer", "gpus", gpu),
    ("microarchitecture", "cpus", cpu),
    ("pcie_slots", "boards", board),
    ("ram_type", "ram", memory),
    ("storage_type", "drives", drive),
)
"""The key that tells a record's kind, our name of the kind, and who reads it."""
