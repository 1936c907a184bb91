"""What a rule is, and what it can say about itself."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from hardlimit.exceptions import InputError
from hardlimit.foundation.register import field_names
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
    rule: Rule


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

    What a correction does besides adding is said by ``answers``, or by deriving from one of the
    kinds: :class:`AdditiveRule`, :class:`ShrinkingRule`, :class:`LinkedRule`,
    :class:`CovarianceRule`, :class:`MultiplicativeRule`.
    """

    required: ClassVar[Any] = 0  # the margin below which an example is a violator, or a method
    if TYPE_CHECKING:  # whatever its parameters
        tau: ClassVar[Callable[..., Any]]
    else:

        def tau(self):
            """Coefficient of one correction, from the scalars that the parameters name."""
            raise NotImplementedError

    equality_violates: bool = True
    exact: bool = True  # False where a square root leaves the rational numbers
    ranges: ClassVar[dict[str, str]] = {}
    # What ``tau`` answers: "tau", "shrink, tau" (w <- shrink w + tau y x), "tau, linked" (tau moves
    # theta, and w = 2 sinh(theta)), "tau, beta" (w <- w + tau y S x, S <- S - beta S x x' S; a
    # `required` that asks for the variance must not fall as it grows) or "factor" (w_j <- w_j
    # factor^x_j).
    answers: str = "tau"
    takes_schedule: bool = False  # whether tau may be multiplied by eta(step)
    takes_margin: bool = False  # whether more than the margin 0 may be required of it
    batch: str = ""  # "sum" or "average" over the violators, where there is a batch form
    quadratic: bool = False  # whether the batch form descends a quadratic criterion
    alone: str = ""  # the reason why coupled classes cannot share its corrections
    # The reason why examples cannot weigh other than 0 and 1.
    unweighed: str = (
        "since to multiply the step would be over-relaxation; use a finite C, which weights "
        "multiply, or repeat examples"
    )
    nonnegative: bool = False  # whether negative features are refused
    # Of rules that answer "tau, beta": how much of the covariance S is kept, "diagonal" or "full";
    # and whether each part of S that is kept (a class; with the diagonal, a column of a class) is
    # corrected as if it were alone.
    covariance: str = "diagonal"
    apart: bool = False

    @property
    def initial_variance(self) -> float:
        """The multiple of the identity that the covariance is at the start."""
        return 1

    @property
    def schedule_below(self) -> float:
        """What ``eta(step)`` must stay below."""
        return math.inf

    @property
    def fixed_columns(self) -> str:
        """The reason why further columns cannot come; empty where they can."""
        return ""

    @property
    def own(self) -> Any:
        """The rule as its author wrote it: itself, or what an adapter stands for."""
        return self

    @property
    def class_name(self) -> str:
        """The name of its class, for messages."""
        return type(self.own).__name__

    @property
    def weighs(self) -> bool:
        """Whether examples may weigh other than 0 and 1; the docstring says what it means."""
        return asks_for(self.tau, "weight")

    @property
    def remembers(self) -> bool:
        """Whether it asks what became of an example before: then it refuses streams."""
        # Both are counted by row, and a stream has no rows that come again.
        return any(asks_for(method, "n_i", "alpha_i") for method in (self.tau, self.required))

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """Upper bound over any sequence of examples with this geometry, all of weight 1."""
        return Bound(None, f"no bound is known for {self.class_name}")

    def split(self) -> Split:
        """Say how a model of two classes becomes one of three without losing its past."""
        raise InputError(
            "a third class came to a model of two, and the rule does not say how its weights are "
            "to be split",
            who=self.class_name,
            fix="give it a method split(), or name all classes from the start with "
            "partial_fit(..., classes=[...])",
        )

    def initial_weights(self, n_columns: int, bias: float) -> tuple[float, float]:
        """Weights at the start, of each column and of the bias: of rules that multiply.

        The columns' is the same for every bias, and the bias's never moves.
        """
        return 0.0, 0.0

    def compiled_parameters(self) -> dict[str, float]:
        """What the compiled twin is made from."""
        return {name: float(getattr(self, name)) for name in field_names(type(self))}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name."""
        return {name: getattr(self, name) for name in field_names(type(self))}

    def set_params(self, **params: Any) -> Self:
        """Give a rule of the same kind with other parameters; this one is frozen."""
        this: Any = self
        if not dataclasses.is_dataclass(this):
            raise InputError("it has no parameters", who=self.class_name)
        return type(self)(**(self.get_params() | params))
