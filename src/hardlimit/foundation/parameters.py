"""Constructor arguments as parameters that can be read, set and searched.

The protocol is scikit-learn's (``get_params``, ``set_params``, nested names as ``rule__C``),
without scikit-learn: ``clone``, ``Pipeline`` and ``GridSearchCV`` find what they look for.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
from collections.abc import Container
from typing import Any, Self

from hardlimit.exceptions import HardlimitError, InputError, KindError
from hardlimit.foundation.suggesting import suggest


class Parameterised:
    """An object whose constructor stores its arguments untouched, under their own names."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Constructor arguments by name; with ``deep`` also those inside, as ``rule__C``."""
        names = _constructor_names(type(self))  # type: ignore[arg-type]
        params = {name: getattr(self, name) for name in names}
        if deep:
            for name in list(params):
                try:
                    found = get_parameters(self._inside(name))
                except HardlimitError:  # what cannot be made has none; `fit` says why
                    found = {}
                params |= {f"{name}__{key}": inner for key, inner in found.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set constructor arguments; ``rule__C=0.1`` sets one inside."""
        nested: dict[str, dict[str, Any]] = {}
        names = _constructor_names(type(self))  # type: ignore[arg-type]
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in names:
                raise InputError(
                    who=f"{type(self).__name__}.set_params",
                    got=key,
                    wanted=f"one of {', '.join(names)}",
                    fix=suggest(key, names),
                )
            if inner:
                nested.setdefault(name, {})[inner] = value
            else:
                setattr(self, name, value)
        for name, inner_params in nested.items():
            self._set_inside(name, inner_params)
        return self

    def _set_inside(self, name: str, params: dict[str, Any]) -> None:
        """Set parameters of the object held as ``name``; frozen ones are replaced."""
        inside = self._inside(name)
        known = get_parameters(inside)
        for key in params:
            if key.partition("__")[0] not in known:
                names = ", ".join(f"{name}__{there}" for there in known)
                raise InputError(
                    f"{name}={getattr(self, name)!r} has {names or 'no parameters'}",
                    who=f"{type(self).__name__}.set_params",
                    got=f"{name}__{key}",
                    fix=f"set {name} as a whole",
                )
        setattr(self, name, inside.set_params(**params))

    def _inside(self, name: str) -> Any:
        """The object whose parameters ``name__...`` are."""
        return getattr(self, name)

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


@functools.cache  # a signature costs a hundred calls, and each fit asks for the parameters
def _constructor_names(cls: type) -> tuple[str, ...]:
    constructor: Any = cls.__init__  # type: ignore[misc]
    return tuple(name for name in inspect.signature(constructor).parameters if name != "self")


def get_parameters(inside: object) -> dict[str, Any]:
    """The parameters of an object by name; none where it does not tell."""
    if isinstance(inside, type) or not hasattr(inside, "get_params"):
        return {}
    found: dict[str, Any] = inside.get_params()
    return found


def as_float(value: object) -> float:
    """A real number as a float, and NaN, which fails every comparison, for anything else.

    >>> from fractions import Fraction
    >>> as_float(Fraction(1, 2)), as_float("1"), as_float(10**400)
    (0.5, nan, nan)
    """
    if type(value) is float:
        return value
    try:
        if type(value) is int:
            return float(value)
        return float(value) if isinstance(value, numbers.Real) else math.nan
    except OverflowError:
        return math.nan


def as_truth(name: str, value: object) -> bool:
    """A parameter that is true or false, also as 0 and 1 or numpy's."""
    if isinstance(value, bool) or type(value).__name__ == "bool" or as_float(value) in (0, 1):
        return bool(value)
    raise KindError(parameter=name, got=value, wanted="True or False")


def is_among(value: object, words: Container[str]) -> bool:
    """Whether a value is one of these words; what cannot be compared, such as an array, is not.

    >>> is_among("full", ("diagonal", "full")), is_among(range(3), ("diagonal", "full"))
    (True, False)
    """
    return isinstance(value, str) and value in words


def resolve_seed(random_state: object) -> int:
    """A seed, 0 .. 2**64 - 1; drawn by chance for None."""
    if type(random_state) is int and 0 <= random_state < 1 << 64:
        return random_state
    if random_state is None:
        import secrets

        return secrets.randbits(63)
    if not isinstance(random_state, bool) and isinstance(random_state, numbers.Integral):
        seed = int(random_state)
        if 0 <= seed < 1 << 64:
            return seed
    raise InputError(
        parameter="random_state",
        got=random_state,
        wanted="an int >= 0 and below 2**64, or None for a random seed",
    )


def to_builtin(value: object) -> Any:
    """A parameter in Python's own kinds: numpy's scalars, fractions and subclasses are unwrapped.

    >>> from fractions import Fraction
    >>> to_builtin((Fraction(1, 2), True, 3))
    [0.5, True, 3]
    """
    if isinstance(value, tuple | list):
        return [to_builtin(item) for item in value]
    if isinstance(value, str):
        return str(value)
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return value
    return int(value) if isinstance(value, numbers.Integral) else float(value)
