"""Fronts of the compiled online loop, and the lock of a model: many readers, or one who learns."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit import _native
from hardlimit.exceptions import InputError
from hardlimit.foundation.register import compiled_name
from hardlimit.foundation.signature import called_in_order, called_with_step, scalars_of
from hardlimit.foundation.types import FloatArray, IntArray

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from hardlimit.rules import Rule

Int32Array = np.ndarray[Any, np.dtype[np.int32]]


def engine_rule(rule: Rule, compiled: bool = True) -> _native.Rule:
    """Return the rule as the loop sees it: its compiled twin, or Python that is asked.

    A rule that has no twin (and every rule with ``compiled=False``) is called once a correction,
    under the interpreter's lock.
    """
    name = compiled_name(rule) if compiled else None
    if name is not None:
        twin = _native.compiled_rule(name, rule.compiled_parameters())
        if twin is not None:
            return twin
    required = rule.required
    asks = callable(required)
    return _native.python_rule(
        _checked_tau(rule),
        list(scalars_of(rule.tau)),
        _checked_required(rule) if asks else float(required),
        list(scalars_of(required)) if asks else [],
        bool(rule.equality_violates),
        rule.answers,
        _covariance(rule),
    )


def _checked_tau(rule: Rule) -> Callable[..., Any]:
    """Return the rule's ``tau``, whose answers are checked."""
    tau = called_in_order(rule.tau, scalars_of(rule.tau))
    pair = rule.answers in ("shrink, tau", "tau, beta")
    wanted = f"the pair ({rule.answers}) of finite numbers" if pair else "a finite number"

    def checked(*scalars: float) -> Any:
        answer = tau(*scalars)
        numbers = answer if pair and isinstance(answer, tuple) else (answer,)
        if len(numbers) != 1 + pair or not all(map(_is_finite, numbers)):
            raise InputError(who=f"rule {rule.class_name}.tau", got=answer, wanted=wanted)
        return answer

    return checked


def _checked_required(rule: Rule) -> Callable[..., Any]:
    """Return the rule's ``required``, whose answers are checked."""
    required = called_in_order(rule.required, scalars_of(rule.required))

    def checked(*scalars: float) -> Any:
        answer = required(*scalars)
        if not _is_finite(answer) and answer not in (math.inf, -math.inf):
            who = f"rule {rule.class_name}.required"
            raise InputError(who=who, got=answer, wanted="a number")
        return answer

    return checked


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def eta_of(schedule: Any, step: int) -> float:
    """``eta(step)`` of any schedule, checked."""
    value = called_with_step(schedule.eta)(step)
    if not _is_finite(value) or value < 0:
        raise InputError(
            "a negative step would learn the example's opposite",
            who=f"schedule {schedule!r}",
            parameter=f"eta({step})",
            got=value,
            wanted="a finite number >= 0",
        )
    return float(value)


def _covariance(rule: Rule) -> dict[str, float]:
    """What a rule says of its covariance: full or not, apart or not, the start."""
    return {
        "full": float(rule.covariance == "full"),
        "apart": float(rule.apart),
        "start": float(rule.initial_variance),
    }


def compose_rule(
    rule: _native.Rule, schedule: object, guards: Mapping[str, Mapping[str, float]]
) -> _native.Rule:
    """Return the rule with a schedule (or None) and guards: parameters by the guard's name."""
    if schedule is not None:
        rule = _native.scheduled(rule, _schedule(schedule))
    for name in _native.guard_names():  # in this order: sums are not associative
        if name in guards:
            rule = _native.guarded(rule, name, guards[name])
    return rule


def _schedule(schedule: Any) -> _native.Schedule:
    """Return the compiled schedule, or a Python object's ``eta(step)``, asked once a correction."""
    name = compiled_name(schedule)
    if name is not None:
        parameters = {key: float(value) for key, value in schedule.get_params().items()}
        twin = _native.compiled_schedule(name, parameters)
        if twin is not None:
            return twin
    return _native.python_schedule(functools.partial(eta_of, schedule))


def new_state(
    rule: _native.Rule, scheme: str, n_columns: int, n_outputs: int, averaged: bool
) -> _native.Online:
    """Zero weights for `n_columns` and a bias; scheme is single, independent or coupled."""
    return _native.Online(rule, scheme, n_columns, n_outputs, averaged)


def pair_examples(
    rows: _native.Rows, targets: Int32Array, weights: FloatArray | None, tol: float = 0.0
) -> _native.Examples:
    """Examples to be presented: int32 targets, float64 weights or None."""
    return _native.Examples(rows, targets, weights, tol)


def are_in_memory(examples: object) -> TypeIs[_native.Examples]:
    """Whether examples are all in memory, as the compiled loops take them."""
    return isinstance(examples, _native.Examples)


def shuffle(n: int, seed: int, epoch: int) -> IntArray:
    """The permutation of 0 .. n-1 that belongs to (seed, epoch), the same on every machine.

    >>> shuffle(5, seed=0, epoch=0).tolist() == shuffle(5, seed=0, epoch=0).tolist()
    True
    """
    return _native.shuffle(n, seed, epoch)


def draw_with_replacement(n: int, seed: int, epoch: int) -> IntArray:
    """As many draws from 0 .. n-1, with replacement, that belong to (seed, epoch).

    >>> sorted(set(draw_with_replacement(100, seed=0, epoch=0).tolist()) - set(range(100)))
    []
    """
    return _native.draw_with_replacement(n, seed, epoch)


def restore_votes(arrays: dict[str, Any]) -> _native.Votes:
    """Votes from their arrays, which may come from a file: all of them are checked.

    Raises
    ------
    ValueError
        Arrays that contradict each other or themselves.
    """
    return _native.Votes.restore(arrays)


# A class and no front: a stream of single rows takes it every few microseconds.
ModelLock = _native.ModelLock
Reading = _native.Reading
