"""Rules by name: names are data, for the command line, the model file and the documentation."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from hardlimit.exceptions import KindError
from hardlimit.foundation.parameters import to_builtin
from hardlimit.foundation.register import Description, Register, compiled_name
from hardlimit.rules._adapter import adapt
from hardlimit.rules._checks import check_rule
from hardlimit.rules._protocol import Rule

RuleDescription = Description
_R = TypeVar("_R", bound=type)


class RuleObject(Protocol):
    """The least that a rule of a user's own is: ``tau`` is a method, ``required`` may be one."""

    @property
    def required(self) -> Any:
        """The margin below which an example is a violator."""

    @property
    def tau(self) -> Callable[..., Any]:
        """Answers how far to move."""


RuleLike = Rule | RuleObject | str


class RuleRegister(Register[Rule]):
    """Rules in a model file are always a name with all parameters; infinity is a text there."""

    def holds(self, thing: object) -> bool:
        """Whether the rule, or the one that an adapter stands for, can be made from its name."""
        return super().holds(thing.own if isinstance(thing, Rule) else thing)

    def name_of(self, thing: object) -> str:
        """Return the name of a rule, or of its class where that is not registered."""
        return super().name_of(_written(thing))

    def resolve(self, given: object) -> Rule:
        """Return the rule of a name, or a rule object as one of a kind."""
        if isinstance(given, str):
            return self.get(given)
        if compiled_name(given) is not None and isinstance(given, Rule):
            return given  # ours were checked when they were made, and are a kind already
        # Before the next check, which a class passes too: rules.Perceptron without its brackets.
        if isinstance(given, type):
            raise self.wrong_kind(given)
        if not (hasattr(given, "tau") and hasattr(given, "required")):
            raise KindError(
                parameter="rule",
                got=given,
                wanted=f"a name ({', '.join(self.names())}) or an object with 'required' and 'tau'",
            )
        check_rule(given)
        return adapt(given)

    def to_json(self, thing: object) -> dict[str, Any]:
        """Plain JSON that :meth:`from_json` reads; infinity is the string ``"inf"``."""
        # JSON has no infinity, and Python's spelling of it stops other readers.
        parameters = {
            key: "inf" if value == float("inf") else _plain(value)
            for key, value in _written(thing).get_params().items()
        }
        return {"name": self.name_of(thing), "parameters": parameters}

    def from_json(self, data: Any) -> Rule:
        """Return the rule of :meth:`to_json`, or of its name."""
        if isinstance(data, str):
            return self.get(data)
        parameters = {
            key: float("inf") if value == "inf" else value
            for key, value in data["parameters"].items()
        }
        return self.get(data["name"], **parameters)


RULES = RuleRegister("rule", Rule)


def _written(rule: object) -> Any:
    """Return the rule as its author wrote it."""
    return rule.own if isinstance(rule, Rule) else rule


def _plain(value: object) -> Any:
    return float(value) if isinstance(value, numbers.Real) else to_builtin(value)


def register(cls: _R) -> _R:
    """Add a rule to the registry; a decorator for rules of your own."""
    RULES.add(cls)
    return cls


def names() -> list[str]:
    """Names of all rules, sorted."""
    return RULES.names()


def get(name: str, /, **params: Any) -> Rule:
    """Make the rule of that name.

    >>> from hardlimit import rules
    >>> rules.get("margin-perceptron", b=2.0)
    MarginPerceptron(b=2.0)
    """
    return RULES.get(name, **params)


def resolve(rule: RuleLike) -> Rule:
    """Return a rule from a rule object or a name, as one of a kind.

    An object that does not derive from the kind that its ``answers`` name is put behind an adapter,
    whose ``own`` it is.
    """
    return RULES.resolve(rule)


def name_of(rule: RuleLike) -> str:
    """Return the registry name of a rule, or of its class where it is not registered."""
    return RULES.name_of(rule)


def is_registered(rule: RuleLike) -> bool:
    """Whether the rule can be made again from its name."""
    return RULES.holds(rule)


def to_bytes(rule: Rule) -> bytes:
    """Return the JSON of :func:`to_json`, canonical."""
    import json

    # Sorted and without spaces: equal rules have equal bytes.
    return json.dumps(to_json(rule), sort_keys=True, separators=(",", ":")).encode("ascii")


def from_bytes(data: bytes) -> Rule:
    """Return the rule of :func:`to_bytes`."""
    import json

    return from_json(json.loads(data))


def to_json(rule: Rule) -> dict[str, Any]:
    """Plain JSON that :func:`from_json` reads; infinity is the string ``"inf"``."""
    return RULES.to_json(rule)


def from_json(data: dict[str, Any]) -> Rule:
    """Make the rule that :func:`to_json` described.

    >>> from hardlimit import rules
    >>> rules.from_json({"name": "passive-aggressive", "parameters": {"C": "inf"}})
    PassiveAggressive(C=inf)
    """
    return RULES.from_json(data)


def describe() -> list[RuleDescription]:
    """Every rule with its summary and its parameters, from the docstrings and the fields."""
    return RULES.describe()
