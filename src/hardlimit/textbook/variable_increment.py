"""The variable increment: a learning rate that changes, with a margin or in batches."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from hardlimit import rules
from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.textbook.asking import ScheduleLike
from hardlimit.textbook.batch_mode import batch
from hardlimit.textbook.data import Examples
from hardlimit.textbook.incremental_mode import incremental
from hardlimit.textbook.steps import Outcome, Step


def one_over(step: Scalar) -> Any:
    """``eta = 1 / step``."""
    return 1 / step


def with_margin(
    examples: Examples, b: Scalar, schedule: ScheduleLike = one_over, **settings: Any
) -> Generator[Step, None, Outcome]:
    """Correct every example whose margin is not above b, by ``eta(step)``, one by one.

    ::

        if <w, z_i> <= b:   step <- step + 1;   w <- w + eta(step) z_i

    It ends, on separable examples, if ``eta >= 0``, the sum of ``eta`` has no bound, and
    ``sum eta^2 / (sum eta)^2`` goes to 0: constants and ``1/step`` do. That eta must go to 0 is not
    necessary, which a common slip has. ``step`` counts corrections, never examples.

    ``settings`` are those of :func:`hardlimit.textbook.incremental`. Duda, Hart and Stork,
    Algorithm 5.
    """
    return incremental(
        examples,
        rules.get("margin-perceptron", b=b),
        schedule=schedule,
        # Its aim is the margin, unless the caller has another one.
        **{"until": "margin", **settings},
    )


def in_batches(
    examples: Examples, schedule: ScheduleLike = one_over, **settings: Any
) -> Generator[Step, None, Outcome]:
    """Add ``eta(step)`` times the sum of all that are wrong; ``step`` counts iterations.

    ``settings`` are those of :func:`hardlimit.textbook.batch`. Duda, Hart and Stork, Algorithm 6.
    """
    return batch(examples, "perceptron", schedule=schedule, **settings)
