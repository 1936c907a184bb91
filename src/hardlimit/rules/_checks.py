"""What is asked of a rule of a user's own before it learns."""

from __future__ import annotations

import math
from typing import Any

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.parameters import as_float
from hardlimit.rules._kinds import KINDS, MultiplicativeRule
from hardlimit.rules._protocol import Rule


def check_rule(rule: Any) -> None:
    """Refuse a rule that cannot be asked; what its methods answer is checked when they do.

    Raises
    ------
    KindError
        A ``tau`` that is no method, or not there; a ``required`` that is neither number nor method.
    InputError
        A word or a number that means nothing.
    """
    who = f"rule {type(rule).__name__}"
    # Now, because an inherited tau would raise at the first correction, late in a long fit.
    if not callable(rule.tau) or _is_inherited(rule, "tau"):
        raise KindError(
            who=who,
            got=Given("no method 'tau'"),
            wanted="one that answers how far a correction moves",
        )
    if not callable(rule.required) and not math.isfinite(as_float(rule.required)):
        raise KindError(
            who=who,
            parameter="required",
            got=rule.required,
            wanted="a finite number, the margin below which an example is corrected, or a method "
            "that answers it",
        )
    answers = getattr(rule, "answers", "tau")
    _check_among(rule, "answers", answers, tuple(KINDS))
    _check_among(rule, "batch", getattr(rule, "batch", ""), ("", "sum", "average"))
    if answers == "factor" and _is_inherited(rule, "initial_weights"):
        raise KindError(
            "answers='factor' multiplies the weights",
            who=who,
            wanted="a method 'initial_weights(n_columns, bias)' that answers what they start at",
        )
    if answers == "tau, beta":
        covariance = getattr(rule, "covariance", "diagonal")
        _check_among(rule, "covariance", covariance, ("diagonal", "full"))
        start = getattr(rule, "initial_variance", 1)
        if not 0 < as_float(start) < math.inf:
            raise InputError(
                who=who, parameter="initial_variance", got=start, wanted="a number > 0"
            )


def _is_inherited(rule: object, name: str) -> bool:
    """Whether a method is not there, or only that of a base, which says nothing."""
    method = getattr(rule, name, None)
    empty = (getattr(Rule, name), getattr(MultiplicativeRule, name))
    # Each access binds a new method; the function behind it stays the same.
    return method is None or getattr(method, "__func__", None) in empty


def _check_among(rule: object, name: str, value: object, wanted: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in wanted:
        raise InputError(
            who=f"rule {type(rule).__name__}",
            parameter=name,
            got=value,
            wanted=f"one of {', '.join(map(repr, wanted))}",
        )
