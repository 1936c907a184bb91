"""Why a classifier of numbers says what it says of a row."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from hardlimit.classifiers.probabilities import ProbabilisticClassifier

if TYPE_CHECKING:
    from hardlimit.classifiers.model.explanation import Explanation
    from hardlimit.foundation.types import ArrayLike


class ExplainsRows(ProbabilisticClassifier):
    """A classifier whose answers are sums over the columns of a row."""

    def explain(
        self,
        x: object,
        top: int | None = None,
        *,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Explanation:
        """Why this row gets its class: every column with what it adds, largest first.

        ``x`` is one row, (n_columns,) or (1, n_columns). Of many classes the difference to the
        runner-up is explained, or to the class ``against``; of several labels the answer of the one
        that ``label`` names. ``top`` keeps the heaviest columns.

        Examples
        --------
        >>> from hardlimit import LinearClassifier
        >>> clf = LinearClassifier(readout="last", order="cyclic")
        >>> print(clf.fit([[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]).explain([2, 0]))
        1 rather than 0: +3.0000
          +2.0000  column 0
          +1.0000  (intercept)
        """
        from hardlimit.classifiers.model.number_explanation import explain_row  # few processes do

        return explain_row(self.fitted, self._scores, x, top, against, label)

    def explain_labels(self, x: ArrayLike, top: int | None = None) -> dict[Hashable, Explanation]:
        """Why each neuron of several labels says what it says of a row, by label.

        As :meth:`explain`; an explanation is of one of the two values of its label against the
        other, of sets of labels of True against False.

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
        from hardlimit.classifiers.model.number_explanation import explain_labels

        return explain_labels(self.fitted, self._scores, x, top)
