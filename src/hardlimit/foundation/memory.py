"""Memory is estimated before it is taken."""

from __future__ import annotations

import os

from hardlimit.exceptions import MemoryEstimateError

# Bytes that every machine has: small fits do not ask the system.
NEGLIGIBLE = 1 << 20


def physical_memory() -> int | None:
    """Bytes of this machine's memory, or None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def require(n_bytes: int, what: str, mend: str) -> None:
    """Refuse work that needs more memory than the machine has.

    >>> require(1 << 20, "weights of 10 classes", "use fewer columns")
    """
    if n_bytes < NEGLIGIBLE:
        return
    have = physical_memory()
    if have is not None and n_bytes > have:
        raise MemoryEstimateError(
            f"{what}: would need {n_bytes // 10**9:,} GB, this machine has {have / 1e9:,.0f}; "
            f"{mend}"
        )
