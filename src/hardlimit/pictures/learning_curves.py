"""The error of each read-out on held-out rows, by the number of epochs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.pictures import _palette, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WHO = "pictures.learning_curves"
EPOCHS = (1, 2, 3, 5, 8, 13, 20, 30)
ORDER = ("last", "averaged", "voted", "pocket", "pocket-ratchet", "longest", "random")


def learning_curves(
    model: Any,
    X: ArrayLike,
    y: Labels,
    *,
    validation: tuple[Any, Any],
    epochs: Sequence[int] = EPOCHS,
) -> Picture:
    """Draw the errors of every read-out on held-out rows, by the number of epochs.

    Parameters
    ----------
    model
        A classifier with ``keep``, fitted or not; it is not changed.
    X, y
        The rows to learn from.
    validation
        The rows to be judged by, ``(X, y)``: others than those.
    epochs
        How many, rising. Every number is a fit of its own with the same seed, which goes through
        the same epochs, so that the cost is that of their sum; it does not stop before.

    Notes
    -----
    All read-outs that go with the rule and the order come from the same fits.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, pictures
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> clf = LinearClassifier(order="cyclic")
    >>> data = pictures.learning_curves(clf, X, y, validation=(X, y), epochs=[1, 2]).data
    >>> data["epochs"], data["errors"]["last"], data["errors"]["averaged"]
    ([1, 2], [0.0, 0.0], [0.25, 0.0])
    """
    if not hasattr(model, "get_params") or "keep" not in model.get_params(deep=False):
        raise KindError(
            who=WHO,
            got=Given(type(model).__name__),
            wanted="a classifier with read-outs to keep, such as LinearClassifier",
        )
    counts = [int(n) for n in epochs]
    if not counts or counts != sorted(set(counts)) or counts[0] < 1:
        wanted = "rising numbers from 1"
        raise InputError(who=WHO, parameter="epochs", got=list(epochs), wanted=wanted)
    errors: dict[str, list[float]] = {}
    # Each count is a fit of its own: a read-out such as the average depends on where the run stops.
    for n in counts:
        # until=None: a fit that stops by itself would not have gone through n epochs
        settings = model.get_params(deep=False) | {"keep": "all", "max_iter": n, "until": None}
        fitted = type(model)(**settings).fit(X, y, validation=validation)
        for name, score in fitted.validation_scores_.items():
            errors.setdefault(name, []).append(1.0 - float(score))
    names = [name for name in ORDER if name in errors]
    names += [name for name in errors if name not in ORDER]
    data: dict[str, Any] = {
        "epochs": counts,
        "errors": {name: errors[name] for name in names},
        "rows": len(validation[1]),
    }
    best = min(names, key=lambda name: min(errors[name]))
    return Picture(
        name="learning_curves",
        title="Error on held-out rows, by read-out",
        description=f"Share of {plural(data['rows'], 'held-out row')} that each read-out gets "
        f"wrong after {counts[0]} to {plural(counts[-1], 'epoch')}; the least is "
        f"{_text.format_number(min(errors[best]))}, of {best}.",
        data=data,
        draw=_draw,
        size=(6.0, 4.6),
    )


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    from matplotlib.ticker import FixedLocator, NullLocator, PercentFormatter

    axes = figure.add_subplot()
    handles = []
    for number, values in enumerate(data["errors"].values()):
        look = _palette.of_line(number)
        line: dict[str, Any] = {"color": look.color, "ls": look.dashes, "marker": look.marker}
        handles += axes.plot(data["epochs"], values, markersize=5, zorder=3 - number / 10, **line)
    if len(data["epochs"]) > 1:
        axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(data["epochs"][:: 1 + len(data["epochs"]) // 12]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    most = max(max(values) for values in data["errors"].values())
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0 if most > 0.05 else 1))
    axes.set_ylim(0, 1.08 * most or 1.0)
    axes.set_xlabel("epochs")
    axes.set_ylabel(f"error on {plural(data['rows'], 'held-out row')}")
    axes.grid(visible=True)
    _style.draw_legend(figure, handles, list(data["errors"]))
