"""Make the API reference: a page for each public name, by Sphinx autodoc."""

from __future__ import annotations

import inspect

import hardlimit
from choice_pages import KINDS
from rst import directive, join_blocks, title

# Modules with pages of their own; the others are shown whole.
ELSEWHERE = {"rules", *KINDS}
# Not public names, but useful to know.
BESIDE = ("learner", "readers")


def build_pages() -> dict[str, str]:
    """Return all pages by file name."""
    found = {}
    for name in sorted(hardlimit.__all__):
        value = getattr(hardlimit, name)
        if inspect.isclass(value):
            found[f"{name}.rst"] = render_class(name)
        elif inspect.ismodule(value) and name not in ELSEWHERE:
            found[f"{name}.rst"] = render_module(name)
    functions = [n for n in sorted(hardlimit.__all__) if inspect.isfunction(getattr(hardlimit, n))]
    for name in BESIDE:
        found[f"{name}.rst"] = render_module(name)
    found["index.rst"] = index([name.removesuffix(".rst") for name in found], functions)
    return found


def render_class(name: str) -> str:
    """Return the page of a class with all members."""
    options = "   :members:\n   :inherited-members:"
    return join_blocks([title(name, "="), f".. autoclass:: hardlimit.{name}\n{options}"])


def render_module(name: str) -> str:
    """Return the page of a module with all members."""
    return join_blocks(
        [title(f"hardlimit.{name}", "="), f".. automodule:: hardlimit.{name}\n   :members:"]
    )


def index(names: list[str], functions: list[str]) -> str:
    """Return the index of all public names, with the estimators in a separate list."""
    estimators = [name for name in names if ".estimators" in _home(name)]
    others = [name for name in names if name not in estimators]
    blocks = [
        title("API", "="),
        "These are the names of ``import hardlimit as hl``; they are loaded when first used. "
        ":doc:`Rules </generated/rules/index>` and :doc:`other choices "
        "</generated/choices/index>` have their own pages.",
        directive("toctree::\n   :maxdepth: 1", "\n".join(others)),
        *(f".. autofunction:: hardlimit.{name}" for name in functions),
    ]
    if estimators:
        blocks += [
            title("Estimators for scikit-learn", "-"),
            "The same learners with flat parameters; they pass ``check_estimator``. Only these "
            "classes import scikit-learn.",
            directive("toctree::\n   :maxdepth: 1", "\n".join(estimators)),
        ]
    return join_blocks(blocks)


def _home(name: str) -> str:
    return str(getattr(getattr(hardlimit, name, None), "__module__", ""))
