"""Choices as they are typed on the command line, also those left at their defaults.

The registers are imported when something is named: ``hardlimit predict`` starts without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardlimit.maps import FeatureMap


def format_value(value: object) -> str:
    """Return the value of a parameter as text; numbers have no needless decimal point.

    >>> format_value(1.0), format_value("inf"), format_value(True), format_value(None)
    ('1', 'inf', 'True', 'none')
    """
    if value is None:
        return "none"
    # bool is an int in Python, and 'True' says more than '1'.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if is_number else str(value)


def spell(name: str, parameters: Mapping[str, Any]) -> str:
    """Return a choice as it is typed on the command line.

    >>> spell("batch", {"combine": "sum", "theta": 0.5}), spell("cyclic", {})
    ('batch:combine=sum,theta=0.5', 'cyclic')
    """
    values = ",".join(f"{key}={_spell_value(value)}" for key, value in parameters.items())
    return f"{name}:{values}" if values else name


def _spell_value(value: object) -> str:
    if isinstance(value, tuple | list):
        return ",".join(map(format_value, value))
    return format_value(value)


def name_rule(rule: Any) -> str:
    """Return the name of a rule with its parameters.

    >>> name_rule("margin-perceptron")
    'margin-perceptron:b=1'
    """
    from hardlimit import rules

    if isinstance(rule, str):
        if rule not in rules.names():  # another's rule, of which the file knows the name only
            return rule
        rule = rules.get(rule)
    if not rules.is_registered(rule):
        return repr(rule)
    plain = rules.to_json(rule)
    return spell(plain["name"], plain["parameters"])


def name_choice(choice: object) -> str:
    """Return the name of an order, a schedule or a guard with its parameters.

    >>> from hardlimit import guards, orders, schedules
    >>> name_choice(guards.AlphaBound(3)), name_choice(orders.Batch())
    ('alpha-bound:alpha=3', 'batch')
    >>> name_choice(schedules.resolve("1/step"))
    'power:exponent=1'
    """
    from hardlimit.foundation.register import Choice, registered_name

    if not isinstance(choice, Choice):  # one of the user's own
        return repr(choice)
    given = {name: value for name, value in choice.get_params().items() if value is not None}
    return spell(registered_name(type(choice)), given)


def map_name(own_map: FeatureMap) -> str:
    """Return a map with the values of its parameters, also of those left at their defaults.

    >>> from hardlimit import maps
    >>> map_name(maps.Polynomial())
    'polynomial:degree=2,c=1'
    """
    from hardlimit import maps

    if not maps.MAPS.holds(own_map):  # one of the user's own
        return repr(own_map)
    return spell(maps.MAPS.name_of(own_map), own_map.get_params(deep=False))


def kernel_name(kernel: object) -> str:
    """Return a kernel with the values of its parameters.

    >>> kernel_name("rbf")
    'rbf:gamma=1'
    """
    from hardlimit import kernels

    return name_choice(kernels.resolve(kernel))


def name_mixing(shards: int, mixing: str) -> str:
    """Return how many shards learnt and how they were mixed; empty of a single one.

    >>> name_mixing(16, "uniform")
    '16, uniform mixing'
    """
    return "" if shards == 1 else f"{shards}, {mixing} mixing"
