"""One threshold for the scores of several labels, chosen on rows that were not learnt from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array


def threshold_for_f1(scores: Array, truth: Array) -> float:
    """Return the threshold, the same for all labels, of the largest micro-F1.

    Parameters
    ----------
    scores, truth
        (n_rows, n_labels): scores of rows that the model has not seen, and whether each has each
        label. On rows that were learnt from the threshold would promise too much.

    Returns
    -------
    float
        0 where no other is better, else halfway between two scores, of equal F1 the one nearest to
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
    import numpy as np  # late: figures of labels alone do without

    flat, wanted = np.ravel(scores), np.ravel(np.asarray(truth, bool))
    total = int(np.count_nonzero(wanted))
    if not total:
        raise InputError("no row has a label", who="threshold_for_f1", parameter="truth")
    order = np.argsort(-flat, kind="stable")
    above = flat[order]
    # Behind each score that differs from the next one a threshold could stand.
    ends = np.flatnonzero(np.append(above[1:] != above[:-1], True))
    f1 = 2 * np.cumsum(wanted[order])[ends] / (ends + 1 + total)
    below = np.append(above, above[-1] - 1.0)[ends + 1]
    best = np.flatnonzero(f1 == f1.max())
    # What was learnt aims at 0: it is left only for something better.
    if ((below[best] <= 0) & (above[ends[best]] > 0)).any():
        return 0.0
    middle = above[ends[best]] / 2 + below[best] / 2
    return float(middle[np.abs(middle).argmin()])
