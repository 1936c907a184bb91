"""Why a classifier says what it says."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from hardlimit.classifiers.probabilities import ProbabilisticClassifier

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation


class ExplainingClassifier(ProbabilisticClassifier):
    """A classifier whose answers are sums over terms, columns or supports."""

    def explain(
        self,
        x: object,
        top: int | None = None,
        *,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Explanation:
        """Why this example gets its class: all that adds to its score, largest first.

        Parameters
        ----------
        x : one text, one row of a table, or one row of numbers, (n_columns,) or (1, n_columns);
            its known terms or its columns add value times weight. With a kernel a support adds its
            coefficient times ``K(support, x)``; ``row 3`` is that of the fit's X, and after
            ``partial_fit`` supports count by themselves.
        top : how many are kept, those that add most, for or against
        against : of many classes, the one that takes the place of the runner-up
        label : of several labels an example, the one whose answer is explained

        Examples
        --------
        >>> from hardlimit import LinearClassifier
        >>> clf = LinearClassifier(readout="last", order="cyclic")
        >>> print(clf.fit([[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]).explain([2, 0]))
        1 rather than 0: +3.0000
          +2.0000  column 0
          +1.0000  (intercept)
        """
        return self.fitted.explain(x, top, against, label)

    def explain_labels(self, x: object, top: int | None = None) -> dict[Hashable, Explanation]:
        """Why each of several labels is predicted or not, by label: see :meth:`explain`.

        An explanation is of one of the two values of its label against the other, of sets of labels
        of True against False.

        Examples
        --------
        >>> from hardlimit import LinearClassifier
        >>> X = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
        >>> clf = LinearClassifier(order="cyclic", readout="last")
        >>> clf.fit(X, [set(), {"or"}, {"or"}, {"or", "and"}])
        LinearClassifier(order='cyclic', readout='last')
        >>> found = clf.explain_labels([1, 1])
        >>> found["and"].label, found["and"].score, found["or"].score
        (True, 1.0, 3.0)
        """
        return self.fitted.explain_labels(x, top)
