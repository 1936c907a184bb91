"""What a rule is, and what it can say about itself."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, NoReturn, Self

from hardlimit.exceptions import InputError, abbreviate
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.signature import asks_for


@dataclass(frozen=True)
class Geometry:
    """The numbers of a data set that bounds are made of, in the space that holds the bias.

    radius : max ||x||.      gamma : the geometric margin, > 0 iff separable.

    What only some bounds need, None where it was not measured:

    n_columns : the columns, the bias's included.      x_inf : max |x_j|.
    gamma_1 : the largest margin of a vector whose absolute values sum to 1.
    spectrum : eigenvalues of the Gram matrix of the corrected examples.
    spread : ``sum <u, x>^2`` over them, for the unit vector u of the margin gamma.
    relevant : the number of columns whose OR the target is.
    """

    radius: float
    gamma: float
    n_columns: int | None = None
    x_inf: float | None = None
    gamma_1: float | None = None
    spectrum: tuple[float, ...] | None = None
    spread: float | None = None
    relevant: int | None = None


class Bound(NamedTuple):
    """An upper bound, or None with the reason why there is none.

    ``of`` says what it bounds: all corrections, or the mistakes among them only, where a rule may
    go on correcting right answers.
    """

    value: float | None
    reason: str
    of: str = "corrections"


INSEPARABLE = Bound(None, "the examples are not separable")


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
    # What ``tau`` answers: "tau", "shrink, tau" (w <- shrink w + tau y x), "tau, linked" (tau moves
    # theta, and w = 2 sinh(theta)), "tau, beta" (w <- w + tau y S x, S <- S - beta S x x' S; a
    # `required` that asks for the variance must not fall as it grows) or "factor" (w_j <- w_j
    # factor^x_j).
    answers: ClassVar[str] = "tau"
    takes_schedule: ClassVar[bool] = False  # whether tau may be multiplied by eta(step)
    schedule_below: Any = math.inf  # what eta(step) must stay below
    takes_margin: ClassVar[bool] = False  # whether more than the margin 0 may be required of it
    batch: ClassVar[str] = ""  # "sum" or "average" over the violators, where there is a batch form
    quadratic: ClassVar[bool] = False  # whether the batch form descends a quadratic criterion
    alone: ClassVar[str] = ""  # the reason why coupled classes cannot share its corrections
    # The reason why examples cannot weigh other than 0 and 1, and the mend.
    unweighed: ClassVar[str] = (
        "since to multiply the step would be over-relaxation; use a finite C, which weights "
        "multiply, or repeat examples"
    )
    nonnegative: ClassVar[bool] = False  # whether negative features are refused
    fixed_columns: ClassVar[Any] = ""  # the reason why further columns cannot come, and the mend
    # Of rules that answer "tau, beta": how much of the covariance S is kept, "diagonal" or "full";
    # the multiple of the identity that S is at the start; and whether each part of S that is kept
    # (a class; with the diagonal, a column of a class) is corrected as if it were alone.
    covariance: Any = "diagonal"
    initial_variance: ClassVar[Any] = 1
    apart: ClassVar[bool] = False

    @property
    def weighs(self) -> bool:
        """Whether examples may weigh other than 0 and 1; the docstring says what it means."""
        return asks_for(self.tau, "weight")

    @property
    def remembers(self) -> bool:
        """Whether it asks what became of an example before: then it refuses streams."""
        return any(asks_for(method, "n_i", "alpha_i") for method in (self.tau, self.required))

    def tau(self) -> Any:
        """Coefficient of one correction, from the scalars that the parameters name."""
        raise NotImplementedError

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """Upper bound over any sequence of examples with this geometry, all of weight 1."""
        return Bound(None, f"no bound is known for {type(self).__name__}")

    def split(self) -> Split:
        """Say how a model of two classes becomes one of three without losing its past."""
        raise InputError(
            f"{type(self).__name__}: a third class came to a model of two, and the rule does not "
            "say how its weights are to be split; give it a method split(), or name all classes "
            "from the start with partial_fit(..., classes=[...])"
        )

    def initial_weights(self, n_columns: int, bias: float) -> tuple[float, float]:
        """Weights at the start, of each column and of the bias: of rules that multiply.

        The columns' is the same for every bias, and the bias's never moves.
        """
        return 0.0, 0.0

    def compiled_parameters(self) -> dict[str, float]:
        """What the compiled twin is made from."""
        return {name: float(value) for name, value in self.get_params().items()}

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


def positive(rule: Rule, name: str, value: Any, *, finite: bool = True, zero: bool = False) -> None:
    """Check a parameter at construction, with the message that a user needs."""
    wanted = ">= 0" if zero else "> 0"
    if not finite:
        wanted += ", inf allowed"
    number = as_float(value)
    good = number >= 0 if zero else number > 0
    if not good or (finite and math.isinf(number)):
        _refuse(rule, name, value, wanted)


def inside(rule: Rule, name: str, value: Any, low: float, high: float, *, top: bool) -> None:
    """Check that a parameter lies between two numbers; the upper one is allowed if ``top``."""
    number = as_float(value)
    if not (low < number < high or (top and number == high)):
        _refuse(rule, name, value, f"> {low} and {'<=' if top else '<'} {high}")


def finite(rule: Rule, name: str, value: Any) -> None:
    """Check a parameter that may be any number."""
    if not math.isfinite(as_float(value)):
        _refuse(rule, name, value)


def _refuse(rule: Rule, name: str, value: Any, wanted: str = "") -> NoReturn:
    raise InputError(
        (
            f"rules.{type(rule).__name__}: got {name}={abbreviate(value)}, wanted a number {wanted}"
        ).rstrip()
    )
