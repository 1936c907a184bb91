"""A stream of rows of numbers gives the model of a fit, bit for bit."""

import numpy as np
import pytest
import scipy.sparse

import hardlimit as hl
from hardlimit import orders, rules
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import HardlimitError

from ....making import saved

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(400, 7)) * (RANDOM.random((400, 7)) < 0.6)
Y = np.digitize(X @ RANDOM.normal(size=7), [-0.5, 0.5])


class OwnScaling(hl.scaling.Scaling):
    """Of a user: it wants all rows at once."""


GIVEN = {"order": orders.Stream(64), "max_iter": 3, "until": None}


def batches(rows=X, labels=Y, size=90):
    return [(rows[i : i + size], labels[i : i + size]) for i in range(0, len(labels), size)]


@pytest.mark.parametrize(
    "given",
    [
        {"scale": "standard"},
        {"scale": "maxabs", "class_weight": {1: 0}},
        {"rule": rules.AROW(covariance="full")},
        {"bias_feature": 3.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_matrix, np.float32])
def test_other_choices_and_kinds_of_rows(given, kind, tmp_path):
    rows = kind(X)
    fitted = hl.LinearClassifier(**{**GIVEN, **given}).fit(rows, Y)
    parts = [(rows[i : i + 90], Y[i : i + 90]) for i in range(0, 400, 90)]
    stream = hl.LinearClassifier(**{**GIVEN, **given}).fit_stream(parts)
    assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")


def test_weights_are_those_of_a_fit(tmp_path):
    weights = RANDOM.choice([0, 0.5, 2], 400)
    given = {**GIVEN, "rule": "passive-aggressive", "class_weight": {1: 0.3}}
    fitted = hl.LinearClassifier(**given).fit(X, Y, sample_weight=weights)
    parts = [(X[i : i + 90], Y[i : i + 90], weights[i : i + 90]) for i in range(0, 400, 90)]
    stream = hl.LinearClassifier(**given).fit_stream(parts)
    assert (stream.coef_ == fitted.coef_).all()
    assert stream.n_training_errors_ == fitted.n_training_errors_


def test_names_of_columns_are_those_of_the_first_batch():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcdefg"))
    parts = [(frame[i : i + 90], Y[i : i + 90]) for i in range(0, 400, 90)]
    clf = hl.LinearClassifier(**GIVEN).fit_stream(parts)
    assert clf.feature_names_in_.tolist() == list("abcdefg")
    parts[2] = (parts[2][0].rename(columns={"c": "z"}), parts[2][1])
    with pytest.raises(HardlimitError, match="'c'"):
        clf.fit_stream(parts)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"scale": OwnScaling()}, "measured on all rows"),
        ({"map": hl.maps.Cross(which="seen")}, "which columns occur together"),
        ({"schedule": "line-search", "rule": "relaxation", "order": "batch"}, "fit_stream"),
    ],
)
def test_what_needs_all_rows_is_refused(given, said):
    with pytest.raises(HardlimitError, match=said):
        hl.LinearClassifier(**{**GIVEN, **given}).fit_stream(batches())


def test_batches_of_other_widths_are_refused():
    with pytest.raises(HardlimitError, match=r"batches\[1\].*6 columns.*7"):
        hl.LinearClassifier(**GIVEN).fit_stream([(X, Y), (X[:, :6], Y)])


def test_values_that_are_not_finite_are_refused():
    rows = X.copy()
    rows[300, 2] = np.nan
    with pytest.raises(HardlimitError, match="NaN"):
        hl.LinearClassifier(**GIVEN).fit_stream(batches(rows))


def test_a_scale_is_measured_over_columns_that_come_late(tmp_path):
    matrix = scipy.sparse.csr_matrix(X)

    def growing():
        for at in range(0, 400, 90):
            part = matrix[at : at + 90]
            width = 5 if at < 180 and not part[:, 5:].nnz else 7
            yield Csr(part.indptr, part.indices, part.data, width, grows=True), Y[at : at + 90]

    rows = X.copy()
    rows[:180, 5:] = 0
    matrix = scipy.sparse.csr_matrix(rows)
    for scale in ("standard", "maxabs"):
        fitted = hl.LinearClassifier(**GIVEN, scale=scale).fit(matrix, Y)
        stream = hl.LinearClassifier(**GIVEN, scale=scale).fit_stream(growing)
        assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")


def test_what_is_measured_wants_rows_that_begin_anew():
    with pytest.raises(HardlimitError, match="come once.*columns are measured"):
        hl.LinearClassifier(**GIVEN, scale="standard").fit_stream(once := iter(batches()))
    assert len(list(once)) == len(list(batches()))  # refused before any of them was read
    passes = []
    clf = hl.LinearClassifier(**GIVEN, scale="standard", class_weight="balanced")
    clf.fit_stream(batches(), announce=lambda plan: passes.extend(plan.passes))
    assert passes == ["measure columns", "measure columns", "learn"]
