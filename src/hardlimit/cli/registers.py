"""The registers of the choices, by the options that take them; each is imported when asked for."""

from __future__ import annotations

import importlib
import inspect
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hardlimit.foundation.register import Register


class Place(NamedTuple):
    """Where a register is: a package of ``hardlimit``, and its name in it."""

    package: str
    register: str

    def load(self) -> Register[Any]:
        """Import the register."""
        found: Register[Any] = getattr(
            importlib.import_module(f"hardlimit.{self.package}"), self.register
        )
        return found


# In the order in which names are looked up, where two registers have one: rules come first.
REGISTERS = MappingProxyType(
    {
        "rule": Place("rules", "RULES"),
        "order": Place("orders", "ORDERS"),
        "schedule": Place("schedules", "SCHEDULES"),
        "guard": Place("guards", "GUARDS"),
        "readout": Place("readouts", "REGISTER"),
        "scale": Place("scaling", "SCALINGS"),
        "map": Place("maps", "MAPS"),
        "kernel": Place("kernels", "KERNELS"),
        "budget": Place("budgets", "BUDGETS"),
    }
)


def list_parameters(cls: type) -> dict[str, bool]:
    """Return the parameters in the order in which they are typed, and which take a list.

    >>> from hardlimit.schedules import Inverse, OptimalStep
    >>> list_parameters(Inverse), list_parameters(OptimalStep)
    ({'a': False, 'b': False}, {'w': True})
    """
    found = inspect.signature(cls).parameters
    return {name: isinstance(one.default, tuple) for name, one in found.items()}
