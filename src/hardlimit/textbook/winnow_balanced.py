"""Balanced Winnow: the weights are multiplied."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.exact_numbers import (
    Scalar,
    Vector,
    add,
    dot,
    exact,
    scale,
    sign,
    subtract,
)
from hardlimit.textbook.asking import TAKE_FLOATS
from hardlimit.textbook.data import Examples
from hardlimit.textbook.lengths import MOST_DIGITS
from hardlimit.textbook.plan import Order, number_epochs
from hardlimit.textbook.steps import Outcome


@dataclass(frozen=True)
class BalancedStep:
    """One line: both vectors of weights, and the row as it is, not signed."""

    epoch: int
    example: int
    step: int
    ap_before: Vector
    am_before: Vector
    x: Vector
    y: int
    score: Any  # <ap - am, x>
    margin: Any  # y times it
    corrected: bool
    ap_after: Vector
    am_after: Vector
    v: Vector  # the sum of y x over the corrections: what a perceptron would have added up

    @property
    def w_after(self) -> Vector:
        """The effective weights, ``ap - am``."""
        return subtract(self.ap_after, self.am_after)


def balanced_winnow(
    examples: Examples,
    alpha: Scalar = 2,
    *,
    a0: Scalar = 1,
    order: Order = None,
    max_iter: int = 1000,
) -> Generator[BalancedStep, None, Outcome]:
    """Multiply both vectors of weights on every mistake.

    ::

        score <- <ap, x> - <am, x>
        if y score <= 0:   ap_j <- ap_j alpha^(y x_j);   am_j <- am_j alpha^(-y x_j)   for all j

    alpha : > 1. a0 : where all weights start, > 0.

    With ``v = sum of y x`` over the mistakes, ``ap_j = a0 alpha^v_j`` and ``am_j = a0 alpha^-v_j``,
    so that ``ap_j am_j = a0^2`` never changes and **the weight is** ``2 a0 sinh(v_j ln alpha)``
    (:func:`weight_of`). Common slips: that Winnow scales a perceptron's weight by it; that only one
    of the vectors is corrected; that it is always the faster one (it is where few columns matter);
    a procedure without a loop.

    Exact on whole numbers, because ``alpha^x`` is then a fraction.

    Duda, Hart and Stork, Pattern Classification, 2nd ed., Algorithm 7.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> steps, outcome = textbook.run(textbook.balanced_winnow(ex, alpha=2))
    >>> [str(a) for a in steps[-1].ap_after], [str(a) for a in steps[-1].am_after]
    (['2', '2', '1/2'], ['1/2', '1/2', '2'])
    >>> [str(step.score) for step in steps if step.corrected]
    ['0', '-3/2', '-15/4']
    """
    number = examples.number
    alpha, a0 = number(alpha), number(a0)
    if alpha <= 1 or a0 <= 0:
        raise InputError(
            who="balanced_winnow",
            got=Given(f"alpha={alpha}, a0={a0}"),
            wanted="alpha > 1 and a0 > 0",
        )
    check_exponents(examples, alpha)
    ap = am = (a0,) * examples.columns
    v = (number(0),) * examples.columns
    counts, k = [0] * len(examples), 0
    epoch = 0
    for epoch, rows in number_epochs(order, len(examples), max_iter):
        mistakes = 0
        for i in rows:
            x, y, before = examples.rows[i], examples.targets[i], (ap, am)
            score = dot(subtract(ap, am), x)
            if y * score <= 0:
                # Both vectors move: of one alone a weight could never change its sign.
                ap = tuple(a * alpha ** (y * xj) for a, xj in zip(ap, x, strict=True))
                am = tuple(a * alpha ** (-y * xj) for a, xj in zip(am, x, strict=True))
                v = add(v, scale(y, x))
                mistakes, k, counts[i] = mistakes + 1, k + 1, counts[i] + 1
            yield BalancedStep(
                epoch, i, k, *before, x, y, score, y * score, y * score <= 0, ap, am, v
            )
        if not mistakes and len(set(rows)) == len(examples):
            return _outcome(examples, "separated", ap, am, counts, epoch)
    return _outcome(examples, "max_iter", ap, am, counts, epoch)


def weight_of(v: Scalar, alpha: Scalar, a0: Scalar = 1) -> float:
    """Return ``2 a0 sinh(v ln alpha)``, the effective weight where a perceptron would have v.

    >>> weight_of(1, 2)
    1.5
    """
    return 2 * float(a0) * math.sinh(float(v) * math.log(alpha))


def check_exponents(examples: Examples, alpha: Scalar) -> None:
    """Refuse what has no exact power, or one of more digits than a trace can have."""
    if examples.number is not exact:
        return
    largest = max((abs(v) for row in examples.rows for v in row), default=0)
    # Before the power is computed, which would take all memory.
    if largest * math.log10(alpha) > MOST_DIGITS:
        raise InputError(
            f"Winnow takes powers alpha^x, and x = {largest} makes more than {MOST_DIGITS:,} "
            "digits",
            fix="make the columns smaller",
        )
    if any(v.denominator != 1 for row in examples.rows for v in row):
        raise InputError(
            "Winnow takes powers alpha^x, which are fractions for whole numbers x only",
            topic="no-fractions",
            fix=TAKE_FLOATS,
        )


def _outcome(
    examples: Examples, reason: str, ap: Vector, am: Vector, counts: list[int], epochs: int
) -> Outcome:
    w = subtract(ap, am)
    return end(examples, reason, w, counts, epochs, lambda x, y: sign(dot(w, x)) != y)


def end(
    examples: Examples,
    reason: str,
    w: Vector,
    counts: list[int],
    epochs: int,
    is_wrong: Callable[[Vector, int], bool],
) -> Outcome:
    """Return how a run ended that multiplies, by whether a row is answered wrongly."""
    pairs = enumerate(zip(examples.rows, examples.targets, strict=True))
    wrong = tuple(i for i, (x, y) in pairs if is_wrong(x, y))
    alphas = tuple(map(examples.number, counts))
    return Outcome(reason, w, sum(counts), epochs, tuple(counts), alphas, wrong)
