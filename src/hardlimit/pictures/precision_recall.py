"""The precision-recall curve."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.evaluation import average_precision, ranking
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import FloatArray, Labels
from hardlimit.pictures import _drawing, _labels, _palette, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    data: dict[str, Any] = {
        "positive": positive,
        "positives": truth.count(True),
        "negatives": truth.count(False),
        "average_precision": area,
        "threshold": [at.threshold for at in points],
        "precision": [at.precision for at in points],
        "recall": [at.recall for at in points],
        "mark": _labels.find_mark(points, threshold),
    }
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
    axes = figure.add_subplot()
    x, y = data["recall"], data["precision"]
    kept = _drawing.select_visible(x, y)
    x, y = [x[i] for i in kept], [y[i] for i in kept]
    look: dict[str, Any] = {"color": _palette.BLUE, "zorder": 3, "clip_on": False}
    # in steps: a straight line between two thresholds promises precision that nobody has
    curve = axes.step(x, y, where="pre", linewidth=2, **look)[0]
    axes.fill_between(x, y, step="pre", color=_palette.BLUE, alpha=0.1, linewidth=0)
    n = data["positives"] + data["negatives"]
    share = data["positives"] / n
    chance = axes.plot([0, 1], [share, share], color=_palette.QUIET, linewidth=1, dashes=(4, 3))[0]
    handles = [curve, chance]
    labels = [
        f"average precision {_text.format_number(data['average_precision'])}",
        f"all positive: {_text.format_number(share, 2)}",
    ]
    if data["mark"]:
        at = data["mark"]
        handles.append(_style.draw_spot(axes, at["recall"], at["precision"]))
        labels.append(f"threshold {_text.format_number(at['threshold'])}")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.set_xlabel(
        f"recall of {plural(data['positives'], 'row')} of {_text.format_label(data['positive'])}"
    )
    axes.set_ylabel("precision")
    axes.grid(visible=True)
    _style.draw_legend(figure, handles, labels)
