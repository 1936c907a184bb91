"""docs/textbook.md: its Python runs, its tables and commands are what comes out."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from hardlimit import textbook

PAGE = Path(__file__).parents[2] / "docs" / "textbook.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.S)


def test_the_python_of_the_page_runs():
    """All blocks as one session, in their order."""
    session = "\n".join(code for language, code in BLOCKS if language == "python")
    flags = doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(session, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert result.attempted > 20
    assert result.failed == 0, "".join(said)


CONSOLE = [code for language, code in BLOCKS if language == "console"]


@pytest.mark.parametrize("block", CONSOLE, ids=range(len(CONSOLE)))
def test_the_commands_print_what_stands_there(block, tmp_path, monkeypatch, hardlimit_main):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("points.csv").write_text("x1,x2,t\n-1,-1,-1\n1,-1,1\n-1,1,1\n1,1,1\n")
    first, _, expected = block.partition("\n")
    words = shlex.split(first.removeprefix("$ "))
    assert words[0] == "hardlimit"
    assert hardlimit_main(words[1:]) == expected


@pytest.fixture
def hardlimit_main(capsys):
    from hardlimit.cli import main

    def run(words):
        assert main(words) == 0
        return capsys.readouterr().out

    return run


def test_the_page_names_every_algorithm():
    for name in textbook.__all__:
        if name[0].islower():
            assert re.search(rf"\b{name}\b", TEXT), name
