"""Objects of a user's own, fitted to the face that all rules have."""

from __future__ import annotations

from typing import Any

from hardlimit.rules._kinds import (
    KINDS,
    AdditiveRule,
    CovarianceRule,
    LinkedRule,
    MultiplicativeRule,
    ShrinkingRule,
)
from hardlimit.rules._protocol import Rule

# None is a value that an attribute may have.
_MISSING: Any = object()


class _Told:
    """An attribute of the user's object; the base's where it has none."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, adapted: Adapted, owner: type | None = None) -> Any:
        # Asked each time, not copied: a user's rule may compute its attributes.
        value = getattr(adapted.own, self._name, _MISSING)
        return getattr(super(Adapted, adapted), self._name) if value is _MISSING else value


class Adapted(Rule):
    """A user's object that says some of what a rule can say, with the usual answer for the rest.

    Whoever learns sees this; the classifier's ``rule`` stays the user's object.
    """

    def __init__(self, own: object) -> None:
        self._own = own

    @property
    def own(self) -> Any:
        """The user's object."""
        return self._own

    required = _Told()
    tau = _Told()
    equality_violates = _Told()
    exact = _Told()
    takes_schedule = _Told()
    schedule_below = _Told()
    takes_margin = _Told()
    batch = _Told()
    quadratic = _Told()
    alone = _Told()
    unweighed = _Told()
    nonnegative = _Told()
    fixed_columns = _Told()
    covariance = _Told()
    initial_variance = _Told()
    apart = _Told()
    weighs = _Told()
    remembers = _Told()
    mistake_bound = _Told()
    split = _Told()
    initial_weights = _Told()
    compiled_parameters = _Told()
    get_params = _Told()
    set_params = _Told()

    def __repr__(self) -> str:
        return repr(self._own)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Adapted) and bool(self._own == other.own)


class _Additive(Adapted, AdditiveRule):
    """Of an object that answers ``tau``."""


class _Shrinking(Adapted, ShrinkingRule):
    """Of an object that answers ``shrink, tau``."""


class _Linked(Adapted, LinkedRule):
    """Of an object that answers ``tau, linked``."""


class _Covariance(Adapted, CovarianceRule):
    """Of an object that answers ``tau, beta``."""


class _Multiplicative(Adapted, MultiplicativeRule):
    """Of an object that answers ``factor``."""


_ADAPTED: dict[str, type[Adapted]] = {
    adapted.answers: adapted
    for adapted in (_Additive, _Shrinking, _Linked, _Covariance, _Multiplicative)
}


def adapt(rule: object) -> Rule:
    """Return the rule as one of a kind: itself, or a user's object behind an adapter.

    >>> from hardlimit import rules
    >>> class Duck:
    ...     required = 0
    ...     def tau(self, margin):
    ...         return 1 - margin
    >>> adapted = adapt(Duck())
    >>> isinstance(adapted, rules.AdditiveRule), adapted.takes_schedule, adapted.class_name
    (True, False, 'Duck')
    """
    answers = getattr(rule, "answers", "tau")
    # A subclass of one kind that answers as another is adapted to what it answers.
    if isinstance(rule, KINDS[answers]):
        return rule
    return _ADAPTED[answers](rule)
