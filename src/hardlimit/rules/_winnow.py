"""What both forms of Littlestone's Winnow share: weights of one, a threshold, no negative rows."""

from __future__ import annotations

import math
from typing import Any

from hardlimit.exceptions import InputError, Setting
from hardlimit.rules._kinds import MultiplicativeRule
from hardlimit.rules._parameters import check_between, check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

RANGES = {
    "alpha": "factor of a promotion, > 1; larger moves in fewer, coarser steps",
    "threshold": "of <w, x>, > 0; None is the number of columns",
}


class PositiveWinnow(MultiplicativeRule):
    """Base: ``score = <w, x> - threshold``, held as the bias's weight, which never moves."""

    alpha: float
    threshold: float | None

    required = 0
    equality_violates = True
    nonnegative = True
    alone = (
        "its threshold belongs to one neuron, and a correction shared by two classes would have "
        "none"
    )
    unweighed = "since a factor has no parts; repeat examples"
    fixed_columns = (
        "the threshold and the weights at the start need to know the columns; use hash_bits, which "
        "fixes them"
    )

    def __post_init__(self) -> None:
        check_between(self, "alpha", 1, math.inf)
        if self.threshold is not None:
            check_positive(self, "threshold")

    def initial_weights(self, n_columns: int, bias: float) -> tuple[float, float]:
        """Every weight is 1; the bias's makes the threshold."""
        if bias == 0:
            raise InputError(
                "the rule holds its threshold as the weight of the bias, which never moves",
                who=f"rules.{type(self).__name__}",
                parameter="fit_intercept",
                got=False,
                topic="needs-bias",
                fix=("use ", Setting("fit_intercept", True)),
            )
        threshold = n_columns if self.threshold is None else self.threshold
        # Bias times weight is the threshold, exactly where this division is exact.
        return 1.0, -float(threshold) / bias

    def compiled_parameters(self) -> dict[str, float]:
        """Alpha alone: the threshold is a weight."""
        return {"alpha": float(self.alpha)}

    def split(self) -> Split:
        """Refused: coupled classes have no threshold."""
        raise InputError(
            f"a third class came to a model of two: {self.alone}",
            who=f"rules.{type(self).__name__}",
            fix=("use ", Setting("multiclass", "ovr"), " with all classes from the start"),
        )

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """From the most promotions and columns / threshold: :meth:`_bound`."""
        n, relevant = geometry.n_columns, geometry.relevant
        if geometry.gamma <= 0:
            return INSEPARABLE
        if not n or relevant is None:
            return Bound(None, "holds for an OR of `relevant` of `n_columns` columns of 0 and 1")
        threshold: Any = n if self.threshold is None else self.threshold
        # Below 1 / alpha the weights at the start pass the threshold: nothing is promoted.
        each = max(0.0, math.log2(threshold) / math.log2(self.alpha) + 1)
        return Bound(self._bound(relevant * each, n / threshold), "Littlestone 1988, by its proof")

    def _bound(self, promotions: float, columns_by_threshold: float) -> float:
        raise NotImplementedError
