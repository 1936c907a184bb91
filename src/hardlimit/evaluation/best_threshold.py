"""The threshold of the largest F1, or of the fewest errors, on rows that were not learnt from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array


def threshold_for_f1(scores: Array, truth: Array) -> float:
    """Return the threshold of the largest F1; of several labels of the largest micro-F1.

    Parameters
    ----------
    scores, truth
        Of two classes (n_rows,): scores that grow towards the positive class, and whether each row
        belongs to it. Of several labels (n_rows, n_labels), with one threshold for all of them. On
        rows that were learnt from the threshold would promise too much.

    Returns
    -------
    float
        0 if no other is better, else halfway between two scores, of equal F1 the one nearest to
        0. O(n log n) for n scores.

    Raises
    ------
    InputError
        No row has a label.

    Examples
    --------
    >>> import numpy as np
    >>> threshold_for_f1(np.array([[0.75, -0.25], [-0.5, -1.0]]), np.array([[1, 1], [0, 0]]))
    -0.375

    Yang, Information Retrieval 1 (1999), on thresholds that are chosen on held-out rows.
    """

    def f1(right: Array, above: Array, total: int) -> Array:
        found: Array = 2 * right / (above + total)
        return found

    return _best("threshold_for_f1", scores, truth, f1)


def threshold_for_accuracy(scores: Array, truth: Array) -> float:
    """Return the threshold of the fewest errors, as `threshold_for_f1` does for the largest F1.

    >>> import numpy as np
    >>> threshold_for_accuracy(np.array([-2.0, -1.0, -0.5, 1.0]), np.array([0, 0, 1, 1]))
    -0.75
    """

    def minus_errors(right: Array, above: Array, total: int) -> Array:
        return 2 * right - above - total

    return _best("threshold_for_accuracy", scores, truth, minus_errors)


def _best(
    who: str, scores: Array, truth: Array, value: Callable[[Array, Array, int], Array]
) -> float:
    """Return the threshold of the largest value of positives found, rows above, and positives."""
    import numpy as np  # late: figures of labels alone do without

    flat, wanted = np.ravel(scores), np.ravel(np.asarray(truth, bool))
    total = int(np.count_nonzero(wanted))
    if not total:
        raise InputError("no row has a label", who=who, parameter="truth")
    order = np.argsort(-flat, kind="stable")
    ordered = flat[order]
    # A threshold could stand above all scores, and behind each that differs from the next one.
    ends = np.append(-1, np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)))
    right = np.append(0, np.cumsum(wanted[order]))[ends + 1]
    found = value(right, ends + 1, total)
    best = ends[found == found.max()]
    inf = np.array([np.inf])
    upper = np.concatenate([inf, ordered])[best + 1]
    lower = np.concatenate([ordered, -inf])[best + 1]
    # What was learnt aims at 0: it is left only for something better.
    if ((lower <= 0) & (upper > 0)).any():
        return 0.0
    # Beyond all scores by 1, elsewhere halfway.
    upper = np.where(np.isinf(upper), lower + 2, upper)
    lower = np.where(np.isinf(lower), upper - 2, lower)
    middle = upper / 2 + lower / 2
    return float(middle[np.abs(middle).argmin()])
