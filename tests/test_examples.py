"""The scripts of examples/ run anywhere, say something, and are short."""

import runpy
import tempfile
import warnings
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))
TOPICS = {
    "spam filter from a folder": "spam_filter",
    "sparse svmlight data": "sparse_svmlight",
    "voted perceptron on digits": "voted_digits",
    "kernel perceptron on XOR and circles": "kernel_xor_circles",
    "the OR table of the blackboard": "blackboard",
    "GridSearchCV over rules": "grid_search",
    "online stream with new classes": "online_stream",
    "noise-tolerant training": "noisy_labels",
}


def run(script, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names = runpy.run_path(str(script))
    return capsys.readouterr().out, names


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_it_runs_without_any_data(script, capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("HARDLIMIT_DATA", raising=False)
    said, _ = run(script, capsys, monkeypatch, tmp_path)
    assert len(said.splitlines()) >= 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [path for path in SCRIPTS if "HARDLIMIT_DATA" in path.read_text()],
    ids=lambda path: path.stem,
)
def test_it_runs_with_the_data(script, capsys, monkeypatch, tmp_path, data_folder):
    monkeypatch.setenv("HARDLIMIT_DATA", str(data_folder))
    said, _ = run(script, capsys, monkeypatch, tmp_path)
    assert len(said.splitlines()) >= 3


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_it_is_short_and_has_a_title(script):
    lines = script.read_text().splitlines()
    assert len(lines) < 60
    assert lines[0] == '"""' and set(lines[2]) == {"="} and len(lines[2]) >= len(lines[1])


def test_there_is_a_script_for_each_topic():
    assert {path.stem for path in SCRIPTS} == set(TOPICS.values())


def test_what_the_scripts_show_is_so(capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("HARDLIMIT_DATA", raising=False)
    _, names = run(FOLDER / "noisy_labels.py", capsys, monkeypatch, tmp_path)
    plain = names["wrong"].pop("nothing")
    assert plain["last"] > 1.5 * plain["voted"]
    assert all(counts["last"] < plain["last"] for counts in names["wrong"].values())
    said, _ = run(FOLDER / "spam_filter.py", capsys, monkeypatch, tmp_path)
    assert "tomorrow -> ham" in said and "tomorrow -> spam" in said
