"""Units of size. 1 GB is 10^9 bytes, 1 GiB is 2^30 bytes; the two are never mixed."""

MIB = 1024**2
GIB = 1024**3
GB = 10**9
TB = 10**12


def gib(size: float) -> float:
    """Return `size` in bytes as GiB."""
    return size / GIB
