"""The drives of a machine as the storage checks need them: size, rates, endurance."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.machine import Drive
from configurator.domain.units import GB
from configurator.system.facts import Facts
from configurator.system.rules import rule, table

_LOCAL = ("system", "data", "scratch")


@dataclass(frozen=True, slots=True)
class Storage:
    """One drive. Sizes in bytes, rates in MB/s, endurance in bytes written."""

    name: str
    use: str
    interface: str
    capacity: float
    read: float
    write: float
    """Sustained, behind the cache."""
    endurance: float
    stated: bool
    """Whether the endurance is the maker's figure."""

    @property
    def local(self) -> bool:
        """Whether it works inside the machine."""
        return self.use in _LOCAL


def drives(facts: Facts) -> list[Storage]:
    """Return the drives that are named. Raises BadInput for an unknown id."""
    return [_storage(drive, facts) for drive in facts.case.machine.drives]


def data_drive(facts: Facts) -> Storage | None:
    """Return the drive that holds data and models: the one for data, else scratch, else the system's."""
    found = [drive for drive in drives(facts) if drive.use != "backup"]
    order = ("data", "scratch", "network", "system")
    return min(found, key=lambda drive: order.index(drive.use), default=None)


def scratch_drive(facts: Facts) -> Storage | None:
    """Return the drive that checkpoints go to: scratch, else data, else the system's."""
    found = [drive for drive in drives(facts) if drive.local]
    order = ("scratch", "data", "system")
    return min(found, key=lambda drive: order.index(drive.use), default=None)


def kind_of(interface: str) -> str:
    """Return the row of the table of rates for an interface as people write it."""
    name = interface.lower()
    for kind in ("nvme-5", "nvme-4", "nvme-3", "network-10g", "network", "hdd"):
        if name.startswith(kind):
            return kind
    if name.startswith(("sata", "sas")):
        return "sata"
    return "network" if name in ("nas", "smb", "nfs") else "nvme-4"


def _storage(drive: Drive, facts: Facts) -> Storage:
    model = facts.catalog.drives.find(drive.drive) if drive.drive else None
    interface = (model.interface if model else None) or drive.interface
    if drive.use == "network" and interface.startswith("nvme"):
        interface = "network"
    rates = table("drives")[kind_of(interface)]
    capacity = float(model.capacity if model else (drive.capacity_tb or 0) * 1000 * GB)
    usual = rule("storage.tbw_per_tb") * capacity
    stated = model.endurance_tbw * 1000 * GB if model and model.endurance_tbw else None
    return Storage(
        name=model.name if model else interface,
        use=drive.use,
        interface=kind_of(interface),
        capacity=capacity,
        read=float((model.read_mbs if model else None) or rates["read"]),
        write=float((model.sustained_write_mbs if model else None) or rates["write"]),
        endurance=stated or usual,
        stated=stated is not None,
    )
