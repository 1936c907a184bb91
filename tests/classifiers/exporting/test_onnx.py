"""ONNX files compute what the model computes: by numpy, and by onnxruntime where it is there."""

import itertools
import json
import os
import sys
from unittest import mock

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import maps
from hardlimit.exceptions import FileError, InputError, MissingExtraError, NotFittedError

from .reading import OnnxFile

RNG = np.random.default_rng(0)
X = (RNG.normal(size=(90, 6)) * [1, 10, 100, 1, 1, 1] + [0, 0, 3, 0, 0, 0]).round(2)
X[7] = 0.0
NUMBERS = np.clip((X[:, 0] * 2 + X[:, 3]).round(), -1, 1).astype(int)
LABELS = {
    "texts": np.array([f"kläss {n}" for n in NUMBERS]),
    "whole": NUMBERS,
    "floats": NUMBERS * 2.0,
    "two": np.where(NUMBERS > 0, "yes", "no"),
    "truth": NUMBERS > 0,
}
SCALES = ["none", "rows", "maxabs", "standard"]
# Of float32: of the largest score; its labels are compared where scores do not nearly tie.
TOLERANCE = {"float64": 1e-13, "float32": 1e-5}


def exported(clf, path, dtype="float64"):
    clf.to_onnx(path, dtype=dtype)
    return OnnxFile(path.read_bytes())


def by_runtime(path, rows):
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(os.fspath(path), providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_outputs()]
    return dict(zip(names, session.run(None, {"X": rows}), strict=True))


def check(clf, found, rows, dtype):
    scores = clf.decision_function(rows)
    most = TOLERANCE[dtype] * abs(scores).max()
    assert found["scores"].shape == scores.shape
    assert abs(found["scores"] - scores).max() <= most
    wide = np.sort(scores if scores.ndim == 2 else np.column_stack([scores * 0, scores]), 1)
    clear = wide[:, -1] - wide[:, -2] > 2 * most
    assert clear.mean() > 0.95
    assert found["label"][clear].tolist() == clf.predict(rows)[clear].tolist()
    if "probabilities" in found:
        assert abs(found["probabilities"] - clf.predict_proba(rows)).max() <= TOLERANCE[dtype]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", LABELS)
def test_it_computes_what_the_model_computes(kind, scale, dtype, tmp_path):
    chosen = {"scale": scale, "bias_feature": 0.5, "probability": kind in ("texts", "two")}
    clf = hl.LinearClassifier("arow", max_iter=2, until=None, **chosen).fit(X, LABELS[kind])
    if kind == "two":
        clf.threshold_ = 0.25
    file = exported(clf, tmp_path / "m.onnx", dtype)
    assert (file.format, file.operators) == (7, 13)
    assert file.inputs == {"X": ({"float32": 1, "float64": 11}[dtype], ["N", 6])}
    asked = ["label", "probabilities", "scores"] if clf.probability else ["label", "scores"]
    assert list(file.outputs) == asked
    check(clf, file.run(X.astype(dtype)), X, dtype)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_onnxruntime_computes_the_same(dtype, tmp_path):
    checker = pytest.importorskip("onnx", reason="pip install 'hardlimit[onnx]'").checker
    for kind, scale, probability in itertools.product(LABELS, SCALES, (False, True)):
        clf = hl.LinearClassifier(max_iter=2, until=None, scale=scale, probability=probability)
        clf.fit(X, LABELS[kind])
        clf.to_onnx(tmp_path / "m.onnx", dtype=dtype)
        checker.check_model(os.fspath(tmp_path / "m.onnx"), full_check=True)
        found = by_runtime(tmp_path / "m.onnx", X.astype(dtype))
        check(clf, found, X, dtype)
        assert found["label"].shape == (90,)


def test_onnxruntime_on_real_numbers(tmp_path):
    pytest.importorskip("onnxruntime", reason="pip install 'hardlimit[onnx]'")
    data = pytest.importorskip("sklearn.datasets")
    for load in (data.load_digits, data.load_iris, data.load_wine, data.load_breast_cancer):
        rows, y = load(return_X_y=True)
        clf = hl.LinearClassifier(max_iter=5, until=None, scale="standard", probability=True)
        clf.fit(rows, y).to_onnx(tmp_path / "m.onnx")
        found = by_runtime(tmp_path / "m.onnx", rows)
        assert found["label"].tolist() == clf.predict(rows).tolist()
        check(clf, found, rows, "float64")


def test_a_tie_goes_to_the_first_class(tmp_path):
    two = hl.LinearClassifier.from_weights([1.0, -1.0], classes=("a", "b"))
    many = hl.LinearClassifier.from_weights(np.eye(3), [0.0] * 3, classes=("a", "b", "c"))
    for clf, rows in ((two, [[1.0, 1.0]]), (many, [[0.0, 1.0, 1.0], [2.0, 2.0, 2.0]])):
        file = exported(clf, tmp_path / "m.onnx")
        assert file.run(np.array(rows))["label"].tolist() == clf.predict(rows).tolist()


def test_a_stream_and_an_estimator_are_exported_as_they_answer(tmp_path):
    clf = hl.LinearClassifier().partial_fit(X[:50], NUMBERS[:50], classes=[-1, 0, 1])
    check(clf, exported(clf, tmp_path / "m.onnx").run(X), X, "float64")
    pytest.importorskip("sklearn")
    for name in ("PerceptronClassifier", "BalancedWinnowClassifier", "SCWClassifier"):
        clf = getattr(hl, name)(max_iter=2, probability=True).fit(X, NUMBERS)
        file = exported(clf, tmp_path / "m.onnx")
        assert list(file.outputs) == ["label", "probabilities", "scores"]
        check(clf, file.run(X), X, "float64")


def test_same_model_same_bytes_and_names_of_columns(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=list("abcdef"))
    for path in ("one", "two"):
        hl.LinearClassifier(max_iter=2).fit(table, LABELS["two"]).to_onnx(tmp_path / path)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    file = OnnxFile((tmp_path / "one").read_bytes())
    assert json.loads(file.properties["feature_names"]) == list("abcdef")
    assert json.loads(file.properties["classes"]) == ["no", "yes"]
    assert file.says == "A linear classifier: 'yes' where the score exceeds 0.0, else 'no'."


def sets_of_labels():
    return hl.LinearClassifier(max_iter=1).fit(X, [{"a"} if n else {"b"} for n in NUMBERS])


def model_of_before(labels):
    """A model of labels that no release takes any more."""
    with mock.patch("hardlimit.classifiers.model.storable_labels.check_text"):
        return hl.LinearClassifier(max_iter=1).fit(X, labels)


REFUSED = {
    "texts": (
        lambda: hl.TextClassifier(max_iter=1).fit(["a b", "c d"], [0, 1]),
        "no operators for texts",
    ),
    "kernel": (lambda: hl.KernelClassifier(max_iter=1).fit(X, NUMBERS), "supports"),
    "votes": (
        lambda: hl.LinearClassifier(max_iter=1, keep="all", readout="voted").fit(X, NUMBERS),
        "a vote has no single weights; export readout='averaged'",
    ),
    "map": (lambda: hl.LinearClassifier(map=maps.Polynomial(1), max_iter=1).fit(X, NUMBERS), "map"),
    "several labels": (sets_of_labels, "several labels"),
    "mixed labels": (
        lambda: hl.LinearClassifier(max_iter=1).fit(X, [1 if n else "a" for n in NUMBERS]),
        "the labels: got int, str, wanted labels of one kind",
    ),
    "surrogates": (
        lambda: model_of_before(["a" if n else "\ud800" for n in NUMBERS]),
        "texts in Unicode",
    ),
    "huge labels": (
        lambda: hl.LinearClassifier(max_iter=1).fit(X, [10**30 if n else 0 for n in NUMBERS]),
        "whole numbers of 64 bits",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_onnx_cannot_express_is_refused_before_writing(name, tmp_path):
    make, said = REFUSED[name]
    path = tmp_path / "m.onnx"
    path.write_bytes(b"before")
    with pytest.raises(InputError, match=said) as caught:
        make().to_onnx(path)
    assert caught.value.fix and path.read_bytes() == b"before"


def test_single_precision_must_hold_the_numbers(tmp_path):
    for weights in ([1e39, 1.0], [-1e308, 1.0]):
        clf = hl.LinearClassifier.from_weights(weights)
        clf.to_onnx(tmp_path / "m.onnx")
        with pytest.raises(InputError, match="out of the range of float32"):
            clf.to_onnx(tmp_path / "m.onnx", dtype="float32")
    tiny = hl.LinearClassifier(scale="maxabs").fit([[1e-60], [-1e-60]], [0, 1])
    with pytest.raises(InputError, match="out of the range of float32"):
        tiny.to_onnx(tmp_path / "m.onnx", dtype="float32")


def test_a_file_that_would_be_too_large_is_refused(tmp_path, monkeypatch):
    clf = hl.LinearClassifier(max_iter=1).fit(X, LABELS["texts"])
    clf.to_onnx(tmp_path / "m.onnx")
    size = (tmp_path / "m.onnx").stat().st_size
    # By the weights alone, and by the file as a whole.
    for most in (100, size - 1):
        monkeypatch.setattr("hardlimit.classifiers.exporting.onnx.MOST_BYTES", most)
        with pytest.raises(InputError, match="less than 2 GiB"):
            clf.to_onnx(tmp_path / "n.onnx")
    assert not (tmp_path / "n.onnx").exists()


@pytest.mark.parametrize("dtype", ["float16", None, np.float64, 3, ["float32"]])
def test_other_types_are_refused(dtype, tmp_path):
    clf = hl.LinearClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(InputError, match="float64 or float32"):
        clf.to_onnx(tmp_path / "m.onnx", dtype=dtype)


def test_before_a_fit_and_where_nothing_can_be_written(tmp_path):
    with pytest.raises(NotFittedError):
        hl.LinearClassifier().to_onnx(tmp_path / "m")
    with pytest.raises(FileError):
        hl.LinearClassifier().fit([[0.0], [1.0]], [0, 1]).to_onnx(tmp_path / "no" / "m")


def test_without_the_package_it_says_what_installs_it(tmp_path, monkeypatch):
    clf = hl.LinearClassifier().fit([[0.0], [1.0]], [0, 1])
    monkeypatch.setitem(sys.modules, "onnx", None)
    for name in ("onnx", "onnx_tables", "graph"):
        monkeypatch.delitem(sys.modules, f"hardlimit.classifiers.exporting.{name}", raising=False)
    monkeypatch.delattr("hardlimit.classifiers.exporting.onnx", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'hardlimit\[onnx\]'"):
        clf.to_onnx(tmp_path / "m.onnx")
