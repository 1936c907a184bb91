"""Runs that are kept: ends of long ones, fractions without end, JSON."""

import json
from fractions import Fraction

import pytest

from hardlimit import textbook
from hardlimit.exceptions import InputError
from hardlimit.textbook import About
from hardlimit.textbook.lengths import MOST_DIGITS, refuse_long

from .boards import W1, W2, exercise, modified_or

ABOUT = About("perceptron")


def collect(ex, keep=None, **settings):
    return textbook.collect(textbook.incremental(ex, **settings), ex, ABOUT, keep)


def test_everything_is_kept_unless_asked():
    trace = collect(modified_or())
    assert len(trace.steps) == 8 and trace.left_out == 0 and trace.gap_at is None
    assert trace.stop_reason == trace.outcome.reason == "separated"


@pytest.mark.parametrize(("first", "last"), [(3, 2), (1, 0), (0, 1), (100, 80), (170, 10)])
def test_the_ends_of_a_long_run(first, last):
    whole = collect(exercise(W1, W2))
    part = collect(exercise(W1, W2), keep=(first, last))
    n = len(whole.steps)
    if first + last >= n:
        assert part.steps == whole.steps and part.left_out == 0
        return
    assert part.steps == whole.steps[:first] + whole.steps[n - last :]
    assert (part.left_out, part.gap_at) == (n - first - last, first)
    assert part.outcome == whole.outcome
    assert whole.shortened(first, last) == part


def test_a_trace_that_was_shortened_is_not_shortened_again():
    part = collect(exercise(W1, W2), keep=(3, 3))
    assert part.shortened(1, 1) is part


def test_the_gap_is_said_with_its_number():
    part = collect(exercise(W1, W2), keep=(2, 2))
    assert f"... {part.left_out:,} lines left out ..." in part.text()
    one = collect(modified_or(), keep=(4, 3))
    assert "... 1 line left out ..." in one.markdown()


def test_json_has_rows_from_zero_and_fractions_as_strings():
    ex = textbook.examples([[0.5], [-1]], [1, -1], bias_feature=1)
    plain = json.loads(collect(ex).json())
    assert plain["steps"][0]["example"] == 0
    assert plain["steps"][0]["z"] == ["1/2", 1]
    assert (plain["rule"], plain["order"], plain["classes"]) == ("perceptron", "cyclic", [-1, 1])


@pytest.mark.parametrize("value", [Fraction(1, 10**2001), Fraction(10**2001), 0.1, 7, "text"])
def test_numbers_of_too_many_digits_are_refused(value):
    outcome = textbook.Outcome("max_iter", ((value,),), 1, 1, (), (), ())
    if isinstance(value, Fraction):
        with pytest.raises(InputError) as caught:
            refuse_long(outcome, 1234)
        assert caught.value.who == "trace" and "1,234 steps" in caught.value.reason
        assert f"{MOST_DIGITS:,} digits" in caught.value.reason
    else:
        refuse_long(outcome, 1)


def test_a_generator_that_fails_fails_the_trace():
    with pytest.raises(InputError, match="starting weights"):
        collect(modified_or(), w=(1,))


def test_other_steps_have_their_own_columns():
    ex = modified_or()
    heads = {
        "dual": textbook.collect(textbook.dual(ex), ex, ABOUT),
        "winnow": textbook.collect(textbook.balanced_winnow(ex), ex, ABOUT),
        "descent": textbook.collect(textbook.descend(ex), ex, About("J_p", "descent")),
    }
    found = {name: [c.head for c in trace.columns] for name, trace in heads.items()}
    assert found["dual"][2:7] == ["alpha1", "alpha2", "alpha3", "alpha4", "t f(x)"]
    assert found["winnow"][2:5] == ["a+1", "a+2", "a+0"]
    assert found["descent"][:5] == ["step", "w1", "w2", "w0", "in sum"]


def test_coupled_weights_are_numbered_by_class():
    X, labels = [[1, 0], [0, 1], [-1, -1]], ["a", "b", "c"]
    ex = textbook.examples(X, [1, 1, 1])
    trace = textbook.collect(textbook.coupled(X, labels), ex, ABOUT)
    heads = [c.head for c in trace.columns]
    assert "w1,1" in heads and "w3,0" in heads


def test_markdown_shows_names_as_they_are():
    """A column's name may hold a tag, a link or a pipe: none of them acts."""
    names = ["<script>alert(1)</script>", "a|b", "[x](javascript:y)"]
    run = textbook.trace([[1, 0, 1], [0, 1, 1]], ["<b>", "c|d"], names=names, max_iter=2)
    text = run.markdown()
    assert "<script" not in text and "</script" not in text and "<b>" not in text
    assert "a\\|b" in text and "\\[x](javascript" in text
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in table}) == 1
