"""What the convergence proofs promise of a set of examples and a vector that separates it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Scalar, dot, scale, subtract
from hardlimit.textbook.data import Examples


@dataclass(frozen=True)
class Convergence:
    """At most so many corrections of the perceptron, by each of three proofs.

    gamma : ``min <a, z>`` of the separating vector a.      beta_squared : ``max ||z||^2``.
    from_start : ``k0 = ||a(1) - alpha a||^2 / beta^2`` with ``alpha = beta^2 / gamma``, from any
    weights a(1) at the start.    max_form : ``max ||z||^2 ||a||^2 / gamma^2`` from zeros
    (Novikoff), what k0 is for ``a(1) = 0``.    sum_form : ``sum ||z||^2 ||a||^2 / gamma^2`` from
    zeros, true and weaker.
    """

    gamma: Any
    beta_squared: Any
    from_start: Any
    max_form: Any
    sum_form: Any


def convergence(
    examples: Examples, separator: Sequence[Scalar], w: Sequence[Scalar] | None = None
) -> Convergence:
    """Return the bounds on the corrections of the perceptron with steps of length 1.

    Parameters
    ----------
    separator
        Any vector a with ``<a, z> > 0`` for all examples, the bias's weight last.
    w
        Weights a(1) at the start; default zeros.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> ex = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> found = textbook.convergence(ex, (1, 1, -1))
    >>> int(found.from_start), int(found.max_form), int(found.sum_form)
    (9, 9, 36)
    >>> int(textbook.convergence(ex, (1, 1, -1), w=(1, 1, 1)).from_start)
    8
    """
    number = examples.number
    a, start = examples.start(separator), examples.start(w)
    gamma = min(dot(a, z) for z in examples.signed)
    if gamma <= 0:
        raise InputError(
            f"it must separate the examples, and one has the margin {float(gamma):.6g}",
            who="convergence",
            parameter="separator",
        )
    squares = [dot(z, z) for z in examples.signed]
    beta_squared, length = max(squares), dot(a, a)
    away = subtract(start, scale(beta_squared / gamma, a))
    return Convergence(
        gamma=gamma,
        beta_squared=beta_squared,
        from_start=dot(away, away) / beta_squared,
        max_form=number(beta_squared) * length / gamma**2,
        sum_form=number(sum(squares)) * length / gamma**2,
    )
