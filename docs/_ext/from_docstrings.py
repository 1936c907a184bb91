"""A Sphinx extension: the pages that are made from the package itself.

They are written into ``docs/generated`` before Sphinx reads its sources: rules, the choices beside
them, and the public names. What the package does not have gets no page.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.ext.napoleon import Config, NumpyDocstring

import choice_pages
import public_pages
import rule_pages
from docstring_parts import are_parameters, parameters
from rst import definitions


def numpydoc(text: str) -> str:
    """Sections such as ``Parameters``, underlined, as lists of fields."""
    return str(NumpyDocstring(text, Config(napoleon_use_ivar=True)))


FOLDERS = {
    "rules": rule_pages.pages,
    "choices": lambda: choice_pages.pages(numpydoc),
    "api": public_pages.pages,
}


def write(folder: Path, pages: dict[str, str]) -> None:
    """Write the pages of a folder; one that has not changed is left alone, an old one goes."""
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


def listed(app, what, name, obj, options, lines) -> None:
    """Turn paragraphs ``name : range and effect`` of a docstring into lists of definitions."""
    paragraphs = "\n".join(lines).split("\n\n")
    for number, paragraph in enumerate(paragraphs):
        if are_parameters(paragraph):
            said = parameters(paragraph)
            paragraphs[number] = definitions({f"``{term}``": said[term] for term in said})
    lines[:] = "\n\n".join(paragraphs).splitlines()


def foreign(app, what, name, obj, skip, options) -> bool | None:
    """Leave out what a class has from other packages, such as scikit-learn's own methods."""
    module = getattr(getattr(obj, "fget", None) or obj, "__module__", None)
    return True if isinstance(module, str) and not module.startswith("hardlimit") else None


def setup(app):
    """Register with Sphinx."""
    app.connect("builder-inited", write_all, priority=100)
    app.connect("autodoc-skip-member", foreign)
    app.connect("autodoc-process-docstring", listed, priority=600)  # after napoleon
    return {"parallel_read_safe": True}
