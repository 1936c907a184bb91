"""Constructor arguments as parameters that can be read, set and searched.

The protocol is scikit-learn's (``get_params``, ``set_params``, nested names as ``rule__C``),
without scikit-learn: ``clone``, ``Pipeline`` and ``GridSearchCV`` find what they look for.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

from hardlimit.exceptions import InputError


class Parameterised:
    """An object whose constructor stores its arguments untouched, under their own names."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Constructor arguments by name; with ``deep`` also those inside, as ``rule__C``."""
        params = {name: getattr(self, name) for name in self._parameter_names()}
        if deep:
            for name in list(params):
                inside = self._inside(name)
                if hasattr(inside, "get_params") and not isinstance(inside, type):
                    found = inside.get_params()
                    params |= {f"{name}__{key}": inner for key, inner in found.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set constructor arguments; ``rule__C=0.1`` sets one inside."""
        nested: dict[str, dict[str, Any]] = {}
        names = self._parameter_names()
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in names:
                raise InputError(
                    f"{type(self).__name__}.set_params: got '{key}', which is no parameter; "
                    f"there are {', '.join(names)}"
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
        setattr(self, name, self._inside(name).set_params(**params))

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
