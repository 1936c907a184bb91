"""Standard input of a training that goes through its rows again."""

import os

from tests import matrix

TABLE = (*matrix.TABLE, *matrix.LABEL, "--format", "csv", "--stream", "-o", "m", "--json")


def test_lines_of_the_copy_are_those_of_standard_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    rows = [*matrix.make_rows("b"), ("old", "x", "a note", "good")]
    matrix.write_rows(tmp_path / "b.csv", "b", rows)
    done = matrix.run("train", "-", *TABLE, given="b.csv")
    assert done.code == 1 and "standard input:62" in done.sentence
    assert str(tmp_path) not in done.said
    assert os.listdir(tmp_path) == ["b.csv"]  # the copy is gone


def test_a_folder_that_holds_no_copy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matrix.write_rows(tmp_path / "b.csv", "b", matrix.make_rows("b"))
    monkeypatch.setattr("tempfile.tempdir", "/dev/null/none")
    done = matrix.run("train", "-", *TABLE, given="b.csv")
    assert done.code == 1
    assert "/dev/null/none: temporary files cannot be written" in done.sentence
    assert "TMPDIR" in done.sentence


def test_a_checkpoint_of_shards_wants_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matrix.write_rows(tmp_path / "t.csv", "t", matrix.make_rows("t"))
    words = ("--cluster", "threads:1", "--checkpoint", "kept", "--format", "csv", "-o", "m")
    done = matrix.run("train", "-", *words, given="t.csv")
    assert done.code == 2 and "standard input has no name" in done.sentence
