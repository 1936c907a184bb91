"""Mistakes and corrections beside the bound on their number."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from hardlimit import rules
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural
from hardlimit.pictures import _palette, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hardlimit.theory.bounds import Bounds

WHO = "pictures.mistakes"
LOG_FROM = 12  # times the count, from where a bound is drawn on a logarithmic scale


def mistakes(model: Any, *, bound: object = None) -> Picture:
    """Draw mistakes and corrections of each epoch, their sums, and the bound on the sum.

    Parameters
    ----------
    model
        A fitted classifier, or its ``history_``.
    bound
        What :func:`hardlimit.bounds.of` returns; a number; what ``rule.mistake_bound(geometry)``
        answers; or a :class:`hardlimit.rules.Geometry`, from which the rule of the model makes it.
        Default: the ``bounds_`` of the model.

    Notes
    -----
    A bound is of all corrections or of the mistakes among them, and is drawn against the sum that
    it bounds. Where there is none, the picture says why.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, pictures, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> clf = LinearClassifier(order="cyclic", readout="last").fit(X, y)
    >>> data = pictures.mistakes(clf).data
    >>> data["mistakes"], data["corrections_so_far"], round(data["bound"], 9)
    ([3, 0], [3, 3], 9.0)
    >>> geometry = rules.Geometry(radius=2.0, gamma=0.5)
    >>> pictures.mistakes(clf, bound=geometry).data["bound"]
    16.0
    """
    history = list(getattr(model, "history_", model))
    if not history:
        raise InputError("the history has no epoch, as that of a stream", who=WHO, fix="use fit")
    wrong = [record.mistakes for record in history]
    corrected = [record.corrections for record in history]
    value, reason, of = _find_bound(model, bound)
    data = {
        "epochs": [record.epoch for record in history],
        "mistakes": wrong,
        "corrections": corrected,
        "mistakes_so_far": list(accumulate(wrong)),
        "corrections_so_far": list(accumulate(corrected)),
        "bound": value,
        "bound_of": of,
        "no_bound": reason,
        "stop_reason": getattr(model, "stop_reason_", None),
    }
    against = "" if value is None else f"; the bound on {of} is {_text.format_number(value)}"
    return Picture(
        name="mistakes",
        title="Mistakes in each epoch, and the bound on their number",
        description=f"{plural(sum(wrong), 'mistake')} and "
        f"{plural(sum(corrected), 'correction')} in {plural(len(history), 'epoch')}"
        f"{against}.",
        data=data,
        draw=_draw,
        size=(6.0, 5.2),
    )


def _find_bound(model: object, bound: Any) -> tuple[float | None, str, str]:
    """Return the value, why there is none, and what it bounds."""
    if bound is None:
        bound = getattr(model, "bounds_", None)
    if hasattr(bound, "lines"):
        return _find_own_bound(bound)
    if hasattr(bound, "radius"):
        rule = getattr(model, "rule", None)
        if rule is None:
            raise InputError("a geometry needs the model, not its history alone", who=WHO)
        bound = rules.resolve(rule).mistake_bound(bound)
    if bound is None:
        return None, "", "corrections"
    if hasattr(bound, "reason"):
        value = None if bound.value is None else float(bound.value)
        return value, "" if value is not None else str(bound.reason), str(bound.of)
    return float(bound), "", "corrections"


def _find_own_bound(bounds: Bounds) -> tuple[float | None, str, str]:
    """Return Novikoff's bound of a perceptron, or a rule's own."""
    # the corrections of all neurons together stand under no bound of a single one
    if len(bounds.lines) > 1:
        return (
            None,
            f"{plural(len(bounds.lines), 'neuron')} have a bound each, see bounds_",
            "corrections",
        )
    for line in bounds.lines[0]:
        if line.name.startswith("Novikoff") != (bounds.run.rule_name == "perceptron"):
            continue
        # Each row that a batch adds is a mistake.
        of = line.of if line.of == "corrections" else "mistakes"
        return line.value, "" if line.value is not None else line.reason, of
    return None, "", "corrections"


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    above, below = figure.subplots(2, 1, sharex=True)
    epochs, step = data["epochs"], {"where": "mid"}
    wrong, corrected = _palette.of_line(1), _palette.of_line(0)
    if len(epochs) <= 60:
        look: dict[str, Any] = {"edgecolor": _palette.INK, "linewidth": 0.5, "zorder": 3}
        first = above.bar(epochs, data["corrections"], 0.8, color="#BFD9EA", **look)
        second = above.bar(epochs, data["mistakes"], 0.44, color=wrong.color, **look)
    else:
        first = above.step(epochs, data["corrections"], color=corrected.color, **step)[0]
        second = above.step(epochs, data["mistakes"], color=wrong.color, ls=wrong.dashes, **step)[0]
    handles, labels = [first, second], ["corrections", "mistakes among them"]
    above.set_ylabel("per epoch")
    above.set_ylim(bottom=0)
    _draw_sums(below, data, handles, labels)
    _set_whole_ticks(above, below)
    _style.draw_legend(figure, handles, labels)


def _draw_sums(axes: Axes, data: dict[str, Any], handles: list[Any], labels: list[str]) -> None:
    """Draw the sums so far, and the bound over them."""
    wrong, corrected = _palette.of_line(1), _palette.of_line(0)
    # sums begin at 0, before the first epoch
    x = [data["epochs"][0] - 1, *data["epochs"]]
    for name, look in (("corrections_so_far", corrected), ("mistakes_so_far", wrong)):
        line: dict[str, Any] = {"color": look.color, "ls": look.dashes, "marker": look.marker}
        size = 4 if len(x) <= 60 else 0
        axes.plot(x, [0, *data[name]], markersize=size, zorder=3, **line)
    axes.set_xlabel("epoch")
    axes.set_ylabel("total so far")
    total = data[f"{data['bound_of']}_so_far"][-1]
    bound = data["bound"]
    if bound is None:
        if data["no_bound"]:
            axes.set_title(_text.wrap(f"no bound: {data['no_bound']}", 76), fontsize=9)
        axes.set_ylim(bottom=0)
        return
    handles.append(axes.axhline(bound, color=_palette.INK, linewidth=1.6, dashes=(6, 2, 1, 2)))
    labels.append(f"bound on {data['bound_of']}: {_text.format_number(bound)}")
    # a bound far above the count would press the curves to the floor of a linear scale
    if bound > LOG_FROM * max(total, 1):
        axes.set_yscale("symlog", linthresh=1)
        every = 1 + int(math.log10(bound)) // 5
        ticks = [0.0, *(10.0**k for k in range(0, int(math.log10(bound)) + 1, every))]
        axes.set_yticks(ticks)
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(lambda value, _: _text.format_number(float(value)))
    axes.set_ylim(bottom=0)


def _set_whole_ticks(*panels: Axes) -> None:
    """Put ticks at whole epochs and counts."""
    from matplotlib.ticker import MaxNLocator

    for axes in panels:
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        if axes.get_yscale() == "linear":
            axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.grid(visible=True, axis="y")
