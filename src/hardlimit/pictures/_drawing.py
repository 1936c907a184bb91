"""What several pictures in the plane draw: lines with their normals, tints, rings."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hardlimit.pictures import _palette, _plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NO_LINE = "there is no line: both weights are 0"
OUT_OF_SIGHT = "the line is out of sight"
SIDE = 0.10  # how strongly the positive side is tinted


def draw_line(axes: Axes, ends: list[list[float]] | None, **look: Any) -> Any:
    """Draw a line between two ends."""
    if ends is None:
        return None
    style: dict[str, Any] = {"color": _palette.INK, "zorder": 4} | look
    return axes.plot([p[0] for p in ends], [p[1] for p in ends], **style)[0]


def draw_arrow(axes: Axes, ends: list[Any]) -> None:
    """Draw an arrow, for a normal vector; a white rim sets it off from the points below it."""
    (x0, y0), (x1, y1) = ends
    style: dict[str, Any] = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
    for color, width, above in (("white", 3.6, 3.5), (_palette.INK, 1.8, 6)):
        look = style | {"color": color, "linewidth": width}
        axes.annotate("", xy=(x1, y1), xytext=(x0, y0), arrowprops=look, zorder=above)


def tint_side(axes: Axes, corners: list[list[float]]) -> None:
    """Tint the side of the positive class."""
    if corners:
        x, y = [p[0] for p in corners], [p[1] for p in corners]
        axes.fill(x, y, color=_palette.of_class(1).color, alpha=SIDE, linewidth=0, zorder=0)


def draw_rings(axes: Axes, points: list[list[float]], size: float = 130) -> Any:
    """Draw rings around the points that matter."""
    return axes.scatter(
        [p[0] for p in points],
        [p[1] for p in points],
        s=size,
        facecolors="none",
        edgecolors=_palette.VERMILLION,
        linewidths=2,
        zorder=4,
    )


def describe_line(box: _plane.Box, a: float, b: float, c: float) -> dict[str, Any]:
    """Return the line ``a x + b y + c = 0`` as data: ends, normal, positive side, or why not.

    >>> describe_line(_plane.Box(0, 1, 0, 1), 0, 0, 1)["why"]
    'there is no line: both weights are 0'
    """
    ends = _plane.clip_line(box, a, b, c)
    why = None
    if ends is None:
        no_weights = a == 0 and b == 0
        why = NO_LINE if no_weights else OUT_OF_SIGHT
    return {
        "coefficients": [a, b, c],
        "ends": ends,
        "normal": None if ends is None else _plane.place_arrow(box, ends, a, b),
        "side": _plane.clip_half_plane(box, a, b, c),
        "why": why,
    }


CELLS = 800  # about the pixels of a picture's width


def select_visible(x: list[float], y: list[float], cells: int = CELLS) -> list[int]:
    """Return the positions of the points to draw: the ends, and those that moved by a cell.

    For curves inside the unit square. O(points), at most ``4 cells`` of them where both rise.

    >>> select_visible([0.0, 0.0, 0.0, 1.0], [0.0, 1e-6, 1.0, 1.0])
    [0, 2, 3]
    """
    if len(x) <= cells:
        kept = list(range(len(x)))
    else:
        at = [(round(a * cells), round(b * cells)) for a, b in zip(x, y, strict=True)]
        # The last point of a cell is kept too: without it a long horizontal step would be drawn
        # as a slanting line.
        kept = [i for i, (p, q) in enumerate(pairwise(at)) if p != q]
        kept = sorted({0, len(x) - 1, *kept, *(i + 1 for i in kept)})
    return [i for i in kept if not _is_between(x, y, i)]


def _is_between(x: list[float], y: list[float], i: int) -> bool:
    """Return whether a point lies between its neighbours on a vertical or horizontal line."""
    if not 0 < i < len(x) - 1:
        return False
    return x[i - 1] == x[i] == x[i + 1] or y[i - 1] == y[i] == y[i + 1]
