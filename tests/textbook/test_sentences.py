"""What stands above and below a table, for every way in which a run ends."""

import dataclasses

import pytest

from hardlimit import rules, textbook
from hardlimit.textbook import About, Outcome
from hardlimit.textbook.sentences import describe_rule, heading, summarise
from hardlimit.theory.cycling import Cycle

from .boards import modified_or

DONE = Outcome("separated", (1, 1, -1), 3, 2, (1, 1, 1, 0), (1, 1, 1, 0), ())


def said(outcome, order="cyclic"):
    return summarise(About("perceptron", order), modified_or(), outcome, None)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (rules.Perceptron(), "perceptron"),
        (rules.MarginPerceptron(b=0.1), "margin-perceptron, b = 1/10"),
        (rules.PassiveAggressive(C=float("inf")), "passive-aggressive, C = inf"),
    ],
)
def test_a_rule_with_its_parameters(rule, text):
    assert describe_rule(rule) == text


def test_the_end_with_weights_and_counts():
    assert said(DONE) == [
        "separated after 3 corrections in 2 epochs: no pattern is wrong",
        "w = (1, 1, -1)",
        "corrections of pattern 1 to 4: 1 1 1 0",
    ]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("margin_reached", "every pattern has what is required"),
        ("settled", "nothing is left to correct"),
        ("stalled", "the corrections add up to zero"),
        ("max_iter", "as many as were allowed"),
    ],
)
def test_every_reason_has_its_sentence(reason, words):
    outcome = dataclasses.replace(DONE, reason=reason, wrong=(2,))
    sentence = said(outcome)[0]
    assert words in sentence
    if reason != "margin_reached":
        assert "1 of 4 patterns is wrong (no. 3)" in sentence


def test_a_cycle_has_its_period():
    outcome = dataclasses.replace(DONE, reason="cycling", cycle=Cycle(2, 1), wrong=(0, 1))
    sentence = said(outcome)[0]
    assert sentence.startswith("cycling, period 2 (1 correction), after 3 corrections")
    assert "2 of 4 patterns are wrong (no. 1, 2)" in sentence


@pytest.mark.parametrize(
    ("order", "words"),
    [("batch", "after 1 iteration:"), ("worst", "in 1 pick:"), ("cyclic", "in 1 epoch:")],
)
def test_rounds_are_called_by_their_name(order, words):
    assert words in said(dataclasses.replace(DONE, epochs=1), order)[0]


def test_many_wrong_patterns_are_counted_and_not_listed():
    ex = textbook.examples([[i] for i in range(60)], [1, -1] * 30)
    outcome = dataclasses.replace(DONE, reason="max_iter", wrong=tuple(range(30)), w=(), counts=())
    (sentence,) = summarise(About("perceptron"), ex, outcome, None)
    assert sentence.endswith("30 of 60 patterns are wrong")


@pytest.mark.parametrize(
    ("bias_feature", "words"),
    [(-1, "w0 is the threshold"), (2, "x0 = 2 in every row, so that w0 is the bias"),
     (None, "through the origin: no bias")],
)  # fmt: skip
def test_the_bias_is_named(bias_feature, words):
    lines = heading(About("perceptron"), modified_or(bias_feature), [], None)
    assert words in lines[1]


def test_the_heading_names_arithmetic_order_columns_and_coding():
    about = About("perceptron", "batch", "t w.x <= 0", ("age", "x2"), "average")
    ex = textbook.examples([[1, 2], [3, 4]], ["ham", "spam"], number=float)
    first, second, third = heading(about, ex, [], None)
    assert first == "perceptron; all violators at once, averaged over the violators; floating point"
    assert second.startswith("x1 = age; ")
    assert third == "t = +1 for spam, -1 for ham; corrected where t w.x <= 0"


def test_control_characters_of_names_are_escaped():
    ex = textbook.examples([[1], [2]], ["a\x1b[31m", "b"])
    lines = heading(About("perceptron", names=("\x07",)), ex, [], None)
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("width", [30, 50])
def test_sentences_are_wrapped(width):
    lines = summarise(About("perceptron"), modified_or(), DONE, width)
    assert max(map(len, lines)) <= width
