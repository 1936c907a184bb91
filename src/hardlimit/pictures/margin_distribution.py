"""The distribution of the margins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.pictures import _drawing, _labels, _margins, _palette, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CLASSES = 6


def margin_distribution(model: Any, X: ArrayLike, y: Labels) -> Picture:
    """Draw the share of rows up to each margin.

    Parameters
    ----------
    model
        A fitted classifier; of any kind that has ``classes_`` and ``decision_function``.
    X, y
        Rows or texts, and their true labels.

    Notes
    -----
    The margin is ``y (w.x + c) / ||w||``, a distance in the units of the rows (of kernels in the
    kernel's space); of many classes that from the nearest boundary of the right class, see
    :mod:`hardlimit.distances`. A margin of at most 0 is a mistake. Models without weights, such as
    votes, show their scores as they are, and say so. O(n log n).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, pictures
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> clf = LinearClassifier(order="cyclic", readout="last").fit(X, y)
    >>> picture = pictures.margin_distribution(clf, X, y)
    >>> [round(m, 3) for m in picture.data["margins"]], picture.data["wrong"]
    ([0.707, 0.707, 0.707, 2.121], 0)
    """
    values, kind = _margins.measure_margins("pictures.margin_distribution", model, X, y)
    if not len(values):
        raise InputError("there are no rows to show", who="pictures.margin_distribution")
    # stable, so that rows of equal margins keep their order
    order = np.argsort(values, kind="stable")
    labels = _labels.to_list(y)
    margins = values[order].tolist()
    wrong = int(np.count_nonzero(values <= 0))
    data = {
        "kind": kind,
        "margins": margins,
        "rows": order.tolist(),
        "labels": [labels[i] for i in order.tolist()],
        "classes": [c for c in _labels.to_list(model.classes_) if c in set(labels)],
        "wrong": wrong,
        "smallest": margins[0],
        "median": float(np.median(values)),
    }
    return Picture(
        name="margin_distribution",
        title="Cumulative distribution of the margins",
        description=f"Cumulative distribution of the {kind} margins of "
        f"{plural(len(margins), 'row')}; {describe(data)}.",
        data=data,
        draw=_draw,
        size=(6.0, 4.4),
    )


def describe(data: dict[str, Any]) -> str:
    """Describe a distribution in words."""
    return (
        f"{data['wrong']:,} of {plural(len(data['margins']), 'row')} wrong (margin at most 0); "
        f"smallest {_text.format_number(data['smallest'])}, median "
        f"{_text.format_number(data['median'])}"
    )


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    margins, classes = data["margins"], data["classes"]
    handles, labels = [], []
    if 1 < len(classes) <= MOST_CLASSES:
        for number, label in enumerate(classes):
            own = [m for m, c in zip(margins, data["labels"], strict=True) if c == label]
            # the first look is that of all rows together
            look = _palette.of_line(number + 1)
            handles.append(_draw_curve(axes, own, linewidth=1.3, color=look.color, ls=look.dashes))
            labels.append(_text.format_label(label))
    handles.insert(0, _draw_curve(axes, margins, color=_palette.BLUE, linewidth=2.4))
    labels.insert(0, "all rows")
    axes.axvline(0, color=_palette.INK, linewidth=1)
    # read before the band is drawn, which would widen the axes
    left, right = axes.get_xlim()
    if margins[0] < 0:
        axes.axvspan(left, 0, color=_palette.VERMILLION, alpha=0.12, linewidth=0)
    axes.set_xlim(left, right)
    axes.set_ylim(0, 1)
    axes.set_title(describe(data), fontsize=9)
    unit = "distance, y (w·x + c) / ‖w‖" if data["kind"] == "geometric" else "score, y f(x)"
    axes.set_xlabel(f"{data['kind']} margin: {unit}")
    axes.set_ylabel("share of rows with at most this margin")
    axes.grid(visible=True)
    _style.draw_legend(figure, handles, labels)


def _draw_curve(axes: Axes, margins: list[float], **look: Any) -> Any:
    """Draw the share of the rows with at most this margin: a step up at each row."""
    n = len(margins)
    span = margins[-1] - margins[0] or 1.0
    across = [(m - margins[0]) / span for m in margins]
    share = [(i + 1) / n for i in range(n)]
    kept = _drawing.select_visible(across, share)
    x = [margins[0], *(margins[i] for i in kept)]
    y = [0.0, *(share[i] for i in kept)]
    return axes.step(x, y, where="post", zorder=3, **look)[0]
