"""Files of corrections, the corrected model measured, and the last entry taken back."""

import json

from .corrected import MODEL
from .corrected import of_columns as of_columns
from .corrected import run as run
from .corrected import trained as trained


def test_undo_without_a_number_takes_back_the_last_entry_that_holds(run):
    assert "has no entry" in run("undo", MODEL, code=1)
    run("correct", MODEL, "--label", "ham", "win a prize")
    run("confirm", MODEL, "lunch at noon?")
    run("correct", MODEL, "--label", "ham", "cheap pills now")
    run("bake", MODEL, "-o", "new.hardlimit")
    assert run("undo", MODEL, "--dry-run").startswith("would undo #3: now 'spam'")
    told = [run("undo", MODEL).split(":")[0].split(";")[0] for _ in range(3)]
    assert told == ["#5 undid #3", "#6 undid #2", "#7 undid #1"]
    assert "no entry that holds" in run("undo", MODEL, code=1)
    run("undo", MODEL, "6")
    assert run("undo", MODEL).startswith("#9 undid #2")


def test_a_file_of_corrections_is_made_whole_or_not_at_all(run, tmp_path):
    file = tmp_path / "c.csv"
    columns = ("--text", "text", "--label", "label")
    file.write_text("text,label\nwin a prize,Ham\nlunch zebra,sapm\nlunch,ham\n,ham\n")
    told = run("correct", MODEL, "--file", "c.csv", *columns, code=1)
    lines = [line for line in told.splitlines() if line.startswith("error: ")]
    assert [line.split(": label: ")[0] for line in lines[:2]] == [
        "error: c.csv: row 1", "error: c.csv: row 2",
    ]  # fmt: skip
    assert "use 'ham'" in lines[0] and "nearest that it has is 'spam'" in lines[1]
    assert lines[2].startswith("error: c.csv: row 4: text: got '': it has no known and no new term")
    assert lines[3] == "error: 3 of 4 corrections are refused; none is made"
    assert run("log", MODEL) == "no corrections\n"
    file.write_text("text,label\nwin a prize,ham\nlunch zebra,spam\nminutes,news\n")
    asked = ("correct", MODEL, "--file", "c.csv", *columns, "--new-class", "--by", "alice")
    told = run(*asked, "--dry-run").splitlines()
    assert told[0].split() == ["label", "was", "flips", "text"] and len(told) == 5
    assert told[-1].startswith("would correct 3 texts; 3 had another label before")
    assert run("log", MODEL) == "no corrections\n"
    told = run(*asked).splitlines()
    assert told[0].split() == ["entry", "label", "was", "flips", "text"]
    assert [line.split()[0] for line in told[1:4]] == ["#1", "#2", "#3"]
    assert "'news' (new)" in told[3] and told[4].startswith("corrected 3 texts: #1 to #3; 3 had")
    found = json.loads(run(*asked, "--json"))["receipts"]
    assert [one["id"] for one in found] == [4, 5, 6] and found[2]["after"]["label"] == "news"
    assert "3 corrections at once" in run(*asked, "--correction-rate", "2/60", code=1)
    file.write_text("text,label\nwin a prize,ham\n")
    assert "corrected 1 text: #7; " in run(*asked)
    assert "error: --step inf: wanted" in run(*asked, "--step", "inf", code=1)
    assert "one of both" in run("correct", MODEL, "win", "--file", "c.csv", code=2)
    assert "'other'" in run("correct", MODEL, "--file", "c.csv", "--text", "other", code=1)
    assert "goes with --file" in run("correct", MODEL, "win", "--label", "ham", "--format", "csv",
                                     code=2)  # fmt: skip
    assert "--file" in run("correct", MODEL, "--label", "ham", code=2)


def test_files_of_tables_and_of_numbers_are_corrected_too(of_columns, tmp_path):
    run = of_columns
    run("train", "rows.csv", "--text", "body", "--category", "city", "--number", "age",
        "--drop", "subject", "--label", "label", "-o", "table.hardlimit")  # fmt: skip
    told = run("correct", "table.hardlimit", "--file", "rows.csv", "--by", "alice")
    assert "corrected 8 texts: #1 to #8" in told
    (tmp_path / "n.csv").write_text("a,b,y\n1,0,1\n0,1,2\n2,1,1\n")
    run("train", "n.csv", "--label", "y", "-o", "n.hardlimit")
    (tmp_path / "c.csv").write_text("a,b,y\n1,0,2\n0,1,1\n")
    told = run("correct", "n.hardlimit", "--file", "c.csv")
    assert "corrected 2 texts: #1 to #2" in told
    assert [one["label"] for one in json.loads(run("log", "n.hardlimit", "--json"))] == [2, 1]
    (tmp_path / "c.csv").write_text("a,b,y\n1,0,3\n")
    assert "nearest that it has is 2" in run("correct", "n.hardlimit", "--file", "c.csv", code=1)


def test_the_corrected_model_is_measured(run, tmp_path):
    rows = ["win a prize club,ham", "prize to win,ham", "win pills,spam", "lunch now,ham"]
    (tmp_path / "held.csv").write_text("\n".join(["text,label", *rows]) + "\n")
    columns = ("--text", "text", "--label", "label")
    before = json.loads(run("evaluate", MODEL, "held.csv", *columns, "--json"))
    for row in rows:
        text, label = row.split(",")
        run("correct", MODEL, "--label", label, text)
    assert json.loads(run("evaluate", MODEL, "held.csv", *columns, "--json")) == before
    live = json.loads(run("evaluate", MODEL, "held.csv", *columns, "--json", "--live"))
    assert before["accuracy"] < live["accuracy"] == 1.0
    (tmp_path / f"{MODEL}.ledger").rename(tmp_path / "other")
    moved = ("--live", "--ledger", "other")
    assert json.loads(run("evaluate", MODEL, "held.csv", *columns, "--json", *moved)) == live
    told = {name: run("report", MODEL, "held.csv", *columns, *more) for name, more in
            {"file": (), "live": moved}.items()}  # fmt: skip
    assert "4 of 4" in told["live"] and "4 of 4" not in told["file"]
    run("bake", MODEL, "--ledger", "other", "-o", "new.hardlimit")
    assert run("report", "new.hardlimit", "held.csv", *columns) == told["live"]
    for command in ("evaluate", "report", "predict"):
        assert "--ledger" in run(command, MODEL, "held.csv", "--ledger", "other", code=2)
    assert "--live" in run(
        "evaluate", MODEL, "held.csv", "--live", "--cluster", "threads:2", code=2
    )
