"""The repository itself: nothing unfinished, no path of a machine, no file too long to read."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ["src", "native", "tests", "docs", "benchmarks", "examples", ".ci"]
TEXT = {".py", ".pyi", ".cpp", ".hpp", ".sh", ".md", ".toml", ".txt", ".cmake", ""}
GENERATED = {"unicode_tables.hpp", "_native.pyi", "RESULTS.md"}
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|Users|work|mnt)/\w")


def texts():
    found = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    for folder in FOLDERS:
        found += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    skipped = {"hostile", "golden", "__pycache__", "_build", "generated"}
    return sorted(
        path
        for path in found
        if path.suffix in TEXT and not skipped & set(path.relative_to(ROOT).parts)
    )


@pytest.mark.parametrize("path", texts(), ids=lambda path: str(path.relative_to(ROOT)))
def test_text(path):
    text = path.read_text(encoding="utf-8")
    assert not UNFINISHED.search(text)
    assert not MACHINE_PATH.search(text)
    assert text.endswith("\n") or not text
    if path.name not in GENERATED:
        assert text.count("\n") <= 500


def test_the_patterns_can_fail():
    assert UNFINISHED.search("# TO" + "DO: later")
    assert MACHINE_PATH.search('open("/ho' + 'me/me/data.csv")')
    assert not MACHINE_PATH.search("https://example.org/home/page ../work/data")
