"""Fronts of the compiled online loop."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from hardlimit import _native
from hardlimit.exceptions import InputError, KindError, abbreviate
from hardlimit.foundation.types import FloatArray, IntArray

Int32Array = np.ndarray[Any, np.dtype[np.int32]]

SCALARS = ("margin", "sqnorm", "step", "wsq", "weight", "y", "n_i", "alpha_i", "variance")


def engine_rule(rule: Any, name: str | None = None) -> _native.Rule:
    """The rule as the loop sees it: compiled where it has a twin, else asked through Python.

    A Python rule is called once a correction, under the interpreter's lock.
    """
    if name is not None:
        compiled = _native.compiled_rule(name, rule.compiled_parameters())
        if compiled is not None:
            return compiled
    required, answers = rule.required, getattr(rule, "answers", "tau")
    return _native.python_rule(
        _steps_of(rule, answers),
        _scalars(rule.tau),
        _margin_of(rule) if callable(required) else float(required),
        _scalars(required) if callable(required) else [],
        bool(getattr(rule, "equality_violates", True)),
        answers,
        _covariance(rule),
    )


def _steps_of(rule: Any, answers: str) -> Any:
    """The rule's ``tau``, with a look at what it answers."""
    tau = rule.tau
    pair = answers in ("shrink, tau", "tau, beta")
    wanted = f"the pair ({answers}) of finite numbers" if pair else "a finite number"

    def asked(*scalars: float) -> Any:
        answer = tau(*scalars)
        numbers = answer if pair and isinstance(answer, tuple) else (answer,)
        if len(numbers) != 1 + pair or not all(map(_is_finite, numbers)):
            raise InputError(
                f"rule {type(rule).__name__}: tau answered {abbreviate(answer)}, wanted {wanted}"
            )
        return answer

    return asked


def _margin_of(rule: Any) -> Any:
    """The rule's ``required``, with a look at what it answers."""
    required = rule.required

    def asked(*scalars: float) -> Any:
        answer = required(*scalars)
        if not _is_finite(answer) and answer not in (math.inf, -math.inf):
            raise InputError(
                f"rule {type(rule).__name__}: required answered {abbreviate(answer)}, wanted a "
                "number"
            )
        return answer

    return asked


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def eta_of(schedule: Any, step: int) -> float:
    """``eta(step)`` of any schedule, checked."""
    value = schedule.eta(step)
    if not _is_finite(value) or value < 0:
        raise InputError(
            f"schedule {schedule!r}: eta({step}) is {abbreviate(value)}, wanted a finite "
            "number >= 0: a "
            "negative step would learn the example's opposite"
        )
    return float(value)


def _covariance(rule: Any) -> dict[str, float]:
    """What a rule says of its covariance: full or not, apart or not, the start."""
    return {
        "full": float(getattr(rule, "covariance", "diagonal") == "full"),
        "apart": float(getattr(rule, "apart", False)),
        "start": float(getattr(rule, "initial_variance", 1)),
    }


def _scalars(method: Any) -> list[str]:
    code = getattr(method, "__code__", None)
    if code is None:
        raise KindError(f"rule: {method!r} must be a Python function or method")
    first = 1 if hasattr(method, "__self__") else 0
    names = list(code.co_varnames[first : code.co_argcount])
    for name in names:
        if name not in SCALARS:
            raise KindError(
                f"rule: {method.__qualname__} asks for '{name}', "
                f"which the engine does not keep; it keeps {', '.join(SCALARS)}"
            )
    return names


def compose_rule(rule: _native.Rule, schedule: Any, numbers: dict[str, float]) -> _native.Rule:
    """The rule with a schedule (or None) and guards: lam, alpha and b, neutral as 0, inf and 0."""
    if schedule is not None:
        rule = _native.scheduled(rule, _schedule(schedule))
    # In the order of ``_native.guard_names()``: sums are not associative.
    if numbers["b"] != 0:
        rule = _native.guarded(rule, "margin", {"b": numbers["b"]})
    if numbers["lam"] != 0:
        rule = _native.guarded(rule, "lambda-trick", {"lam": numbers["lam"]})
    if numbers["alpha"] != math.inf:
        rule = _native.guarded(rule, "alpha-bound", {"alpha": numbers["alpha"]})
    return rule


def _schedule(schedule: Any) -> _native.Schedule:
    """The compiled schedule, or a Python object's ``eta(step)``, asked once a correction."""
    if hasattr(schedule, "get_params"):
        parameters = {name: float(v) for name, v in schedule.get_params().items()}
        compiled = _native.compiled_schedule(type(schedule).__name__.lower(), parameters)
        if compiled is not None:
            return compiled

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
