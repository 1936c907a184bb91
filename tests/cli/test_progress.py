"""What a person sees while a command works, and what Ctrl-C answers."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from hardlimit import cli
from hardlimit.cli import outputs, terminal
from hardlimit.cli.progress import Progress
from hardlimit.foundation import progress


class Screen:
    """What standard error got, as if it were a terminal, and standard output."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._said = self.output = ""

    def getvalue(self) -> str:
        found = self._capsys.readouterr()
        self._said, self.output = self._said + found.err, self.output + found.out
        return self._said


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Screen:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: stream is sys.stderr)
    return Screen(capsys)


def test_what_the_library_reports_is_shown_and_taken_back(screen: Screen) -> None:
    with Progress(prefix="3 of 7: "):
        progress.report("looking for a proof", 2, 10)
        progress.report("writing m, 867 MB")
    progress.report("unheard")
    said = screen.getvalue()
    assert "3 of 7: looking for a proof: 20 %" in said and "3 of 7: writing m, 867 MB" in said
    assert said.endswith("\r\x1b[K") and "unheard" not in said


def test_a_note_does_not_end_the_line_of_progress(screen: Screen) -> None:
    with Progress() as line:
        line.stage("writing m, 867 MB")
        terminal.remark("123 bytes are not valid UTF-8")
        assert screen.getvalue().endswith("not valid UTF-8\nwriting m, 867 MB")


def test_one_mistake_is_one_mistake(screen: Screen) -> None:
    class Record:
        epoch, mistakes, gamma_at_most = 3, 1, None

    with Progress(10) as line:
        line(Record())
    assert "1 mistake\r" in screen.getvalue()


def test_nothing_is_shown_where_no_person_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with Progress() as line:
        line.stage("reading")
        progress.report("writing")
    assert log.getvalue() == ""


def test_quiet_leaves_results_and_errors(model: Path, other_file: Path, screen: Screen) -> None:
    for words in (["-q", "evaluate"], ["evaluate", "--quiet"]):
        assert cli.main([*words, str(model), str(other_file)]) == 0
    assert screen.getvalue() == "" and "accuracy" in screen.output
    assert cli.main(["-q", "evaluate", str(model), "missing.csv"]) == 1
    assert "no such file" in screen.getvalue()
    # The next call of the same process speaks again.
    assert cli.main(["evaluate", str(model), str(other_file)]) == 0
    assert "reading" in screen.getvalue()


STAGES = {
    "train": ["reading", "turning texts into features", "counting the training errors", "writing"],
    "evaluate": ["loading the model", "reading"],
    "predict": ["predicting: reading"],
    "inspect": ["loading", "looking for the most telling terms"],
    "report": ["loading the model", "reading", "writing the report"],
    "certify": [
        "reading",
        "against the rest: looking for a proof",
        "turning the numbers into integers",
        "computing the digest of the rows",
        "looking for contradictions",
    ],
}


def words_of(command: str, model: Path, other_file: Path, tmp_path: Path) -> list[str]:
    files = {
        "train": [other_file, "-o", tmp_path / "m"],
        "evaluate": [model, other_file],
        "predict": [model, other_file, "-o", tmp_path / "out.csv"],
        "inspect": [model],
        "report": [model, other_file, "-o", tmp_path / "r.html"],
        "certify": [other_file, "-o", tmp_path / "p.json"],
    }
    return [command, *map(str, files[command])]


@pytest.mark.parametrize("command", STAGES)
def test_each_stage_is_named(
    command: str, model: Path, other_file: Path, tmp_path: Path, screen: Screen
) -> None:
    assert cli.main(words_of(command, model, other_file, tmp_path)) == 0
    said = screen.getvalue()
    places = [said.index(stage) for stage in STAGES[command]]
    assert places == sorted(places)


@pytest.mark.parametrize("command", STAGES)
def test_an_interruption_at_any_stage_says_what_was_written(
    command: str,
    model: Path,
    other_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SIGINT at the n-th report, for all n: one sentence, status 130, the target whole or none."""
    words = words_of(command, model, other_file, tmp_path)
    target = None if "-o" not in words else Path(words[words.index("-o") + 1])
    for stage in range(100):
        log, heard = io.StringIO(), []

        def interrupt(self, *said, heard=heard, stage=stage):
            heard.append(said)
            if len(heard) == stage + 1:
                signal.raise_signal(signal.SIGINT)

        with monkeypatch.context() as patch:
            patch.setattr(Progress, "report", interrupt)
            patch.setattr(sys, "stderr", log)
            code = cli.main(words)
        if len(heard) <= stage:
            assert code == 0 and stage >= len(STAGES[command]) - 2
            break
        said = [line for line in log.getvalue().splitlines() if line.startswith("error:")]
        assert code == 130 and len(said) == 1 and "interrupted" in said[0], (heard, log.getvalue())
        if target is None:
            assert "not complete" in said[0]
        else:
            assert ("not written" in said[0]) != target.exists()
            target.unlink(missing_ok=True)
        assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_an_interruption_tells_an_old_file_from_a_new_one(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("1")
    before = outputs.look((str(old), str(new), None, "-"))
    assert list(before) == [str(old), str(new)]
    new.write_text("2")
    assert outputs.describe_interruption(before) == (
        f"interrupted; {old} was not written: it is what it was, {new} was written"
    )
    assert outputs.describe_interruption({}) == "interrupted; the output is not complete"


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    path = tmp_path / "texts.csv"
    rows = "win a prize,spam\nlunch at noon,ham\n" * 20
    path.write_text(f"text,label\n{rows}")
    return path


def test_programs_get_a_line_of_json_after_each_shard(labelled: Path, tmp_path: Path) -> None:
    lines, words = tmp_path / "lines", ["--cluster", "threads:2", "--shards", "3"]
    model = str(tmp_path / "m")
    train = ["train", str(labelled), "-o", model, "--epochs", "2", *words]
    assert cli.main([*train, "--progress", f"json:{lines}"]) == 0
    told = [json.loads(line) for line in lines.read_text().splitlines()]
    assert told[0]["stage"] == "cutting" and told[0]["time"].endswith("Z")
    passes = [(one["stage"], one["epoch"]) for one in told if one["shards_done"] == one["shards"]]
    assert passes == [
        ("counting", None),
        ("learning", 1),
        ("learning", 2),
        ("counting errors", None),
    ]
    learnt = [one for one in told if one["stage"] == "learning" and one["epoch"] == 2]
    assert [one["shards_done"] for one in learnt] == [0, 1, 2, 3]
    assert learnt[-1]["rows"] == 40 and learnt[-1]["mistakes"] == 0
    assert set(learnt[-1]) == {
        "time", "stage", "epoch", "epochs", "shards_done", "shards", "mistakes", "rows",
        "rows_per_second", "seconds", "seconds_left",
    }  # fmt: skip
    # A later run adds its own.
    evaluate = ["evaluate", model, str(labelled), *words]
    assert cli.main([*evaluate, "--progress", f"json:{lines}"]) == 0
    assert lines.read_text().splitlines()[len(told) :][-1].count('"predicting"') == 1


def test_json_takes_the_place_of_the_line(labelled: Path, tmp_path: Path, screen: Screen) -> None:
    words = ["train", str(labelled), "-o", str(tmp_path / "m"), "--cluster", "threads:1"]
    assert cli.main([*words, "--progress", "json"]) == 0
    assert "\r" not in screen.getvalue() and screen.getvalue().startswith('{"time": ')
    assert cli.main(words) == 0
    assert "counting errors: 1 of 1 shard, 0 mistakes, " in screen.getvalue()


def test_lines_that_nobody_can_take_end_no_run(labelled: Path, tmp_path: Path) -> None:
    words = ["train", str(labelled), "-o", str(tmp_path / "m"), "--cluster", "threads:1"]
    assert cli.main([*words, "--progress", "json:/dev/full"]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--progress", "json"], "--progress goes with --cluster"),
        (["--cluster", "threads:1", "--progress", "xml"], "got 'xml', wanted json, or json:FILE"),
        (["--cluster", "threads:1", "--progress", "json:"], "wanted json, or json:FILE"),
        (["--cluster", "threads:1", "--progress", "json:{file}"], "would overwrite"),
    ],
)
def test_lines_for_programs_that_are_refused(
    words: list[str], said: str, labelled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(file=labelled) for word in words]
    assert cli.main(["train", str(labelled), "-o", str(tmp_path / "m"), *words]) == 2
    assert said in capsys.readouterr().err
