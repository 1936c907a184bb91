"""Choices by name: orders, schedules and guards, for the command line and the model file.

A choice is a frozen dataclass; its name is that of its class, in small letters with hyphens.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable
from numbers import Real
from typing import Any

from hardlimit.exceptions import InputError, abbreviate
from hardlimit.foundation.parameters import as_float, to_builtin


class Choice:
    """Base of the choices: parameters to be read, set and searched."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name."""
        this: Any = self
        return {field.name: getattr(this, field.name) for field in dataclasses.fields(this)}

    def set_params(self, **params: Any) -> Any:
        """Give a choice of the same kind with other parameters; this one is frozen."""
        return type(self)(**(self.get_params() | params))


def registered_name(cls: type) -> str:
    """The name of a class: ``AlphaBound`` -> ``alpha-bound``.

    >>> registered_name(type("AlphaBound", (), {}))
    'alpha-bound'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", cls.__name__).lower()


class Register:
    """All choices of one kind."""

    def __init__(self, kind: str, classes: Iterable[type]) -> None:
        self.kind = kind
        self.classes: dict[str, Any] = {registered_name(cls): cls for cls in classes}

    def get(self, name: str, /, **params: Any) -> Any:
        """Make the choice of that name."""
        cls = self.classes.get(name)
        if cls is None:
            raise InputError(
                f"{self.kind}: got {name!r}, wanted one of {', '.join(sorted(self.classes))}"
            )
        known = {field.name for field in dataclasses.fields(cls)}
        for key in params:
            if key not in known:
                raise InputError(
                    f"{self.kind} '{name}': got the parameter {key!r}, wanted "
                    f"{', '.join(sorted(known)) or 'none, it has none'}"
                )
        return cls(**params)

    def holds(self, choice: Any) -> bool:
        """Whether the choice can be made again from its name."""
        return self.classes.get(registered_name(type(choice))) is type(choice)

    def to_json(self, choice: Any) -> Any:
        """Plain JSON: the name alone where no parameter differs from its default."""
        name, params = registered_name(type(choice)), choice.get_params()
        if self.get(name) == choice:
            return name
        written = {k: float(v) if isinstance(v, Real) else to_builtin(v) for k, v in params.items()}
        return {"name": name, "parameters": written}

    def from_json(self, data: Any) -> Any:
        """The choice of :meth:`to_json`."""
        if isinstance(data, str):
            return self.get(data)
        given = dict(data)
        name, params = given.pop("name", None), given.pop("parameters", {})
        if given or not isinstance(name, str) or not isinstance(params, dict):
            raise InputError(
                f"{self.kind}: got {abbreviate(data)}, wanted "
                f"{{'name': ..., 'parameters': {{...}}}}"
            )
        return self.get(name, **params)


def in_range(choice: Any, name: str, low: float, high: float = math.inf) -> None:
    """Check that a parameter is a number above ``low`` and at most ``high``."""
    value: Any = getattr(choice, name)
    number = as_float(value)
    if low < number <= high and number != math.inf:
        return
    wanted = f"a number > {low:g}" if high == math.inf else f"a number > {low:g} and <= {high:g}"
    raise InputError(f"{type(choice).__name__}: got {name}={abbreviate(value)}, wanted {wanted}")
