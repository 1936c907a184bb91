"""Records as plain values: named tuples become what JSON can hold."""

from __future__ import annotations

from typing import Any


def to_plain(value: object) -> Any:
    """Return a named tuple as a mapping, a tuple or list as a list, and the same of their values.

    >>> from typing import NamedTuple
    >>> Point = NamedTuple("Point", [("x", int), ("near", tuple)])
    >>> to_plain(Point(1, (Point(2, ()),)))
    {'x': 1, 'near': [{'x': 2, 'near': []}]}
    """
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: to_plain(one) for name, one in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [to_plain(one) for one in value]
    return value
