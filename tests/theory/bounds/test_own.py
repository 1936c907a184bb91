"""The line of a rule's own theorem: what it is asked with, and when it is silent."""

import numpy as np
import pytest

from hardlimit import guards, rules, schedules
from hardlimit.theory.bounds import Comparator, MarginProblem, ModelRun, evaluate
from hardlimit.theory.bounds.own import reason_inapplicable

from ...rounding import near


def own(run, part):
    (line,) = [line for line in evaluate(run, [part]).lines[0] if line.name.endswith("'s own")]
    return line


def test_the_margin_perceptrons_theorem():
    """(R^2 + 2 b) / gamma^2 = (4 + 2 * 3) / 0.25."""
    run = ModelRun(rules.MarginPerceptron(b=3), order="cyclic", n_rows=4)
    line = own(
        run, MarginProblem(corrections=7, mistakes=2, radius=2.0, least=0.5, least_of="last")
    )
    assert line.value == near(40, 20)
    assert (line.count, line.holds) == (7, True)


def test_a_bound_of_mistakes_counts_mistakes():
    run = ModelRun(rules.PassiveAggressive(C=1.0), order="cyclic", n_rows=4)
    part = MarginProblem(corrections=7, mistakes=2, radius=2.0, least=0.5, least_of="last")
    line = own(run, part)
    bound = run.rule.mistake_bound(rules.Geometry(radius=2.0, gamma=0.5))
    assert line.value == bound.value
    assert line.count == {"mistakes": 2, "corrections": 7}[bound.of]


def test_the_perceptron_has_the_line_of_novikoff_alone():
    lines = evaluate(ModelRun(rules.Perceptron()), [MarginProblem()]).lines[0]
    assert not [line for line in lines if line.name.endswith("own")]


def test_the_largest_margin_by_absolute_values_comes_from_the_comparators():
    """Of two comparators the better one counts; one with a wrong row does not."""
    wrong = Comparator("pocket", np.array([-1.0, 5.0]), absolute=1.0)
    good = Comparator("last", np.array([1.0, 2.0]), absolute=2.0)
    better = Comparator("averaged", np.array([3.0, 4.0]), absolute=4.0)
    asked = []

    class Asking(rules.Rule):
        def tau(self):
            return 1

        def mistake_bound(self, geometry):
            asked.append(geometry)
            return rules.Bound(1.0, "")

    part = MarginProblem(
        corrections=1, radius=1.0, least=0.1, least_of="last", n_columns=3, x_inf=2.0,
        comparators=(wrong, good, better),
    )  # fmt: skip
    evaluate(ModelRun(Asking()), [part])["Asking's own"]
    assert asked[-1].gamma_1 == 0.75
    assert (asked[-1].n_columns, asked[-1].x_inf, asked[-1].radius) == (3, 2.0, 1.0)


def test_a_rule_without_a_theorem_says_so():
    class Silent(rules.Rule):
        def tau(self):
            return 1

    line = own(
        ModelRun(Silent()), MarginProblem(corrections=1, radius=1.0, least=0.5, least_of="last")
    )
    assert line.value is None and line.reason


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"schedule": schedules.Constant(2.0)}, "a schedule changes"),
        ({"guards": (guards.Margin(1.0),)}, "guards decide"),
        ({"order": "batch"}, "one correction at a time"),
        ({"streamed": True}, "a stream"),
    ],
)
def test_where_it_does_not_apply(settings, words):
    run = ModelRun(rules.MarginPerceptron(), **settings)
    assert words in reason_inapplicable(run)
    assert words in own(run, MarginProblem(corrections=1, radius=1.0, least=0.5)).reason


def test_a_margin_that_is_not_known_leaves_the_promise_open():
    run = ModelRun(rules.MarginPerceptron(b=0), order="cyclic")
    line = own(run, MarginProblem(corrections=2, radius=1.0, length=3.0))
    assert line.value is None and line.at_best == near(1 / 1.5**2, 20)
    assert "gamma may be 0" in line.reason
