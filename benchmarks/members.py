"""The modules of a folder of rows or contestants.

The package's own discovery is not used: rows that compare with an earlier checkout run under its
Python, where that module may not be.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType


def import_members(package: str, path: Iterable[str]) -> dict[str, ModuleType]:
    """Return the public modules of a folder by the names of their files, sorted."""
    names = sorted(info.name for info in pkgutil.iter_modules(path))
    return {
        name: importlib.import_module(f"{package}.{name}")
        for name in names
        if not name.startswith("_")
    }
