"""What a training state needs: refused before memory is taken."""

from __future__ import annotations

from typing import Any

from hardlimit.foundation import memory


def require_memory(n_columns: int, outputs: int, averaged: bool) -> None:
    """Refuse weights that the machine cannot hold: columns x outputs x (w, the sum, the answer)."""
    vectors = 3 if averaged else 2
    memory.require(
        (n_columns + 1) * outputs * 8 * vectors,
        f"weights of {max(outputs, 2):,} classes and {n_columns:,} columns",
        "use fewer columns (hash_bits=20, or words=(1, 1)), keep='last', or fewer classes",
    )


def require_covariance(rule: Any, n_columns: int, outputs: int) -> None:
    """Refuse a covariance that the machine cannot hold."""
    if getattr(rule, "answers", "tau") != "tau, beta":
        return
    size = n_columns + 1
    full = getattr(rule, "covariance", "diagonal") == "full"
    memory.require(
        size * (size if full else 1) * outputs * 8,
        f"{rule!r}: the covariance of {n_columns:,} columns and {max(outputs, 2):,} classes",
        "use covariance='diagonal'" if full else "use fewer columns",
    )


def require_vectors(n_vectors: int, n_columns: int, outputs: int) -> None:
    """Refuse kept hypotheses that the machine cannot hold."""
    memory.require(
        (n_columns + 1) * outputs * 8 * n_vectors,
        f"{n_vectors} kept weight vectors of {n_columns:,} columns",
        "keep fewer read-outs",
    )
