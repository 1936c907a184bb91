"""What many tests make: digests and parts of model files, and runs of the program that succeed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from hardlimit import model_file
from hardlimit.cli import main


def saved(clf: Any, path: Path) -> tuple[str, dict[str, bytes]]:
    """Save a model; return all of its file but for what only a stream has measured."""
    clf.save(path)
    file = model_file.open(path)
    header = json.dumps({**file.header, "progressive": None}, sort_keys=True)
    return header, {name: bytes(file.memory(name)) for name in file.names}


def digest(clf: Any, folder: Path) -> str:
    """Save a model; return SHA-256 of its file."""
    clf.save(folder / "model")
    return hashlib.sha256((folder / "model").read_bytes()).hexdigest()


def said(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    """Run a command that ends with this code; return what it printed, or its error."""
    capsys.readouterr()
    found = main(list(map(str, words)))
    told = capsys.readouterr()
    assert found == code, told.err
    return told.err if code else told.out
