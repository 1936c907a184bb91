"""Online to batch: k mistakes of a pass over n rows are k / n of new rows, of votes twice that."""

import pytest

from hardlimit import rules
from hardlimit.theory.bounds import MarginProblem, ModelRun, evaluate
from hardlimit.theory.bounds.online_to_batch import reason_inapplicable


def lines_of(run):
    return [
        line for line in evaluate(run, [MarginProblem()]).lines[0] if line.name.startswith("online")
    ]


def test_the_shares():
    run = ModelRun(rules.Perceptron(), order="shuffled", n_rows=40, first=6)
    random, voted = lines_of(run)
    assert (random.value, voted.value) == (0.15, 0.3)
    assert random.of.endswith("expected") and voted.of.endswith("at most")


def test_a_share_is_at_most_one():
    random, voted = lines_of(ModelRun(rules.Perceptron(), order="cyclic", n_rows=4, first=3))
    assert (random.value, voted.value) == (0.75, 1.0)


def test_any_rule_may_be_counted():
    assert (
        lines_of(ModelRun(rules.Relaxation(), order="cyclic", n_rows=4, first=1))[0].value == 0.25
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"order": "batch"}, "the order is batch"),
        ({"order": "random"}, "the order is random"),
        ({"streamed": True}, "a stream"),
        ({"weighted": True}, "weigh other than 1"),
        ({"scheme": "independent"}, "each neuron errs by itself"),
    ],
)
def test_where_it_does_not_apply(settings, words):
    run = ModelRun(rules.Perceptron(), n_rows=4, first=1, **settings)
    assert words in reason_inapplicable(run)
    assert all(line.value is None and words in line.reason for line in lines_of(run))


def test_without_a_first_pass_nothing_is_estimated():
    for settings in ({"n_rows": None, "first": 1}, {"n_rows": 4, "first": None}):
        for line in lines_of(ModelRun(rules.Perceptron(), order="cyclic", **settings)):
            assert line.value is None and "first pass is not known" in line.reason
