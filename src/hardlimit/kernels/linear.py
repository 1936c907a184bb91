"""The inner product itself."""

from __future__ import annotations

from dataclasses import dataclass

from hardlimit.kernels._protocol import Array, Kernel, ValueBounds, product_error


@dataclass(frozen=True)
class Linear(Kernel):
    """``K(x, z) = <x, z>``: the run of the primal form, step for step.

    Positive semi-definite always. Cost of a value: O(non-zeros). Worth it where columns far
    outnumber examples, or to see that both forms are one algorithm. It has no constant of its own:
    with ``fit_intercept=True`` the square of the bias feature is added.

    Duda, Hart and Stork, Pattern Classification, 2nd ed., section 5.3.

    Examples
    --------
    >>> from hardlimit import kernels
    >>> kernels.Linear()([[1, 2]], [[3, 4], [5, 6]])
    array([[11., 17.]])
    """

    def from_products(self, inner: Array, sqnorms_x: Array, sqnorms_z: Array) -> Array:
        """The products as they are."""
        kept: Array = inner
        return kept

    def bounds(self, n_columns: int, lengths: Array, longest: float) -> ValueBounds:
        """Those of the products."""
        error = product_error(n_columns, lengths, longest)
        return ValueBounds(error, lengths * longest + error)
