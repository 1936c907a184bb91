"""Which rows are members of a criterion's sum: lists in plain Python, arrays by numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.exact_numbers import Number, dot
from hardlimit.foundation.formatting import plural
from hardlimit.theory.criteria._checks import check_margin, check_numbers
from hardlimit.theory.criteria._plain import Violator, Violators, to_exact

if TYPE_CHECKING:
    from hardlimit.foundation.types import ArrayLike


class Requirement(Protocol):
    """What decides membership: a margin, in the numbers of the rows."""

    @property
    def required(self) -> Any:
        """Rows with ``z w <= required`` are members."""

    def converted(self, number: Number) -> Self:
        """Return the same with its parameters in these numbers."""


C = TypeVar("C", bound=Requirement)


class ViolatorSum(Protocol):
    """The members of the sum, and what is computed of them."""

    @property
    def index(self) -> Any:
        """Their positions among the rows."""

    def total(self, formula: Callable[[Any], Any]) -> Any:
        """Return the sum of a formula over the members."""

    def combine(self, formula: Callable[[Any], Any], direction: Any = None) -> Any:
        """Return ``sum formula(z) z``; with a direction ``sum formula(z) (z direction) z``."""

    def normalise(self, g: Any) -> Any:
        """Return ``g`` with its largest entry 1."""


def find_violators(criterion: C, Z: ArrayLike, w: ArrayLike) -> tuple[C, ViolatorSum]:
    """Return the criterion in the numbers of the rows, and the members at ``w``."""
    rows: Any = Z
    if hasattr(rows, "dtype") and rows.dtype == object:
        rows = rows.tolist()  # an array of Fractions stays exact
    if hasattr(rows, "dtype"):
        # Late: lists of numbers need no numpy, which takes a tenth of a second to load.
        from hardlimit.theory.criteria._arrays import find_array_violators

        criterion = criterion.converted(float)
        return criterion, find_array_violators(criterion.required, rows, w)
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise KindError(
            who="criteria",
            got=Given(type(rows).__name__),
            wanted="a list of rows, an array or a CSR matrix",
            fix="signed_rows(X, y) makes one",
        )
    return _find_plain_violators(criterion, rows, w)


def _find_plain_violators(criterion: C, Z: Sequence[Any], w: Any) -> tuple[C, Violators]:
    check_numbers([*w, *(a for z in Z for a in z)])
    weights = [to_exact(a) for a in w]
    margins = []
    for i, z in enumerate(Z):
        if len(z) != len(weights):
            raise InputError(
                f"row {i} has {plural(len(z), 'value')}, w has {len(weights)}", who="criteria"
            )
        margins.append(dot(z, weights))
        check_margin(margins[i], i)
    # One float among the numbers makes floats of all margins: b then is a float too.
    is_exact = all(isinstance(margin, Rational) for margin in margins)
    criterion = criterion.converted(Fraction if is_exact else float)
    index = [i for i, margin in enumerate(margins) if margin <= criterion.required]
    members = [Violator(Z[i], margins[i]) for i in index]
    return criterion, Violators(index, members, len(weights))
