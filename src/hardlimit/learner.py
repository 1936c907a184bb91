"""Epoch after epoch until something decides: the driver of the compiled loops.

``until`` says what is aimed at:

``"separated"``
    stop when a round had no mistake and a look at the then fixed weights confirms it;
``"margin"``
    stop when every margin is at least what the rule requires, less ``tol``, confirmed likewise;
``None``
    run ``max_iter`` epochs.

Why it stopped is one of

============== =================================================================================
separated      no training example has a margin of 0 or less, at weights that then stood still
margin_reached every margin is at least what the rule requires, less ``tol``
settled        a whole round corrected nothing, and the aim is not reached: nothing would ever
               change (a guard silences examples, or a row of zeros is wrong)
stalled        in batch order: the corrections of the violators cancel each other
small_step     in batch order: a step was shorter than ``orders.Batch(theta=)``, and the aim is not
               reached: that is no separation
cycling        the weights come round again and again, which proves that the examples are not
               separable: see :mod:`hardlimit.theory.cycling`
max_iter       all epochs were run
interrupted    the user stopped it
============== =================================================================================
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from hardlimit._native import Examples, Online
from hardlimit.engine import DualState, LiveState, are_in_memory
from hardlimit.exceptions import InputError
from hardlimit.foundation import progress
from hardlimit.foundation.types import FloatArray
from hardlimit.orders import Batch, Cyclic, Order
from hardlimit.theory.cycling import Cycle, Detector
from hardlimit.theory.running_margin import RunningMargin

# Non-zeros between two looks at signals: a few milliseconds.
BUDGET = 1 << 20
# Bytes for rows of the Gram matrix in the order `worst`.
GRAM_BYTES = 1 << 28
# Of a difference of weights, in units of the largest of them.
ROUNDING = 1 / (1 << 50)
UNTIL = ("separated", "margin", None)


@dataclass(frozen=True)
class EpochRecord:
    """One line of the history; ``mistakes`` and ``corrections`` are summed over the neurons.

    ``visited`` is the share of rows whose margin was really computed, passes over all rows that
    skipping needs included: 1 where nothing is skipped, nan where it is not known any more.
    ``gamma_at_most`` bounds the largest margin, where the weights are a sum of rows; None
    elsewhere, and where the weights are too many to be looked at after each epoch.
    """

    epoch: int
    mistakes: int
    corrections: int
    seconds: float
    visited: float = 1.0
    gamma_at_most: float | None = None  # ||w|| / k, see hardlimit.theory.running_margin


def check_skip(skip: object) -> None:
    """Refuse what is neither True, False nor "auto"."""
    if not (isinstance(skip, bool) or (isinstance(skip, str) and skip == "auto")):
        raise InputError(parameter="skip", got=skip, wanted="True, False or 'auto'")


@dataclass(frozen=True)
class Plan:
    """How long to learn, and in which order."""

    order: Order
    until: str | None
    max_iter: int
    seed: int
    callback: Callable[[EpochRecord], None] | None = None
    combine: str = "sum"  # of the violators of a batch
    watches_cycles: bool = True  # where nothing but the weights decides what comes
    skip: bool | str = "auto"  # rows that provably call for nothing: True, False or "auto"

    def __post_init__(self) -> None:
        if self.until not in UNTIL:
            wanted = "'separated', 'margin' or None (max_iter epochs)"
            raise InputError(parameter="until", got=self.until, wanted=wanted)
        if self.max_iter < 1:
            raise InputError(parameter="max_iter", got=self.max_iter, wanted="at least 1")

    @property
    def goes_round(self) -> bool:
        """Whether an epoch may be a function of the weights alone, and its sums exact."""
        summed = isinstance(self.order, Batch) and self.combine == "sum"
        return self.watches_cycles and (type(self.order) is Cyclic or summed)


class Progressive(NamedTuple):
    """Progressive validation: each example is predicted before it is learnt, in the first pass.

    judged : predictions, of neurons that learn by themselves one for each.
    mistakes : those of them whose margin was 0 or less.
    """

    judged: int
    mistakes: int

    @property
    def error(self) -> float:
        """The share of mistakes."""
        return self.mistakes / self.judged


@dataclass
class FitOutcome:
    """What happened; filled while it happens, so that an interruption loses nothing."""

    stop_reason: str = "interrupted"
    history: list[EpochRecord] = field(default_factory=list)
    cycle: Cycle | None = None  # the period, where it is cycling
    weighted: bool = False  # whether examples weighed other than 0 and 1
    progressive: Progressive | None = None  # of a stream


class Pieces(Protocol):
    """Examples of which a few at a time are in memory, for orders that present row by row.

    Numbers of examples are 0 as long as nobody has counted them.

    last : the piece that was presented last, of the width of the weights.
    """

    last: Examples

    @property
    def n_present(self) -> int:
        """How many examples there are."""

    @property
    def length(self) -> int:
        """How many an epoch presents."""

    def of_epoch(self, plan: Plan, epoch: int) -> Iterator[Examples]:
        """Yield all examples in the order of this epoch, counted from 1."""

    def all(self) -> Iterator[Examples]:
        """Yield all examples, in any order."""

    def take_tally(self, state: LiveState) -> list[tuple[int, int, int]]:
        """Return what the state has counted since the beginning of the epoch."""


# What an epoch presents: all in memory, or piece by piece.
Round: TypeAlias = "Examples | Pieces"


def learn(
    state: LiveState,
    round_: Round,
    plan: Plan,
    outcome: FitOutcome,
    detector: Detector | None = None,
    margin: RunningMargin | None = None,
) -> None:
    """Run epochs on ``state``.

    Cost: ``O(epochs * nnz * n_outputs)``. ``KeyboardInterrupt`` passes through; ``outcome`` then
    says ``interrupted`` and the state is whole.
    """
    if plan.order.loop == "worst":
        _over_rows(state).begin_worst(_whole(round_), GRAM_BYTES)
    if plan.skip is not False and plan.order.loop == "online" and are_in_memory(round_):
        certain = plan.max_iter if plan.until is None else 0
        state.begin_skipping(round_, plan.skip is True, certain)
    try:
        _epochs(state, round_, plan, outcome, detector, margin)
    finally:
        state.end_skipping()


def _whole(round_: Round) -> Examples:
    """Return examples that are all in memory, as the loops need that ask for all at once."""
    if not are_in_memory(round_):
        raise TypeError("this order needs all examples at once")
    return round_


def _epochs(
    state: LiveState,
    round_: Round,
    plan: Plan,
    outcome: FitOutcome,
    detector: Detector | None,
    margin: RunningMargin | None,
) -> None:
    epoch_of = _LOOPS[plan.order.loop]
    # A run that goes on where another broke off has its epochs in the history already.
    for epoch in range(len(outcome.history) + 1, plan.max_iter + 1):
        start = time.perf_counter()
        state.take_tally()
        end = epoch_of(state, round_, plan, epoch)
        tally = _take_tally(state, round_)
        reason = _reason(state, round_, plan, tally, end)
        mistakes, corrections = sum(t[0] for t in tally), sum(t[1] for t in tally)
        products = state.take_products()
        visited = 1.0 if products is None else products / round_.length
        gamma = None if margin is None else margin.look(state, mistakes, corrections)
        record = EpochRecord(
            epoch, mistakes, corrections, time.perf_counter() - start, visited, gamma
        )
        outcome.history.append(record)
        if plan.callback is not None:
            plan.callback(record)
        if detector is not None and not reason:
            outcome.cycle = detector.look(state, epoch, corrections)
            reason = "cycling" if outcome.cycle else ""
        if reason:
            outcome.stop_reason = reason
            return
    outcome.stop_reason = "max_iter"


def _take_tally(state: LiveState, round_: Round) -> list[tuple[int, int, int]]:
    return state.take_tally() if are_in_memory(round_) else round_.take_tally(state)


# An epoch of each loop, and what it says of itself: "quiet" where nothing violates any more,
# "stalled", or nothing.


def _online(state: LiveState, round_: Round, plan: Plan, epoch: int) -> str:
    if not are_in_memory(round_):
        return _in_pieces(state, round_, plan, epoch)
    n = round_.n_present
    positions = plan.order.positions(n, plan.seed, epoch - 1)
    round_.set_order(positions)
    position = 0
    while position < round_.length:
        position = state.present(round_, position, BUDGET)
        _report(round_, plan, epoch, position)
    return ""


def _in_pieces(state: LiveState, pieces: Pieces, plan: Plan, epoch: int) -> str:
    """Present the pieces one after the other, as if they were one."""
    for piece in pieces.of_epoch(plan, epoch):
        position = 0
        while position < piece.length:
            position = state.present(piece, position, BUDGET)
    return ""


def _report(round_: Round, plan: Plan, epoch: int, position: int) -> None:
    # The same words all the time: watchers leave out what they have just shown.
    done = (epoch - 1) * round_.length + position
    progress.report("learning", done, plan.max_iter * round_.length)


def _batch(state: LiveState, round_: Round, plan: Plan, epoch: int) -> str:
    position, state, round_ = 0, _over_rows(state), _whole(round_)
    while position < round_.length:
        position = state.gather(round_, position, BUDGET)
        _report(round_, plan, epoch, position)
    theta = float(getattr(plan.order, "theta", None) or 0)
    before = state.array("w") if theta else None
    applied = state.apply(round_, plan.combine)
    violators = sum(n for n, _ in applied)
    if violators and not any(moved for _, moved in applied):
        return "stalled"
    return (
        "small_step" if violators and before is not None and _is_short(state, before, theta) else ""
    )


def _is_short(state: Online, before: FloatArray, theta: float) -> bool:
    """Whether the weights moved by less; of neurons that learn by themselves those of each."""
    after: FloatArray | None = state.array("w")
    assert after is not None  # every state has weights
    moved = after - before
    # Exact summation: where a run ends must not depend on the machine.
    squares = [math.fsum(v * v for v in column) for column in moved.T.tolist()]
    alone = len(state.corrections) > 1
    length = math.sqrt(max(squares) if alone else math.fsum(squares))
    # A step of just theta is none shorter, however the weights that it was added to were rounded.
    return length < theta - ROUNDING * float(np.abs(after).max())


def _worst(state: LiveState, round_: Round, plan: Plan, epoch: int) -> str:
    steps, state, round_ = round_.length, _over_rows(state), _whole(round_)
    while steps > 0:
        made, quiet = state.search(round_, steps, BUDGET)
        steps -= made
        _report(round_, plan, epoch, round_.length - steps)
        if quiet:
            return "quiet"
    return ""


def _over_rows(state: LiveState) -> Online:
    """Return the state as the loops of batches and of the worst example need it."""
    if isinstance(state, DualState):
        raise TypeError("the dual form presents rows one by one only")
    return state


_LOOPS = {"online": _online, "batch": _batch, "worst": _worst}


def _reason(
    state: LiveState, round_: Round, plan: Plan, tally: list[tuple[int, int, int]], end: str
) -> str:
    """Why to stop after this epoch; empty to go on."""
    # After a small step the weights are looked at, whatever was wrong before it.
    nothing_moves = end in ("quiet", "stalled", "small_step")
    if plan.until is not None and _finished(state, round_, plan.until, tally, nothing_moves):
        return "separated" if plan.until == "separated" else "margin_reached"
    if end == "stalled":  # by corrections of nothing, where all violators have what is required
        return end if any(mistakes or unmet for mistakes, _, unmet in tally) else "settled"
    if end == "small_step":
        return end
    still = not any(corrections for _, corrections, _ in tally)
    if end == "quiet" or (plan.until is not None and plan.order.shows_all and still):
        return "settled"
    return ""


def _finished(
    state: LiveState, round_: Round, until: str, tally: list[tuple[int, int, int]], quiet: bool
) -> bool:
    """Whether the fixed weights reach the aim; neurons that do rest from now on."""
    aim = 0 if until == "separated" else 2
    resting = state.resting
    candidates = [
        k for k, counts in enumerate(tally) if (quiet or counts[aim] == 0) and not resting[k]
    ]
    if not candidates:
        return False
    found = _verify(state, round_)
    short = [counts[0 if until == "separated" else 1] for counts in found]
    for k in candidates:
        if short[k] == 0:
            state.rest(k)
    return not any(short)


def _verify(state: LiveState, round_: Round) -> list[tuple[int, int]]:
    """Count for each neuron the examples that are wrong, and those short of what is required."""
    if are_in_memory(round_):
        return state.verify(round_)
    found = [state.verify(piece) for piece in round_.all()]
    of_neuron = zip(*found, strict=True)
    return [(sum(c[0] for c in counts), sum(c[1] for c in counts)) for counts in of_neuron]
