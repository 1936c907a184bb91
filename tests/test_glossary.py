"""The glossary keeps its promise: a term has one meaning, and what it rules out occurs nowhere."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
FILES = [
    *(ROOT / "src").rglob("*.py"),
    *(
        path
        for path in (ROOT / "docs").rglob("*.md")
        if not {"_build", "generated"} & {*path.parts}
    ),
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
]
# A second meaning is written behind the first: "...; of a stream, ...", "...; also ...".
SECOND_MEANING = re.compile(
    r"; (?:also|of (?:a|an|the|several) \w+,|in (?:a|an) \w+, (?:a|an|the)) "
)


def tables(page: str) -> list[tuple[str, list[list[str]]]]:
    """Return the head of each table, and its rows as cells without marks of code."""
    found: list[tuple[str, list[list[str]]]] = []
    for table in re.findall(r"(?:^\|.*\n)+", page, re.M):
        head, _, *rows = table.splitlines()
        cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
        found.append((head, cells))
    return found


TABLES = tables(GLOSSARY.read_text())
TERMS = [rows for head, rows in TABLES if head == "| term | meaning |"]
RULED_OUT = {
    row[0].replace("`", ""): row[1]
    for head, rows in TABLES
    if head == "| not | but |"
    for row in rows
}


def second_meanings(groups: list[list[list[str]]]) -> list[str]:
    """Return what breaks the promise: terms that occur twice, or whose meaning has an "also"."""
    rows = [row for group in groups for row in group]
    terms = Counter(term.replace("`", "") for row in rows for term in row[0].split(", "))
    twice = [term for term, number in terms.items() if number > 1]
    # "guard of a live model" beside "guard": the second meaning has a row of its own.
    split = [term for term in terms if " of " in term and term.partition(" of ")[0] in terms]
    also = [row[0] for row in rows if SECOND_MEANING.search(" | ".join(row[1:]))]
    return twice + split + also


def uses(word: str, text: str) -> list[str]:
    """Return where a word occurs in a text, also over the end of a line, and in any case."""
    found = r"[\s-]+".join(map(re.escape, word.split()))
    return [hit[0] for hit in re.finditer(rf"\b{found}\b", joined(text), re.I)]


@cache
def joined(text: str) -> str:
    """Return a text without ends of lines, marks of comments and marks of code."""
    return re.sub(r"\s*\n[\s#\"]*", " ", text).replace("`", "")


def test_each_term_has_one_meaning():
    assert sum(map(len, TERMS)) > 100
    assert second_meanings(TERMS) == []


def test_terms_are_sorted_within_each_group():
    for group in TERMS:
        terms = [re.sub("[`_]", "", row[0]).casefold() for row in group]
        assert terms == sorted(terms)


@pytest.mark.parametrize("word", RULED_OUT)
def test_a_word_that_is_ruled_out_occurs_nowhere(word):
    where = [
        f"{path.relative_to(ROOT)}: {hit!r}, say: {RULED_OUT[word]}"
        for path in FILES
        if path != GLOSSARY
        for hit in uses(word, path.read_text())
    ]
    assert not where, where


@pytest.mark.parametrize(
    "row",
    [
        ["guard", "a text"],
        ["guard of a live model", "a text that no correction may flip"],
        ["batch run", "some rows; of a stream, those of a block"],
        ["batch run", "some rows; also the order of these"],
    ],
)
def test_a_second_meaning_is_found(row):
    assert second_meanings([*TERMS, [row]])


def test_a_use_is_found_over_the_end_of_a_line():
    assert uses("mixed weights", "the mixed\n    # weights of shards")
    assert uses("learned", "Learned") and not uses("learned", "unlearned or `relearned_`")
