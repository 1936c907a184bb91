"""A layer of neurons from the command line: ``train --label a,b,c``, its answers, its figures."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.classifiers import load
from hardlimit.classifiers.targets import LabelColumns
from hardlimit.cli import main

from ..rounding import near

# NOR, OR and AND of two inputs, as 0 and 1, -1 and 1, and words.
GATES = "x1,x2,nor,or,and\n-1,-1,1,-1,no\n1,-1,0,1,no\n-1,1,0,1,no\n1,1,0,1,yes\n"
TRUTH = [
    "nor=1\tor=-1\tand=no",
    "nor=0\tor=1\tand=no",
    "nor=0\tor=1\tand=no",
    "nor=0\tor=1\tand=yes",
]


@pytest.fixture
def gates(tmp_path):
    path = tmp_path / "gates.csv"
    path.write_text(GATES)
    return str(path)


@pytest.fixture
def model(gates, tmp_path, capsys):
    path = str(tmp_path / "gates.hardlimit")
    assert main(["train", gates, "--label", "nor,or,and", "-o", path]) == 0
    out = capsys.readouterr().out
    assert "4 with 3 labels: nor, or, and" in out and "a neuron for each label" in out
    return path


def test_each_row_gets_all_labels(model, gates, capsys) -> None:
    assert main(["predict", model, gates]) == 0
    assert capsys.readouterr().out.splitlines() == TRUTH
    assert load(model).coef_.shape == (3, 2)


def test_rows_without_labels_and_json(model, tmp_path, capsys) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("x2,x1\n-1,-1\n")
    assert main(["predict", model, str(bare), "--json", "--scores"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["labels"] == {"nor": 1, "or": -1, "and": "no"} and len(found["scores"]) == 3


def test_a_model_without_probabilities_names_the_mend(model, gates, capsys) -> None:
    for command in ("predict", "evaluate"):
        assert main([command, model, gates, "--min-probability", "0.9"]) == 1
        said = capsys.readouterr().err
        assert f"{model}: the model has no probabilities; train it with --probability" in said


def test_figures_of_each_label(model, gates, capsys) -> None:
    assert main(["evaluate", model, gates]) == 0
    out = capsys.readouterr().out.splitlines()
    facts = [line.split()[0] for line in out if line[2:3].strip()]
    assert facts[:5] == ["rows", "exact", "micro-F1", "macro-F1", "Hamming"]
    assert ["nor", "1", "1", "1.0000", "1.0000", "1.0000"] in [line.split() for line in out]
    assert main(["evaluate", model, gates, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["subset_accuracy"] == 1 and found["rows"] == 4
    assert found["accuracy"] == {"nor": 1, "or": 1, "and": 1}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--label", "nor,,and"), "--label wants different columns"),
        (("--label", "nor,nor"), "--label wants different columns"),
        (("--label", "nor,xor"), "there is no column 'xor'"),
        (("--label", "nor,or", "--kernel", "rbf"), "--kernel does not go with several columns"),
        (("--progress", "json"), "--progress goes with --cluster"),
    ],
)
def test_what_is_refused(words, said, gates, tmp_path, capsys) -> None:
    label = [] if "--label" in words else ["--label", "nor,or"]
    assert main(["train", gates, *label, *words, "-o", str(tmp_path / "m")]) != 0
    assert not (tmp_path / "m").exists() and said in capsys.readouterr().err


def test_figures_are_those_of_scikit_learn(model, tmp_path, capsys) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    path = tmp_path / "wrong.csv"
    path.write_text(GATES.replace("-1,1,0,1,no", "-1,1,1,1,yes") + "1,1,1,-1,no\n")
    assert main(["evaluate", model, str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
    truth = [[row[2] == "1", row[3] == "1", row[4] == "yes"] for row in rows]
    said = load(model).decision_function([[float(v) for v in row[:2]] for row in rows]) > 0
    assert found["micro_f1"] == near(metrics.f1_score(truth, said, average="micro"), 100)
    assert found["macro_f1"] == near(metrics.f1_score(truth, said, average="macro"), 100)
    assert found["exact_match"] == near(metrics.accuracy_score(truth, said), 100)
    assert found["hamming_loss"] == near(metrics.hamming_loss(truth, said), 100)
    each = metrics.precision_recall_fscore_support(truth, said)
    for k, one in enumerate(found["labels"]):
        assert [one["precision"], one["recall"], one["f1"], one["support"]] == [
            near(part[k], 100) for part in each
        ]


def test_a_value_that_no_neuron_knows_is_refused(model, tmp_path, capsys) -> None:
    path = tmp_path / "strange.csv"
    path.write_text(GATES.replace("yes", "perhaps"))
    assert main(["evaluate", model, str(path)]) == 1
    said = "got 'perhaps' in row 3, wanted 'no' or 'yes' in column 'and'"
    error = capsys.readouterr().err
    assert said in error and "strange.csv" in error


def test_inspect_shows_the_weights_of_each_label(model, capsys) -> None:
    assert main(["inspect", model]) == 0
    out = capsys.readouterr().out
    assert "3: nor, or, and" in out
    assert "and: yes when the score exceeds 0, else no" in out
    for name in ("nor", "or", "and"):
        assert f"Weights for '{name}'" in out
    assert main(["inspect", model, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["weights"]) == {"nor", "or", "and"} and len(found["intercept"]) == 3


def test_explain_has_a_part_for_each_label(model, gates, tmp_path, capsys) -> None:
    assert main(["explain", model, gates, "--row", "4"]) == 0
    out = capsys.readouterr().out
    for said in ("Why nor=0", "Why or=1", "Why and=yes", "x1", "x2"):
        assert said in out
    assert main(["explain", model, "1, 1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["labels"]
    scores = load(model).decision_function([[1, 1]])[0].tolist()
    assert [abs(score) for score in scores] == near([one["score"] for one in found.values()], 10)
    assert found["and"]["label"] == "yes" and found["and"]["against"] == "no"
    page = tmp_path / "why.html"
    assert main(["explain", model, "1 1", "--html", str(page)]) == 0
    assert "<h2>nor: 0</h2>" in page.read_text()
    assert main(["explain", model, "1 1", "--against", "no"]) == 2


def test_training_goes_on(gates, tmp_path, capsys) -> None:
    path = str(tmp_path / "layer")
    words = ["train", gates, "--label", "nor,or,and", "--readout", "last", "--epochs", "1"]
    assert main([*words, "--until", "none", "-o", path]) == 0
    before = load(path)
    on = ["train", gates, "--train-from", path, "-o", path, "--epochs", "20", "--note", "again"]
    capsys.readouterr()
    assert main(on) == 0
    out = capsys.readouterr().out
    assert "labels: nor, or, and" in out
    after, twin = load(path), before
    Y = [[1, -1, "no"], [0, 1, "no"], [0, 1, "no"], [0, 1, "yes"]]
    import numpy as np

    for _ in range(20):
        twin.partial_fit([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.array(Y, object))
    assert after.coef_.tolist() == twin.coef_.tolist()
    assert after.metadata["note"] == "again"
    assert main(["evaluate", path, gates]) == 0
    assert main(["train", gates, "--train-from", path, "-o", path, "--rule", "paum"]) == 2


def test_sets_of_labels_are_for_python(tmp_path, capsys) -> None:
    clf = hl.LinearClassifier().fit([[0, 1], [1, 0], [1, 1]], [{"a"}, {"b"}, {"a", "b"}])
    path = str(tmp_path / "sets")
    clf.save(path)
    assert main(["inspect", path]) == 0
    assert "each label when its score exceeds 0" in capsys.readouterr().out
    assert main(["explain", path, "0 1"]) == 0
    assert "Why a" in capsys.readouterr().out
    (tmp_path / "x.csv").write_text("p,q,y\n0,1,0\n")
    assert main(["predict", path, str(tmp_path / "x.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == ["a"]


def test_a_label_that_is_no_column(gates, tmp_path, capsys) -> None:
    for names in ("nor,xor", "xor,nor", "nor,and,xor", "xor,xnor"):
        assert main(["train", gates, "--label", names, "-o", str(tmp_path / "m")]) == 1
        assert "no column 'xor' for the label" in capsys.readouterr().err


def test_commands_that_know_several_labels_offer_them(capsys) -> None:
    each = {"train": "a neuron", "evaluate": "a neuron", "tune": "a neuron", "certify": "a proof"}
    for command, what in each.items():
        assert main([command, "--help"]) == 0
        assert " ".join(capsys.readouterr().out.split()).count(f"{what} for each") == 1


def test_rows_are_held_out_with_their_labels(tmp_path, capsys) -> None:
    path, model = tmp_path / "many.csv", str(tmp_path / "many.hardlimit")
    rows = [f"{a},{b},{int(a > 0)},{int(a + b > 3)}" for a in range(-9, 9) for b in range(9)]
    path.write_text("\n".join(["a,b,p,q", *rows]) + "\n")
    words = ["train", str(path), "--label", "p,q", "--holdout", "0.25", "-o", model]
    assert main(words) == 0
    assert "Measured on held-out rows" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] + found["held_out"]["rows"] == len(rows)
    assert abs(found["held_out"]["rows"] - len(rows) / 4) < 3
    assert main(["inspect", model]) == 0
    assert "exact match" in capsys.readouterr().out
    assert main(["train", str(path), "--train-from", model, "--holdout", "0.5", "-o", model]) == 0


@pytest.mark.parametrize("way", [[], ["--stream"], ["--cluster", "threads:2"]], ids=str)
def test_a_threshold_of_columns_of_words(way, tmp_path) -> None:
    rows = "".join(f"{n % 7},{n % 3},{'ny'[n % 7 > 3]},{'ny'[n % 3 > 1]}\n" for n in range(90))
    (tmp_path / "t.csv").write_text("a,b,p,q\n" + rows)
    words = ["--label", "p,q", "--max-f1", "--holdout", "0.3", "-o", str(tmp_path / "m")]
    assert main(["train", str(tmp_path / "t.csv"), *words, *way]) == 0
    assert load(tmp_path / "m").predict([[6, 0], [0, 2]]).tolist() == [["y", "n"], ["n", "y"]]


@pytest.fixture
def probable(tmp_path, capsys):
    """A model of two columns with probabilities, its file, and rows near the border."""
    rows = [(k % 17 - 8, k % 13 - 6) for k in range(200)]
    path, new = tmp_path / "rows.csv", str(tmp_path / "probable")
    lines = [f"{a},{b},{int(a > k % 3 - 1)},{'yes' if b > 0 else 'no'}"
             for k, (a, b) in enumerate(rows)]  # fmt: skip
    path.write_text("a,b,p,q\n" + "\n".join(lines) + "\n")
    assert main(["train", str(path), "--label", "p,q", "--probability", "-o", new]) == 0
    capsys.readouterr()
    return new, str(path), rows


def test_probabilities_of_columns_of_labels(probable, capsys) -> None:
    new, path, rows = probable
    assert main(["predict", new, path, "--probability", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    second = load(new).predict_proba(rows)
    # An exponent is a sum of sizes below 50, and a share moves by a quarter of its error at most.
    for one, p in zip(found, second, strict=True):
        for name, value, known in zip("pq", p, (1, "yes"), strict=True):
            is_second = one["labels"][name] == known
            wanted = value if is_second else 1 - value
            assert wanted >= 0.5 and one["probabilities"][name] == near(wanted, 200)
    assert main(["predict", new, path, "--min-probability", "0.9"]) == 0
    answers = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    for one, said in zip(found, answers, strict=True):
        for name, text, shown in zip("pq", said[:2], said[2:], strict=True):
            p, value = one["probabilities"][name], one["labels"][name]
            assert text == f"{name}={value if p >= 0.9 else '?'}" and shown == f"{p:.4f}"
    assert "?" in {text[2:] for said in answers for text in said}


def test_figures_of_probable_answers(probable, capsys) -> None:
    new, path, _ = probable
    assert main(["predict", new, path, "--probability", "--json"]) == 0
    p = [json.loads(line)["probabilities"] for line in capsys.readouterr().out.splitlines()]
    assert main(["evaluate", new, path, "--min-probability", "0.9", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    sure = found["confident"]
    assert sure["answers"] == sum(one >= 0.9 for row in p for one in row.values())
    assert sure["coverage"] == sure["answers"] / 400 and sure["accuracy"] > found["exact_match"]
    assert main(["evaluate", new, path, "--min-probability", "0.9"]) == 0
    assert f"{sure['answers']} of 400 answers" in capsys.readouterr().out


def test_few_of_many_labels_are_shown(tmp_path, capsys) -> None:
    names = [f"n{k}" for k in range(25)]
    path, new = tmp_path / "rows.csv", str(tmp_path / "new")
    rows = ["1,0," + ",".join("1" * 25), "0,1," + ",".join("0" * 25)]
    path.write_text("a,b," + ",".join(names) + "\n" + "\n".join(rows) + "\n")
    assert main(["train", str(path), "--label", ",".join(names), "-o", new]) == 0
    capsys.readouterr()
    assert main(["evaluate", new, str(path)]) == 0
    out = capsys.readouterr().out
    assert "n19" in out and "n20" not in out and "... and 5 more labels" in out
    assert main(["evaluate", new, str(path), "--all-classes"]) == 0
    assert "n24" in capsys.readouterr().out


def test_a_stream_learns_what_fit_stream_learns(probable, tmp_path, capsys) -> None:
    """Row by row in blocks, of CSV in one pass and of ARFF by a reader for each column."""
    _, path, rows = probable
    lines = [line.split(",") for line in Path(path).read_text().splitlines()[1:]]
    arff, new = tmp_path / "rows.arff", str(tmp_path / "streamed")
    kinds = ["a numeric", "b numeric", "p {0,1}", "q {no,yes}"]
    head = "".join(f"@attribute {kind}\n" for kind in kinds)
    arff.write_text(f"@relation r\n{head}@data\n" + "\n".join(map(",".join, lines)) + "\n")
    table = LabelColumns(("p", "q")).table([(int(line[2]), line[3]) for line in lines])
    twin = hl.LinearClassifier(max_iter=2).fit_stream(lambda: iter([(rows, table)]))
    for source in (path, str(arff)):
        words = ["train", source, "--label", "p,q", "--stream", "--epochs", "2", "-o", new]
        assert main(words) == 0
        found = load(new)
        assert found.coef_.tolist() == twin.coef_.tolist()
        said = [list(map(str, row)) for row in found.predict(rows[:9]).tolist()]
        assert said == [list(map(str, row)) for row in twin.predict(rows[:9]).tolist()]
    capsys.readouterr()


def test_rows_are_written_with_a_column_for_each_label(probable, tmp_path, capsys) -> None:
    new, path, _ = probable
    out = tmp_path / "out.csv"
    asked = ["--probability", "--scores", "--top", "1", "--explain", "1"]
    assert main(["predict", new, path, "-o", str(out), *asked]) == 0
    first = next(csv.DictReader(out.read_text().splitlines()))
    assert set("abpq") < set(first)
    for name in ("probability_p", "probability_q", "score_p", "score_q", "label_1", "terms"):
        assert first[name]
    assert main(["predict", new, path, "--json", *asked]) == 0
    shown = json.loads(capsys.readouterr().out.splitlines()[0])
    assert list(first.values())[4:6] == [str(shown["labels"][name]) for name in "pq"]
