"""The rows of a picture in the plane: a colour and a marker for each class, thinned if many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.pictures import _palette, _text
from hardlimit.pictures._plane import Box

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 1500  # points of one class


def thin_points(box: Box, x: Sequence[float], y: Sequence[float], most: int = MOST) -> list[int]:
    """Return positions of at most so many points: the first in each grid cell; outliers stay.

    >>> thin_points(Box(0, 1, 0, 1), [0.1, 0.1, 0.9], [0.1, 0.1, 0.9], most=2)
    [0, 2]
    """
    if len(x) <= most:
        return list(range(len(x)))
    # from a fine grid to coarser ones, so that as many points stay as may
    cells = 256
    while True:
        seen: dict[tuple[int, int], int] = {}
        for i, (p, q) in enumerate(zip(x, y, strict=True)):
            cell = (int((p - box.x0) / box.width * cells), int((q - box.y0) / box.height * cells))
            seen.setdefault(cell, i)
        if len(seen) <= most or cells == 1:
            return list(seen.values())[:most]
        cells //= 2


def draw_points(
    axes: Axes, box: Box, data: dict[str, Any], size: float = 34
) -> tuple[list[Any], list[str]]:
    """Draw ``data["points"]`` by ``data["labels"]``; return handles and labels of a legend."""
    handles, labels = [], []
    taken: set[tuple[float, ...]] = set()
    for number, label in enumerate(data["classes"]):
        own = [p for p, c in zip(data["points"], data["labels"], strict=True) if c == label]
        if not own:
            continue
        look = _palette.of_class(number)
        x, y = [p[0] for p in own], [p[1] for p in own]
        kept = thin_points(box, x, y)
        area = size if len(kept) < 300 else size / 3
        # A point on top of one of another class is smaller, so that both are seen.
        places = [tuple(own[i]) for i in kept]
        areas = [area / 4 if place in taken else area for place in places]
        handles.append(
            axes.scatter(
                [x[i] for i in kept],
                [y[i] for i in kept],
                s=areas if taken & set(places) else area,
                c=look.color,
                marker=look.marker,
                edgecolors=_palette.INK,
                linewidths=0.7 if len(kept) < 300 else 0.3,
                zorder=3,
            )
        )
        taken |= set(places)
        few = "" if len(kept) == len(own) else f" ({len(kept):,} of {len(own):,})"
        labels.append(_text.format_label(label) + few)
    return handles, labels


def set_window(axes: Axes, box: Box) -> None:
    """Show this window and nothing else."""
    axes.set_xlim(box.x0, box.x1)
    axes.set_ylim(box.y0, box.y1)
    if box.is_even:
        axes.set_aspect("equal")
