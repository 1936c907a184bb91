"""Words that made readers stop, and do not come back: in sources, pages and messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [
    *(ROOT / "src").rglob("*.py"),
    *(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts),
    *ROOT.glob("*.md"),
]
# What stood there, and what a reader understands.
PHRASES = {
    r"answered rightly": "correct",
    r"95 % sure to lie": "95 % confidence interval",
    r"texts? appeared before": "repeats an earlier one",
    r"places? (?:was|were) no UTF-8": "bytes are not valid UTF-8",
    r"so often has a positive": "the probability that a positive ... scores higher",
    r"asked before fit": "not fitted yet: call fit first",
    r"is of kind (?:float|int|str)": "is a float",
    r"may pass by": "may overshoot",
    r"the reason and the mend|\bmends? (?:it|them|the|this|that)\b": "what to do instead; fix",
    r"[Hh]old this class against": "Test this class against the rest",
    r"A page on a model": "Model report",
    r"What was taken for what": "Confusion matrix",
    r"What speaks for each class": "Most telling terms of each class",
    r"stands? there twice": "occurs twice",
    r"is no (?:regular file|member of it)": "is not a regular file",
    r"tell all of one": "explain one",
}


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_replaced_phrase_does_not_come_back(phrase: str) -> None:
    found = re.compile(phrase)
    where = [
        f"{path.relative_to(ROOT)}: {hit[0]!r}, say: {PHRASES[phrase]}"
        for path in FILES
        # A phrase may be broken at the end of a line, also of a comment or a string.
        for hit in found.finditer(re.sub(r"\s*\n[\s#\"]*", " ", path.read_text()))
    ]
    assert not where, where
