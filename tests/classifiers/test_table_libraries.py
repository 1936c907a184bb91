"""Tables and columns of pandas, polars and Arrow, wherever a table is taken."""

import importlib

import pytest

import hardlimit as hl
from hardlimit.exceptions import InputError

LIBRARIES = {
    "pandas": ("DataFrame", "Series"),
    "polars": ("DataFrame", "Series"),
    "pyarrow": ("table", "array"),
}
LABELS = ["a", "b", "a", "b"] * 5
NUMBERS = {"p": [1.0, 2.0, 3.0, 4.0] * 5, "q": [0.0, 1.0, 0.0, 5.0] * 5}
TEXTS = {"s": ["x y", "z w", "x x", "z"] * 5, "t": ["u", "v", "u", "u"] * 5}


@pytest.fixture(params=LIBRARIES)
def library(request):
    module = importlib.import_module(request.param) if (
        importlib.util.find_spec(request.param)
    ) else pytest.skip(f"no {request.param}")  # fmt: skip
    return tuple(getattr(module, name) for name in LIBRARIES[request.param])


def test_classifiers_of_numbers(library):
    table, column = library
    X, y = table(NUMBERS), column(LABELS)
    weights = column([1.0, 2.0] * 10)
    for clf in (hl.LinearClassifier(), hl.PerceptronClassifier(), hl.KernelClassifier()):
        plain = type(clf)().fit(list(zip(*NUMBERS.values(), strict=True)), LABELS)
        assert (
            clf.fit(X, y).predict(X).tolist()
            == plain.predict(list(zip(*NUMBERS.values(), strict=True))).tolist()
        )
    clf = hl.LinearClassifier().fit(X, y, weights)
    assert clf.feature_names_in_.tolist() == ["p", "q"]
    with pytest.raises(InputError, match="another order"):
        clf.predict(table(dict(reversed(NUMBERS.items()))))
    with pytest.raises(InputError, match="row 1, column 0"):
        hl.LinearClassifier().fit(table({"p": [1.0, None]}), column(["a", "b"]))
    assert hl.LinearClassifier().partial_fit(X, y).predict(X).shape == (20,)
    assert hl.maps.Polynomial(2).fit_transform(X).shape == (20, 6)


def test_classifiers_of_texts(library):
    table, column = library
    y = column(LABELS)
    whole = hl.TextClassifier(text_columns=("s", "t")).fit(TEXTS, LABELS)
    clf = hl.TextClassifier(text_columns=("s", "t")).fit(table(TEXTS), y)
    moved = table(dict(reversed(TEXTS.items())))
    assert (clf.decision_function(moved) == whole.decision_function(TEXTS)).all()
    one = hl.TextClassifier().fit(column(TEXTS["s"]), y)
    assert one.predict(table({"s": ["x"]})).tolist() == ["a"]
    assert hl.TextVectorizer().fit_rows(column(TEXTS["s"])).shape[0] == 20


def test_classifiers_of_tables(library):
    table, column = library
    columns = {**NUMBERS, **TEXTS}
    clf = hl.TableClassifier(text_columns=["s"]).fit(table(columns), column(LABELS))
    plain = hl.TableClassifier(text_columns=["s"]).fit(columns, LABELS)
    moved = table(dict(reversed(columns.items())))
    assert (clf.decision_function(moved) == plain.decision_function(columns)).all()
    holes = {"p": [1.0, None, 3.0, 4.0] * 5, "c": ["u", "v", None, "u"] * 5}
    with pytest.raises(InputError, match="row 1: column 'p'"):
        hl.TableClassifier().fit(table(holes), column(LABELS))
    clf = hl.TableClassifier(missing="mean").fit(table(holes), column(LABELS))
    names = clf.vectorizer_.get_feature_names_out().tolist()
    assert names == ["p", "p missing", "c = u", "c = v", "c missing"]
    found = hl.TableClassifier().tune(
        table(columns), column(LABELS), grid={"max_iter": [1, 2]}, folds=2
    )
    assert found.classifier.predict(table(columns)).shape == (20,)


def test_columns_of_other_types():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {
            "c": polars.Series(["u", "v", "u", "u"], dtype=polars.Categorical),
            "d": polars.Series([1, 2, 3, 4], dtype=polars.Decimal(10, 2)),
            "b": [True, False, None, True],
            "when": polars.Series([1, 2, 3, 4], dtype=polars.Date),
        }
    )
    with pytest.raises(InputError, match="column 'when'.*type date.*drop_columns"):
        hl.TableClassifier(missing="mean").fit(frame, LABELS[:4])
    clf = hl.TableClassifier(missing="mean", drop_columns=["when"]).fit(frame, LABELS[:4])
    assert clf.kinds_ == {"c": "category", "d": "number", "b": "category"}
