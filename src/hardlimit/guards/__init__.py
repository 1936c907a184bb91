"""Guards against noise, one a file: any subset of them with any rule that allows it.

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

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.register import Register
from hardlimit.guards._protocol import Guard, Refusal
from hardlimit.rules import RuleLike
from hardlimit.rules import resolve as resolve_rule

__all__ = [
    "Guard",
    "GuardLike",
    "Guards",
    "Refusal",
    "Several",
    "check",
    "compiled_parameters",
    "names",
    "resolve",
]

# In the order of lists, which is not that of the alphabet.
GUARDS: Register[Guard] = Register("guard", Guard, sorted_by=attrgetter("place"))
GUARDS.discover(globals())

if TYPE_CHECKING:  # what is found is not seen by type checkers

    def __getattr__(name: str) -> Any: ...


Guards = tuple[Guard, ...]
GuardLike = Guard | str | Mapping[str, Any] | Sequence[Guard | str | Mapping[str, Any]] | None


def names() -> list[str]:
    """Names of all guards, in the order of lists."""
    return list(GUARDS.members)


def resolve(guard: GuardLike) -> Guards:
    """Return the guards as a tuple: of None, one guard or several, each kind once.

    >>> from hardlimit import guards
    >>> resolve(guards.AlphaBound(3))
    (AlphaBound(alpha=3),)
    """
    if guard is None:
        return ()
    given = guard if isinstance(guard, tuple | list) else (guard,)
    resolved = tuple(GUARDS.from_json(one) if isinstance(one, str | dict) else one for one in given)
    for one in resolved:
        if not GUARDS.holds(one):
            known = ", ".join(cls.__name__ for cls in GUARDS.members.values())
            raise KindError(
                parameter="guard", got=one, wanted=f"objects of hardlimit.guards: {known}"
            )
    if len({type(one) for one in resolved}) < len(resolved):
        raise InputError(parameter="guard", got=resolved, wanted="each kind once")
    return resolved


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


def compiled_parameters(guards: Guards) -> dict[str, dict[str, float]]:
    """Return what the compiled twins are made from, by the guards' names."""
    return {GUARDS.name_of(guard): guard.compiled_parameters() for guard in guards}


def check(guards: Guards, rule: RuleLike) -> None:
    """Refuse what this rule cannot take.

    Raises
    ------
    InputError
        A margin for a rule with a margin of its own; the lambda-trick for a rule whose corrections
        are not multiples of the examples, or that asks for ``||w||``.
    """
    resolved = resolve_rule(rule)
    for guard in guards:
        if refusal := guard.refusal(resolved):
            raise InputError(
                refusal.reason,
                who=resolved.class_name,
                parameter="guard",
                got=guard,
                fix=refusal.fix,
            )
