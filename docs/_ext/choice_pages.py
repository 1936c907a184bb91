"""Make a page for each kind of choice except rules, from the docstrings of its module."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from types import ModuleType

import hardlimit
from docstring_parts import Parts, parse_docstring
from hardlimit.foundation.register import Register
from rst import default_of, definitions, directive, join_blocks, title

Formatted = Callable[[str], str]

KINDS = {
    "orders": "Orders",
    "schedules": "Schedules",
    "guards": "Guards",
    "readouts": "Read-outs",
    "scaling": "Scales",
    "kernels": "Kernels",
    "budgets": "Budgets",
    "maps": "Feature maps",
    "criteria": "Criteria",
}


def build_pages(formatted: Formatted = str) -> dict[str, str]:
    """Return all pages by file name; ``formatted`` converts numpydoc sections."""
    found = {
        f"{name}.rst": page(module_named(name), heading, formatted)
        for name, heading in KINDS.items()
    }
    found["index.rst"] = index(list(KINDS))
    return found


def module_named(name: str) -> ModuleType:
    """Import the module of a kind; not all of them are public names of the package."""
    public = name in hardlimit.__all__
    return getattr(hardlimit, name) if public else importlib.import_module(f"hardlimit.{name}")


def index(names: list[str]) -> str:
    """Return the index of all kinds of choices."""
    lead = (
        "A fit combines independent choices: a rule, which computes the corrections, and the "
        "choices on these pages. :doc:`/choices` shows which of them work together."
    )
    return join_blocks(
        [title("Choices", "="), lead, directive("toctree::\n   :maxdepth: 2", "\n".join(names))]
    )


def page(module: ModuleType, heading: str, formatted: Formatted) -> str:
    """Return the page of one kind: the docstring of the module, then each member."""
    blocks = [
        title(heading, "="),
        f".. py:module:: {module.__name__}",
        inspect.cleandoc(module.__doc__ or ""),
    ]
    for cls in members(module):
        blocks += member(cls, name_in(module, cls), formatted)
    return join_blocks(blocks)


def members(module: ModuleType) -> list[type]:
    """Return the public classes of a module or package."""
    found = [getattr(module, name) for name in getattr(module, "__all__", list(vars(module)))]
    return [
        value
        for value in found
        if inspect.isclass(value)
        and value.__module__.startswith(module.__name__)
        and "._" not in value.__module__
        and value.__doc__
        and not issubclass(value, tuple)  # a result, not a choice
    ]


def name_in(module: ModuleType, cls: type) -> str:
    """Return the registered name of a class, or an empty text."""
    for value in vars(module).values():
        if isinstance(value, Register):
            for name, known in value.members.items():
                if known is cls:
                    return name
    return ""


def member(cls: type, name: str, formatted: Formatted) -> list[str]:
    """Return the entry of one choice: signature, description, parameters, example."""
    parts = parse_docstring(cls.__doc__ or "")
    said = [parts.summary, formatted(parts.statement), parameters(cls, parts)]
    said += [f"**{heading}.** {text}" for heading, text in parts.sections.items()]
    said += [parts.example, f"By name: ``{name}``." if name else ""]
    return [
        title(cls.__name__, "-"),
        directive(f"py:class:: {cls.__name__}{signature(cls)}", join_blocks(said)),
    ]


def signature(cls: type) -> str:
    """Return the parameters and their defaults, without types."""
    found = []
    for parameter in inspect.signature(cls).parameters.values():
        has_default = parameter.default is not inspect.Parameter.empty
        default = f"={default_of(parameter.default)}" if has_default else ""
        found.append(f"{parameter.name}{default}")
    return f"({', '.join(found)})"


def parameters(cls: type, parts: Parts) -> str:
    """Return the parameters that the docstring describes."""
    return definitions({f"``{name}``": text for name, text in parts.parameters.items()})
