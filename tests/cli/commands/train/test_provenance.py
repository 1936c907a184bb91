"""A model file says where it comes from, and the same input gives the same bytes."""

import bz2
import gzip
import hashlib
import importlib
import json
import lzma
import os
import sys
import threading

import pytest

import hardlimit as hl
from hardlimit.cli import main

from ....making import said

ROWS = "text,label\nwin a prize,spam\nlunch at noon,ham\n"


def test_inspect_shows_version_digest_and_note(tmp_path, capsys):
    source, model = tmp_path / "a.csv", tmp_path / "m"
    source.write_text(ROWS)
    said(capsys, "train", source, "-o", model, "--note", "first try\x1b")
    digest = hashlib.sha256(ROWS.encode()).hexdigest()
    printed = said(capsys, "inspect", model)
    assert f"hardlimit {hl.__version__}" in printed and "first try\\x1b" in printed
    assert digest[:20] in printed
    found = json.loads(said(capsys, "inspect", model, "--json"))
    assert found["training_files"] == {"n": 1, "last": [{"sha256": digest, "bytes": len(ROWS)}]}
    assert found["note"] == "first try\x1b"
    assert hl.load(model).metadata["note"] == "first try\x1b"


def test_the_same_input_gives_the_same_bytes_wherever_it_lies(tmp_path, capsys):
    models = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.csv").write_text(ROWS)
        said(capsys, "train", tmp_path / name / f"{name}.csv", "-o", tmp_path / name / "m")
        models.append((tmp_path / name / "m").read_bytes())
    assert models[0] == models[1]
    (tmp_path / "a" / "a.csv").write_text(ROWS + "\n")  # read as the same rows
    said(capsys, "train", tmp_path / "a" / "a.csv", "-o", tmp_path / "a" / "m")
    assert (tmp_path / "a" / "m").read_bytes() != models[0]


def test_a_continued_model_names_all_its_files(tmp_path, capsys):
    model = tmp_path / "m"
    digests = []
    for number in range(25):
        rows = f"text,label\nwin {number},spam\nlunch {number},ham\n"
        (tmp_path / "a.csv").write_text(rows)
        digests.append(hashlib.sha256(rows.encode()).hexdigest())
        earlier = ["--train-from", model] if number else ["--note", "kept"]
        said(capsys, "train", tmp_path / "a.csv", "-o", model, *earlier)
    found = json.loads(said(capsys, "inspect", model, "--json"))
    assert found["training_files"]["n"] == 25 and found["note"] == "kept"
    assert [one["sha256"] for one in found["training_files"]["last"]] == digests[-20:]
    assert "and 24 earlier files" in " ".join(said(capsys, "inspect", model).split())


@pytest.mark.parametrize("changed", ["name", "content"])
def test_the_digest_of_a_folder_is_that_of_all_its_files(changed, tmp_path, capsys):
    def trained():
        said(capsys, "train", tmp_path / "texts", "-o", tmp_path / "m")
        found = json.loads(said(capsys, "inspect", tmp_path / "m", "--json"))
        return found["training_files"]["last"][0]

    for label, text in (("ham", "lunch at noon"), ("spam", "win a prize")):
        (tmp_path / "texts" / label).mkdir(parents=True)
        (tmp_path / "texts" / label / "1.txt").write_text(text)
    first = trained()
    assert first == trained() and first["bytes"] == 24
    file = tmp_path / "texts" / "ham" / "1.txt"
    file.rename(file.with_name("2.txt")) if changed == "name" else file.write_text("lunch")
    assert trained()["sha256"] != first["sha256"]


def test_a_model_of_python_says_its_version(tmp_path, capsys):
    clf = hl.LinearClassifier().fit([[0.0], [1.0]], [0, 1])
    clf.metadata["note"] = "by hand"
    clf.save(tmp_path / "m")
    found = json.loads(said(capsys, "inspect", tmp_path / "m", "--json"))
    assert found["written_by"] == f"hardlimit {hl.__version__}"
    assert (found["note"], found["training_files"]) == ("by hand", None)


def piped(capsys, monkeypatch, content, *words):
    """Train on standard input, one byte block after the other as from a slow pipe."""
    reading, writing = os.pipe()
    writer = threading.Thread(target=_write_slowly, args=(writing, content))
    writer.start()
    with open(reading, encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        said(capsys, "train", "-", *words)
        assert sys.stdin is stream and not stream.closed
    writer.join()


def _write_slowly(descriptor, content):
    with open(descriptor, "wb") as pipe:
        for begin in range(0, len(content), 97):
            pipe.write(content[begin : begin + 97])
            pipe.flush()


MANY = ROWS + "".join(f"win {n} now,spam\nlunch {n},ham\n" for n in range(40))
PACKED = {"plain": lambda data: data, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("kind", PACKED)
def test_a_pipe_and_a_file_of_the_same_bytes_give_the_same_model(
    kind, tmp_path, capsys, monkeypatch
):
    content = PACKED[kind](MANY.encode())
    source = tmp_path / ("a.csv" if kind == "plain" else f"a.csv.{kind}")
    source.write_bytes(content)
    said(capsys, "train", source, "-o", tmp_path / "file")
    piped(capsys, monkeypatch, content, "-o", tmp_path / "pipe", "--format", "csv")
    found = hl.load(tmp_path / "pipe").metadata["training_files"]["last"][0]
    assert found == {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    assert (tmp_path / "pipe").read_bytes() == (tmp_path / "file").read_bytes()


def test_of_numbers_and_of_several_files_too(tmp_path, capsys, monkeypatch):
    rows = "x,y,label\n1,2,a\n3,1,b\n0,1,a\n4,0,b\n"
    (tmp_path / "n.csv").write_text(rows)
    said(capsys, "train", tmp_path / "n.csv", "-o", tmp_path / "file", "--label", "label")
    more = ("--label", "label", "--format", "numeric-csv")
    piped(capsys, monkeypatch, rows.encode(), "-o", tmp_path / "pipe", *more)
    assert (tmp_path / "pipe").read_bytes() == (tmp_path / "file").read_bytes()
    svm = b"+1 1:1 2:2\n-1 1:3\n+1 2:1\n"
    (tmp_path / "n.svm").write_bytes(svm)
    more = ("--format", "svmlight")
    said(capsys, "train", tmp_path / "n.svm", "-o", tmp_path / "file", *more)
    piped(capsys, monkeypatch, svm, "-o", tmp_path / "pipe", *more)
    assert (tmp_path / "pipe").read_bytes() == (tmp_path / "file").read_bytes()


@pytest.mark.parametrize("way", [(), ("--stream",)], ids=["memory", "stream"])
def test_a_training_that_is_interrupted_while_it_is_measured_counts_once(
    way, tmp_path, monkeypatch
):
    def interrupt(job, progress):
        raise KeyboardInterrupt

    source, model = tmp_path / "a.csv", tmp_path / "m"
    source.write_text("text,label\n" + "".join(f"win {n},spam\nlunch {n},ham\n" for n in range(40)))
    work = importlib.import_module("hardlimit.cli.commands.train.run")
    monkeypatch.setattr(work, "_measure", interrupt)
    words = ["train", str(source), "-o", str(model), "--holdout", "0.25", *way]
    assert main(words) == 130
    metadata = hl.load(model).metadata
    assert metadata["training_files"]["n"] == 1
    counts = dict(metadata["counts"])
    assert set(counts) == {"ham", "spam"} and 40 < sum(counts.values()) < 80


@pytest.mark.parametrize("way", [[], ["--stream"], ["--cluster", "threads:2"]], ids=str)
def test_the_baseline_of_held_out_rows_is_what_was_frequent_in_training(way, tmp_path, capsys):
    # Of equally frequent classes, most held-out rows of a stream are of one that training lacks.
    rows = "".join(f"{word} {n},{word}\n" for n in range(40) for word in ("lunch", "prize", "ball"))
    (tmp_path / "a.csv").write_text("text,label\n" + rows)
    train = "train", tmp_path / "a.csv", "-o", tmp_path / "m", "--holdout", "0.2"
    printed = said(capsys, *train, *way)
    counts = dict(hl.load(tmp_path / "m").metadata["counts"])
    assert f"always predicting '{max(counts, key=counts.get)}'" in printed
