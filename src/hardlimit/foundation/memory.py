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


def require_memory(n_columns: int, outputs: int, averaged: bool) -> None:
    """Refuse weights that the machine cannot hold: columns x outputs x (w, the sum, the answer)."""
    vectors = 3 if averaged else 2
    require(
        (n_columns + 1) * outputs * 8 * vectors,
        f"weights of {max(outputs, 2):,} classes and {n_columns:,} columns",
        "use fewer columns (hash_bits=20, or words=(1, 1)), keep='last', or fewer classes",
    )


def require_covariance(rule: str, n_columns: int, outputs: int, full: bool) -> None:
    """Refuse a covariance that the machine cannot hold."""
    size = n_columns + 1
    require(
        size * (size if full else 1) * outputs * 8,
        f"{rule}: the covariance of {n_columns:,} columns and {max(outputs, 2):,} classes",
        "use covariance='diagonal'" if full else "use fewer columns",
    )


def require_vectors(n_vectors: int, n_columns: int, outputs: int) -> None:
    """Refuse kept hypotheses that the machine cannot hold."""
    require(
        (n_columns + 1) * outputs * 8 * n_vectors,
        f"{n_vectors} kept weight vectors of {n_columns:,} columns",
        "keep fewer read-outs",
    )
