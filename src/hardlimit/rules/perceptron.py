"""Rosenblatt's perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class Perceptron(AdditiveRule):
    """The perceptron: on a mistake, add the example.

    ::

        margin <= 0:   w <- w + y x

    An example's weight multiplies the step. Through the origin or with a bias, as the classifier
    says; the learning rate is left out because, from zero weights, it only scales ``w``.

    In the order ``"worst"``, the smallest margin first, this rule is MinOver (Krauth and Mezard,
    J. Phys. A 20 (1987)); with a required margin b its geometric margin tends to gamma as b grows.
    In the order ``"batch"`` the violators are summed. A common slip takes a small sum for success:
    on XOR it is zero with every example wrong, and the fit has ``stalled``.

    When to use it: a first try that leaves nothing to tune; separable examples; lessons. Where
    labels are noisy, answer by the average or the vote, or take :class:`MarginPerceptron`: the last
    weights of the plain perceptron then err most of all.

    Guarantee: at most ``(radius / gamma)^2`` mistakes on separable examples, however many there are
    and in whatever order. At every moment ``||w|| / corrections`` is an upper bound on gamma.

    Common slips around it: the sum of ``||x||^2`` in the place of its maximum; a beta that is this
    maximum in one line and its root in another; radius and gamma without the bias feature (with
    rows of length 1 and a bias of 1, radius^2 is 2); "each correction brings w nearer to a solution
    a", which holds for ``alpha a`` with a large alpha only, not for alpha = 1; gamma in the place
    of y in the proof's ``<w + y x, a>``; "in the end each example is right", which a correction
    promises to its own example alone, and the bound to all; "fewer examples than columns are always
    separable", for which they must be linearly independent; ``margin < 0`` as the test of a
    mistake, which never corrects the weights 0; and a loop without an end: it stops after a round
    without a mistake, and says so, or says that it was stopped.

    Cost: O(nnz) to look at a row and as much again to correct; one vector of weights, a second one
    where the average is kept.

    Worked example (modified OR, bias feature -1): z = y x~ is (1,1,1), (1,-1,-1), (-1,1,-1),
    (1,1,-1); three corrections lead over (1,1,1) and (2,0,0) to w = (1,1,-1), which separates.

    Source: Rosenblatt, Psychological Review 65 (1958); Novikoff, Symp. Math. Theory of Automata
    (1962); Duda, Hart and Stork, Pattern Classification, 2nd ed., Algorithm 4.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.Perceptron(), order="cyclic", bias_feature=-1.0).fit(X, y)
    >>> clf.with_readout("last").coef_, int(clf.n_corrections_)
    (array([[1., 1.]]), 3)
    """

    required = 0
    equality_violates = True
    takes_schedule = True
    takes_margin = True
    batch = "sum"

    def tau(self, weight: Scalar = 1) -> Any:
        """1, times the example's weight."""
        return weight

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """Novikoff's ``(radius / gamma)^2``."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        return Bound((geometry.radius / geometry.gamma) ** 2, "Novikoff 1962")

    def split(self) -> Split:
        """Rows -theta, +theta: the coupled margin is 2 y <theta, x>, of the same sign."""
        return Split(1.0, self)
