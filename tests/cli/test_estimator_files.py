"""What was trained in scikit-learn and saved is known to the command line, without scikit-learn."""

import json

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone

import hardlimit as hl

from ..making import said

pandas = pytest.importorskip("pandas")

ROWS = np.random.default_rng(0).normal(size=(60, 3)).round(3)
LABELS = np.where(ROWS[:, 0] + ROWS[:, 1] > 0, "yes", "no")


@pytest.fixture
def table():
    return pandas.DataFrame(ROWS, columns=["height", "width", "age"])


@pytest.fixture(
    params=[
        hl.AROWClassifier(max_iter=2, scale="standard", probability=True),
        hl.VotedPerceptronClassifier(max_iter=2),
        hl.KernelPerceptronClassifier(max_iter=2),
    ],
    ids=lambda clf: type(clf).__name__,
)
def saved(request, table, tmp_path):
    clf = clone(request.param).fit(table, LABELS)  # parameters live as long as the run
    clf.save(tmp_path / "m.hardlimit")
    # Another order of the columns: they are found by their names.
    table[["age", "height", "width"]].assign(label=LABELS).to_csv(tmp_path / "t.csv", index=False)
    return clf, str(tmp_path / "m.hardlimit"), str(tmp_path / "t.csv")


def test_predict_inspect_and_evaluate_know_it(saved, table, capsys):
    clf, model, rows = saved
    labels = said(capsys, "predict", model, rows).split()[::2]
    assert labels == clf.predict(table).tolist()
    assert json.loads(said(capsys, "inspect", model, "--json"))["estimator"] == type(clf).__name__
    assert type(clf).__name__ in said(capsys, "inspect", model)
    measured = json.loads(said(capsys, "evaluate", model, rows, "--label", "label", "--json"))
    assert measured["accuracy"] == clf.score(table, LABELS)


def test_what_the_command_line_goes_on_with_is_an_estimator_again(table, capsys, tmp_path):
    clf = hl.PerceptronClassifier(max_iter=2).fit(table, LABELS)
    model, taught, rows = (tmp_path / name for name in ("m", "taught", "t.csv"))
    clf.save(model)
    table.assign(label=LABELS).to_csv(rows, index=False)
    said(capsys, "train", rows, "--train-from", model, "-o", taught, "--label", "label", "-q")
    loaded = hl.load(taught)
    assert repr(loaded) == repr(clf)
    clf.partial_fit(table, LABELS)
    assert np.array_equal(loaded.decision_function(table), clf.decision_function(table))
