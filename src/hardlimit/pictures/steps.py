"""The successive lines of a trace."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError
from hardlimit.pictures import _drawing, _palette, _plane, _scatter, _style, _text, _trace
from hardlimit.pictures._picture import Picture
from hardlimit.textbook.writing import approximate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 60
MOST_LINES = 80  # in one window, evenly chosen from all
ABREAST = 3
SHORT = {_drawing.NO_LINE: "no line", _drawing.OUT_OF_SIGHT: "line out of sight"}


def steps(trace: Any, *, panels: bool | None = None) -> Picture:
    """The line after every correction, with the row that was responsible, as on a blackboard.

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
    found = _trace.corrections(who, trace)
    names = _trace.names_of(trace)
    if len(names) != 2:
        raise InputError(
            f"{who}: got rows of {_text.count(len(names), 'column')}, wanted 2, which make a "
            "plane; trace two of the columns, or see the weights grow with pictures.weights"
        )
    if panels and len(found) > MOST_PANELS:
        raise InputError(
            f"{who}: got panels=True with {len(found):,} corrections, wanted at most "
            f"{MOST_PANELS}; take panels=False, which draws one window"
        )
    examples = trace.examples
    points = [[approximate(v) for v in row[:2]] for row in examples.rows]
    box = _plane.box_of(who, [p[0] for p in points], [p[1] for p in points])
    low, high = examples.classes
    bias = 0.0 if examples.bias_feature is None else float(examples.bias_feature)
    data = {
        "names": names,
        "points": points,
        "labels": [high if t > 0 else low for t in examples.targets],
        "classes": [low, high],
        "window": box._asdict(),
        "panels": len(found) <= 12 if panels is None else panels,
        "start": _seen(box, _trace.start(who, trace), bias),
        "corrections": [
            {"number": one.number, "epoch": one.epoch, "rows": one.rows}
            | _seen(box, one.after, bias)
            for one in found
        ],
        "stop_reason": trace.stop_reason,
    }
    return Picture(
        name="steps",
        title=f"The line after each correction: {trace.about.rule}",
        description=f"{_text.count(len(found), 'correction')} of {len(points):,} rows in the "
        f"plane, each with the row that caused it and the line that it left; {said(data)}.",
        data=data,
        draw=_panels if data["panels"] else _together,
        size=_size(len(found)) if data["panels"] else box.size,
    )


def _seen(box: _plane.Box, weights: tuple[Any, ...], bias: float) -> dict[str, Any]:
    """The weights, and their line in the window."""
    a, b, *rest = _plane.scaled(weights)
    c = rest[0] * bias if rest else 0.0
    return {"weights": _floats(weights)} | _drawing.seen_line(box, a, b, c)


def _floats(weights: tuple[Any, ...]) -> list[float]:
    try:
        return [float(w) for w in weights]
    except OverflowError:
        return _plane.scaled(weights)


def said(data: dict[str, Any]) -> str:
    """How the run ended, in words."""
    last = data["stop_reason"]
    return {"separated": "then no row is wrong", "max_iter": "no end was reached"}.get(
        last, f"it ended as {last}"
    )


def _size(n: int) -> tuple[float, float]:
    wide, high = min(max(n, 1), ABREAST), math.ceil(max(n, 1) / ABREAST)
    return (max(2.15 * wide + 0.3, 4.4), 2.15 * high + 1.25)


def _panels(figure: Figure, data: dict[str, Any]) -> None:
    """A window for each correction."""
    steps = data["corrections"] or [data["start"] | {"number": 0, "rows": []}]
    high, wide = math.ceil(len(steps) / ABREAST), min(len(steps), ABREAST)
    grid = figure.add_gridspec(high, wide)
    places = [figure.add_subplot(grid[k // wide, k % wide]) for k in range(len(steps))]
    before = data["start"]
    handles: list[Any] = []
    labels: list[str] = []
    for axes, step in zip(places, steps, strict=True):
        handles, labels = _panel(axes, data, before, step)
        before = step
    for number, axes in enumerate(places):
        is_lowest, is_first = number + wide >= len(steps), number % wide == 0
        axes.tick_params(labelbottom=is_lowest, labelleft=is_first)
        axes.set_xlabel(_text.label(data["names"][0]) if is_lowest else "", fontsize=9)
        axes.set_ylabel(_text.label(data["names"][1]) if is_first else "", fontsize=9)
    marks = _marks(places[0])
    _style.legend(figure, handles + marks[0], labels + marks[1])


def _panel(
    axes: Axes, data: dict[str, Any], before: dict[str, Any], step: dict[str, Any]
) -> tuple[list[Any], list[str]]:
    box = _plane.Box(**data["window"])
    _drawing.side(axes, step["side"])
    _drawing.line(axes, before["ends"], color=_palette.QUIET, linewidth=1.2, dashes=(4, 2))
    _drawing.line(axes, step["ends"], linewidth=2)
    if step["normal"]:
        _drawing.arrow(axes, step["normal"])
    found = _scatter.scatter(axes, box, data)
    _drawing.rings(axes, [data["points"][i] for i in step["rows"]])
    _scatter.window(axes, box)
    said = f"{step['number']}.  {_rows(step['rows'])}" if step["number"] else "the start"
    axes.set_title(f"{said}: {SHORT[step['why']]}" if step["why"] else said, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.locator_params(nbins=4)
    return found


def _rows(rows: list[int]) -> str:
    """The rows of a correction, numbered from 1 as in the table.

    >>> _rows([2]), _rows([0, 1, 3]), _rows([0, 1, 2, 3, 4])
    ('row 3', 'rows 1, 2, 4', '5 rows')
    """
    if len(rows) > 3:
        return f"{len(rows):,} rows"
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(str(i + 1) for i in rows)}"


def _marks(axes: Axes) -> tuple[list[Any], list[str]]:
    """What the legend says of lines and rings."""
    new = axes.plot([], [], color=_palette.INK, linewidth=2)[0]
    old = axes.plot([], [], color=_palette.QUIET, linewidth=1.2, dashes=(4, 2))[0]
    return [_drawing.rings(axes, []), new, old], ["responsible", "line after", "line before"]


def _together(figure: Figure, data: dict[str, Any]) -> None:
    """All lines in one window, the older the fainter."""
    axes = figure.add_subplot()
    box = _plane.Box(**data["window"])
    seen = [step for step in data["corrections"] if step["ends"]]
    every = max(1, math.ceil(len(seen) / MOST_LINES))
    drawn = seen[::-1][::every][::-1]
    handles, labels = [], []
    for number, step in enumerate(drawn, start=1):
        age = number / len(drawn)
        if number < len(drawn):
            look = {"alpha": 0.08 + 0.5 * age * age, "linewidth": 1.0}
            _drawing.line(axes, step["ends"], color=_palette.INK, zorder=2, **look)
    if drawn:
        last = drawn[-1]
        _drawing.side(axes, last["side"])
        _drawing.arrow(axes, last["normal"])
        handles.append(_drawing.line(axes, last["ends"], linewidth=2.6))
        labels.append(f"line after correction {last['number']:,}")
    found = _scatter.scatter(axes, box, data)
    counts = _counts(data)
    ring = axes.scatter(
        [data["points"][i][0] for i in counts],
        [data["points"][i][1] for i in counts],
        s=[70 + 230 * n / max(counts.values()) for n in counts.values()],
        facecolors="none",
        edgecolors=_palette.VERMILLION,
        linewidths=1.6,
        zorder=4,
    )
    _scatter.window(axes, box)
    few = f", {len(drawn):,} of them drawn" if every > 1 else ""
    few += "" if drawn else "; no line is in sight"
    axes.set_title(f"{_text.count(len(data['corrections']), 'correction')}{few}", fontsize=9)
    axes.set_xlabel(_text.label(data["names"][0]))
    axes.set_ylabel(_text.label(data["names"][1]))
    most = "responsible, the larger the more often"
    _style.legend(figure, [*found[0], *handles, ring], [*found[1], *labels, most])


def _counts(data: dict[str, Any]) -> dict[int, int]:
    """How often each row was corrected."""
    found: dict[int, int] = {}
    for step in data["corrections"]:
        for i in step["rows"]:
            found[i] = found.get(i, 0) + 1
    return found
