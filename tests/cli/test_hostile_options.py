"""Every option of every command is given values that mean nothing: by discovery.

Whatever comes, the command does its work (0), or says in a sentence what is wrong with the data (1)
or the command line (2). No traceback, no hang.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from hardlimit.cli import commands

from ..forking import Server
from .test_streams import RUNS as ENDING

# A service would run on: this address is nobody's, so that it ends where all else is as it should.
RUNS = ENDING | {"serve": ["MODEL", "--host", "192.0.2.1"]}
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
SECONDS = 60  # a run takes milliseconds
HOSTILE: dict[str, str] = {
    "nan": "nan",
    "infinite": "inf",
    "negative": "-1",
    "zero": "0",
    "half": "0.5",
    "overflow": "1e400",
    "huge": "1" + "0" * 30,
    "many digits": "1" * 5000,
    "long": "x" * 100_000,
    "empty": "",
    "space": " ",
    "line break": "a\nb",
    "word": "no such name",
    "not UTF-8": os.fsdecode(b"\xff\xfe"),
    "zero byte": "a\0b",
    "direction": "\u202eabc",
    "equation": "a=b=c",
    "number's name": "C=nan",
    "list": "[[1, [2]]]",
    "object": '{"a": {}}',
    "deep": "[" * 3000,
    "dash": "-",
    "root": "/",
    "here": ".",
    "no folder": "nowhere/file",
}
# Read where the fork server runs: main answers again and again in one process.
CODE = """
import json, os, signal, sys
from hardlimit.cli import main
os.chdir({folder!r})
with open({log!r}, "a", buffering=1) as lines:
    for words in {runs!r}:
        lines.write(json.dumps([words]) + "\\n")
        for number in (1, 2):
            os.ftruncate(number, 0)
            os.lseek(number, 0, os.SEEK_SET)
        signal.alarm({seconds})
        status = main(words)
        signal.alarm(0)
        sys.stdout.flush()
        sys.stderr.flush()
        with open({err!r}, errors="replace") as said:
            lines.write(json.dumps([words, status, said.read()]) + "\\n")
"""


class Runner:
    """Runs commands with options in a folder of their own."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        for name, words in INPUTS.items():
            done = server.run(*[self.place(word) for word in words], "-o", self.place(name))
            assert done.code == 0, done

    def place(self, word: str) -> str:
        """Make a path of what stands for one."""
        for name, text in TEXTS.items():
            if word == name and not (self.folder / name).exists():
                (self.folder / name).write_text(text)
        return str(self.folder / word) if word in (*TEXTS, *INPUTS, "OUTPUT") else word

    def wrong(self, runs: list[list[str]]) -> list[str]:
        """Return what went wrong in these runs."""
        log, err, found = self.folder / "log", self.folder / "err", []
        while runs:
            log.write_text("")
            err.write_text("")
            code = CODE.format(
                folder=str(self.folder), log=str(log), err=str(err), runs=runs, seconds=SECONDS
            )
            done = self.server.run(code=code, stderr=err)
            lines = [json.loads(line) for line in log.read_text().splitlines()]
            ended = [line for line in lines if len(line) > 1]
            found += [text for line in ended for text in self.check(*line)]
            runs = runs[len(ended) :]
            if runs:  # the process did not come to the end of this one
                found.append(f"{shortened(runs.pop(0))}: ended with {done.code}: {done.err[-300:]}")
        return found

    def check(self, words: list[str], status: int, said: str) -> Iterator[str]:
        """What holds after each run."""
        unexpected = [part for part in ("Traceback", "unexpected", "Errno") if part in said]
        if status not in (0, 1, 2) or unexpected or (status and "rror: " not in said):
            yield f"{shortened(words)}: {status}: {said[-300:]!r}"
        elif len(said) > 5000:
            yield f"{shortened(words)}: {len(said)} characters: {said[:100]!r}"


TEXTS = {
    "TEXTS": "id,message,folder\n"
    + "".join(f"{i},win a prize {i},spam\n{i},see you later {i},ham\n" for i in range(6)),
    "NUMBERS": "+1 1:1 2:2\n+1 2:1\n-1 1:-1\n-1 2:-2\n",
}
INPUTS = {"MODEL": ["train", "TEXTS", "--text", "message", "--label", "folder"]}


def shortened(words: list[str]) -> str:
    return " ".join(repr(word if len(word) < 60 else word[:20] + "...") for word in words)


def given(name: str, parameter: click.Parameter, value: str) -> list[str]:
    """The words of a usual run in which this parameter has this value."""
    words = [name, *RUNS[name]]
    if isinstance(parameter, click.Option):
        for option in parameter.opts:
            if option in words:
                place = words.index(option)
                del words[place : place + 2]
        return [*words, parameter.opts[-1], value]
    arguments = [p for p in commands.load(name).params if isinstance(p, click.Argument)]
    place = 1 + arguments.index(parameter)
    first = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
    return [*words[:place], value, *words[place + (place < first) :]]


def parameters() -> list[Any]:
    found = []
    for name in commands.names():
        for parameter in commands.load(name).params:
            if not getattr(parameter, "is_flag", False):
                found.append((name, parameter))
    return found


ALL = parameters()
NAMES = [f"{name} {parameter.opts[-1]}" for name, parameter in ALL]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with Server(tmp_path_factory.mktemp("server")) as server:
        yield Runner(server, tmp_path_factory.mktemp("work"))


def all_runs(runner: Runner, name: str, parameter: click.Parameter) -> list[list[str]]:
    words = [given(name, parameter, value) for value in HOSTILE.values()]
    return [[runner.place(word) for word in each] for each in words]


def test_a_sample(runner: Runner) -> None:
    runs = [
        all_runs(runner, name, parameter)[number % len(HOSTILE)]
        for number, (name, parameter) in enumerate(ALL)
        if name != "demo"  # it trains for seconds
    ]
    assert len(runs) > 80
    assert not (wrong := runner.wrong(runs)), "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameter"), ALL, ids=NAMES)
def test_every_value(name: str, parameter: click.Parameter, runner: Runner) -> None:
    wrong = runner.wrong(all_runs(runner, name, parameter))
    assert not wrong, "\n".join(wrong)
