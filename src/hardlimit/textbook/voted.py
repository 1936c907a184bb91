"""The voted perceptron: all hypotheses that passed by, each with the time that it survived."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hardlimit.foundation.exact_numbers import Vector, dot, sign
from hardlimit.textbook.steps import Step


class Survivor(NamedTuple):
    """A vector of weights, and the presentations that it counts for."""

    v: Vector
    survived: int


def survivors(steps: Iterable[Step]) -> list[Survivor]:
    """The hypotheses of a run in their order, counted as Freund and Schapire do.

    A vector that a correction makes starts with 1; the first, that of the start, with 0. Neither
    weights nor counts begin anew with an epoch.

    Freund and Schapire, Machine Learning 37 (1999), Figure 1.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1], number=int)
    >>> for v, survived in textbook.survivors(textbook.incremental(ex)):
    ...     print(v, survived)
    (0, 0, 0) 0
    (1, 1, 1) 1
    (2, 0, 0) 1
    (1, 1, -1) 6
    """
    hypotheses: list[Survivor] = []
    for step in steps:
        if not hypotheses:
            hypotheses.append(Survivor(step.w_before, 0))
        # The presentation that corrects a hypothesis counts for the new one.
        if step.corrected:
            hypotheses.append(Survivor(step.w_after, 1))
        else:
            hypotheses[-1] = Survivor(hypotheses[-1].v, hypotheses[-1].survived + 1)
    return hypotheses


def vote(of: Sequence[Survivor], x: Vector) -> Any:
    """``sum_k c_k sign(<v_k, x>)``; x with its bias feature.

    A score of zero abstains. A common slip lets ``sign(0)`` be +1, and so the zero vector of the
    start votes.

    >>> vote([Survivor((0, 0), 5), Survivor((1, 0), 2), Survivor((0, 1), 1)], (1, -1))
    1
    """
    return sum(count * sign(dot(v, x)) for v, count in of)


def longest(of: Sequence[Survivor]) -> Survivor:
    """The hypothesis that survived longest, the first of equals.

    >>> longest([Survivor((1, 0), 2), Survivor((0, 1), 2)])
    Survivor(v=(1, 0), survived=2)
    """
    return max(of, key=lambda survivor: survivor.survived)
