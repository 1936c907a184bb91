"""The relaxation criterion, with a margin."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Rational
from typing import Any, Self

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Number, Scalar
from hardlimit.foundation.parameters import as_float
from hardlimit.theory.criteria._criterion import Criterion, ViolatorTerm


@dataclass(frozen=True)
class RelaxationCriterion(Criterion):
    """J_r: half the squared distances from w to the violated half-spaces ``z w >= b``, summed.

    ::

        J_r(w) = 1/2 sum over z w <= b of (z w - b)^2 / ||z||^2
        gradient = sum of (z w - b) z / ||z||^2,   H = sum of z z^T / ||z||^2

    b : required margin, > 0, in the units of ``<w, x>``. On rows of ints or Fractions a float is
        read as it is written: 0.1 is 1/10.

    Unit: length of w, squared. The step goes *against* the gradient: ``w <- w + eta sum
    (b - z w) z / ||z||^2``; a common slip has z w - b there. A row with z w = b is a member: it
    adds nothing to value and gradient, but it bends H, and so shortens the line search.

    J_r is convex, its gradient is continuous, and J_r(0) > 0: where a plane separates, J_r is 0
    exactly where every z w >= b, and so never with an example wrong; where none does, its minimiser
    is a sensible soft answer. Dividing by ||z||^2 gives long and short rows the same say.

    Where it fails: on a row of zeros, which no w can satisfy: refused. Its curvature reaches the
    largest eigenvalue of ``sum z z^T / ||z||^2``, so plain descent needs eta < 2 / that eigenvalue;
    0 < eta < 2 is enough for one example at a time, and for the average over the violators.

    Worked example (modified OR, threshold feature -1): at (1,1,1), b = 1, the gradient is
    (0,0,4/3) and the line search gives 1: w = (1,1,-1/3). With b = 1/2: (0,0,1), 3/2, (1,1,-1/2).

    Duda, Hart and Stork, Pattern Classification, 2nd ed. (2001), section 5.6.1.

    Examples
    --------
    >>> from hardlimit.theory.criteria import RelaxationCriterion
    >>> Z = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1)]
    >>> J_r = RelaxationCriterion(b=1)
    >>> print(*(J_r.value(Z, w) for w in ([0, 0, 0], [1, 1, 1], [2, 0, 0], [1, 1, -1])))
    2/3 4/3 3/2 0
    >>> print(*J_r.gradient(Z, [1, 1, 1]), "and the step", J_r.line_search(Z, [1, 1, 1]))
    0 0 4/3 and the step 1
    >>> RelaxationCriterion(b=0.5).line_search(Z, [1, 1, 1])
    Fraction(3, 2)
    """

    b: Scalar = 1

    def __post_init__(self) -> None:
        if not 0 < as_float(self.b) < math.inf:
            raise InputError(
                "with b = 0 the value at w = 0 would be 0 whatever the data",
                who="RelaxationCriterion",
                parameter="b",
                got=self.b,
                wanted="a finite number > 0",
            )

    @property
    def required(self) -> Scalar:
        """The margin b."""
        return self.b

    def converted(self, number: Number) -> Self:
        """With b in the numbers of the rows."""
        as_written = self.b if isinstance(self.b, Rational) else str(self.b)
        return replace(self, b=number(as_written))

    def loss(self, v: ViolatorTerm) -> Any:
        """``(z w - b)^2 / (2 ||z||^2)``."""
        short = v.margin - self.b
        return short * short / (2 * v.sqnorm)

    def slope(self, v: ViolatorTerm) -> Any:
        """``(z w - b) / ||z||^2``."""
        return (v.margin - self.b) / v.sqnorm

    def curvature(self, v: ViolatorTerm) -> Any:
        """``1 / ||z||^2``."""
        return 1 / v.sqnorm
