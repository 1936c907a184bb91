"""The order of labels, and from the scores of one example to its class, without numpy.

On that order the class of +1, reports and pictures depend.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from hardlimit.exceptions import Given, InputError, abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.parameters import as_float


def best_rival(scores: Sequence[float], chosen: int) -> int:
    """Return the number of the class that comes next to the chosen one; a tie goes to the first."""
    if len(scores) == 1:
        return 1 - chosen
    others = [k for k in range(len(scores)) if k != chosen]
    return max(others, key=lambda k: scores[k])


def scores_of_classes(scores: Sequence[float]) -> list[float]:
    """Return a score for each class; of two classes the first has the negative of the second's.

    >>> scores_of_classes([1.5]), scores_of_classes([0.0]), scores_of_classes([1.0, 3.0, 2.0])
    ([-1.5, 1.5], [0.0, 0.0], [1.0, 3.0, 2.0])
    """
    # 0.0 - x and not -x, which would print a score of 0 as -0.
    return [0.0 - scores[0], scores[0]] if len(scores) == 1 else list(scores)


def chosen_class(scores: Sequence[float], n_classes: int, threshold: float) -> int:
    """Return the number of the class of these scores; a tie goes to the first."""
    if len(scores) == 1:
        return int(n_classes > 1 and scores[0] > threshold)
    return max(range(len(scores)), key=lambda k: scores[k])


def check_threshold(threshold: float, n_classes: int, *, decides: bool) -> None:
    """Refuse a threshold that is not finite, or where none decides."""
    if not math.isfinite(as_float(threshold)):
        raise InputError(parameter="threshold", got=threshold, wanted="a finite number")
    if not decides:
        raise InputError(
            "a threshold decides between two classes, or for each of several labels",
            parameter="threshold",
            got=threshold,
            wanted=f"none, since the model has {plural(n_classes, 'class', 'classes')}",
        )


def abstains(probability: float, least: float | None, known_features: int | None) -> bool:
    """Return whether an answer is left to people: improbable, or of a text without known terms.

    >>> abstains(0.95, 0.9, 3), abstains(0.95, 0.9, 0), abstains(0.6, 0.9, None)
    (False, True, True)
    """
    return least is not None and (probability < least or known_features == 0)


def sort_labels(labels: Iterable[Any]) -> list[Any]:
    """Return the distinct labels, sorted; by kind first where kinds cannot be compared.

    >>> sort_labels(["b", "a", "b"]), sort_labels([2, "a", 1])
    (['a', 'b'], [1, 2, 'a'])
    """
    distinct = set(labels)
    try:
        # Sets have no order of their own: the bytes of files and proofs depend on this one.
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=lambda label: (type(label).__name__, repr(label)))


def strange_value(row: int, column: object, value: object, pair: Sequence[Any]) -> InputError:
    """Return the error of a value that is none of the two that a column of labels has.

    >>> print(strange_value(3, "sold", 7, [0, 1]))
    Y: got 7 in row 3, wanted 0 or 1 in column 'sold', as in the examples before
    """
    return InputError(
        parameter="Y",
        got=Given(f"{abbreviate(value)} in row {row}"),
        wanted=f"{pair[0]!r} or {pair[1]!r} in column {column!r}, as in the examples before",
    )
