"""Where memory ends, each command says what helps there."""

from __future__ import annotations

import click
import pytest

from hardlimit.cli import commands, main
from hardlimit.cli.command import Command

from .test_contract import words_for


@pytest.mark.parametrize("name", commands.names())
def test_each_command_says_what_helps(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run_out(self: Command, ctx: click.Context) -> None:
        raise MemoryError("std::bad_alloc")

    monkeypatch.setattr(Command, "invoke", run_out)
    assert main([name, *words_for(commands.load(name), "folder")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: out of memory: ") and said.count("\n") == 1
    assert "bad_alloc" not in said
    assert name in ("demo", "key", "rules") or name in said or "with a smaller model" in said
    assert ("train on fewer rows" in said) == (name == "train")
