"""What a search found: the trials in order, the best one, and the classifier that it makes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.classifiers.tuning.trials import Trial


@dataclass(frozen=True, slots=True)
class Tuning:
    """A search that is done; ``print`` it for the table.

    Attributes
    ----------
    trials
        Every candidate, the best first: those of the last rung by their mean (equal ones in the
        order of the candidates), then those that were left behind before.
    classifier
        The best one, fitted on all rows.
    folds
        Parts of the rows, each of which was held out in turn.
    scoring
        What the scores are.
    nested
        The scores of the whole search, each on rows that it had not seen; empty unless asked for.

    Notes
    -----
    The best of many means is better than it deserves: it is also the luckiest. ``nested`` says what
    the tuned classifier is worth on new rows.
    """

    trials: tuple[Trial, ...]
    classifier: Any
    folds: int
    scoring: str
    nested: tuple[float, ...] = ()

    @property
    def best(self) -> Trial:
        """The trial that the classifier is made of."""
        return self.trials[0]

    @property
    def nested_mean(self) -> float | None:
        """The mean of ``nested``; None unless asked for."""
        return math.fsum(self.nested) / len(self.nested) if self.nested else None

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON, without the classifier."""
        return {
            "scoring": self.scoring,
            "folds": self.folds,
            "trials": [
                {
                    "parameters": {k: spell(v) for k, v in trial.parameters.items()},
                    "mean": trial.mean,
                    "standard_error": trial.standard_error,
                    "scores": list(trial.scores),
                    "rows": trial.n_rows,
                    "seconds": trial.seconds,
                }
                for trial in self.trials
            ],
            "nested": list(self.nested),
        }

    def __str__(self) -> str:
        """Draw the table."""
        header = (self.scoring, "+-", "rows", "seconds", "parameters")
        cells = [header, *map(_cells, self.trials)]
        widths = [max(len(row[column]) for row in cells) for column in range(4)]
        lines = ["  ".join([*map(str.rjust, row, widths), row[4]]) for row in cells]
        if self.nested:
            lines += ["", f"nested: {self.nested_mean:.4f}, what the search is worth on new rows"]
        return "\n".join(lines)


def _cells(trial: Trial) -> tuple[str, ...]:
    return (
        f"{trial.mean:.4f}",
        f"{trial.standard_error:.4f}",
        f"{trial.n_rows}",
        f"{trial.seconds:.2f}",
        spell_parameters(trial.parameters),
    )


def spell_parameters(parameters: dict[str, Any]) -> str:
    """Return parameters as they are typed in Python.

    >>> spell_parameters({"words": (1, 2), "chars": None}), spell_parameters({})
    ('words=(1, 2), chars=None', 'as it is')
    """
    pairs = [f"{name}={value!r}" for name, value in parameters.items()]
    return ", ".join(pairs) or "as it is"


def spell(value: object) -> Any:
    """Return a value of a parameter as plain JSON.

    >>> spell((1, 2)), spell(None)
    ([1, 2], None)
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Sequence):
        return [spell(one) for one in value]
    return repr(value)
