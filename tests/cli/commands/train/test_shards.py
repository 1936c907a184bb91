"""``hardlimit train --shards``: parts of the rows that learn side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardlimit import TextClassifier, load
from hardlimit.cli import main

from ...conftest import messages, write_csv

COLUMNS = ("--text", "message", "--label", "folder")


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    path = tmp_path / "mails.csv"
    write_csv(path, messages(60))
    return path


def train(mails: Path, output: Path, *words: str) -> int:
    return main(["train", str(mails), *COLUMNS, "-o", str(output), *words])


def test_the_model_is_that_of_python_whatever_the_number_of_threads(mails, tmp_path):
    files = []
    for jobs in ("1", "2"):
        path = tmp_path / f"of-{jobs}"
        assert train(mails, path, "--shards", "4", "--mixing", "mistakes", "--jobs", jobs) == 0
        files.append(path.read_bytes())
    assert files[0] == files[1]
    model = load(tmp_path / "of-1")
    assert isinstance(model, TextClassifier)
    assert (model.shards, model.mixing) == (4, "mistakes")
    assert train(mails, tmp_path / "one", "--shards", "1") == 0
    assert train(mails, tmp_path / "ordinary") == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "ordinary").read_bytes() != files[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--shards", "0"), "--shards"),
        (("--mixing", "uniform"), "--mixing goes with several --shards"),
        (("--shards", "2", "--rule", "arow"), "keeps a covariance"),
        (("--shards", "2", "--order", "batch", "--rule", "perceptron"), "looks at all rows"),
        (("--shards", "5000"), "a shard would be empty"),
    ],
)
def test_refusals(mails, tmp_path, capsys, words, message):
    assert train(mails, tmp_path / "model", *words) != 0
    assert message in capsys.readouterr().err
