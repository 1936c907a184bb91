"""Which columns the table of a run has: one list for each kind of step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hardlimit.foundation.exact_numbers import dot
from hardlimit.textbook.data import Examples
from hardlimit.textbook.descent import DescentStep
from hardlimit.textbook.dual_form import DualStep
from hardlimit.textbook.steps import Step
from hardlimit.textbook.winnow_balanced import BalancedStep
from hardlimit.textbook.winnow_positive import PositiveStep
from hardlimit.textbook.writing import approximate


@dataclass(frozen=True)
class Column:
    """A column: its head, and the number that a step puts there.

    ``once``: written for the first line of an epoch only. ``wide``: left out where the table would
    be wider than the page; the higher, the sooner. ``opens``: a new group of columns begins.
    """

    head: str
    of: Callable[[Any], Any]
    once: bool = False
    wide: int = 0
    opens: bool = False


def choose_columns(
    steps: Sequence[Any], examples: Examples, order: str, distances: bool = False
) -> list[Column]:
    """The columns of the table of these steps.

    ``distances``: with r(k), how far the weights are from the plane ``<w, z> = required``.
    """
    of_kind: dict[type, Callable[..., list[Column]]] = {
        Step: _step_columns,
        BalancedStep: _balanced_columns,
        PositiveStep: _positive_columns,
        DualStep: _dual_columns,
        DescentStep: _descent_columns,
    }
    kind = type(steps[0]) if steps else Step
    columns = of_kind[kind](steps, _features(examples, steps), order)
    if distances:
        # Beside the margin that it is made of.
        place = next(i for i, column in enumerate(columns) if column.head == "update") + 1
        columns.insert(place, Column("r", _distance))
    return columns


def _distance(step: Step) -> Any:
    """How far the weights were from the plane that a correction moves them to; a root."""
    if not step.corrected:
        return ""
    sqnorm = dot(step.z, step.z)
    return approximate(step.required - step.margin) / math.sqrt(approximate(sqnorm))


def _features(examples: Examples, steps: Sequence[Any]) -> list[str]:
    """Numbers of the columns, 0 for the bias."""
    n = examples.columns - (examples.bias_feature is not None)
    names = [str(j + 1) for j in range(n)] + ["0"] * (examples.columns > n)
    # Coupled classes have the rows of all classes one after the other in one vector.
    length = len(steps[0].w_before) if steps and hasattr(steps[0], "w_before") else len(names)
    if length == len(names):
        return names
    return [f"{c + 1},{name}" for c in range(length // len(names)) for name in names]


def _vector(
    prefix: str, names: Iterable[str], of: Callable[[Any], Any], once: bool = False, wide: int = 0
) -> list[Column]:
    # A function of its own, for a lambda in the loop would see the last j only.
    def element(j: int) -> Callable[[Any], Any]:
        return lambda step: of(step)[j]

    return [
        Column(f"{prefix}{name}", element(j), once, wide, j == 0) for j, name in enumerate(names)
    ]


def _place(order: str) -> list[Column]:
    return [
        Column(_ROUND.get(order, "epoch"), lambda s: s.epoch, once=True),
        Column("no", lambda s: s.example + 1),
    ]


_ROUND = {"batch": "iteration", "worst": "pick"}


def _format_update(step: Step) -> str:
    return "yes" if step.corrected else "no"


def _step_columns(steps: Sequence[Step], names: list[str], order: str) -> list[Column]:
    batch = order == "batch"
    columns = [
        *_place(order),
        *_vector("w", names, lambda s: s.w_before, batch),
        *_vector("tx", names, lambda s: s.z),
        Column("t w.x", lambda s: s.margin, opens=True),
    ]
    # A margin that is the same for all stands in the heading.
    if len({step.required for step in steps}) > 1:
        columns.append(Column("required", lambda s: s.required))
    columns.append(Column("update", _format_update))
    if any(step.corrected and step.eta != 1 for step in steps):
        columns.append(Column("eta", lambda s: s.eta if s.corrected else "", wide=1))
    if any(step.corrected and step.tau != 1 for step in steps):
        # one by one tau tx is dw, which can be spared; in batches it stands nowhere else
        columns.append(
            Column("tau", lambda s: s.tau if s.corrected else "", wide=1 if batch else 0)
        )
    return [
        *columns,
        *_vector("dw", names, lambda s: s.delta, batch, wide=0 if batch else 1),
        *_vector("new w", names, lambda s: s.w_after, batch, wide=2),
    ]


def _balanced_columns(steps: Sequence[BalancedStep], names: list[str], order: str) -> list[Column]:
    return [
        *_place(order),
        *_vector("a+", names, lambda s: s.ap_before),
        *_vector("a-", names, lambda s: s.am_before),
        *_vector("x", names, lambda s: s.x),
        Column("t", lambda s: s.y, opens=True),
        Column("score", lambda s: s.score),
        Column("update", _format_update),
        *_vector("new a+", names, lambda s: s.ap_after, wide=2),
        *_vector("new a-", names, lambda s: s.am_after, wide=2),
    ]


def _positive_columns(steps: Sequence[PositiveStep], names: list[str], order: str) -> list[Column]:
    return [
        *_place(order),
        *_vector("w", names, lambda s: s.w_before),
        *_vector("x", names, lambda s: s.x),
        Column("t", lambda s: s.y, opens=True),
        Column("w.x", lambda s: s.score),
        Column("update", _format_update),
        *_vector("new w", names, lambda s: s.w_after, wide=2),
    ]


def _dual_columns(steps: Sequence[DualStep], _: list[str], order: str) -> list[Column]:
    rows = [str(i + 1) for i in range(len(steps[0].alpha_before) if steps else 0)]
    return [
        *_place(order),
        *_vector("alpha", rows, lambda s: s.alpha_before),
        Column("t f(x)", lambda s: s.margin, opens=True),
        Column("update", _format_update),
        *_vector("new alpha", rows, lambda s: s.alpha_after, wide=2),
    ]


def _descent_columns(steps: Sequence[DescentStep], names: list[str], _: str) -> list[Column]:
    return [
        Column("step", lambda s: s.step),
        *_vector("w", names, lambda s: s.w_before),
        Column("in sum", lambda s: len(s.members), opens=True),
        Column("J", lambda s: s.value),
        *_vector("g", names, lambda s: s.gradient),
        Column("rho", lambda s: s.rho, opens=True),
        *_vector("new w", names, lambda s: s.w_after),
    ]
