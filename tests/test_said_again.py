"""Sentences that say as much as they did before errors had fields."""

from __future__ import annotations

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import rules, textbook
from hardlimit.cli.face import CommandFace
from hardlimit.exceptions import InputError, KindError

X, Y = [[0.0, 1.0], [1.0, 0.0]], [0, 1]
SENTENCES = [
    (
        lambda: hl.LinearClassifier().fit(X, Y, ["a", "b"]),
        "sample_weight: wanted numbers: could not convert string to float: 'a'",
    ),
    (
        lambda: hl.TextClassifier(words=None, chars=None).fit(["a", "b"], Y),
        "words=None and chars=None leave no features; give at least one of them, for example "
        "words=(1, 2)",
    ),
    (
        lambda: hl.TextClassifier().partial_fit("a", "b"),
        "texts: got one str, wanted an iterable of str or bytes; put it in a list, [text]",
    ),
    (
        lambda: textbook.trace(X, [0]),
        "textbook: got 2 rows and 1 target, wanted as many, and at least one",
    ),
    (
        lambda: textbook.trace([[0, 1], [1]], Y),
        "textbook: got rows of different lengths, wanted a number for each column",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), SENTENCES)
def test_the_sentence(call, sentence):
    with pytest.raises((InputError, KindError)) as caught:
        call()
    assert str(caught.value) == sentence


def test_three_classes_are_refused_by_the_textbook_by_name():
    with pytest.raises(InputError, match=r"^textbook: got 3 classes, wanted two; "):
        textbook.trace(np.eye(3).tolist(), [0, 1, 2])


def test_the_command_line_names_the_rule_whose_parameter_is_unknown():
    with pytest.raises(InputError) as caught:
        rules.get("perceptron", b=1)
    said = CommandFace().sentence(caught.value)
    assert said == "--rule perceptron: got the parameter 'b', wanted none, it has none"


def test_the_command_line_speaks_of_no_method_where_there_is_one_class():
    with pytest.raises(InputError) as caught:
        hl.LinearClassifier().fit(X, ["a", "a"])
    said = CommandFace().sentence(caught.value)
    assert said == "the labels: got 1 class ('a'), wanted at least two"


@pytest.mark.parametrize("reason", [3, None, ValueError("x"), ("got ", 3)])
def test_an_error_of_anything_can_be_shown(reason):
    assert str(InputError(reason)) == ("got 3" if isinstance(reason, tuple) else str(reason))


def test_the_command_line_takes_words_about_a_value_for_no_value():
    with pytest.raises(InputError) as caught:
        hl.LinearClassifier("paum").fit(np.eye(3), [0, 1, 2])
    said = CommandFace().sentence(caught.value)
    assert said.startswith("--multiclass: paum: got 'coupled' with 3 classes: the two classes")
    with pytest.raises(InputError) as caught:
        hl.LinearClassifier(class_weight={0: -1}).fit(X, Y)
    said = CommandFace().sentence(caught.value)
    assert said == "--class-weight: got -1 for 0, wanted a finite number >= 0"
