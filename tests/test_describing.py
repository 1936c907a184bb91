"""Descriptions of classifiers, in words and as JSON."""

from __future__ import annotations

import json
import warnings

import pytest

from hardlimit import (
    LinearClassifier,
    TextClassifier,
    describing,
    guards,
    naming,
    orders,
    schedules,
)

AND = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


def test_the_columns_left_out_are_named() -> None:
    assert describing.layout({"drop": ["0", "id"]}).endswith("without column '0', 'id'")


def fitted(data: tuple[list[list[int]], list[int]] = AND, **asked: object) -> LinearClassifier:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what does not converge, as some of these should not
        return LinearClassifier(**{"rule": "perceptron", "order": "cyclic", **asked}).fit(*data)


def test_a_cycle_names_the_options_that_may_separate() -> None:
    said = describing.stop_reason(fitted(XOR, readout="last"))
    assert "the weights repeat" in said and "--map polynomial:2, --kernel rbf:1" in said


@pytest.fixture(scope="module")
def texts() -> TextClassifier:
    messages = ["win a prize now", "lunch at noon", "a prize to win", "noon at the office"]
    return TextClassifier(words=(1, 2), chars=None).fit(messages, ["spam", "ham"] * 2)


@pytest.mark.parametrize("metadata", [{}, {"layout": None}, {"layout": "csv"}])
def test_a_model_without_a_layout_has_an_empty_one(metadata: dict[str, object]) -> None:
    assert describing.layout_of(metadata) == {}
    assert describing.layout({}).startswith("nothing stored")


def test_the_layout_is_a_copy() -> None:
    metadata = {"layout": {"format": "csv"}}
    describing.layout_of(metadata)["format"] = "tsv"
    assert metadata == {"layout": {"format": "csv"}}


def test_separated_is_said_of_the_last_weights() -> None:
    classifier = fitted(until="separated", readout="last")
    said = describing.stop_reason(classifier)
    assert said.startswith("separated: the last weights") and "but" not in said


def test_epochs_are_iterations_of_a_batch() -> None:
    batch = fitted(XOR, order="batch", max_iter=3, until=None, readout="last")
    assert describing.epoch_name(batch) == "iteration"
    assert describing.epoch_name(fitted()) == "epoch"


def test_a_cycle_has_its_period_in_words_and_as_json() -> None:
    classifier = fitted(XOR, readout="last")
    period = describing.cycle(classifier)
    assert classifier.stop_reason_ == "cycling" and period is not None
    said = describing.stop_reason(classifier)
    assert "not separable" in said and f"({period['corrections']} corrections)" in said
    assert describing.cycle(fitted()) is None


def test_the_margin_is_that_of_the_bounds() -> None:
    classifier = fitted(until="separated")
    bracket = describing.gamma(classifier)
    assert bracket == {
        "least": classifier.bounds_.gamma.least,
        "most": classifier.bounds_.gamma.most,
    }
    assert f"{bracket['most']:.4g}" in describing.margin(classifier)


def test_the_most_frequent_classes_are_named() -> None:
    said = describing.class_counts([(f"c{i:02}", i) for i in range(1, 15)])
    assert said.startswith("c14 (14), c13 (13)") and said.endswith(", and 2 more down to 1")


def test_features_of_texts_and_of_numbers(texts: TextClassifier) -> None:
    assert describing.features(fitted()) == "2 numbers a row"
    said = describing.features(texts)
    assert said.startswith("words 1-2: ") and "characters" not in said
    hashed = TextClassifier(words=(1, 1), chars=None, hash_bits=10).fit(["a b", "c d"], ["x", "y"])
    assert "hashed to 1,024 columns" in describing.features(hashed)


def test_a_rule_is_named_with_its_parameters() -> None:
    assert naming.name_rule("perceptron") == "perceptron"
    assert naming.name_rule("of-another") == "of-another"


def test_a_users_own_choice_is_shown_as_python_shows_it() -> None:
    class Mine:
        def __repr__(self) -> str:
            return "Mine()"

    assert naming.name_choice(Mine()) == "Mine()"
    assert naming.name_choice(guards.AlphaBound(3)) == "alpha-bound:alpha=3"
    assert naming.name_choice(orders.Cyclic()) == "cyclic"
    assert naming.name_choice(schedules.resolve("1/step")) == "power:exponent=1"


def test_shards_and_how_they_were_mixed_are_said() -> None:
    classifier = fitted(shards=2, mixing="accelerated", readout="last")
    assert dict(describing.choices(classifier))["shards"] == "2, accelerated mixing"
    as_json = describing.choices_to_json(classifier)
    assert (as_json["shards"], as_json["mixing"]) == (2, "accelerated")


def test_choices_are_those_of_the_classifier() -> None:
    classifier = fitted(guard=guards.AlphaBound(2), readout="last", scale="maxabs")
    said = dict(describing.choices(classifier))
    assert said["order"] == "cyclic" and said["read-out"] == "last" and said["scale"] == "maxabs"
    assert said["guards"] == "alpha-bound:alpha=2" and not {"schedule", "shards"} & set(said)
    as_json = describing.choices_to_json(classifier)
    assert json.loads(json.dumps(as_json)) == as_json
    assert as_json["readout"] == "last" and as_json["averaging"] is None


def test_another_mean_is_named() -> None:
    said = dict(describing.choices(fitted(readout="averaged", averaging="pre")))
    assert said["read-out"] == "averaged:pre"


def test_telling_terms_are_whole_words_where_there_are_any() -> None:
    messages = ["win a prize now", "lunch at noon"] * 2
    classifier = TextClassifier(words=(1, 1), chars=(2, 3)).fit(messages, ["spam", "ham"] * 2)
    terms = describing.telling_terms(classifier, 3)
    assert set(terms) == {"spam", "ham"}
    assert all(not term.startswith("[") for pairs in terms.values() for term, _ in pairs)
    assert describing.telling_terms(classifier, 0) == {}


def test_fragments_are_named_where_there_are_no_words() -> None:
    messages = ["win a prize now", "lunch at noon"] * 2
    classifier = TextClassifier(words=None, chars=(2, 3)).fit(messages, ["spam", "ham"] * 2)
    terms = describing.telling_terms(classifier, 3)
    assert [len(pairs) for pairs in terms.values()] == [3, 3]


def test_weights_of_two_classes_are_those_of_the_second() -> None:
    classifier = fitted()
    assert describing.weights(classifier, None) == {
        1: [("0", classifier.coef_[0][0]), ("1", classifier.coef_[0][1])]
    }
    largest = describing.weights(classifier, 1)[1]
    assert len(largest) == 1 and abs(largest[0][1]) == abs(classifier.coef_).max()


def test_columns_are_named_as_in_the_file() -> None:
    classifier = fitted()
    classifier.metadata["layout"] = {"columns": ["height", "width"]}
    assert [name for name, _ in describing.weights(classifier, None)[1]] == ["height", "width"]
    classifier.metadata["layout"] = {"zero_based": False}
    assert [name for name, _ in describing.weights(classifier, None)[1]] == ["1", "2"]


def test_terms_are_joined_as_far_as_they_fit() -> None:
    assert describing.join_fitting(["win", "prize", "now"], 10) == "win, prize"
    assert describing.join_fitting(["much-too-long"], 3) == "much-too-long"
    assert describing.join_fitting(["a\x1b[31m"], 20) == "a\\x1b[31m"
    assert describing.join_fitting([], 10) == ""


def test_the_decision_names_both_classes() -> None:
    assert describing.decision(["ham", "spam"], 0.25) == (
        "spam when the score exceeds 0.25, else ham"
    )
