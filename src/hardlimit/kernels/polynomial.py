"""Products of up to so many columns."""

from __future__ import annotations

from dataclasses import dataclass

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float
from hardlimit.kernels._protocol import UNIT, Array, Kernel, ValueBounds, product_error


@dataclass(frozen=True)
class Polynomial(Kernel):
    """``K(x, z) = (c + <x, z>)^degree``: all products of up to ``degree`` columns.

    degree : a whole number, 1 .. 64.
    c : >= 0; weighs lower orders against higher ones, and is the bias: with c > 0 the constant is
        among the products, so that no other bias is needed. With c = 0 there are the products of
        exactly ``degree`` columns.

    Positive semi-definite for every such degree and c (sums and products of kernels are kernels).
    Cost of a value: O(non-zeros + degree). XOR, which no line separates, falls to degree 2.

    Freund and Schapire, Machine Learning 37 (1999), section 4, with c = 1 on raw pixels.

    Examples
    --------
    >>> from hardlimit import kernels
    >>> kernels.Polynomial(degree=2, c=1)([[1, 2]], [[3, 4], [0, 0]])
    array([[144.,   1.]])
    """

    degree: int = 2
    c: float = 1.0

    def __post_init__(self) -> None:
        degree = as_float(self.degree)
        if not degree.is_integer() or not 1 <= degree <= 64:
            raise InputError(
                who="kernels.Polynomial",
                parameter="degree",
                got=self.degree,
                wanted="a whole number from 1 to 64",
            )
        if not 0 <= as_float(self.c) < float("inf"):
            raise InputError(
                "below 0 the kernel is not positive semi-definite",
                who="kernels.Polynomial",
                parameter="c",
                got=self.c,
                wanted="a number >= 0",
            )

    def from_products(self, inner: Array, sqnorms_x: Array, sqnorms_z: Array) -> Array:
        """One factor after the other, as the compiled twin does."""
        inner += self.c
        power: Array = inner.copy() if self.degree > 1 else inner
        for _ in range(int(self.degree) - 1):
            power *= inner
        return power

    def bounds(self, n_columns: int, lengths: Array, longest: float) -> ValueBounds:
        """``p t^(p-1)`` times the error of the base, and that of p multiplications."""
        p, error = int(self.degree), product_error(n_columns, lengths, longest)
        base = float(self.c) + lengths * longest + error
        slope = base ** (p - 1)
        deviation = p * slope * (error + 2 * UNIT * base) + 4 * p * UNIT * slope * base
        return ValueBounds(deviation, slope * base * (1 + 4 * p * UNIT))
