"""What the theorems promise of a run, beside what occurred.

``clf.bounds_`` holds what a fit learnt of its examples on its way: the radius, a bracket of the
largest margin gamma, and what follows from them. :func:`of` looks at the rows again and completes
it. Where a theorem does not apply to a run, its line says why.

>>> from hardlimit import LinearClassifier, bounds
>>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
>>> clf = LinearClassifier(order="cyclic", readout="last").fit(X, y)
>>> print(bounds.of(clf, X, y))  # doctest: +ELLIPSIS
perceptron, order cyclic, 4 rows: separated in 2 epochs; 3 corrections, 3 mistakes
radius  1.73205  max ||x||, the bias's feature included
gamma   0.57735 .. 0.57735  the smallest margin of the last weights; ||w|| / 3
<BLANKLINE>
                            promised  occurred
Novikoff                           9         3  corrections: (R / gamma)^2
...
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.discovery import import_members
from hardlimit.foundation.package import list_only_public
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.theory.bounds._run import (
    Bracket,
    Comparator,
    Line,
    MarginProblem,
    ModelRun,
    is_broken,
    make_comparators,
)
from hardlimit.theory.bounds._table import render_table

__all__ = [
    "Bounds",
    "Bracket",
    "Comparator",
    "Line",
    "MarginProblem",
    "ModelRun",
    "evaluate",
    "make_comparators",
    "of",
]

list_only_public(globals())

if TYPE_CHECKING:
    from hardlimit.certificates import Verdict

_STATEMENTS = sorted(import_members(__name__, list(__path__)), key=lambda module: module.PLACE)


@dataclasses.dataclass(frozen=True)
class Bounds:
    """Bounds of a run: for each part (of independent neurons one each) its lines.

    ``parts[k]`` and ``lines[k]`` belong together; ``bounds["Novikoff"]`` is the first line of that
    name.
    """

    run: ModelRun
    parts: tuple[MarginProblem, ...]

    @functools.cached_property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        """The statements about each part."""
        return tuple(
            tuple(line for statement in _STATEMENTS for line in statement.evaluate(self.run, part))
            for part in self.parts
        )

    @property
    def radius(self) -> float | None:
        """``max ||x||`` with the bias's feature; of coupled classes times the root of 2."""
        return self.parts[0].radius

    @property
    def gamma(self) -> Bracket:
        """What is known of the largest margin, of the first part."""
        return self.parts[0].gamma(self.run)

    def __getitem__(self, name: str) -> Line:
        """The first line of that name."""
        for lines in self.lines:
            for line in lines:
                if line.name == name:
                    return line
        raise KeyError(name)

    @property
    def broken(self) -> tuple[Line, ...]:
        """Statements that what occurred contradicts: none, unless this package is wrong."""
        return tuple(
            line
            for lines in self.lines
            for line in lines
            if line.value is not None
            and line.count is not None
            and is_broken(line.count, line.value)
        )

    def __str__(self) -> str:
        return render_table(self.run, self.parts, self.lines)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON; a number that is not known is null."""
        run = self.run
        return {
            "rule": run.rule_name,
            "order": run.order,
            "scheme": run.scheme,
            "rows": run.n_rows,
            "epochs": run.epochs,
            "stop_reason": run.stop_reason,
            "parts": [
                {
                    "name": part.name,
                    "radius": part.radius,
                    "gamma": dataclasses.asdict(part.gamma(run)),
                    "length": part.length,
                    "corrections": part.corrections,
                    "mistakes": part.mistakes,
                    "bounds": [dataclasses.asdict(line) | {"holds": line.holds} for line in lines],
                }
                for part, lines in zip(self.parts, self.lines, strict=True)
            ],
        }


def evaluate(run: ModelRun, parts: Iterable[MarginProblem]) -> Bounds:
    """Return the bounds of a run and its parts."""
    return Bounds(run, tuple(parts))


def of(clf: object, X: ArrayLike, y: Labels, verdict: Verdict | None = None) -> Bounds:
    """Return all bounds of a fitted classifier, with the rows that it learnt from.

    Parameters
    ----------
    clf
        A fitted classifier or estimator of this package.
    X, y
        The examples of its fit (texts and labels for a classifier of texts). Every read-out that
        was kept is held against them.
    verdict
        What :func:`hardlimit.certify` found of the same rows (two classes, unscaled): its bracket
        of gamma, and its vector as one more comparator.

    Cost: a look at all rows for each read-out that was kept, and some hundred at their margins.

    Raises
    ------
    InputError
        Rows or labels that the model does not know; a verdict on other than two classes.
    """
    model = getattr(clf, "model_", clf)
    # Theory lies below the classifiers, so that each of them brings what it measures.
    measure = getattr(model, "measure_run", None)
    if measure is None:
        raise InputError(
            who="bounds.of", got=Given(type(clf).__name__), wanted="a classifier of hardlimit"
        )
    run, parts = measure(X, y, verdict)
    return evaluate(run, parts)
