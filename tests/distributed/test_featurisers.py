"""Whatever an ordinary fit learns from files, shards learn: one shard gives its bytes."""

import csv
import json
import random
import warnings

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, TableClassifier, TextClassifier
from hardlimit.distributed import train
from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.readers import Layout, load_numbers

from ..making import digest
from .conftest import messages


def same_on_all(folder, sources, layout, make, shards=4, engines=("threads:1", "threads:2")):
    """Give the digest of a model that threads or others have learnt."""
    found = {
        digest(
            train(sources, layout, cluster=cluster, classifier=make().set_params(shards=shards)),
            folder,
        )
        for cluster in engines
    }
    assert len(found) == 1
    return found.pop()


def numbers(n, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 6)) * [1, 10, 0.1, 3, 1, 1] + [0, 5, 0, -2, 0, 0]
    X[draw.random(X.shape) < 0.4] = 0
    y = np.where(X @ [1, 0.3, -2, 0.5, 0, 0] + draw.normal(size=n) > 1, "yes", "no")
    return np.round(X, 3), y


@pytest.fixture
def wide(tmp_path):
    """Two CSV of numbers; the columns of the second are in another order."""
    X, y = numbers(300)
    names = [f"x{k}" for k in range(6)]
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [
                [*names, "y"],
                *(
                    [*map(str, row), label]
                    for row, label in zip(X[:200].tolist(), y[:200], strict=True)
                ),
            ]
        )
    with (tmp_path / "b.csv").open("w", newline="") as file:
        rows = (
            [label, *map(str, row[::-1])]
            for row, label in zip(X[200:].tolist(), y[200:], strict=True)
        )
        csv.writer(file).writerows([["y", *names[::-1]], *rows])
    return [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]


def svmlight(path, X, y, base=1):
    with path.open("w") as file:
        for row, label in zip(X, y, strict=True):
            cells = " ".join(f"{k + base}:{row[k]!r}" for k in np.flatnonzero(row).tolist())
            file.write(f"{label} {cells} # note\n")
    return str(path)


@pytest.mark.parametrize("bases", [(1, 1), (0, 0), (1, 0)])
@pytest.mark.parametrize("made", [{}, {"scale": "standard"}, {"scale": "maxabs"}])
@pytest.mark.filterwarnings("ignore")
def test_one_shard_of_svmlight_is_the_ordinary_fit(tmp_path, bases, made):
    X, y = numbers(200)
    X, labels = X.tolist(), np.where(y == "yes", 1, -1)
    X = np.array(X).astype(object)
    paths = [
        svmlight(tmp_path / "a.svm", X[:120, :4], labels[:120], bases[0]),
        svmlight(tmp_path / "b.svm", X[120:], labels[120:], bases[1]),
    ]
    found = load_numbers(paths)
    wanted = LinearClassifier(max_iter=5, **made).fit(found.X, found.y)
    one = train(paths, max_iter=5, **made)
    assert digest(one, tmp_path) == digest(wanted, tmp_path)
    assert one.fitted.facts == wanted.fitted.facts
    many = train(paths, max_iter=5, shards=5, **made)
    assert many.n_features_in_ == found.X.shape[1]
    assert many.classes_.tolist() == [-1, 1]


def test_labels_are_of_one_kind_in_all_shards(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,y\n" + "1,2,1\n2,1,0\n" * 40 + "1,1,1.0\n3,1,+1\n" + "4,2,x\n")
    clf = train(path, {"format": "numeric-csv"}, shards=3, max_iter=2)
    assert clf.classes_.tolist() == ["+1", "0", "1", "1.0", "x"]
    path.write_text("a,b,y\n" + "1,2,1\n2,1,0\n" * 40 + "1,1,1.0\n3,1,+1\n")
    clf = train(path, {"format": "numeric-csv"}, shards=3, max_iter=2)
    assert clf.classes_.tolist() == [0, 1]


@pytest.mark.filterwarnings("ignore")
def test_row_groups_of_numbers(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    X, y = numbers(200)
    path = str(tmp_path / "a.parquet")
    table = arrow.table({**{f"x{k}": X[:, k] for k in range(6)}, "label": y})
    parquet.write_table(table, path, row_group_size=30)
    found = load_numbers(path)
    made = {"scale": "standard", "max_iter": 4}
    wanted = LinearClassifier(**made).fit(found.X, found.y)
    clf = train(path, {"format": "numeric-parquet"}, **made)
    assert digest(clf, tmp_path) == digest(wanted, tmp_path)
    clf = train(path, {"format": "numeric-parquet"}, shards=5, **made)
    assert clf.fitted.facts.n_rows == 200


def customers(n, seed=0):
    """Rows of a mixed table; some values are missing."""
    draw, rows = random.Random(seed), []
    texts = messages(n, seed)
    for text, label in texts:
        churned = "yes" if (label == "spam") == (draw.random() < 0.9) else "no"
        age = "" if draw.random() < 0.1 else str(round(draw.gauss(40, 12), 2))
        city = draw.choice(["Ghent", "Rome", "Oslo, north", "", "Ulm"])
        rows.append([age, city, text.replace("\n", " "), str(draw.randint(0, 9)), churned])
    return rows


COLUMNS = ["age", "city", "notes", "calls", "churned"]


@pytest.fixture
def table(tmp_path):
    rows = customers(240)
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *rows[:150]])
    with (tmp_path / "u.csv").open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS[::-1], *(row[::-1] for row in rows[150:])])
    return [str(tmp_path / "t.csv"), str(tmp_path / "u.csv")]


def test_a_table_is_measured_alike_whatever_the_shards(table, tmp_path):
    """Columns are those of one pass, exactly: only what is learnt differs."""
    layout = Layout(label="churned")
    one = train(table, layout, missing="mean", number_columns=("age",))
    many = train(table, layout, missing="mean", number_columns=("age",), shards=7)
    assert one.fitted.vectorizer.header() == many.fitted.vectorizer.header()
    tables = one.fitted.vectorizer.state_tables(), many.fitted.vectorizer.state_tables()
    assert all((tables[0][name] == tables[1][name]).all() for name in tables[0])
    same_on_all(tmp_path, table, layout, lambda: TableClassifier(missing="mean"))


def test_the_kind_of_a_column_is_told_by_all_shards(tmp_path):
    path = tmp_path / "t.csv"
    rows = [(str(k), f"w{k} has a story", "a") for k in range(60)]
    rows += [("many", f"w{k % 3}", "b") for k in range(60)]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("n", "s", "label"), *rows])
    dicts = [{"n": n, "s": s} for n, s, _ in rows]
    wanted = TableClassifier().fit(dicts, [row[-1] for row in rows])
    for shards in (1, 2, 5):
        clf = train(path, classifier=TableClassifier(shards=shards))
        assert clf.kinds_ == wanted.kinds_


def test_refusals_of_tables(table):
    with pytest.raises(InputError, match="the value is missing"):
        train(table, Layout(label="churned"), classifier=TableClassifier(shards=3))
    with pytest.raises(InputError, match="there is no column 'agee'.*did you mean 'age'"):
        train(table, Layout(label="churned"), number_columns=("agee",), shards=2)
    with pytest.raises(hl.exceptions.ColumnError, match="is the label, and cannot be learnt from"):
        train(table, Layout(label="churned"), category_columns=("churned",), shards=2)


def test_a_bad_row_is_told_with_its_line(tmp_path):
    path = tmp_path / "n.csv"
    lines = ["a,b,y", *["1,2,1", "2,1,0"] * 60]
    lines[90] = "1,x,1"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(DataFormatError, match=r"n\.csv:91:.*'b'"):
        train(path, {"format": "numeric-csv"}, shards=4)
    sparse = tmp_path / "n.svm"
    sparse.write_text("1 1:1\n-1 2:1\n" * 40 + "1 2:x\n" + "1 1:1\n-1 2:1\n" * 9)
    with pytest.raises(DataFormatError, match=r"n\.svm:81"):
        train(sparse, shards=4)


def test_a_missing_value_is_told_with_its_line(tmp_path):
    path = tmp_path / "t.csv"
    rows = ["age,city,label", *["1,Rome,a", "2,Ulm,b"] * 50]
    rows[77] = ",Rome,a"
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(InputError, match=r"t\.csv:78: column 'age'"):
        train(path, number_columns=("age",), shards=4)


@pytest.fixture
def mails(tmp_path):
    rows = messages(200)
    with (tmp_path / "m.jsonl").open("w") as file:
        for at, (text, label) in enumerate(rows):
            labels = [label, "even"] if at % 2 else [label]
            row = {
                "subject": text[:9],
                "body": text,
                "label": label,
                "tags": labels if at % 9 else [],
            }
            file.write(json.dumps(row) + "\n")
    return str(tmp_path / "m.jsonl")


def test_several_labels_of_numbers(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1,3 1:1 2:0.5\n2 2:1\n 3:1\n3 1:2 3:1\n" * 20)
    found = load_numbers(path, labels_separator=",")
    wanted = LinearClassifier(max_iter=3).fit(found.X, [set(labels) for labels in found.y])
    clf = train(path, {"labels_separator": ","}, max_iter=3)
    assert digest(clf, tmp_path) == digest(wanted, tmp_path)
    assert train(path, {"labels_separator": ","}, max_iter=3, shards=4).classes_.tolist() == [
        1,
        2,
        3,
    ]


def test_labels_that_say_nothing(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_text('{"text": "a b", "tags": ["x"]}\n{"text": "c", "tags": ["x", "y"]}\n' * 9)
    layout = Layout(text="text", label="tags", labels_separator=",")
    with pytest.warns(hl.exceptions.DataWarning, match="all examples agree on 'x'"):
        train(path, layout, shards=3)
    path.write_text('{"text": "a b", "tags": []}\n' * 9)
    with pytest.raises(DataFormatError, match="no row has a label"):
        train(path, layout, shards=3)
    with (
        pytest.raises(InputError, match="each neuron has classes of its own"),
        warnings.catch_warnings(),
    ):
        path.write_text('{"text": "a b", "tags": ["x"]}\n' * 9)
        train(path, layout, shards=3, class_weight="balanced")


@pytest.mark.parametrize("n", [400, 1200])
def test_probabilities_are_those_of_an_ordinary_fit(tmp_path, n):
    """Of few texts five parts are held out in turn, of many the first of four."""
    rows, path = messages(n), tmp_path / "m.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    made = {"probability": True, "max_iter": 3}
    wanted = TextClassifier(**made).fit([t for t, _ in rows], [y for _, y in rows])
    assert digest(train(path, **made), tmp_path) == digest(wanted, tmp_path)
    same_on_all(tmp_path, path, None, lambda: TextClassifier(**made), 3)
    tuned = train(path, shards=3, **made).predict_proba([rows[0][0]]).max()
    assert 0.4 < tuned <= 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_every_kind_on_processes_and_dask(wide, table, mails, tmp_path, dask):
    of_texts = Layout(text="body", label="label")
    for sources, layout, make in (
        (
            wide,
            {"label": "y", "format": "numeric-csv"},
            lambda: LinearClassifier(scale="standard", max_iter=4),
        ),
        (table, Layout(label="churned"), lambda: TableClassifier(missing="mean")),
        (mails, of_texts, lambda: TextClassifier(text_columns=("subject", "body"))),
        (mails, of_texts, lambda: TextClassifier(vocabulary=["prize", "lunch"])),
        (
            mails,
            Layout(text="body", label="tags", labels_separator=","),
            lambda: TextClassifier(probability=True),
        ),
    ):
        same_on_all(tmp_path, sources, layout, make, 3, ("threads:2", "processes:2", dask))
