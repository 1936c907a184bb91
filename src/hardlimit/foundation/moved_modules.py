"""Modules that moved stay importable under their former names, with a warning.

``from hardlimit import bounds`` needs none of this: it is the public name.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
import warnings
from collections.abc import Mapping, Sequence
from types import ModuleType


class MovedModules:
    """Answers the import of a former name with the module that took its place.

    moved : former full name -> present full name. The submodules of a package move with it.
    """

    def __init__(self, moved: Mapping[str, str]) -> None:
        self._moved = moved

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return a spec for a former name, and None for all others."""
        if self._present_name(fullname) is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self)  # type: ignore[arg-type]

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Leave it to Python to make an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of the present name in place of the empty one."""
        former = module.__name__
        present = self._present_name(former) or former
        warnings.warn(f"{former} moved: import {present}", DeprecationWarning, stacklevel=2)
        # importlib takes whatever stands in sys.modules after this call.
        sys.modules[former] = importlib.import_module(present)

    def _present_name(self, fullname: str) -> str | None:
        for former, present in self._moved.items():
            if fullname == former or fullname.startswith(former + "."):
                return present + fullname[len(former) :]
        return None


def install(moved: Mapping[str, str]) -> None:
    """Answer for former names from now on.

    First of all finders: a submodule would else be found by the path of its parent, and loaded
    twice, as two modules.
    """
    sys.meta_path.insert(0, MovedModules(moved))
