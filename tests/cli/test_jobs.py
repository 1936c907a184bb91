"""Every command with --jobs, found by discovery: its result does not depend on the cores."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hardlimit.cli import commands, main
from hardlimit.foundation import workers
from hardlimit.text import batches

from .conftest import messages, write_csv

WITH_JOBS = [
    name
    for name in commands.names()
    if any(parameter.name == "jobs" for parameter in commands.load(name).params)
]
# What each is asked to do in a folder that has texts.csv and m.hardlimit; {out} is written.
LAYOUT = ["--text", "1", "--label", "2", "--no-header"]
ASKED = {
    "demo": ["-o", "{out}"],
    "evaluate": ["m.hardlimit", "texts.csv", "--json"],
    "predict": ["m.hardlimit", "texts.csv", "--json"],
    "report": ["m.hardlimit", "texts.csv", "-o", "{out}"],
    "train": ["texts.csv", *LAYOUT, "--probability", "-o", "{out}"],
    "tune": ["texts.csv", *LAYOUT, "--features", "words=1-1,1-2", "--folds", "2", "-o", "{out}"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("jobs")
    write_csv(made / "texts.csv", messages(3, 400))
    assert main(["train", str(made / "texts.csv"), *LAYOUT, "-o", str(made / "m.hardlimit")]) == 0
    return made


def without_times(said: str) -> str:
    return re.sub(r"\d+(\.\d+)? ?m?s\b|\"seconds\": [\d.e-]+", "TIME", said)


def test_commands_have_an_entry() -> None:
    assert set(ASKED) == set(WITH_JOBS) >= {"train", "evaluate", "predict", "report", "tune"}


# The demo trains on thousands of texts, twice here.
EVERY = [pytest.param(one, marks=[pytest.mark.slow] * (one == "demo")) for one in WITH_JOBS]


@pytest.mark.parametrize("name", EVERY)
def test_the_result_is_that_of_one_core(
    name: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(batches, "LEAST_SHARE", 1)
    found = []
    for jobs in ("1", "3"):
        words = [word.format(out=f"out-{name}") for word in ASKED[name]]
        assert main([name, *words, "--jobs", jobs]) == 0
        written = folder / f"out-{name}"
        found.append(
            (without_times(capsys.readouterr().out), written.exists() and written.read_bytes())
        )
        written.unlink(missing_ok=True)
    assert found[0] == found[1]


@pytest.mark.parametrize("given", [None, "2"])
def test_all_cores_unless_said(given: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    work = __import__("hardlimit.cli.commands.train.run", fromlist=["run"])
    monkeypatch.setattr(work, "run", lambda options: heard.append(workers.count_workers(None)))
    assert main(["train", "x", "-o", "m", *(["--jobs", given] if given else [])]) == 0
    assert heard == [int(given) if given else workers.count_cores()]
    assert workers.count_workers(None) == 1, "and afterwards as before"


def test_no_cores(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "x", "-o", "m", "--jobs", "0"]) == 2
    assert "0 is not in the range" in capsys.readouterr().err
