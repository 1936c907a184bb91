"""What the commands say to someone whose options, files or hopes do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardlimit import readouts
from hardlimit.cli import main


def said(capsys, code: int, *words: object) -> str:
    """Run to that exit code, and return all that was printed."""
    assert main(list(map(str, words))) == code
    captured = capsys.readouterr()
    return str(captured.out + captured.err)


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    file = tmp_path / "n.csv"
    file.write_text("a,b,c\n" + "1,2,yes\n3,4,no\n" * 8)
    return file


def test_a_model_that_guesses_is_told(training_file, tmp_path, capsys) -> None:
    words = ["train", training_file, "-o", tmp_path / "m"]
    guessing = ["--rule", "margin-perceptron:b=2", "--schedule", "power"]
    little = [
        *guessing,
        "--guard",
        "alpha-bound:1",
        "--epochs",
        "1",
        "--features",
        "hash=1,chars=none",
    ]
    for held_out in ([], ["--holdout", "0.2"]):
        assert "always predicting 'ham' would err on" in said(capsys, 0, *words, *little, *held_out)
        assert "of little use" not in said(capsys, 0, *words, *held_out)


def test_a_batch_of_texts_has_a_thousand_iterations(training_file, tmp_path, capsys) -> None:
    words = ["train", training_file, "-o", tmp_path / "m", "--rule", "relaxation", "--order"]
    out = said(capsys, 0, *words, "batch")
    assert "1,000 iterations, 1,000 corrections" in out and "epoch" not in out
    assert "all iterations were run" in out
    assert "7 iterations" in said(capsys, 0, *words, "batch", "--epochs", "7")
    assert "5 epochs" in said(capsys, 0, *words, "cyclic")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--keep", "all,foo"], "'all' stands alone"),
        (["--keep", "all,last"], "'all' stands alone"),
        (["--keep", "vted"], "did you mean 'voted'?"),
        (["--readout", "vted"], "did you mean 'voted'?"),
        (["--order", "shuffeld"], "did you mean 'shuffled'?"),
        (["--schedule", "linesearch"], "did you mean 'line-search'?"),
        (["--rule", "margin-perceptron", "--guard", "margin:1"], "takes no margin from outside"),
    ],
)
def test_options_that_do_not_fit(words, sentence, numbers, tmp_path, capsys) -> None:
    assert sentence in said(capsys, 2, "train", numbers, "-o", tmp_path / "m", *words)


def test_a_vote_is_not_continued(training_file, tmp_path, capsys) -> None:
    model = tmp_path / "m"
    said(capsys, 0, "train", training_file, "--readout", "voted", "-o", model)
    words = ["train", training_file, "--train-from", model, "-o", model, "--readout"]
    assert "others need a fit over known examples" in said(capsys, 2, *words, "voted")
    assert "did not keep" not in said(capsys, 0, *words, "last")


def test_a_word_among_numbers_is_shown(numbers, tmp_path, capsys) -> None:
    words = ["train", numbers, "-o", tmp_path / "m"]
    assert "a: number; c: category (2 values)" in said(capsys, 0, *words, "--label", "b")
    numbers.write_text(numbers.read_text().replace("3,4,no", "3,x,no", 1))
    assert f"{numbers}:3: column 'b' with 'x'" in said(capsys, 1, *words)


def test_a_negative_feature_has_a_place_in_the_file(tmp_path, capsys) -> None:
    file = tmp_path / "n.csv"
    file.write_text("t,a,b\n\n" + "yes,1,2\nno,3,-4\n" * 4)
    words = ["train", file, "--label", "t", "--format", "numeric-csv", "--rule", "winnow-2"]
    assert f"{file}:4: column 'b': --rule winnow-2" in said(capsys, 1, *words, "-o", tmp_path / "m")
    svm = tmp_path / "n.svm"
    svm.write_text("# two rows\n1 1:1 7:-2\n-1 1:1\n")
    words = ["train", svm, "--rule", "winnow-2", "-o", tmp_path / "m"]
    assert f"{svm}:2: column 7: --rule winnow-2" in said(capsys, 1, *words)


def test_votes_are_paid_for_over_the_whole_file(
    training_file, other_file, tmp_path, capsys, monkeypatch
) -> None:
    model = tmp_path / "m"
    said(capsys, 0, "train", training_file, "--readout", "voted", "-o", model)
    monkeypatch.setattr(readouts, "VOTING_BUDGET", 1 << 19)
    monkeypatch.setattr("hardlimit.cli.commands.predict.run.BATCH_ROWS", 1)
    out = said(capsys, 1, "predict", model, other_file)
    assert "the votes on 100 rows take about" in out and "\tham" not in out
    out = said(capsys, 0, "train", training_file, "--readout", "voted", "-o", model)
    assert "errors    not counted: so many votes" in out


def test_one_rule_alone(capsys) -> None:
    out = said(capsys, 0, "rules", "alma")
    assert out.startswith("--rule alma\n") and "Gentile, JMLR 2 (2001)" in out and ">>>" not in out
    assert "did you mean 'alma'?" in said(capsys, 2, "rules", "almo")
    assert '"statement"' in said(capsys, 0, "rules", "alma", "--json")


def test_without_a_word_there_is_the_help(capsys) -> None:
    out = said(capsys, 0)
    assert out == said(capsys, 0, "--help") and "Error" not in out and "Use a model:" in out


def test_each_parameter_of_an_order_is_told_once(capsys) -> None:
    out = " ".join(said(capsys, 0, "rules").split())
    assert out.count("theta=none ends the fit") == 1 and "None: what the rule prefers" in out


def test_names_are_not_broken_at_their_hyphens(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
    rows = "".join(f"{k},{k * k},{name}\n" for k, name in enumerate(names) for _ in range(50))
    (tmp_path / "iris.csv").write_text("a,b,kind\n" + rows)
    out = said(capsys, 0, "train", tmp_path / "iris.csv", "-o", tmp_path / "m")
    assert not [line for line in out.splitlines() if line.endswith("-")]
    assert all(name in out for name in names)


def test_help_fits_its_lines(capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "words=1-2,chars=none,hash=20" in " ".join(said(capsys, 0, "train", "--help").split())


def test_criteria_over_more_than_two_weights(numbers, tmp_path, capsys) -> None:
    words = ["trace", numbers, "--plot", tmp_path / "a.svg", "--picture", "criterion-surfaces"]
    out = said(capsys, 2, *words)
    assert "the trace has 3" in out and "--bias none" in out
    assert not (tmp_path / "a.svg").exists()


def test_columns_without_names_do_not_read_as_numbers(tmp_path, capsys) -> None:
    rows = "".join(f"{k % 7},{k % 5},{'ab'[k % 3 == 0]}\n" for k in range(60))
    (tmp_path / "n.csv").write_text(rows)
    for words, name in ((), "column 1"), (("--map", "polynomial:2"), "x1^2"):
        model, page = tmp_path / "m", tmp_path / "r.html"
        said(capsys, 0, "train", tmp_path / "n.csv", *words, "-o", model, "--epochs", 3)
        said(capsys, 0, "report", model, tmp_path / "n.csv", "-o", page)
        assert name in page.read_text() and ">1^2<" not in page.read_text()


def test_a_table_whose_label_is_not_the_last_column(tmp_path, capsys) -> None:
    (tmp_path / "n.data").write_text("842302,M,17.99,10.38\n842517,B,20.57,17.77\n" * 4)
    out = said(capsys, 1, "train", tmp_path / "n.data", "-o", tmp_path / "m")
    assert "got 'M', wanted a number" in out and "--label NAME" in out and "--drop NAME" in out
    words = ["--label", "1", "--drop", "0", "-o", tmp_path / "m"]
    said(capsys, 0, "train", tmp_path / "n.data", *words)
    # The third and the fourth column of the file, as people count from 0 there.
    assert " 2\n" in (out := said(capsys, 0, "inspect", tmp_path / "m")) and " 3\n" in out
    out = said(capsys, 0, "explain", tmp_path / "m", tmp_path / "n.data")
    assert "column 2 " in out and "column 3 " in out and "column 0" not in out


def test_an_attribute_without_numbers_is_left_out_by_an_option(tmp_path, capsys) -> None:
    text = "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@attribute c {u,v}\n@data\n"
    (tmp_path / "a.arff").write_text(text + "x,1,u\ny,2,v\n" * 4)
    words = ["train", tmp_path / "a.arff", "-o", tmp_path / "m"]
    assert "leave it out: --drop a" in said(capsys, 1, *words, "--format", "arff")
    said(capsys, 0, *words, "--format", "arff", "--drop", "a")
    assert "a: category (2 values); b: number" in said(capsys, 0, *words)


def test_a_parameter_of_a_rule_that_is_not_tried(numbers, tmp_path, capsys) -> None:
    out = said(capsys, 2, "tune", numbers, "--rule", "perceptron:b=1,2", "-o", tmp_path / "m")
    assert "no parameter 'b'" in out and "it takes no values" in out


@pytest.mark.parametrize("words", [["train", "a.csv"], ["bake", "m"], ["tune", "a.csv"]])
def test_a_missing_output_has_an_example(words, capsys) -> None:
    assert "It names the file to write: -o " in said(capsys, 2, *words)


def test_who_named_the_text_hears_nothing_of_numbers(tmp_path, capsys) -> None:
    file = tmp_path / "mails.csv"
    file.write_text("id,message,folder\n1,win a prize,spam\n2,see you,\n")
    words = ("train", file, "-o", tmp_path / "m", "--text")
    for more in (["message", "--label", "kind"], ["mesage"], ["message"]):
        assert "not read as numbers" not in said(capsys, 1, *words, *more)
