"""The plane that separates two classes in space."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.pictures import _affine, _columns, _labels, _palette, _plane, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WHO = "pictures.decision_plane"
MOST = 600  # points of a class
Point = list[float]


def decision_plane(
    model: object,
    X: ArrayLike,
    y: Labels,
    *,
    columns: _columns.Columns = None,
    rest: _columns.Rest = None,
    names: Sequence[str] | None = None,
) -> Picture:
    """Draw the plane ``w.x + c = 0`` in three columns, both classes, and the normal vector ``w``.

    Parameters
    ----------
    model, X, y, names
        As for :func:`hardlimit.pictures.decision_line`.
    columns, rest
        Three columns, where X has more, and where the others are held.

    Examples
    --------
    >>> from hardlimit import pictures
    >>> corners = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    >>> y = [sum(corner) >= 2 for corner in corners]
    >>> data = pictures.decision_plane(((1, 1, 1), -1.5), corners, y).data
    >>> data["wrong"], len(data["plane"])
    (0, 6)
    """
    labels = _labels.to_list(y)
    chosen = _columns.choose_columns(WHO, X, 3, columns, rest, names)
    rows = chosen.rows
    if len(rows) != len(labels):
        raise _labels.rows_and_labels_error(WHO, len(rows), len(labels))
    w, c = _affine.extract_affine(WHO, model, rows.shape[1])
    held = c + float(np.delete(w, chosen.columns) @ np.delete(chosen.rest, chosen.columns))
    low, high = _make_cube(chosen.points)
    normal = [float(w[j]) for j in chosen.columns]
    classes = _affine.list_classes(model, labels)
    scores = rows @ w + c
    wrong = sum((s > 0) != (a == classes[-1]) for s, a in zip(scores, labels, strict=True))
    plane = _cut_plane(low, high, normal, held)
    data = {
        "w": w.tolist(),
        "intercept": c,
        "wrong": int(wrong),
        "names": chosen.shown_names,
        "held": chosen.others,
        "points": chosen.points,
        "labels": labels,
        "classes": classes,
        "window": [low, high],
        "plane": plane,
        "normal": _place_arrow(low, high, plane, normal),
    }
    return Picture(
        name="decision_plane",
        title="Decision plane and its normal vector",
        description=f"{plural(len(labels), 'row')} of two classes in space and the plane "
        f"w.x + c = 0 with its normal vector; {plural(wrong, 'row is', 'rows are')} on "
        "the wrong side.",
        data=data,
        draw=_draw,
        size=(6.0, 5.8),
    )


def _make_cube(points: list[Point]) -> tuple[Point, Point]:
    """Return the corners of a window around points; every side has a length."""
    ends = []
    for values in zip(*points, strict=True):
        box = _plane.make_box(WHO, list(values), list(values), around=0.05)
        ends.append((box.x0, box.x1))
    return [a for a, _ in ends], [b for _, b in ends]


def _cut_plane(low: Point, high: Point, normal: Point, c: float) -> list[Point]:
    """Return the corners of the part of a plane inside a window, in order; none where it misses it.

    >>> _cut_plane([0, 0, 0], [1, 1, 1], [0, 0, 1], -0.5)
    [[0, 0, 0.5], [1, 0, 0.5], [1, 1, 0.5], [0, 1, 0.5]]
    """
    corners: list[Point] = []
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        for ends in itertools.product((0, 1), repeat=2):
            corner = [0.0, 0.0, 0.0]
            for k, end in zip(others, ends, strict=True):
                corner[k] = (low, high)[end][k]
            rest = c + sum(normal[k] * corner[k] for k in others)
            if normal[axis]:
                corner[axis] = -rest / normal[axis]
                # through a corner of the window a plane meets three edges at once
                if low[axis] <= corner[axis] <= high[axis] and corner not in corners:
                    corners.append(corner)
    if len(corners) < 3:
        return []
    sizes = [b - a for a, b in zip(low, high, strict=True)]
    # in a cube of side 1, since columns of unlike units would spoil the angles
    inside = [[p[k] / sizes[k] for k in range(3)] for p in corners]
    return [corners[i] for i in _order_around(inside, [normal[k] * sizes[k] for k in range(3)])]


def _order_around(points: list[Point], normal: Point) -> list[int]:
    """Return the order in which points of a plane go round their middle."""
    P = np.array(points) - np.mean(points, axis=0)
    first = P[0] / (np.linalg.norm(P[0]) or 1.0)
    second = np.cross(normal, first)
    second = second / (np.linalg.norm(second) or 1.0)
    angles = [round(math.atan2(p @ second, p @ first) % math.tau, 12) for p in P]
    return sorted(range(len(points)), key=angles.__getitem__)


def _place_arrow(low: Point, high: Point, plane: list[Point], normal: Point) -> list[Point] | None:
    """Return the normal from the middle of the plane, a quarter of the window long."""
    if not plane:
        return None
    foot = [sum(values) / len(plane) for values in zip(*plane, strict=True)]
    most = max(abs(v) / (b - a) for v, a, b in zip(normal, low, high, strict=True))
    return [foot, [p + 0.25 * v / most for p, v in zip(foot, normal, strict=True)]]


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    from mpl_toolkits.mplot3d import Axes3D
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    # computed_zorder: by depth matplotlib would hide the arrow behind the plane
    axes: Any = figure.add_subplot(axes_class=Axes3D, computed_zorder=False)
    handles, labels = [], []
    for number, label in enumerate(data["classes"]):
        own = [p for p, a in zip(data["points"], data["labels"], strict=True) if a == label]
        if own:
            look = _palette.of_class(number)
            # every k-th: points in space have no grid of pixels to be thinned by
            kept = own[:: -(-len(own) // MOST)]
            style: dict[str, Any] = {"c": look.color, "marker": look.marker, "depthshade": False}
            style |= {"edgecolors": _palette.INK, "linewidths": 0.6, "s": 34, "zorder": 3}
            handles.append(axes.scatter(*zip(*kept, strict=True), **style))
            few = "" if len(kept) == len(own) else f" ({len(kept):,} of {len(own):,})"
            labels.append(_text.format_label(label) + few)
    said = f"{data['wrong']:,} of {plural(len(data['points']), 'row')} on the wrong side"
    if data["plane"]:
        sheet: dict[str, Any] = {"facecolor": _palette.GREEN, "edgecolor": _palette.INK}
        axes.add_collection3d(Poly3DCollection([data["plane"]], alpha=0.3, zorder=2, **sheet))
        foot, head = data["normal"]
        along = [b - a for a, b in zip(foot, head, strict=True)]
        axes.quiver(*foot, *along, color=_palette.INK, linewidth=2, zorder=5)
        handles.append(axes.plot([], [], color=_palette.INK, marker=">")[0])
        labels.append("normal w")
    else:
        said += "; there is no plane" if not any(data["w"]) else "; the plane is out of sight"
    held = f"; {', '.join(data['held'])}" if data["held"] else ""
    axes.set_title(_text.wrap(_text.format_label(said + held, 150), 76), fontsize=9)
    low, high = data["window"]
    for name, a, b, label in zip("xyz", low, high, data["names"], strict=True):
        getattr(axes, f"set_{name}lim")(a, b)
        getattr(axes, f"set_{name}label")(_text.format_label(label), fontsize=9)
        axes.locator_params(axis=name, nbins=5)
    axes.tick_params(labelsize=8)
    axes.view_init(elev=22, azim=-58)
    axes.set_box_aspect(None, zoom=0.88)
    _style.draw_legend(figure, handles, labels)
