"""The line that separates two classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.pictures import (
    _affine,
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
    from matplotlib.figure import Figure

WHO = "pictures.decision_line"


class _View(NamedTuple):
    """The rows as points of a plane, and the line in it: ``a x + b y + c = 0``."""

    points: list[list[float]]
    line: tuple[float, float, float]
    names: list[str]
    held: list[str]


def decision_line(
    model: object,
    X: ArrayLike,
    y: Labels,
    *,
    columns: _columns.Columns = None,
    rest: _columns.Rest = None,
    names: Sequence[str] | None = None,
) -> Picture:
    """Draw the line ``w.x + c = 0``, both classes, and the normal vector ``w``.

    Parameters
    ----------
    model
        A fitted linear classifier of two classes, a proof of separability, or ``(w, c)``.
    X, y
        Rows and their labels.
    columns
        Two columns, by name or number, where X has more; or "edge-on": the plane is looked at along
        itself, so that every row has its true distance from the line.
    rest
        Where the other columns are held: "mean", a number, a value for each column, or
        ``{column: value}``. The rows are drawn where they are, so that with more than two columns
        the side of the line says nothing of a single row; edge-on it does.
    names
        Of the columns; default: those of a data frame, else x1, x2, ...

    Notes
    -----
    The arrow and the tint are on the side of the second class. Both axes have one scale, in which
    the arrow stands upright on the line, unless one span is eight times the other.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, pictures
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> clf = LinearClassifier(order="cyclic", readout="last").fit(X, y)
    >>> data = pictures.decision_line(clf, X, y).data
    >>> data["w"], data["intercept"], data["distance_of_origin"], data["wrong"]
    ([1.0, 1.0], 1.0, 0.7071067811865475, 0)
    """
    edge_on = isinstance(columns, str) and columns == "edge-on"
    labels = _labels.to_list(y)
    rows = _columns.make_dense(WHO, X)
    if len(rows) != len(labels):
        raise _labels.rows_and_labels_error(WHO, len(rows), len(labels))
    w, c = _affine.extract_affine(WHO, model, rows.shape[1])
    norm = float(np.linalg.norm(w))
    if edge_on:
        view = _look_edge_on(rows, w, c, norm)
    else:
        view = _look_at_columns(_columns.choose_columns(WHO, X, 2, columns, rest, names), w, c)
    classes = _affine.list_classes(model, labels)
    box = _plane.make_box(WHO, [p[0] for p in view.points], [p[1] for p in view.points])
    scores = rows @ w + c
    wrong = sum((s > 0) != (a == classes[-1]) for s, a in zip(scores, labels, strict=True))
    data = {
        "w": w.tolist(),
        "intercept": c,
        "norm": norm,
        "distance_of_origin": c / norm if norm else None,
        "wrong": int(wrong),
        "names": view.names,
        "held": view.held,
        "points": view.points,
        "labels": labels,
        "classes": classes,
        "window": box.to_json(),
        "line": _drawing.describe_line(box, *view.line),
    }
    return Picture(
        name="decision_line",
        title="Decision line and its normal vector" + (", edge-on" if edge_on else ""),
        description=f"{plural(len(labels), 'row')} of two classes and the line w.x + c = 0 "
        f"with its normal vector; {plural(wrong, 'row is', 'rows are')} on "
        "the wrong side.",
        data=data,
        draw=_draw,
        size=box.size,
    )


def _look_at_columns(chosen: _columns.ShownColumns, w: np.ndarray[Any, Any], c: float) -> _View:
    """Show two columns, the others held where they are."""
    i, j = chosen.columns
    # hidden columns move the line by what they add to every score
    held = c + float(np.delete(w, [i, j]) @ np.delete(chosen.rest, [i, j]))
    line = float(w[i]), float(w[j]), held
    return _View(chosen.points, line, chosen.shown_names, chosen.others)


def _look_edge_on(
    rows: np.ndarray[Any, Any], w: np.ndarray[Any, Any], c: float, norm: float
) -> _View:
    """Look along the plane, which is then the line at 0."""
    names = ["distance from the plane", "position along the direction of largest spread"]
    return _View(_project_edge_on(rows, w, c, norm), (1.0, 0.0, 0.0), names, [])


def _project_edge_on(
    rows: np.ndarray[Any, Any], w: np.ndarray[Any, Any], c: float, norm: float
) -> list[list[float]]:
    """Return the distance from the plane, and the place along the largest spread within it."""
    if not norm:
        raise InputError("the weights are 0, so there is no plane to look along", who=WHO)
    normal = w / norm
    distances = rows @ normal + c / norm
    within = rows - rows.mean(axis=0)
    # only what lies in the plane: its spread must not count the distance again
    within = within - np.outer(within @ normal, normal)
    _, _, directions = np.linalg.svd(within, full_matrices=False)
    direction = directions[0]
    # An eigenvector has no sign of its own: without a rule, pictures of two machines could differ
    # by a reflection.
    direction = direction * math.copysign(1.0, direction[np.abs(direction).argmax()])
    return np.column_stack([distances, within @ direction]).tolist()  # type: ignore[no-any-return]


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    box, line = _plane.Box(**data["window"]), data["line"]
    _drawing.tint_side(axes, line["side"])
    handles, labels = _scatter.draw_points(axes, box, data)
    if line["ends"]:
        handles.append(_drawing.draw_line(axes, line["ends"], linewidth=2.2))
        labels.append("w·x + c = 0")
        _drawing.draw_arrow(axes, line["normal"])
        handles.append(axes.plot([], [], color=_palette.INK, marker=">", linewidth=1.5)[0])
        labels.append("normal w")
    _scatter.set_window(axes, box)
    axes.set_xlabel(_text.format_label(data["names"][0], 44))
    axes.set_ylabel(_text.format_label(data["names"][1], 44))
    said = f"{data['wrong']:,} of {plural(len(data['points']), 'row')} on the wrong side"
    held = f"; {', '.join(data['held'])}" if data["held"] else ""
    why = f"; {line['why']}" if line["why"] else ""
    axes.set_title(_text.wrap(_text.format_label(said + held + why, 150), 76), fontsize=9)
    _style.draw_legend(figure, handles, labels)
