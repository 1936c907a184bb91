"""One file, one thing: how the folders of rules, readers and commands find their members.

A member is a module of the folder that defines the asked-for name; adding a file adds the member
to every list made from the folder (command line, documentation, contract tests, benchmarks).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def import_members(package: str, path: list[str]) -> Iterator[ModuleType]:
    """Import and yield the public modules of ``package``, in the order of their names."""
    for info in sorted(pkgutil.iter_modules(path), key=lambda info: info.name):
        if not info.name.startswith("_"):
            yield importlib.import_module(f"{package}.{info.name}")


def file_names(package: str) -> tuple[str, ...]:
    """Return the names of the members of a package, from its files alone: nothing is imported.

    For lists that must be there at once, as in a command's help.

    >>> file_names("hardlimit.scaling")
    ('maxabs', 'rows', 'standard')
    """
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    files = os.listdir(os.path.join(root, *package.split(".")))
    members = (f[:-3] for f in files if f.endswith(".py") and not f.startswith("_"))
    return tuple(sorted(name.replace("_", "-") for name in members))


def defined_classes(package: str, path: list[str]) -> Iterator[type]:
    """Yield the classes that the public modules of ``package`` define, module by module."""
    for module in import_members(package, path):
        yield from _classes_of(module)


def classes_of_file(package: str, name: str) -> Iterator[type]:
    """Yield the classes that one module of ``package`` defines; none where there is no such file.

    >>> [cls.__name__ for cls in classes_of_file("hardlimit.rules", "perceptron")]
    ['Perceptron']
    >>> list(classes_of_file("hardlimit.rules", "nothing"))
    []
    """
    module = f"{package}.{name}"
    if importlib.util.find_spec(module) is not None:
        yield from _classes_of(importlib.import_module(module))


def _classes_of(module: ModuleType) -> Iterator[type]:
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield value
