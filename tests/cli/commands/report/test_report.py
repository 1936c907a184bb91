"""``hardlimit report`` as a process: one file, whole or not at all."""

import json
import re

import pytest


@pytest.fixture(scope="module")
def page(hardlimit, model, other_file, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    done = hardlimit("report", model, other_file, "-o", path)
    assert done.returncode == 0, done.stderr
    assert not done.stdout and "the report" in done.stderr
    return path.read_text(encoding="utf-8")


def test_the_numbers_are_those_of_evaluate(hardlimit, model, other_file, page):
    found = json.loads(hardlimit("evaluate", model, other_file, "--json").stdout)
    assert f">{found['accuracy']:.4f}<" in page and f">{found['macro_f1']:.4f}<" in page
    low, high = found["interval"]
    assert f"<small>{low:.4f} – {high:.4f}</small>" in page
    for one in found["classes"]:
        for share in ("precision", "recall", "f1"):
            assert f">{one[share]:.4f}<" in page
    for point in found["thresholds"]:
        if point["recall"]:
            assert f">{point['threshold']:.4f}</th>" in page


def test_the_page_holds_no_path_and_no_date(page, model, other_file):
    for word in (str(model), str(other_file), model.name, other_file.name, str(model.parent)):
        assert word not in page
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b|\d\d:\d\d:\d\d", page)


def test_to_standard_output_with_the_same_bytes(hardlimit, model, other_file, page):
    done = hardlimit("report", model, other_file)
    assert done.returncode == 0 and done.stdout == page


def test_training_rows_are_recognised(hardlimit, model, training_file):
    done = hardlimit("report", model, training_file, "--train", training_file)
    assert "300 texts of 300 are also in the training file" in done.stdout


def test_rows_without_labels(hardlimit, model, tmp_path):
    plain = tmp_path / "texts.csv"
    plain.write_text("id,message\n1,win a prize\n2,see you at home\n")
    done = hardlimit("report", model, plain)
    assert done.returncode == 0 and "have no labels" in done.stdout
    assert "no labels, so the figures that need them are left out" in done.stderr
    done = hardlimit("report", model, plain, "--label", "folder")
    assert done.returncode == 1 and "folder" in done.stderr


def test_a_label_that_is_missing_here_and_there_is_an_error(hardlimit, model, tmp_path):
    some = tmp_path / "some.csv"
    some.write_text("id,message,folder\n1,win a prize,spam\n2,see you at home,\n")
    done = hardlimit("report", model, some)
    assert done.returncode == 1 and "1 of 2 rows have no label" in done.stderr


def test_nothing_is_lost_when_it_cannot_be_written(hardlimit, model, other_file, tmp_path):
    done = hardlimit("report", model, other_file, "-o", tmp_path / "no" / "such" / "r.html")
    assert done.returncode == 1 and "does not exist" in done.stderr
    old = tmp_path / "old.html"
    old.write_text("what was there")
    bad = tmp_path / "bad.csv"
    bad.write_text("id,message,folder\n")
    done = hardlimit("report", model, bad, "-o", old)
    assert done.returncode == 1 and "no row" in done.stderr
    assert old.read_text() == "what was there"
    for path in (model, other_file):
        done = hardlimit("report", model, other_file, "-o", path)
        assert done.returncode == 2 and "would overwrite" in done.stderr


@pytest.mark.parametrize("content", ["", "\n\n", "id,message,folder\n"])
def test_an_empty_file(hardlimit, model, tmp_path, content):
    empty = tmp_path / "empty.csv"
    empty.write_text(content)
    done = hardlimit("report", model, empty)
    assert done.returncode == 1 and not done.stdout and "error:" in done.stderr
    assert "Traceback" not in done.stderr


def test_numbers(hardlimit, tmp_path):
    rows = tmp_path / "rows.csv"
    lines = "".join(f"{x},{y},{'up' if x > y else 'down'}\n" for x in range(6) for y in range(7))
    rows.write_text("width,height,kind\n" + lines)
    model = tmp_path / "numbers.hardlimit"
    assert hardlimit("train", rows, "-o", model).returncode == 0
    done = hardlimit("report", model, rows)
    assert done.returncode == 0 and "<bdi>width</bdi>" in done.stdout, done.stderr
    rows.write_text("width,height,kind\n1,nan,up\n")
    done = hardlimit("report", model, rows)
    assert done.returncode == 1 and "nan" in done.stderr.lower()


def test_numbers_without_labels(hardlimit, tmp_path):
    rows, model = tmp_path / "rows.csv", tmp_path / "numbers.hardlimit"
    rows.write_text("a,b,kind\n" + "1,2,up\n2,1,down\n" * 4)
    assert hardlimit("train", rows, "-o", model).returncode == 0
    rows.write_text("a,b\n1,2\n2,1\n")
    done = hardlimit("report", model, rows)
    assert done.returncode == 0 and "have no labels" in done.stdout
    rows.write_text("a,b,kind\n1,2,\n2,1,up\n")
    done = hardlimit("report", model, rows)
    assert done.returncode == 1 and "label is missing" in done.stderr


def test_a_positive_class_of_more_than_two_is_refused(hardlimit, model, other_file):
    done = hardlimit("report", model, other_file, "--positive", "eggs")
    assert done.returncode != 0 and "eggs" in done.stderr


def test_a_model_of_another_kind(hardlimit, other_file):
    done = hardlimit("report", other_file, other_file)
    assert done.returncode == 1 and "Traceback" not in done.stderr and not done.stdout
