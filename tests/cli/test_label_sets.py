"""Several labels a text from the command line: ``train --labels-separator``, answers, figures."""

from __future__ import annotations

import csv
import json
import random

import pytest

import hardlimit as hl
from hardlimit.cli import main

from ..making import said
from ..rounding import near

WORDS = {
    "sport": "goal match team coach league".split(),
    "price": "euro cheap sale cost discount".split(),
    "travel": "hotel flight beach train ticket".split(),
}
OTHER = "the a we you see today maybe again".split()


def drawn(rows: int, seed: int) -> list[tuple[str, list[str]]]:
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        labels = [label for label in WORDS if draw.random() < 0.4]
        words = [draw.choice(WORDS[label]) for label in labels for _ in range(2)]
        words += draw.choices(OTHER, k=5)
        draw.shuffle(words)
        found.append((" ".join(words), labels))
    return found


def write(path, rows, separator=","):
    name = str(path)
    with path.open("w", newline="", encoding="utf-8") as file:
        for number, (text, labels) in enumerate(rows):
            if name.endswith(".jsonl"):
                file.write(json.dumps({"text": text, "labels": labels}) + "\n")
            elif name.endswith(".txt"):
                file.write(" ".join([*(f"__label__{one}" for one in labels), text]) + "\n")
            else:
                delimiter = "\t" if name.endswith(".tsv") else ","
                writer = csv.writer(file, delimiter=delimiter)
                if not number:
                    writer.writerow(["text", "labels"])
                writer.writerow([text, separator.join(labels)])
    return name


@pytest.fixture
def train(tmp_path):
    return write(tmp_path / "train.csv", drawn(120, 0))


@pytest.fixture
def fresh(tmp_path):
    return write(tmp_path / "fresh.csv", drawn(40, 1))


@pytest.fixture
def model(train, tmp_path, capsys):
    path = str(tmp_path / "m.hardlimit")
    assert main(["train", train, "--labels-separator", ",", "--probability", "-o", path]) == 0
    found = capsys.readouterr()
    out = " ".join(found.out.split())
    assert "120 in 3 labels: " in out and "a neuron for each label" in out
    assert "rows have no label, of 120" in found.err
    return path


def test_the_model_is_that_of_python_and_prints_its_labels(model, train, fresh, capsys):
    rows = drawn(120, 0)
    clf = hl.TextClassifier(probability=True).fit([x for x, _ in rows], [y for _, y in rows])
    wanted = clf.predict([text for text, _ in drawn(40, 1)])
    lines = said(capsys, "predict", model, fresh).splitlines()
    assert [line.split("\t")[0] for line in lines] == [",".join(one) for one in wanted]
    found = [json.loads(x) for x in said(capsys, "predict", model, fresh, "--json").splitlines()]
    assert [tuple(one["labels"]) for one in found] == list(wanted)


@pytest.mark.parametrize("name", ["train.jsonl", "train.tsv", "train.txt"])
def test_lists_of_json_and_lines_of_fasttext_are_the_same_rows(name, model, tmp_path, capsys):
    file, test = (write(tmp_path / one, drawn(n, seed)) for one, n, seed in (
        (name, 120, 0), (name.replace("train", "test"), 40, 1)))  # fmt: skip
    other = str(tmp_path / "other.hardlimit")
    said(capsys, "train", file, "--labels-separator", ",", "--probability", "-o", other)
    ours = said(capsys, "predict", model, write(tmp_path / "test.csv", drawn(40, 1)))
    assert said(capsys, "predict", other, test) == ours
    same = [said(capsys, "evaluate", one, test) for one in (model, other)]
    assert same[0] == same[1]


@pytest.mark.parametrize("separator", [";", " | ", "|", ".", "::", "\t", " "])
def test_any_text_parts_the_labels(separator, train, tmp_path, capsys):
    file = write(tmp_path / "odd.csv", drawn(120, 0), separator)
    one, other = str(tmp_path / "1.hardlimit"), str(tmp_path / "2.hardlimit")
    asked = {"\t": "tab"}.get(separator, separator)
    said(capsys, "train", file, "--labels-separator", asked, "-o", one)
    said(capsys, "train", train, "--labels-separator", ",", "-o", other)
    lines = [said(capsys, "predict", path, train).splitlines() for path in (one, other)]
    firsts = [[line.rpartition("\t")[0] for line in of] for of in lines]
    assert firsts[0] == [line.replace(",", separator) for line in firsts[1]]


def test_figures_are_those_of_scikit_learn(model, fresh, capsys):
    metrics = pytest.importorskip("sklearn.metrics")
    np = pytest.importorskip("numpy")
    clf = hl.load(model)
    rows = drawn(40, 1)
    truth = np.array([[label in y for label in clf.classes_] for _, y in rows])
    scores = clf.decision_function([text for text, _ in rows])
    answers = scores > 0
    found = json.loads(said(capsys, "evaluate", model, fresh, "--json"))
    assert found["subset_accuracy"] == metrics.accuracy_score(truth, answers)
    assert found["hamming_loss"] == near(metrics.hamming_loss(truth, answers), 2000)
    for average in ("micro", "macro"):
        f1 = metrics.f1_score(truth, answers, average=average, zero_division=0)
        assert found[f"{average}_f1"] == near(f1, 2000)
    ranking = found["ranking"]
    assert ranking["coverage"] == near(metrics.coverage_error(truth, scores), 2000)
    assert ranking["ranking_loss"] == near(metrics.label_ranking_loss(truth, scores), 2000)
    precision = metrics.label_ranking_average_precision_score(truth, scores)
    assert ranking["average_precision"] == near(precision, 2000)
    text = said(capsys, "evaluate", model, fresh)
    for word in ("exact match", "micro-F1", "macro-F1", "Hamming loss", "one-error", "coverage"):
        assert word in text


def test_labels_that_are_likely_enough(model, fresh, capsys):
    p = hl.load(model).predict_proba([text for text, _ in drawn(40, 1)])
    for least in (0.05, 0.95):
        lines = said(capsys, "predict", model, fresh, "--min-probability", least).splitlines()
        counts = [len(line.split("\t")[0].split(",")) * bool(line[0] != "\t") for line in lines]
        assert counts == (p >= least).sum(axis=1).tolist()
    out = said(capsys, "evaluate", model, fresh, "--min-probability", "0.9")
    assert "Labels of a probability of at least 0.9" in out


def test_scores_are_printed_once(model, fresh, capsys):
    line = said(capsys, "predict", model, fresh, "--top", "2", "--scores").splitlines()[0]
    assert sum("=" in part for part in line.split("\t")) == 2 + 3  # probabilities, then scores
    best = json.loads(said(capsys, "predict", model, fresh, "--json", "--top", "3").splitlines()[0])
    values = [one["probability"] for one in best["top"]]
    assert values == sorted(values, reverse=True)


def test_rows_come_back_with_their_labels(model, fresh, tmp_path, capsys):
    out = tmp_path / "out.csv"
    said(capsys, "predict", model, fresh, "-o", out)
    with out.open(encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    assert list(first) == ["text", "labels", "predicted_labels", "score", "known_features"]
    lines = tmp_path / "out.jsonl"
    said(capsys, "predict", model, fresh, "-o", lines)
    row = json.loads(lines.read_text().splitlines()[0])
    assert row["predicted_labels"] == [x for x in first["predicted_labels"].split(",") if x]


def test_a_label_is_an_exit_status(model, tmp_path, capsys):
    one = write(tmp_path / "one.csv", [(" ".join(2 * WORDS["price"]), [])])
    assert main(["predict", model, one, "--exit-status", "price"]) == 0
    assert main(["predict", model, one, "--exit-status", "travel"]) == 1
    assert main(["predict", model, one, "--exit-status", "news"]) == 2
    capsys.readouterr()


def test_rows_are_held_out_with_all_their_labels(train, tmp_path, capsys):
    path = str(tmp_path / "m.hardlimit")
    words = ["--labels-separator", ",", "--holdout", "0.25", "--keep", "all"]
    out = said(capsys, "train", train, *words, "-o", path)
    assert "Measured on held-out rows" in out and "exact match" in out and "read-out" in out
    found = json.loads(said(capsys, "train", train, *words, "-o", path, "--json"))
    assert found["held_out"]["n"] == 30 and found["rows"] == 90
    counts = {one["label"]: one["support"] for one in found["held_out"]["labels"]}
    for label, n in counts.items():  # each label has its quarter
        assert abs(n - 0.25 * (n + found["labels"][label])) <= 2


def test_a_model_learns_on(model, train, fresh, tmp_path, capsys):
    path = str(tmp_path / "more.hardlimit")
    out = said(capsys, "train", fresh, "--train-from", model, "-o", path)
    assert "rows answered as taught" in out
    rows = drawn(40, 1)
    clf = hl.load(model).partial_fit([x for x, _ in rows], [y for _, y in rows])
    clf.save(tmp_path / "ours")
    assert (hl.load(path).coef_ == hl.load(tmp_path / "ours").coef_).all()
    other = write(tmp_path / "other.csv", [("some news", ["news"])])
    assert main(["train", other, "--train-from", model, "-o", path]) == 1
    assert "'news', which is none of the classes" in capsys.readouterr().err
    said(capsys, "train", train, "--labels-separator", ",", "--start", model, "-o", path)


def test_odd_cells(tmp_path, capsys):
    file = tmp_path / "odd.csv"
    rows = ['a goal," sport,,sport"', "a sale,price", 'both,"price , sport,"', "none,"]
    file.write_text("\n".join(["text,labels", *rows]) + "\n")
    path = str(tmp_path / "m.hardlimit")
    assert main(["train", str(file), "--labels-separator", ",", "-o", path]) == 0
    err = capsys.readouterr().err
    assert "1 row has no label, of 4" in err
    assert "2 labels are empty, beside the separator ','; left out" in err
    assert "1 label comes twice in one row; counted once" in err
    assert hl.load(path).classes_.tolist() == ["price", "sport"]


@pytest.mark.parametrize(
    ("row", "words", "said"),
    [
        ('{"text": "x", "labels": ["a,b"]}', ["--labels-separator", ","], "holds the separator"),
        ('{"text": "x", "labels": [["a"]]}', ["--labels-separator", ","], "wanted a label"),
        ('{"text": "x", "labels": []}', ["--labels-separator", ","], "no row has a label"),
        ('{"text": "x", "label": ["a"]}', [], "say --labels-separator ,"),
        ('{"text": "x", "labels": ["a"]}', ["--labels-separator", ""], "one character or more"),
    ],
)  # fmt: skip
def test_what_is_no_set_of_labels_is_refused(row, words, said, tmp_path, capsys):
    file = tmp_path / "bad.jsonl"
    file.write_text(row + "\n")
    assert main(["train", str(file), *words, "-o", str(tmp_path / "m")]) != 0
    assert said in " ".join(capsys.readouterr().err.split())


def test_labels_that_the_model_does_not_know_are_errors(model, tmp_path, capsys):
    file = write(tmp_path / "t.csv", [("goal match", ["sport", "news"]), ("we see", [])])
    assert main(["evaluate", model, file]) == 0
    found = capsys.readouterr()
    assert "labels that the model does not know, counted as errors: news (1)" in found.err
    assert "1 have all labels right" in " ".join(found.out.split())


def test_each_predicted_label_is_explained(model, tmp_path, capsys):
    text = " ".join([*WORDS["sport"], *WORDS["price"]])
    out = said(capsys, "explain", model, text)
    assert "Why sport" in out and "Why price" in out and "Why travel" not in out
    found = json.loads(said(capsys, "explain", model, text, "--json"))["labels"]
    clf = hl.load(model)
    assert found["sport"]["score"] == clf.explain(text, label="sport").score
    assert (found["sport"]["label"], found["sport"]["against"]) == ("sport", "not sport")
    out = said(capsys, "explain", model, text, "--label", "travel")
    assert "Why not travel" in out and "not travel  (score +" in out
    file = write(tmp_path / "rows.csv", [("we see", []), (text, [])])
    assert said(capsys, "explain", model, file, "--row", "2") == said(
        capsys, "explain", model, text
    )
    page = tmp_path / "why.html"
    said(capsys, "explain", model, text, "--html", page)
    assert "<h2>sport: sport</h2>" in page.read_text()
    assert main(["explain", model, text, "--label", "news"]) == 2
    assert main(["explain", model, text, "--against", "price"]) == 2
    assert main(["explain", model, file, "--row", "9"]) == 2
    err = capsys.readouterr().err
    assert "no label 'news'" in err and "learnt by itself" in err and "has 2 rows" in err


def test_inspect_and_report_know_the_labels(model, fresh, tmp_path, capsys):
    out = " ".join(said(capsys, "inspect", model).split())
    assert "Most telling terms of each label" in out and "labels parted by ','" in out
    assert "1 / (1 + exp(-" in out and "each label when its score exceeds 0" in out
    page = tmp_path / "r.html"
    said(capsys, "report", model, fresh, "-o", page)
    text = page.read_text()
    assert "Each label by itself" in text and "all labels correct" in text
    assert "Precision and recall of all labels together" in text
    other = write(tmp_path / "other.csv", [("goal match", ["sport", "news"]), ("we see", [])] * 9)
    assert main(["report", model, other, "-o", str(page)]) == 0
    err = " ".join(capsys.readouterr().err.split())
    assert "does not know, left out of the figures: news (9)" in err
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"text": "goal match"}\n' * 5)
    assert main(["report", model, str(bare), "-o", str(page)]) == 0


def test_one_threshold_for_all_labels(fresh, tmp_path, capsys):
    path = str(tmp_path / "m.hardlimit")
    draw = random.Random(0)  # labels that were forgotten, so that a label is too rarely predicted
    rows = [(text, [x for x in labels if draw.random() < 0.55]) for text, labels in drawn(160, 2)]
    train = write(tmp_path / "forgotten.csv", rows)
    out = said(capsys, "train", train, "--labels-separator", ",", "--max-f1", "-o", path)
    assert "Decision threshold of all labels" in out
    clf = hl.load(path)
    texts = [text for text, _ in drawn(40, 1)]
    scores = clf.decision_function(texts)
    wanted = [
        tuple(label for label, one in zip(clf.classes_.tolist(), row, strict=True) if one)
        for row in scores > clf.threshold_
    ]
    assert clf.threshold_ != 0 and clf.predict(texts).tolist() == wanted
    lines = said(capsys, "predict", path, fresh).splitlines()
    assert [line.split("\t")[0] for line in lines] == [",".join(one) for one in wanted]
    found = json.loads(said(capsys, "evaluate", path, fresh, "--json"))
    assert found["subset_accuracy"] == clf.score(texts, [y for _, y in drawn(40, 1)])
    assert f"exceeds {clf.threshold_:.4g}" in " ".join(said(capsys, "inspect", path).split())
    for text, labels in zip(texts[:5], wanted, strict=False):
        for label in clf.classes_.tolist():
            assert clf.explain(text, label=label).label == (label in labels)


def test_the_training_file_is_no_test(train, fresh, tmp_path, capsys):
    path = str(tmp_path / "m.hardlimit")
    said(capsys, "train", train, "--labels-separator", ",", "-o", path)
    note = "the model was trained on these very rows"
    for words in (("evaluate", path, train), ("report", path, train, "-o", str(tmp_path / "r"))):
        for file, known in ((train, True), (fresh, False)):
            assert main([file if word == train else word for word in words]) == 0
            assert (note in " ".join(capsys.readouterr().err.split())) == known
    assert "of 120 are also in the training file" not in (tmp_path / "r").read_text()
    said(capsys, "train", train, fresh, "--labels-separator", ",", "-o", path)
    for files, known in (((train, fresh), True), ((train,), False)):
        assert main(["evaluate", path, *files]) == 0
        assert (note in " ".join(capsys.readouterr().err.split())) == known


def test_standard_input_is_known_too(train, tmp_path, hardlimit):
    path = tmp_path / "m.hardlimit"
    with open(train, newline="", encoding="utf-8") as file:
        text = file.read()
    assert hardlimit("train", train, "--labels-separator", ",", "-o", path).returncode == 0
    done = hardlimit("evaluate", path, "-", "--format", "csv", given=text)
    assert "trained on these very rows" in " ".join(done.stderr.split()), done.stderr
    done = hardlimit("evaluate", path, "-", "--format", "csv", given=text + "goal,sport\n")
    assert done.returncode == 0 and "very rows" not in done.stderr


def test_json_on_standard_input_may_have_its_labels(model, tmp_path, hardlimit):
    line = json.dumps({"text": "goal match team", "label": ["price"]})
    done = hardlimit("predict", model, given=line + "\n")
    assert done.stdout.startswith("sport\t"), done.stderr


def test_a_search_learns_several_labels(train, tmp_path, capsys):
    path = str(tmp_path / "m.hardlimit")
    words = [
        "--features",
        "words=1-1",
        "--rule",
        "passive-aggressive:C=0.3,1",
        "--folds",
        "3",
        "--scoring",
        "micro-f1",
    ]
    out = said(capsys, "tune", train, "--labels-separator", ",", *words, "-o", path)
    assert "micro-f1" in out and "labels" in out
    assert "," in said(capsys, "predict", path, train)
