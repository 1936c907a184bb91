"""The program as a process, and a small file to feed it."""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..forking import Server

PROGRAM = (sys.executable, "-m", "hardlimit")
SPAM = "win a prize now call free cash claim urgent reply mobile".split()
HAM = "see you later at home dinner love meeting tomorrow thanks".split()

Run = Callable[..., subprocess.CompletedProcess[str]]


def environment(**more: str) -> dict[str, str]:
    """Leave out what would change buffering, width or colours."""
    dropped = ("COLUMNS", "NO_COLOR", "PYTHONUNBUFFERED")
    env = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**env, "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "error", **more}


@pytest.fixture(scope="session")
def hardlimit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run the program with some words, to its end, in a process that one with all imports forks.

    What depends on the start of a process is tested in ``test_process.py``.
    """
    folder = tmp_path_factory.mktemp("program")
    typed = folder / "typed"

    with Server(folder, PYTHONUTF8="1") as server:

        def run(*words: object, given: str = "", **env: str) -> subprocess.CompletedProcess[str]:
            typed.write_text(given, encoding="utf-8", newline="")
            place = f"import os; os.chdir({os.getcwd()!r}); os.environ.update({env!r})"
            done = server.run(*words, before=place, stdin=typed)
            return subprocess.CompletedProcess(list(words), done.code, done.out, done.err)

        yield run


def messages(seed: int, rows: int = 300) -> list[tuple[str, str, str]]:
    """Draw rows of id, text and label; one word in ten is the other class's."""
    draw = random.Random(seed)
    found = []
    for number in range(rows):
        label = "spam" if draw.random() < 0.3 else "ham"
        own, other = (SPAM, HAM) if label == "spam" else (HAM, SPAM)
        words = [draw.choice(other if draw.random() < 0.1 else own) for _ in range(8)]
        found.append((str(number), " ".join(words), label))
    return found


def write_csv(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "message", "folder"])
        writer.writerows(rows)
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cli")


@pytest.fixture(scope="session")
def training_file(folder: Path) -> Path:
    return write_csv(folder / "messages.csv", messages(1))


@pytest.fixture(scope="session")
def other_file(folder: Path) -> Path:
    return write_csv(folder / "others.csv", messages(2, rows=100))


@pytest.fixture(scope="session")
def model(hardlimit: Run, training_file: Path, folder: Path) -> Path:
    path = folder / "spam.hardlimit"
    done = hardlimit("train", training_file, "--text", "message", "--label", "folder", "-o", path)
    assert done.returncode == 0, done.stderr
    return path
