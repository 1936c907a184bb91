"""What is asked of a rule of one's own before it learns."""

from __future__ import annotations

import math
from typing import Any

from hardlimit.exceptions import InputError, KindError, abbreviate
from hardlimit.foundation.parameters import as_float
from hardlimit.rules._protocol import Rule

ANSWERS = ("tau", "shrink, tau", "tau, linked", "tau, beta", "factor")


def check(rule: Any) -> None:
    """Refuse a rule that cannot be asked; what its methods answer is looked at when they do.

    Raises
    ------
    KindError
        A ``tau`` that is no method, or not there; a ``required`` that is neither number nor method.
    InputError
        A word or a number that means nothing.
    """
    name = type(rule).__name__
    if not callable(rule.tau) or _missing(rule, "tau"):
        raise KindError(
            f"rule {name}: got no method 'tau', wanted one that answers how far a correction moves"
        )
    if not callable(rule.required) and not math.isfinite(as_float(rule.required)):
        raise KindError(
            f"rule {name}: got required={abbreviate(rule.required)}, wanted a finite number, "
            "the margin "
            "below which an example is corrected, or a method that answers it"
        )
    answers = getattr(rule, "answers", "tau")
    _among(name, "answers", answers, ANSWERS)
    _among(name, "batch", getattr(rule, "batch", ""), ("", "sum", "average"))
    if answers == "factor" and _missing(rule, "initial_weights"):
        raise KindError(
            f"rule {name}: answers='factor' multiplies the weights, wanted a method "
            "'initial_weights(n_columns, bias)' that answers what they start at"
        )
    if answers == "tau, beta":
        _among(name, "covariance", getattr(rule, "covariance", "diagonal"), ("diagonal", "full"))
        start = getattr(rule, "initial_variance", 1)
        if not 0 < as_float(start) < math.inf:
            raise InputError(
                f"rule {name}: got initial_variance={abbreviate(start)}, wanted a number > 0"
            )


def _missing(rule: Any, method: str) -> bool:
    """Whether a method is not there, or only that of the base, which says nothing."""
    return getattr(type(rule), method, None) in (None, getattr(Rule, method))


def _among(name: str, what: str, value: Any, wanted: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in wanted:
        raise InputError(
            f"rule {name}: got {what}={abbreviate(value)}, wanted one of "
            f"{', '.join(map(repr, wanted))}"
        )
