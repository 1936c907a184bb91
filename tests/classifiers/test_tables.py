"""Tables: a column of texts is texts, and names of columns are remembered and compared."""

import pickle

import numpy as np
import pandas as pd
import pytest
from tests.foundation.tables import ArrowArray, ArrowTable, PolarsFrame

import hardlimit as hl
from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    TextClassifier,
    TextVectorizer,
    bounds,
    model_file,
    reports,
)
from hardlimit.classifiers import open_answer
from hardlimit.exceptions import HardlimitWarning, InputError, KindError, ModelFileError

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch"]
LABELS = ["spam", "ham", "spam", "ham"]
TABLES = {
    "DataFrame": lambda texts: pd.DataFrame({"text": texts}),
    "Series": lambda texts: pd.Series(texts, name="text"),
    "string Series": lambda texts: pd.Series(texts, dtype="string"),
    "Categorical": lambda texts: pd.Series(texts, dtype="category"),
    "object array": lambda texts: np.array(texts, object).reshape(-1, 1),
    "str array": lambda texts: np.array(texts).reshape(-1, 1),
    "flat array": np.array,
    "polars": lambda texts: PolarsFrame({"text": texts}),
    "pyarrow Table": lambda texts: ArrowTable({"text": texts}),
    "pyarrow Array": ArrowArray,
    "generator": iter,
    "tuple": tuple,
}


@pytest.fixture
def clf():
    return TextClassifier().fit(TEXTS, LABELS)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_one_column_of_texts_is_texts(clf, table):
    assert np.array_equal(TextClassifier().fit(table(TEXTS), LABELS).coef_, clf.coef_)
    assert clf.predict(table(TEXTS)).tolist() == LABELS
    assert clf.decision_function(table(TEXTS)).tolist() == clf.decision_function(TEXTS).tolist()
    assert clf.score(table(TEXTS), LABELS) == 1
    stream, listed = TextClassifier(), TextClassifier()
    for _ in range(2):
        stream.partial_fit(table(TEXTS), LABELS)
        listed.partial_fit(TEXTS, LABELS)
    assert stream.predict(table(TEXTS[:2])).tolist() == listed.predict(TEXTS[:2]).tolist()
    vectorizer = TextVectorizer().fit(table(TEXTS))
    assert (vectorizer.transform(table(TEXTS)) != TextVectorizer().fit_transform(TEXTS)).nnz == 0
    assert bounds.of(clf, table(TEXTS), LABELS) is not None


@pytest.mark.parametrize("table", [pd.DataFrame, PolarsFrame, ArrowTable])
def test_of_several_columns_one_is_to_be_named(clf, table):
    two = table({"id": [1, 2, 3, 4], "text": TEXTS})
    for ask in (
        clf.predict,
        clf.decision_function,
        TextVectorizer().fit,
        TextVectorizer().fit(TEXTS).transform,
        lambda texts: TextClassifier().fit(texts, LABELS),
        lambda texts: clf.partial_fit(texts, LABELS),
        lambda texts: TextClassifier().partial_fit(texts, LABELS),
        lambda texts: clf.score(texts, LABELS),
        lambda texts: bounds.of(clf, texts, LABELS),
        lambda texts: reports.report(clf, texts, LABELS),
    ):
        with pytest.raises(KindError, match=r"2 columns.*'id', 'text'.*df\['text'\]"):
            ask(two)
    wide = table({f"column {n} {'x' * 100}": TEXTS for n in range(1000)})
    with pytest.raises(KindError) as error:
        clf.predict(wide)
    assert "and 9" in str(error.value) and len(str(error.value)) < 1000


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ({"text": TEXTS}, r"a dict.*its values"),
        (set(TEXTS), "a set.*no order"),
        (frozenset(TEXTS), "no order"),
        ("one text", r"\[text\]"),
        (b"one text", r"\[text\]"),
        (np.array([TEXTS, TEXTS]), r"shape \(2, 4\)"),
        (np.array("one text"), "texts"),
        (pd.DataFrame(index=range(4)), "0 columns"),
        ([["win a prize"], ["lunch"]], r"texts\[0\]"),
        (["win", float("nan")], r"texts\[1\].*missing"),
        (pd.Series(["win", None]), r"texts\[1\].*missing"),
        (pd.DataFrame({"text": [1, 2, 3, 4]}), r"texts\[0\]"),
        (7, "texts"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(clf, texts, wanted):
    for ask in (
        clf.predict,
        TextVectorizer().fit,
        lambda texts: TextClassifier().fit(texts, LABELS),
        lambda texts: clf.partial_fit(texts, LABELS),
    ):
        with pytest.raises(KindError, match=wanted):
            ask(texts)
    with pytest.raises(KindError):  # in words of its own
        reports.report(clf, texts, LABELS)


def test_explain_wants_one_text(clf):
    for several in (TEXTS, pd.DataFrame({"text": TEXTS}), pd.Series(TEXTS)):
        with pytest.raises(KindError, match="one text"):
            clf.explain(several)


def test_a_saved_answer_reads_tables_too(clf, tmp_path):
    clf.save(tmp_path / "m")
    frame = pd.DataFrame({"text": TEXTS})
    assert hl.load(tmp_path / "m").predict(frame).tolist() == LABELS
    answer = open_answer(tmp_path / "m")
    assert answer.predict(frame) == LABELS
    with pytest.raises(KindError, match="one text"):
        answer.explain(frame)


@pytest.mark.parametrize(
    "labels",
    [
        pd.DataFrame({"label": LABELS}),
        ArrowArray(LABELS),
        ArrowTable({"label": LABELS}),
        PolarsFrame({"label": LABELS}),
    ],
)
def test_one_column_of_labels_is_labels(clf, labels):
    assert np.array_equal(TextClassifier().fit(TEXTS, labels).coef_, clf.coef_)
    assert clf.score(TEXTS, labels) == 1
    assert LinearClassifier().fit(NUMBERS, labels).score(NUMBERS, labels) == 1
    assert reports.report(clf, TEXTS, labels) == reports.report(clf, TEXTS, LABELS)


@pytest.mark.parametrize(("labels", "wanted"), [
    (dict(zip(TEXTS, LABELS, strict=True)), "a dict"),
    ({"spam", "ham"}, "a set.*no order"),
])  # fmt: skip
def test_what_is_no_list_of_labels_is_refused(labels, wanted):
    with pytest.raises(KindError, match=wanted):
        TextClassifier().fit(TEXTS, labels)


def test_several_columns_of_labels_are_several_neurons():
    both = pd.DataFrame({"a": LABELS, "b": LABELS[::-1]})
    clf = TextClassifier().fit(TEXTS, both)
    assert clf.classes_.tolist() == ["a", "b"] and np.array_equal(clf.predict(TEXTS), both)


# Names of columns

NUMBERS = pd.DataFrame({"a": [1.0, 0, 2, 0], "b": [0.0, 1, 0, 2], "c": [0.5, 0.5, 0, 0]})
KINDS = {
    "linear": lambda: LinearClassifier(),
    "linear, scaled": lambda: LinearClassifier(scale="standard"),
    "kernel": lambda: KernelClassifier(),
    "estimator": lambda: hl.PerceptronClassifier(),
    "kernel estimator": lambda: hl.KernelPerceptronClassifier(),
}


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def make(request):
    return request.param


def test_names_of_columns_are_remembered(make):
    model = make().fit(NUMBERS, LABELS)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.feature_names_in_.dtype == object
    unnamed = make().fit(NUMBERS.to_numpy(), LABELS)
    assert not hasattr(unnamed, "feature_names_in_")
    numbered = pd.DataFrame(NUMBERS.to_numpy())  # its columns are numbers, and name nothing
    assert not hasattr(make().fit(numbered, LABELS), "feature_names_in_")
    assert not hasattr(model.fit(numbered, LABELS), "feature_names_in_")


def test_other_names_or_another_order_are_refused(make):
    model = make().fit(NUMBERS, LABELS)
    asks = [model.predict, model.decision_function, lambda X: model.score(X, LABELS)]
    if hasattr(model, "partial_fit"):
        asks.append(lambda X: model.partial_fit(X, LABELS))
    for ask in asks:
        with pytest.raises(ValueError, match="order"):
            ask(NUMBERS[["c", "b", "a"]])
        with pytest.raises(ValueError, match="z"):
            ask(NUMBERS.rename(columns={"b": "z"}))
        with pytest.raises(ValueError, match="c"):
            ask(NUMBERS[["a", "b"]])
        with pytest.raises(ValueError, match="d"):
            ask(NUMBERS.assign(d=1.0))
    model.predict(NUMBERS)


def test_rows_without_names_have_nothing_to_compare():
    model = LinearClassifier().fit(NUMBERS, LABELS)
    for rows in (NUMBERS.to_numpy(), NUMBERS.to_numpy().tolist(), pd.DataFrame(NUMBERS.to_numpy())):
        assert model.predict(rows).tolist() == LABELS
        model.partial_fit(rows, LABELS)
    assert LinearClassifier().fit(NUMBERS.to_numpy(), LABELS).predict(NUMBERS).tolist() == LABELS


@pytest.mark.parametrize("table", [PolarsFrame, ArrowTable])
def test_names_of_other_tables(table):
    model = LinearClassifier().fit(table(NUMBERS.to_dict("list")), LABELS)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    with pytest.raises(InputError, match="order"):
        model.predict(table(NUMBERS[["b", "a", "c"]].to_dict("list")))


@pytest.mark.parametrize("kind", ["linear", "kernel"])
def test_a_stream_remembers_the_names_of_its_first_rows(kind):
    model = KINDS[kind]().partial_fit(NUMBERS, LABELS)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    before = model.decision_function(NUMBERS).tolist()
    with pytest.raises(InputError, match="order"):
        model.partial_fit(NUMBERS[["c", "b", "a"]], LABELS)
    assert model.decision_function(NUMBERS).tolist() == before


@pytest.mark.parametrize("kind", ["linear", "linear, scaled", "kernel"])
@pytest.mark.parametrize("state", [True, False])
def test_a_file_keeps_the_names(kind, state, tmp_path):
    model = KINDS[kind]().fit(NUMBERS, LABELS)
    model.save(tmp_path / "m", training_state=state)
    for again in (hl.load(tmp_path / "m"), pickle.loads(pickle.dumps(model))):
        assert again.feature_names_in_.tolist() == ["a", "b", "c"]
        with pytest.raises(InputError, match="order"):
            again.predict(NUMBERS[["c", "b", "a"]])
    KINDS[kind]().fit(NUMBERS.to_numpy(), LABELS).save(tmp_path / "n")
    assert not hasattr(hl.load(tmp_path / "n"), "feature_names_in_")


@pytest.mark.parametrize("forged", [["a", "b"], ["a", "b", 3], "abc", {"a": 1}, []])
def test_forged_names_are_refused(forged, tmp_path):
    LinearClassifier().fit(NUMBERS, LABELS).save(tmp_path / "m", training_state=False)
    file = model_file.open(tmp_path / "m")
    tensors = {name: np.array(file.array(name)) for name in file.names}
    model_file.write(tmp_path / "n", file.header | {"feature_names": forged}, tensors)
    with pytest.raises(ModelFileError, match="names of"):
        hl.load(tmp_path / "n")


def test_names_that_are_too_long_for_a_file_are_left_out(tmp_path):
    wide = pd.DataFrame(np.eye(4, 300), columns=[f"{n}" + "x" * 10_000 for n in range(300)])
    with pytest.warns(HardlimitWarning, match="names of 300 columns are too long"):
        LinearClassifier().fit(wide, LABELS).save(tmp_path / "m")
    assert hl.load(tmp_path / "m").predict(wide).tolist() == LABELS


def test_the_model_inside_an_estimator_knows_the_names(tmp_path):
    hl.PerceptronClassifier().fit(NUMBERS, LABELS).model_.save(tmp_path / "m")
    assert hl.load(tmp_path / "m").feature_names_in_.tolist() == ["a", "b", "c"]
    hl.PerceptronClassifier().partial_fit(NUMBERS, LABELS).model_.save(tmp_path / "m")
    assert hl.load(tmp_path / "m").feature_names_in_.tolist() == ["a", "b", "c"]


def test_the_message_names_the_first_differences_and_is_bounded():
    wide = pd.DataFrame(np.eye(4, 5000), columns=[f"{'x' * 50}{n}" for n in range(5000)])
    model = LinearClassifier().fit(wide, LABELS)
    with pytest.raises(InputError) as error:
        model.predict(wide.rename(columns=lambda name: "other" + name))
    assert "other" + wide.columns[0] in str(error.value) and wide.columns[0] in str(error.value)
    assert len(str(error.value)) < 1500
    with pytest.raises(InputError, match=r"column 0 is 'b', and was 'a'.*X\[.*feature_names_in_\]"):
        LinearClassifier().fit(NUMBERS, LABELS).predict(NUMBERS[["b", "a", "c"]])


# Continuous targets


CONTINUOUS = {
    "array": np.array([0.1, 0.7, 1.5, 2.5]),
    "list": [0.1, 0.7, 1.5, 2.5],
    "integers among them": [0, 1, 1.5, 2],
    "Series": pd.Series([0.1, 0.7, 1.5, 2.5]),
    "single precision": np.float32([0.1, 0.7, 0.7, 0.1]),
}


@pytest.mark.parametrize("y", CONTINUOUS.values(), ids=CONTINUOUS)
@pytest.mark.parametrize("kind", ["linear", "kernel", "text"])
def test_continuous_targets_are_refused(kind, y):
    make = KINDS.get(kind, TextClassifier)
    X = TEXTS if kind == "text" else NUMBERS
    for ask in (make().fit, make().partial_fit):
        with pytest.raises(InputError, match=r"labels: got .*(0\.1|1\.5).*classes.*y > "):
            ask(X, y)
    known = make().fit(X, [0, 1, 0, 1])
    with pytest.raises(InputError, match="labels: got"):
        known.partial_fit(X[:1], [0.5])
    assert known.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("y", [[0.0, 1.0, 0.0, 2.0], ["0.5", "1.5", "0.5", "1.5"],
                               [1, "b", 2.5, "b"], [1e300, 1.0, 2.0, 1.0]])  # fmt: skip
def test_whole_floats_and_names_are_classes(y):
    assert len(LinearClassifier().fit(NUMBERS, y).classes_) == len(set(y))
