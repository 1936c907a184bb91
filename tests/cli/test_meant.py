"""What a user meant: files of other kinds, headed pipes, options given twice, columns to drop."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pandas as pd
import pytest

import hardlimit as hl
from hardlimit.cli import commands, main

VOWPAL = "-1 |f win:0.5 prize\n1 1.0 'tag|f lunch noon:2\n-1 2 |a cash |b free\n1 | see you\n" * 3
MAIL = "From a{0}@b.org Thu Aug 22 12:36:23 2002\nSubject: mail {0}\n\nFrom here on {0}\n\n"
MAILBOX = "".join(MAIL.format(number) for number in range(5))
TRAINING = ["win a prize,spam", "lunch at noon,ham", "cash prize,spam", "see you,ham"] * 3


def said(capsys: pytest.CaptureFixture[str], code: int, *words: object) -> str:
    """Run in this process; return what was said on standard error, on one line."""
    capsys.readouterr()
    found = main(list(map(str, words)))
    error = capsys.readouterr().err
    assert found == code, error
    return " ".join(error.split())


@pytest.fixture
def write(tmp_path: Path):
    def make(name: str, content: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path

    return make


@pytest.fixture
def spam(write, tmp_path, capsys) -> Path:
    data = write("spam.csv", "message,folder\n" + "\n".join(TRAINING) + "\n")
    assert main(["train", str(data), "-o", str(tmp_path / "spam.model")]) == 0
    capsys.readouterr()
    return tmp_path / "spam.model"


# Files of other kinds


@pytest.mark.parametrize("name", ["a.vw", "a.txt", "a.csv", "a", "a.tsv"])
def test_vowpal_wabbit_is_learnt_from_and_is_no_file_of_texts(
    name, write, tmp_path, capsys, spam
) -> None:
    path, model = write(name, VOWPAL), tmp_path / "m"
    for command in ("predict", "evaluate", "report"):
        words = [command, spam, path]
        assert "Vowpal Wabbit" in (found := said(capsys, 1, *words)), found
        assert "--format vw" in found
    assert not model.exists()
    told = said(capsys, 0, "train", path, "-o", model)
    assert name == "a.vw" or "read as --format vw" in told
    assert said(capsys, 0, "predict", model, path) == ""


def test_who_names_the_delimiter_or_the_format_is_believed(write, tmp_path, capsys, spam) -> None:
    rows = "".join(f"{n % 2} | text of a row {n} {'win' if n % 2 else 'lose'}\n" for n in range(8))
    path = write("pipes.txt", rows)
    assert "--format or --delimiter" in said(capsys, 0, "train", path, "-o", tmp_path / "m")
    told = ["--format", "csv", "--delimiter", "|", "--no-header", "--text", "1", "--label", "0"]
    assert main(["train", str(path), *told, "-o", str(tmp_path / "m")]) == 0
    assert main(["predict", str(spam), str(path), "--format", "lines"]) == 0


@pytest.mark.parametrize("content", [
    "12|win a prize\n13|lunch\n", "spam |win\nham |lunch\n", "a | b | c\n1 | 2 | 3\n",
    "see you at 12 | noon\n",
])  # fmt: skip
def test_other_pipes_are_no_vowpal_wabbit(content, write, spam, capsys) -> None:
    assert "Vowpal" not in said(capsys, 0, "predict", spam, write("a.txt", content))


def test_a_mailbox_is_read_and_refused_where_its_name_says_else(
    write, tmp_path, capsys, spam
) -> None:
    assert main(["predict", str(spam), str(write("five", MAILBOX))]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    path = write("five.txt", MAILBOX)
    for words in (["train", path, "-o", tmp_path / "m"], ["predict", spam, path]):
        assert "mailbox (mbox)" in said(capsys, 1, *words)
    assert main(["predict", str(spam), str(path), "--format", "lines"]) == 0
    for number in range(4):
        write(f"mails/{'ham' if number % 2 else 'spam'}/{number}", MAIL.format(number))
    write("mails/ham/box", MAILBOX)
    found = said(capsys, 0, "train", tmp_path / "mails", "-o", tmp_path / "m")
    assert (
        "ham/box: looks like a mailbox of 5 mails" in found
        and found.count("looks like a mailbox") == 1
    )
    assert main(["predict", str(tmp_path / "m"), str(tmp_path / "mails/spam/0")]) == 0
    assert "--format mbox" in said(capsys, 1, "predict", tmp_path / "m", path)
    capsys.readouterr()
    assert main(["predict", str(tmp_path / "m"), str(path), "--format", "folder"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


# Standard input


@pytest.mark.parametrize(("given", "answers"), [
    ("message,folder\nwin a prize,spam\nlunch,ham\n", 2),
    ("id;message\n1;win a prize\n2;lunch\n3;\"see; you\"\n", 3),
    ("id\tmessage\n1\twin a prize\n", 1),
    ('{"message": "win a prize"}\n{"message": "lunch"}\n', 2),
    ("win a prize\nlunch\n", 2),
    ("a message, from the folder\n", 1),
    ("message\n", 1),
    ("{ message }\n", 1),
    ("", 0),
])  # fmt: skip
def test_a_piped_header_gets_no_label(given, answers, hardlimit, spam) -> None:
    done = hardlimit("predict", spam, given=given)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == answers
    assert ("is read as" in done.stderr) == (answers != len(given.splitlines()) or "{" in given[:1]
                                             and '"' in given)  # fmt: skip


def test_a_piped_header_is_a_text_where_lines_are_asked_for(hardlimit, spam) -> None:
    done = hardlimit("predict", spam, "--format", "lines", given="message,folder\nwin,spam\n")
    assert len(done.stdout.splitlines()) == 2


# Options


SINGLE = [
    (name, option)
    for name in commands.names()
    for option in commands.load(name).params
    if isinstance(option, click.Option)
    and not option.multiple
    and (not option.is_flag or option.secondary_opts)
]


@pytest.mark.parametrize(("name", "option"), SINGLE, ids=lambda x: getattr(x, "name", x))
def test_an_option_of_one_value_is_not_given_twice(name, option, capsys) -> None:
    value = [] if option.is_flag else ["1"]
    twice = [option.opts[-1], *value, (option.secondary_opts or option.opts)[0], *value]
    found = said(capsys, 2, name, *twice)
    assert "more than once" in found and option.opts[-1] in found


def test_flags_and_lists_may_be_given_twice(write, tmp_path, capsys) -> None:
    data = write("x.csv", "a,b,y\n" + "1,2,no\n3,4,yes\n" * 3)
    words = ["train", data, "-o", tmp_path / "m", "--guard", "margin", "--guard"]
    assert main([*map(str, words), "alpha-bound", "--json", "--json"]) == 0


def test_a_text_in_the_place_of_the_file_says_how(capsys, spam) -> None:
    found = said(capsys, 1, "predict", spam, "win a prize")
    assert "no such file" in found and "echo 'win a prize' |" in found and "explain" in found
    assert len(said(capsys, 1, "predict", spam, "word " * 5000)) < 1500


# Tables of numbers


NUMBERS = "0,0,2\n0,1,1\n1,0,1\n1,1,1\n0,0,2\n1,2,1\n"


@pytest.mark.parametrize("content", [NUMBERS, "0.5,1\n0.1,0\n0.7,1\n", "0,0,0\n1,1,1\n",
                                     "1,2,yes\n3,4,no\n" * 2])  # fmt: skip
@pytest.mark.parametrize("words", [[], ["--no-header"], ["--label", "LAST"],
                                   ["--no-header", "--label", "LAST"]])  # fmt: skip
def test_numbers_without_a_header_are_read_alike(content, words, write, tmp_path, capsys) -> None:
    path, last = write("x.csv", content), content.splitlines()[0].count(",")
    words = [str(last) if word == "LAST" else word for word in words]
    rows = len(content.splitlines())
    for command in ("trace", "certify", "train"):
        out = {"train": ["-o", tmp_path / "m"], "certify": ["-o", tmp_path / "p"]}.get(command, [])
        json_option = ["--format", "json"] if command == "trace" else ["--json"]
        capsys.readouterr()
        assert main([command, str(path), *words, *map(str, out), *json_option]) == 0
        found = json.loads(capsys.readouterr().out)
        if command == "train":
            assert found["rows"] == rows
        assert len(hl.readers.load_numbers(path, label=last).y) == rows
    capsys.readouterr()


def test_an_id_column_is_dropped(write, tmp_path, capsys) -> None:
    rows = [f"row{n},{n % 3},{n % 2},{'yes' if n % 2 else 'no'},note {n}" for n in range(12)]
    path = write("ids.csv", "id,a,b,kind,note\n" + "\n".join(rows) + "\n")
    drop = ["--drop", "id", "--drop", "note"]
    model = tmp_path / "m"
    assert main(["train", str(path), *drop, "-o", str(model), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["training_errors"] == 0
    assert hl.load(model).feature_names_in_.tolist() == ["a", "b"]
    for other in (path, write("bare.csv", "b,a\n1,2\n0,1\n"), write("id.csv", "id,b,a\nx,1,2\n")):
        assert main(["predict", str(model), str(other)]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(model), str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1
    assert main(["predict", str(model), str(path), "-o", str(tmp_path / "scored.csv")]) == 0
    assert (tmp_path / "scored.csv").read_text().startswith("id,a,b,kind,note,label,score")
    assert "no column 'idd'" in said(capsys, 1, "train", path, "--format", "numeric-csv",
                                     "--drop", "idd", "-o", model)  # fmt: skip
    certified = ["certify", str(path), *drop, "-o", str(tmp_path / "p.json"), "--json"]
    assert main(certified) == 0


def test_a_column_without_a_name_is_dropped_by_its_number(write, tmp_path, capsys) -> None:
    path = write("x.csv", "".join(f"row{n},{n % 3},{n % 2},{n % 2}\n" for n in range(12)))
    assert main(["train", str(path), "--drop", "0", "-o", str(tmp_path / "m"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 12
    for other in (path, write("y.csv", "1,0\n2,1\n")):
        assert main(["predict", str(tmp_path / "m"), str(other)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 14


def test_names_of_a_model_fitted_in_python_are_checked(write, tmp_path, capsys) -> None:
    frame = pd.DataFrame({"a": [1.0, 0, 2, 0], "b": [0.0, 1, 0, 2]})
    hl.LinearClassifier().fit(frame, ["x", "y", "x", "y"]).save(tmp_path / "m")
    assert main(["predict", str(tmp_path / "m"), str(write("r.csv", "b,a\n0,5\n5,0\n"))]) == 0
    answers = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert answers == ["x", "y"]
    found = said(capsys, 1, "predict", tmp_path / "m", write("z.csv", "a,z\n0,5\n"))
    assert "no column 'b'" in found


def test_continuous_labels_are_refused(write, tmp_path, capsys) -> None:
    path = write("x.csv", "a,b,y\n" + "".join(f"{n},{-n},{n}.5\n" for n in range(9)))
    found = said(capsys, 1, "train", path, "-o", tmp_path / "m")
    assert "targets of a regression" in found and "--label" in found


# Continuing


def test_a_correction_says_whether_it_holds(write, tmp_path, capsys, spam) -> None:
    new = write("new.csv", "message,folder\nwin a prize,ham\n")
    words = ["train", str(new), "--train-from", str(spam), "-o", str(tmp_path / "n")]
    assert main(words) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "now 1 epoch over these rows: 1 mistake, 1 correction" in printed
    assert "new rows 0 of 1 row answered as taught" in printed
    assert "win a prize ham spam" in printed
    assert "--readout last answers all of them as taught" in printed
    assert main([*words, "--readout", "last"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "1 of 1 row answered as taught" in printed and "Not yet" not in printed
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["continued"]
    assert found["answered_as_taught"] == 0 and found["answered_as_taught_by_last"] == 1
    assert found["first_others"] == [{"row": 0, "label": "ham", "answer": "spam"}]


def test_of_many_rows_the_first_are_shown(write, tmp_path, capsys, spam) -> None:
    rows = "".join(f"win a prize,{'ham' if n % 2 else 'spam'}\n" for n in range(20))
    new = write("new.csv", "message,folder\n" + rows)
    assert main(["train", str(new), "--train-from", str(spam), "-o", str(tmp_path / "n")]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "10 of 20 rows answered as taught" in printed and "and 7 more" in printed
    assert "--epochs 10" in printed


def test_numbers_name_the_line(write, tmp_path, capsys) -> None:
    first = write("a.csv", "a,b,y\n" + "1,0,no\n0,1,yes\n" * 30)
    assert main(["train", str(first), "-o", str(tmp_path / "m")]) == 0
    new = write("b.csv", "a,b,y\n1,0,yes\n1,0,no\n")
    assert main(["train", str(new), "--train-from", str(tmp_path / "m"), "-o",
                 str(tmp_path / "n")]) == 0  # fmt: skip
    printed = " ".join(capsys.readouterr().out.split())
    assert "line 2 yes no" in printed and "makes each correction hold" in printed


def test_the_classes_of_a_model_fitted_in_python_are_not_counted_in_part(
    write, tmp_path, capsys
) -> None:
    """The rows of the fit are not known any more: no count is better than that of the new rows."""
    hl.TextClassifier().fit(["win a prize", "lunch at noon"] * 5, ["spam", "ham"] * 5).save(
        tmp_path / "m"
    )
    new = write("new.csv", "text,label\nwin,spam\n")
    assert main(["train", str(new), "--train-from", str(tmp_path / "m"), "-o",
                 str(tmp_path / "n")]) == 0  # fmt: skip
    capsys.readouterr()
    assert main(["inspect", str(tmp_path / "n")]) == 0
    assert "2: ham, spam\n" in capsys.readouterr().out
