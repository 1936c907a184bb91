"""The line after each correction of a trace."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError, Setting, Suggestion
from hardlimit.foundation.formatting import plural
from hardlimit.pictures import _drawing, _palette, _plane, _scatter, _style, _text, _trace
from hardlimit.pictures._picture import Picture
from hardlimit.textbook.writing import approximate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hardlimit.textbook import Trace

MOST_PANELS = 60
MOST_LINES = 80  # in one window, evenly chosen from all
ABREAST = 3
SHORT = {_drawing.NO_LINE: "no line", _drawing.OUT_OF_SIGHT: "line out of sight"}


def steps(trace: Trace, *, panels: bool | None = None) -> Picture:
    """Draw the line after every correction, with the row that caused it, as on a blackboard.

    Parameters
    ----------
    trace
        Of :func:`hardlimit.textbook.trace`, over two columns.
    panels
        True: a window for each correction, with the line before and after; False: all lines in
        one window, the older the fainter; default: windows up to 12 corrections.

    Notes
    -----
    The line is ``w1 x1 + w2 x2 + w0 x0 = 0``; the side to which the arrow, the normal, points is
    that of the second class, and tinted. In a batch all violators are ringed.

    Examples
    --------
    >>> from hardlimit import pictures, textbook
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> picture = pictures.steps(textbook.trace(X, y))
    >>> for step in picture.data["corrections"]:
    ...     print(step["number"], step["rows"], step["weights"])
    1 [0] [1.0, 1.0, 1.0]
    2 [1] [2.0, 0.0, 0.0]
    3 [2] [1.0, 1.0, -1.0]
    """
    who = "pictures.steps"
    corrections = _trace.list_corrections(who, trace)
    names = _trace.column_names(trace)
    _check(who, names, len(corrections), panels)
    examples = trace.examples
    # a third column, if there is one, is the bias feature
    points = [[approximate(v) for v in row[:2]] for row in examples.rows]
    box = _plane.make_box(who, [p[0] for p in points], [p[1] for p in points])
    low, high = examples.classes
    bias = 0.0 if examples.bias_feature is None else float(examples.bias_feature)
    data = {
        "names": names,
        "points": points,
        "labels": [high if t > 0 else low for t in examples.targets],
        "classes": [low, high],
        "window": box.to_json(),
        "panels": len(corrections) <= 12 if panels is None else panels,
        "start": _describe_weights(box, _trace.start_weights(who, trace), bias),
        "corrections": [
            {"number": one.number, "epoch": one.epoch, "rows": one.rows}
            | _describe_weights(box, one.after, bias)
            for one in corrections
        ],
        "stop_reason": trace.stop_reason,
    }
    return Picture(
        name="steps",
        title=f"The line after each correction: {trace.about.rule}",
        description=f"{plural(len(corrections), 'correction')} of {plural(len(points), 'row')} "
        "in the plane, each with the row that caused it and the line that it left; "
        f"{describe_end(data)}.",
        data=data,
        draw=_draw_panels if data["panels"] else _draw_together,
        size=_figure_size(len(corrections)) if data["panels"] else box.size,
    )


def _check(who: str, names: Sequence[str], n_corrections: int, panels: bool | None) -> None:
    """Refuse what has no line to draw, or too many windows."""
    if len(names) != 2:
        raise InputError(
            who=who,
            got=Given(f"rows of {plural(len(names), 'column')}"),
            wanted="2, which make a plane",
            fix=(
                "trace two of the columns, or see the weights grow with ",
                Suggestion("pictures.weights"),
            ),
        )
    if panels and n_corrections > MOST_PANELS:
        raise InputError(
            who=who,
            got=Given(f"{plural(n_corrections, 'correction')}"),
            wanted=f"at most {MOST_PANELS} for a panel each",
            fix=("say ", Setting("panels", False), ", which draws all lines in one window"),
        )


def _describe_weights(box: _plane.Box, weights: tuple[Any, ...], bias: float) -> dict[str, Any]:
    """Return the weights, and their line in the window."""
    # fractions of a long run have no float, but scaled they have the same line
    a, b, *rest = _plane.scale_weights(weights)
    c = rest[0] * bias if rest else 0.0
    return {"weights": _to_floats(weights)} | _drawing.describe_line(box, a, b, c)


def _to_floats(weights: tuple[Any, ...]) -> list[float]:
    try:
        return [float(w) for w in weights]
    except OverflowError:
        return _plane.scale_weights(weights)


def describe_end(data: dict[str, Any]) -> str:
    """Describe how the run ended."""
    last = data["stop_reason"]
    return {
        "separated": "after the last no row is wrong",
        "max_iter": "the run did not finish",
    }.get(last, f"it ended as {last}")


def _figure_size(n: int) -> tuple[float, float]:
    wide, high = min(max(n, 1), ABREAST), math.ceil(max(n, 1) / ABREAST)
    return (max(2.15 * wide + 0.3, 4.4), 2.15 * high + 1.25)


def _draw_panels(figure: Figure, data: dict[str, Any]) -> None:
    """Draw a window for each correction."""
    steps = data["corrections"] or [data["start"] | {"number": 0, "rows": []}]
    high, wide = math.ceil(len(steps) / ABREAST), min(len(steps), ABREAST)
    grid = figure.add_gridspec(high, wide)
    places = [figure.add_subplot(grid[k // wide, k % wide]) for k in range(len(steps))]
    before = data["start"]
    handles: list[Any] = []
    labels: list[str] = []
    for axes, step in zip(places, steps, strict=True):
        handles, labels = _draw_panel(axes, data, before, step)
        before = step
    for number, axes in enumerate(places):
        is_lowest, is_first = number + wide >= len(steps), number % wide == 0
        axes.tick_params(labelbottom=is_lowest, labelleft=is_first)
        axes.set_xlabel(_text.format_label(data["names"][0]) if is_lowest else "", fontsize=9)
        axes.set_ylabel(_text.format_label(data["names"][1]) if is_first else "", fontsize=9)
    marks = _make_legend_marks(places[0])
    _style.draw_legend(figure, handles + marks[0], labels + marks[1])


def _draw_panel(
    axes: Axes, data: dict[str, Any], before: dict[str, Any], step: dict[str, Any]
) -> tuple[list[Any], list[str]]:
    box = _plane.Box(**data["window"])
    _drawing.tint_side(axes, step["side"])
    _drawing.draw_line(axes, before["ends"], color=_palette.QUIET, linewidth=1.2, dashes=(4, 2))
    _drawing.draw_line(axes, step["ends"], linewidth=2)
    if step["normal"]:
        _drawing.draw_arrow(axes, step["normal"])
    legend = _scatter.draw_points(axes, box, data)
    _drawing.draw_rings(axes, [data["points"][i] for i in step["rows"]])
    _scatter.set_window(axes, box)
    title = f"{step['number']}.  {_name_rows(step['rows'])}" if step["number"] else "start"
    axes.set_title(f"{title}: {SHORT[step['why']]}" if step["why"] else title, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.locator_params(nbins=4)
    return legend


def _name_rows(rows: list[int]) -> str:
    """Name the rows of a correction, numbered from 1 as in the table.

    >>> _name_rows([2]), _name_rows([0, 1, 3]), _name_rows([0, 1, 2, 3, 4])
    ('row 3', 'rows 1, 2, 4', '5 rows')
    """
    if len(rows) > 3:
        return f"{plural(len(rows), 'row')}"
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(str(i + 1) for i in rows)}"


def _make_legend_marks(axes: Axes) -> tuple[list[Any], list[str]]:
    """Return handles and labels of a legend for lines and rings."""
    new = axes.plot([], [], color=_palette.INK, linewidth=2)[0]
    old = axes.plot([], [], color=_palette.QUIET, linewidth=1.2, dashes=(4, 2))[0]
    return [_drawing.draw_rings(axes, []), new, old], ["corrected row", "line after", "line before"]


def _draw_together(figure: Figure, data: dict[str, Any]) -> None:
    """Draw all lines in one window, the older the fainter."""
    axes = figure.add_subplot()
    box = _plane.Box(**data["window"])
    seen = [step for step in data["corrections"] if step["ends"]]
    every = max(1, math.ceil(len(seen) / MOST_LINES))
    # thinned from the end, so that the last line is always there
    drawn = seen[::-1][::every][::-1]
    handles, labels = [], []
    for number, step in enumerate(drawn, start=1):
        age = number / len(drawn)
        if step is not data["corrections"][-1]:
            look = {"alpha": 0.08 + 0.5 * age * age, "linewidth": 1.0}
            _drawing.draw_line(axes, step["ends"], color=_palette.INK, zorder=2, **look)
    last = data["corrections"][-1] if data["corrections"] else None
    if last is not None:
        _drawing.tint_side(axes, last["side"])
    # Bold is the line at the end; an older one in its place would be taken for it.
    if last is not None and last["ends"]:
        _drawing.draw_arrow(axes, last["normal"])
        handles.append(_drawing.draw_line(axes, last["ends"], linewidth=2.6))
        labels.append(f"line after correction {last['number']:,}, the last")
    points = _scatter.draw_points(axes, box, data)
    counts = _count_corrections(data)
    ring = axes.scatter(
        [data["points"][i][0] for i in counts],
        [data["points"][i][1] for i in counts],
        s=[70 + 230 * n / max(counts.values()) for n in counts.values()],
        facecolors="none",
        edgecolors=_palette.VERMILLION,
        linewidths=1.6,
        zorder=4,
    )
    _scatter.set_window(axes, box)
    few = f", {len(drawn):,} of them drawn" if every > 1 else ""
    if last is not None and not last["ends"]:
        few += f"; after the last: {SHORT[last['why']]}" if drawn else "; no line is in sight"
    axes.set_title(f"{plural(len(data['corrections']), 'correction')}{few}", fontsize=9)
    axes.set_xlabel(_text.format_label(data["names"][0]))
    axes.set_ylabel(_text.format_label(data["names"][1]))
    most = "corrected row (larger: more often)"
    _style.draw_legend(figure, [*points[0], *handles, ring], [*points[1], *labels, most])


def _count_corrections(data: dict[str, Any]) -> dict[int, int]:
    """Count how often each row was corrected."""
    counts: dict[int, int] = {}
    for step in data["corrections"]:
        for i in step["rows"]:
            counts[i] = counts.get(i, 0) + 1
    return counts
