"""The geometry of a picture's window: lines, half-planes and normals, cut where it ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from hardlimit.exceptions import Given, InputError

Point = list[float]
MOST = 1e150  # whose square is still a number
ALIKE = 8  # spans that differ by less are drawn in one scale
NARROWEST = 0.6  # of the larger half, in one scale


class Box(NamedTuple):
    """A window; it has a width and a height, whatever lies in it."""

    x0: float
    x1: float
    y0: float
    y1: float
    is_even: bool = True  # both directions have one scale, in which angles are true

    def to_json(self) -> dict[str, float | bool]:
        """Return the window as plain JSON."""
        return self._asdict()

    @property
    def width(self) -> float:
        """How far it goes to the right."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """How far it goes up."""
        return self.y1 - self.y0

    @property
    def size(self) -> tuple[float, float]:
        """Inches of a figure that it fills."""
        if not self.is_even:
            return 6.0, 4.8
        return 6.0, 1.5 + min(4.7, 5.2 * self.height / self.width)


def make_box(who: str, x: Sequence[float], y: Sequence[float], around: float = 0.12) -> Box:
    """Return a window around points, in one scale unless a span is over eight times the other.

    >>> make_box("here", [0.0, 1.0], [0.0, 0.75], around=0)
    Box(x0=0.0, x1=1.0, y0=0.0, y1=0.75, is_even=True)
    >>> make_box("here", [3.0], [3.0], around=0)
    Box(x0=2.0, x1=4.0, y0=2.0, y1=4.0, is_even=True)
    """
    if not x:
        raise InputError("there are no rows to show", who=who)
    ends = [(min(x), max(x)), (min(y), max(y))]
    if not all(abs(v) < MOST for values in (x, y) for v in values):
        raise InputError(
            who=who, got=Given("numbers that have no place"), wanted=f"numbers below {MOST:g}"
        )
    centres = [(low + high) / 2 for low, high in ends]
    halves = [(high - low) / 2 for low, high in ends]
    # Nothing narrower than its own numbers can tell apart.
    least = [abs(centre) * 1e-9 for centre in centres]
    most = max(halves)
    # all points in one place: any window will do that has a length
    if most <= max(least):
        most = max(map(abs, centres)) / 3 or 1.0
        halves = [most, most]
    # points on a level or an upright line leave one span open, so it follows the other
    even = min(halves) * ALIKE >= most or min(halves) <= max(least)
    if even:
        halves = [max(half, NARROWEST * most) for half in halves]
    (a, b), (p, q) = centres, [half + 2 * around * (most if even else half) for half in halves]
    return Box(a - p, a + p, b - q, b + q, even)


def clip_line(box: Box, a: float, b: float, c: float) -> list[Point] | None:
    """Return the ends of the line ``a x + b y + c = 0`` inside the window; None where it misses it.

    >>> clip_line(Box(0, 1, 0, 1), 1, 1, -1)
    [[0.0, 1.0], [1.0, 0.0]]
    >>> clip_line(Box(0, 1, 0, 1), 2, 0, -1)
    [[0.5, 0.0], [0.5, 1.0]]
    >>> clip_line(Box(0, 1, 0, 1), 1, 1, 5) is clip_line(Box(0, 1, 0, 1), 0, 0, 1) is None
    True
    """
    A, B = a * box.width, b * box.height
    C = a * box.x0 + b * box.y0 + c
    if A == 0 and B == 0:
        return None
    # In the unit square, solved for the coordinate with the larger coefficient: the other way a
    # nearly upright line would be divided by almost 0.
    steep = abs(A) > abs(B)
    lead, other = (A, B) if steep else (B, A)
    ends = []
    for t in (0.0, 1.0):
        ends.append((t, -(other * t + C) / lead))
    kept = _clip_unit(ends)
    if kept is None:
        return None
    unit = [(s, t) if steep else (t, s) for t, s in kept]
    return [[box.x0 + u * box.width, box.y0 + v * box.height] for u, v in unit]


def _clip_unit(ends: list[tuple[float, float]]) -> list[tuple[float, float]] | None:
    """Return the part of a segment over t in [0, 1] whose s is in [0, 1] too."""
    (t0, s0), (t1, s1) = ends
    if max(s0, s1) < 0 or min(s0, s1) > 1:
        return None
    # cut where s leaves [0, 1], so that no end lies outside by a rounding
    kept = []
    for t, s in ends:
        if not 0 <= s <= 1:
            edge = 0.0 if s < 0 else 1.0
            t, s = t0 + (t1 - t0) * (edge - s0) / (s1 - s0), edge
        kept.append((t, s))
    return kept


def clip_half_plane(box: Box, a: float, b: float, c: float) -> list[Point]:
    """Return the corners of the part of the window where ``a x + b y + c > 0``.

    >>> clip_half_plane(Box(0, 1, 0, 1), 1, 0, -0.5)
    [[0.5, 0.0], [1, 0], [1, 1], [0.5, 1.0]]
    """
    x0, x1, y0, y1 = box[:4]
    corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    return clip_polygon(corners, a, b, c)


def clip_polygon(corners: list[Point], a: float, b: float, c: float) -> list[Point]:
    """Return the part of a convex polygon where ``a x + b y + c > 0``."""
    heights = [a * x + b * y + c for x, y in corners]
    # Sutherland and Hodgman: walk round the corners, add one where the walk crosses the line.
    kept: list[Point] = []
    for i, (here, at) in enumerate(zip(corners, heights, strict=True)):
        there, to = corners[i - 1], heights[i - 1]
        if (at > 0) != (to > 0):
            share = to / (to - at)
            kept.append([p + share * (q - p) for p, q in zip(there, here, strict=True)])
        if at > 0:
            kept.append(here)
    return kept


def place_arrow(
    box: Box, line: list[Point], a: float, b: float, share: float = 0.16
) -> list[Point]:
    """Return the normal ``(a, b)`` from the middle of a line, as long as the window shows well.

    >>> place_arrow(Box(0, 1, 0, 1), [[0.5, 0.0], [0.5, 1.0]], 2, 0, share=0.2)
    [[0.5, 0.5], [0.7, 0.5]]
    """
    (x0, y0), (x1, y1) = line
    foot = [(x0 + x1) / 2, (y0 + y1) / 2]
    scale = share / max(abs(a) / box.width, abs(b) / box.height)
    if box.is_even:
        scale = share * min(box.width, box.height) / math.hypot(a, b)
    return [foot, [foot[0] + scale * a, foot[1] + scale * b]]


def scale_weights(weights: Sequence[Any]) -> list[float]:
    """Return weights as floats, the largest of them 1: fractions of any length have the same line.

    >>> scale_weights([10**400, -(10**400), 0])
    [1.0, -1.0, 0.0]
    """
    most = max(map(abs, weights), default=0)
    return [float(w / most) if most else 0.0 for w in weights]
