"""Cycling runs: the weights are what they were some epochs before, and so is all that follows.

In the order ``cyclic``, and in batches that are summed, an epoch is a function of the weights
alone, where the rule asks for nothing that it remembers. Weights that come back are then followed
by the same corrections for ever, and those of one period add up to zero: ``sum_i lambda_i z_i = 0``
with ``lambda >= 0``, not all of them 0, over the signed rows ``z_i = y_i x_i``. That proves that no
hyperplane separates the examples (with ``<w, z_i> > 0`` for all i the sum would be positive), as
long as the sums are exact: the values of the rows are whole numbers of ``2^-20``, and no weight can
have grown beyond ``2^53`` of the units that they need.

Weights are kept after the epochs 0, 1, 2, 4, 8, ... and those after each epoch compared with the
ones kept last (Brent, BIT 20 (1980)): the first that are the same tell the period, with one vector
kept. A comparison ends at the first number that differs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from hardlimit import _native
from hardlimit.foundation.register import compiled_name
from hardlimit.foundation.signature import scalars_of
from hardlimit.foundation.types import FloatArray
from hardlimit.rules import Rule
from hardlimit.schedules import Schedule
from hardlimit.schedules.constant import Constant

MOST_BITS = 20  # after the point, of values of rows; of steps likewise
LARGEST = 2**53  # whole numbers that a float64 holds exactly

# Scalars of the row and of the weights as they are; whatever else a rule asks for is memory.
PRESENT = {"margin", "sqnorm", "weight", "y"}


class Cycle(NamedTuple):
    """A period of a run that goes round for ever: its epochs, and the corrections made in them."""

    epochs: int
    corrections: int


class KeptEpochs:
    """Which of the states so far is kept: that after epoch 0, 1, 2, 4, 8, ..."""

    def __init__(self) -> None:
        self.kept_at, self.due = 0, 1
        self.corrections = 0  # since then
        self.before = 0  # corrections up to then

    def period(self, epoch: int) -> Cycle:
        """The period, where the state after this epoch is the one that is kept."""
        return Cycle(epoch - self.kept_at, self.corrections)

    def keep(self, epoch: int) -> None:
        """The state after this epoch is kept from now on."""
        self.kept_at, self.due = epoch, 2 * epoch
        self.before += self.corrections
        self.corrections = 0


class Detector:
    """Looks at a compiled training state after each epoch.

    ``step`` is the length of every step, ``rows_a_correction`` how many rows a correction may add,
    ``start`` the weights at the start (n_columns + 1, n_outputs), None for zeros. Nothing is looked
    at, and no row read, before the first epoch has ended without success.
    """

    def __init__(
        self,
        examples: _native.Examples,
        step: float,
        rows_a_correction: int = 1,
        start: FloatArray | None = None,
    ) -> None:
        self._examples, self._step, self._rows = examples, step, rows_a_correction
        self._start = start
        self._kept_epochs = KeptEpochs()
        self._kept: Any = None
        self._room = 0  # corrections that are exact

    def look(self, state: _native.TrainingState, epoch: int, corrections: int) -> Cycle | None:
        """The period, if the weights are again what they were.

        Cost: one pass over the rows after the first epoch (shorter where they hold a fraction);
        then one over the weights in epochs 1, 2, 4, ...; else until the first that differs.
        """
        if epoch == 1:
            self._begin(state)
        if self._kept is None:
            return None
        past = self._kept_epochs
        past.corrections += corrections
        if past.corrections and state.has_weights(self._kept):
            if self._is_exact():
                return past.period(epoch)
            self._kept = None  # such large weights prove nothing, and are looked at no more
            return None
        if epoch == past.due:
            past.keep(epoch)
            self._kept = state.array("w")
        return None

    def _is_exact(self) -> bool:
        return self._kept_epochs.before + self._kept_epochs.corrections <= self._room

    def _begin(self, state: _native.TrainingState) -> None:
        """Keep the weights at the start, if anything will be exact."""
        # With all values multiples of 2^-bits and all steps of 2^-step_bits, weights are multiples
        # of 2^-(bits + step_bits). A correction adds at most `unit` of these to a weight, so that
        # `_room` corrections stay below 2^53 and no sum has been rounded.
        start = self._start
        step_bits = bits_of([self._step])
        start_bits = 0 if start is None else bits_of(start.ravel().tolist())
        grain = self._examples.grain(MOST_BITS)
        if grain is None or step_bits is None or start_bits is None:
            return
        bits, largest = grain
        units = 1 << max(bits + step_bits, start_bits)
        unit = abs(self._step) * largest * units
        farthest = 0.0 if start is None else float(np.abs(start).max(initial=0.0))
        room = (LARGEST - farthest * units) / (max(unit, 1.0) * self._rows)
        self._room = max(0, math.floor(room))
        if self._room:
            zeros = np.zeros((state.n_columns + 1, state.n_outputs))
            self._kept = zeros if start is None else start


def detector(
    rule: Rule,
    schedule: Schedule | None,
    guards: Iterable[Any],
    examples: _native.Examples,
    batch: bool,
    start: FloatArray | None = None,
) -> Detector | None:
    """Return a :class:`Detector`; None where nothing can come round.

    ``batch``: a correction is the sum of all violators. ``start``: its weights, None for zeros.
    """
    step = step_of(rule, schedule)
    if step is None or not forgets(rule) or any(guard.by_example for guard in guards):
        return None
    return Detector(examples, step, examples.n_present if batch else 1, start)


def step_of(rule: Rule, schedule: Schedule | None = None) -> float | None:
    """Return the length of every step, for examples of weight 1; None where steps differ.

    Only rules of the package are asked: others may not be asked before their turn.

    >>> from hardlimit import rules, schedules
    >>> step_of(rules.DynamicMargin()), step_of(rules.Relaxation())
    (1.0, None)
    >>> step_of(rules.Perceptron(), schedules.Constant(0.5)), step_of(rules.ROMMA())
    (0.5, None)
    """
    if compiled_name(rule) is None or rule.answers != "tau" or not is_steady(schedule):
        return None
    if set(scalars_of(rule.tau)) - {"weight"}:
        return None
    # A rule that asks for nothing but the weight of an example answers 1 for it by default.
    return float(rule.tau()) * (1.0 if schedule is None else float(schedule.value))


def is_steady(schedule: object) -> TypeGuard[Constant | None]:
    """Whether all steps are multiplied by the same."""
    # Not a subclass: its eta may be another.
    return schedule is None or type(schedule) is Constant


def forgets(rule: Rule) -> bool:
    """Whether what a rule does depends on the row and on the weights as they are alone.

    >>> from hardlimit import rules
    >>> forgets(rules.Relaxation()), forgets(rules.DynamicMargin())
    (True, False)
    """
    if compiled_name(rule) is None:
        return False
    asked = set(scalars_of(rule.tau))
    if callable(rule.required):
        asked |= set(scalars_of(rule.required))
    return bool(rule.answers == "tau" and asked <= PRESENT)


def bits_of(values: Iterable[Any]) -> int | None:
    """Return how many bits after the point floats need; None: more than ``MOST_BITS``.

    >>> bits_of([3.0, 0.5]), bits_of([0.1]), bits_of([])
    (1, None, 0)
    """
    most = 0
    for value in values:
        # The denominator of a float is a power of two: 2^k needs k bits after the point.
        most = max(most, float(value).as_integer_ratio()[1].bit_length() - 1)
        if most > MOST_BITS:
            return None
    return most
