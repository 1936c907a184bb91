"""The candidates of a search: their scores with standard errors, the best at the top."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.foundation.formatting import plural
from hardlimit.pictures import _palette, _style, _text
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hardlimit.classifiers.tuning import Tuning

MOST = 40  # candidates that are drawn; the others are far behind
LONGEST = 46  # characters of a line of a name, which may have two


def candidates(found: Tuning, *, names: Sequence[str] | None = None) -> Picture:
    """Draw the scores of a search's candidates, each with its standard error.

    Parameters
    ----------
    found
        What ``tune`` of a classifier returned.
    names
        Of the candidates, the best first; default: their parameters.

    Notes
    -----
    Filled points were judged on all rows; hollow ones were left behind on fewer rows, where scores
    are lower, so that only points of one kind can be compared.

    Examples
    --------
    >>> from hardlimit import TextClassifier, pictures
    >>> texts = ["win a prize", "lunch at noon", "a prize to win", "see you at lunch"] * 3
    >>> found = TextClassifier().tune(texts, [1, 2] * 6, grid={"max_iter": [1, 2]}, folds=2)
    >>> pictures.candidates(found).data["names"]
    ['max_iter=1', 'max_iter=2']
    """
    from hardlimit.classifiers.tuning.tuning import spell_parameters

    trials = found.trials[:MOST]
    given = [spell_parameters(trial.parameters) for trial in trials] if names is None else names
    most = max(trial.n_rows for trial in trials)
    data: dict[str, Any] = {
        "scoring": found.scoring,
        "names": list(given[: len(trials)]),
        "means": [trial.mean for trial in trials],
        "standard_errors": [trial.standard_error for trial in trials],
        "rows": [trial.n_rows for trial in trials],
        "final": [trial.n_rows == most for trial in trials],
        "left_out": len(found.trials) - len(trials),
    }
    return Picture(
        name="candidates",
        title="Candidates of a search",
        description=f"Scores ({found.scoring}) of {plural(len(found.trials), 'candidate')}, mean "
        f"and standard error of {found.folds} folds; the best has "
        f"{_text.format_number(found.best.mean)}.",
        data=data,
        draw=_draw,
        size=(7.0, 1.3 + _height(data["names"]) * len(trials)),
    )


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    handles, labels = [], []
    for final, look in ((True, _palette.BLUE), (False, "none")):
        places = [i for i, one in enumerate(data["final"]) if one is final]
        if not places:
            continue
        drawn = axes.errorbar(
            [data["means"][i] for i in places],
            places,
            xerr=[data["standard_errors"][i] for i in places],
            fmt="o",
            color=_palette.BLUE,
            markerfacecolor=look,
            linewidth=1.2,
            markersize=5,
        )
        handles.append(drawn)
        labels.append("on all rows" if final else "on fewer rows")
    axes.set_yticks(range(len(data["names"])), [_fold(name) for name in data["names"]])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(data["names"]) - 0.4, -0.6)
    axes.set_xlabel(data["scoring"])
    axes.grid(visible=True, axis="x")
    _style.draw_legend(figure, handles, labels)


def _height(names: Sequence[str]) -> float:
    """Return the inches of a row: names of two lines want more."""
    return 0.36 if any(len(name) > LONGEST for name in names) else 0.24


def _fold(name: str) -> str:
    r"""Fold a name at a blank; what is beyond two lines is cut off.

    >>> _fold("scale=standard rule=passive-aggressive C=0.3 epochs=20")
    'scale=standard rule=passive-aggressive C=0.3\nepochs=20'
    """
    lines = textwrap.wrap(name, LONGEST, max_lines=2, placeholder=" ...", break_on_hyphens=False)
    return "\n".join(lines)
