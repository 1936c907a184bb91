"""The report in words: standard terms, and numbers that agree with their nouns."""

from __future__ import annotations

import re

import numpy as np
import pytest

from hardlimit import LinearClassifier, TextClassifier, reports
from hardlimit.exceptions import Given, InputError, KindError

TERMS = {
    "verdict": ["correct", "95 % confidence interval", "Always predicting"],
    "data": ["duplicate"],
    "held-out": ["accuracy", "macro-F1", "Matthews correlation", "baseline", "precision"],
    "confusion": ["Confusion matrix"],
    "curves": ["area under the ROC curve", "average precision"],
    "margins": ["lead of a prediction", "most confident"],
    "telling": ["Most telling terms of each class", "weights"],
    "errors": ["confident errors"],
    "method": ["confidence intervals", "byte for byte"],
}
RIDDLES = ["rightly", "taken for", "sure to lie", "stand in", "speaks for", "held back", "is told"]


def text_of(page, name=None):
    body = page if name is None else page.split(f' id="{name}"')[1].split("</section>")[0]
    body = re.sub(r"<style>.*?</style>", "", body, flags=re.S)
    return " ".join(re.sub("<[^>]*>", " ", body).split())


def test_every_page_is_in_plain_words(page):
    text = text_of(page)
    assert [riddle for riddle in RIDDLES if riddle in text] == []
    assert text.startswith("Model report: classifier of")


def test_sections_use_the_terms_of_the_field(kind, page, parsed):
    for name in set(parsed(page).sections()) & set(TERMS):
        if isinstance(kind[2][0], set) and name == "verdict":
            continue
        text = text_of(page, name).lower()
        assert [term for term in TERMS[name] if term.lower() not in text] == [], name


def test_numbers_agree_with_their_nouns():
    model = TextClassifier().fit(["win a prize", "lunch at noon"] * 5, ["spam", "ham"] * 5)
    one = text_of(reports.report(model, ["win a prize"], ["spam"]))
    assert "Of 1 text, 1 is correct" in one and "Only 1 text:" in one and "1 texts" not in one
    train = ["win a prize"], ["spam"]
    seen = text_of(reports.report(model, ["win a prize", "noon"], ["spam", "ham"], train=train))
    assert "1 text of 2 is also in the training file: 100 % of those are correct" in seen


def test_duplicates_are_warned_of_from_one_in_twenty():
    model = TextClassifier().fit(["win a prize", "lunch at noon"] * 5, ["spam", "ham"] * 5)
    texts = [f"a prize {k}" for k in range(40)]
    few = reports.report(model, [*texts, texts[0]], ["spam"] * 41)
    many = reports.report(model, [*texts, *texts[:5]], ["spam"] * 45)
    assert "repeat" not in text_of(few, "verdict")
    assert "5 texts repeat an earlier one" in text_of(many, "verdict")


def test_a_moved_threshold_is_mentioned():
    X, y = [[-1.0], [-0.5], [0.5], [1.0]] * 5, [0, 0, 1, 1] * 5
    model = LinearClassifier(max_iter=5).fit(X, y)
    assert "threshold was moved" not in text_of(reports.report(model, X, y))
    model.threshold_ = 0.75
    page = reports.report(model, X, y)
    assert "The decision threshold was moved" in text_of(page, "verdict")
    predicted = np.array(model.decision_function(X)) > 0.75
    assert f"{(predicted == np.array(y)).sum()} are correct" in text_of(page, "verdict")


def test_rows_of_numbers_are_described_as_such():
    X = [[0.0, 0.0], [1.0, 0.0], [2.0, 3.0], [2.0, 3.0]] * 6
    model = LinearClassifier(max_iter=3).fit(X, [0, 0, 1, 1] * 6)
    text = text_of(reports.report(model, X, [0, 0, 1, 1] * 6), "data")
    assert "columns 2" in text and "all zeros 6 (25.00 %)" in text
    assert "Numbers other than 0 in a row: shortest 0, median 1" in text


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({"examples": -1}, "parameter", "examples"),
        ({"examples": 1.5}, "got", 1.5),
        ({"positive": "eggs"}, "wanted", "'ham' or 'spam'"),
    ],
)
def test_refusals_have_fields(texts, given, field, value):
    with pytest.raises(InputError) as caught:
        reports.report(*texts, **given)
    assert caught.value.who == "report" and getattr(caught.value, field) == value


def test_texts_for_numbers_and_numbers_for_texts(texts):
    numbers = LinearClassifier().fit([[1.0], [-1.0]] * 3, [1, 0] * 3)
    with pytest.raises(KindError) as caught:
        reports.report(numbers, ["a text"], [0])
    assert caught.value.got == Given("texts as X") and caught.value.wanted == "rows of numbers"
    with pytest.raises(KindError) as caught:
        reports.report(texts[0], ["a", 3], ["ham", "ham"])
    assert caught.value.got == "int among the texts of X"
    with pytest.raises(InputError) as refused:
        reports.report(texts[0], ["a", "b"], ["ham", "ham"], train=(["a"], []))
    assert refused.value.got == "1 row and 0 labels in train"


def test_no_training_rows_and_no_rows_at_all(texts):
    with pytest.raises(InputError, match="report: there are no rows to report on"):
        reports.report(texts[0], [], [])
