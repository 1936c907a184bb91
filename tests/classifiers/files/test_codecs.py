"""Every kind of model has a codec that knows no classifier; a file is of one moment."""

import ast
import copy
import threading
from pathlib import Path

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, model_file
from hardlimit.classifiers import KINDS, files
from hardlimit.exceptions import ModelFileError

FOLDER = Path(files.__file__).parent
FORMAT = Path(__file__).parents[3] / "docs" / "model-format.md"
FRONTS = {f"hardlimit.classifiers.{name}" for name in ("linear", "text", "table", "kernel", "base")}

X, Y = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0], [3.0, 1.0]]), [0, 1, 0, 1]
TEXTS = ["win a prize", "see you", "a prize", "you and me"]

FITTED = {
    "linear classifier": lambda: LinearClassifier(max_iter=2).fit(X, Y),
    "linear classifier of many labels": lambda: LinearClassifier(max_iter=2).fit(
        X, [{"a"}, {"a", "b"}, {"b"}, set()]
    ),
    "text classifier": lambda: TextClassifier(max_iter=2).fit(TEXTS, Y),
    "text classifier of many labels": lambda: TextClassifier(max_iter=2, probability=True).fit(
        TEXTS * 3, [{"a"}, {"a", "b"}, {"b"}, set()] * 3
    ),
    "classifier of text columns of many labels": lambda: TextClassifier(
        text_columns=("a", "b"), max_iter=2
    ).fit({"a": TEXTS, "b": TEXTS[::-1]}, [[0, 1], [1, 1], [1, 0], [0, 0]]),
    "classifier of text columns": lambda: TextClassifier(text_columns=("a", "b"), max_iter=2).fit(
        {"a": TEXTS, "b": TEXTS[::-1]}, Y
    ),
    "table classifier": lambda: hl.TableClassifier(max_iter=2).fit(
        {"a": TEXTS, "b": [1, 2, 3, 4], "c": ["x", "y", "x", "z"]}, Y
    ),
    "table classifier of many labels": lambda: hl.TableClassifier(max_iter=2).fit(
        {"a": TEXTS, "b": [1, 2, 3, 4], "c": ["x", "y", "x", "z"]},
        [{"p"}, {"q"}, set(), {"p", "q"}],
    ),
    "kernel classifier": lambda: KernelClassifier(max_iter=2).fit(X, Y),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_codec_reads_it_writes_again(kind, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    FITTED[kind]().save(first)
    file = model_file.open(first)
    assert file.kind == kind
    codec, classifier = KINDS[kind].imported()
    codec.write(codec.read(file), second, training_state=True)
    assert first.read_bytes() == second.read_bytes()
    assert type(hl.load(second)) is classifier


def test_the_format_names_every_kind():
    text = FORMAT.read_text()
    for kind in KINDS:
        assert f'"{kind}"' in text


def test_another_kind_is_refused(tmp_path):
    model_file.write(tmp_path / "m", {"kind": "picture"}, {"answer.pixels": b"abc"})
    with pytest.raises(ModelFileError, match="holds a 'picture', wanted a classifier"):
        hl.load(tmp_path / "m")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_codecs_know_no_classifier(path):
    tree = ast.parse(path.read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not imported & FRONTS
    assert not any(
        isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
        and not node.attr.startswith("__")
        for node in ast.walk(tree)
    )


def streaming(clf, rows, labels, stop):
    while not stop.is_set():
        clf.partial_fit(rows, labels)


@pytest.mark.parametrize(
    ("clf", "rows"),
    [
        (LinearClassifier("perceptron", readout="last"), X),
        (KernelClassifier(readout="last"), X),
        (TextClassifier(rule="perceptron", readout="last"), TEXTS),
    ],
    ids=["linear", "kernel", "text"],
)
def test_answer_and_state_are_of_one_moment(clf, rows, tmp_path):
    """A file that is saved while another thread learns holds one model, not parts of two."""
    clf = copy.deepcopy(clf)  # what the decorator holds is never freed, native state and all
    labels = [0, 1, 1, 0]
    clf.partial_fit(rows, labels)
    stop = threading.Event()
    thread = threading.Thread(target=streaming, args=(clf, rows, labels, stop))
    thread.start()
    try:
        for turn in range(15):
            clf.save(tmp_path / f"m{turn}")
    finally:
        stop.set()
        thread.join()
    for turn in range(15):
        loaded = hl.load(tmp_path / f"m{turn}")
        stored = loaded.decision_function(rows)
        now = loaded.with_readout("last").decision_function(rows)
        assert np.array_equal(stored, now)
