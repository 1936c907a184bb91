"""The solution cone and the covering cone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.pictures import _palette, _plane, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Dashes = str | tuple[int, tuple[float, ...]]
WHO = "pictures.cones"


def cones(cone: object) -> Picture:
    """Draw the cone of separating vectors and the cone that covers the signed rows.

    Parameters
    ----------
    cone
        Of ``hardlimit.cones.cone(X, y, bias_feature=None)`` over two columns, or of one column and
        a bias.

    Notes
    -----
    Every vector inside the solution cone has a product above 0 with every signed row ``z = y x``;
    the covering cone holds all of them. Each cone is the dual of the other: the rays of the one
    stand upright on those of the other. Rows are drawn at their place, rays by their direction.

    Examples
    --------
    >>> from hardlimit import cones, pictures
    >>> cone = cones.cone([[2, 1], [1, 3], [-1, -1]], [1, 1, -1], bias_feature=None)
    >>> data = pictures.cones(cone).data
    >>> data["solution"], data["vectors"]
    ([[1.0, 0.0], [0.0, 1.0]], [[2.0, 1.0], [1.0, 3.0], [1.0, 1.0]])
    >>> [round(math.degrees(width)) for width in data["widths"].values()]
    [90, 90]
    """
    plane = getattr(cone, "plane", None)
    if plane is None:
        got = Given(type(cone).__name__)
        raise KindError(who=WHO, got=got, wanted="what cones.cone(X, y) returns")
    rays_by_name = {
        name: [[float(v) for v in ray] for ray in rays] for name, rays in plane().items()
    }
    vectors = rays_by_name["vectors"]
    if not all(abs(v) < _plane.MOST for rays in rays_by_name.values() for ray in rays for v in ray):
        got, wanted = Given("numbers that have no place"), f"numbers below {_plane.MOST:g}"
        raise InputError(who=WHO, got=got, wanted=wanted)
    # zero rows alone still need a window with a size
    reach = 1.15 * max((math.hypot(*z) for z in vectors), default=0.0) or 1.0
    data: dict[str, Any] = {
        "solution": rays_by_name["solution"],
        "covering": rays_by_name["covering"],
        "vectors": vectors,
        "reach": reach,
        "widths": {name: _measure_width(rays_by_name[name]) for name in ("solution", "covering")},
    }
    width = {name: _text.format_number(math.degrees(v), 3) for name, v in data["widths"].items()}
    return Picture(
        name="cones",
        title="Solution cone and covering cone",
        description=f"A solution cone {width['solution']} degrees wide, and the covering cone of "
        f"{plural(len(vectors), 'signed row')}, {width['covering']} degrees wide.",
        data=data,
        draw=_draw,
        size=(6.0, 6.4),
    )


def _measure_width(rays: list[list[float]]) -> float:
    """Return the angle between two rays, in radians."""
    (a, b), (c, d) = rays
    return abs(math.atan2(a * d - b * c, a * c + b * d))


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    reach = data["reach"]
    looks = (("covering", _palette.BLUE, 0.12, (0, (5, 2))), ("solution", _palette.GREEN, 0.3, "-"))
    handles, labels = [], []
    for name, color, alpha, dashes in looks:
        handles.append(_draw_cone(axes, data[name], reach, color, alpha, dashes))
        labels.append(f"{name} cone, {_text.format_number(math.degrees(data['widths'][name]), 3)}°")
    x, y = [z[0] for z in data["vectors"]], [z[1] for z in data["vectors"]]
    style: dict[str, Any] = {"c": _palette.ORANGE, "edgecolors": _palette.INK, "linewidths": 0.7}
    if len(x) <= 60:
        for p, q in zip(x, y, strict=True):
            axes.plot([0, p], [0, q], color=_palette.QUIET, linewidth=0.6, zorder=2)
    handles.append(axes.scatter(x, y, s=36 if len(x) < 300 else 12, zorder=4, **style))
    labels.append("signed rows z")
    axes.plot([0], [0], marker="+", color=_palette.INK, markersize=12, zorder=5)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axes.set_xlabel("first component")
    axes.set_ylabel("second component")
    axes.grid(visible=True)
    _style.draw_legend(figure, handles, labels)


def _draw_cone(
    axes: Axes, rays: list[list[float]], reach: float, color: str, alpha: float, dashes: Dashes
) -> Any:
    """Draw a sector from the origin to beyond the window, and its two rays."""
    first, second = (math.atan2(b, a) for a, b in rays)
    # the short way round: no cone of ours is wider than half a turn
    turn = math.remainder(second - first, math.tau)
    steps = [first + turn * k / 24 for k in range(25)]
    # beyond the corners of the window, which lie 1.41 of it away
    far = 2 * reach
    x = [0.0, *(far * math.cos(angle) for angle in steps)]
    y = [0.0, *(far * math.sin(angle) for angle in steps)]
    shape = axes.fill(x, y, facecolor=color, alpha=alpha, linewidth=0, zorder=1)[0]
    for p, q in ((x[1], y[1]), (x[-1], y[-1])):
        axes.plot([0, p], [0, q], color=color, linewidth=2, ls=dashes, zorder=3)
    return shape
