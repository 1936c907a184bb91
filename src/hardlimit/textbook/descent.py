"""Gradient descent on a criterion, with a schedule or with the exact line search."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Scalar, Vector, dot, scale, subtract
from hardlimit.textbook.asking import make_eta
from hardlimit.textbook.criteria import Criterion
from hardlimit.textbook.criteria import criterion as criterion_of
from hardlimit.textbook.data import Examples
from hardlimit.textbook.steps import Outcome

LINE_SEARCH = "line-search"


@dataclass(frozen=True)
class DescentStep:
    """One iteration; ``members`` are the rows in the criterion's sum at ``w_before``."""

    step: int
    w_before: Vector
    members: tuple[int, ...]
    value: Any
    gradient: Vector
    rho: Any
    w_after: Vector


def descend(
    examples: Examples,
    criterion: str | Criterion = "J_p",
    *,
    b: Scalar = 0,
    rate: Any = None,
    w: Sequence[Scalar] | None = None,
    until: str | None = "separated",
    max_iter: int = 1000,
) -> Generator[DescentStep, None, Outcome]:
    """Go against the gradient.

    ::

        w <- w - rho grad J(w);    line search:  rho = |g|^2 / (g^T H g)

    rate : a schedule ``eta(step)``, a number (default 1), or "line-search". The line search is
    exact while no example enters or leaves the sum on the way, and is halved while it would let J
    rise. J_p has no Hessian, and refuses it.

    It ends when no example is wrong (until="separated"), or where the gradient is zero: stalled, if
    examples are wrong there. J_p and J_q can end so: on inseparable examples their minimum is
    ``w = 0``, and on separable ones J_q may stop on the boundary.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> search = textbook.descend(ex, "J_q", rate="line-search", w=(1, 1, 1))
    >>> steps, outcome = textbook.run(search)
    >>> str(steps[0].rho), [int(v) for v in outcome.w], outcome.reason, outcome.wrong
    ('1/4', [1, 1, 0], 'stalled', (1, 2))
    """
    number, Z = examples.number, examples.signed
    J = criterion_of(criterion, number(b)) if isinstance(criterion, str) else criterion
    searching = rate == LINE_SEARCH
    if searching and not J.quadratic:
        raise InputError(
            f"it does not go with {J.name}: {J.limitation}",
            who="descend",
            parameter="rate",
            got=LINE_SEARCH,
        )
    eta = make_eta(None if searching else rate, examples)
    current = examples.start(w)
    for k in range(1, max_iter + 1):
        wrong = tuple(i for i, z in enumerate(Z) if dot(current, z) <= 0)
        g = J.gradient(current, Z)
        # Where the gradient is 0 no step moves: all the further ones would be the same.
        if (not wrong and until == "separated") or not any(g):
            reason = "stalled" if wrong else "separated"
            return Outcome(reason, current, k - 1, k - 1, (), (), wrong)
        rho = _search_line(J, current, g, Z) if searching else eta({"step": number(k)})
        before, current = current, subtract(current, scale(rho, g))
        inside = tuple(i for i, z in enumerate(Z) if dot(before, z) <= J.b)
        yield DescentStep(k, before, inside, J.value(before, Z), g, rho, current)
    wrong = tuple(i for i, z in enumerate(Z) if dot(current, z) <= 0)
    return Outcome("max_iter", current, max_iter, max_iter, (), (), wrong)


def _search_line(J: Criterion, w: Vector, g: Vector, Z: Sequence[Vector]) -> Any:
    rho, value = dot(g, g) / J.curvature(g, w, Z), J.value(w, Z)
    # Rows that enter the sum on the way bend it more than the Hessian at w knows.
    while J.value(subtract(w, scale(rho, g)), Z) > value:
        rho = rho / 2
    return rho
