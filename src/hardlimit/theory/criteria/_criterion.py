"""What every criterion does with the three formulas of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Number, Scalar
from hardlimit.theory.criteria._violators import find_violators

if TYPE_CHECKING:
    from hardlimit.foundation.types import ArrayLike


class ViolatorTerm(Protocol):
    """What the formulas see of a member: one row in plain Python, of arrays all of them at once."""

    @property
    def margin(self) -> Any:
        """``z w``."""

    @property
    def sqnorm(self) -> Any:
        """``||z||^2``, > 0."""


class Criterion:
    """Base of the criteria: a sum over the members ``z w <= required``.

    A file gives three formulas of a violator ``v``, which has ``v.margin`` = z w and ``v.sqnorm`` =
    ||z||^2: its term ``loss``, the factor ``slope`` of z in the gradient, and the factor
    ``curvature`` of z z^T in the Hessian. In plain Python ``v`` is one row; for arrays all of them
    at once.
    """

    @property
    def required(self) -> Scalar:
        """The margin up to which a row is a member."""
        return 0

    no_line_search: ClassVar[str] = ""  # the reason, where the criterion is not quadratic

    def loss(self, v: ViolatorTerm) -> Any:
        """Return the term of one violator."""
        raise NotImplementedError

    def slope(self, v: ViolatorTerm) -> Any:
        """Return the factor of z in the gradient."""
        raise NotImplementedError

    def curvature(self, v: ViolatorTerm) -> Any:
        """Return the factor of z z^T in the Hessian."""
        raise NotImplementedError

    def converted(self, number: Number) -> Self:
        """Return the same criterion with its parameters in the numbers of the rows."""
        return self

    def members(self, Z: ArrayLike, w: ArrayLike) -> Any:
        """Return the positions of the rows with ``z w <= required``, in order."""
        _, violators = find_violators(self, Z, w)
        return violators.index

    def value(self, Z: ArrayLike, w: ArrayLike) -> Any:
        """Return the criterion at ``w``, >= 0."""
        this, violators = find_violators(self, Z, w)
        return violators.total(this.loss)

    def gradient(self, Z: ArrayLike, w: ArrayLike) -> Any:
        """Return the gradient at ``w``; where the criterion has a kink, one of its subgradients."""
        this, violators = find_violators(self, Z, w)
        return violators.combine(this.slope)

    def hessian(self, Z: ArrayLike, w: ArrayLike, direction: ArrayLike) -> Any:
        """Return the Hessian at ``w`` times ``direction``, with the members at ``w``."""
        this, violators = find_violators(self, Z, w)
        return violators.combine(this.curvature, direction)

    def line_search(self, Z: ArrayLike, w: ArrayLike) -> Any:
        """Return the best step along ``w - rho g``, ``rho = |g|^2 / (g H g)``; 0 where g is 0.

        Exact as long as the members stay the same along the line, and only then: compare the value
        before and after, and shorten the step where it grew. Refused where H is 0, because then
        the line has no minimum in the quadratic model.
        """
        if self.no_line_search:
            raise InputError(
                self.no_line_search,
                who=f"{type(self).__name__}.line_search",
                fix="use a schedule, or SquaredCriterion or RelaxationCriterion",
            )
        this, violators = find_violators(self, Z, w)
        # rho does not depend on the length of g; this one keeps tiny gradients above underflow.
        g = violators.normalise(violators.combine(this.slope))
        if not any(g):
            return 0
        bend = violators.combine(this.curvature, g)
        return sum(a * a for a in g) / sum(a * b for a, b in zip(g, bend, strict=True))
