"""What a report is refused for, and what it takes although there is little of it."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, TextClassifier, load, reports
from hardlimit.exceptions import FileError, InputError, KindError, NotFittedError


@pytest.fixture(scope="module")
def numbers():
    return LinearClassifier().fit([[1.0, 0.0], [-1.0, 0.0]] * 3, [1, 0] * 3)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (("a text", ["ham"]), KindError, "wanted texts"),
        (([], []), InputError, "no rows"),
        ((["a", "b"], ["ham"]), InputError, "got 2 rows and 1 label in X"),
        (([1, 2], ["ham", "ham"]), KindError, "got int among the texts"),
        ((np.zeros((2, 2)), ["ham", "ham"]), KindError, "wanted texts"),
    ],
)
def test_texts_are_looked_at(texts, given, error, said):
    with pytest.raises(error, match=said):
        reports.report(texts[0], *given)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ((["a", "b"], [0, 1]), KindError, "wanted rows of numbers"),
        (([[1.0], [1.0, 2.0]], [0, 1]), InputError, "as many numbers each"),
        (([1.0, 2.0], [0, 1]), InputError, r"shape \(2,\)"),
        (([[1.0, np.nan]], [0]), InputError, "row 0, column 1"),
        (([[1.0, np.inf]], [0]), InputError, "row 0, column 1"),
        (([[1.0]], [0]), InputError, "1 column, wanted 2"),
        ((np.zeros((0, 2)), []), InputError, "no rows"),
    ],
)
def test_numbers_are_looked_at(numbers, given, error, said):
    with pytest.raises(error, match=said):
        reports.report(numbers, *given)


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(KindError, match="got int, wanted a fitted classifier"):
        reports.report(3, ["a"], [0])
    with pytest.raises(NotFittedError):
        reports.report(TextClassifier(), ["a"], [0])
    with pytest.raises(FileError):
        reports.report(tmp_path / "no-such.hardlimit", ["a"], [0])


def test_the_positive_class_must_be_one(texts, numbers):
    model, X, y = texts
    with pytest.raises(InputError, match="got positive='eggs', wanted 'ham' or 'spam'"):
        reports.report(model, X, y, positive="eggs")
    told = reports.report(model, X, y, positive="ham")
    assert "The positive class is <bdi>ham</bdi>" in told
    assert "The positive class is <bdi>spam</bdi>" in reports.report(model, X, y)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_few_rows(texts, rows, parsed):
    model, X, y = texts
    page = parsed(reports.report(model, X[:rows], y[:rows]))
    assert "the intervals are wide" in page.text


def test_one_class_only(texts, parsed):
    model, X, y = texts
    ham = [text for text, label in zip(X, y, strict=True) if label == "ham"]
    page = parsed(reports.report(model, ham, ["ham"] * len(ham)))
    assert "curves" not in page.sections()


def test_all_labels_unknown(texts, parsed):
    model, X, _ = texts
    page = parsed(reports.report(model, X, ["eggs"] * len(X)))
    assert "0 are correct" in page.text and "eggs (120)" in page.text


def test_texts_of_which_nothing_is_known(texts, parsed):
    page = parsed(reports.report(texts[0], ["zzz", "qqq", ""], ["ham", "spam", "ham"]))
    assert "3 texts have no term that the model knows" in page.text
    assert "the intercept alone decides" in page.text


def test_a_slim_model_reports_without_what_it_lacks(texts, tmp_path, parsed):
    model, X, y = texts
    model.save(tmp_path / "slim.hardlimit", training_state=False)
    page = parsed(reports.report(load(tmp_path / "slim.hardlimit"), X, y))
    assert "readouts" not in page.sections() and "telling" in page.sections()


@pytest.mark.parametrize("form", ["csc_matrix", "coo_array", "csr_matrix"])
def test_sparse_rows_of_scipy(numbers, form):
    sparse = pytest.importorskip("scipy.sparse")
    X, y = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]), [1, 0, 0]
    assert reports.report(numbers, getattr(sparse, form)(X), y) == reports.report(
        numbers, sparse.csr_array(X), y
    )


def test_examples_are_counted_from_0(texts):
    model, X, y = texts
    with pytest.raises(InputError, match="examples=-1"):
        reports.report(model, X, y, examples=-1)


def test_no_examples_can_be_asked_for(texts, parsed):
    model, X, y = texts
    page = parsed(reports.report(model, X, y, examples=0))
    assert not page.all("article")


def test_a_caller_keeps_the_rows_as_they_were(numbers):
    X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    before = X.copy()
    reports.report(numbers, X, [1, 0])
    assert (before == X).all()
