"""``hardlimit export``: what is written, what is said, what is refused."""

import json

import numpy as np
import pytest
from tests.classifiers.exporting.reading import OnnxFile

import hardlimit as hl

from ....making import said

ROWS = "id,height,width,label\n1,0.5,2,yes\n2,1.5,1,no\n3,0.1,3,yes\n4,2,0.5,no\n5,3,1,no\n"
TRAIN = ("train", "t.csv", "-o", "m", "--label", "label", "--drop", "id", "-q")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(ROWS)
    return tmp_path


def test_a_trained_model_is_exported_with_its_columns(files, capsys):
    said(capsys, *TRAIN, "--probability", "--scale", "standard")
    out = said(capsys, "export", "m", "-o", "m.onnx")
    assert "X: float64, rows of 2 columns, in this order: height, width" in out
    file = OnnxFile((files / "m.onnx").read_bytes())
    assert json.loads(file.properties["feature_names"]) == ["height", "width"]
    assert list(file.outputs) == ["label", "probabilities", "scores"]
    X = np.array([[0.5, 2], [3.0, 1]])
    assert file.run(X)["label"].tolist() == hl.load("m").predict(X).tolist()
    told = json.loads(said(capsys, "export", "m", "-o", "m.onnx", "--json", "--dtype", "float32"))
    assert told["outputs"] == list(file.outputs) and told["columns"] == ["height", "width"]
    assert told["bytes"] == (files / "m.onnx").stat().st_size
    assert told["dtype"] == "float32" and told["inputs"] == {"X": ["N", 2]}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--kernel", "rbf:0.5"), "supports"),
        (("--map", "polynomial:2"), "feature map"),
        (("--readout", "voted"), "a vote has no single weights"),
    ],
)
def test_what_has_no_onnx_file_is_refused_by_name(words, reason, files, capsys):
    said(capsys, *TRAIN, *words)
    err = said(capsys, "export", "m", "-o", "m.onnx", code=1)
    assert err.startswith("error: m: ") and reason in err
    assert not (files / "m.onnx").exists()


def test_texts_and_outputs_that_are_inputs_are_refused(files, capsys):
    said(capsys, "make", "-o", "m", "--weight", "free=1")
    assert "no operators for texts" in said(capsys, "export", "m", "-o", "x", code=1)
    assert "would overwrite" in said(capsys, "export", "m", "-o", "m", code=2)
    assert "-o wants a file" in said(capsys, "export", "m", "-o", "-", code=2)
    assert "no such file" in said(capsys, "export", "n", "-o", "x", code=1)
