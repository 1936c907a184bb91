"""What a package lists: its public names, and not what its files import."""

from __future__ import annotations

from typing import Any


def list_only_public(namespace: dict[str, Any]) -> None:
    """Make ``dir()`` of a package list the names of its ``__all__``.

    A notebook completes by ``dir()``, which would else offer modules, types and helpers beside the
    functions of the same names.

    >>> namespace = {"__all__": ["b", "a"], "Any": Any}
    >>> list_only_public(namespace)
    >>> namespace["__dir__"]()
    ['a', 'b']
    """
    namespace["__dir__"] = lambda: sorted(namespace["__all__"])
