"""What a rule is, and what it can say about itself."""

from __future__ import annotations

import dataclasses
import math
import numbers
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from hardlimit.exceptions import InputError


@dataclass(frozen=True)
class Geometry:
    """The numbers of a data set that bounds are made of, in the space that holds the bias.

    radius : max ||x||.      gamma : the geometric margin, > 0 iff separable.
    """

    radius: float
    gamma: float


class Bound(NamedTuple):
    """An upper bound on the corrections, or None with the reason why there is none."""

    value: float | None
    reason: str


class Split(NamedTuple):
    """How one row theta for two classes becomes rows -factor theta, +factor theta for many.

    ``rule`` goes on from there with the same corrections.
    """

    factor: float
    rule: Any


class Rule:
    """Base of the rules: a frozen dataclass with ``required`` and ``tau``.

    A rule of your own needs these few lines and works everywhere at once::

        @dataclass(frozen=True)
        class HalfStep(Rule):
            \"\"\"w <- w + y x / 2 on every mistake.\"\"\"
            required = 0
            equality_violates = True

            def tau(self):
                return 0.5
    """

    required: ClassVar[Any] = 0
    equality_violates: ClassVar[bool] = True
    exact: ClassVar[bool] = True  # False where a square root leaves the rational numbers
    ranges: ClassVar[dict[str, str]] = {}

    @property
    def weighs(self) -> bool:
        """Whether examples may weigh other than 0 and 1; the docstring says what it means."""
        return "weight" in _parameters_of(self.tau)

    def tau(self) -> Any:
        """Coefficient of one correction, from the scalars that the parameters name."""
        raise NotImplementedError

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """Upper bound on the corrections over any sequence of examples with this geometry."""
        return Bound(None, f"no bound is known for {type(self).__name__}")

    def split(self) -> Split:
        """Say how a model of two classes becomes one of three without losing its past."""
        raise InputError(
            f"{type(self).__name__}: a third class came to a model of two, and the rule does not "
            "say how its weights are to be split; give it a method split(), or name all classes "
            "from the start with partial_fit(..., classes=[...])"
        )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name."""
        this: Any = self
        if not dataclasses.is_dataclass(this):
            return {}
        return {f.name: getattr(this, f.name) for f in dataclasses.fields(this)}

    def set_params(self, **params: Any) -> Self:
        """Give a rule of the same kind with other parameters; this one is frozen."""
        this: Any = self
        if not dataclasses.is_dataclass(this):
            raise InputError(f"{type(self).__name__} has no parameters")
        return type(self)(**(self.get_params() | params))


def _parameters_of(method: Any) -> tuple[str, ...]:
    code = method.__code__
    first = 1 if hasattr(method, "__self__") else 0
    return tuple(code.co_varnames[first : code.co_argcount])


def positive(rule: Rule, name: str, value: Any, *, finite: bool = True, zero: bool = False) -> None:
    """Check a parameter at construction, with the message that a user needs."""
    wanted = ">= 0" if zero else "> 0"
    if not finite:
        wanted += ", inf allowed"
    good = isinstance(value, numbers.Real)
    good = good and not math.isnan(value) and (value > 0 or (zero and value == 0))
    if not good or (finite and math.isinf(value)):
        raise InputError(
            f"rules.{type(rule).__name__}: got {name}={value!r}, wanted a number {wanted}"
        )
