"""The ROC curve."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.evaluation import ranking, roc_area
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import FloatArray, Labels
from hardlimit.pictures import _labels, _ranking, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RATES = ("false_positive_rate", "recall")


def roc(
    y: Labels,
    scores: Sequence[float] | FloatArray,
    *,
    positive: Hashable = None,
    threshold: float | None = None,
) -> Picture:
    """Draw the true positive rate against the false positive rate, with the area under the curve.

    Parameters
    ----------
    y
        True labels.
    scores
        One a row, larger for the positive class: of two classes what ``decision_function`` says.
    positive
        The positive class; default: the second of two in sorted order, as in ``classes_``.
    threshold
        Where the model stands: a row is positive above it. It gets a mark.

    Notes
    -----
    Rows of equal scores make one slanting step, whatever their order, and count one half in the
    area: the share of pairs that the scores put right, with DeLong's interval of 95 % among the
    data. O(n log n); the data hold every threshold.

    Examples
    --------
    >>> from hardlimit import pictures
    >>> picture = pictures.roc(["ham", "spam", "ham", "spam"], [-1.0, 0.5, 0.5, 2.0])
    >>> picture.data["auc"], picture.data["false_positive_rate"], picture.data["recall"]
    (0.875, [0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    """
    truth, positive = _labels.split_positive("pictures.roc", y, positive)
    values = _labels.to_list(scores)
    points = ranking(values, truth)
    area = roc_area(values, truth)
    data = _ranking.collect(
        truth,
        positive,
        points,
        threshold,
        _RATES,
        {"auc": area.value, "auc_interval": area.interval},
    )
    return Picture(
        name="roc",
        title="ROC curve",
        description=f"ROC curve of {plural(data['positives'], 'row')} of "
        f"{_text.format_label(positive)} against {plural(data['negatives'], 'other')}; area under "
        f"the curve {_text.format_number(area.value)}.",
        data=data,
        draw=_draw,
        size=(4.8, 5.2),
    )


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    positives = f"{plural(data['positives'], 'row')} of {_text.format_label(data['positive'])}"
    names = (
        f"false positive rate ({plural(data['negatives'], 'other')})",
        f"true positive rate ({positives})",
    )
    labels = f"area under the curve {_text.format_number(data['auc'])}", "chance: 0.5"
    _ranking.draw(figure, data, _RATES, names, labels, chance=(0, 1))
