"""What the commands say of margins, of runs that go round, and of distances."""

from __future__ import annotations

import json
import warnings
from types import SimpleNamespace

import pytest

from hardlimit.cli import main
from hardlimit.cli import progress as progress_module
from hardlimit.cli.face import CommandFace
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import Setting

from ..rounding import near

OR = "x1,x2,label\n-1,-1,no\n1,-1,yes\n-1,1,yes\n1,1,yes\n"
XOR = OR[: OR.rindex("yes")] + "no\n"


@pytest.fixture
def trained(tmp_path, capsys):
    """Train on rows that are given as text; what was printed, on one line, and notes."""

    def train(rows, *words):
        (tmp_path / "points.csv").write_text(rows)
        model = str(tmp_path / "m")
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            code = main(
                ["train", str(tmp_path / "points.csv"), "--label", "label", "-o", model, *words]
            )
        out, err = capsys.readouterr()
        assert code == 0, err
        return " ".join(out.split()), err

    return train


def test_a_run_that_goes_round_says_its_period_and_what_helps(trained, tmp_path, capsys):
    text, _ = trained(XOR, "--order", "cyclic")
    assert "stopped cycling: the weights repeat every epoch (4 corrections), which proves" in text
    assert "--readout averaged" in text and "margin none: the rows are not separable" in text
    assert main(["inspect", str(tmp_path / "m")]) == 0
    assert "repeat every epoch (4 corrections)" in " ".join(capsys.readouterr().out.split())
    _, err = trained(XOR, "--order", "cyclic", "--until", "separated")
    assert "--until separated was not reached: cycling after 1 epoch, with period 1" in err
    assert "or --readout averaged" in err


def test_json_has_the_period_and_the_bracket(trained):
    out, _ = trained(XOR, "--order", "cyclic", "--json")
    found = json.loads(out)
    assert found["cycle"] == {"epochs": 1, "corrections": 4}
    assert found["gamma"] == {"least": 0.0, "most": 0.0}
    out, _ = trained(OR, "--order", "cyclic", "--readout", "last", "--json")
    found = json.loads(out)
    assert found["cycle"] is None
    assert found["gamma"]["least"] == near(3**-0.5, 40) == found["gamma"]["most"]
    out, _ = trained(OR, "--rule", "passive-aggressive", "--json")
    assert json.loads(out)["gamma"]["most"] is None


def test_the_summary_has_the_margin_and_the_theorem_beside_the_count(trained):
    text, _ = trained(OR, "--order", "cyclic", "--readout", "last")
    assert "the largest margin (gamma) lies between 0.5774 and 0.5774" in text
    assert "by Novikoff's theorem there are at most 9 corrections: there were 3" in text
    text, _ = trained(OR, "--readout", "averaged")  # which err, and have no margin
    assert "the largest margin (gamma) is at most 0.5774" in text
    text, _ = trained(OR, "--rule", "romma", "--readout", "last")
    assert "gamma" not in text


def test_progress_shows_the_bound_as_it_falls(monkeypatch):
    seen = []
    monkeypatch.setattr(progress_module.terminal, "passing", lambda what="": seen.append(what))
    progress = Progress(10)
    progress(SimpleNamespace(epoch=1, mistakes=5, gamma_at_most=0.01234))
    progress._drawn = 0.0
    progress(SimpleNamespace(epoch=2, mistakes=5, gamma_at_most=None))
    assert seen[0].endswith("5 mistakes, gamma <= 0.0123") and seen[1].endswith("5 mistakes")


def test_distances_of_numbers(trained, tmp_path, capsys):
    trained(OR, "--order", "cyclic", "--readout", "last")
    points = str(tmp_path / "points.csv")
    assert main(["inspect", str(tmp_path / "m"), "--distances", points]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "The hyperplane lies 0.7071 from the origin." in text
    assert "Margins from 0.7071 to 2.121; 0 rows on the wrong side" in text
    assert "distance label row -0.7071 no line 2 +0.7071 yes line 3" in text
    assert main(["inspect", str(tmp_path / "m"), "--distances", points, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["distances"]
    assert found["distances"] == near([-(0.5**0.5), 0.5**0.5, 0.5**0.5, 3 * 0.5**0.5], 40)
    assert found["share_wrong"] == 0 and sum(found["histogram"]["counts"]) == 4
    assert found["nearest"][0] == 0


def test_distances_of_texts_show_the_texts(model, other_file, capsys):
    assert main(["inspect", str(model), "--distances", str(other_file), "--top", "0"]) == 0
    text = capsys.readouterr().out
    assert "Nearest the boundary" in text and "Distances of 100 rows" in text
    assert any(word in text.split("Nearest")[1] for word in ("prize", "love", "home", "cash"))


def test_a_vote_has_no_distances(trained, tmp_path, capsys):
    trained(OR, "--readout", "voted")
    points = str(tmp_path / "points.csv")
    assert main(["inspect", str(tmp_path / "m"), "--distances", points]) == 1
    assert "a vote has no single weight vector" in capsys.readouterr().err


def test_trace_says_the_period(tmp_path, capsys):
    (tmp_path / "xor.csv").write_text(XOR)
    assert main(["trace", str(tmp_path / "xor.csv")]) == 0
    assert "cycling, period 1 (4 corrections)" in " ".join(capsys.readouterr().out.split())
    assert main(["trace", str(tmp_path / "xor.csv"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["cycle"] == [1, 4]


def test_messages_speak_of_options():
    said = CommandFace().text(("use a kernel or a map, or ", Setting("readout", "averaged")))
    assert said == "use a kernel or a map, or --readout averaged"
