"""Figures of shards are those of one process, to the last bit, whatever the model is."""

import csv
import json
import pickle
import random
from pathlib import Path

import pytest

from hardlimit import TextClassifier, load
from hardlimit.cli import main
from hardlimit.distributed import evaluate, score
from hardlimit.distributed.engines import Part
from hardlimit.distributed.evaluating import Examined, measure_files, measure_shard
from hardlimit.distributed.shard_answers import MOST_NOTES
from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.predictions.answerers import open_answerer
from hardlimit.predictions.files import files_for
from hardlimit.sources.cutting import cut_files

from .conftest import messages


def write(path: Path, head, rows) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])
    return str(path)


def of_texts(folder: Path, *, two: bool):
    rows = [(t, y) for t, y in messages(500, seed=3) if not two or y != "list"]
    texts, labels = [t for t, _ in rows[:150]], [y for _, y in rows[:150]]
    clf = TextClassifier(probability=True, words=(1, 1), chars=None).fit(texts, labels)
    held_out = [*rows[150:], ("nothing of it is known", "odd"), ("who knows", "ham")]
    return clf, write(folder / "new.csv", ("text", "label"), held_out)


def draw_numbers(n: int, seed: int):
    draw = random.Random(seed)
    for _ in range(n):
        x = [round(draw.gauss(0, 1), 3) for _ in range(3)]
        yield (*x, 1 if x[0] + 0.5 * x[1] + draw.gauss(0, 0.3) > 0 else 2)


def of_numbers(folder: Path):
    """Labels of which one, at the end, says that none is a number."""
    train = write(folder / "train.csv", ("a", "b", "c", "y"), draw_numbers(200, 1))
    words = ["train", train, "--label", "y", "--probability", "-o", str(folder / "m")]
    assert main(words) == 0
    held_out = [
        (b, a, c, f"{y}.0" if number > 150 else y)
        for number, (a, b, c, y) in enumerate(draw_numbers(300, 2))
    ] + [(0, 0, 0, "odd")]
    return load(folder / "m"), write(folder / "new.csv", ("b", "a", "c", "y"), held_out)


def of_svmlight(folder: Path):
    for name, seed in (("train.svm", 3), ("new.svm", 4)):
        with (folder / name).open("w") as file:
            for a, b, _, y in draw_numbers(200, seed):
                file.write(f"{y} qid:1 1:{a} 3:{b}\n")
    assert main(["train", str(folder / "train.svm"), "--probability", "-o", str(folder / "m")]) == 0
    return load(folder / "m"), str(folder / "new.svm")


KINDS = {
    "numbers": of_numbers,
    "svmlight": of_svmlight,
    "two classes": lambda folder: of_texts(folder, two=True),
    "three classes": lambda folder: of_texts(folder, two=False),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_report_is_that_of_one_process(kind, tmp_path, capsys):
    clf, path = KINDS[kind](tmp_path)
    model = str(tmp_path / "model")
    clf.save(model)
    capsys.readouterr()
    for more in ([], ["--json"]):
        words = ["evaluate", model, path, "--min-probability", "0.6", *more]
        assert main(words) == 0
        one = capsys.readouterr()
        assert main([*words, "--cluster", "threads:2"]) == 0
        assert capsys.readouterr() == one
        wanted = one.out
        assert ("qid was ignored in 200 rows" in one.err) == (kind == "svmlight")
    found = evaluate(clf, path, cluster="threads:2")
    shown = json.loads(wanted)
    assert found.accuracy == shown.get("subset_accuracy", shown["accuracy"])


def test_what_comes_back_does_not_grow_with_the_rows_where_counts_suffice(tmp_path):
    rows = [(t.replace("\n", " "), y) for t, y in messages(400)]
    clf = TextClassifier().fit([t for t, _ in rows], [y for _, y in rows])
    clf.save(tmp_path / "model")
    part = Part.of((tmp_path / "model").read_bytes())
    sizes = []
    for n in (400, 4000):
        path = write(tmp_path / f"{n}.csv", ("text", "label"), (rows * 10)[:n])
        shards, _ = cut_files([path], None, 1)
        found = measure_shard(
            (part, Part.of(pickle.dumps((None, None, None)))), Examined(shards[0])
        )
        sizes.append(len(pickle.dumps(found)))
    assert sizes[1] < sizes[0] + 100


def test_what_cannot_be_measured_is_refused(tmp_path, capsys):
    clf, path = of_texts(tmp_path, two=True)
    clf.save(tmp_path / "m")
    assert main(["evaluate", str(tmp_path / "m"), path, "--shards", "3"]) == 2
    assert "--shards goes with --cluster" in capsys.readouterr().err
    with pytest.raises(InputError, match="no class 'eggs'"):
        evaluate(clf, path, cluster="threads:1", positive="eggs")
    with pytest.raises(InputError, match="no probabilities"):
        evaluate(TextClassifier().fit(["a", "b"], [0, 1]), path, min_probability=0.5)
    bare = write(tmp_path / "bare.csv", ("text", "label"), [("a", "ham"), ("b", "")] * 9)
    with pytest.raises(DataFormatError, match="no label"):
        evaluate(clf, bare, cluster="threads:1")


def measure(folder, sources, shards):
    path = str(folder / "model")
    answerer = open_answerer(path)
    source = files_for(answerer, sources, None, need_label=True)
    return measure_files(answerer, path, source, "threads:2", shards)


def test_what_many_shards_say_is_said_once_and_not_of_all_files(tmp_path):
    clf = TextClassifier(words=(1, 1), chars=None).fit(["win", "lunch"], ["spam", "ham"])
    clf.save(tmp_path / "model")
    # In one file two shards skip an empty row each.
    rows = "win a prize,spam\n,\nlunch,ham\n"
    (tmp_path / "one.csv").write_text("text,label\n" + rows * 2)
    found = measure(tmp_path, [str(tmp_path / "one.csv")], 2)
    assert found.rows == 4
    assert found.notes == [f"{tmp_path / 'one.csv'}: 2 empty rows were skipped"]
    many = [str(tmp_path / f"{number}.csv") for number in range(MOST_NOTES + 5)]
    for path in many:
        Path(path).write_text("text,label\n" + rows)
    assert len(measure(tmp_path, many, 4).notes) == MOST_NOTES
    # The answers of one shard say no more.
    written = score(clf, many, shards=1, cluster="threads:1")
    assert len([note for note in written.notes if "skipped" in note]) == MOST_NOTES
