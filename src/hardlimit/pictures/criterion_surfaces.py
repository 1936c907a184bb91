"""The four criteria over two weights, and the way of a trace across them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.exceptions import InputError
from hardlimit.pictures import _drawing, _palette, _plane, _style, _text, _trace
from hardlimit.pictures._picture import Picture
from hardlimit.textbook.writing import approximate
from hardlimit.theory import criteria

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WHO = "pictures.criterion_surfaces"
CELLS = 81
MOST_NUMBERS = 10_000_000
NAMES = {
    "misclassified": "J: rows that are wrong",
    "perceptron-criterion": "J_p: perceptron",
    "squared-criterion": "J_q: squared",
    "relaxation-criterion": "J_r: relaxation",
}


def criterion_surfaces(
    trace: Any, *, b: float = 1.0, weights: tuple[int, int] | None = None, view: str = "maps"
) -> Picture:
    """What each criterion says of two weights, with the steps of a trace across it.

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
        raise InputError(f"{WHO}: got view={view!r}, wanted 'maps' or 'surfaces'")
    found = _trace.corrections(WHO, trace)
    path = _array([_trace.start(WHO, trace), *(c.after for c in found)])
    i, j = _two(path.shape[1], weights)
    Z = _array(trace.examples.signed)
    held = path[-1].copy()
    held[[i, j]] = 0.0
    rest = Z @ held
    way = path[:, [i, j]]
    box = _plane.box_of(WHO, [0.0, *way[:, 0].tolist()], [0.0, *way[:, 1].tolist()], around=0.25)
    x = np.linspace(box.x0, box.x1, CELLS)
    y = np.linspace(box.y0, box.y1, CELLS)
    kinds = {name: _criterion(name, b) for name in NAMES}
    on_grid = [np.tile(x, CELLS), np.repeat(y, CELLS)]
    names = _names(trace)
    data = {
        "weights": [names[i], names[j]],
        "held": {names[k]: float(v) for k, v in enumerate(held) if k not in (i, j)},
        "b": float(b),
        "window": box._asdict(),
        "x": x.tolist(),
        "y": y.tolist(),
        "surfaces": {
            name: _values(kind, Z, (i, j), rest, *on_grid).reshape(CELLS, CELLS).tolist()
            for name, kind in kinds.items()
        },
        "trajectory": way.tolist(),
        "values": {
            name: _values(kind, Z, (i, j), rest, way[:, 0], way[:, 1]).tolist()
            for name, kind in kinds.items()
        },
        "rows": [one.rows for one in found],
        "solution": _solution(box, Z, (i, j), rest),
        "lines": [_plane.across(box, z[i], z[j], r) for z, r in zip(Z, rest, strict=True)],
    }
    fixed = [f"{_text.label(k)} held at {_text.number(v)}" for k, v in data["held"].items()]
    return Picture(
        name="criterion_surfaces",
        title="; ".join(["Four criteria over two weights, and the way of the weights", *fixed]),
        description=f"The criteria J, J_p, J_q and J_r (b = {_text.number(float(b))}) over two "
        f"weights, with the way of {_text.count(len(found), 'correction')} across them"
        + ("; the solution region is shaded." if data["solution"] else "; no weights solve it."),
        data=data,
        draw=_maps if view == "maps" else _surfaces,
        size=(6.6, 6.6),
    )


def _array(rows: Any) -> np.ndarray[Any, Any]:
    """Rows of numbers of any kind as floats whose squares are numbers."""
    found = np.array([[approximate(v) for v in row] for row in rows])
    if not (np.abs(found) < _plane.MOST).all():
        raise InputError(f"{WHO}: got numbers beyond {_plane.MOST:g}, which have no place")
    return found


def _criterion(name: str, b: float) -> Any:
    return criteria.get(name, b=b) if name == "relaxation-criterion" else criteria.get(name)


def _two(n: int, weights: tuple[int, int] | None) -> tuple[int, int]:
    if weights is None and n == 2:
        return 0, 1
    if weights is None or len(weights) != 2 or not all(0 <= k < n for k in weights):
        raise InputError(
            f"{WHO}: got a trace of {n} weights, wanted 2, or weights=(i, j) out of 0 to {n - 1}, "
            "the bias's last; the others are then held where the trace ended"
        )
    if weights[0] == weights[1]:
        raise InputError(f"{WHO}: got weights={weights!r}, wanted two different ones")
    return weights


def _names(trace: Any) -> list[str]:
    found = [f"weight of {name}" for name in _trace.names_of(trace)]
    bias = trace.examples.bias_feature
    if bias is not None:
        found.append("threshold w0" if bias < 0 else "bias")
    return found


def _values(kind: Any, Z: Any, two: tuple[int, int], rest: Any, p: Any, q: Any) -> Any:
    """The criterion at many weights at once: its terms, summed over its members."""
    sqnorm = np.einsum("ij,ij->i", Z, Z)
    if not sqnorm.all():
        raise InputError(f"{WHO}: row {int(sqnorm.argmin())} is zero, and J_r divides by its norm")
    total: Any = 0
    at_once = max(1, MOST_NUMBERS // len(p))
    for k in range(0, len(Z), at_once):
        part = slice(k, k + at_once)
        margin = np.outer(Z[part, two[0]], p) + np.outer(Z[part, two[1]], q) + rest[part, None]
        terms = kind.loss(SimpleNamespace(margin=margin, sqnorm=sqnorm[part, None]))
        total = total + np.where(margin <= kind.required, terms, 0).sum(axis=0)
    return total


def _solution(box: _plane.Box, Z: Any, two: tuple[int, int], rest: Any) -> list[list[float]]:
    """The corners of the part of the window where every row is right."""
    x0, x1, y0, y1 = box[:4]
    corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    for z, r in zip(Z.tolist(), rest.tolist(), strict=True):
        corners = _plane.clipped(corners, z[two[0]], z[two[1]], r)
    return corners


def _maps(figure: Figure, data: dict[str, Any]) -> None:
    """Each criterion from above."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import MaxNLocator

    colors = LinearSegmentedColormap.from_list("hardlimit", _palette.SEQUENCE[:5])
    box = _plane.Box(**data["window"])
    panels = figure.subplots(2, 2)
    for number, (axes, name) in enumerate(zip(panels.flat, NAMES, strict=True)):
        values = np.array(data["surfaces"][name], dtype=float)
        shown = _levels(axes, data, name, values, colors)
        bar = figure.colorbar(shown, ax=axes, shrink=0.85, aspect=25, pad=0.02)
        bar.locator = MaxNLocator(4, integer=name == "misclassified")
        bar.update_ticks()
        bar.ax.tick_params(labelsize=8)
        bar.outline.set_linewidth(0.4)
        _region(axes, data)
        for ends in data["lines"]:
            _drawing.line(axes, ends, color=_palette.QUIET, linewidth=0.7, zorder=2)
        handles = _way(axes, data)
        axes.set_xlim(box.x0, box.x1)
        axes.set_ylim(box.y0, box.y1)
        axes.set_title(_titled(name, data), fontsize=9)
        axes.tick_params(labelsize=8, labelbottom=number > 1, labelleft=number % 2 == 0)
        axes.set_xlabel(_text.label(data["weights"][0]) if number > 1 else "", fontsize=9)
        axes.set_ylabel(_text.label(data["weights"][1]) if number % 2 == 0 else "", fontsize=9)
    labels = ["way of the weights", "start", "end"]
    if data["solution"]:
        from matplotlib.patches import Patch

        handles.append(Patch(facecolor=_palette.GREEN, alpha=0.3))
        labels.append("solution region")
    _style.legend(figure, handles, labels)


def _titled(name: str, data: dict[str, Any]) -> str:
    margin = f", b = {_text.number(data['b'])}" if name == "relaxation-criterion" else ""
    return NAMES[name] + margin


def _levels(axes: Axes, data: dict[str, Any], name: str, values: Any, colors: Any) -> Any:
    """The values as colours: the count as it jumps, the others in bands."""
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


def _region(axes: Axes, data: dict[str, Any]) -> None:
    if data["solution"]:
        x, y = zip(*data["solution"], strict=True)
        axes.fill(x, y, color=_palette.GREEN, alpha=0.3, linewidth=0, zorder=1)


def _way(axes: Axes, data: dict[str, Any]) -> list[Any]:
    """The way of the weights, its start and its end."""
    x, y = [p[0] for p in data["trajectory"]], [p[1] for p in data["trajectory"]]
    axes.plot(x, y, color="white", linewidth=3.5, zorder=4)
    dots: dict[str, Any] = {"marker": "o", "markersize": 3 if len(x) < 60 else 0}
    way = axes.plot(x, y, color=_palette.VERMILLION, linewidth=1.4, zorder=5, **dots)[0]
    edge: dict[str, Any] = {"markeredgecolor": _palette.INK, "linestyle": "none", "zorder": 6}
    start = axes.plot(x[:1], y[:1], marker="o", markersize=8, markerfacecolor="white", **edge)[0]
    end = axes.plot(
        x[-1:], y[-1:], marker="*", markersize=12, markerfacecolor=_palette.YELLOW, **edge
    )[0]
    return [way, start, end]


def _surfaces(figure: Figure, data: dict[str, Any]) -> None:
    """Each criterion as a surface in space."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d import Axes3D

    colors = LinearSegmentedColormap.from_list("hardlimit", _palette.SEQUENCE[1:])
    x, y = np.meshgrid(data["x"], data["y"])
    for number, name in enumerate(NAMES, start=1):
        axes: Any = figure.add_subplot(2, 2, number, axes_class=Axes3D, computed_zorder=False)
        values = np.array(data["surfaces"][name], dtype=float)
        # As an image inside an SVG file, which else would be of a megabyte.
        look: dict[str, Any] = {"cmap": colors, "edgecolor": "#FFFFFF", "rasterized": True}
        axes.plot_surface(x, y, values, rcount=27, ccount=27, linewidth=0.2, **look)
        way = np.array(data["trajectory"])
        height = np.array(data["values"][name], dtype=float) + 0.01 * (values.max() or 1.0)
        axes.plot(*way.T, height, color=_palette.VERMILLION, marker="o", markersize=3, zorder=9)
        axes.set_title(_titled(name, data), fontsize=9)
        axes.set_xlabel(_text.label(data["weights"][0]), fontsize=8)
        axes.set_ylabel(_text.label(data["weights"][1]), fontsize=8)
        axes.tick_params(labelsize=7, pad=0)
        axes.view_init(elev=32, azim=-58)
        axes.set_box_aspect(None, zoom=0.9)
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            axis.set_major_locator(MaxNLocator(4, integer=axis is axes.zaxis))
