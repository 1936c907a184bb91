"""The examples of the documents run, and their commands are understood."""

import re
import shlex
from pathlib import Path

import pytest

from hardlimit.cli import commands

ROOT = Path(__file__).parents[1]
DOCUMENTS = ["README.md", "docs/choices.md", "docs/textbook.md"]
README = (ROOT / "README.md").read_text()


def told(document):
    """The commands of a document, their continued lines joined."""
    text = (ROOT / document).read_text().replace("\\\n", " ")
    found = re.findall(r"^\$ (?:.*\| )?hardlimit (.*)$", text, re.M)
    return [shlex.split(line, comments=True) for line in found]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_commands_are_understood(document):
    for name, *words in told(document):
        commands.load(name).make_context(name, [*words])  # an unknown option would raise


def test_there_are_commands_to_understand():
    assert len(told("README.md")) >= 8


def test_the_examples_in_python_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.5, 2.0], [3.0, 0.0], [0.0, 3.0]]
    y = ["no", "yes", "yes", "no", "yes", "no"]
    texts = ["win a prize", "lunch at noon", "a prize to win", "see you at lunch"]
    names = {"texts": texts, "labels": ["spam", "ham"] * 2, "X": X, "y": y, "X_new": X, "y_new": y}
    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(blocks) >= 2
    for block in blocks:
        exec(block, names)
    assert names["minover"].stop_reason_ == "margin_reached"
    assert set(names["clf"].validation_scores_) >= {"voted", "pocket", "averaged"}
