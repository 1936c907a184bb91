"""Margins and lengths of scores and weights: figures, which never lead to a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.theory.bounds._run import Array, Comparator

SCHEMES = ("single", "coupled", "independent")


def margins(scores: Any, targets: Any, scheme: str) -> Array:
    """Functional margins (n_rows, n_parts) of scores (n_rows, n_outputs).

    ``targets`` holds class numbers, or of several labels (n_rows, M) ones and zeros.

    >>> margins([[2.0], [3.0]], np.array([1, 0]), "single").ravel()
    array([ 2., -3.])
    >>> margins([[2.0, 3.0, 7.0]], np.array([1]), "coupled")
    array([[-4.]])
    >>> margins([[2.0, 3.0, 7.0]], np.array([1]), "independent")
    array([[-2.,  3., -7.]])
    """
    scores = np.asarray(scores, np.float64)
    rows = np.arange(len(scores))
    if scheme == "coupled":
        others = scores.copy()
        others[rows, targets] = -np.inf
        found: Array = (scores[rows, targets] - others.max(1))[:, None]
        return found
    if scheme == "independent" and targets.ndim == 1:
        truth = np.zeros(scores.shape, bool)
        truth[rows, targets] = True
    else:
        truth = np.asarray(targets).reshape(scores.shape) > 0
    signed: Array = np.where(truth, scores, -scores)
    return signed


def lengths(weights: Any, scheme: str) -> Array:
    """``||w||`` of each part: of weights (n_columns + 1, n_outputs), of all together if coupled."""
    squares: Array = np.einsum("jk,jk->k", weights, weights, dtype=np.float64)
    return np.sqrt(squares.sum(keepdims=True) if scheme == "coupled" else squares)


def absolutes(weights: Any, scheme: str) -> Array:
    """``sum |w_j|`` of each part."""
    sums: Array = np.abs(weights).sum(axis=0, dtype=np.float64)
    return sums.sum(keepdims=True) if scheme == "coupled" else sums


def least(functional: Any, norms: Any, present: Any = None) -> tuple[float | None, ...]:
    """The smallest geometric margin of each part; None where the weights are zero."""
    rows = functional if present is None else functional[present]
    return tuple(
        float(low / norm) if norm > 0 else None
        for low, norm in zip(rows.min(axis=0), norms, strict=True)
    )


def comparators(name: str, functional: Any, norms: Any, ones: Any = None) -> list[Any]:
    """A comparator a part, or None where its weights are zero."""
    return [
        Comparator(
            name,
            functional[:, k] / norms[k],
            None if ones is None else float(ones[k] / norms[k]),
        )
        if norms[k] > 0
        else None
        for k in range(len(norms))
    ]


def total(values: Any) -> float:
    """A sum, for figures."""
    return float(np.sum(values))


def crossed(coefficients: Any, scores: Any) -> Array:
    """``sum_i beta_ic f_r(x_i)`` over the supports: ``<w_c, w_r>`` in the space of a kernel."""
    found: Array = np.einsum("ic,ir->cr", coefficients, scores)
    return found


def products(coefficients: Any, scores: Any) -> Array:
    """``sum_i beta_ik f_k(x_i)`` over the supports: ``||w_k||^2`` in the space of a kernel."""
    found: Array = np.maximum(0.0, np.einsum("ik,ik->k", coefficients, scores))
    return found
