"""The trials of the rules, on what is drawn, and the rows that show them."""

import doctest
import os

import pytest

from benchmarks import rule_trials as trials
from benchmarks.rows import imbalance, sharing, which_rule
from hardlimit import rules

from ..rounding import near

DRAWN = {
    "few relevant": trials.error_with_few_relevant,
    "margin": trials.share_of_margin,
}


@pytest.mark.parametrize("name", rules.names())
def test_every_rule_takes_part_or_is_left_out(name):
    for trial in DRAWN.values():
        value = trial(name, 0)
        assert value is None or 0 <= value <= 101


def test_rules_that_multiply_find_the_few_columns_that_matter():
    assert trials.error_with_few_relevant("winnow-2", 0) < 5
    assert trials.error_with_few_relevant("perceptron", 0) > 20


def test_a_stream_leaves_out_the_rules_that_cannot_learn_from_it(monkeypatch):
    monkeypatch.setattr(trials, "STREAM", 400)
    monkeypatch.setattr(trials, "CHANGE", 100)
    assert trials.stream_errors(changing=False)("adatron", 0) is None
    steady = trials.stream_errors(changing=False)("arow", 0)
    assert steady < trials.stream_errors(changing=True)("arow", 0)


def test_a_split_is_the_same_for_every_rule_and_another_for_each_number():
    found = which_rule.run(lambda name, number: float(number), ["perceptron", "arow"], 3)
    assert found == {"perceptron": [0.0, 1.0, 2.0], "arow": [0.0, 1.0, 2.0]}
    left_out = which_rule.run(lambda name, number: None if name == "arow" else 1.0, ["arow"], 2)
    assert left_out == {} and which_rule.cell("texts", None) == which_rule.NONE


def test_measures_of_a_rare_class():
    import numpy as np

    said, truth = np.array([1, 1, 0, 0, 0], bool), np.array([1, 0, 1, 0, 0], bool)
    recall, precision, f1, false = imbalance.measure(imbalance.Answers(said, said), truth)
    assert (recall, precision, f1) == (50, 50, 50) and false == near(1000 / 3, 2)


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="Linux tells it")
def test_the_memory_of_a_process_is_told_by_kind():
    found = sharing.memory_of(os.getpid())
    assert found["Rss"] >= found["Pss"] > 0 and found["Private_Dirty"] <= found["Rss"]


@pytest.mark.parametrize("module", [which_rule, imbalance])
def test_the_examples_in_the_docstrings_hold(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed
