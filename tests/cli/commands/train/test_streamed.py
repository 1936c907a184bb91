"""``hardlimit train --stream``: rows are learnt as they are read."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import subprocess
import time
import warnings

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.classifiers.fitting.checkpoints import RunCheckpoints
from hardlimit.cli import digests, main
from hardlimit.sources import reading

from ...conftest import PROGRAM, environment, messages


def write_jsonl(path, rows):
    lines = [json.dumps({"text": text, "label": label}) + "\n" for _, text, label in rows]
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt") as file:
        file.writelines(lines)
    return path


@pytest.fixture
def files(tmp_path):
    return [write_jsonl(tmp_path / f"{name}.jsonl.gz", messages(i)) for i, name in enumerate("ab")]


def train(*words):
    return main(["train", *map(str, words)])


def test_files_are_learnt_as_they_are_read(files, tmp_path, capsys):
    assert train(tmp_path / "*.jsonl.gz", "--stream", "-o", tmp_path / "m") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "600 in 2 classes" in said
    assert "hashed to 1,048,576 columns" in said
    assert "1 epoch" in said
    assert "of 600 predictions wrong" in said
    model = hl.load(tmp_path / "m")
    assert model.predict(["win a prize now call"])[0] == "spam"


def test_the_kinds_of_columns_are_those_of_memory(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reading, "ROWS", 20)
    file = tmp_path / "t.csv"
    lines = [f"{k if k < 40 else f'w{k % 3}'},{k % 5},{'ab'[k % 2]}\n" for k in range(90)]
    file.write_text("size,n,label\n" + "".join(lines))
    common = ("--label", "label", "--category", "n", "--epochs", 1)
    assert train(file, *common, "--order", "stream", "-o", tmp_path / "a") == 0
    assert train(file, *common, "--stream", "-o", tmp_path / "b") == 0
    assert capsys.readouterr().err.count("size: category (43 values); n: category (5 values)") == 2
    a, b = (hl.load(tmp_path / name) for name in "ab")
    assert a.fitted.vectorizer.header() == b.fitted.vectorizer.header()
    assert (a.coef_ == b.coef_).all()


def test_bad_rows_are_left_out_and_counted(tmp_path, capsys):
    path = write_jsonl(tmp_path / "a.jsonl", messages(1))
    with path.open("a") as file:
        file.write('{"text": 3, "label": "spam"}\nnonsense\n')
    assert train(path, "--stream", "-o", tmp_path / "m") == 1
    assert f"{path}:301" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()
    assert train(path, "--stream", "--skip-bad", "-o", tmp_path / "m") == 0
    assert "2 bad rows were left out" in capsys.readouterr().err


def test_memory_and_passes_are_told_before(files, tmp_path, capsys):
    assert train(*files, "--stream", "-o", tmp_path / "m") == 0
    said = capsys.readouterr().err
    assert "1 pass over the input (learn); memory at most about" in said
    words = ("--stream", "--epochs", 3, "--features", "idf=smooth", "-o", tmp_path / "m")
    assert train(*files, *words) == 0
    said = capsys.readouterr().err
    assert (
        "2 passes over the input (count terms, documents and classes; learn), 2 epochs over" in said
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl.gz", "b.jsonl.gz", "m"]


def test_idf_of_input_that_comes_once_is_refused(hardlimit, tmp_path):
    words = ("train", "-", "--format", "tsv", "--no-header", "--label", "0", "--text", "1")
    text = "".join(f"{label}\t{text}\n" for _, text, label in messages(1))
    done = hardlimit(
        *words, "--stream", "--features", "idf=smooth", "-o", tmp_path / "m", given=text
    )
    assert done.returncode == 1
    assert "come once" in done.stderr and "name a file" in done.stderr
    assert "iterator" not in done.stderr and "function" not in done.stderr


@pytest.fixture
def sorted_by_class(monkeypatch):
    """Of a file sorted by class, the rows that are looked at first are of one class."""
    for kind in ("texts", "numbers"):
        monkeypatch.setattr(f"hardlimit.classifiers.fitting.streamed.{kind}.HEAD_ROWS", 100)
    by_class = sorted(messages(0) * 14, key=lambda row: row[2], reverse=True)
    assert [label for *_, label in by_class[:1100]] == ["spam"] * 1100
    return by_class


def test_classes_of_sorted_files_are_named(sorted_by_class, tmp_path, capsys):
    path = write_jsonl(tmp_path / "a.jsonl", sorted_by_class)
    words = (path, "--stream", "--features", "chars=none,hash=10", "-o", tmp_path / "m")
    assert train(*words) == 1
    assert "all of one class; name all classes with --classes" in capsys.readouterr().err
    assert train(*words, "--classes", "spam, ham") == 0
    clf = hl.TextClassifier(chars=None, hash_bits=10, idf=None, max_iter=1)
    clf.fit_stream([([text], [y]) for _, text, y in sorted_by_class], classes=["ham", "spam"])
    assert (hl.load(tmp_path / "m").coef_ == clf.coef_).all()


def test_classes_are_read_like_the_labels_of_numbers(sorted_by_class, tmp_path, capsys):
    path = tmp_path / "a.svm"
    labels = {"ham": 1, "spam": -1}
    path.write_text("".join(f"{labels[row[2]]} {1 + len(row[1])}:1\n" for row in sorted_by_class))
    words = (path, "--stream", "-o", tmp_path / "m", "--classes")
    assert train(*words, "-1,1") == 0
    assert hl.load(tmp_path / "m").classes_.tolist() == [-1, 1]
    assert train(*words, "-1,ham") == 1
    assert "--classes ham: wanted a number, as the labels of the first" in capsys.readouterr().err


@pytest.mark.parametrize("classes", ["spam", "spam,spam", "spam,,ham", ""])
def test_fewer_than_two_classes_are_refused(classes, files, tmp_path, capsys):
    assert train(*files, "--stream", "-o", tmp_path / "m", "--classes", classes) == 2
    assert "--classes wants at least two labels" in capsys.readouterr().err


FEATURES = "words=1,chars=none,hash=10,idf=none"


def killed(words, checkpoint, count):
    """Kill a run as the system does, once it has written so many checkpoints; tell if it ran."""
    process = subprocess.Popen([*PROGRAM, *map(str, words)], env=environment())
    seen = {written(checkpoint)}
    while len(seen) <= count:
        seen.add(written(checkpoint))
        if process.poll() is not None:
            return False
        time.sleep(0.001)
    process.kill()
    process.wait()
    return True


def written(path):
    """When a file was written; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_model(tmp_path):
    path = write_jsonl(tmp_path / "a.jsonl", messages(1, 30_000))
    words = ("train", path, "--stream", "--features", FEATURES, "--epochs", 3)
    subprocess.run([*PROGRAM, *map(str, words), "-o", tmp_path / "whole"], check=True)
    saving = (*words, "--checkpoint", tmp_path / "c", "--every", "0", "-o", tmp_path / "m")
    draw = random.Random(8)
    kills = 0
    while killed(saving, tmp_path / "c", draw.randrange(1, 30)):
        kills += 1
        assert kills < 90  # there are no more blocks
    assert kills > 1
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "m", "whole"]


def test_ctrl_c_says_what_was_kept(tmp_path, monkeypatch, capsys):
    path = write_jsonl(tmp_path / "a.jsonl", messages(1, 3000))

    def interrupt(self, model, note):
        write(self, model, note)
        if note.n_blocks == 2:
            raise KeyboardInterrupt

    write = RunCheckpoints.write
    monkeypatch.setattr(RunCheckpoints, "write", interrupt)
    words = (path, "--stream", "--features", FEATURES, "-o", tmp_path / "m")
    saving = ("--checkpoint", tmp_path / "c", "--every", 0)
    assert train(*words, *saving) == 130
    said = " ".join(capsys.readouterr().err.split())
    assert "interrupted after 2,048 rows; the model so far was written" in said
    assert "run the same again to go on from the checkpoint" in said
    assert hl.load(tmp_path / "m").predict(["win a prize now call"])[0] == "spam"
    monkeypatch.undo()
    assert train(*words, *saving) == 0
    assert "going on from" in capsys.readouterr().err
    found = (tmp_path / "m").read_bytes()
    assert train(*words) == 0
    assert (tmp_path / "m").read_bytes() == found


def rows_of_numbers(n=3000, late=2500):
    draw = random.Random(3)
    for i in range(n):
        row = [round(draw.gauss(0, 1), 3) for _ in range(4)]
        yield row, int(row[0] + row[1] > 0.2), {9: 1.0} if i > late else {}


@pytest.fixture
def numbers(tmp_path):
    csv = ["a,b,c,d,y"] + [",".join(map(str, [*row, y])) for row, y, _ in rows_of_numbers()]
    svm = [
        f"{y} " + " ".join(f"{j}:{v}" for j, v in [*enumerate(row, 1), *more.items()])
        for row, y, more in rows_of_numbers()
    ]
    for name, lines in (("a.csv", csv), ("a.svm", svm)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


def test_a_format_that_is_read_whole_is_said_to_be(numbers, capsys):
    numpy = pytest.importorskip("numpy")
    rows, labels, _ = zip(*rows_of_numbers(), strict=True)
    numpy.savez(numbers / "a.npz", X=rows, y=labels)
    assert train(numbers / "a.npz", "--stream", "-o", numbers / "m") == 0
    assert "is read whole" in capsys.readouterr().err


def test_digests_are_computed_while_the_files_are_read(files, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(digests, "_digest_file", None)
    assert train(files[0], "--stream", "-o", tmp_path / "m") == 0
    (found,) = hl.load(tmp_path / "m").metadata["training_files"]["last"]
    assert found["sha256"] == hashlib.sha256(files[0].read_bytes()).hexdigest()


@pytest.mark.parametrize("option", ["--cache", "--checkpoint"])
def test_no_file_that_is_read_or_written_is_a_place_for_what_is_kept(
    option, files, tmp_path, capsys
):
    before = files[0].read_bytes()
    words = ("--stream", "--epochs", 2, "-o", tmp_path / "m", option)
    assert train(*files, *words, files[0]) == 2
    assert f"{option} {files[0]} would overwrite" in capsys.readouterr().err
    assert train(*files, *words, tmp_path / "m") == 2
    assert f"{option} {tmp_path / 'm'} is the model too" in capsys.readouterr().err
    assert train(*files, *words, tmp_path / "none" / "c") == 1
    assert "there is no folder" in capsys.readouterr().err
    assert files[0].read_bytes() == before and not (tmp_path / "m").exists()


def test_a_late_class_is_told_in_words_of_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("hardlimit.classifiers.fitting.streamed.texts.HEAD_ROWS", 10)
    path = tmp_path / "late.jsonl"
    path.write_text(
        "".join(f'{{"text": "a {i}", "label": "{"xy"[i % 2]}"}}\n' for i in range(3000))
        + '{"text": "b", "label": "z"}\n'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert train(path, "--stream", "-o", tmp_path / "m") == 0
    said = capsys.readouterr().err
    assert "the class 'z' came first after" in said
    assert "; name all classes with --classes, or shuffle" in said and "classes=" not in said


def test_no_epoch_over_the_cache_is_told_where_there_is_none(files, tmp_path, capsys):
    assert train(*files, "--stream", "--until", "none", "-o", tmp_path / "m") == 0
    assert "0 epochs" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--features", "min-df=2"), "say how many are kept, such as --features min-df=2,max-fea"),
        (("--features", "hash=20,max-df=5"), "--features max-df= counts terms"),
        (("--rule", "adatron"), "leave out --stream, or use another rule"),
        (
            ("--guard", "alpha-bound:2"),
            "leave out --stream, use --guard margin, or use",
        ),
        (("--order", "worst"), "leave out --stream, or use --order stream"),
    ],
)
def test_advice_speaks_of_the_command_line(files, tmp_path, capsys, words, said):
    assert train(*files, "--stream", *words, "-o", tmp_path / "m") != 0
    assert said in " ".join(capsys.readouterr().err.split())


def check_as_memory(tmp_path, *words):
    """Train from memory and as a stream, and compare the models and what they say."""
    for name, more in (("a", ("--order", "stream")), ("b", ("--stream",))):
        assert train(*words, *more, "--epochs", 2, "-o", tmp_path / name) == 0
    a, b = (hl.load(tmp_path / name) for name in "ab")
    assert (a.coef_ == b.coef_).all() and a.classes_.tolist() == b.classes_.tolist()
    assert a.n_training_errors_ == b.n_training_errors_
    assert a.metadata == b.metadata
    return b


def test_a_late_label_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("hardlimit.classifiers.fitting.streamed.texts.HEAD_ROWS", 10)
    table = tmp_path / "t.csv"
    table.write_text("text,labels\n" + "a prize,a\nlunch,b\n" * 1000 + 'late,"a,c"\n')
    words = (table, "--stream", "--labels-separator", ",", "-o", tmp_path / "m")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert train(*words) == 0
    assert "the label 'c' came first after" in (said := capsys.readouterr().err)
    assert "name all labels with --classes" in said
    assert train(*words, "--classes", "a,b,c") == 0
    assert hl.load(tmp_path / "m").classes_.tolist() == ["a", "b", "c"]


def test_a_value_that_is_refused_is_named_by_its_line(tmp_path, capsys):
    """Whatever chunk of rows it came in."""
    table = tmp_path / "t.csv"
    table.write_text("number,label\n" + "1,x\n2,y\n" * 1100 + "many,x\n")
    words = (table, "--stream", "--number", "number", "-o", tmp_path / "m")
    assert train(*words) == 1
    assert "t.csv:2202: column 'number': got 'many', wanted a number" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["npy", "arff", "parquet"])
def test_numbers_of_other_formats(kind, tmp_path, capsys):
    rows = [(k % 7, (k * k) % 5 - 2, k % 7 > 3) for k in range(2500)]
    if kind == "npy":
        np.save(tmp_path / "X.npy", np.array([row[:2] for row in rows]))
        np.save(tmp_path / "y.npy", np.array([int(row[2]) for row in rows]))
        file = tmp_path / "X.npy"
    elif kind == "arff":
        lines = "".join(f"{a},{b},{int(c)}\n" for a, b, c in rows)
        file = tmp_path / "t.arff"
        file.write_text(
            f"@attribute a numeric\n@attribute b numeric\n@attribute class {{0,1}}\n@data\n{lines}"
        )
    else:
        arrow = pytest.importorskip("pyarrow")
        file = tmp_path / "t.parquet"
        a, b, y = (list(column) for column in zip(*rows, strict=True))
        table = arrow.table({"a": a, "b": b, "y": [int(one) for one in y]})
        pytest.importorskip("pyarrow.parquet").write_table(table, file)
    check_as_memory(tmp_path, file)
    assert "read whole" not in capsys.readouterr().err
