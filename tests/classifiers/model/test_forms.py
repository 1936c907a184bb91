"""What an example of a model is: the form of a model, of its file and of its live base."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import classifiers
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.exceptions import InputError
from hardlimit.live.opening import open_base
from hardlimit.predictions import answerers

WORDS = ["win a prize", "lunch at noon", "a prize", "noon"]
PAIRS = [(one, one.upper()) for one in WORDS]
TABLE = {"n": [1.0, 2.0, 3.0, 4.0], "city": ["a", "b", "a", "b"]}
X = np.array([[0.0, 1], [1, 0], [0, 2], [2, 0]])
MODELS = {
    "text": (lambda: hl.TextClassifier(), WORDS),
    "text columns": (lambda: hl.TextClassifier(text_columns=("head", "body")), PAIRS),
    "table": (lambda: hl.TableClassifier(), TABLE),
    "numbers": (lambda: hl.LinearClassifier(), X),
    "kernel": (lambda: hl.KernelClassifier(), X),
}
COLUMNS = {"text columns": ("head", "body"), "table": ("n", "city")}


class Called(ByForm[str]):
    def numbers(self):
        return "numbers"

    def one_text(self):
        return "text"

    def text_columns(self):
        return "text columns"

    def table(self):
        return "table"


@pytest.mark.parametrize("features", MODELS)
def test_every_way_to_a_model_tells_the_same_form(features, tmp_path):
    make, examples = MODELS[features]
    model, path = make(), str(tmp_path / "m")
    model.fit(examples, ["a", "b", "a", "b"]).save(path)
    file = classifiers.open_file(path)
    assert classifiers.kind_of(file).features == features
    forms = [
        model.fitted.form,
        classifiers.load(path).fitted.form,
        answerers.open_answerer(path).form,
    ]
    if features == "kernel":
        with pytest.raises(InputError):
            open_base(path)
    else:
        forms.append(open_base(path).form)
    for form in forms:
        assert form.features == features
        assert form.columns == COLUMNS.get(features, ())
        assert form.do(Called()) == ("numbers" if features == "kernel" else features)


def test_texts_of_an_example():
    def form(features):
        make, examples = MODELS[features]
        return make().fit(examples, ["a", "b", "a", "b"]).fitted.form

    assert form("text").texts_of(b"a \xff prize") == {"": "a � prize"}
    assert form("text columns").texts_of(("a", b"b")) == {"head": "a", "body": "b"}
    assert form("table").texts_of((1.0, "a")) == {}
    assert form("numbers").texts_of(X[0]) == {}
