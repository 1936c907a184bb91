"""Nothing speaks of "1 rows": every command, on files in which everything comes once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardlimit.cli import main

SINGULAR = r"(?<![\d.,/=-])1 (?:more |new |other |wrong |held-out |training |labelled )?(\w+s)\b"
# Words that end in s and are no plural.
FINE = {"class", "is", "has", "was", "address", "does", "this", "as", "its", "pass", "analysis"}
DOUBLED = re.compile(r"[.,;:]\s*;|;\s*[.,]|\.\s*,|,,|\?\.|\.\.(?!\.)(?<!\.\.\.)")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tables = {
        "texts.csv": "text,label\nwin a prize,spam\nlunch at noon,ham\n",
        "one.csv": "text,label\nwin,spam\n",
        "wrong.csv": "text,label\nwin a prize,ham\n",
        "unknown.csv": "text,label\nzzz,spam\n",
        "new.csv": "text\nzzz\n",
        "twice.csv": "text,label\nwin,spam\nwin,spam\nlunch,ham\n",
        "missing.csv": "text,label\nwin,spam\nlunch,\n",
        "points.csv": "x,label\n0,no\n1,yes\n",
        "flat.csv": "x,label\n1,no\n1,yes\n",
        "same.csv": "x,label\n1,no\n",
        "ragged.csv": "x,y,label\n1,2,no\n1\n",
    }
    for name, text in tables.items():
        (tmp_path / name).write_text(text)
    assert main(["train", "texts.csv", "-o", "m"]) == 0
    assert main(["train", "points.csv", "--format", "numeric-csv", "-o", "n"]) == 0
    return tmp_path


COMMANDS = [
    "train texts.csv -o o --epochs 1",
    "train texts.csv -o o --max-false-positive 0.5",
    "train twice.csv -o o --holdout 0.3 --keep all",
    "train one.csv -o o",
    "train missing.csv -o o",
    "train ragged.csv -o o",
    "train same.csv -o o",
    "train points.csv --format numeric-csv -o o --epochs 1 --until separated",
    "train flat.csv --format numeric-csv -o o --epochs 1 --rule margin-perceptron",
    "train one.csv --train-from m -o o",
    "train texts.csv -o o --rule pa",
    "train texts.csv -o o --order batc",
    "train texts.csv -o o --readout avrage",
    "train texts.csv -o o --schedule constan",
    "train texts.csv -o o --keep lst",
    "train texts.csv -o o --features word=1",
    "trian texts.csv -o o",
    "evaluate m one.csv",
    "evaluate m wrong.csv",
    "evaluate m unknown.csv",
    "evaluate n same.csv",
    "predict m new.csv",
    "predict m new.csv -o out.csv",
    "explain m win",
    "explain m win --top 1",
    "explain m zzz",
    "inspect m --top 1",
    "inspect m --distances one.csv",
    "inspect n --distances same.csv",
    "report m one.csv -o r.html",
    "report m wrong.csv --train one.csv -o -",
    "report n same.csv -o -",
    "certify points.csv -o p",
    "certify flat.csv -o p",
    "certify same.csv -o p",
    "certify texts.csv -o p",
    "margin flat.csv --weights 1,1",
    "margin points.csv --weights 1 --bias none",
    "trace points.csv --epochs 1",
    "trace flat.csv --epochs 1",
    "trace same.csv",
    "rules pa",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_one_thing_is_named_in_the_singular(
    command: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    main(command.split())
    said = capsys.readouterr()
    # Of a page of HTML what is read, without marks and style.
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", said.out + said.err, flags=re.S)
    found = [m[0] for m in re.finditer(SINGULAR, text) if m[1] not in FINE]
    assert not found, (found, text)
    assert not DOUBLED.search(said.err), said.err


def test_the_label_of_one_text_is_its_own(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "m", "unknown.csv"]) == 0
    assert "1 text has no term that the model knows: its label" in capsys.readouterr().err
