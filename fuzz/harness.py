"""What every fuzz target shares: instrumented imports, a scratch file, and what counts as a find.

A find is any exception that is not one of the package's own errors, any crash, and a wait of more
than ten seconds. A target is a module of this folder with ``SEEDS``, inputs to begin with, and
``run(data)``.
"""

import contextlib
import importlib
import os
import pkgutil
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
_FOLDER = tempfile.TemporaryDirectory(prefix="hardlimit-fuzz-", dir=os.environ.get("FUZZ_SCRATCH"))
SCRATCH = Path(_FOLDER.name)
TESTS = HERE.parent / "tests"


def scratch(data: bytes, name: str = "input") -> str:
    """Write the bytes into a file that the next call replaces."""
    path = SCRATCH / name
    path.write_bytes(data)
    return str(path)


@contextlib.contextmanager
def refusals_pass():
    """Let the package refuse what it is given; anything else that it raises is a find."""
    # Here, since `instrument` imports the package anew.
    from hardlimit.exceptions import HardlimitError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(HardlimitError):
            yield


@contextlib.contextmanager
def plain_imports():
    """Import from the sources: atheris passes over the loader of an editable install."""
    finders, path = sys.meta_path[:], sys.path[:]
    sys.meta_path[:] = [finder for finder in finders if isinstance(finder, type)]
    sys.path.insert(0, str(HERE.parent / "src"))
    try:
        yield
    finally:
        sys.meta_path[:], sys.path[:] = finders, path


def instrument() -> None:
    """Import the package so that the fuzzer sees which lines and branches run."""
    import atheris

    importlib.import_module("hardlimit._native")
    for name in [name for name in sys.modules if name.split(".")[0] == "hardlimit"]:
        if name != "hardlimit._native":
            del sys.modules[name]
    rooms = (
        "readers",
        "model_file",
        "certificates",
        "classifiers",
        "text",
        "mail",
        "foundation",
        "streaming",
        "live",
        "service",
    )
    with plain_imports(), atheris.instrument_imports(include=["hardlimit"]):
        package = importlib.import_module("hardlimit")
        for found in pkgutil.walk_packages(package.__path__, "hardlimit."):
            if found.name.split(".")[1] in rooms:
                importlib.import_module(found.name)


def corpus(target: str) -> list[bytes]:
    """Return the inputs kept for a target."""
    return [path.read_bytes() for path in sorted((HERE / "corpus" / target).glob("*"))]
