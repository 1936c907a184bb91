"""Rules by name: names are data, for the command line, the model file and the documentation."""

from __future__ import annotations

import dataclasses
import numbers
import re
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.parameters import to_builtin
from hardlimit.rules._checks import check

_rules: dict[str, type] = {}


@dataclass(frozen=True)
class RuleDescription:
    """One line of the table of rules."""

    name: str
    summary: str
    parameters: tuple[tuple[str, Any, str], ...]  # name, default, range and effect
    cls: type


def spelled(cls: type) -> str:
    """The registry name of a rule: ``PassiveAggressive2`` -> ``passive-aggressive-2``."""
    own = vars(cls).get("registered_as")  # of a name that is one word: AdaTron
    return own or re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", cls.__name__).lower()


def register(cls: type) -> type:
    """Add a rule to the registry; a decorator for rules of your own."""
    _rules[spelled(cls)] = cls
    return cls


def names() -> list[str]:
    """Names of all rules, sorted."""
    return sorted(_rules)


def get(name: str, /, **params: Any) -> Any:
    """Make the rule of that name.

    >>> from hardlimit import rules
    >>> rules.get("margin-perceptron", b=2.0)
    MarginPerceptron(b=2.0)
    """
    cls = _rules.get(name)
    if cls is None:
        import difflib

        near = difflib.get_close_matches(name, _rules, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise InputError(
            f"rules.get: there is no rule '{name}'; there are {', '.join(names())}{hint}"
        )
    fields = {f.name for f in dataclasses.fields(cls)}
    for key in params:
        if key not in fields:
            raise InputError(
                f"rule '{name}': got the parameter '{key}', "
                f"wanted {', '.join(sorted(fields)) or 'none, it has none'}"
            )
    return cls(**params)


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
    """Registry name of a rule, or of its class where it is not registered."""
    return spelled(type(rule))


def is_registered(rule: Any) -> bool:
    """Whether the rule can be made again from its name."""
    return _rules.get(name_of(rule)) is type(rule)


def to_bytes(rule: Any) -> bytes:
    """The JSON of :func:`to_json`, canonical."""
    import json

    return json.dumps(to_json(rule), sort_keys=True, separators=(",", ":")).encode("ascii")


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, numbers.Real) else to_builtin(value)


def from_bytes(data: bytes) -> Any:
    """The rule of :func:`to_bytes`."""
    import json

    return from_json(json.loads(data))


def to_json(rule: Any) -> dict[str, Any]:
    """Plain JSON that :func:`from_json` reads; infinity is the string ``"inf"``."""
    params = {
        key: "inf" if value == float("inf") else _plain(value)
        for key, value in rule.get_params().items()
    }
    return {"name": name_of(rule), "parameters": params}


def from_json(data: dict[str, Any]) -> Any:
    """Make the rule that :func:`to_json` described.

    >>> from hardlimit import rules
    >>> rules.from_json({"name": "passive-aggressive", "parameters": {"C": "inf"}})
    PassiveAggressive(C=inf)
    """
    params = {
        key: float("inf") if value == "inf" else value for key, value in data["parameters"].items()
    }
    return get(data["name"], **params)


def describe() -> list[RuleDescription]:
    """Every rule with its summary and its parameters, from the docstrings and the fields."""
    return [_description(name) for name in names()]


def _description(name: str) -> RuleDescription:
    cls = _rules[name]
    summary = (cls.__doc__ or "").strip().splitlines()[0]
    ranges: dict[str, str] = getattr(cls, "ranges", {})
    parameters = tuple((f.name, f.default, ranges.get(f.name, "")) for f in dataclasses.fields(cls))
    return RuleDescription(name, summary, parameters, cls)
