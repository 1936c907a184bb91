"""The dual form: what is learnt is how often each example was corrected."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar, Vector, dot, scale, total
from hardlimit.textbook.data import Examples
from hardlimit.textbook.plan import Order, number_epochs
from hardlimit.textbook.steps import Outcome

Kernel = Callable[[Vector, Vector], Any]


@dataclass(frozen=True)
class DualStep:
    """One line of the dual form."""

    epoch: int
    example: int
    step: int
    alpha_before: Vector
    margin: Any
    corrected: bool
    alpha_after: Vector


def dual(
    examples: Examples,
    *,
    eta: Scalar = 1,
    kernel: Kernel | None = None,
    order: Order = None,
    max_iter: int = 1000,
) -> Generator[DualStep, None, Outcome]:
    """The perceptron with ``alpha`` in the place of ``w = sum_j alpha_j t_j x_j``.

    ::

        if t_i sum_j alpha_j t_j K(x_j, x_i) <= 0:   alpha_i <- alpha_i + eta

    Rows occur in inner products only, so that any ``kernel(x, x')`` can stand there (to which the
    square of the bias feature is added); the default is ``<x, x'>``, and then the run is that of
    the perceptron, step for step. The coefficients are not negative; a common slip calls them
    positive, but an example that was never mistaken has 0.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1], number=int)
    >>> outcome = textbook.run(textbook.dual(ex)).outcome
    >>> outcome.alpha, outcome.w
    ((1, 1, 1, 0), (1, 1, -1))
    """
    number, n = examples.number, len(examples)
    K = gram(examples, kernel)
    t, eta = examples.targets, number(eta)
    alpha: list[Any] = [number(0)] * n
    counts, k = [0] * n, 0

    def margin_of(i: int) -> Any:
        return t[i] * sum(alpha[j] * t[j] * K[j][i] for j in range(n))

    def outcome(reason: str, epochs: int) -> Outcome:
        w = total(map(scale, alpha, examples.signed), examples.columns) if kernel is None else ()
        wrong = tuple(i for i in range(n) if margin_of(i) <= 0)
        return Outcome(reason, w, k, epochs, tuple(counts), tuple(alpha), wrong)

    epoch = 0
    for epoch, rows in number_epochs(order, n, max_iter):
        mistakes = 0
        for i in rows:
            before, margin = tuple(alpha), margin_of(i)
            if margin <= 0:
                alpha[i] += eta
                mistakes, k, counts[i] = mistakes + 1, k + 1, counts[i] + 1
            yield DualStep(epoch, i, k, before, margin, margin <= 0, tuple(alpha))
        # An epoch that left rows out says nothing about those.
        if not mistakes and len(set(rows)) == n:
            return outcome("separated", epoch)
    return outcome("max_iter", epoch)


def gram(examples: Examples, kernel: Kernel | None = None) -> list[list[Any]]:
    """The matrix of all ``K(x_i, x_j)``, the bias included."""
    if kernel is None:
        return [[dot(a, b) for b in examples.rows] for a in examples.rows]
    if examples.bias_feature is None:
        return [[kernel(a, b) for b in examples.rows] for a in examples.rows]
    # A kernel sees the rows alone; the constant feature adds its square to every product.
    bias = examples.bias_feature * examples.bias_feature
    return [[kernel(a[:-1], b[:-1]) + bias for b in examples.rows] for a in examples.rows]
