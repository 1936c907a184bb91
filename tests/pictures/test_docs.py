"""docs/pictures.md: every picture has its place, and the code beside it makes it."""

from __future__ import annotations

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


@pytest.mark.parametrize("name", pictures.names())
def test_a_picture_says_what_it_needs(name):
    said = getattr(pictures, name).__doc__
    assert ">>> " in said and "Parameters\n" in said
    assert len(said.splitlines()[0]) <= 100
