"""What a run leaves behind: its steps, and how it ended."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from hardlimit.foundation.exact_numbers import Vector
from hardlimit.theory.cycling import Cycle

S = TypeVar("S")


@dataclass(frozen=True)
class Step:
    """One line of the table on the blackboard: one example is looked at.

    Always ``w_after = w_before + delta``. In batch mode the lines of one iteration share
    ``w_before``, ``delta`` and ``w_after``, and ``delta`` is the correction of all of them, the
    sum of ``tau z``.
    """

    epoch: int  # 1, 2, ...; batch: the iteration
    example: int  # row number, from 0
    step: int  # corrections so far, this one included; batch: iterations
    w_before: Vector
    z: Vector  # the signed row, t x
    margin: Any  # <w_before, z>
    required: Any  # a violator is not above it (or below it, as the rule says)
    corrected: bool
    tau: Any  # of this example, eta included; 0 where nothing was corrected
    delta: Vector
    w_after: Vector
    eta: Any = 1  # what tau was multiplied by: schedule, average, line search


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    reason
        separated: no example has a margin <= 0. margin_reached: all have what is required.
        settled: nothing is left to correct, but neither holds (guards do that). stalled: the batch
        sum is zero with violators left. small_step: a step was shorter than theta, and examples
        are wrong. cycling: the weights come round again and again, see
        :mod:`hardlimit.theory.cycling`. max_iter: neither, within the rounds that were allowed.
    corrections
        Changes of the weights; in batch mode one an iteration.
    counts
        How often each example was corrected: the dual variables of the perceptron.
    alpha
        The sum of its ``tau``: from zero weights, ``w = sum_i alpha_i z_i`` (if nothing shrinks).
    wrong
        Rows whose margin is <= 0 in the end.
    cycle
        The period where it is cycling: its epochs, and the corrections in them.
    """

    reason: str
    w: Vector
    corrections: int
    epochs: int
    counts: tuple[int, ...]
    alpha: tuple[Any, ...]
    wrong: tuple[int, ...]
    cycle: Cycle | None = None


class Run(NamedTuple, Generic[S]):
    """All steps of a run, and its outcome."""

    steps: list[S]
    outcome: Any


def run(generator: Generator[S, None, Any]) -> Run[S]:
    """Let a generator of steps come to its end.

    >>> from hardlimit import textbook
    >>> modified_or = textbook.examples([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
    >>> steps, outcome = textbook.run(textbook.incremental(modified_or))
    >>> outcome.reason, *map(int, outcome.w), outcome.corrections, outcome.counts
    ('separated', 1, 1, -1, 3, (1, 1, 1, 0))
    """
    steps = []
    while True:
        try:
            steps.append(next(generator))
        # A generator hands over what it returns by the exception that ends it.
        except StopIteration as end:
            return Run(steps, end.value)
