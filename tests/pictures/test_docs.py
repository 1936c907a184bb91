"""docs/pictures.md: every picture has its place, the code beside it runs, and the rest is so."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from hardlimit import pictures

PAGE = Path(__file__).parents[2] / "docs" / "pictures.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```\{picture\} (\w+)\n(.*?)```", TEXT, re.S)


def test_every_picture_is_shown():
    assert {name for name, _ in BLOCKS} == set(pictures.names())


def test_the_code_makes_the_pictures_that_are_named():
    session = {}
    for name, code in BLOCKS:
        exec(compile(code, f"{PAGE.name}: {name}", "exec"), session)
        assert session["picture"].name == name
        assert len(session["picture"].description) < 250


def test_the_python_of_the_page_runs():
    session = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.S))
    test = doctest.DocTestParser().get_doctest(session, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.attempted >= 5 and result.failed == 0, "".join(said)


@pytest.mark.parametrize("name", pictures.names())
def test_a_picture_says_what_it_needs(name):
    said = getattr(pictures, name).__doc__
    assert ">>> " in said and "Parameters\n" in said
    assert len(said.splitlines()[0]) <= 100
