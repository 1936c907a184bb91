"""A copy of the checkout: what is changed there cannot stay in the checkout."""

from __future__ import annotations

import os
import shutil
import sysconfig
import venv
from pathlib import Path

import hardlimit._native
from mutants.settings import PACKAGE, ROOT

LEFT_OUT = [".git", ".venv", "build", "dist", "_build", "generated", "*_cache", ".hypothesis"]
LEFT_OUT += ["__pycache__", ".cache", "*.so"]
# The editable install puts a finder before sys.path, which the paths of a new environment leave
# out. Coverage begins in every process of the tests.
PATHS = """{sources}
{packages}
import os, sys; os.getenv("COVERAGE_PROCESS_START") and __import__("coverage").process_startup()
"""


def copy_checkout(folder: Path) -> None:
    """Copy all that tests could read, and the compiled module beside the sources."""
    shutil.copytree(
        ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True, dirs_exist_ok=True
    )
    compiled = Path(hardlimit._native.__file__)
    (folder / PACKAGE / compiled.name).symlink_to(compiled)


def make_environment(folder: Path) -> Path:
    """Make a Python that imports the copy, and all else from where this one does; returns it."""
    place = folder / ".venv"
    venv.EnvBuilder(symlinks=True, clear=True).create(place)
    paths = PATHS.format(sources=folder / "src", packages=sysconfig.get_path("purelib"))
    for site in place.glob("lib/python*/site-packages"):
        (site / "copy.pth").write_text(paths, "utf-8")
    return place / "bin" / "python"


def variables() -> dict[str, str]:
    """Return variables for the tests: data sets are where they are for the checkout."""
    # Compiled files are written, so that each run need not compile what has not changed.
    kept = {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"HARDLIMIT_DATA": str(ROOT.parent / "shared" / "data")} | kept
