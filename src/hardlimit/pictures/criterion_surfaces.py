"""The four criteria over two weights, and the path of a trace across them."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.exceptions import Given, InputError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import FloatArray
from hardlimit.pictures import _drawing, _palette, _plane, _style, _text, _trace
from hardlimit.pictures._picture import Picture
from hardlimit.textbook.writing import approximate
from hardlimit.theory import criteria

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

    from hardlimit.textbook import Trace

WHO = "pictures.criterion_surfaces"
CELLS = 81
MOST_NUMBERS = 10_000_000
NAMES = {
    "misclassified": "J: misclassified rows",
    "perceptron-criterion": "J_p: perceptron",
    "squared-criterion": "J_q: squared",
    "relaxation-criterion": "J_r: relaxation",
}


def criterion_surfaces(
    trace: Trace, *, b: float = 1.0, weights: tuple[int, int] | None = None, view: str = "maps"
) -> Picture:
    """Draw each criterion over two weights, with the path of a trace across it.

    Parameters
    ----------
    trace
        Of :func:`hardlimit.textbook.trace`, with two weights: two columns through the origin, or
        one and the bias.
    b
        The margin of the relaxation criterion, > 0.
    weights
        Which two weights, where there are more; the others are held where the trace ended.
    view
        "maps": seen from above; "surfaces": in three dimensions.

    Notes
    -----
    The solution region, where every row is right, is shaded: its corners inside the window are
    exact. The values are those of :mod:`hardlimit.criteria`. After figures 5.11 to 5.13 of Duda,
    Hart and Stork, Pattern Classification, 2nd ed. (2001).

    Examples
    --------
    >>> from hardlimit import pictures, textbook
    >>> Z = [[-2, -2], [-1, 0], [0, 2]]
    >>> trace = textbook.trace(Z, [1, 1, 1], bias_feature=None, order=[[1, 2, 0]] * 9)
    >>> picture = pictures.criterion_surfaces(trace)
    >>> picture.data["trajectory"]
    [[0.0, 0.0], [-1.0, 0.0], [-1.0, 2.0], [-3.0, 0.0], [-3.0, 2.0]]
    >>> picture.data["values"]["misclassified"]
    [3, 1, 1, 1, 0]
    """
    if view not in ("maps", "surfaces"):
        wanted = "'maps' or 'surfaces'"
        raise InputError(who=WHO, parameter="view", got=view, wanted=wanted)
    corrections = _trace.list_corrections(WHO, trace)
    path = _to_array([_trace.start_weights(WHO, trace), *(c.after for c in corrections)])
    i, j = _choose_two(path.shape[1], weights)
    held = path[-1].copy()
    held[[i, j]] = 0.0
    names = _name_weights(trace)
    data: dict[str, Any] = {
        "weights": [names[i], names[j]],
        "held": {names[k]: float(v) for k, v in enumerate(held) if k not in (i, j)},
        "b": float(b),
        **_describe_surfaces(_to_array(trace.examples.signed), held, path[:, [i, j]], (i, j), b),
        "rows": [one.rows for one in corrections],
    }
    fixed = [
        f"{_text.format_label(k)} held at {_text.format_number(v)}" for k, v in data["held"].items()
    ]
    return Picture(
        name="criterion_surfaces",
        title="; ".join(["Four criteria over two weights, and the path of the weights", *fixed]),
        description=f"The criteria J, J_p, J_q and J_r (b = {_text.format_number(float(b))}) over "
        f"two weights, with the path of {plural(len(corrections), 'correction')} across them"
        + ("; the solution region is shaded." if data["solution"] else "; no weights solve it."),
        data=data,
        draw=_draw_maps if view == "maps" else _draw_surfaces,
        size=(6.6, 6.6),
    )


def _describe_surfaces(
    Z: FloatArray, held: FloatArray, in_two: FloatArray, two: tuple[int, int], b: float
) -> dict[str, Any]:
    """Return the window, the criteria on its grid and along the path, and where all are right."""
    # what the weights that are held add to each row, computed once for all points
    rest = Z @ held
    # 0 is in sight too, where most runs start
    across, up = ([0.0, *in_two[:, k].tolist()] for k in range(2))
    box = _plane.make_box(WHO, across, up, around=0.25)
    x = np.linspace(box.x0, box.x1, CELLS)
    y = np.linspace(box.y0, box.y1, CELLS)
    kinds = {name: _criterion(name, b) for name in NAMES}
    on_grid = [np.tile(x, CELLS), np.repeat(y, CELLS)]
    return {
        "window": box.to_json(),
        "x": x.tolist(),
        "y": y.tolist(),
        "surfaces": {
            name: _evaluate(kind, Z, two, rest, *on_grid).reshape(CELLS, CELLS).tolist()
            for name, kind in kinds.items()
        },
        "trajectory": in_two.tolist(),
        "values": {
            name: _evaluate(kind, Z, two, rest, in_two[:, 0], in_two[:, 1]).tolist()
            for name, kind in kinds.items()
        },
        "solution": _find_solution(box, Z, two, rest),
        "lines": [
            _plane.clip_line(box, z[two[0]], z[two[1]], r) for z, r in zip(Z, rest, strict=True)
        ],
    }


def _to_array(rows: Iterable[Iterable[Any]]) -> np.ndarray[Any, Any]:
    """Return rows of numbers of any kind as floats whose squares are finite."""
    array = np.array([[approximate(v) for v in row] for row in rows])
    if not (np.abs(array) < _plane.MOST).all():
        got, wanted = Given("numbers that have no place"), f"numbers below {_plane.MOST:g}"
        raise InputError(who=WHO, got=got, wanted=wanted)
    return array


def _criterion(name: str, b: float) -> Any:
    return criteria.get(name, b=b) if name == "relaxation-criterion" else criteria.get(name)


def _choose_two(n: int, weights: tuple[int, int] | None) -> tuple[int, int]:
    if weights is None and n == 2:
        return 0, 1
    if weights is None or len(weights) != 2 or not all(0 <= k < n for k in weights):
        raise InputError(
            who=WHO,
            got=Given(f"a trace of {plural(n, 'weight')}"),
            wanted=(
                "2, or ",
                Setting("weights", Given("(i, j)")),
                f" out of 0 to {n - 1}, the bias's last",
            ),
        )
    if weights[0] == weights[1]:
        raise InputError(who=WHO, parameter="weights", got=weights, wanted="two different ones")
    return weights


def _name_weights(trace: Trace) -> list[str]:
    names = [f"weight of {name}" for name in _trace.column_names(trace)]
    bias = trace.examples.bias_feature
    if bias is not None:
        names.append("threshold w0" if bias < 0 else "bias")
    return names


def _evaluate(
    kind: criteria.Criterion,
    Z: FloatArray,
    two: tuple[int, int],
    rest: FloatArray,
    p: FloatArray,
    q: FloatArray,
) -> Any:
    """Return the criterion at many weights at once: its terms, summed over its members."""
    sqnorm = np.einsum("ij,ij->i", Z, Z)
    if not sqnorm.all():
        reason = f"row {int(sqnorm.argmin())} is zero, and J_r divides by its norm"
        raise InputError(reason, who=WHO)
    total: Any = 0
    # in parts: rows times grid points may be more numbers than memory holds
    at_once = max(1, MOST_NUMBERS // len(p))
    for k in range(0, len(Z), at_once):
        part = slice(k, k + at_once)
        margin = np.outer(Z[part, two[0]], p) + np.outer(Z[part, two[1]], q) + rest[part, None]
        terms = kind.loss(SimpleNamespace(margin=margin, sqnorm=sqnorm[part, None]))
        total = total + np.where(margin <= float(kind.required), terms, 0).sum(axis=0)
    return total


def _find_solution(
    box: _plane.Box, Z: FloatArray, two: tuple[int, int], rest: FloatArray
) -> list[list[float]]:
    """Return the corners of the part of the window where every row is correct."""
    x0, x1, y0, y1 = box[:4]
    corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    # each row allows a half-plane; what all of them leave is correct on every row
    for z, r in zip(Z.tolist(), rest.tolist(), strict=True):
        corners = _plane.clip_polygon(corners, z[two[0]], z[two[1]], r)
    return corners


def _draw_maps(figure: Figure, data: dict[str, Any]) -> None:
    """Draw each criterion from above."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import MaxNLocator

    colors = LinearSegmentedColormap.from_list("hardlimit", _palette.SEQUENCE[:5])
    box = _plane.Box(**data["window"])
    panels = figure.subplots(2, 2)
    for number, (axes, name) in enumerate(zip(panels.flat, NAMES, strict=True)):
        values = np.array(data["surfaces"][name], dtype=float)
        shown = _draw_levels(axes, data, name, values, colors)
        bar = figure.colorbar(shown, ax=axes, shrink=0.85, aspect=25, pad=0.02)
        bar.locator = MaxNLocator(4, integer=name == "misclassified")
        bar.update_ticks()
        bar.ax.tick_params(labelsize=8)
        bar.outline.set_linewidth(0.4)
        _draw_region(axes, data)
        for ends in data["lines"]:
            _drawing.draw_line(axes, ends, color=_palette.QUIET, linewidth=0.7, zorder=2)
        handles = _draw_path(axes, data)
        axes.set_xlim(box.x0, box.x1)
        axes.set_ylim(box.y0, box.y1)
        axes.set_title(_panel_title(name, data), fontsize=9)
        axes.tick_params(labelsize=8, labelbottom=number > 1, labelleft=number % 2 == 0)
        axes.set_xlabel(_text.format_label(data["weights"][0]) if number > 1 else "", fontsize=9)
        axes.set_ylabel(
            _text.format_label(data["weights"][1]) if number % 2 == 0 else "", fontsize=9
        )
    labels = ["path of the weights", "start", "end"]
    if data["solution"]:
        from matplotlib.patches import Patch

        handles.append(Patch(facecolor=_palette.GREEN, alpha=0.3))
        labels.append("solution region")
    _style.draw_legend(figure, handles, labels)


def _panel_title(name: str, data: dict[str, Any]) -> str:
    margin = f", b = {_text.format_number(data['b'])}" if name == "relaxation-criterion" else ""
    return NAMES[name] + margin


def _draw_levels(
    axes: Axes, data: dict[str, Any], name: str, values: FloatArray, colors: Colormap
) -> Any:
    """Draw the values as colours: the count cell by cell, the others in bands."""
    from matplotlib.ticker import MaxNLocator

    if name == "misclassified":
        extent = (data["x"][0], data["x"][-1], data["y"][0], data["y"][-1])
        look: dict[str, Any] = {"origin": "lower", "aspect": "auto", "interpolation": "nearest"}
        return axes.imshow(values, extent=extent, cmap=colors, vmin=0, **look)
    bands = MaxNLocator(10).tick_values(0.0, float(values.max()) or 1.0)
    shown = axes.contourf(data["x"], data["y"], values, levels=bands, cmap=colors)
    axes.contour(
        data["x"], data["y"], values, levels=bands[1:], colors=_palette.BLUE, linewidths=0.4
    )
    return shown


def _draw_region(axes: Axes, data: dict[str, Any]) -> None:
    if data["solution"]:
        x, y = zip(*data["solution"], strict=True)
        axes.fill(x, y, color=_palette.GREEN, alpha=0.3, linewidth=0, zorder=1)


def _draw_path(axes: Axes, data: dict[str, Any]) -> list[Any]:
    """Draw the path of the weights, its start and its end."""
    x, y = [p[0] for p in data["trajectory"]], [p[1] for p in data["trajectory"]]
    axes.plot(x, y, color="white", linewidth=3.5, zorder=4)
    dots: dict[str, Any] = {"marker": "o", "markersize": 3 if len(x) < 60 else 0}
    path = axes.plot(x, y, color=_palette.VERMILLION, linewidth=1.4, zorder=5, **dots)[0]
    edge: dict[str, Any] = {"markeredgecolor": _palette.INK, "linestyle": "none", "zorder": 6}
    start = axes.plot(x[:1], y[:1], marker="o", markersize=8, markerfacecolor="white", **edge)[0]
    end = axes.plot(
        x[-1:], y[-1:], marker="*", markersize=12, markerfacecolor=_palette.YELLOW, **edge
    )[0]
    return [path, start, end]


def _draw_surfaces(figure: Figure, data: dict[str, Any]) -> None:
    """Draw each criterion as a surface in space."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d import Axes3D

    colors = LinearSegmentedColormap.from_list("hardlimit", _palette.SEQUENCE[1:])
    x, y = np.meshgrid(data["x"], data["y"])
    for number, name in enumerate(NAMES, start=1):
        # computed_zorder: by depth matplotlib would draw the surface over the path
        axes: Any = figure.add_subplot(2, 2, number, axes_class=Axes3D, computed_zorder=False)
        values = np.array(data["surfaces"][name], dtype=float)
        # As an image inside an SVG file, which would be a megabyte otherwise.
        look: dict[str, Any] = {"cmap": colors, "edgecolor": "#FFFFFF", "rasterized": True}
        axes.plot_surface(x, y, values, rcount=27, ccount=27, linewidth=0.2, **look)
        path = np.array(data["trajectory"])
        # a little above the surface, which would hide half of the path
        height = np.array(data["values"][name], dtype=float) + 0.01 * (values.max() or 1.0)
        axes.plot(*path.T, height, color=_palette.VERMILLION, marker="o", markersize=3, zorder=9)
        axes.set_title(_panel_title(name, data), fontsize=9)
        axes.set_xlabel(_text.format_label(data["weights"][0]), fontsize=8)
        axes.set_ylabel(_text.format_label(data["weights"][1]), fontsize=8)
        axes.tick_params(labelsize=7, pad=0)
        axes.view_init(elev=32, azim=-58)
        axes.set_box_aspect(None, zoom=0.9)
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            axis.set_major_locator(MaxNLocator(4, integer=axis is axes.zaxis))
