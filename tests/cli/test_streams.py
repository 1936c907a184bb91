"""Closed, full and broken streams: no work is lost, the status is right, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.cli import commands
from hardlimit.service.keys import KeyFile

from ..forking import Done, Server
from .conftest import PROGRAM, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX descriptors")
FULL = "/dev/full"
# Words of a run that ends well, for each command; "MODEL" and the like become paths.
RUNS: dict[str, list[str]] = {
    "certify": ["NUMBERS"],
    "bake": ["MODEL", "-o", "OUTPUT", "--ledger", "LEDGER"],
    "correct": ["MODEL", "win a prize", "--label", "ham", "--dry-run"],
    "confirm": ["MODEL", "win a prize", "--ledger", "LEDGER"],
    "demo": [],
    "diff": ["MODEL", "MODEL"],
    "guard": ["list", "MODEL", "--ledger", "LEDGER"],
    "key": ["list", "MODEL", "--keys", "KEYS"],
    "log": ["MODEL", "--ledger", "LEDGER"],
    "replay": ["MODEL", "--ledger", "LEDGER"],
    "undo": ["MODEL", "1", "--dry-run", "--ledger", "CORRECTED"],
    "why": ["MODEL", "win a prize", "--ledger", "LEDGER"],
    "evaluate": ["MODEL", "TEXTS"],
    "explain": ["MODEL", "win a prize"],
    "inspect": ["MODEL"],
    "export": ["WEIGHTS", "-o", "OUTPUT"],
    "make": ["-o", "OUTPUT", "--weight", "free=1"],
    "margin": ["NUMBERS", "--weights", "1,1,1"],
    "predict": ["MODEL", "TEXTS"],
    "report": ["MODEL", "TEXTS", "-o", "-"],
    "rules": [],
    "status": ["MODEL", "--ledger", "LEDGER"],
    "trace": ["NUMBERS"],
    "tune": ["NUMBERS", "--folds", "2", "--epochs", "1", "-o", "OUTPUT"],
    "train": ["TEXTS", "--text", "message", "--label", "folder", "-o", "OUTPUT"],
}
# The demo trains for seconds.
EACH = [pytest.param(name, marks=[pytest.mark.slow] * (name == "demo")) for name in RUNS]
# Those that read it; the others do not notice that it is closed.
READING: dict[str, list[str]] = {
    "certify": ["-", "--format", "svmlight"],
    "evaluate": ["MODEL", "-"],
    "explain": ["MODEL", "-"],
    "why": ["MODEL", "-", "--ledger", "LEDGER"],
    "confirm": ["MODEL", "-", "--ledger", "LEDGER"],
    "correct": ["MODEL", "-", "--label", "ham", "--ledger", "LEDGER"],
    "margin": ["-", "--weights", "1,1,1"],
    "predict": ["MODEL", "-"],
    "report": ["MODEL", "-", "-o", "OUTPUT"],
    "trace": ["-"],
    "tune": ["-", "--format", "svmlight", "--folds", "2", "-o", "OUTPUT"],
    "train": ["-", "--text", "message", "--label", "folder", "-o", "OUTPUT"],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def paths(model: Path, training_file: Path, tmp_path: Path) -> dict[str, Path]:
    numbers = tmp_path / "or.svm"
    numbers.write_text("+1 1:1\n+1 2:1\n-1 1:0\n")
    weights = tmp_path / "weights.hardlimit"
    hl.LinearClassifier().fit([[0.0], [1.0]], [0, 1]).save(weights)
    with hl.open_live(model, tmp_path / "corrected.ledger") as live:
        live.correct("win a prize", "ham")
    keys = tmp_path / "its.keys"
    KeyFile(str(keys)).add("alice", "correct")
    return {
        "KEYS": keys,
        "LEDGER": tmp_path / "its.ledger",
        "CORRECTED": tmp_path / "corrected.ledger",
        "MODEL": model,
        "TEXTS": training_file,
        "NUMBERS": numbers,
        "WEIGHTS": weights,
        "OUTPUT": tmp_path / "out",
    }


def words_of(name: str, paths: dict[str, Path], runs: dict[str, list[str]] = RUNS) -> list[str]:
    return [name, *(str(paths.get(word, word)) for word in runs[name])]


def check_words(done: Done) -> None:
    assert "Traceback" not in done.err and "unexpected" not in done.err and "None" not in done.err


def test_every_command_has_a_run() -> None:
    assert RUNS.keys() == set(commands.names()) - {"serve"}, "a service runs until it is ended"


@pytest.mark.parametrize("name", EACH)
def test_without_standard_error_all_is_done(
    name: str, server: Server, paths: dict[str, Path]
) -> None:
    done = server.run(*words_of(name, paths), stderr=None)
    assert (done.code, done.err) == (0, "") and done.out
    if name == "train":
        assert server.run("inspect", paths["OUTPUT"]).code == 0, "the model was saved"
    assert server.run(name, "--no-such-option", stderr=None).code == 2
    full = server.run(*words_of(name, paths), stderr=FULL)
    # Some name seconds, one searches for some, one counts what is confirmed.
    others = {"train", "demo", "certify", "tune", "confirm"}
    assert full.code == 0 and (full.out == done.out or name in others)
    assert server.run(name, "--no-such-option", stderr=FULL).code == 2


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize(
    ("where", "why"),
    [
        (None, "it is closed"),
        pytest.param(FULL, "No space left on device", marks=pytest.mark.slow),
    ],
)
def test_without_standard_output_the_result_is_lost_and_the_status_says_so(
    name: str, where: str | None, why: str, server: Server, paths: dict[str, Path]
) -> None:
    done = server.run(*words_of(name, paths), stdout=where)
    check_words(done)
    assert done.code == 1 and f"error: standard output: {why}" in done.err
    assert done.err.count("error:") == 1
    if name == "train":
        assert server.run("inspect", paths["OUTPUT"]).code == 0, "the model was saved"
    assert server.run(name, "--help", stdout=where).code == 1


@pytest.mark.parametrize("name", ["predict", "report"])
def test_a_full_disk_names_standard_output(
    name: str, server: Server, paths: dict[str, Path]
) -> None:
    done = server.run(*words_of(name, paths), stdout=FULL)
    # The rows of the report are those of the training, which is noted.
    errors = [line for line in done.err.splitlines() if not line.startswith("note: ")]
    assert errors == ["error: standard output: No space left on device"] and done.code == 1


@pytest.mark.parametrize("name", READING)
def test_without_standard_input_what_reads_it_says_so(
    name: str, server: Server, paths: dict[str, Path]
) -> None:
    done = server.run(*words_of(name, paths, READING), stdin=None)
    check_words(done)
    assert done.code == 1 and "it is closed" in done.err
    assert "standard input: " in done.err or "<stdin>:" in done.err or "-: " in done.err
    assert not paths["OUTPUT"].exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_without_any_stream_the_status_is_that_of_the_work(
    name: str, server: Server, paths: dict[str, Path]
) -> None:
    words = words_of(name, paths)
    assert server.run(*words, stdin=None, stdout=None, stderr=None).code == 1
    assert server.run(*words, stdout=FULL, stderr=FULL).code == 1


@pytest.mark.parametrize("number", [0, 1, 2])
def test_no_file_gets_the_number_of_a_closed_stream(number: int, paths: dict[str, Path]) -> None:
    """A library that reports an error under number 2 would write it into a model."""
    code = (
        "import os, sys; from hardlimit.cli import streams\n"
        "with streams.opened(): sys.exit(os.open(os.devnull, os.O_RDONLY) < 3)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=lambda: os.close(number),
        env=environment(),
        timeout=60,
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("name", "shell", "code"),
    [
        ("train", "2>&-", 0),
        ("train", ">&-", 1),
        ("predict", "| head -c 1 >&2", 0),
        pytest.param("train", "<&-", 0, marks=pytest.mark.slow),
        pytest.param("train", "<&- >&- 2>&-", 1, marks=pytest.mark.slow),
        pytest.param("predict", ">/dev/full", 1, marks=pytest.mark.slow),
        pytest.param("rules", "2>&- >&-", 1, marks=pytest.mark.slow),
    ],
)
def test_real_processes(name: str, shell: str, code: int, paths: dict[str, Path]) -> None:
    import shlex

    line = f"set -o pipefail; {shlex.join([*PROGRAM, *words_of(name, paths)])} {shell}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, env=environment(), timeout=60
    )
    assert done.returncode == code and "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if name == "train":
        assert paths["OUTPUT"].stat().st_size > 1000
