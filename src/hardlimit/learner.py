"""Epoch after epoch until something decides: the driver of the compiled loop.

``until`` says what is aimed at:

``"separated"``
    stop when a round had no mistake and a look at the then fixed weights confirms it;
``"margin"``
    stop when every margin is at least what the rule requires, less ``tol``, confirmed likewise;
``None``
    run ``max_iter`` epochs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hardlimit._native import Online, Round
from hardlimit.exceptions import InputError
from hardlimit.orders import Order

# Non-zeros between two looks at signals: a few milliseconds.
BUDGET = 1 << 20
UNTIL = ("separated", "margin", None)


@dataclass(frozen=True)
class EpochRecord:
    """One line of the history; ``mistakes`` and ``corrections`` are summed over the neurons."""

    epoch: int
    mistakes: int
    corrections: int
    seconds: float


@dataclass(frozen=True)
class Plan:
    """How long to learn, and in which order."""

    order: Order
    until: str | None
    max_iter: int
    seed: int
    callback: Callable[[EpochRecord], None] | None = None

    def __post_init__(self) -> None:
        if self.until not in UNTIL:
            raise InputError(
                f"until: got {self.until!r}, wanted 'separated', 'margin' or None (max_iter epochs)"
            )
        if self.max_iter < 1:
            raise InputError(f"max_iter: got {self.max_iter}, wanted at least 1")


@dataclass
class Outcome:
    """What happened; filled while it happens, so that an interruption loses nothing."""

    stop_reason: str = "interrupted"
    history: list[EpochRecord] = field(default_factory=list)


def learn(state: Online, round_: Round, present: Any, plan: Plan, outcome: Outcome) -> None:
    """Run epochs on ``state``; ``present`` names the rows that take part, None for all.

    Cost: ``O(epochs * nnz * n_outputs)``. ``KeyboardInterrupt`` passes through; ``outcome`` then
    says ``interrupted`` and the state is whole.
    """
    n = round_.length if present is None else len(present)
    for epoch in range(1, plan.max_iter + 1):
        positions = plan.order.positions(n, plan.seed, epoch - 1)
        round_.set_order(_through(present, positions))
        record, finished = _epoch(state, round_, plan, epoch)
        outcome.history.append(record)
        if plan.callback is not None:
            plan.callback(record)
        if finished:
            outcome.stop_reason = "separated" if plan.until == "separated" else "margin_reached"
            return
    outcome.stop_reason = "max_iter"


def _through(present: Any, positions: Any) -> Any:
    if present is None:
        return positions
    return present if positions is None else present[positions]


def _epoch(state: Online, round_: Round, plan: Plan, epoch: int) -> tuple[EpochRecord, bool]:
    start = time.perf_counter()
    position = 0
    state.take_tally()
    while position < round_.length:
        position = state.present(round_, position, BUDGET)
    tally = state.take_tally()
    finished = plan.until is not None and _finished(state, round_, plan.until, tally)
    mistakes, corrections = sum(t[0] for t in tally), sum(t[1] for t in tally)
    return EpochRecord(epoch, mistakes, corrections, time.perf_counter() - start), finished


def _finished(state: Online, round_: Round, until: str, tally: list[tuple[int, int, int]]) -> bool:
    """Whether the fixed weights reach the aim; neurons that do rest from now on."""
    aim = 0 if until == "separated" else 2
    resting = state.resting
    candidates = [k for k, counts in enumerate(tally) if counts[aim] == 0 and not resting[k]]
    if not candidates:
        return False
    found = state.verify(round_)
    short = [counts[0 if until == "separated" else 1] for counts in found]
    for k in candidates:
        if short[k] == 0:
            state.rest(k)
    return not any(short)
