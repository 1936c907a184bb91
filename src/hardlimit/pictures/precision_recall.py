"""The precision-recall curve."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.evaluation import average_precision, ranking
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import FloatArray, Labels
from hardlimit.pictures import _labels, _ranking, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RATES = ("recall", "precision")


def precision_recall(
    y: Labels,
    scores: Sequence[float] | FloatArray,
    *,
    positive: Hashable = None,
    threshold: float | None = None,
) -> Picture:
    """Draw precision against recall over all thresholds, with the average precision.

    Parameters
    ----------
    y, scores, positive, threshold
        As for :func:`hardlimit.pictures.roc`.

    Notes
    -----
    The curve is drawn in steps and nothing between the points is promised; the area under the steps
    is the average precision. Rows of equal scores make one step. The dashed line is the share of
    the positive class, the precision of calling everything positive. O(n log n).

    Examples
    --------
    >>> from hardlimit import pictures
    >>> picture = pictures.precision_recall(["ham", "spam", "ham", "spam"], [-1.0, 0.5, 0.5, 2.0])
    >>> [round(value, 4) for value in picture.data["precision"]], picture.data["recall"]
    ([1.0, 1.0, 0.6667, 0.5], [0.0, 0.5, 1.0, 1.0])
    >>> round(picture.data["average_precision"], 4)
    0.8333
    """
    truth, positive = _labels.split_positive("pictures.precision_recall", y, positive)
    points = ranking(_labels.to_list(scores), truth)
    area = average_precision(points)
    data = _ranking.collect(
        truth, positive, points, threshold, _RATES[::-1], {"average_precision": area}
    )
    return Picture(
        name="precision_recall",
        title="Precision-recall curve",
        description=f"Precision-recall curve of {plural(data['positives'], 'row')} of "
        f"{_text.format_label(positive)} among {len(truth):,}; average precision "
        f"{_text.format_number(area)}.",
        data=data,
        draw=_draw,
        size=(4.8, 5.2),
    )


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    share = data["positives"] / (data["positives"] + data["negatives"])
    positives = f"{plural(data['positives'], 'row')} of {_text.format_label(data['positive'])}"
    labels = (
        f"average precision {_text.format_number(data['average_precision'])}",
        f"all positive: {_text.format_number(share, 2)}",
    )
    names = f"recall of {positives}", "precision"
    # in steps: a straight line between two thresholds promises precision that nobody has
    _ranking.draw(figure, data, _RATES, names, labels, chance=(share, share), step="pre")
