"""The points of a curve that can be told apart on paper."""

from __future__ import annotations

from itertools import pairwise

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
