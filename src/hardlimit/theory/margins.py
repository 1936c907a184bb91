"""Margins of scores and lengths of weights, for figures: nothing here leads to a model.

A *part* is a problem with a margin of its own: two classes (``single``), all classes that share
their corrections (``coupled``, Kesler's construction), or one neuron of several (``independent``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hardlimit.foundation.types import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def functional_margins(scores: ArrayLike, targets: Array, scheme: str) -> Array:
    """Return the margins (n_rows, n_parts) of scores (n_rows, n_outputs).

    ``targets`` holds class numbers, or of several labels (n_rows, M) ones and zeros.

    >>> functional_margins([[2.0], [3.0]], np.array([1, 0]), "single").ravel()
    array([ 2., -3.])
    >>> functional_margins([[2.0, 3.0, 7.0]], np.array([1]), "coupled")
    array([[-4.]])
    >>> functional_margins([[2.0, 3.0, 7.0]], np.array([1]), "independent")
    array([[-2.,  3., -7.]])
    """
    scores = np.asarray(scores, np.float64)
    if scheme == "coupled":
        rows = np.arange(len(scores))
        others = scores.copy()
        # Minus infinity, not 0: all the rivals may score below 0.
        others[rows, targets] = -np.inf
        margins: Array = (scores[rows, targets] - others.max(1))[:, None]
        return margins
    if scheme == "independent" and targets.ndim == 1:
        truth = np.zeros(scores.shape, bool)
        truth[np.arange(len(scores)), targets] = True
    else:
        truth = np.asarray(targets).reshape(scores.shape) > 0
    # Not a choice between two values, whose branch the processor cannot foresee.
    signed: Array = scores * (2.0 * truth - 1.0)
    return signed


def weight_lengths(weights: Array, scheme: str) -> Array:
    """Return ``||w||`` of each part of weights (n_columns + 1, n_outputs).

    >>> weight_lengths(np.array([[3.0, 1.0], [4.0, 0.0]]), "independent")
    array([5., 1.])
    """
    squares: Array = np.einsum("jk,jk->k", weights, weights, dtype=np.float64)
    return lengths_of_squares(squares, scheme)


def weight_products(first: Array, second: Array, scheme: str) -> Array:
    """Return ``<v, w>`` of each part of two arrays of weights (n_columns + 1, n_outputs).

    >>> weight_products(np.array([[3.0, 1.0]]), np.array([[2.0, 5.0]]), "coupled")
    array([11.])
    """
    products: Array = np.einsum("jk,jk->k", first, second, dtype=np.float64)
    return sums_of_parts(products, scheme)


def lengths_of_squares(squares: Array, scheme: str) -> Array:
    """Return ``||w||`` of each part from ``||w_k||^2`` of each output."""
    lengths: Array = np.sqrt(sums_of_parts(squares, scheme))
    return lengths


def sums_of_parts(sums: Array, scheme: str) -> Array:
    """Return sums over the outputs of each part, from those of each output."""
    of_parts: Array = sums.sum(keepdims=True) if scheme == "coupled" else sums
    return of_parts


def absolute_sums(weights: Array, scheme: str) -> Array:
    """Return ``sum |w_j|`` of each part.

    >>> absolute_sums(np.array([[3.0, -1.0], [-4.0, 0.0]]), "coupled")
    array([8.])
    """
    sums: Array = np.abs(weights).sum(axis=0, dtype=np.float64)
    return sums_of_parts(sums, scheme)


def least_margins(
    margins: Array, lengths: Sequence[float] | Array, present: Array | None = None
) -> tuple[float | None, ...]:
    """Return the smallest geometric margin of each part; None where the weights are zero.

    ``present`` masks the rows that count.

    >>> least_margins(np.array([[2.0, 5.0], [4.0, 1.0]]), [2.0, 0.0])
    (1.0, None)
    """
    rows = margins if present is None else margins[present]
    return tuple(
        float(low / length) if length > 0 else None
        for low, length in zip(rows.min(axis=0), lengths, strict=True)
    )


def kernel_products(coefficients: Array, scores: Array) -> Array:
    """Return all ``<w_c, w_r> = sum_i beta_ic f_r(x_i)`` in the space of a kernel.

    ``scores`` (n_supports, n_outputs) are those of the supports.
    """
    products: Array = np.einsum("ic,ir->cr", coefficients, scores)
    return products


def kernel_squares(coefficients: Array, scores: Array) -> Array:
    """Return ``||w_k||^2 = sum_i beta_ik f_k(x_i)`` in the space of a kernel.

    >>> kernel_squares(np.array([[2.0]]), np.array([[3.0]]))
    array([6.])
    """
    # Rounding can leave a square of nearly zero weights below 0, which has no root.
    squares: Array = np.maximum(0.0, np.einsum("ik,ik->k", coefficients, scores))
    return squares


def kernel_lengths(coefficients: Array, scores: Array, scheme: str) -> Array:
    """Return ``||w||`` of each part in the space of a kernel.

    >>> kernel_lengths(np.array([[1.0, 2.0]]), np.array([[9.0, 8.0]]), "coupled")
    array([5.])
    """
    squares = kernel_squares(coefficients, scores)
    return np.sqrt(squares.sum(keepdims=True) if scheme == "coupled" else squares)
