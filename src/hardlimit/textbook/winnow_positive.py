"""Littlestone's Winnow: positive weights, a fixed threshold."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.exact_numbers import Scalar, Vector, dot
from hardlimit.textbook.data import Examples
from hardlimit.textbook.plan import Order, number_epochs
from hardlimit.textbook.steps import Outcome
from hardlimit.textbook.winnow_balanced import check_exponents, end


@dataclass(frozen=True)
class PositiveStep:
    """One line of positive Winnow."""

    epoch: int
    example: int
    step: int
    w_before: Vector
    x: Vector
    y: int
    score: Any
    corrected: bool
    w_after: Vector


def winnow(
    examples: Examples,
    alpha: Scalar = 2,
    *,
    threshold: Scalar | None = None,
    demotion: str = "divide",
    order: Order = None,
    max_iter: int = 1000,
) -> Generator[PositiveStep, None, Outcome]:
    """Promote the columns that were present when +1 was missed, demote them otherwise.

    ::

        w = (1, ..., 1);   predict +1 iff <w, x> > threshold
        +1 was missed:       w_j <- w_j alpha^x_j
        -1 was missed:       w_j <- w_j alpha^-x_j    (demotion="divide": Winnow2)
                             w_j <- 0 where x_j > 0   (demotion="eliminate": Winnow1)

    threshold : default the number of columns. Features must not be negative (0 and 1 in the paper);
    there is no bias, so make the examples with ``bias_feature=None``. Winnow1 is for targets
    without noise: a weight of 0 never comes back. A score of exactly the threshold answers -1 here,
    as in the paper; the rules ``winnow-1`` and ``winnow-2`` of the package take it for a mistake in
    training, whatever the target, as all others do.

    A disjunction of r of n variables costs at most ``2 + 3 r (1 + log2 n)`` mistakes, where a
    perceptron can be forced to make ``Omega(r n)``.

    Littlestone, Machine Learning 2 (1988).

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[0, 0], [1, 0], [0, 1], [1, 1]], [-1, 1, 1, 1], bias_feature=None)
    >>> outcome = textbook.run(textbook.winnow(ex)).outcome
    >>> [int(v) for v in outcome.w], outcome.corrections
    ([4, 4], 4)
    """
    number = examples.number
    alpha = number(alpha)
    threshold = number(examples.columns if threshold is None else threshold)
    _check(examples, alpha, demotion)
    # At one, not zero: what is multiplied could never leave zero.
    w = (number(1),) * examples.columns
    counts, k = [0] * len(examples), 0
    epoch = 0
    for epoch, rows in number_epochs(order, len(examples), max_iter):
        mistakes = 0
        for i in rows:
            x, y, before, score = examples.rows[i], examples.targets[i], w, dot(w, examples.rows[i])
            # A score of exactly the threshold answers -1, as in the paper.
            wrong = (score > threshold) != (y > 0)
            if wrong:
                w = _move(w, x, y, alpha, demotion)
                mistakes, k, counts[i] = mistakes + 1, k + 1, counts[i] + 1
            yield PositiveStep(epoch, i, k, before, x, y, score, wrong, w)
        if not mistakes and len(set(rows)) == len(examples):
            return _outcome(examples, "separated", w, threshold, counts, epoch)
    return _outcome(examples, "max_iter", w, threshold, counts, epoch)


def _move(w: Vector, x: Vector, y: int, alpha: Scalar, demotion: str) -> Vector:
    if y < 0 and demotion == "eliminate":
        return tuple(0 * wj if xj > 0 else wj for wj, xj in zip(w, x, strict=True))
    return tuple(wj * alpha ** (y * xj) for wj, xj in zip(w, x, strict=True))


def _check(examples: Examples, alpha: Scalar, demotion: str) -> None:
    if alpha <= 1:
        raise InputError(
            who="winnow", parameter="alpha", got=Given(str(alpha)), wanted="a number > 1"
        )
    if demotion not in ("divide", "eliminate"):
        raise InputError(
            who="winnow", parameter="demotion", got=demotion, wanted="'divide' or 'eliminate'"
        )
    if any(v < 0 for row in examples.rows for v in row):
        raise InputError(
            "positive Winnow has no bias (bias_feature=None)",
            who="winnow",
            got=Given("a negative feature"),
            wanted="0 or more",
            fix="Balanced Winnow takes both signs",
        )
    check_exponents(examples, alpha)


def _outcome(
    examples: Examples, reason: str, w: Vector, threshold: Scalar, counts: list[int], epochs: int
) -> Outcome:
    def is_wrong(x: Vector, y: int) -> bool:
        return bool((dot(w, x) > threshold) != (y > 0))

    return end(examples, reason, w, counts, epochs, is_wrong)
