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


ODD = {
    "odd.csv": ("text,label\n", "one cell\n\nit is late,\n", "so it is {},{}\n"),
    "sets.csv": ("text,tags\n", "nothing {0},\ntwice {0},a|a\n\n", "so it is {},{}|b\n"),
    "odd.svm": ("", "one qid:3 1:1\n1 qid:3 1:2\n1 1:x\n", "{1} qid:3 1:{0}\n"),
    "numbers.csv": ("x,y,label\n", "1,2\n3,x,1\n", "{},2,{}\n"),
}


@pytest.mark.parametrize("name", ODD)
def test_several_shards_say_of_a_file_what_is_said_of_all_of_it(name, tmp_path, capsys):
    head, odd, row = ODD[name]
    rows = [row.format(number, number % 2) for number in range(20)]
    path = tmp_path / name
    path.write_text("".join([head, *rows[:8], odd.format(1), *rows[8:], odd.format(2)]))
    words = ["--labels-separator", "|"] if name == "sets.csv" else ["--skip-bad"]
    if name == "numbers.csv":
        words += ["--format", "numeric-csv"]
    said = []
    for way in ([], ["--cluster", "threads:2", "--shards", "3"]):
        output = ["-o", str(tmp_path / "m"), "--epochs", "3"]
        assert main(["train", str(path), *output, *words, *way]) == 0
        notes = capsys.readouterr().err.splitlines()
        said.append([note for note in notes if note.startswith(f"note: {path}")])
    assert said[0] == said[1] != []


def test_columns_of_labels_of_a_file_that_cannot_be_cut(tmp_path):
    rows = "".join(f"{n},{n % 5},{n % 2},{int(n > 20)}\n" for n in range(40))
    names = "".join(f"@attribute {name} numeric\n" for name in "xyab")
    for part in ("one", "two"):
        (tmp_path / f"{part}.arff").write_text(f"@relation r\n{names}@data\n{rows}")
    files = [str(tmp_path / f"{part}.arff") for part in ("one", "two")]
    models = []
    for way in ([], ["--cluster", "threads:2", "--shards", "1"]):
        output = tmp_path / "model"
        words = ["--label", "a,b", "--epochs", "3", "-o", str(output), *way]
        assert main(["train", *files, *words]) == 0
        models.append(output.read_bytes())
    assert models[0] == models[1]


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
