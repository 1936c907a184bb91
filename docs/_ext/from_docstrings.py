"""A Sphinx extension: the pages that are made from the package itself.

They are written into ``docs/generated`` before Sphinx reads its sources: the rules, the other
choices, the commands, and the API.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.ext.napoleon import Config, NumpyDocstring

import choice_pages
import command_pages
import public_pages
import rule_pages
from docstring_parts import is_parameter_list, parse_parameters
from rst import definitions


def format_numpydoc(text: str) -> str:
    """Convert sections such as ``Parameters`` to lists of fields."""
    return str(NumpyDocstring(text, Config(napoleon_use_ivar=True)))


FOLDERS = {
    "rules": rule_pages.build_pages,
    "choices": lambda: choice_pages.build_pages(format_numpydoc),
    "commands": command_pages.build_pages,
    "api": public_pages.build_pages,
}


def write(folder: Path, pages: dict[str, str]) -> None:
    """Write the pages of a folder that have changed, and remove old ones."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.name not in pages:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def write_all(app) -> None:
    """Write every page."""
    for name, made in FOLDERS.items():
        write(Path(app.srcdir) / "generated" / name, made())


def list_parameters(app, what, name, obj, options, lines) -> None:
    """Convert paragraphs ``name : range and effect`` of a docstring to lists of definitions."""
    paragraphs = "\n".join(lines).split("\n\n")
    for number, paragraph in enumerate(paragraphs):
        if is_parameter_list(paragraph):
            parameters = parse_parameters(paragraph)
            paragraphs[number] = definitions(
                {f"``{name}``": text for name, text in parameters.items()}
            )
    lines[:] = "\n\n".join(paragraphs).splitlines()


def skip_foreign(app, what, name, obj, skip, options) -> bool | None:
    """Skip members of other packages, such as the methods of scikit-learn."""
    module = getattr(getattr(obj, "fget", None) or obj, "__module__", None)
    return True if isinstance(module, str) and not module.startswith("hardlimit") else None


def setup(app):
    """Register with Sphinx."""
    app.connect("builder-inited", write_all, priority=100)
    app.connect("autodoc-skip-member", skip_foreign)
    app.connect("autodoc-process-docstring", list_parameters, priority=600)  # after napoleon
    return {"parallel_read_safe": True}
