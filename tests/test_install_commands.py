"""The commands that install the package work as they stand, in its folder."""

import re
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PAGES = [
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    *sorted((PROJECT / "docs").glob("**/*.md")),
    *sorted(path for path in (PROJECT / "deploy").rglob("*") if path.is_file()),
]
# What is installed, with the folder "." or the name of the package before the extras.
INSTALLED = re.compile(r"""pip install [^`\n]*?(\.|hardlimit)\[([a-z0-9,-]+)\]""")
# A block of a page, and a comment at the head of a file of deploy/: typed as they stand.
TYPED = re.compile(r"^```.*?^```|^#   .*?$", re.M | re.S)


def extras():
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    return set(settings["project"]["optional-dependencies"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_the_commands_name_what_is_there(page):
    text = page.read_text(encoding="utf-8")
    for _, names in INSTALLED.findall(text):
        assert set(names.split(",")) <= extras()
    for block in TYPED.findall(text):
        for source, names in INSTALLED.findall(block):
            assert source == ".", f"hardlimit[{names}] is found only once hardlimit is installed"
