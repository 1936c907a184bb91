"""Orders, schedules, guards and read-outs through the commands."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from hardlimit import guards, orders, readouts, rules, schedules
from hardlimit.classifiers import load
from hardlimit.cli import main

from ....rounding import near
from ...conftest import messages, write_csv

COLUMNS = ("--text", "message", "--label", "folder")
XOR = "a,b,y\n-1,-1,no\n1,-1,yes\n-1,1,yes\n1,1,no\n"


@pytest.fixture
def points(tmp_path: Path) -> Path:
    """XOR, twice, so that parts can be held out."""
    path = tmp_path / "points.csv"
    rows = XOR.splitlines(keepends=True)
    path.write_text("".join([rows[0], *rows[1:], *(row.replace("1", "2") for row in rows[1:])]))
    return path


@pytest.fixture
def numbers(points: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Train on the points; the exit code, and what was said."""

    def train(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["train", str(points), "-o", str(tmp_path / "m"), *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return train


def test_everything_together_reaches_the_classifier(numbers, tmp_path, capsys) -> None:
    code, out, err = numbers(
        "--rule", "margin-perceptron:b=2", "--order", "random", "--schedule", "power:1",
        "--readout", "voted", "--guard", "alpha-bound:3", "--guard", "lambda-trick:0.5",
        "--keep", "last,longest,averaged:ciml", "--seed", "5", "--epochs", "7",
    )  # fmt: skip
    assert code == 0, err
    for expected in ("random", "power", "lambda-trick:lam=0.5, alpha-bound:alpha=3", "voted"):
        assert expected in out
    clf = load(tmp_path / "m")
    assert clf.rule == rules.MarginPerceptron(b=2)
    assert orders.resolve(clf.order) == orders.Random()
    assert schedules.resolve(clf.schedule) == schedules.Power(1)
    assert guards.resolve(clf.guard) == (guards.LambdaTrick(0.5), guards.AlphaBound(3))
    assert (clf.keep, clf.readout, clf.averaging) == (
        ("last", "longest", "averaged", "voted"),
        "voted",
        "ciml",
    )
    assert (clf.random_state, clf.n_iter_) == (5, 7)
    assert main(["inspect", str(tmp_path / "m"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["order"] == "random" and shown["readout"] == "voted"
    assert shown["schedule"] == "power"
    assert [one if isinstance(one, str) else one["name"] for one in shown["guards"]] == [
        "lambda-trick", "alpha-bound",
    ]  # fmt: skip


def test_combine_makes_a_batch(numbers, tmp_path) -> None:
    assert numbers("--order", "batch:average", "--guard", "margin:2")[0] == 0
    clf = load(tmp_path / "m")
    assert clf.order == {"name": "batch", "parameters": {"combine": "average"}}
    assert guards.resolve(clf.guard) == (guards.Margin(2),)


@pytest.mark.parametrize("name", orders.ORDERS.members)
def test_every_order_trains(numbers, name) -> None:
    code, out, err = numbers("--order", name, "--epochs", "3")
    assert code == 0 and f"order     {name}" in out, err


@pytest.mark.parametrize("readout", readouts.READOUTS)
def test_every_read_out_answers(numbers, tmp_path, readout, points, capsys) -> None:
    assert numbers("--readout", readout, "--epochs", "3")[0] == 0
    model = str(tmp_path / "m")
    assert load(model).readout == readout
    for words in (["predict", model, str(points)], ["evaluate", model, str(points)],
                  ["inspect", model], ["inspect", model, "--json"]):  # fmt: skip
        assert main(words) == 0
    shown = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (shown["weights"] is None) == (readout == "voted")


@pytest.mark.parametrize("readout", readouts.READOUTS)
def test_every_read_out_answers_texts(training_file, tmp_path, readout, capsys) -> None:
    model, answers = str(tmp_path / "m"), str(tmp_path / "out.csv")
    words = ["train", str(training_file), *COLUMNS, "-o", model, "--readout", readout, "--json"]
    assert main(words) == 0
    trained = json.loads(capsys.readouterr().out)
    assert main(["predict", model, str(training_file), "-o", answers]) == 0
    head, *rows = Path(answers).read_text().splitlines()
    assert head.endswith("label,score,known_features")
    wrong = sum(row.split(",")[2] != row.split(",")[3] for row in rows)
    assert wrong == trained["training_errors"]
    assert main(["inspect", model]) == 0
    out = capsys.readouterr().out
    assert ("Most telling terms" in out) == (readout != "voted")
    code = main(["explain", model, "win a prize"])
    captured = capsys.readouterr()
    if readout == "voted":
        assert code == 1 and "a vote, which has no single weight" in captured.err
    else:
        assert code == 0 and "prize" in captured.out


def test_votes_know_which_texts_say_nothing(hardlimit, training_file, tmp_path) -> None:
    model = tmp_path / "m"
    words = ("--features", "words=1,chars=none", "--readout", "voted")
    assert hardlimit("train", training_file, *COLUMNS, "-o", model, *words).returncode == 0
    done = hardlimit("predict", model, "--json", given="zzz qqq\nwin a prize\n")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["known_features"] for one in found] == [0, 2]
    assert found[0]["score"] != found[1]["score"] and abs(found[1]["score"]) <= 1


def test_every_kept_read_out_in_one_table(tmp_path, capsys) -> None:
    rows = messages(3)
    rows[::5] = [(*row[:2], "spam" if row[2] == "ham" else "ham") for row in rows[::5]]
    file, model = write_csv(tmp_path / "noisy.csv", rows), str(tmp_path / "m")
    words = ["train", str(file), *COLUMNS, "-o", model, "--rule", "perceptron", "--epochs", "3"]
    words += ["--holdout", "0.3", "--readout", "voted"]
    assert main([*words, "--keep", "all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    table = {one["readout"]: one for one in found["readouts"]}
    assert list(table) == list(readouts.ALL)
    assert [name for name, one in table.items() if one["answers"]] == ["voted"]
    for one in table.values():
        assert one["accuracy"] == near(1 - one["errors"] / found["held_out"]["n"], 4)
    assert table["voted"]["accuracy"] == near(found["held_out"]["accuracy"], 4)
    assert len({one["errors"] for one in table.values()}) > 1
    for name, one in table.items():  # each is what it would be alone, from a fit of its own
        assert main([*words[:-1], name, "--json"]) == 0
        alone = json.loads(capsys.readouterr().out)
        assert alone["held_out"]["accuracy"] == near(one["accuracy"], 4)
        assert alone["readouts"] is None
    assert main([*words, "--keep", "last,voted"]) == 0
    out = capsys.readouterr().out
    assert "Which weights answer best" in out and "<- the saved model's" in out
    assert "longest" not in out


def test_votes_that_cost_too_much_lose_no_model(numbers, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(readouts, "VOTING_BUDGET", 1)
    code, out, err = numbers("--keep", "all", "--readout", "voted", "--holdout", "0.5",
                             "--until", "none", "--epochs", "3")  # fmt: skip
    assert code == 0 and "more than the limit" in err and "with_readout" not in err
    assert "voted" in out and (tmp_path / "m").exists()


def test_the_first_that_is_kept_answers(numbers, tmp_path) -> None:
    assert numbers("--keep", "longest,last", "--epochs", "2")[0] == 0
    assert load(tmp_path / "m").readout == "longest"
    assert numbers("--keep", "longest,averaged", "--epochs", "2")[0] == 0
    assert load(tmp_path / "m").readout == "averaged"
    code, _, err = numbers("--keep", "all", "--epochs", "2")
    assert code == 0 and "with --holdout 0.2 all of them are measured" in err


def test_a_rule_without_a_mean_answers_with_its_last_weights(numbers) -> None:
    code, out, err = numbers("--rule", "balanced-winnow", "--epochs", "2")
    assert code == 0 and "read-out  last" in out, err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "--rule passive-aggressive --order batch",
            "--order batch: passive-aggressive: the rule has no",
        ),
        ("--rule arow --order worst", "--order worst: arow: the rule does not add"),
        ("--schedule line-search", "--schedule line-search: perceptron: the rule has no quadratic"),
        ("--rule relaxation --schedule line-search", "use --order batch"),
        ("--schedule projection", "use --rule margin-perceptron:b=1"),
        (
            "--rule passive-aggressive --schedule power",
            "--schedule power: passive-aggressive: the rule finds",
        ),
        ("--keep last,best", "--keep best: wanted one of averaged"),
        ("--keep last,all", "--keep: 'all' stands alone"),
        ("--readout averaged:pre --keep averaged:ciml", "a model has one mean"),
        ("--guard margin:1 --guard margin:2", "wanted each kind once"),
        ("--budget forgetron", "--budget goes with --kernel"),
        ("--order batch --readout voted", "--readout voted: in the order 'batch' every"),
        ("--order worst --keep pocket", "--keep pocket: in the order 'worst' every"),
        ("--rule balanced-winnow --readout averaged", "--readout averaged: balanced-winnow: its"),
        ("--rule alma --guard lambda-trick", "--guard lambda-trick: alma: the rule"),
        (
            "--rule passive-aggressive --guard margin",
            "--guard margin: passive-aggressive: the rule",
        ),
    ],
)
def test_what_does_not_go_together_is_said_of_the_options_before_reading(
    numbers, points, words, expected
) -> None:
    points.write_text(XOR + "1,oops\n" * 3)  # were it read, the error would be another
    code, _, err = numbers("--format", "numeric-csv", "--label", "y", *words.split())
    error = err[err.index("error:") :]
    assert code == 2 and expected in error, err
    for word in ("order=", "schedules.", "guards.", "rules.", "orders.", "keep=", "oops"):
        assert word not in error


@pytest.mark.parametrize(
    "words",
    ["--rule arow", "--order cyclic", "--schedule power", "--guard margin", "--keep all",
     "--scale rows", "--map cross"],
)  # fmt: skip
def test_an_earlier_model_has_decided_all_that(words, numbers, tmp_path, points, capsys) -> None:
    assert numbers("--epochs", "2")[0] == 0
    earlier, target = str(tmp_path / "m"), str(tmp_path / "n")
    given = ["train", str(points), "--train-from", earlier, "-o", target, *words.split()]
    assert main(given) == 2
    assert f"{words.split()[0]} does not go with --train-from" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("--readout voted", "", "--readout voted does not go with --train-from"),
        ("--readout longest", "", "answer by --readout averaged or --readout last"),
        ("--readout voted", "--readout averaged", ""),
        ("", "--readout averaged:pre", "has decided how the mean counts"),
        ("--readout longest", "--readout voted", "need a fit over known examples"),
        ("--guard alpha-bound:2", "", "its noise guards know each training row again"),
    ],
)
def test_going_on_from_an_earlier_model(
    first, then, expected, numbers, tmp_path, points, capsys
) -> None:
    assert numbers("--epochs", "2", *first.split())[0] == 0
    given = ["train", str(points), "--train-from", str(tmp_path / "m"), "-o", str(tmp_path / "n")]
    code = main([*given, *then.split()])
    err = capsys.readouterr().err
    assert (code != 0) == bool(expected) and expected in err
    assert (tmp_path / "n").exists() == (not expected)


def test_slim_and_votes(training_file, tmp_path, numbers, capsys) -> None:
    words = ["train", str(training_file), *COLUMNS, "-o", str(tmp_path / "t"), "--slim"]
    assert main([*words, "--readout", "voted"]) == 2
    assert "--readout voted does not go with --slim" in capsys.readouterr().err
    assert numbers("--readout", "voted", "--slim", "--epochs", "2")[0] == 0
    assert load(tmp_path / "m").predict([[1.0, 2.0]]).shape == (1,)


def test_stalled_says_how_many_are_wrong(numbers, tmp_path, points, capsys) -> None:
    points.write_text(XOR)
    code, out, err = numbers("--order", "batch")
    text = " ".join(out.split())
    assert code == 0, err
    assert "stalled: the corrections of the wrong rows cancel each other; 4 rows are wrong" in text
    assert main(["inspect", str(tmp_path / "m")]) == 0
    assert "4 rows are wrong" in " ".join(capsys.readouterr().out.split())
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        _, _, err = numbers("--order", "batch", "--until", "separated")
    assert "--until separated was not reached: stalled after 1 epoch with 4" in err
    assert "--order shuffled moves on" in err


def test_settled_says_that_nothing_would_change(numbers) -> None:
    code, out, err = numbers("--guard", "alpha-bound:1")
    text = " ".join(out.split())
    assert code == 0 and "settled: a whole epoch corrected nothing" in text, err
    assert "still wrong" in text
