"""The bytes of model files: for every kind of examples, in every way of learning.

A digest that differs is a model file that differs. Where that is wanted, write the digests anew and
say in the changelog which bytes changed, and why:

    python -m tests.test_model_digests
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import matrix
from .matrix import KINDS, WAYS

DIGESTS = Path(__file__).parent / "model_digests.json"
FEATURES = ("plain", "--holdout", "--probability", "--probability --holdout")
CELLS = [
    (name, way, kind)
    for name in FEATURES
    for way in WAYS
    for kind in KINDS
    if matrix.expected(name, way, kind) == "y"
]


@contextlib.contextmanager
def files() -> Iterator[None]:
    """Go to a folder with the files of each kind; the version is left out of what is written."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("hardlimit.classifiers.files.header.VERSION", "")
        matrix.write_files(Path())
        yield


@pytest.fixture(scope="module", autouse=True)
def _files() -> Iterator[None]:
    with files():
        yield


def digest(name: str, way: str, kind: str) -> str:
    """Train, and return SHA-256 of the model file."""
    feature = matrix.FEATURES[name]
    done = matrix.train(way, kind, feature.asked, feature.source, "model")
    assert done.code == 0, done.sentence
    return hashlib.sha256(Path("model").read_bytes()).hexdigest()


@pytest.mark.parametrize(("name", "way", "kind"), CELLS)
def test_the_model_file_has_its_bytes(name: str, way: str, kind: str) -> None:
    wanted = json.loads(DIGESTS.read_text())
    assert digest(name, way, kind) == wanted[name][way][kind]


def main() -> None:
    """Write the digests of the present program."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    with files():
        for name, way, kind in CELLS:
            found.setdefault(name, {}).setdefault(way, {})[kind] = digest(name, way, kind)
    DIGESTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
