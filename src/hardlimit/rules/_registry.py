"""Rules by name: names are data, for the command line, the model file and the documentation."""

from __future__ import annotations

import numbers
from typing import Any

from hardlimit.exceptions import KindError
from hardlimit.foundation.parameters import to_builtin
from hardlimit.foundation.register import Description, Register
from hardlimit.rules._checks import check
from hardlimit.rules._protocol import Rule

RuleDescription = Description


class RuleRegister(Register[Any]):
    """Rules in a model file are always a name with all parameters; infinity is a text there."""

    def to_json(self, thing: Any) -> dict[str, Any]:
        """Plain JSON that :meth:`from_json` reads; infinity is the string ``"inf"``."""
        parameters = {
            key: "inf" if value == float("inf") else _plain(value)
            for key, value in thing.get_params().items()
        }
        return {"name": self.name_of(thing), "parameters": parameters}

    def from_json(self, data: Any) -> Any:
        """Return the rule of :meth:`to_json`, or of its name."""
        if isinstance(data, str):
            return self.get(data)
        parameters = {
            key: float("inf") if value == "inf" else value
            for key, value in data["parameters"].items()
        }
        return self.get(data["name"], **parameters)


RULES = RuleRegister("rule", Rule)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, numbers.Real) else to_builtin(value)


def register(cls: type) -> type:
    """Add a rule to the registry; a decorator for rules of your own."""
    return RULES.add(cls)


def names() -> list[str]:
    """Names of all rules, sorted."""
    return RULES.names()


def get(name: str, /, **params: Any) -> Any:
    """Make the rule of that name.

    >>> from hardlimit import rules
    >>> rules.get("margin-perceptron", b=2.0)
    MarginPerceptron(b=2.0)
    """
    return RULES.get(name, **params)


def resolve(rule: Any) -> Any:
    """A rule object from a rule object or a name."""
    if isinstance(rule, str):
        return get(rule)
    if isinstance(rule, type):
        raise KindError(f"rule: got the class {rule.__name__}, wanted an object: {rule.__name__}()")
    if not (hasattr(rule, "tau") and hasattr(rule, "required")):
        raise KindError(
            f"rule: got {rule!r}, wanted a name ({', '.join(names())}) or an object with "
            "'required' and 'tau'"
        )
    check(rule)
    return rule


def name_of(rule: Any) -> str:
    """Return the registry name of a rule, or of its class where it is not registered."""
    return RULES.name_of(rule)


def is_registered(rule: Any) -> bool:
    """Whether the rule can be made again from its name."""
    return RULES.holds(rule)


def to_bytes(rule: Any) -> bytes:
    """Return the JSON of :func:`to_json`, canonical."""
    import json

    return json.dumps(to_json(rule), sort_keys=True, separators=(",", ":")).encode("ascii")


def from_bytes(data: bytes) -> Any:
    """Return the rule of :func:`to_bytes`."""
    import json

    return from_json(json.loads(data))


def to_json(rule: Any) -> dict[str, Any]:
    """Plain JSON that :func:`from_json` reads; infinity is the string ``"inf"``."""
    return RULES.to_json(rule)


def from_json(data: dict[str, Any]) -> Any:
    """Make the rule that :func:`to_json` described.

    >>> from hardlimit import rules
    >>> rules.from_json({"name": "passive-aggressive", "parameters": {"C": "inf"}})
    PassiveAggressive(C=inf)
    """
    return RULES.from_json(data)


def describe() -> list[RuleDescription]:
    """Every rule with its summary and its parameters, from the docstrings and the fields."""
    return RULES.describe()
