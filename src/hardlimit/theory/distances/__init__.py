"""How far rows lie from the hyperplane, and on which side: the geometry of the textbook.

::

    distance(x) = (<w, x> - w0) / ||w||,      w0 = -intercept

positive on the side of the second class. ``w / ||w||`` is the normal, and ``w0 / ||w||`` the
distance of the hyperplane from the origin. This is the space of the rows themselves, where the bias
moves the hyperplane and turns nothing; ``gamma`` of the theorems lives in the space that holds the
bias's feature, where everything is a little longer.

>>> from hardlimit import LinearClassifier, distances
>>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
>>> clf = LinearClassifier(order="cyclic", readout="last").fit(X, y)  # x1 + x2 + 1 = 0
>>> measured = distances.of(clf, X, y)
>>> measured.values.round(4)
array([-0.7071,  0.7071,  0.7071,  2.1213])
>>> measured.margins.round(4), measured.nearest(2).tolist()
(array([0.7071, 0.7071, 0.7071, 2.1213]), [0, 1])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import list_only_public
from hardlimit.foundation.types import Array, ArrayLike, Labels, Targets
from hardlimit.theory.distances._boundaries import (
    measure_kernel,
    measure_many_classes,
    measure_two_classes,
)
from hardlimit.theory.distances._margin import margin

__all__ = ["Distances", "margin", "of", "of_labels"]

list_only_public(globals())


@dataclass(frozen=True)
class Distances:
    """Distances of rows from the boundary.

    Attributes
    ----------
    values
        (n_rows,): of two classes signed, above 0 on the side of the second. Of many the distance
        from the nearest boundary of the class that is predicted, never below 0.
    margins
        (n_rows,): above 0 where the row lies on its own side, by as much. None without labels.
    offset
        Of two classes: ``w0 / ||w||``, the distance of the hyperplane from the origin; else None.
    """

    values: Array
    margins: Array | None = None
    offset: float | None = None

    def nearest(self, n: int = 10) -> Array:
        """Return the numbers of the n rows that are nearest to the boundary, the nearest first."""
        return np.argsort(np.abs(self.values), kind="stable")[:n]

    @property
    def distribution(self) -> Array:
        """The margins in rising order: the wrong rows first."""
        return np.sort(self._known)

    @property
    def smallest(self) -> float:
        """The smallest margin: above 0 where no row is wrong."""
        return float(self._known.min())

    def share_below(self, margin: float) -> float:
        """Return the share of the rows with at most this margin; of 0, the share that is wrong.

        >>> Distances(np.zeros(4), np.array([-1.0, 0.0, 1.0, 2.0])).share_below(0)
        0.5
        """
        return float(np.mean(self._known <= margin))

    def histogram(self, bins: int = 20) -> tuple[Array, Array]:
        """Return counts (bins,) of the margins, and the edges (bins + 1,), 0 among them.

        >>> Distances(np.zeros(4), np.array([-1.0, 0.5, 1.0, 2.0])).histogram(3)
        (array([1, 1, 2]), array([-1.,  0.,  1.,  2.]))
        """
        # 0 is an edge of its own: no bin holds wrong rows together with right ones.
        low, high = min(0.0, self.smallest), max(0.0, float(self._known.max()))
        below = round(bins * -low / (high - low)) if high > low else 0
        below = min(max(below, low < 0), bins - (high > 0))
        edges = [np.linspace(low, 0.0, below + 1)[:-1], np.linspace(0.0, high, bins - below + 1)]
        return np.histogram(self._known, np.concatenate(edges) if high > low else bins)

    @property
    def _known(self) -> Array:
        if self.margins is None:
            raise InputError("margins need labels", who="distances", fix="distances.of(clf, X, y)")
        return self.margins

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        return {
            "distances": self.values.tolist(),
            "margins": None if self.margins is None else self.margins.tolist(),
            "offset": self.offset,
        }

    def __str__(self) -> str:
        lines = [f"{plural(len(self.values), 'row')}"]
        if self.offset is not None:
            lines[0] += f", the hyperplane {abs(self.offset):.6g} from the origin"
        if self.margins is not None:
            low, middle, high = (float(np.quantile(self.margins, q)) for q in (0, 0.5, 1))
            lines.append(f"margins from {low:.6g} over {middle:.6g} (median) to {high:.6g}")
            lines.append(f"{self.share_below(0):.2%} of the rows on the wrong side or on it")
        near = [f"{row} at {self.values[row]:.6g}" for row in self.nearest(5).tolist()]
        return "\n".join([*lines, f"nearest rows: {', '.join(near)}"])


def of(clf: Any, X: ArrayLike | Sequence[str | bytes], y: Labels | None = None) -> Distances:
    """Measure the distances of the rows of X (or texts) from the boundary of a fitted classifier.

    Of many classes the boundary between two of them is where their scores are equal, ``(s_c - s_r)
    / ||w_c - w_r||`` away, and the nearest one counts; of kernels all is measured in the kernel's
    space, where ``||w||^2 = sum_ij beta_i beta_j K(x_i, x_j)``, with ``bias_feature^2`` in K if
    there is a bias. With ``scale="rows"`` a row is brought to length 1 first.

    Cost: the scores of the rows; of kernels those of the supports as well.

    Parameters
    ----------
    clf
        A fitted classifier or estimator of this package, answering by weights, not by votes.
    X
        Rows or texts, as ``clf.predict`` takes them.
    y
        Labels, for margins.

    Raises
    ------
    InputError
        Weights that are zero, which have no hyperplane; votes; targets of several neurons.
    """
    model, scores = _scores_of(clf, X, "distances.of")
    model.fitted.classes.require_one("distances.of", "have a hyperplane each")
    targets = None if y is None else model.fitted.classes.codes(_list_labels(y, len(scores)))
    # Asked of kernels first: their answer has no weights in the space of the rows.
    if hasattr(model, "dual_coef_"):
        gram = model.fitted.answer.gram()
        return Distances(*measure_kernel(scores, targets, gram, model.threshold_))
    if scores.ndim == 1:
        coef, intercept = model.coef_[0], float(model.intercept_[0])
        return Distances(*measure_two_classes(scores, targets, coef, intercept, model.threshold_))
    return Distances(*measure_many_classes(scores, targets, np.matmul(model.coef_, model.coef_.T)))


def of_labels(
    clf: Any, X: ArrayLike | Sequence[str | bytes], y: Targets | None = None
) -> dict[Any, Distances]:
    """Measure the distances of rows from the boundary of each label of a model of several labels.

    Each label has a neuron and a hyperplane of its own, as two classes have: see `of`.

    Parameters
    ----------
    clf
        A fitted classifier that was fitted on several labels an example.
    X
        Rows or texts, as ``clf.predict`` takes them.
    y
        The labels, as ``clf.fit`` takes them, for margins.

    Returns
    -------
    dict
        The distances by label, those of columns by the names of the columns.

    Raises
    ------
    InputError
        A model of one label an example; votes; weights of a label that are zero.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, distances
    >>> X, Y = [[1, 0], [0, 1], [1, 1]], [{"a"}, {"b"}, {"a", "b"}]
    >>> clf = LinearClassifier(order="cyclic", readout="last").fit(X, Y)
    >>> {label: round(one.smallest, 4) for label, one in distances.of_labels(clf, X, Y).items()}
    {'a': 0.4472, 'b': 0.4472}
    """
    model, scores = _scores_of(clf, X, "distances.of_labels")
    book, threshold = model.fitted.classes, model.threshold_
    if book.pick(True, False, lambda _: False):
        raise InputError(
            "a model of one label an example", who="distances.of_labels", fix="distances.of"
        )
    truth = None if y is None else book.truth_of(y)
    found = {}
    for k, label in enumerate(book.numbers):
        targets = None if truth is None else truth[:, k]
        plane = model.coef_[k], float(model.intercept_[k])
        try:
            found[label] = Distances(*measure_two_classes(scores[:, k], targets, *plane, threshold))
        except InputError as error:
            raise error.replaced(where=f"label {label!r}") from None
    return found


def _scores_of(clf: Any, X: Any, who: str) -> tuple[Any, Array]:
    """Return the fitted classifier in a classifier or an estimator, and the scores of rows."""
    model = getattr(clf, "model_", clf)
    if not hasattr(model, "decision_function"):
        raise InputError(who=who, got=Given(type(clf).__name__), wanted="a fitted classifier")
    return model, np.asarray(model.decision_function(X), np.float64)


def _list_labels(y: Labels, n_rows: int) -> list[Any]:
    labels = list(y.tolist() if isinstance(y, np.ndarray) else y)
    if len(labels) != n_rows:
        raise InputError(
            who="distances.of",
            got=Given(f"{plural(len(labels), 'label')} for {plural(n_rows, 'row')}"),
        )
    return labels
