"""The table of a run: in four forms, on any width, of long runs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

from hardlimit import LinearClassifier, guards, rules, textbook
from hardlimit.exceptions import InputError
from hardlimit.textbook.writing import format_number

from .boards import OR, modified_or


def table(text):
    """The lines of the table within a text, without the blank lines around it."""
    lines = text.splitlines()
    first = lines.index("")
    return lines[first + 1 : lines.index("", first + 1)]


def test_the_whole_text():
    assert textbook.trace(*OR, order="batch").text() == (
        "perceptron; all violators at once, summed; exact fractions\n"
        "x0 = -1 in every row, so that w0 is the threshold\n"
        "t is the label; corrected where t w.x <= 0\n"
        "\n"
        "iteration  no   w1  w2  w0   tx1  tx2  tx0   t w.x  update   dw1  dw2  dw0\n"
        "        1   1    0   0   0     1    1    1       0     yes     2    2   -2\n"
        "            2                  1   -1   -1       0     yes\n"
        "            3                 -1    1   -1       0     yes\n"
        "            4                  1    1   -1       0     yes\n"
        "        2   1    2   2  -2     1    1    1       2      no     0    0    0\n"
        "            2                  1   -1   -1       2      no\n"
        "            3                 -1    1   -1       2      no\n"
        "            4                  1    1   -1       6      no\n"
        "\n"
        "separated after 1 iteration: no pattern is wrong\n"
        "w = (2, 2, -2)\n"
        "corrections of pattern 1 to 4: 1 1 1 1\n"
    )


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("columns", [1, 3, 9, 30])
def test_no_line_is_wider_than_the_page(width, columns):
    X = [[Fraction(a * (j + 1), 3) for j in range(columns)] for a in (-2, 1, 5)]
    for order in ("cyclic", "batch", "worst"):
        found = textbook.trace(X, ["n", "y", "y"], rules.Relaxation(), order=order, max_iter=8)
        for text in (found.text(width), found.text(None)):
            assert all(str(i + 1) in text for i in range(3))
        assert max(map(len, found.text(width).splitlines())) <= width


def test_nothing_is_lost_on_a_narrow_page():
    X = [[k + j for j in range(12)] for k in (0, 100)]
    text = textbook.trace(X, [-1, 1]).text(60)
    assert "epoch 1, no 1, t w.x 0, update yes" in text
    joined = " ".join(text.split())
    assert "tx (0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, 1)" in joined


def test_markdown_has_a_cell_for_every_head():
    lines = table(textbook.trace(*OR).markdown())
    assert {line.count("|") for line in lines} == {lines[0].count("|")}
    assert lines[1].strip("|-: ") == ""
    assert "new w1" in lines[0] and len(lines) == 2 + 8


def test_csv_and_json_hold_all_digits():
    found = textbook.trace(*OR, rules.Relaxation(1, 1), until="margin", tol="1/100", max_iter=60)
    assert "~" in found.text()
    last = list(csv.DictReader(io.StringIO(found.csv())))[-1]
    exact = found.steps[-1].w_after
    assert [Fraction(last[f"new w{j}"]) for j in "120"] == list(exact)
    data = json.loads(found.json())
    assert [Fraction(v) for v in data["steps"][-1]["w_after"]] == list(exact)
    assert data["stop_reason"] == "margin_reached" and len(data["steps"]) == len(found.steps)
    assert data["counts"] == list(found.outcome.counts)
    floats = json.loads(textbook.trace(*OR, "passive-aggressive", exact=False).json())
    assert isinstance(floats["w"][0], float)


def test_long_runs_keep_their_ends():
    whole = textbook.trace(*OR, max_iter=9, until=None)
    cut = textbook.trace(*OR, max_iter=9, until=None, keep=(5, 3))
    assert cut.steps == whole.steps[:5] + whole.steps[-3:]
    assert cut.left_out == len(whole.steps) - 8 and cut.outcome == whole.outcome
    assert f"... {cut.left_out} lines left out ..." in cut.text()
    assert f"... {cut.left_out} lines left out ..." in cut.markdown()
    kept = table(cut.text())[1:]
    assert len(kept) == 8 + 1
    once = table(textbook.trace(*OR, max_iter=1, keep=(2, 1)).text())
    assert once[-1].split()[:2] == ["1", "4"], "after the gap the epoch is said again"
    short = textbook.trace(*OR, keep=(50, 30))
    assert short.left_out == 0 and short.text() == textbook.trace(*OR).text()


def test_a_batch_says_its_weights_after_a_gap():
    cut = textbook.trace(*OR, order="batch", keep=(1, 2))
    lines = table(cut.text())
    assert lines[3].split() == "2 3 2 2 -2 -1 1 -1 2 no 0 0 0".split()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"order": "batch", "bias_feature": 1}, "stalled after 1 iteration"),
        ({"max_iter": 3, "until": None}, "stopped after 12 corrections in 3 epochs"),
        ({}, "cycling, period 1 (4 corrections), after 4 corrections in 1 epoch"),
        ({"guard": textbook.Guard(bound=2)}, "settled after 8 corrections in 3 epochs"),
    ],
)
def test_the_reason_is_told_and_who_is_wrong(settings, words):
    found = textbook.trace([[0, 0], [0, 1], [1, 0], [1, 1]], "nyyn", **settings)
    text = " ".join(found.text().split())
    assert words in text and "patterns are wrong (no. " in text
    assert "t = +1 for y, -1 for n" in text
    reason = words.split()[0].rstrip(",")
    assert found.stop_reason == reason.replace("stopped", "max_iter")


def test_what_the_columns_are_called():
    text = textbook.trace(*OR, bias_feature=None, names=["height", "x2"], max_iter=2).text()
    assert "x1 = height; through the origin" in text and "w0" not in text
    assert "w0 is the bias" in textbook.trace(*OR, bias_feature=2).text()


def test_a_required_margin_that_changes_has_its_column():
    @dataclass(frozen=True)
    class Dynamic(rules.Rule):
        eps: float = 0.5

        def required(self, wsq, step):
            return (1 - self.eps) * wsq / (step - 1) if step > 1 else 0

        def tau(self):
            return 1

    found = textbook.trace(*OR, Dynamic(), until="margin")
    assert found.stop_reason == "margin_reached"
    assert "required" in table(found.text())[0]
    assert "t w.x <= required" in found.text()


def test_other_algorithms_have_tables_too():
    ex = modified_or()
    about = textbook.About("balanced-winnow")
    text = textbook.collect(textbook.balanced_winnow(ex), ex, about).text()
    assert "-15/4" in text and table(text)[0].split()[2:8] == "a+1 a+2 a+0 a-1 a-2 a-0".split()
    run = textbook.descend(ex, "J_q", rate="line-search", w=(1, 1, 1))
    text = textbook.collect(run, ex, textbook.About("J_q", "descent")).text()
    assert "stalled after 1 iteration" in text and "1/4" in text
    binary = textbook.examples([[0, 1], [1, 0]], [-1, 1], bias_feature=None)
    assert "w.x" in textbook.collect(textbook.winnow(binary), binary, about).csv()
    X, labels = [[1, 0], [0, 1], [-1, -1]], [1, 1, 1]
    three = textbook.examples(X, labels)
    text = textbook.collect(textbook.coupled(X, "abc"), three, about).csv()
    assert text.startswith('epoch,no,"w1,1","w1,2","w1,0"')


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_it_goes_in_the_order_of_the_classifier(order):
    X, y = [[3, 1], [-2, 4], [0, -5], [2, 2], [1, -1], [-3, 0]], [0, 1, 0, 1, 1, 0]
    found = textbook.trace(X, y, order=order, random_state=7, max_iter=4, until=None)
    clf = LinearClassifier(
        "perceptron", order=order, random_state=7, max_iter=4, until=None, readout="last",
        bias_feature=-1.0,
    ).fit(X, y)  # fmt: skip
    assert clf.coef_[0].tolist() == [float(v) for v in found.outcome.w[:2]]
    assert clf.n_corrections_ == found.outcome.corrections


@pytest.mark.parametrize("name", rules.names())
@pytest.mark.parametrize("order", ["cyclic", "worst", "batch"])
def test_every_rule_of_the_package_has_its_table(name, order):
    rule = rules.get(name)
    if order == "batch" and not rule.batch or order == "worst" and rule.answers != "tau":
        return
    X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], "nyyy"
    found = textbook.trace(X, y, name, order=order, exact=textbook.can_be_exact(rule), max_iter=30)
    assert f"{name}" in found.text() and found.steps[0].epoch == 1
    lines = table(found.text())
    assert "update" in lines[0], "four rows of two columns fit as a table"
    assert max(map(len, lines)) <= 80


def test_what_the_package_calls_by_name():
    found = textbook.trace(*OR, "margin-perceptron", schedule="1/step", until="margin")
    assert [s.tau for s in found.steps if s.corrected][:3] == [1, Fraction(1, 2), Fraction(1, 3)]
    found = textbook.trace(*OR, "relaxation", order="batch", schedule="line-search")
    assert found.steps[0].w_after == (Fraction(1, 2), Fraction(1, 2), Fraction(-1, 2))
    assert found.outcome.w == (1, 1, -1)
    found = textbook.trace(*OR, "margin-perceptron", schedule="projection", max_iter=1)
    assert found.steps[0].tau == Fraction(1, 3)  # as relaxation, eta = 1
    both = (guards.AlphaBound(2), guards.LambdaTrick(0.5))
    found = textbook.trace([[1], [1]], [1, -1], guard=both)
    assert found.stop_reason == "settled" and max(found.outcome.counts) <= 2
    text = textbook.trace(*OR, "balanced-winnow").text()
    assert "-15/4" in text and "corrected where t score <= 0" in text


def test_decimals_are_what_was_typed():
    found = textbook.trace([[0.1], [0.7]], [-1, 1], rules.MarginPerceptron(b=0.1), schedule=0.1)
    assert found.steps[0].z == (Fraction(-1, 10), 1)
    assert found.steps[0].required == Fraction(1, 10)
    assert found.steps[0].delta == (Fraction(-1, 100), Fraction(1, 10))
    floats = textbook.trace([[0.1], [0.7]], [-1, 1], rules.MarginPerceptron(b=0.1), exact=False)
    assert all(isinstance(v, float) for v in floats.outcome.w)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"order": "sideways"}, "order"),
        ({"combine": "sum"}, "combine.*order='cyclic'"),
        ({"order": "worst", "combine": "sum"}, "combine.*order='worst'"),
        ({"rule": "romma", "order": "batch"}, "no batch form"),
        ({"rule": "romma", "schedule": "1/step"}, "schedule"),
        ({"rule": "winnow-2"}, "row 0, column 0: got -1"),
        ({"order": "batch", "schedule": "line-search"}, "no Hessian"),
        ({"rule": "relaxation", "schedule": "line-search"}, "line search"),
        ({"rule": "relaxation", "guard": guards.Margin(1)}, "Margin"),
        ({"rule": "balanced-winnow", "order": "batch"}, "order='batch'"),
        ({"rule": "balanced-winnow", "schedule": "1/step"}, "schedule"),
        ({"order": "batch", "combine": "product"}, "product"),
        ({"until": "soon"}, "soon"),
        ({"rule": "perceptrom"}, "did you mean 'perceptron'"),
    ],
)
def test_what_does_not_go_together_is_refused(settings, word):
    with pytest.raises(InputError, match=word):
        textbook.trace(*OR, **settings)


def test_numbers_in_cells():
    assert [format_number(v) for v in (Fraction(4, 2), Fraction(-1, 3), 0.1, -0.0, 7)] == [
        "2", "-1/3", "0.1", "0", "7",
    ]  # fmt: skip
    assert format_number(Fraction(1, 3**40)) == "~8.22526e-20"
    assert format_number(Fraction(10**400)).startswith("~inf")
