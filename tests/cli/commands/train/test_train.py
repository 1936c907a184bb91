"""``hardlimit train`` through its process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from ...conftest import PROGRAM, environment

COLUMNS = ("--text", "message", "--label", "folder")


def test_summary_says_what_a_stranger_needs(hardlimit, training_file, tmp_path) -> None:
    model = tmp_path / "a model.hardlimit"
    done = hardlimit("train", training_file, *COLUMNS, "-o", model, "--holdout", "0.2")
    assert done.returncode == 0, done.stderr
    for expected in ("ham", "spam", "epochs", "all epochs", "accuracy", "baseline", "macro-F1"):
        assert expected in done.stdout
    assert f"hardlimit predict '{model}'" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert max(map(len, done.stdout.splitlines()[1:-5])) <= 80


def test_json_and_same_bytes_twice(hardlimit, training_file, tmp_path) -> None:
    found = []
    for name in ("one", "two"):
        words = ("train", training_file, *COLUMNS, "-o", tmp_path / name, "--holdout", "0.2")
        done = hardlimit(*words, "--json", "--seed", "7")
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert found[0]["held_out"] == found[1]["held_out"]
    assert found[0]["held_out"]["accuracy"] > 0.9
    assert found[0]["rows"] + found[0]["held_out"]["n"] == 300


def test_options_reach_the_classifier(hardlimit, training_file, tmp_path) -> None:
    model = tmp_path / "m"
    done = hardlimit(
        "train", training_file, *COLUMNS, "-o", model, "--rule", "margin-perceptron",
        "--epochs", "3", "--order", "cyclic", "--readout", "last",
        "--features", "words=1,chars=none,hash=12,tf=binary,idf=none", "--class-weight",
        "spam=2,ham=1", "--slim",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = hardlimit("inspect", model)
    assert shown.returncode == 0, shown.stderr
    for expected in ("margin", "3 epochs", "last", "4,096", "binary", "no training state"):
        assert expected in shown.stdout.lower()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--rule", "no-such-rule"), "no-such-rule"),
        (("--features", "wrods=1"), "wrods"),
        (("--features", "words=x"), "words"),
        (("--order", "backwards"), "backwards"),
        (("--class-weight", "eggs=2"), "eggs"),
        (("--max-false-positive", "0.1", "--positive", "eggs"), "eggs"),
        (("--holdout", "1"), "holdout"),
        (("--epochs", "0"), "epochs"),
    ],
)
def test_usage_errors_exit_2_and_name_the_culprit(
    words, named, training_file, tmp_path, capsys
) -> None:
    from hardlimit.cli import main

    given = ["train", str(training_file), *COLUMNS, "-o", str(tmp_path / "m"), *words]
    assert main(given) == 2
    assert named in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("message,folder\nhello there,ham\nsee you,ham\n", "ham"),  # one class
        ("", "empty"),
        ("words,folder\nhello,ham\nbye,spam\n", "'words'"),  # column not there
        ("message,folder\nhello,ham\nbye\n", ":3"),  # ragged
        ("message,folder\nhello,ham\nbye,\n", "label"),  # label missing
        ('message,folder\nhello,ham\n"bye,spam\n', "quot"),
    ],
)
def test_bad_data_exits_1_with_a_sentence(content, named, tmp_path, capsys) -> None:
    from hardlimit.cli import main

    file = tmp_path / "bad.csv"
    file.write_text(content)
    assert main(["train", str(file), *COLUMNS, "-o", str(tmp_path / "m")]) == 1
    error = capsys.readouterr().err
    assert named in error and "Traceback" not in error and "unexpected" not in error
    assert not (tmp_path / "m").exists()


def test_unwritable_target_keeps_the_old_model(training_file, model, tmp_path, capsys) -> None:
    from hardlimit.cli import main

    words = ["train", str(training_file), *COLUMNS, "-o"]
    assert main([*words, str(tmp_path / "no" / "such" / "m")]) == 1
    assert "folder" in capsys.readouterr().err
    if os.geteuid() != 0:  # root writes everywhere
        tmp_path.chmod(0o500)
        assert main([*words, str(tmp_path / "m")]) == 1
        tmp_path.chmod(0o700)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_full_disk_leaves_the_old_model(training_file, tmp_path) -> None:
    import resource

    target = tmp_path / "m"
    target.write_bytes(b"the old one")
    done = subprocess.run(
        [*PROGRAM, "train", training_file, *COLUMNS, "-o", target],
        capture_output=True,
        text=True,
        env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
        timeout=60,
    )
    assert done.returncode == 1 and str(target) in done.stderr
    assert "Traceback" not in done.stderr and "unexpected" not in done.stderr
    assert target.read_bytes() == b"the old one" and list(tmp_path.iterdir()) == [target]


def test_notes_go_to_stderr(hardlimit, tmp_path) -> None:
    file = tmp_path / "odd.csv"
    file.write_bytes(b"message,folder\nhello,ham\nhello,Ham\nwin \xff\xfe now,spam\nbye,ham\n")
    done = hardlimit("train", file, *COLUMNS, "-o", tmp_path / "m", "--json")
    assert done.returncode == 0, done.stderr
    assert "'Ham'" in done.stderr and "repeats an earlier one; kept" in done.stderr
    json.loads(done.stdout)


def test_threshold_by_false_positives(hardlimit, training_file, tmp_path) -> None:
    words = ("train", training_file, *COLUMNS, "-o", tmp_path / "m", "--holdout", "0.3", "--json")
    done = hardlimit(*words, "--max-false-positive", "0.05", "--positive", "spam")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    threshold = found["threshold"]
    assert threshold["false_positives"] <= 0.05 * threshold["negatives"]
    ham = next(one for one in found["held_out"]["classes"] if one["label"] == "spam")
    assert ham["predicted"] - ham["right"] == threshold["false_positives"]
    shown = json.loads(hardlimit("inspect", tmp_path / "m", "--json").stdout)
    assert shown["metadata"]["positive"] == "spam"
    assert shown["threshold"] == threshold["threshold"]


def test_threshold_for_the_first_class(training_file, tmp_path, capsys) -> None:
    from hardlimit.cli import main

    words = ["train", str(training_file), *COLUMNS, "-o", str(tmp_path / "m"), "--json"]
    assert main([*words, "--max-false-positive", "0.0", "--positive", "ham"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    ham = next(one for one in found["held_out"]["classes"] if one["label"] == "ham")
    assert ham["predicted"] == ham["right"], "no spam may be called ham"
    assert "negatives" in captured.err


def test_train_from_continues(hardlimit, model, other_file, tmp_path) -> None:
    words = ("train", other_file, "--train-from", model, "-o", tmp_path / "m", "--json")
    done = hardlimit(*words)
    assert done.returncode == 0, done.stderr
    before = json.loads(hardlimit("inspect", model, "--json").stdout)
    assert json.loads(done.stdout)["corrections"] > before["corrections"]
    refused = hardlimit(*words, "--rule", "perceptron")
    assert refused.returncode == 2 and "--train-from" in refused.stderr
