"""A layer of neurons that share their input and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardlimit.foundation.exact_numbers import Number, Scalar, exact
from hardlimit.foundation.types import ArrayLike
from hardlimit.textbook.asking import RuleLike
from hardlimit.textbook.data import examples
from hardlimit.textbook.incremental_mode import incremental
from hardlimit.textbook.steps import Run, Step, run


def neurons(
    X: ArrayLike,
    T: Sequence[Sequence[int]],
    rule: RuleLike = "perceptron",
    *,
    bias_feature: Scalar | None = -1,
    number: Number = exact,
    **settings: Any,
) -> list[Run[Step]]:
    """Teach M neurons, each its own column of the target vectors ``T`` (-1 and +1).

    Neuron j changes only if ``t_j <w_j, x> <= 0``, so that the M runs are those of M perceptrons on
    their own, and each stops by itself: at most ``(R / gamma_j)^2`` corrections each. ``settings``
    are those of :func:`hardlimit.textbook.incremental`.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> X = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    >>> both = textbook.neurons(X, [[-1, -1], [1, -1], [1, -1], [1, 1]], number=int)   # OR, AND
    >>> [(run.outcome.w, run.outcome.corrections) for run in both]
    [((1, 1, -1), 3), ((1, 1, 1), 1)]
    """
    columns = range(len(T[0]))
    return [
        run(
            incremental(
                examples(X, [t[j] for t in T], bias_feature=bias_feature, number=number),
                rule,
                **settings,
            )
        )
        for j in columns
    ]


def one_against_rest(labels: Sequence[Any]) -> tuple[list[Any], list[list[int]]]:
    """The classes in order, and a target vector for each label: +1 for its class, -1 elsewhere.

    >>> one_against_rest(["b", "a"])
    (['a', 'b'], [[-1, 1], [1, -1]])
    """
    classes = sorted(set(labels))
    return classes, [[1 if label == c else -1 for c in classes] for label in labels]
