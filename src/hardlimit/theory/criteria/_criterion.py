"""What every criterion does with the three formulas of its file."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from hardlimit.exceptions import InputError
from hardlimit.theory.criteria._violators import violators_of


class Criterion:
    """Base of the criteria: a sum over the members ``z w <= required``.

    A file gives three formulas of a violator ``v``, which has ``v.margin`` = z w and ``v.sqnorm`` =
    ||z||^2: its term ``loss``, the factor ``slope`` of z in the gradient, and the factor
    ``curvature`` of z z^T in the Hessian. In plain Python ``v`` is one row; for arrays all of them
    at once.
    """

    required: Any = 0
    no_line_search: ClassVar[str] = ""  # the reason, where the criterion is not quadratic

    def loss(self, v: Any) -> Any:
        """The term of one violator."""
        raise NotImplementedError

    def slope(self, v: Any) -> Any:
        """Factor of z in the gradient."""
        raise NotImplementedError

    def curvature(self, v: Any) -> Any:
        """Factor of z z^T in the Hessian."""
        raise NotImplementedError

    def converted(self, number: Any) -> Self:
        """The same criterion, its parameters as ``Fraction`` or as ``float``, as the rows are."""
        return self

    def members(self, Z: Any, w: Any) -> Any:
        """Positions of the rows with ``z w <= required``, in order; equality is a violation."""
        _, violators = violators_of(self, Z, w)
        return violators.index

    def value(self, Z: Any, w: Any) -> Any:
        """The criterion at ``w``, >= 0."""
        this, violators = violators_of(self, Z, w)
        return violators.total(this.loss)

    def gradient(self, Z: Any, w: Any) -> Any:
        """The gradient at ``w``; where the criterion has a kink, one of its subgradients."""
        this, violators = violators_of(self, Z, w)
        return violators.combined(this.slope)

    def hessian(self, Z: Any, w: Any, direction: Any) -> Any:
        """The Hessian at ``w`` times ``direction``, with the members at ``w``."""
        this, violators = violators_of(self, Z, w)
        return violators.combined(this.curvature, direction)

    def line_search(self, Z: Any, w: Any) -> Any:
        """The step ``rho = |g|^2 / (g H g)`` that is best along ``w - rho g``; 0 where g is 0.

        Exact as long as the members stay the same along the line, and only then: compare the value
        before and after, and shorten the step where it grew. Refused where H is 0, because then
        the line has no minimum in the quadratic model.
        """
        if self.no_line_search:
            raise InputError(
                f"{type(self).__name__}.line_search: {self.no_line_search}; use a schedule, or "
                "SquaredCriterion or RelaxationCriterion"
            )
        this, violators = violators_of(self, Z, w)
        # rho does not depend on the length of g; this one keeps tiny gradients above underflow.
        g = violators.scaled(violators.combined(this.slope))
        if not any(g):
            return 0
        bend = violators.combined(this.curvature, g)
        return sum(a * a for a in g) / sum(a * b for a, b in zip(g, bend, strict=True))
