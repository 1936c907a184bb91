"""The AdaTron on a Gram matrix: alphas that rise and fall until the margin is the largest."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar, scale, total
from hardlimit.textbook.data import Examples
from hardlimit.textbook.dual_form import DualStep, Kernel, gram
from hardlimit.textbook.plan import Order, number_epochs
from hardlimit.textbook.steps import Outcome


def adatron(
    examples: Examples,
    *,
    eta: Scalar = 1,
    C: Scalar = math.inf,
    kernel: Kernel | None = None,
    order: Order = None,
    tol: Scalar = 0,
    max_iter: int = 1000,
) -> Generator[DualStep, None, Outcome]:
    """Coordinate ascent on the dual of the support vector machine, without its constraint.

    ::

        margin = t_i sum_j alpha_j t_j K(x_j, x_i)
        alpha_i <- min(C, max(0, alpha_i + eta (1 - margin) / K(x_i, x_i)))

    It ends (``margin_reached``) after an epoch at whose end no margin is below ``1 - tol`` with
    alpha < C, nor above ``1 + tol`` with alpha > 0: the conditions of Karush, Kuhn and Tucker.
    ``counts`` are the steps that each example made, up or down.

    eta : > 0 and < 2.
    C : the most an alpha may be; inf is the hard margin.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[2], [1]], [1, 1], bias_feature=None, number=textbook.exact)
    >>> steps, outcome = textbook.run(textbook.adatron(ex))
    >>> [str(a) for a in outcome.alpha], outcome.reason
    (['0', '1'], 'margin_reached')
    >>> [tuple(map(str, step.alpha_after)) for step in steps[:3]]
    [('1/4', '0'), ('1/4', '1/2'), ('0', '1/2')]
    """
    number, n, t = examples.number, len(examples), examples.targets
    K = gram(examples, kernel)
    eta, tol = number(eta), number(tol)
    # There is no fraction that is infinite, and comparing with infinity needs none.
    C = C if C == math.inf else number(C)
    alpha: list[Any] = [number(0)] * n
    counts, k = [0] * n, 0

    def margin_of(i: int) -> Any:
        return t[i] * sum(alpha[j] * t[j] * K[j][i] for j in range(n))

    def unmet(i: int) -> bool:
        margin = margin_of(i)
        return bool(margin < 1 - tol and alpha[i] < C or margin > 1 + tol and alpha[i] > 0)

    def outcome(reason: str, epochs: int) -> Outcome:
        w = total(map(scale, alpha, examples.signed), examples.columns) if kernel is None else ()
        wrong = tuple(i for i in range(n) if margin_of(i) <= 0)
        return Outcome(reason, w, k, epochs, tuple(counts), tuple(alpha), wrong)

    epoch = 0
    for epoch, rows in number_epochs(order, n, max_iter):
        for i in rows:
            before, margin = tuple(alpha), margin_of(i)
            # The margin of a row of zeros is 0 whatever its alpha is.
            if K[i][i] > 0:
                alpha[i] = min(C, max(number(0), alpha[i] + eta * (1 - margin) / K[i][i]))
            moved = alpha[i] != before[i]
            k, counts[i] = k + moved, counts[i] + moved
            yield DualStep(epoch, i, k, before, margin, moved, tuple(alpha))
        if not any(unmet(i) for i in range(n)):
            return outcome("margin_reached", epoch)
    return outcome("max_iter", epoch)
