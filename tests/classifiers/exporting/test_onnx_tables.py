"""ONNX files of mixed tables: an input a column, and the scores of the model."""

import os
import random

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import InputError

from ...rounding import roundings
from .reading import OnnxFile

DRAW = random.Random(1)
# Names that a graph could have for what is its own.
ROWS = [
    {
        "W": DRAW.choice([1.5, 2.0, 3.0, None]),
        "best": DRAW.choice(["Ghent", "Brügge", "", "Rome"]),
        "classes": DRAW.gauss(40, 10),
    }
    for _ in range(120)
]
NEW = [
    *ROWS[:20],
    {"W": 4.0, "best": "Ostend", "classes": 3.0},
    {"W": None, "best": "", "classes": 1.0},
]


def labels(k):
    return ["abc"[int(row["classes"] / 10 + len(row["best"])) % k] for row in ROWS]


def inputs(rows, dtype):
    numbers = {
        n: np.array([[np.nan if r[n] is None else r[n]] for r in rows], dtype)
        for n in ("W", "classes")
    }
    return {**numbers, "best": np.array([[row["best"]] for row in rows])}


def by_runtime(path, given):
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(os.fspath(path), providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_outputs()]
    return dict(zip(names, session.run(None, given), strict=True))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("k", [2, 3])
def test_it_computes_what_the_model_computes(k, dtype, tmp_path):
    clf = hl.TableClassifier(missing="mean", probability=True).fit(ROWS, labels(k))
    path, given = tmp_path / "t.onnx", inputs(NEW, dtype)
    clf.save(tmp_path / "m", training_state=False)
    hl.load(tmp_path / "m").to_onnx(path, dtype=dtype)
    file = OnnxFile(path.read_bytes())
    assert file.domains == {"": 13, "ai.onnx.ml": 1}
    number = {"float64": 11, "float32": 1}[dtype]
    assert file.inputs == {
        "W": (number, ["N", 1]),
        "best": (8, ["N", 1]),
        "classes": (number, ["N", 1]),
    }
    assert [*file.outputs] == ["label", "probabilities", "scores"]
    most = {"float64": 1e-13, "float32": 1e-5}[dtype]
    for found in (file.run(given), *([by_runtime(path, given)] if _has_runtime() else [])):
        assert abs(found["scores"] - clf.decision_function(NEW)).max() <= most
        assert abs(found["probabilities"] - clf.predict_proba(NEW)).max() <= most
        assert found["label"].tolist() == clf.predict(NEW).tolist()


def _has_runtime():
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        return False
    return True


def test_columns_that_came_later_stand_in_their_places(tmp_path):
    clf = hl.TableClassifier(missing="mean").fit(ROWS[:60], labels(2)[:60])
    clf.partial_fit([{"W": 1.0, "best": "Ostend", "classes": 40.0}], ["b"])
    clf.to_onnx(tmp_path / "t.onnx")
    found = OnnxFile((tmp_path / "t.onnx").read_bytes()).run(inputs(NEW, "float64"))
    assert abs(found["scores"] - clf.decision_function(NEW)).max() <= 10 * roundings(100)


REFUSED = {
    "a text": ({"text_columns": ["best"]}, {}, "column 'best' is a text"),
    "a hash": ({"hash_categories": 4}, {}, "column 'best' has hashed categories"),
    "an output": ({}, {"classes": "scores"}, "column 'scores' would be an input"),
    "no name": ({}, {"classes": ""}, r"column '\(no name\)' would be"),
    "no Unicode": ({}, None, "no Unicode"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_onnx_cannot_express_is_named(name, tmp_path):
    given, renamed, said = REFUSED[name]
    rows = [{(renamed or {}).get(n, n): v for n, v in row.items()} for row in ROWS]
    if renamed is None:
        rows[0]["best"] = "\ud800"
    clf = hl.TableClassifier(missing="mean", **given).fit(rows, labels(2))
    with pytest.raises(InputError, match=said):
        clf.to_onnx(tmp_path / "t.onnx")
    assert not (tmp_path / "t.onnx").exists()


def test_single_precision_must_hold_the_means(tmp_path):
    rows = [{"x": 1e60 * k, "c": "ab"[k % 2]} for k in range(1, 9)]
    clf = hl.TableClassifier(max_iter=1).fit(rows, [0, 1] * 4)
    clf.to_onnx(tmp_path / "t.onnx")
    with pytest.raises(InputError, match="column 'x' is out of the range of float32"):
        clf.to_onnx(tmp_path / "t.onnx", dtype="float32")
