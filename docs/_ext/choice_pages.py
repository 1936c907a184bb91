"""A short page for each kind of choice beside the rule, from the docstrings of its module."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from types import ModuleType

import hardlimit
from docstring_parts import Parts, taken_apart
from hardlimit.foundation.register import Register
from rst import default_of, definitions, directive, joined, title

Formatted = Callable[[str], str]

KINDS = {
    "orders": "Orders",
    "schedules": "Schedules",
    "guards": "Guards",
    "keep": "Read-outs",
    "scaling": "Scales",
    "kernels": "Kernels",
    "budgets": "Budgets",
    "maps": "Feature maps",
    "criteria": "Criteria",
}


def pages(formatted: Formatted = str) -> dict[str, str]:
    """The pages by file name, the index among them; ``formatted`` reads numpydoc's sections."""
    found = {
        f"{name}.rst": page(module_named(name), heading, formatted)
        for name, heading in KINDS.items()
    }
    found["index.rst"] = index(list(KINDS))
    return found


def module_named(name: str) -> ModuleType:
    """The module behind a public name, or below the package where it is none."""
    public = name in hardlimit.__all__
    return getattr(hardlimit, name) if public else importlib.import_module(f"hardlimit.{name}")


def index(names: list[str]) -> str:
    """All kinds of choices."""
    lead = (
        "A fit is made of choices that multiply: a rule says how far the weights move, and these "
        "say the rest. :doc:`/choices` has the table of what goes with what."
    )
    return joined(
        [title("Choices", "="), lead, directive("toctree::\n   :maxdepth: 2", "\n".join(names))]
    )


def page(module: ModuleType, heading: str, formatted: Formatted) -> str:
    """What the module says of the kind, and then each member."""
    blocks = [
        title(heading, "="),
        f".. py:module:: {module.__name__}",
        inspect.cleandoc(module.__doc__ or ""),
    ]
    for cls in members(module):
        blocks += member(cls, name_in(module, cls), formatted)
    return joined(blocks)


def members(module: ModuleType) -> list[type]:
    """The public classes of a module or folder; a file ``_name.py`` has none."""
    found = [getattr(module, name) for name in getattr(module, "__all__", list(vars(module)))]
    return [
        value
        for value in found
        if inspect.isclass(value)
        and value.__module__.startswith(module.__name__)
        and "._" not in value.__module__
        and value.__doc__
        and not issubclass(value, tuple)  # what is answered, not what is chosen
    ]


def name_in(module: ModuleType, cls: type) -> str:
    """The name by which a class may be asked for, where there is one."""
    for value in vars(module).values():
        if isinstance(value, Register):
            for name, known in value.members.items():
                if known is cls:
                    return name
    return ""


def member(cls: type, name: str, formatted: Formatted) -> list[str]:
    """One choice: its signature, what it does, its parameters, an example."""
    parts = taken_apart(cls.__doc__ or "")
    said = [parts.summary, formatted(parts.statement), parameters(cls, parts)]
    said += [f"**{heading}.** {text}" for heading, text in parts.sections.items()]
    said += [parts.example, f"By name: ``{name}``." if name else ""]
    return [
        title(cls.__name__, "-"),
        directive(f"py:class:: {cls.__name__}{signature(cls)}", joined(said)),
    ]


def signature(cls: type) -> str:
    """The parameters and their defaults, without types."""
    found = []
    for parameter in inspect.signature(cls).parameters.values():
        has_default = parameter.default is not inspect.Parameter.empty
        default = f"={default_of(parameter.default)}" if has_default else ""
        found.append(f"{parameter.name}{default}")
    return f"({', '.join(found)})"


def parameters(cls: type, parts: Parts) -> str:
    """The parameters that the docstring speaks of."""
    return definitions({f"``{name}``": text for name, text in parts.parameters.items()})
