"""Every input that fuzzing has kept is read or refused: nothing else happens."""

import importlib
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TARGETS = [
    "readers",
    "model_files",
    "containers",
    "proofs",
    "texts",
    "mail",
    "mailboxes",
    "tables",
    "columns",
    "workbooks",
    "caches",
    "label_sets",
    "ledger_tails",
    "bodies",
]


@pytest.mark.parametrize("target", TARGETS)
def test_the_kept_inputs(target, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    module = importlib.import_module(f"fuzz.{target}")
    kept = sorted((ROOT / "fuzz" / "corpus" / target).iterdir())
    assert kept and {path.stem for path in (ROOT / "fuzz").glob("*.py")} >= {target}
    for data in [*module.SEEDS[::5], *(path.read_bytes() for path in kept)]:
        module.run(data)
    assert "atheris" not in sys.modules


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_changed_inputs(target, monkeypatch):
    """At random, without atheris, so that a build with sanitizers can run it, too."""
    monkeypatch.syspath_prepend(str(ROOT))
    mutate = importlib.import_module("fuzz.mutate")
    assert mutate.fuzz(target, float(os.environ.get("HARDLIMIT_FUZZ_SECONDS", "5")), seed=0) > 0
