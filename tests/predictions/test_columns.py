"""The columns of answers: their names go with their values, whatever is asked for."""

import pytest

from hardlimit import TextClassifier
from hardlimit.exceptions import InputError
from hardlimit.predictions.answerers import open_answerer
from hardlimit.predictions.columns import AnswerColumns
from hardlimit.predictions.showing import Showing, WantedColumns

TEXTS = ["win a prize", "lunch at noon", "a prize", "see you at lunch"] * 3
LABELS = ["spam", "ham", "spam", "ham"] * 3


@pytest.fixture
def answerer(tmp_path):
    path = tmp_path / "model"
    TextClassifier(probability=True).fit(TEXTS, LABELS).save(path)
    return open_answerer(str(path))


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (WantedColumns(), ["label", "score", "known_features"]),
        (WantedColumns(probability=True), ["label", "score", "probability", "known_features"]),
        (
            WantedColumns(scores=True),
            ["label", "score", "known_features", "score_ham", "score_spam"],
        ),
        (
            WantedColumns(top=9),
            ["label", "score", "label_1", "probability_1", "label_2", "probability_2"],
        ),
    ],
)
def test_names_go_with_values(answerer, wanted, names):
    showing = Showing(answerer, wanted)
    columns = AnswerColumns(answerer, showing, wanted)
    (shown,) = showing.shown(answerer.answers(["a prize to win"]), ["a prize to win"])
    values = columns.values(shown)
    assert columns.names[: len(names)] == names and len(values) == len(columns.names)
    assert values[0] == "spam" and values[1] == round(shown.answer.score, 6)


def test_an_unsure_answer_has_no_label(answerer):
    showing = Showing(answerer, WantedColumns(min_probability=1.0))
    (shown,) = showing.shown(answerer.answers(["a prize"]), ["a prize"])
    assert shown.label == "?" and shown.probabilities[0] < 1


def test_probabilities_are_refused_where_the_model_has_none(tmp_path):
    path = tmp_path / "model"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    with pytest.raises(InputError, match=r"spam\.hardlimit: the model has no probabilities"):
        Showing(open_answerer(str(path)), WantedColumns(probability=True), "spam.hardlimit")
