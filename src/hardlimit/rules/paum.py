"""The perceptron with uneven margins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError, Setting
from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._parameters import check_finite, check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class PAUM(AdditiveRule):
    """PAUM: the perceptron with a margin of its own for each of two classes.

    ::

        margin <= tau_plus (y = +1) or tau_minus (y = -1):   w <- w + y x

    tau_plus : margin required of the second class, >= 0. Far above tau_minus it keeps the plane
        away from the second class, as is good for a rare one.
    tau_minus : margin required of the first class; below 0 some of its mistakes are let pass, and
        a fit then aims at ``until="margin"``.

    An example's weight multiplies the step, and so does a schedule.

    The paper moves the bias by ``y R^2``, with R the radius of the rows, and here it moves by
    ``bias_feature^2 y``: ``bias_feature=R`` is the paper's.

    Two classes, or ``multiclass="ovr"``, where +1 is each class and -1 the rest.

    When to use it: one of two classes is rare, or to miss it costs more, so that the plane should
    keep away from it.

    Guarantee, on separable examples: at most ``(radius^2 + 2 max(tau_plus, tau_minus)) / gamma^2``
    corrections, and at the end geometric margins above ``tau_plus / ||w||`` on the one side and
    ``tau_minus / ||w||`` on the other: their ratio is what is chosen.

    Cost: O(nnz) to look at a row and as much again to correct; one vector of weights, a second one
    where the average is kept.

    Worked example (modified OR, bias feature -1, tau_plus = 1, tau_minus = 0): z is (1,1,1) of the
    first class, (1,-1,-1), (-1,1,-1), (1,1,-1) of the second. First round: 0 <= 0, w = (1,1,1);
    -1 <= 1, (2,0,0); -2 <= 1, (1,1,-1); 3. Second: 1 > 0; 1 <= 1, (2,0,-2); 0 <= 1, (1,1,-3); 5.
    Third: -1 <= 0, (2,2,-2); 2; 2; 6. Fourth: 2 and the same.

    Source: Li, Zaragoza, Herbrich, Shawe-Taylor and Kandola, ICML (2002), Algorithm 1.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.PAUM(tau_plus=1, tau_minus=0), order="cyclic",
    ...                        bias_feature=-1.0, until="margin").fit(X, y)
    >>> clf.with_readout("last").coef_, int(clf.n_corrections_)
    (array([[2., 2.]]), 6)
    """

    tau_plus: float = 1.0
    tau_minus: float = 0.0
    equality_violates = True
    also_called = ("uneven-margins", "perceptron-with-uneven-margins")
    takes_schedule = True
    batch = "sum"
    alone = "the two classes of a shared correction are neither positive nor negative"
    ranges = {
        "tau_plus": "margin required of the second class, >= 0",
        "tau_minus": "margin required of the first class; may be negative",
    }

    def __post_init__(self) -> None:
        check_positive(self, "tau_plus", zero=True)
        # Below 0 it leaves alone first-class rows that are a little on the wrong side.
        check_finite(self, "tau_minus")

    def required(self, y: Scalar) -> Any:
        """``tau_plus`` or ``tau_minus``."""
        return self.tau_plus if y > 0 else self.tau_minus

    def tau(self, weight: Scalar = 1) -> Any:
        """1, times the example's weight."""
        return weight

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``(radius^2 + 2 max(tau_plus, tau_minus)) / gamma^2`` corrections."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        margin = max(self.tau_plus, self.tau_minus)
        return Bound((geometry.radius**2 + 2 * margin) / geometry.gamma**2, "as Novikoff, with tau")

    def split(self) -> Split:
        """Refused: of three classes none is the positive one."""
        raise InputError(
            f"a third class came to a model of two, but {self.alone}",
            who="rules.PAUM",
            fix=("use ", Setting("multiclass", "ovr"), " and name all classes from the start"),
        )
