"""How near two rows are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float
from hardlimit.kernels._protocol import UNIT, Array, Kernel, ValueBounds, product_error


@dataclass(frozen=True)
class RBF(Kernel):
    """``K(x, z) = exp(-gamma ||x - z||^2)``, the Gaussian kernel.

    gamma : > 0; larger sees only nearer examples. 1 / (columns x variance) is a common start.

    Positive definite: different rows are always separable, with at most ``n / lambda_min(K)``
    corrections of the perceptron. Cost of a value: O(non-zeros) and an exponential.

    Aizerman, Braverman and Rozonoer, Automation and Remote Control 25 (1964).

    Examples
    --------
    >>> from hardlimit import kernels
    >>> kernels.RBF(gamma=0.5)([[1, 2]], [[1, 2], [3, 2]]).round(4)
    array([[1.    , 0.1353]])
    """

    also_called = ("gaussian",)
    gamma: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < as_float(self.gamma) < math.inf:
            raise InputError(
                who="kernels.RBF", parameter="gamma", got=self.gamma, wanted="a number > 0"
            )

    def from_products(self, inner: Array, sqnorms_x: Array, sqnorms_z: Array) -> Array:
        """By ``||x - z||^2 = ||x||^2 + ||z||^2 - 2 <x, z>``, never below 0."""
        inner *= -2
        inner += np.add.outer(sqnorms_x, sqnorms_z)
        np.maximum(inner, 0, out=inner)
        inner *= -float(self.gamma)
        values: Array = np.exp(inner, out=inner)
        return values

    def bounds(self, n_columns: int, lengths: Array, longest: float) -> ValueBounds:
        """``gamma`` times the error of the squared distance; no value exceeds 1."""
        squares = lengths * lengths + longest * longest
        distance = 2 * product_error(n_columns, lengths, longest)
        distance = distance + 2 * product_error(n_columns, squares, 1.0)
        deviation = np.minimum(1.0, float(self.gamma) * distance + 32 * UNIT)
        return ValueBounds(deviation, np.ones_like(lengths))
