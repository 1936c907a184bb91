"""The sequence of weight vectors among the rows, beside the line that moves with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsFloat

from hardlimit.exceptions import Given, InputError, Suggestion
from hardlimit.foundation.formatting import plural
from hardlimit.pictures import _drawing, _palette, _plane, _scatter, _style, _text, _trace
from hardlimit.pictures._picture import Picture
from hardlimit.pictures.steps import describe_end

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec
    from mpl_toolkits.mplot3d import Axes3D

    from hardlimit.textbook import Trace

MOST = 60  # vectors that are drawn, the last ones
NUMBERED = 8  # and so many of them with the number of their correction
MOST_AVOIDED = 500  # points that a number keeps away from
REACH = 2.0  # how far beyond the rows the longest vector may go before all are scaled
WHO = "pictures.weight_vectors"


def weight_vectors(trace: Trace) -> Picture:
    """Draw the weights as vectors among the rows, and the line that they stand upright on.

    Parameters
    ----------
    trace
        Of :func:`hardlimit.textbook.trace`, over two columns, with or without a bias.

    Notes
    -----
    After figure 5.13 of Duda, Hart and Stork. Weights and rows live in one space, which has a
    third dimension where there is a bias: the rows then lie in the plane ``x0`` = its feature.
    Left, the weights after each correction from the origin, later ones darker, each joined to the
    next by the correction: a part of the row, or of its opposite. The last vectors and lines have
    the numbers of their corrections. Right, the lines of these weights
    in the plane of the rows: before the last correction dashed, after it solid. Vectors much longer
    than the rows are all drawn shorter by one factor, ``data["scale"]``.

    Examples
    --------
    >>> from hardlimit import pictures, textbook
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> data = pictures.weight_vectors(textbook.trace(X, y)).data
    >>> [one["weights"] for one in data["corrections"]], data["scale"]
    ([[1.0, 1.0, 1.0], [2.0, 0.0, 0.0], [1.0, 1.0, -1.0]], 1.0)
    """
    corrections = _trace.list_corrections(WHO, trace)
    names, examples = _trace.column_names(trace), trace.examples
    if len(names) != 2:
        raise InputError(
            who=WHO,
            got=Given(f"rows of {plural(len(names), 'column')}"),
            wanted="2, which make a plane",
            fix=("see the weights grow with ", Suggestion("pictures.weights")),
        )
    rows = [[_plane_number(v) for v in row] for row in examples.rows]
    points = [row[:2] for row in rows]
    box = _plane.make_box(WHO, [p[0] for p in points], [p[1] for p in points])
    bias = None if examples.bias_feature is None else float(examples.bias_feature)
    low, high = examples.classes
    start = _describe(box, _trace.start_weights(WHO, trace), bias)
    made = [
        {"number": one.number, "rows": one.rows} | _describe(box, one.after, bias)
        for one in corrections
    ]
    reach = max(math.hypot(*row) for row in rows) or 1.0
    longest = max(math.hypot(*one["weights"]) for one in [start, *made])
    data: dict[str, Any] = {
        "names": [*names, *([] if bias is None else ["x0"])],
        "rows": rows,
        "points": points,
        "labels": [high if t > 0 else low for t in examples.targets],
        "classes": [low, high],
        "window": box.to_json(),
        "scale": 1.0 if longest <= REACH * reach else REACH * reach / longest,
        "start": start,
        "corrections": made,
        "stop_reason": trace.stop_reason,
    }
    return Picture(
        name="weight_vectors",
        title=f"The weight vectors and their line: {trace.about.rule}",
        description=f"{plural(len(made), 'correction')} of {plural(len(rows), 'row')}: the weights "
        f"after each as a vector among the rows, and the line that it stands upright on; "
        f"{describe_end(data)}.",
        data=data,
        draw=_draw,
        size=(7.0, 4.4),
    )


def _plane_number(value: SupportsFloat) -> float:
    number = float(value)
    if abs(number) >= _plane.MOST:
        raise InputError(
            who=WHO,
            got=Given("numbers that have no place"),
            wanted=f"numbers below {_plane.MOST:g}",
        )
    return number


def _describe(box: _plane.Box, weights: tuple[Any, ...], bias: float | None) -> dict[str, Any]:
    """Return the weights, and their line in the window."""
    floats = [_plane_number(w) for w in weights]
    a, b, *rest = _plane.scale_weights(weights)
    c = 0.0 if bias is None else rest[0] * bias
    return {"weights": floats} | _drawing.describe_line(box, a, b, c)


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    # Titles in a row of their own stand side by side, whatever the panels below them are.
    grid = figure.add_gridspec(2, 2, height_ratios=(0.05, 1.0))
    for column, title in enumerate((_title(data), "the plane of the rows: the line moves")):
        above = figure.add_subplot(grid[0, column])
        above.set_axis_off()
        above.text(0.5, 0.5, title, ha="center", va="center", fontsize=9)
    draw_space = _draw_flat_space if len(data["names"]) == 2 else _draw_deep_space
    vectors = draw_space(figure, grid[1, 0], data)
    axes = figure.add_subplot(grid[1, 1])
    legend = _draw_lines(axes, data)
    handles, labels = legend
    _style.draw_legend(figure, [*handles, vectors], [*labels, "weights, later ones darker"])


def _ages(data: dict[str, Any]) -> list[tuple[dict[str, Any], float]]:
    """Return the last corrections, each with how dark it is drawn."""
    shown = data["corrections"][-MOST:]
    return [(one, 0.15 + 0.85 * (k + 1) / len(shown)) for k, one in enumerate(shown)]


def _numbered(data: dict[str, Any], places: list[Any]) -> list[tuple[Any, str]]:
    """Return where numbers stand, each with those of the last corrections that lead there."""
    numbers: dict[Any, list[str]] = {}
    shown = data["corrections"][-MOST:]
    for one, place in list(zip(shown, places, strict=True))[-NUMBERED:]:
        if place is not None:
            numbers.setdefault(tuple(place), []).append(str(one["number"]))
    return [(place, ", ".join(own)) for place, own in numbers.items()]


_NUMBER: dict[str, Any] = {"fontsize": 8, "color": _palette.VERMILLION, "fontweight": "bold"}


def _path(data: dict[str, Any]) -> list[list[float]]:
    """Return the tips of the vectors, in the scale in which they are drawn."""
    shown, before = data["corrections"][-MOST:], data["corrections"][:-MOST]
    first = before[-1] if before else data["start"]
    return [[data["scale"] * w for w in one["weights"]] for one in [first, *shown]]


def _title(data: dict[str, Any]) -> str:
    scale = data["scale"]
    shorter = "" if scale == 1 else f", drawn {_text.format_number(1 / scale, 3)} times shorter"
    return f"feature space: the weights as vectors{shorter}"


def _draw_flat_space(figure: Figure, place: SubplotSpec, data: dict[str, Any]) -> Any:
    """Draw rows and weights in one plane, through whose origin all lines go."""
    axes = figure.add_subplot(place)
    path = _path(data)
    everything = [*data["points"], *path, [0.0, 0.0]]
    box = _plane.make_box(WHO, [p[0] for p in everything], [p[1] for p in everything])
    box = _shaped(box, _plane.Box(**data["window"]))
    for tip, numbers in _numbered(data, path[1:]):
        # Beyond the tip, on the ray from the origin.
        length = math.hypot(*tip) or 1.0
        beyond = (13 * tip[0] / length, 11 * tip[1] / length)
        where: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "center"}
        axes.annotate(numbers, tip, beyond, zorder=6, **where, **_NUMBER)
    axes.plot([p[0] for p in path], [p[1] for p in path], **_PATH)
    for (_, dark), tip in zip(_ages(data), path[1:], strict=True):
        arrow = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "color": _palette.INK}
        axes.annotate(
            "", xy=(tip[0], tip[1]), xytext=(0, 0), arrowprops=arrow | {"alpha": dark}, zorder=3
        )
        axes.plot([0, tip[0]], [0, tip[1]], color=_palette.INK, alpha=dark, linewidth=1.4, zorder=3)
    _scatter.draw_points(axes, box, data)
    axes.plot([0], [0], marker="+", color=_palette.INK, markersize=10, zorder=5)
    _scatter.set_window(axes, box)
    _label(axes, data)
    return axes.plot([], [], color=_palette.INK, linewidth=1.4)[0]


def _shaped(box: _plane.Box, like: _plane.Box) -> _plane.Box:
    """Return a window with room around it, so that it has the shape of another one."""
    if not (box.is_even and like.is_even):
        return box
    shape = like.height / like.width
    wide = max(0.0, box.height / shape - box.width) / 2
    high = max(0.0, box.width * shape - box.height) / 2
    return _plane.Box(box.x0 - wide, box.x1 + wide, box.y0 - high, box.y1 + high)


_PATH: dict[str, Any] = {
    "color": _palette.VERMILLION, "linewidth": 1.0, "linestyle": (0, (2, 2)), "zorder": 2,
}  # fmt: skip


def _draw_deep_space(figure: Figure, place: SubplotSpec, data: dict[str, Any]) -> Any:
    """Draw rows and weights in space: the rows lie in the plane of the bias's feature."""
    from mpl_toolkits.mplot3d import Axes3D

    axes: Any = figure.add_subplot(place, axes_class=Axes3D, computed_zorder=False)
    path = _path(data)
    for number, label in enumerate(data["classes"]):
        own = [r for r, c in zip(data["rows"], data["labels"], strict=True) if c == label]
        look = _palette.of_class(number)
        if own:
            style = {"c": look.color, "marker": look.marker, "edgecolors": _palette.INK}
            axes.scatter(*zip(*own, strict=True), s=26, linewidths=0.6, zorder=4, **style)
    axes.plot(*zip(*path, strict=True), **_PATH)
    for (_, dark), tip in zip(_ages(data), path[1:], strict=True):
        arrow = {"color": _palette.INK, "alpha": dark, "linewidth": 1.5}
        if any(tip):
            axes.quiver(0, 0, 0, *tip, zorder=3, arrow_length_ratio=0.12, **arrow)
    for tip, numbers in _numbered(data, path[1:]):
        axes.text(*tip, f" {numbers}", zorder=6, **_NUMBER)
    _draw_floor(axes, data)
    axes.set_xlabel(_text.format_label(data["names"][0]), fontsize=8)
    axes.set_ylabel(_text.format_label(data["names"][1]), fontsize=8)
    axes.set_zlabel("x0", fontsize=8, labelpad=-4)
    axes.tick_params(labelsize=7, pad=0)
    axes.view_init(elev=24, azim=-62)
    axes.locator_params(nbins=4)
    return axes.plot([], [], [], color=_palette.INK, linewidth=1.5)[0]


def _draw_floor(axes: Axes3D, data: dict[str, Any]) -> None:
    """Draw the plane of the rows as a frame, with the line of the last weights in it."""
    box, height = _plane.Box(**data["window"]), data["rows"][0][2]
    x = [box.x0, box.x1, box.x1, box.x0, box.x0]
    y = [box.y0, box.y0, box.y1, box.y1, box.y0]
    axes.plot(x, y, [height] * 5, color=_palette.QUIET, linewidth=0.7, zorder=1)
    last = data["corrections"][-1] if data["corrections"] else data["start"]
    if last["ends"]:
        (x0, y0), (x1, y1) = last["ends"]
        axes.plot([x0, x1], [y0, y1], [height] * 2, color=_palette.INK, linewidth=2, zorder=2)


def _draw_lines(axes: Axes, data: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """Draw the line after each correction, later ones darker."""
    box = _plane.Box(**data["window"])
    made = [data["start"] | {"rows": []}, *data["corrections"]]
    last, before = made[-1], made[-2] if len(made) > 1 else None
    _drawing.tint_side(axes, last["side"])
    for one, dark in _ages(data)[:-2]:
        _drawing.draw_line(axes, one["ends"], color=_palette.INK, alpha=0.5 * dark, linewidth=1.0)
    if before is not None:
        _drawing.draw_line(axes, before["ends"], color=_palette.QUIET, dashes=(4, 2))
    _drawing.draw_line(axes, last["ends"], linewidth=2.4)
    if last["normal"]:
        _drawing.draw_arrow(axes, last["normal"])
    _number_lines(axes, data)
    handles, labels = _scatter.draw_points(axes, box, data)
    ring = _drawing.draw_rings(axes, [data["points"][i] for i in last["rows"]])
    _scatter.set_window(axes, box)
    _label(axes, data)
    new = axes.plot([], [], color=_palette.INK, linewidth=2.4)[0]
    old = axes.plot([], [], color=_palette.QUIET, linewidth=1.6, dashes=(4, 2))[0]
    said = ["row of the last correction", "line after it", "line before it"]
    return [*handles, ring, new, old], [*labels, *said]


def _number_lines(axes: Axes, data: dict[str, Any]) -> None:
    """Write the numbers of the last corrections on their lines."""
    lines = [one["ends"] and tuple(map(tuple, one["ends"])) for one in data["corrections"]]
    avoided = list(data["points"][:MOST_AVOIDED])
    for line, numbers in _numbered(data, lines[-MOST:]):
        place = _find_room(line, avoided)
        avoided.append(place)
        rim = {"boxstyle": "round,pad=0.15", "color": "white"}
        where: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 5, "bbox": rim}
        axes.text(place[0], place[1], numbers, **where, **_NUMBER)


def _find_room(ends: Sequence[Sequence[float]], avoided: list[list[float]]) -> list[float]:
    """Return a place on a line, far from points and other numbers; its middle is the arrow's."""
    places = [
        [a + part * (b - a) for a, b in zip(*ends, strict=True)]
        for part in (0.06, 0.15, 0.25, 0.35, 0.65, 0.75, 0.85, 0.94)
    ]
    return max(places, key=lambda place: min(math.dist(place, one) for one in avoided))


def _label(axes: Axes, data: dict[str, Any]) -> None:
    axes.set_xlabel(_text.format_label(data["names"][0]), fontsize=9)
    axes.set_ylabel(_text.format_label(data["names"][1]), fontsize=9)
    axes.tick_params(labelsize=8)
