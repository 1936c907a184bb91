"""Small pictures as SVG: text stays text, the same numbers give the same bytes.

They are drawn 360 units wide, so that their letters can be read on a telephone, and differ in
shape as well as in colour. Each has a title and a sentence for those who do not see it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.reports._markup import Markup, join, tag

WIDTH, HEIGHT = 360.0, 230.0
# on the left and below there is room for the numbers and for the name of the axis
LEFT, RIGHT, TOP, BOTTOM = 50.0, 10.0, 10.0, 38.0
# four points a unit of width: more would only make the page larger
MOST_POINTS = 1200
LETTER = 6.0  # about the width of a letter
FEW = 12  # points that get a dot each; more dots would hide the line


@dataclass(frozen=True)
class Axis:
    """One direction: its name, its range, its ticks."""

    name: str
    low: float
    high: float
    ticks: Sequence[float]

    @classmethod
    def over(cls, name: str, low: float, high: float, *, wanted: int = 5) -> Axis:
        """Make an axis over a range, with round numbers at its ticks.

        >>> Axis.over("mistakes", 0, 93).ticks
        (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
        """
        # a single value: an axis without a length could place nothing
        if not high > low:
            low, high = (low - 1.0, high + 1.0) if low else (0.0, 1.0)
        step = _round_step((high - low) / wanted)
        # 1e-9: a range that ends on a tick must not get one more by rounding
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = tuple(step * k for k in range(first, last + 1))
        return cls(name, ticks[0], ticks[-1], ticks)

    def share(self, value: float) -> float:
        """Return where a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def _round_step(least: float) -> float:
    size = 10.0 ** math.floor(math.log10(least))
    # 1, 2 and 5 are the steps in which people count
    return next(k * size for k in (1, 2, 5, 10) if k * size >= least * (1 - 1e-9))


SHARE = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class ChartLine:
    """Points that are joined; ``kind`` names its colour and dashes in the style sheet."""

    points: Sequence[tuple[float, float]]
    kind: str = "one"
    name: str = ""


@dataclass(frozen=True)
class Bars:
    """Bars from the bottom: edges (n + 1) and heights (n)."""

    edges: Sequence[float]
    heights: Sequence[float]
    kind: str = "one"
    name: str = ""


def render_chart(
    title: str,
    summary: str,
    across: Axis,
    up: Axis,
    marks: Sequence[ChartLine | Bars],
    *,
    at: tuple[float, str] | None = None,
) -> Markup:
    """Draw a picture with two axes; ``at`` is a vertical line, with its name."""
    frame = [_draw_x_axis(across), _draw_y_axis(up)]
    drawn = [_draw_mark(one, across, up) for one in marks]
    if at is not None:
        lines = [one for one in marks if isinstance(one, ChartLine)]
        drawn.append(_draw_vertical_line(at, across, up, lines))
    named = [one for one in marks if one.name]
    picture = _make_svg(title, summary, HEIGHT, [*frame, *drawn])
    # what a single curve shows is said by the title
    legend = _make_legend(named) if len(named) > 1 else None
    return tag("figure", tag("figcaption", title), picture, legend)


def _make_svg(title: str, summary: str, height: float, parts: Sequence[Any]) -> Markup:
    return tag(
        "svg",
        # the title is for a pointer, the label with the sentence for a screen reader
        tag("title", title),
        parts,
        viewBox=f"0 0 {_format_coordinate(WIDTH)} {_format_coordinate(height)}",
        role="img",
        aria_label=f"{title}. {summary}",
    )


def _make_legend(marks: Sequence[ChartLine | Bars]) -> Markup:
    items = [tag("li", tag("i", class_=f"key {one.kind}"), one.name) for one in marks]
    return tag("ul", items, class_="legend")


def _x(axis: Axis, value: float) -> float:
    return LEFT + axis.share(value) * (WIDTH - LEFT - RIGHT)


def _y(axis: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - TOP - BOTTOM)


def _draw_x_axis(axis: Axis) -> Markup:
    parts = []
    floor = HEIGHT - BOTTOM
    for tick in axis.ticks:
        x = _format_coordinate(_x(axis, tick))
        parts.append(
            tag(
                "line",
                x1=x,
                x2=x,
                y1=_format_coordinate(floor),
                y2=_format_coordinate(floor + 4),
                class_="axis",
            )
        )
        # the last number would be cut at the edge of the picture
        anchor = "end" if tick == axis.ticks[-1] and len(format_tick(tick)) > 3 else "middle"
        text = format_tick(tick)
        parts.append(tag("text", text, x=x, y=_format_coordinate(floor + 16), text_anchor=anchor))
    parts.append(
        tag(
            "line",
            x1=_format_coordinate(LEFT),
            x2=_format_coordinate(WIDTH - RIGHT),
            y1=_format_coordinate(floor),
            y2=_format_coordinate(floor),
            class_="axis",
        )
    )
    middle = _format_coordinate((LEFT + WIDTH - RIGHT) / 2)
    parts.append(
        tag("text", axis.name, x=middle, y=_format_coordinate(HEIGHT - 5), text_anchor="middle")
    )
    return join(parts)


def _draw_y_axis(axis: Axis) -> Markup:
    parts = []
    for tick in axis.ticks:
        y = _y(axis, tick)
        parts.append(
            tag(
                "line",
                x1=_format_coordinate(LEFT),
                x2=_format_coordinate(WIDTH - RIGHT),
                y1=_format_coordinate(y),
                y2=_format_coordinate(y),
                class_="grid",
            )
        )
        text = format_tick(tick)
        parts.append(
            tag(
                "text",
                text,
                x=_format_coordinate(LEFT - 6),
                y=_format_coordinate(y + 4),
                text_anchor="end",
            )
        )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f"rotate(-90 11 {_format_coordinate(middle)})"
    parts.append(
        tag(
            "text",
            axis.name,
            x="11",
            y=_format_coordinate(middle),
            text_anchor="middle",
            transform=turned,
        )
    )
    return join(parts)


def _draw_mark(mark: ChartLine | Bars, across: Axis, up: Axis) -> Markup:
    return (
        _draw_line(mark, across, up)
        if isinstance(mark, ChartLine)
        else _draw_bars(mark, across, up)
    )


def _draw_line(line: ChartLine, across: Axis, up: Axis) -> Markup:
    scaled = [(_x(across, a), _y(up, b)) for a, b in line.points]
    # few points are measurements, of which each has its dot, also where three lie on one level
    shown = scaled if len(scaled) <= FEW else thin_points(scaled)
    places = [(_format_coordinate(x), _format_coordinate(y)) for x, y in shown]
    # a path of one point draws nothing
    if len(places) == 1:
        return tag("circle", cx=places[0][0], cy=places[0][1], r="3", class_=f"dot {line.kind}")
    path = " ".join(f"{'L' if number else 'M'}{x} {y}" for number, (x, y) in enumerate(places))
    dots = [
        tag("circle", cx=x, cy=y, r="2.5", class_=f"dot {line.kind}")
        for x, y in (places if len(places) <= FEW else [])
    ]
    return join([tag("path", d=path, class_=f"line {line.kind}"), *dots])


def _draw_bars(bars: Bars, across: Axis, up: Axis) -> Markup:
    parts = []
    for low, high, value in zip(bars.edges, bars.edges[1:], bars.heights, strict=False):
        if value:
            x, y = _x(across, low), _y(up, value)
            wide, tall = _x(across, high) - x, HEIGHT - BOTTOM - y
            parts.append(
                tag(
                    "rect",
                    x=_format_coordinate(x),
                    y=_format_coordinate(y),
                    # a thinner bar vanishes between the pixels of a small screen
                    width=_format_coordinate(max(wide, 0.5)),
                    height=_format_coordinate(tall),
                    class_=f"bar {bars.kind}",
                )
            )
    return join(parts)


def _draw_vertical_line(
    at: tuple[float, str], across: Axis, up: Axis, lines: Sequence[ChartLine]
) -> Markup:
    value, name = at
    x = _x(across, value)
    scaled = [[(_x(across, a), _y(up, b)) for a, b in line.points] for line in lines]
    anchor, beside, level = _find_room(x, name, across.share(value) > 0.6, scaled)
    return join(
        [
            tag(
                "line",
                x1=_format_coordinate(x),
                x2=_format_coordinate(x),
                y1=_format_coordinate(TOP),
                y2=_format_coordinate(HEIGHT - BOTTOM),
                class_="at",
            ),
            tag(
                "text",
                name,
                x=_format_coordinate(x + beside),
                y=_format_coordinate(level),
                text_anchor=anchor,
            ),
        ]
    )


def _find_room(
    x: float, name: str, leftwards: bool, lines: Sequence[Sequence[tuple[float, float]]]
) -> tuple[str, float, float]:
    """Return the anchor, the distance and the height of a name beside a vertical line.

    The highest place that no other line crosses, on the better side first.
    """
    width = LETTER * len(name)
    left, right = ("end", -4.0, x - 4 - width), ("start", 4.0, x + 4)
    # to the left near the right edge, where the name would be cut off
    sides = (left, right) if leftwards else (right, left)
    inside = [s for s in sides if s[2] >= LEFT and s[2] + width <= WIDTH - RIGHT] or sides[:1]
    for anchor, beside, begin in inside:
        level = TOP + 9
        while level < HEIGHT - BOTTOM - 4:
            box = (begin - 2, begin + width + 2, level - 10, level + 4)
            if not any(_crosses(line, box) for line in lines):
                return anchor, beside, level
            level += 4
    return inside[0][0], inside[0][1], TOP + 9


def _crosses(points: Sequence[tuple[float, float]], box: tuple[float, float, float, float]) -> bool:
    """Return whether joined points pass through a box: left, right, top, bottom."""
    left, right, top, bottom = box
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        low, high = max(left, min(ax, bx)), min(right, max(ax, bx))
        if low > high:
            continue
        ends = [ay, by]
        if ax != bx:
            ends = [ay + (by - ay) * (at - ax) / (bx - ax) for at in (low, high)]
        if max(ends) >= top and min(ends) <= bottom:
            return True
    return False


def thin_points(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points of a line that can be seen: half units apart, with the corners of steps.

    >>> thin_points([(0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (1.1, 3), (9, 3)])
    [(0.0, 0.0), (0.0, 3.0), (9.0, 3.0)]
    """
    seen: list[tuple[float, float]] = []
    for x, y in points:
        point = (round(2 * x) / 2, round(2 * y) / 2)
        if seen and point == seen[-1]:
            continue
        # the middle of a straight stretch goes, the corners of steps stay
        if len(seen) > 1 and _is_between(seen[-2], seen[-1], point):
            seen.pop()
        seen.append(point)
    if len(seen) <= MOST_POINTS:
        return seen
    # evenly chosen by position: a page of a million rows stays small, its ends stay exact
    last = len(seen) - 1
    return [seen[k * last // (MOST_POINTS - 1)] for k in range(MOST_POINTS)]


def _is_between(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Return whether b lies between a and c on a horizontal or vertical line."""
    return any(
        a[other] == b[other] == c[other] and (b[one] - a[one]) * (c[one] - b[one]) > 0
        for one, other in ((0, 1), (1, 0))
    )


def format_tick(value: float) -> str:
    """Return the number of a tick, short.

    >>> [format_tick(value) for value in (0.25, 1200.0, -3.0, 25000, 1e-5, 0.1 + 0.2)]
    ['0.25', '1200', '-3', '25k', '1e-05', '0.3']
    """
    # ticks are multiples of a step: three times 0.1 is not 0.3 in floats
    value = round(value, 12)
    if abs(value) >= 10_000 and value % 1000 == 0 and abs(value) < 1e6:
        return f"{value / 1000:g}k"
    return f"{value:g}"


def _format_coordinate(value: float) -> str:
    """Return a coordinate to a tenth of a unit."""
    # a tenth is less than a pixel, and short numbers keep the page small
    return f"{value:.1f}".removesuffix(".0")
