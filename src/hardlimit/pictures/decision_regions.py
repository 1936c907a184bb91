"""The regions of the plane in which a model predicts each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, FloatArray, Labels
from hardlimit.pictures import _columns, _labels, _palette, _plane, _scatter, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WHO = "pictures.decision_regions"
CELLS = 120


def decision_regions(
    model: Any,
    X: ArrayLike,
    y: Labels,
    *,
    columns: _columns.Columns = None,
    rest: _columns.Rest = None,
    names: Sequence[str] | None = None,
    cells: int = CELLS,
) -> Picture:
    """Draw what a model predicts everywhere in the plane: kernels, votes, many classes.

    Parameters
    ----------
    model
        Anything fitted with ``predict`` and ``classes_``.
    X, y, columns, rest, names
        As for :func:`hardlimit.pictures.decision_line`.
    cells
        Predictions are made on a grid of ``cells`` by ``cells`` points, 2 to 1,000.

    Notes
    -----
    Boundaries are drawn where the scores of ``decision_function`` meet, and are smoother than the
    points; a model without scores has the edges of the points.

    Examples
    --------
    >>> from hardlimit import KernelClassifier, pictures
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> clf = KernelClassifier(kernel="rbf").fit(X, y)
    >>> data = pictures.decision_regions(clf, X, y, cells=2).data  # asked at the corners
    >>> data["classes"], data["answers"], data["wrong"]
    (['no', 'yes'], [[0, 1], [1, 0]], 0)
    """
    _check_request(model, cells)
    labels = _labels.to_list(y)
    chosen = _columns.choose_columns(WHO, X, 2, columns, rest, names)
    points = chosen.points
    if len(points) != len(labels):
        raise _labels.rows_and_labels_error(WHO, len(points), len(labels))
    box = _plane.make_box(WHO, [p[0] for p in points], [p[1] for p in points])
    across, up, grid = _lay_grid(chosen, box, cells)
    classes = _labels.to_list(model.classes_)
    numbers = {label: k for k, label in enumerate(classes)}
    answers = [numbers[label] for label in _labels.to_list(model.predict(grid))]
    right = _labels.to_list(model.predict(chosen.rows))
    wrong = sum(a != b for a, b in zip(right, labels, strict=True))
    data = {
        "names": chosen.shown_names,
        "held": chosen.others,
        "classes": classes + [c for c in _labels.sort_classes(labels) if c not in numbers],
        "points": points,
        "labels": labels,
        "wrong": wrong,
        "window": box.to_json(),
        "x": across.tolist(),
        "y": up.tolist(),
        "answers": np.reshape(answers, (cells, cells)).tolist(),
        "leads": _compute_leads(model, grid, len(classes), cells),
    }
    return Picture(
        name="decision_regions",
        title="Decision regions",
        description=f"Regions of {plural(len(classes), 'class', 'classes')} in the plane and "
        f"{plural(len(points), 'row')}, of which {wrong:,} are misclassified.",
        data=data,
        draw=_draw,
        size=box.size,
    )


def _check_request(model: object, cells: int) -> None:
    if not hasattr(model, "predict") or not hasattr(model, "classes_"):
        raise KindError(who=WHO, got=Given(type(model).__name__), wanted="a fitted classifier")
    # a single cell has no edge to draw; a thousand across are a million predictions
    if not 2 <= cells <= 1000:
        raise InputError(who=WHO, parameter="cells", got=cells, wanted="2 to 1,000")


def _lay_grid(
    chosen: _columns.ShownColumns, box: _plane.Box, cells: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the places across and up, and a row to predict for each point of the grid."""
    across = np.linspace(box.x0, box.x1, cells)
    up = np.linspace(box.y0, box.y1, cells)
    grid = np.tile(chosen.rest, (cells * cells, 1))
    grid[:, chosen.columns[0]] = np.tile(across, cells)
    grid[:, chosen.columns[1]] = np.repeat(up, cells)
    return across, up, grid


def _compute_leads(
    model: object, grid: FloatArray, n: int, cells: int
) -> list[list[list[float]]] | None:
    """Return the lead of each class over the best other one on the grid; of two, the second's."""
    if not hasattr(model, "decision_function"):
        return None
    scores = np.asarray(model.decision_function(grid), dtype=float)
    if scores.ndim == 1:
        leads = [scores - float(getattr(model, "threshold_", 0.0))]
    else:
        leads = [scores[:, k] - np.delete(scores, k, axis=1).max(axis=1) for k in range(n)]
    return [lead.reshape(cells, cells).tolist() for lead in leads]


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    box = _plane.Box(**data["window"])
    _draw_regions(axes, data)
    handles, labels = _scatter.draw_points(axes, box, data)
    _scatter.set_window(axes, box)
    axes.set_xlabel(_text.format_label(data["names"][0], 44))
    axes.set_ylabel(_text.format_label(data["names"][1], 44))
    summary = f"{data['wrong']:,} of {plural(len(data['points']), 'row')} are misclassified"
    held = f"; {', '.join(data['held'])}" if data["held"] else ""
    axes.set_title(_text.wrap(_text.format_label(summary + held, 150), 76), fontsize=9)
    _style.draw_legend(figure, handles, labels)


def _draw_regions(axes: Axes, data: dict[str, Any]) -> None:
    from matplotlib.colors import ListedColormap

    n = len(data["classes"])
    colors = ListedColormap([_palette.of_class(k).color for k in range(n)])
    x, y, n_cells = data["x"], data["y"], len(data["x"])
    # predictions are of the points of the grid, so each cell lies around its point
    half = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    axes.imshow(
        data["answers"],
        extent=(x[0] - half[0], x[-1] + half[0], y[0] - half[1], y[-1] + half[1]),
        origin="lower",
        aspect="auto",
        cmap=colors,
        vmin=-0.5,
        vmax=n - 0.5,
        alpha=0.22,
        interpolation="nearest",
    )
    # where a class's lead changes sign its region ends: smoother than the edges of the grid cells
    for lead in data["leads"] or [data["answers"]] * (n_cells > 1):
        values = np.array(lead, dtype=float)
        if values.min() < 0 < values.max():
            axes.contour(x, y, values, levels=[0.0], colors=_palette.INK, linewidths=1.4)
