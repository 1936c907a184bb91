"""What theorems need to know: how a model came to be, and the geometry of its examples."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from hardlimit import rules
from hardlimit.foundation.types import Array
from hardlimit.theory.cycling import is_steady, step_of

ONE_BY_ONE = ("cyclic", "shuffled")  # orders in which a pass shows each row once

NO_ROWS = "the rows are not at hand: bounds.of(clf, X, y) looks at them"


@dataclass(frozen=True)
class ModelRun:
    """How a model learnt.

    ``scheme``: single (two classes), coupled (classes that share their corrections: Kesler's
    construction) or independent (a neuron a class). ``first``: mistakes of the first epoch.
    ``n_rows`` is None, and nothing is known of the rows, after a stream or from a file.
    ``started``: at weights that were given, and not at zeros. ``shards`` learnt an epoch each and
    were mixed, ``mixing`` says how; ``epochs_corrected`` made a correction.
    """

    rule: Any
    schedule: Any = None
    guards: tuple[Any, ...] = ()
    order: str = "shuffled"
    combine: str = "sum"
    scheme: str = "single"
    n_classes: int = 2
    n_rows: int | None = None
    weighted: bool = False
    streamed: bool = False
    budget: Any = None
    epochs: int = 0
    first: int | None = None
    stop_reason: str = ""
    started: bool = False
    shards: int = 1
    mixing: str = "uniform"
    epochs_corrected: int | None = None

    @property
    def rule_name(self) -> str:
        """The rule's registered name, or that of its class."""
        return (
            rules.name_of(self.rule) if rules.is_registered(self.rule) else type(self.rule).__name__
        )

    @property
    def is_perceptron(self) -> bool:
        """Whether the corrections are the plain perceptron's, up to a factor of all weights."""
        return self.rule_name == "perceptron" and is_steady(self.schedule)

    @property
    def adds_rows(self) -> bool:
        """Whether the weights are a sum of as many signed rows as there were corrections."""
        return step_of(self.rule, self.schedule) is not None and not self.reason_excluded

    @property
    def reason_excluded(self) -> str:
        """Why no theorem about counts applies to this run; empty where one may."""
        if self.shards > 1:
            return f"{self.shards} shards were mixed, and it is about one run"
        return self.reason_unproved

    @property
    def reason_unproved(self) -> str:
        """The same, were the run one of shards or not."""
        if self.streamed:
            return "a stream: the rows that it saw are not known any more"
        if self.weighted:
            return "examples weigh other than 1, and the theorems count each as one"
        if self.started:
            return "the run began at given weights, and the theorems begin at zeros"
        return "a budget takes corrections back" if self.budget is not None else ""


@dataclass(frozen=True)
class Comparator:
    """A vector that the run is compared with: ``margins`` are ``y <u, x>`` for ``||u|| = 1``."""

    name: str
    margins: Array
    absolute: float | None = None  # sum |u_j|, where there are columns
    along: float = 0.0  # <a(1), u>, with a(1) the weights at the start

    @property
    def least(self) -> float:
        """The smallest margin."""
        return float(self.margins.min())


def make_comparators(
    name: str,
    margins: Array,
    lengths: Array,
    absolutes: Array | None = None,
    products: Array | None = None,
) -> list[Comparator | None]:
    """Return a comparator for each part, or None where its weights are zero.

    margins : functional ones, (n_rows, n_parts).    lengths, absolutes : ``||w||`` and
    ``sum |w_j|`` of each part.    products : ``<a(1), w>`` of each part, None for zeros.
    """
    return [
        Comparator(
            name,
            margins[:, k] / lengths[k],
            None if absolutes is None else float(absolutes[k] / lengths[k]),
            0.0 if products is None else float(products[k] / lengths[k]),
        )
        if lengths[k] > 0
        else None
        for k in range(len(lengths))
    ]


@dataclass(frozen=True)
class MarginProblem:
    """One problem with a margin of its own: two classes, all coupled ones, or one neuron.

    Everything is in the space that holds the bias; of coupled classes in Kesler's, where a row has
    the squared length ``2 ||x||^2`` and the weights of all classes are one vector. ``length`` is
    that of the last weights, ``start`` of those at the start, ``total`` the sum of all squared
    lengths of rows; ``least`` the largest smallest margin that is known, that of
    ``least_of``; ``proven`` the bracket of a verdict.
    """

    name: str = ""
    corrections: int = 0
    mistakes: int | None = None
    radius: float | None = None
    total: float | None = None
    start: float = 0.0
    length: float | None = None
    least: float | None = None
    least_of: str = ""
    n_columns: int | None = None
    x_inf: float | None = None
    proven: tuple[float, float] | None = None
    separable: bool | None = None
    comparators: tuple[Comparator, ...] = field(default=(), repr=False)

    def upper(self, run: ModelRun) -> float | None:
        """``||w|| / k``, which gamma cannot exceed: each of k rows adds gamma along the best u."""
        if not self.corrections or self.length is None or not run.adds_rows:
            return None
        step = step_of(run.rule, run.schedule) or 1.0
        # The weights are eta times a sum of rows: the factor cancels in a margin, not in ||w|| / k.
        return self.length / (step * self._added(run))

    def _added(self, run: ModelRun) -> int:
        """Rows that the weights are a sum of, or fewer."""
        # A batch adds all its violators by one correction, and each of them is a row of the sum.
        if run.order == "batch" and run.combine == "sum" and self.mistakes is not None:
            return max(self.corrections, self.mistakes)
        return self.corrections

    def _rounding(self) -> float:
        """What a margin of 0 may become by rounding: half an ulp of ``R`` for each product."""
        return 2.0**-53 * ((self.n_columns or 0) + 2) * (self.radius or 0.0)

    def gamma(self, run: ModelRun) -> Bracket:
        """What is known of the largest margin."""
        most = [(self.upper(run), f"||w|| / {self._added(run):,}")]
        rounded = self.least is not None and self.least <= self._rounding()
        found = None if rounded else self.least
        least = [(found, f"the smallest margin of the {self.least_of} weights")]
        if self.proven is not None:
            least.append((self.proven[0], "the verdict"))
            most.append((self.proven[1], "the verdict"))
        # A proof that nothing separates beats every bracket: the largest margin is then 0.
        if self.separable is False:
            return Bracket(0.0, 0.0, "not separable", "not separable")
        low = max(((v, how) for v, how in least if v is not None and v > 0), default=(None, ""))
        high = min(((v, how) for v, how in most if v is not None), default=(None, ""))
        return Bracket(low[0], high[0], low[1], high[1])


@dataclass(frozen=True)
class Bracket:
    """``least <= gamma <= most``, None where that is not known, and where they come from."""

    least: float | None
    most: float | None
    from_below: str = ""
    from_above: str = ""

    @property
    def separable(self) -> bool | None:
        """Whether gamma > 0; None where that is not known."""
        if self.least is not None and self.least > 0:
            return True
        return False if self.most == 0 else None

    def __str__(self) -> str:
        if self.most == 0:
            return "0: not separable"
        low = "0" if self.least is None else f"{self.least:.6g}"
        return f"{low} .. {'?' if self.most is None else f'{self.most:.6g}'}"


@dataclass(frozen=True)
class Line:
    """A statement beside what occurred.

    ``value`` is the number promised, with the largest margin that is known; ``at_best`` what it
    could still be, with the smallest that gamma cannot exceed. ``count`` is what occurred. Where
    the statement does not apply, ``value`` is None and ``reason`` says why.
    """

    name: str
    formula: str
    of: str
    value: float | None = None
    count: float | None = None
    at_best: float | None = None
    reason: str = ""
    comparator: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether what occurred is within what was promised; None where either is missing."""
        if self.value is None or self.count is None:
            return None
        return self.count <= self.value


def is_broken(count: float, bound: float) -> bool:
    """Whether a count exceeds its bound by more than rounding explains.

    >>> is_broken(9, 9.0), is_broken(9, 9 * (1 - 1e-12)), is_broken(10, 9.0)
    (False, False, True)
    """
    return count > bound * (1 + 1e-9) and not math.isclose(count, bound)
