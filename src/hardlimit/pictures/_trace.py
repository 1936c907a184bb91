"""The corrections of a trace of the textbook, as the pictures need them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError, KindError, Parameter
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.textbook import Trace


@dataclass(frozen=True)
class DrawnCorrection:
    """One change of the weights, and the rows that were responsible."""

    number: int  # 1, 2, ...
    epoch: int
    rows: list[int]  # from 0; of a batch all violators
    before: tuple[Any, ...]
    after: tuple[Any, ...]


def list_corrections(who: str, trace: Trace) -> list[DrawnCorrection]:
    """Return all corrections of one neuron, in their order."""
    examples, steps = getattr(trace, "examples", None), getattr(trace, "steps", None)
    if examples is None or steps is None:
        got = Given(type(trace).__name__)
        raise KindError(who=who, got=got, wanted="what textbook.trace(X, y, ...) returns")
    # a path with gaps would show jumps that no correction made
    if trace.left_out:
        raise InputError(
            f"{plural(trace.left_out, 'step')} of this trace were left out",
            who=who,
            fix=("trace without ", Parameter("keep")),
        )
    made: list[DrawnCorrection] = []
    last: Any = None
    before = start_weights(who, trace)
    for step in steps:
        if not step.corrected:
            continue
        if last is not None and last.step == step.step:  # another row of the same batch
            made[-1].rows.append(step.example)
        else:
            after = tuple(step.w_after)
            made.append(DrawnCorrection(len(made) + 1, step.epoch, [step.example], before, after))
            before = after
        last = step
    return made


def start_weights(who: str, trace: Trace) -> tuple[Any, ...]:
    """Return the weights before the first step."""
    if not trace.steps:
        return tuple(trace.outcome.w)
    first = trace.steps[0]
    # balanced Winnow learns two vectors and decides by their difference
    if hasattr(first, "ap_before"):
        weights = tuple(p - m for p, m in zip(first.ap_before, first.am_before, strict=True))
    else:
        weights = tuple(getattr(first, "w_before", ()))
    if len(weights) != trace.examples.columns:
        raise KindError(
            who=who,
            got=Given(f"steps of {type(first).__name__}"),
            wanted="those of one neuron with weights: textbook.trace(X, y, ...)",
        )
    return weights


def column_names(trace: Trace) -> list[str]:
    """Return the names of the columns, without the bias."""
    n = trace.examples.columns - (trace.examples.bias_feature is not None)
    given = list(trace.about.names)
    return [given[j] if j < len(given) else f"x{j + 1}" for j in range(n)]
