"""A labelled corpus that every machine has: the docstrings of the standard library.

A text is the docstring of a function or class, led by its name and parameters; its label is the
family of modules that it comes from. The sources are parsed, never imported, so nothing of them
runs. What is not there (a Debian without tkinter, a module that a later Python dropped, a file
that cannot be read) is left out. The same Python gives the same corpus, in the same order.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import sys
import sysconfig
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from hardlimit.exceptions import InputError

FAMILIES: dict[str, tuple[str, ...]] = {
    "archives": ("tarfile", "zipfile", "gzip", "bz2", "lzma", "zipimport", "shutil"),
    "asyncio": ("asyncio",),
    "codecs": ("codecs", "_pyio", "tokenize", "base64"),
    "collections": ("collections", "_collections_abc", "functools", "heapq", "operator"),
    "command-line": ("argparse", "optparse", "getopt", "cmd", "configparser"),
    "datetime": ("datetime", "_pydatetime", "calendar", "zoneinfo", "_strptime"),
    "debugging": ("pdb", "bdb", "trace", "traceback", "profile", "pstats", "timeit"),
    "email": ("email", "mailbox", "smtplib", "imaplib", "poplib"),
    "file-formats": ("pickle", "json", "csv", "plistlib", "shelve", "dbm", "sqlite3"),
    "files": ("pathlib", "os", "posixpath", "ntpath", "glob", "tempfile", "fileinput"),
    "http": ("http", "urllib", "wsgiref", "xmlrpc"),
    "idlelib": ("idlelib",),
    "importlib": ("importlib", "pkgutil", "runpy", "modulefinder"),
    "inspect": ("inspect", "ast", "dis", "pydoc", "symtable"),
    "logging": ("logging",),
    "network": ("socket", "ssl", "ipaddress", "socketserver", "ftplib", "selectors"),
    "numbers": ("_pydecimal", "fractions", "statistics", "numbers", "random"),
    "processes": ("multiprocessing", "concurrent", "threading", "subprocess"),
    "tkinter": ("tkinter",),
    "turtle": ("turtle",),
    "typing": ("typing", "enum", "dataclasses", "abc", "types"),
    "unittest": ("unittest", "doctest"),
    "xml": ("xml",),
}
# Shorter docstrings ("Return the value.") could stand in any module.
FEWEST_WORDS = 5
# With fewer, a fifth held out would measure one family by a handful of texts.
FEWEST_TEXTS = 20
# Tests speak of everything, and a Debian leaves them out.
_SKIPPED = frozenset({"test", "tests", "idle_test", "__pycache__"})


class Passage(NamedTuple):
    """One text of the corpus, the family it comes from and the file it stands in."""

    text: str
    label: str
    source: str


def read(root: Path | None = None) -> list[Passage]:
    """Return the corpus of the standard library at ``root`` (default: of this Python).

    A family with fewer than ``FEWEST_TEXTS`` texts is left out; of equal texts one stays.
    Costs about two seconds.

    Raises
    ------
    InputError
        When fewer than two families have sources there.
    """
    root = _standard_library() if root is None else root
    corpus: list[Passage] = []
    seen: set[str] = set()
    with _pause_collector():
        for label, modules in FAMILIES.items():
            # A dict drops equal texts and keeps the order, so that the corpus is always the same.
            passages = {p.text: p for m in modules for p in _passages(root, m, label)}
            fresh = [passage for text, passage in passages.items() if text not in seen]
            # Also of families that are left out: what a text is labelled must not depend on that.
            seen.update(passages)
            corpus.extend(fresh if len(fresh) >= FEWEST_TEXTS else ())
    if len({passage.label for passage in corpus}) < 2:
        raise InputError(
            f"no sources of the standard library under {root}",
            who="demo_corpus",
            fix="train on a file of your own: hardlimit train FILE -o MODEL",
        )
    return corpus


@contextlib.contextmanager
def _pause_collector() -> Iterator[None]:
    """Pause the cycle collector, which would walk every syntax tree: a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _standard_library() -> Path:
    """Return the folder of the sources, or the zip of an embedded Python."""
    folder = Path(sysconfig.get_path("stdlib"))
    zipped = (Path(p) for p in sys.path if p.endswith(".zip") and zipfile.is_zipfile(p))
    # Any module would do as a sign; this file imports that one.
    return folder if (folder / "ast.py").exists() else next(zipped, folder)


def _passages(root: Path, module: str, label: str) -> Iterator[Passage]:
    for where, source in _sources(root, module):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # invalid escapes in other people's sources
                tree = ast.parse(source)
        # A file for another version of Python does not parse in this one.
        except (SyntaxError, ValueError, RecursionError):
            continue
        for text in _docstrings(tree.body):
            if len(text.split()) >= FEWEST_WORDS:
                yield Passage(text, label, where)


def _sources(root: Path, module: str) -> Iterator[tuple[str, bytes]]:
    """Yield path (relative to ``root``) and bytes of the files of a module, sorted by path."""
    if root.suffix == ".zip":
        with zipfile.ZipFile(root) as archive:
            for name in _select_module(archive.namelist(), module):
                yield name, archive.read(name)
        return
    # A module may be a file or a folder, by the version of Python.
    files = [root / f"{module}.py", *(root / module).rglob("*.py")]
    for name in _select_module((p.relative_to(root).as_posix() for p in files), module):
        try:
            yield name, (root / name).read_bytes()
        except OSError:
            continue


def _select_module(names: Iterable[str], module: str) -> list[str]:
    # The order of a folder differs between file systems.
    return sorted(
        name
        for name in names
        if name == f"{module}.py"
        or (name.startswith(f"{module}/") and name.endswith(".py"))
        and _SKIPPED.isdisjoint(name.split("/"))
    )


def _docstrings(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the docstrings of the functions and classes of a body, nested ones included."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            doc = ast.get_docstring(node)
            if doc:
                yield f"{_heading(node)}: {doc}"
        yield from _docstrings(getattr(node, "body", []))


def _heading(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    if isinstance(node, ast.ClassDef):
        return f"class {node.name}"
    return f"def {node.name}({', '.join(a.arg for a in node.args.args if a.arg != 'self')})"
