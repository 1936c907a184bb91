"""The perceptron with margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._parameters import check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class MarginPerceptron(AdditiveRule):
    """The perceptron with margin: also add correct examples with a margin below b.

    ::

        margin <= b:   w <- w + y x

    b : required margin, >= 0, in the units of ``<w, x>``; 0 is the perceptron. Larger b gives a
        larger geometric margin and steadier answers on noisy data, for more corrections.

    An example's weight multiplies the step, and so does a schedule ``eta(step)``, where ``step``
    counts corrections: the variable increment rule. A common slip takes for it the number of the
    example, so that ``1/step`` comes round again and begins with 1/0.

    In the order ``"batch"`` the correction is ``eta(step) * sum y x``. A common slip adds the two,
    another has the sign of the mixed term turned round in the proof:
    ``||w - alpha a + z||^2 = ||w - alpha a||^2 + 2 <w, z> - 2 alpha <a, z> + ||z||^2``. A third
    numbers the rows 1 .. n and visits ``(k + 1) mod n``, and so a row 0 that is not there.

    When to use it: noisy or overlapping examples. In the noise benchmark a large margin was the
    best single guard against wrong labels, and its last weights were nearly as good as its votes.
    One number to tune: b = 2 is strong on texts, whose rows have length 1; elsewhere try some
    multiples of the mean of ``||x||^2``.

    Guarantee, on separable examples: at most ``(radius^2 + 2 b) / gamma^2`` corrections, and at the
    end a geometric margin of at least ``gamma b / (2 b + radius^2)``, half the best for large b.

    Cost: O(nnz) to look at a row and as much again to correct; one vector of weights, a second one
    where the average is kept. A larger b makes more corrections.

    Worked example (modified OR, bias feature -1, b = 1): z is (1,1,1), (1,-1,-1), (-1,1,-1),
    (1,1,-1). First round: (1,1,1), (2,0,0), (1,1,-1), none. Second round: the margin 1 is not above
    b: (2,2,0), then 0 <= 1: (3,1,-1), then -1 <= 1: (2,2,-2), none. Third round: margins 2, 2, 2
    and 6. Six corrections.

    Source: Duda, Hart and Stork, Pattern Classification, 2nd ed., Algorithm 5; Krauth and Mezard,
    J. Phys. A 20 (1987).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.MarginPerceptron(b=1), order="cyclic", bias_feature=-1.0,
    ...                        until="margin").fit(X, y)
    >>> clf.with_readout("last").coef_, int(clf.n_corrections_)
    (array([[2., 2.]]), 6)
    """

    b: float = 1.0
    equality_violates = True
    also_called = ("perceptron-with-margin",)
    takes_schedule = True
    batch = "sum"
    ranges = {"b": "required margin, >= 0; larger is steadier and slower"}

    def __post_init__(self) -> None:
        check_positive(self, "b", zero=True)

    @property
    def required(self) -> float:
        """The margin b."""
        return self.b

    def tau(self, weight: Scalar = 1) -> Any:
        """1, times the example's weight."""
        return weight

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``(radius^2 + 2 b) / gamma^2``."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        return Bound((geometry.radius**2 + 2 * self.b) / geometry.gamma**2, "as Novikoff, with b")

    def split(self) -> Split:
        """Rows -theta, +theta double the margin, and so b."""
        return Split(1.0, MarginPerceptron(2 * self.b))
