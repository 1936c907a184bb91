"""What a verdict proves, drawn in the plane."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.certificates import NotSeparable, Separable
from hardlimit.exceptions import Given, InputError, KindError, Suggestion
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.pictures import (
    _columns,
    _drawing,
    _labels,
    _palette,
    _plane,
    _scatter,
    _style,
    _text,
)
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hardlimit.certificates.verdicts import Verdict

WHO = "pictures.certificate"
MOST_JOINED = 6


def certificate(
    verdict: Verdict, X: ArrayLike, y: Labels, *, names: Sequence[str] | None = None
) -> Picture:
    """Draw a verdict: the line and its margin, or the rows that no line can separate.

    Parameters
    ----------
    verdict
        Of ``hardlimit.certify(X, y)``.
    X, y
        The rows that it is of, with two columns, and their labels.
    names
        Of the columns.

    Notes
    -----
    The band reaches to the nearest rows: it is ``2 min y (w.x + c) / ||w||`` wide, in the space of
    the rows. The conflict set of an inseparable set is the support of the multipliers: with them
    the signed rows add up to zero, so that no line is right on all of them. With a bias, a mean of
    its rows of the one class is then a mean of those of the other: the cross marks it. Rows to look
    at first have a second ring.

    Examples
    --------
    >>> from hardlimit import certify, pictures
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> pictures.certificate(certify(X, y), X, y).data["conflict"]
    [0, 1, 2, 3]
    >>> data = pictures.certificate(certify(X, [0, 1, 1, 1]), X, [0, 1, 1, 1]).data
    >>> data["verdict"], len(data["nearest"]) > 0
    ('separable', True)
    """
    kind = getattr(verdict, "verdict", None)
    if kind is None:
        got = Given(type(verdict).__name__)
        raise KindError(who=WHO, got=got, wanted="what certify(X, y) returns")
    labels, subject = _labels.to_list(y), verdict.subject
    width = int(_columns.make_dense(WHO, X).shape[1])
    if width != 2:
        raise InputError(
            who=WHO,
            got=Given(f"rows of {plural(width, 'column')}"),
            wanted="2, which make a plane",
            fix=(
                "see a separator of more columns with ",
                Suggestion("pictures.decision_line", columns="edge-on"),
            ),
        )
    chosen = _columns.choose_columns(WHO, X, 2, None, None, names)
    points = chosen.points
    if len(points) != len(labels):
        raise _labels.rows_and_labels_error(WHO, len(points), len(labels))
    box = _plane.make_box(WHO, [p[0] for p in points], [p[1] for p in points])
    data: dict[str, Any] = {
        "verdict": kind,
        "said": str(verdict),
        "names": chosen.shown_names,
        "points": points,
        "labels": labels,
        "classes": [c for c in _labels.sort_classes(labels) if c != subject.positive]
        + [subject.positive],
        "window": box.to_json(),
        "conflict": [int(i) for i in getattr(verdict, "conflict", [])],
        "suspects": [int(i) for i in getattr(verdict, "suspects", [])],
        "meeting": None,
        **_describe_band(verdict, box, points),
    }
    # a verdict of other rows must not be drawn over these
    _check_rows(data)
    if isinstance(verdict, NotSeparable) and data["conflict"] and subject.bias is not None:
        data["meeting"] = _find_common_point(verdict.multipliers, labels, subject.positive, points)
    return Picture(
        name="certificate",
        title=f"Certificate: {kind}",
        description=f"{plural(len(points), 'row')} of two classes; {data['said']}.",
        data=data,
        draw=_draw,
        size=box.size,
    )


def _describe_band(verdict: Verdict, box: _plane.Box, points: list[list[float]]) -> dict[str, Any]:
    """Return the line of a separator, the edges of its band, and the rows on them."""
    if not isinstance(verdict, Separable):
        return {"line": None, "edges": [], "nearest": [], "margin": None}
    (a, b), c = (float(v) for v in verdict.w), float(verdict.intercept)
    norm = float(np.hypot(a, b))
    distances = [abs(a * x + b * y + c) / norm if norm else 0.0 for x, y in points]
    margin = min(distances)
    # 1e-9: rows at the same distance differ in their last bits
    near = [i for i, d in enumerate(distances) if d <= margin * (1 + 1e-9)]
    edges = [_plane.clip_line(box, a, b, c + sign * margin * norm) for sign in (1, -1)]
    return {
        "line": _drawing.describe_line(box, a, b, c),
        "edges": [edge for edge in edges if edge],
        "nearest": near,
        "margin": margin,
    }


def _check_rows(data: dict[str, Any]) -> None:
    known = len(data["points"])
    for i in data["conflict"] + data["suspects"]:
        if not 0 <= i < known:
            raise InputError(
                f"the verdict names row {i}, but there are {plural(known, 'row')}", who=WHO
            )


def _find_common_point(
    multipliers: dict[int, Any], labels: list[Any], positive: Hashable, points: list[list[float]]
) -> list[float] | None:
    """Return the mean of the positive rows of the conflict, which is one of the others too."""
    own = [(i, m) for i, m in multipliers.items() if m and labels[i] == positive]
    whole = sum(m for _, m in own)
    if not whole:
        return None
    # exact to the end, because multipliers may have hundreds of digits
    shares = [(i, float(Fraction(m) / Fraction(whole))) for i, m in own]
    return [sum(share * points[i][k] for i, share in shares) for k in range(2)]


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    box = _plane.Box(**data["window"])
    handles, labels = _scatter.draw_points(axes, box, data)
    for drawn in (_draw_separator, _draw_conflict):
        more = drawn(axes, data)
        handles += more[0]
        labels += more[1]
    _scatter.set_window(axes, box)
    axes.set_xlabel(_text.format_label(data["names"][0], 44))
    axes.set_ylabel(_text.format_label(data["names"][1], 44))
    axes.set_title(_text.wrap(_text.format_label(data["said"], 150), 76), fontsize=9)
    _style.draw_legend(figure, handles, labels)


def _draw_separator(axes: Axes, data: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """Draw the line, its band, and the rows that touch it."""
    line = data["line"]
    if line is None or not line["ends"]:
        return [], []
    _drawing.tint_side(axes, line["side"])
    handles = [_drawing.draw_line(axes, line["ends"], linewidth=2.2)]
    labels = ["the line found"]
    style: dict[str, Any] = {"color": _palette.QUIET, "linewidth": 1.2, "dashes": (4, 2)}
    for edge in data["edges"]:
        last = _drawing.draw_line(axes, edge, **style)
    if data["edges"]:
        handles.append(last)
        labels.append(f"band, {_text.format_number(data['margin'])} on either side")
    _drawing.draw_arrow(axes, line["normal"])
    handles.append(_drawing.draw_rings(axes, [data["points"][i] for i in data["nearest"]]))
    labels.append("nearest rows")
    return handles, labels


def _draw_conflict(axes: Axes, data: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """Draw the rows that no line separates, joined within each class, and a common point."""
    rows = data["conflict"]
    if not rows:
        return [], []
    points = data["points"]
    # lines between many rows would cover the rows
    few = len(rows) <= MOST_JOINED
    for first, second in itertools.combinations(rows, 2) if few else ():
        if data["labels"][first] == data["labels"][second]:
            _drawing.draw_line(
                axes, [points[first], points[second]], color=_palette.QUIET, linewidth=1.4
            )
    handles = [_drawing.draw_rings(axes, [points[i] for i in rows])]
    labels = [f"conflict: {plural(len(rows), 'row')}"]
    if data["meeting"]:
        x, y = data["meeting"]
        look: dict[str, Any] = {"marker": "X", "markersize": 9, "linestyle": "none", "zorder": 6}
        look |= {"color": _palette.YELLOW, "markeredgecolor": _palette.INK}
        handles += axes.plot([x], [y], **look)
        labels.append("point in both convex hulls")
    if data["suspects"]:
        own = [points[i] for i in data["suspects"]]
        handles.append(_drawing.draw_rings(axes, own, size=300))
        handles[-1].set_linestyle((0, (2, 1.5)))
        labels.append("check first")
    return handles, labels
