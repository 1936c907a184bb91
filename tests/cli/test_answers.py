"""``evaluate``, ``predict``, ``explain``, ``inspect`` through their process."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

from hardlimit.cli import main

from ..rounding import SINGLE, near


def test_evaluate_needs_no_options(hardlimit, model, other_file) -> None:
    done = hardlimit("evaluate", model, other_file)
    assert done.returncode == 0, done.stderr
    for expected in ("accuracy", "baseline", "precision", "threshold", "spam"):
        assert expected in done.stdout
    found = json.loads(hardlimit("evaluate", model, other_file, "--json").stdout)
    assert found["n"] == 100 and found["accuracy"] > 0.9
    assert found["interval"][0] < found["accuracy"] <= found["interval"][1]
    assert found["thresholds"]


def test_unseen_labels_are_counted_not_fatal(model, tmp_path, capsys) -> None:
    file = tmp_path / "new.csv"
    file.write_text("id,message,folder\n1,win a prize,spam\n2,see you later,eggs\n")
    assert main(["evaluate", str(model), str(file)]) == 0
    assert "eggs (1)" in capsys.readouterr().err


def test_column_missing_names_those_that_are(model, tmp_path, capsys) -> None:
    file = tmp_path / "new.csv"
    file.write_text("id,body,kind\n1,win a prize,spam\n")
    assert main(["evaluate", str(model), str(file)]) == 1
    error = capsys.readouterr().err
    assert "'message'" in error and "'body'" in error


def test_predict_plain_lines(hardlimit, model) -> None:
    done = hardlimit("predict", model, given="win a prize now\nsee you at home\nqqq\n")
    assert done.returncode == 0, done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert [line[0] for line in lines[:2]] == ["spam", "ham"]
    assert float(lines[0][1]) > 0 > float(lines[1][1])
    assert lines[2][2] == "known_features: 0"
    assert "1 of 3 texts" in done.stderr


def test_predict_json_lines(hardlimit, model) -> None:
    done = hardlimit("predict", model, "--json", "--scores", given="win a prize\nqqq\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["label"] == "spam" and first["known_features"] > 0
    assert first["scores"]["spam"] == -first["scores"]["ham"] == first["score"]
    assert second["known_features"] == 0


def test_json_lines_in_json_lines_out(hardlimit, model) -> None:
    done = hardlimit("predict", model, "--format", "jsonl", given='{"message": "win a prize"}\n')
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["label"] == "spam"


@pytest.mark.parametrize("extension", ["csv", "tsv", "jsonl"])
def test_output_keeps_the_other_columns(extension, model, other_file, tmp_path) -> None:
    target = tmp_path / f"scored.{extension}"
    assert main(["predict", str(model), str(other_file), "-o", str(target), "--scores"]) == 0
    with target.open(newline="", encoding="utf-8") as file:
        if extension == "jsonl":
            rows = [json.loads(line) for line in file]
        else:
            rows = list(csv.DictReader(file, delimiter="," if extension == "csv" else "\t"))
    assert len(rows) == 100
    assert list(rows[0])[:3] == ["id", "message", "folder"]
    assert list(rows[0])[3:] == ["label", "score", "known_features", "score_ham", "score_spam"]
    assert sum(row["label"] == row["folder"] for row in rows) > 90


def test_unwritable_output_leaves_the_old_one(model, other_file, tmp_path, capsys) -> None:
    target = tmp_path / "scored.csv"
    target.write_text("old")
    broken = tmp_path / "broken.csv"
    broken.write_text(other_file.read_text() + "too,few\n")
    assert main(["predict", str(model), str(broken), "-o", str(target)]) == 1
    assert target.read_text() == "old"
    assert list(tmp_path.glob(".*")) == []


def test_file_and_standard_input_agree(hardlimit, model, other_file) -> None:
    with other_file.open(newline="") as file:
        texts = "".join(row["message"] + "\n" for row in csv.DictReader(file))
    by_file = hardlimit("predict", model, other_file).stdout
    assert hardlimit("predict", model, given=texts).stdout == by_file


def test_explanation_adds_up(hardlimit, model) -> None:
    text = "win a prize now, see you at home"
    done = hardlimit("explain", model, text)
    assert done.returncode == 0, done.stderr
    assert "prize" in done.stdout and "(intercept)" in done.stdout
    found = json.loads(hardlimit("explain", model, text, "--json", "--top", "3").stdout)
    total = sum(term["contribution"] for term in found["terms"])
    assert total + found["others"] + found["intercept"] == near(found["score"], 20, unit=SINGLE)
    sizes = [abs(term["contribution"]) for term in found["terms"]]
    assert len(sizes) == 3 and sizes == sorted(sizes, reverse=True)


def test_inspect_and_verify(hardlimit, model, tmp_path) -> None:
    done = hardlimit("inspect", model, "--verify", "--top", "3")
    assert done.returncode == 0, done.stderr
    for expected in ("ham (2", "'message'", "csv", "answer", "training state", "every byte"):
        assert expected in done.stdout
    damaged = tmp_path / "damaged"
    shutil.copy(model, damaged)
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    refused = hardlimit("inspect", damaged, "--verify")
    assert refused.returncode == 1 and str(damaged) in refused.stderr
    assert "Traceback" not in refused.stderr and not refused.stdout


def test_no_model_is_a_sentence(tmp_path, capsys) -> None:
    file = tmp_path / "m"
    for content in (b"", b"PK\3\4", b"message,folder\n", b"\xff" * 4096):
        file.write_bytes(content)
        for words in (["predict", str(file)], ["inspect", str(file)], ["explain", str(file), "x"]):
            assert main(words) == 1
            error = capsys.readouterr().err
            assert str(file) in error and "unexpected" not in error


def test_rules_lists_all(capsys) -> None:
    from hardlimit.cli.registers import REGISTERS

    there = [list(place.load().members) for place in REGISTERS.values()]
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in (name for names in there for name in names):
        assert any(line.split("  ")[0] == name for line in lines), name
    assert main(["rules", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [[one["name"] for one in all_] for all_ in found.values()] == there
    for one in (one for all_ in found.values() for one in all_):
        assert one["summary"].endswith(".") and len(one["summary"]) < 120
        if one["name"] != "batch":
            assert all(parameter["range"] for parameter in one["parameters"]), one


def test_many_classes(hardlimit, tmp_path) -> None:
    file = tmp_path / "three.tsv"
    rows = [f"{name}\t{word} {name}ish {word}\n" for name in "abc" for word in "xyz" * 5]
    file.write_text("".join(rows))
    assert main(["train", str(file), "-o", str(tmp_path / "m")]) == 0
    done = hardlimit("predict", tmp_path / "m", "--json", "--scores", given="aish\nbish\ncish\n")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["label"] for one in found] == ["a", "b", "c"]
    assert found[0]["score"] == max(found[0]["scores"].values())


def test_an_answer_is_explained_against_the_class_that_is_named(hardlimit, tmp_path) -> None:
    file, model = tmp_path / "t.csv", tmp_path / "m.hardlimit"
    words = ["apple", "bread", "cheese"]
    rows = [f"{word} {other},{number}\n" for number, word in enumerate(words) for other in "abc"]
    file.write_text("text,label\n" + "".join(rows))
    assert hardlimit("train", file, "-o", model).returncode == 0
    ask = ("explain", model, "apple apple", "--json")
    default = json.loads(hardlimit(*ask).stdout)
    rivals = {str(n) for n in range(3)} - {default["label"], default["against"]}
    (other,) = rivals
    found = json.loads(hardlimit(*ask, "--against", other).stdout)
    assert (found["label"], found["against"]) == (default["label"], other)
    assert found["score"] > default["score"]
    total = found["intercept"] + sum(one["contribution"] for one in found["terms"])
    assert total + found["others"] == near(found["score"], 20, unit=SINGLE)
    for wrong in ("9", default["label"]):
        done = hardlimit(*ask, "--against", wrong)
        assert done.returncode == 1 and f"--against {wrong}: wanted another class" in done.stderr


def test_the_worst_classes_come_first_and_all_can_be_asked_for(hardlimit, tmp_path) -> None:
    file, model = tmp_path / "t.csv", tmp_path / "m.hardlimit"
    rows = [(f"word{n} word{n}", f"class{n}") for n in range(30)]
    file.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows * 2))
    assert hardlimit("train", file, "-o", model).returncode == 0
    wrong = [(text, "class7" if label == "class8" else label) for text, label in rows]
    file.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in wrong))
    few = hardlimit("evaluate", model, file).stdout
    assert "... and 10 more classes with a higher F1" in few
    lines = few[few.index("precision") :].splitlines()[1:]
    assert lines[0].split()[0] == "class7"
    whole = hardlimit("evaluate", model, file, "--all-classes").stdout
    assert "more classes" not in whole and whole.count("\n  class") == 33


def test_class_names_that_a_spreadsheet_takes_for_formulas(hardlimit, tmp_path):
    """They are written as they are, so that a round trip is exact, and a note says what to do."""
    file = tmp_path / "t.csv"
    rows = ["win a prize,=HYPERLINK(1)", "see you,ham", "win now,=HYPERLINK(1)", "see me,ham"]
    file.write_text("text,label\n" + "\n".join(rows) + "\n")
    model, out = tmp_path / "m", tmp_path / "out.csv"
    assert hardlimit("train", file, "--label", "label", "-o", model).returncode == 0
    done = hardlimit("predict", model, file, "-o", out)
    assert "'=HYPERLINK(1)' for a formula: --spreadsheet marks it as a text" in done.stderr
    assert "win a prize,=HYPERLINK(1),=HYPERLINK(1)," in out.read_text()
    assert "formula" not in hardlimit("predict", model, file, "-o", tmp_path / "o.jsonl").stderr
