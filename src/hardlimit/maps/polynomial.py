"""The polynomial kernel, written out."""

from __future__ import annotations

import math
from itertools import chain, combinations_with_replacement, groupby
from typing import TYPE_CHECKING, Any

from hardlimit.engine import monomials, rows_of
from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float
from hardlimit.maps._map import FeatureMap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardlimit._native import Rows

HIGHEST = 16


class Polynomial(FeatureMap):
    r"""All monomials up to a degree, so weighted that ``<phi(x), phi(z)> = (c + <x, z>)^degree``.

    ::

        phi_a(x) = sqrt(c^a_0 p! / (a_0! a_1! .. a_d!)) x_1^a_1 .. x_d^a_d,   a_0 + .. + a_d = p

    so that a rule makes the same corrections here as in the dual form with
    ``kernels.Polynomial(degree, c)`` (up to rounding; learn with ``fit_intercept=False``: the
    constant column is ``sqrt(c^p)``). Columns are in the order of their degrees: ``1``, ``x0``,
    ``x1``, ``x0^2``, ``x0*x1``, ``x1^2``; with ``c = 0`` only the highest degree is there.

    Parameters
    ----------
    degree : int, 1 to 16
    c : float, finite and >= 0; the larger, the more the low degrees weigh

    Notes
    -----
    ``C(d + p, p)`` columns of d; a row of k non-zeros becomes one of ``C(k + p, p)``. Where that is
    too many, the kernel is the cheaper way.

    Duda, Hart and Stork, Pattern Classification, 2nd ed., section 5.3 (polynomial discriminants).

    Examples
    --------
    >>> from hardlimit import maps
    >>> phi = maps.Polynomial(degree=2, c=1)
    >>> x, z = phi.fit_transform([[1.0, 2.0], [3.0, -1.0]])
    >>> round(float(sum(x * z)), 9)  # (1 + 3 - 2)^2
    4.0
    >>> phi.get_feature_names_out().tolist()
    ['1', 'x0', 'x1', 'x0^2', 'x0*x1', 'x1^2']
    """

    _advice = "take a lower degree, fewer columns, or KernelClassifier(kernel='polynomial')"

    def __init__(self, degree: int = 2, c: float = 1.0) -> None:
        self.degree = degree
        self.c = c

    def _learn(self, rows: Rows) -> int:
        degree, c = self._check_parameters()
        d = rows.n_columns
        if c == 0:
            return math.comb(d + degree - 1, degree)
        return math.comb(d + degree, degree)

    def _compiled(self) -> Any:
        return monomials(self.n_features_in_, *self._check_parameters())

    def _names(self, columns: list[str]) -> list[str]:
        degrees = [self.degree] if self.c == 0 else range(self.degree + 1)
        chosen = (combinations_with_replacement(columns, k) for k in degrees)
        return [_name_monomial(factors) for factors in chain.from_iterable(chosen)]

    def formulas(self, input_features: Iterable[object] | None = None) -> list[str]:
        """Return each monomial with the factor that it is weighted by.

        >>> from hardlimit import maps
        >>> maps.Polynomial(2).for_columns(2).formulas(["x", "y"])
        ['1', 'sqrt(2)*x', 'sqrt(2)*y', 'x^2', 'sqrt(2)*x*y', 'y^2']
        """
        names = super().formulas(input_features)
        ones = rows_of([[1.0] * self.n_features_in_], 0.0)
        # Of a row of ones each monomial is the factor that the map gives it.
        factors = self._dense(ones).ravel().tolist()
        return [_with_factor(factor, name) for factor, name in zip(factors, names, strict=True)]

    def check_parameters(self) -> None:
        """Refuse a degree or a constant out of its range."""
        self._check_parameters()

    def _check_parameters(self) -> tuple[int, float]:
        degree: Any = self.degree
        c: Any = self.c
        # True equals 1 and would pass for a degree
        if isinstance(degree, bool) or degree not in range(1, HIGHEST + 1):
            wanted = f"a whole number 1 to {HIGHEST}"
            raise InputError(who="Polynomial", parameter="degree", got=degree, wanted=wanted)
        if not 0 <= as_float(c) < math.inf:
            raise InputError(
                "below 0 it is not an inner product",
                who="Polynomial",
                parameter="c",
                got=c,
                wanted="a finite number >= 0",
            )
        return int(degree), float(c)


def _name_monomial(factors: tuple[str, ...]) -> str:
    powers = ((name, len(list(group))) for name, group in groupby(factors))
    return "*".join(name if n == 1 else f"{name}^{n}" for name, n in powers) or "1"


def _with_factor(factor: float, monomial: str) -> str:
    """Return a monomial with its factor.

    >>> _with_factor(1.0, "x^2"), _with_factor(2**0.5, "x*y"), _with_factor(2.0, "1")
    ('x^2', 'sqrt(2)*x*y', '2')
    """
    square = factor * factor
    if math.isclose(factor, 1):
        return monomial
    is_root = math.isclose(square, round(square)) and not math.isclose(factor, round(factor))
    said = f"sqrt({round(square)})" if is_root else f"{factor:.4g}"
    return said if monomial == "1" else f"{said}*{monomial}"
