"""Curves over all thresholds of scores: what ROC and precision-recall have in common."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from hardlimit.evaluation import ThresholdPoint
from hardlimit.pictures import _drawing, _labels, _palette, _style, _text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def collect(
    truth: list[bool],
    positive: Hashable,
    points: list[ThresholdPoint],
    threshold: float | None,
    rates: Sequence[str],
    figures: dict[str, Any],
) -> dict[str, Any]:
    """Return the data of a curve: who is positive, figures, and two rates at every threshold."""
    return {
        "positive": positive,
        "positives": truth.count(True),
        "negatives": truth.count(False),
        **figures,
        "threshold": [at.threshold for at in points],
        **{rate: [getattr(at, rate) for at in points] for rate in rates},
        "mark": _labels.find_mark(points, threshold),
    }


def draw(
    figure: Figure,
    data: dict[str, Any],
    rates: tuple[str, str],
    names: tuple[str, str],
    labels: tuple[str, str],
    *,
    chance: tuple[float, float],
    step: Literal["pre"] | None = None,
) -> None:
    """Draw one rate over the other.

    names : of the axes.    labels : of the curve and of chance, a line from 0 to 1 between two
    heights.    step : how a curve in steps goes on, "pre"; None: straight from point to point.
    """
    axes = figure.add_subplot()
    x, y = (data[rate] for rate in rates)
    kept = _drawing.select_visible(x, y)
    x, y = [x[i] for i in kept], [y[i] for i in kept]
    look: dict[str, Any] = {"color": _palette.BLUE, "linewidth": 2, "clip_on": False, "zorder": 3}
    curve = axes.plot(x, y, drawstyle=f"steps-{step}" if step else "default", **look)[0]
    axes.fill_between(x, y, step=step, color=_palette.BLUE, alpha=0.1, linewidth=0)
    line = axes.plot([0, 1], chance, color=_palette.QUIET, linewidth=1, dashes=(4, 3))[0]
    handles, told = [curve, line], [*labels]
    if at := data["mark"]:
        handles.append(_style.draw_spot(axes, *(at[rate] for rate in rates)))
        told.append(f"threshold {_text.format_number(at['threshold'])}")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.set_xlabel(names[0])
    axes.set_ylabel(names[1])
    axes.grid(visible=True)
    _style.draw_legend(figure, handles, told)
