"""Ctrl-C at several moments of each long command, as a person presses it: in a process."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .conftest import PROGRAM, environment

pytestmark = pytest.mark.slow

MOMENTS = 6
# A second on an idle machine; the tests may run beside others.
PATIENCE = 6.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of many classes that takes seconds to learn, and a model of it."""
    folder = tmp_path_factory.mktemp("interrupting")
    draw = random.Random(1)
    words = [f"w{n}" for n in range(30_000)]
    with (folder / "texts.csv").open("w") as file:
        file.write("text,label\n")
        for n in range(6_000):
            text = " ".join(draw.choices(words, k=60))
            file.write(f"class{n % 40} {text},class{n % 40}\n")
    train = ["train", "texts.csv", "-o", "m", "--epochs", "3"]
    subprocess.run([*PROGRAM, *train], cwd=folder, check=True, capture_output=True)
    return folder


COMMANDS = {
    "train": ["train", "texts.csv", "-o", "out"],
    "continue": ["train", "texts.csv", "--train-from", "m", "-o", "out"],
    "predict": ["predict", "m", "texts.csv", "-o", "out.csv"],
    "evaluate": ["evaluate", "m", "texts.csv"],
    "report": ["report", "m", "texts.csv", "-o", "out"],
    "inspect": ["inspect", "m", "--verify"],
    "certify": ["certify", "texts.csv", "-o", "out", "--positive", "class1", "--seconds", "4"],
}


def start(words: list[str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, *words],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        # Where the tests run in the background of a shell, it is ignored, and so by its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_an_interruption_is_answered(name: str, folder: Path) -> None:
    words = COMMANDS[name]
    target = folder / words[words.index("-o") + 1] if "-o" in words else None
    began = time.monotonic()
    whole = start(words, folder)
    whole.communicate(timeout=300)
    lasted = time.monotonic() - began
    # A model that is written when training is interrupted takes as long as any.
    patience = PATIENCE + (lasted if name in ("train", "continue") else 0)
    for moment in range(1, MOMENTS + 1):
        if target is not None:
            target.unlink(missing_ok=True)
        process = start(words, folder)
        time.sleep(lasted * moment / (MOMENTS + 1))
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, said = process.communicate(timeout=300)
        assert time.monotonic() - began < patience, (moment, said)
        # Python itself was starting or ending, or the work was done.
        if process.returncode in (0, -signal.SIGINT):
            continue
        errors = [line for line in said.splitlines() if line.startswith("error:")]
        assert process.returncode == 130 and len(errors) <= 1, (moment, said)
        if errors and target is not None:
            assert ("not written" in errors[0]) != target.exists(), (moment, said)
        assert not list(folder.glob(".*")), (moment, said)
