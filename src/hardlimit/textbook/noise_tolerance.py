"""Noise-tolerant training: a margin, the lambda-trick and the alpha-bound, each with the others."""

from __future__ import annotations

from collections.abc import Generator

from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.textbook.asking import ScheduleLike
from hardlimit.textbook.data import Examples
from hardlimit.textbook.incremental_mode import incremental
from hardlimit.textbook.learner import Guard
from hardlimit.textbook.plan import Order
from hardlimit.textbook.steps import Outcome, Step


def noise_tolerant(
    examples: Examples,
    *,
    margin: Scalar = 0,
    lam: Scalar = 0,
    bound: int | None = None,
    schedule: ScheduleLike = None,
    order: Order = None,
    until: str | None = "separated",
    max_iter: int = 100,
) -> Generator[Step, None, Outcome]:
    """The perceptron on noisy examples.

    ::

        s <- <w, z_i> + lam alpha_i
        if s <= margin and n_i < bound:
            w <- w + eta z_i;   alpha_i <- alpha_i + eta;   n_i <- n_i + 1

    margin : what every example is to have; only its ratio to eta matters.
    lam : the lambda-trick, after the L2 soft margin: training ends after at most
        ``n (R^2 + lam) / lam`` corrections, whatever the data. It plays no part at prediction.
    bound : the alpha-bound, after the L1 soft margin: at most ``n bound`` corrections.

    With none of them this is the perceptron. Where nothing is left to correct though examples are
    wrong, the run is ``settled``.

    Khardon and Wachman, JMLR 8 (2007).

    Examples
    --------
    >>> from hardlimit import textbook
    >>> contradiction = textbook.examples([[1], [1]], [-1, 1], bias_feature=None)
    >>> outcome = textbook.run(textbook.noise_tolerant(contradiction, bound=3)).outcome
    >>> outcome.reason, outcome.counts
    ('settled', (3, 3))
    """
    guard = Guard(margin, lam, bound)
    return incremental(
        examples, "perceptron", schedule=schedule, order=order, guard=guard, until=until,
        max_iter=max_iter,
    )  # fmt: skip
