"""Cards of single rows: which rows, what they say, and reasons that add up."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, reports

from ..rounding import printed
from .conftest import many_classes, messages, points, text_model
from .reading import section


def cards_of(page, name):
    """The cards of a section: row, lead, sentence, terms with their numbers."""
    found = []
    for body in re.findall(r"<article>(.*?)</article>", section(page, name)):
        head = html.unescape(
            re.sub("<[^>]*>", "", re.search(r'<p class="head">(.*?)</p>', body)[1])
        )
        rows = re.findall(r"<tr>(.*?)</tr>", body)[1:]
        terms = []
        for row in rows:
            cells = [html.unescape(re.sub("<[^>]*>", "", c)) for c in re.findall(
                r"<t[hd][^>]*>(.*?)</t[hd]>", row)]  # fmt: skip
            terms.append((cells[0], float(cells[-1])))
        found.append(
            {
                "row": int(re.search(r"row ([\d,]+)$", head)[1].replace(",", "")),
                "lead": float(re.search(r"(?:lead of|ahead by) ([\d.]+)", head)[1]),
                "head": head,
                "terms": terms,
                "body": body,
            }
        )
    return found


@pytest.fixture(scope="module")
def two():
    model, X, y = text_model()
    return model, X, y, reports.report(model, X, y, examples=6)


def test_errors_are_wrong_and_sorted_by_their_lead(two):
    model, X, y, page = two
    cards = cards_of(page, "errors")
    predicted, scores = model.predict(X).tolist(), np.abs(model.decision_function(X))
    leads = [card["lead"] for card in cards]
    assert leads == sorted(leads, reverse=True)
    for card in cards:
        place = card["row"] - 1
        assert predicted[place] != y[place]
        assert card["lead"] == printed(scores[place], 4)
        assert card["head"].startswith(f"{y[place]}, wrongly predicted as {predicted[place]}")
    most = max(s for s, a, b in zip(scores, predicted, y, strict=True) if a != b)
    assert leads[0] == printed(most, 4)


def test_uncertain_rows_have_the_smallest_leads(two):
    model, X, y, page = two
    cards = cards_of(page, "uncertain")
    scores = np.sort(np.abs(model.decision_function(X)))
    assert cards[0]["lead"] == printed(scores[0], 4)
    leads = [card["lead"] for card in cards]
    assert leads == sorted(leads) and len(cards) == 6
    for card in cards:
        right = model.predict([X[card["row"] - 1]])[0] == y[card["row"] - 1]
        assert f"{'correctly' if right else 'wrongly'} predicted as" in card["head"]


def test_terms_and_the_rest_add_up_to_the_lead(two):
    *_, page = two
    for card in [*cards_of(page, "errors"), *cards_of(page, "uncertain")]:
        # Each of up to twenty terms is printed with four digits.
        assert sum(value for _, value in card["terms"]) == pytest.approx(card["lead"], abs=2e-3)
        assert card["terms"][-1][0] == "intercept"
        shown = [
            abs(v) for name, v in card["terms"] if not re.match(r"[\d,]+ more|intercept", name)
        ]
        assert shown == sorted(shown, reverse=True) and 0 < len(shown) <= 8


def test_bars_are_relative_to_the_heaviest_term(two):
    *_, page = two
    for card in cards_of(page, "errors"):
        widths = [float(x) for x in re.findall(r"width:([\d.]+)%", card["body"])]
        values = [v for name, v in card["terms"] if not re.match(r"[\d,]+ more|intercept", name)]
        assert max(widths) == 100
        most = max(map(abs, values))
        # Widths are printed with one digit, of a largest term that was printed with four.
        assert widths == pytest.approx([100 * abs(v) / most for v in values], abs=0.4)
        sides = re.findall(r'<i class="(for|against)"', card["body"])
        assert sides == ["for" if v >= 0 else "against" for v in values]


def test_reasons_are_over_the_best_rival():
    model, X, y = many_classes()
    page = reports.report(model, X, y, examples=4)
    scores = model.decision_function(X)
    names = model.classes_.tolist()
    for card in cards_of(page, "uncertain"):
        order = np.argsort(-scores[card["row"] - 1], kind="stable")
        first, second = names[order[0]], names[order[1]]
        assert f"why {first} and not {second}" in card["body"]
        gap = scores[card["row"] - 1][order[0]] - scores[card["row"] - 1][order[1]]
        assert card["lead"] == printed(gap, 4)


def test_errors_are_explained_against_the_true_class():
    model, X, y = many_classes()
    scores, names = model.decision_function(X), model.classes_.tolist()
    page = reports.report(model, X, y, examples=50)
    cards = cards_of(page, "errors")
    gaps = []
    for card in cards:
        row = card["row"] - 1
        said = names[int(scores[row].argmax())]
        assert f"why {said} and not {y[row]}" in card["body"]
        gap = scores[row].max() - scores[row][names.index(y[row])]
        assert card["lead"] == printed(gap, 4)
        # Each of up to twenty terms is printed with four digits.
        assert sum(value for _, value in card["terms"]) == pytest.approx(gap, abs=2e-3)
        gaps.append(card["lead"])
    assert gaps == sorted(gaps, reverse=True)
    # Otherwise nothing here tells the true class from the runner-up.
    rows = [card["row"] - 1 for card in cards]
    assert any(names[int(scores[row].argsort()[-2])] != y[row] for row in rows)


def test_errors_of_numbers_are_explained_against_the_true_class():
    X, y = points(4, 60, 3)
    model = LinearClassifier(max_iter=3).fit(X, y)
    page = reports.report(model, X, y, examples=50)
    scores, names = model.decision_function(X), model.classes_.tolist()
    cards = cards_of(page, "errors")
    assert cards
    for card in cards:
        row = card["row"] - 1
        gap = scores[row].max() - scores[row][names.index(y[row])]
        # Each of up to twenty terms is printed with four digits.
        assert sum(value for _, value in card["terms"]) == pytest.approx(gap, abs=2e-3)


@pytest.mark.parametrize("classes", [2, 3])
def test_reasons_of_numbers_are_weight_times_value(classes):
    X, y = points(4, 60, classes)
    model = LinearClassifier(max_iter=10).fit(X, y)
    page = reports.report(model, X, y, examples=3, columns=["p", "q", "r", "s"])
    weights, names = model.coef_, model.classes_.tolist()
    for card in cards_of(page, "uncertain"):
        row = X[card["row"] - 1]
        scores = np.atleast_1d(model.decision_function([row])[0])
        if len(weights) == 1:
            difference = weights[0] * (1 if scores[0] > 0 else -1)
        else:
            order = np.argsort(-scores, kind="stable")
            difference = weights[order[0]] - weights[order[1]]
        terms = dict(card["terms"])
        for name, part in zip("pqrs", difference * row, strict=True):
            assert terms[name] == printed(part, 3), (name, names)


def test_unit_rows_are_explained_as_the_model_saw_them():
    X, y = points(4)
    model = LinearClassifier(max_iter=10, scale="rows").fit(X, y)
    page = reports.report(model, X, y, examples=2)
    for card in cards_of(page, "uncertain"):
        row = X[card["row"] - 1] / np.linalg.norm(X[card["row"] - 1])
        score = model.decision_function([X[card["row"] - 1]])[0]
        wanted = np.sign(score) * model.coef_[0] * row
        terms = dict(card["terms"])
        for k, part in enumerate(wanted):
            assert terms[f"column {k}"] == printed(part, 3)


def test_without_weights_there_are_rows_and_no_reasons():
    X, y = points(3)
    kernel = KernelClassifier(max_iter=2).fit(X, y)
    voting = TextClassifier(keep="voted", readout="voted").fit(*messages(1))
    for model, rows, labels in ((kernel, X, y), (voting, *messages(2))):
        cards = cards_of(reports.report(model, rows, labels, examples=2), "uncertain")
        assert len(cards) == 2 and all(card["terms"] == [] for card in cards)
        assert not any("<mark" in card["body"] for card in cards)


def test_a_text_without_known_terms_says_so(two):
    model, *_ = two
    page = reports.report(model, ["zzz qqq"], ["ham"], examples=1)
    assert "The model knows no term of this text" in page
    assert "1 text has no term that the model knows" in page


def test_without_labels_cards_give_the_prediction_alone(two):
    model, X, *_ = two
    for card in cards_of(reports.report(model, X, examples=2), "uncertain"):
        assert card["head"].startswith("predicted as ") and "wrongly" not in card["head"]


@pytest.mark.parametrize("examples", [0, 1, 3, 50])
def test_as_many_cards_as_asked_for(two, examples):
    model, X, y, _ = two
    page = reports.report(model, X, y, examples=examples)
    if not examples:
        assert 'id="uncertain"' not in page and 'id="errors"' not in page
        return
    distinct = len({" ".join(text.casefold().split()) for text in X})
    assert len(cards_of(page, "uncertain")) == min(examples, distinct)
