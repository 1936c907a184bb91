"""Guards against noise, any subset of them with any rule that allows it.

All but the margin know each training example again, so that a stream, which shows every example as
a new one, is refused. ``n_i`` is how often example i was corrected, ``alpha_i`` the sum of its
``tau``.

Khardon and Wachman, "Noise tolerant variants of the perceptron algorithm", JMLR 8 (2007).

>>> from hardlimit import LinearClassifier, guards
>>> X, y = [[0, 1], [0, 1], [1, 0]], [0, 1, 1]  # the first two contradict each other
>>> clf = LinearClassifier(guard=guards.AlphaBound(2), order="cyclic").fit(X, y)
>>> clf.stop_reason_, int(clf.n_corrections_) <= 3 * 2
('settled', True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.register import Choice, Register, check_in_range
from hardlimit.foundation.signature import asks_for


@dataclass(frozen=True)
class LambdaTrick(Choice):
    """Judge example i by ``margin + lam * alpha_i`` while training; at prediction it plays no part.

    As if each example had a coordinate of its own, of squared length lam: the kernel
    ``<x_i, x_j> + lam [i = j]`` of the soft margin with squared losses. In that space every set is
    separable, so that training always ends, after at most ``n (radius^2 + lam) / lam`` corrections.

    lam : > 0, in the units of ``||x||^2``; larger lets more examples be wrong.
    """

    lam: float = 1.0
    by_example: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_in_range(self, "lam", 0)


@dataclass(frozen=True)
class AlphaBound(Choice):
    """Leave an example alone that was corrected ``alpha`` times.

    The bound on the coefficients of the soft margin with linear losses. At most ``n alpha``
    corrections in all, so that training always ends.

    alpha : a whole number >= 1; smaller trusts each label less.
    """

    alpha: int = 3
    by_example: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_in_range(self, "alpha", 0)
        if self.alpha != int(self.alpha):
            raise InputError(f"AlphaBound: got alpha={self.alpha!r}, wanted a whole number >= 1")


@dataclass(frozen=True)
class Margin(Choice):
    """Require a margin of ``b`` of a rule that requires 0; the perceptron becomes its margin form.

    b : > 0, in the units of ``<w, x>``; ``10 * mean ||x||^2`` is a strong setting under noise.
    """

    b: float = 1.0
    by_example: ClassVar[bool] = False  # whether it needs to know each example again

    def __post_init__(self) -> None:
        check_in_range(self, "b", 0)


GUARDS: Register[Choice] = Register("guard", Choice, (LambdaTrick, AlphaBound, Margin))
Guards = tuple[Any, ...]


def resolve(guard: Any) -> Guards:
    """The guards as a tuple: of None, one guard or several, each kind once.

    >>> resolve(AlphaBound(3))
    (AlphaBound(alpha=3),)
    """
    if guard is None:
        return ()
    given = guard if isinstance(guard, tuple | list) else (guard,)
    found = tuple(GUARDS.from_json(one) if isinstance(one, str | dict) else one for one in given)
    for one in found:
        if not GUARDS.holds(one):
            raise KindError(
                f"guard: got {one!r}, wanted objects of hardlimit.guards: "
                f"{', '.join(cls.__name__ for cls in GUARDS.members.values())}"
            )
    if len({type(one) for one in found}) < len(found):
        raise InputError(f"guard: got {found!r}, wanted each kind once")
    return found


class Several:
    """More than one guard, with the parameters of all: none has a name that another has."""

    def __init__(self, guards: Guards) -> None:
        self._guards = guards

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters of all by name."""
        return {name: value for one in self._guards for name, value in one.get_params().items()}

    def set_params(self, **params: Any) -> Guards:
        """Give guards of the same kinds with other parameters."""
        return tuple(
            one.set_params(**{name: params[name] for name in one.get_params() if name in params})
            for one in self._guards
        )


def numbers_of(guards: Guards) -> dict[str, float]:
    """lam, alpha and b of the guards, neutral where one is not there."""
    numbers = {"lam": 0.0, "alpha": math.inf, "b": 0.0}
    for guard in guards:
        numbers |= {name: float(value) for name, value in guard.get_params().items()}
    return numbers


def check(guards: Guards, rule: Any) -> None:
    """Refuse what this rule cannot take.

    Raises
    ------
    InputError
        A margin for a rule with a margin of its own; the lambda-trick for a rule whose corrections
        are not multiples of the examples, or that asks for ``||w||``.
    """
    for guard in guards:
        if isinstance(guard, Margin) and not getattr(rule, "takes_margin", False):
            raise InputError(
                f"guards.Margin: {rule!r} takes no margin from outside, since its steps are made "
                "for the one that it requires itself; wanted the perceptron, or the rule's own "
                "parameters"
            )
        if isinstance(guard, LambdaTrick) and not _takes_lambda(rule):
            raise InputError(
                f"guards.LambdaTrick: {rule!r} does more than add multiples of the examples, or "
                "asks for ||w|| or for how far above the required a margin is, so that a "
                "coordinate for each example would have to be kept; "
                "use guards.AlphaBound, or another rule"
            )


def _takes_lambda(rule: Any) -> bool:
    if asks_for(rule.required, "margin", "wsq"):  # the margin without the example's own coordinate
        return False
    return getattr(rule, "answers", "tau") == "tau" and not asks_for(rule.tau, "wsq")
