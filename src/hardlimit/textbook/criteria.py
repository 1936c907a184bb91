"""The criterion functions, on signed rows: value, gradient, curvature along a direction.

An example belongs to the sum where its margin is ``<= 0`` (J_r: ``<= b``), equality included, in
all three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Scalar, Vector, dot, scale, total


@dataclass(frozen=True)
class Criterion:
    """``b`` is the margin of J_r; the others have 0."""

    b: Scalar = 0
    name = ""
    quadratic = False
    limitation = ""  # why it has no gradient, or no curvature

    def members(self, w: Vector, Z: Sequence[Vector]) -> list[Vector]:
        """The rows in the sum: ``<w, z> <= b``."""
        return [z for z in Z if dot(w, z) <= self.b]

    def value(self, w: Vector, Z: Sequence[Vector]) -> Any:
        """Never negative; 0 where nothing is left to do."""
        raise NotImplementedError

    def gradient(self, w: Vector, Z: Sequence[Vector]) -> Vector:
        """Its derivative; a descent goes against it."""
        raise InputError(self.limitation, who=self.name)

    def curvature(self, g: Vector, w: Vector, Z: Sequence[Vector]) -> Any:
        """``g^T H g`` with the Hessian H at w."""
        raise InputError(self.limitation, who=self.name)


class ExactMisclassified(Criterion):
    """J: the number of examples that are not right. Piecewise constant: there is no way down."""

    name = "J"
    limitation = "it is piecewise constant, so its gradient says nothing; take J_p, J_q or J_r"

    def value(self, w: Vector, Z: Sequence[Vector]) -> Any:
        """How many."""
        return len(self.members(w, Z))


class ExactPerceptronCriterion(Criterion):
    """J_p = sum of -<w, z>: continuous, piecewise linear; its descent is the batch perceptron.

    The gradient is ``-sum z``, so that the step adds the violators: to subtract them is a common
    slip. The Hessian is zero almost everywhere, so there is no exact line search.
    """

    name = "J_p"
    limitation = (
        "its Hessian is zero, so |g|^2 / g^T H g divides by zero; "
        "take a schedule, or J_q or J_r for the line search"
    )

    def value(self, w: Vector, Z: Sequence[Vector]) -> Any:
        """Sum of the distances below 0, in the units of the margin."""
        return sum(-dot(w, z) for z in self.members(w, Z))

    def gradient(self, w: Vector, Z: Sequence[Vector]) -> Vector:
        """``-sum z``."""
        return total((scale(-1, z) for z in self.members(w, Z)), len(w))


class ExactSquaredCriterion(Criterion):
    """J_q = sum of <w, z>^2: its gradient is continuous (J_p itself is, too).

    Long rows dominate it, and its descent may end on the boundary, where ``<w, z> = 0``.
    """

    name = "J_q"
    quadratic = True

    def value(self, w: Vector, Z: Sequence[Vector]) -> Any:
        """Sum of squares."""
        return sum(dot(w, z) * dot(w, z) for z in self.members(w, Z))

    def gradient(self, w: Vector, Z: Sequence[Vector]) -> Vector:
        """``2 sum <w, z> z``."""
        return total((scale(2 * dot(w, z), z) for z in self.members(w, Z)), len(w))

    def curvature(self, g: Vector, w: Vector, Z: Sequence[Vector]) -> Any:
        """``2 sum <g, z>^2``."""
        return sum(2 * dot(g, z) * dot(g, z) for z in self.members(w, Z))


class ExactRelaxationCriterion(Criterion):
    """J_r = 1/2 sum of (<w, z> - b)^2 / ||z||^2: squared distances from the planes <w, z> = b.

    The gradient is ``sum (<w, z> - b) z / ||z||^2``; the step is against it, and to write it with
    this sign is a common slip. A row of length 0 is left out.
    """

    name = "J_r"
    quadratic = True

    def members(self, w: Vector, Z: Sequence[Vector]) -> list[Vector]:
        """The rows with ``<w, z> <= b``; one with ``= b`` counts in the Hessian."""
        # A row of zeros has no plane, and its share would divide by 0.
        return [z for z in super().members(w, Z) if any(z)]

    def value(self, w: Vector, Z: Sequence[Vector]) -> Any:
        """Half the sum of squared distances."""
        return sum((dot(w, z) - self.b) * self._share(w, z) / 2 for z in self.members(w, Z))

    def gradient(self, w: Vector, Z: Sequence[Vector]) -> Vector:
        """``sum (<w, z> - b) z / ||z||^2``."""
        return total((scale(self._share(w, z), z) for z in self.members(w, Z)), len(w))

    def curvature(self, g: Vector, w: Vector, Z: Sequence[Vector]) -> Any:
        """``sum <g, z>^2 / ||z||^2``."""
        return sum(dot(g, z) * dot(g, z) / dot(z, z) for z in self.members(w, Z))

    def _share(self, w: Vector, z: Vector) -> Any:
        return (dot(w, z) - self.b) / dot(z, z)


CRITERIA: dict[str, type[Criterion]] = {
    c.name: c
    for c in (
        ExactMisclassified,
        ExactPerceptronCriterion,
        ExactSquaredCriterion,
        ExactRelaxationCriterion,
    )
}


def criterion(name: str, b: Scalar = 0) -> Criterion:
    """Return the criterion of that name; b is for J_r alone.

    >>> from fractions import Fraction
    >>> Z = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1)]
    >>> w = tuple(map(Fraction, (1, 1, 1)))
    >>> [str(criterion(name, b=1 if name == "J_r" else 0).value(w, Z)) for name in CRITERIA]
    ['2', '2', '2', '4/3']
    """
    if name not in CRITERIA:
        raise InputError(
            who="criterion", parameter="name", got=name, wanted=f"one of {', '.join(CRITERIA)}"
        )
    if b and name != "J_r":
        raise InputError(
            f"{name} has no margin, only J_r has", who="criterion", parameter="b", got=b
        )
    return CRITERIA[name](b)
