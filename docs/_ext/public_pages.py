"""The reference: a page for each public name, by Sphinx' autodoc."""

from __future__ import annotations

import inspect

import hardlimit
from choice_pages import KINDS
from rst import directive, joined, title

# Modules with pages of their own; the others are shown whole.
ELSEWHERE = {"rules", *KINDS}
# Not among the public names, and of use to who wants to know more.
BESIDE = ("learner", "readers")


def pages() -> dict[str, str]:
    """The pages by file name, the index among them."""
    found = {}
    for name in sorted(hardlimit.__all__):
        value = getattr(hardlimit, name)
        if inspect.isclass(value):
            found[f"{name}.rst"] = of_class(name)
        elif inspect.ismodule(value) and name not in ELSEWHERE:
            found[f"{name}.rst"] = of_module(name)
    functions = [n for n in sorted(hardlimit.__all__) if inspect.isfunction(getattr(hardlimit, n))]
    for name in BESIDE:
        found[f"{name}.rst"] = of_module(name)
    found["index.rst"] = index([name.removesuffix(".rst") for name in found], functions)
    return found


def of_class(name: str) -> str:
    """A class with all that it can be asked."""
    options = "   :members:\n   :inherited-members:"
    return joined([title(name, "="), f".. autoclass:: hardlimit.{name}\n{options}"])


def of_module(name: str) -> str:
    """A module with what it exports."""
    return joined(
        [title(f"hardlimit.{name}", "="), f".. automodule:: hardlimit.{name}\n   :members:"]
    )


def index(names: list[str], functions: list[str]) -> str:
    """The public names, the estimators apart."""
    skins = [name for name in names if ".estimators" in _home(name)]
    others = [name for name in names if name not in skins]
    blocks = [
        title("Public names", "="),
        "``import hardlimit as hl`` shows these; they are loaded when first used. Rules, orders, "
        "schedules, guards and their like have :doc:`pages of their own </generated/rules/index>`.",
        directive("toctree::\n   :maxdepth: 1", "\n".join(others)),
        *(f".. autofunction:: hardlimit.{name}" for name in functions),
    ]
    if skins:
        blocks += [
            title("Estimators of scikit-learn", "-"),
            "The same learners with flat parameters, checked by scikit-learn's own means. Only "
            "these import it.",
            directive("toctree::\n   :maxdepth: 1", "\n".join(skins)),
        ]
    return joined(blocks)


def _home(name: str) -> str:
    return str(getattr(getattr(hardlimit, name, None), "__module__", ""))
