"""Several files, and patterns, as the input of a command."""

import json

import pytest

from hardlimit.cli import main


@pytest.fixture
def said(capsys):
    def run(*words, code=0):
        capsys.readouterr()
        assert main(list(map(str, words))) == code
        return capsys.readouterr()

    return run


@pytest.fixture
def parts(tmp_path):
    rows = ["win a prize,spam", "lunch at noon,ham", "cash prize now,spam", "see you at noon,ham"]
    for name, part in (("a.csv", rows[:2]), ("b.csv", rows[2:]), ("all.csv", rows)):
        (tmp_path / name).write_text("text,label\n" + "\n".join(part) + "\n")
    return tmp_path


def test_training_on_parts_is_training_on_all(parts, said, monkeypatch):
    monkeypatch.chdir(parts)
    said("train", "all.csv", "-o", "whole")
    out = said("train", "[ab].csv", "-o", "joined").out
    assert "a.csv and 1 more file" in out and "4 in 2 classes" in out
    texts = "win cash\nat noon\n"
    (parts / "t.txt").write_text(texts)
    assert said("predict", "whole", "t.txt").out == said("predict", "joined", "t.txt").out
    found = json.loads(said("inspect", "joined", "--json").out)["training_files"]
    assert found["n"] == 1 and found["last"][0]["files"] == 2
    assert "in 2 files" in said("inspect", "joined").out
    assert "4, of which 4 correct" in said("evaluate", "joined", "a.csv", "b.csv").out


def test_answers_to_several_files_name_them(parts, said, monkeypatch):
    monkeypatch.chdir(parts)
    said("train", "all.csv", "-o", "m")
    lines = said("predict", "m", "a.csv", "b.csv").out.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [
        ["a.csv", "spam"],
        ["a.csv", "ham"],
        ["b.csv", "spam"],
        ["b.csv", "ham"],
    ]
    found = json.loads(said("predict", "m", "a.csv", "b.csv", "--json").out.splitlines()[2])
    assert found["file"] == "b.csv" and found["label"] == "spam"
    assert (
        "-o writes the rows of one file"
        in said("predict", "m", "a.csv", "b.csv", "-o", "x.csv", code=2).err
    )
    assert "would overwrite" in said("train", "a.csv", "b.csv", "-o", "b.csv", code=2).err


def test_numbers_from_several_files(tmp_path, said, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("p,q,y\n1,0,u\n0,1,v\n")
    (tmp_path / "b.csv").write_text("q,p,y\n0,2,u\n3,0,v\n")
    said("train", "a.csv", "b.csv", "--format", "numeric-csv", "-o", "m")
    lines = said("predict", "m", "a.csv", "b.csv").out.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [
        ["a.csv", "u"],
        ["a.csv", "v"],
        ["b.csv", "u"],
        ["b.csv", "v"],
    ]
    assert "4, of which 4 correct" in said("evaluate", "m", "*.csv").out
    (tmp_path / "b.csv").write_text("q,p,y\n-1,2,u\n3,0,v\n")
    words = ("train", "a.csv", "b.csv", "--format", "numeric-csv", "--rule", "winnow-1", "-o", "n")
    assert "b.csv:2: column 'q'" in said(*words, code=1).err


def test_patterns_and_names_that_mean_nothing(parts, said, monkeypatch):
    monkeypatch.chdir(parts)
    assert "no file matches 'x*.csv'" in said("train", "x*.csv", "-o", "m", code=2).err
    assert "a.csv is named twice" in said("train", "a.csv", "*.csv", "-o", "m", code=2).err
    assert "standard input" in said("train", "a.csv", "-", "-o", "m", code=2).err
    (parts / "a[1].csv").write_text("text,label\nlunch,ham\nprize,spam\n")
    assert "2 in 2 classes" in said("train", "a[1].csv", "-o", "m").out
