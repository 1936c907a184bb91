"""The length of the weights, and their angle to the best separator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.pictures import _palette, _plane, _style, _text, _trace
from hardlimit.pictures._picture import Picture
from hardlimit.textbook.writing import approximate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hardlimit.textbook import Trace

WHO = "pictures.weights"


def weights(trace: Trace, *, best: object = None) -> Picture:
    """Draw the length of the weights after each correction, and their angle to a separator.

    Parameters
    ----------
    trace
        Of :func:`hardlimit.textbook.trace`, over any number of columns.
    best
        The best known separator: weights, the bias's last, or a proof of separability; default:
        the last weights of the trace, where they separate.

    Notes
    -----
    For the perceptron from zero weights the two lines are those of Novikoff's proof: with k
    corrections ``gamma k <= ||w|| <= radius sqrt(k)``, and where they cross no further correction
    is possible. ``gamma`` is the margin of ``best``, ``radius`` the length of the longest row, both
    with the bias feature inside. They are drawn where the run is of that kind.

    Examples
    --------
    >>> from hardlimit import pictures, textbook
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> data = pictures.weights(textbook.trace(X, y), best=(1, 1, -1)).data
    >>> [round(v, 3) for v in data["length"]], [round(v, 3) for v in data["cosine"]]
    ([1.732, 2.0, 1.732], [0.333, 0.577, 1.0])
    >>> [round(v, 3) for v in data["at_least"]], [round(v, 3) for v in data["at_most"]]
    ([0.577, 1.155, 1.732], [1.732, 2.449, 3.0])
    """
    corrections = _trace.list_corrections(WHO, trace)
    if not corrections:
        raise InputError("the trace has no correction, so there is nothing to show", who=WHO)
    Z = _to_array([[approximate(v) for v in z] for z in trace.examples.signed])
    u, source = _choose_best(trace, best, Z)
    path = [_normalise(one.after) for one in corrections]
    lengths = [w[1] for w in path]
    count = [one.number for one in corrections]
    data: dict[str, Any] = {
        "corrections": count,
        "epochs": [one.epoch for one in corrections],
        "length": lengths,
        "cosine": None if u is None else [_cosine(w[0], u) for w in path],
        "best": None if u is None else u.tolist(),
        "best_is": source,
        "gamma": None if u is None else float((Z @ u).min()),
        "radius": float(np.linalg.norm(Z, axis=1).max()),
    }
    # the proof is of a run from 0 with one row a step; its lines hold nowhere else
    is_novikoff = (
        str(trace.about.rule) == "perceptron"
        and trace.about.order not in ("batch", "descent")
        and not any(_trace.start_weights(WHO, trace))
        # every correction adds the row once, and of a mistake only
        and all(step.tau == 1 and step.margin <= 0 for step in trace.steps if step.corrected)
    )
    data["at_most"] = [data["radius"] * math.sqrt(k) for k in count] if is_novikoff else None
    holds = is_novikoff and data["gamma"] is not None and data["gamma"] > 0
    data["at_least"] = [data["gamma"] * k for k in count] if holds else None
    # Weights that are zero at the end, as those of a run that came back to its start, have none.
    last = None if u is None else data["cosine"][-1]
    end = "" if last is None else f"; the cosine ends at {_text.format_number(last)}"
    return Picture(
        name="weights",
        title=f"Length and direction of the weights: {trace.about.rule}",
        description=f"Length of the weights over {plural(len(count), 'correction')}, "
        f"from {_text.format_number(lengths[0])} to {_text.format_number(lengths[-1])}{end}.",
        data=data,
        draw=_draw,
        size=(6.0, 5.2 if data["cosine"] else 3.6),
    )


def _to_array(rows: Sequence[Sequence[float]]) -> np.ndarray[Any, Any]:
    array = np.array(rows)
    if not (np.abs(array) < _plane.MOST).all():
        got, wanted = Given("numbers whose squares overflow"), f"numbers below {_plane.MOST:g}"
        raise InputError(who=WHO, got=got, wanted=wanted)
    return array


def _normalise(w: Sequence[Any]) -> tuple[np.ndarray[Any, Any], float]:
    """Return the direction and the length of weights of any size."""
    # divided as exact numbers first: a fraction of 400 digits has no float, its direction has one
    most = max(map(abs, w))
    if not most:
        return np.zeros(len(w)), 0.0
    direction = np.array([float(v / most) for v in w])
    norm = float(np.linalg.norm(direction))
    try:
        return direction / norm, float(most) * norm
    except OverflowError:
        return direction / norm, math.inf


def _cosine(direction: np.ndarray[Any, Any], u: np.ndarray[Any, Any]) -> float | None:
    """Return the cosine of the angle between two unit vectors; None where one is zero."""
    return float(np.clip(direction @ u, -1.0, 1.0)) if direction.any() else None


def _choose_best(trace: Trace, best: Any, Z: np.ndarray[Any, Any]) -> tuple[Any, str]:
    """Return a unit vector to compare with, and what it is."""
    if best is None:
        if trace.outcome.wrong:
            return None, ""
        return _normalise(trace.outcome.w)[0], "the last weights"
    if hasattr(best, "w") and hasattr(best, "intercept"):
        # the trace holds the weight of the bias feature, a proof their product
        last = (
            []
            if trace.examples.bias_feature is None
            else [float(best.intercept) / float(trace.examples.bias_feature)]
        )
        best = [*best.w, *last]
    w = list(best)
    if len(w) != Z.shape[1]:
        wanted = f"{plural(Z.shape[1], 'weight')}, the bias's last"
        raise InputError(who=WHO, parameter="best", got=best, wanted=wanted)
    u = _normalise(w)[0]
    if not u.any():
        wanted = "weights that are not all 0"
        raise InputError(who=WHO, parameter="best", got=best, wanted=wanted)
    return u, "the best known separator"


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    from matplotlib.ticker import MaxNLocator

    panels = figure.subplots(2 if data["cosine"] else 1, 1, sharex=True, squeeze=False)[:, 0]
    x, few = data["corrections"], len(data["corrections"]) <= 60
    dots = {"marker": "o", "markersize": 4 if few else 0}
    handles = [panels[0].plot(x, data["length"], color=_palette.BLUE, zorder=3, **dots)[0]]
    labels = ["‖w‖"]
    bounds = (("at_most", 1, "radius √k"), ("at_least", 2, "gamma k"))
    for name, number, said in bounds:
        if data[name]:
            look = _palette.of_line(number)
            line: dict[str, Any] = {"color": look.color, "ls": look.dashes, "linewidth": 1.6}
            handles.append(panels[0].plot(x, data[name], **line)[0])
            labels.append(said)
    panels[0].set_ylabel("length ‖w‖")
    panels[0].set_ylim(bottom=0)
    if data["cosine"]:
        values = [math.nan if v is None else v for v in data["cosine"]]
        panels[1].plot(x, values, color=_palette.BLUE, zorder=3, **dots)
        panels[1].set_ylabel("cosine of the angle")
        panels[1].set_title(f"compared with {data['best_is']}", fontsize=9)
        # v == v leaves out nan, which stands for weights of 0
        panels[1].set_ylim(min(-0.03, *(1.1 * v for v in values if v == v)), 1.03)
        panels[1].axhline(1, color=_palette.QUIET, linewidth=0.8)
    panels[-1].set_xlabel("correction k")
    for axes in panels:
        axes.grid(visible=True)
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    _style.draw_legend(figure, handles, labels)
