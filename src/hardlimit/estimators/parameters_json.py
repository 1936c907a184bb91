"""Parameters of an estimator as plain JSON in a model file, and back; nothing in it is executed.

None, truth values, texts, whole numbers and finite floats stand as they are. All else is a JSON
object of one key, which says what it is: ``{"float": "inf"}``, ``{"tuple": [...]}``,
``{"list": [...]}``, ``{"dict": [labels, values]}``, or the register that has the class:
``{"rule": [name, parameters]}``.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

from hardlimit import budgets, guards, kernels, maps, orders, rules, scaling, schedules
from hardlimit.classifiers.model.storable_labels import labels_from_json, labels_to_json
from hardlimit.exceptions import InputError, Setting, Text
from hardlimit.foundation.parameters import to_builtin
from hardlimit.foundation.register import Register

REGISTERS: dict[str, Register[Any]] = {
    "rule": rules.RULES,
    "order": orders.ORDERS,
    "schedule": schedules.SCHEDULES,
    "guard": guards.GUARDS,
    "scale": scaling.SCALINGS,
    "kernel": kernels.KERNELS,
    "budget": budgets.BUDGETS,
    "map": maps.MAPS,
}
_ODD = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
# What to do about a parameter that no file can hold.
_FIXES: dict[str, Text] = {
    "random_state": ("set ", Setting("random_state", 0), " or another whole number"),
    "rule": "register its class with hardlimit.rules.register(...), or save what learnt alone, "
    "with estimator.model_.save(path, training_state=False)",
    "kernel": "use one of hardlimit.kernels, or pickle the estimator",
}
_ELSE = "set it to one of those, or save what learnt alone, with estimator.model_.save(path)"


def to_json(name: str, value: Any) -> Any:
    """Return a parameter as plain JSON.

    Raises
    ------
    InputError
        What a file cannot hold: a function, a generator of random numbers, a class of the user's.

    Examples
    --------
    >>> to_json("class_weight", {"spam": 2.0}), to_json("C", math.inf)
    ({'dict': [[['str', 'spam']], [2.0]]}, {'float': 'inf'})
    >>> to_json("guard", guards.AlphaBound(3))
    {'guard': ['alpha-bound', {'alpha': 3}]}
    """
    kinds = tuple, list
    if isinstance(value, kinds):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [to_json(name, one) for one in value]}
    if isinstance(value, Mapping):
        # Exact kinds: a numpy number as a label would be none that a file knows.
        labels = labels_to_json([to_builtin(label) for label in value])
        return {"dict": [labels, [to_json(name, one) for one in value.values()]]}
    for key, register in REGISTERS.items():
        if register.holds(value):
            found = {part: to_json(name, one) for part, one in value.get_params().items()}
            return {key: [register.name_of(value), found]}
    value = to_builtin(value) if _is_plain(value) else value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    raise InputError(
        "a model file holds plain values and objects of hardlimit, and nothing that would have to "
        "be executed",
        who="save",
        parameter=name,
        got=value,
        fix=_FIXES.get(name, _ELSE),
    )


def _is_plain(value: object) -> bool:
    return isinstance(value, str | numbers.Real) or type(value).__name__ == "bool"


def from_json(data: object) -> Any:
    """Return the parameter of :func:`to_json`.

    Raises
    ------
    ValueError, TypeError, KeyError
        What :func:`to_json` never writes; InputError (a ValueError) for parameters out of range.

    Examples
    --------
    >>> from_json({"guard": ["alpha-bound", {"alpha": 3}]})
    AlphaBound(alpha=3)
    """
    if not isinstance(data, dict | list):
        return data
    if isinstance(data, list) or len(data) != 1:
        raise ValueError(f"{data!r:.80} is no parameter")
    ((kind, inside),) = data.items()
    if kind == "float":
        return _ODD[inside]
    if type(inside) is not list:
        raise ValueError(f"{inside!r:.80} is no list")
    if kind in ("tuple", "list"):
        found = [from_json(one) for one in inside]
        return tuple(found) if kind == "tuple" else found
    first, second = inside
    if kind == "dict":
        labels = labels_from_json(first) if first else []
        return dict(zip(labels, (from_json(one) for one in second), strict=True))
    if kind == "rule" and first not in rules.names():
        return _named(first)
    return REGISTERS[kind].get(_named(first), **{n: from_json(v) for n, v in second.items()})


def _named(name: object) -> str:
    """Return a name; a rule of the user's that this process does not know predicts without it."""
    if type(name) is not str:
        raise ValueError(f"{name!r:.80} is no name")
    return name
