"""``predict --explain N``: the terms that tell most beside each answer, of every kind of model."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.cli import main

from .conftest import HAM, SPAM

KINDS = ["text", "live", "columns", "numbers", "sparse", "table", "sets"]


def made(kind: str, folder: Path) -> tuple[list[str], Path]:
    """Return how a model of a kind is trained, and its file."""
    draw, lines = random.Random(2), []
    for n in range(40):
        own = SPAM if n % 2 else HAM
        words, more = (" ".join(draw.choices(own, k=3)) for _ in range(2))
        x, y = draw.gauss(2 if n % 2 else -2, 1), draw.gauss(0, 1)
        label = "spam" if n % 2 else "ham"
        lines.append(
            {
                "columns": f"{words},{more},{label}",
                "numbers": f"{x:.3f},{y:.3f},{label}",
                "sparse": f"{n % 2} 1:{x:.3f} 2:{y:.3f}",
                "table": f"{words},{'rg'[n % 2]},{x:.3f},{label}",
                "sets": f'{words},"{label},{"x" if x > 1 else "y"}"',
            }.get(kind, f"{words},{label}")
        )
    head, options = {
        "columns": ("subject,body,label", ["--text", "subject", "--text", "body"]),
        "numbers": ("size,age,label", ["--label", "label"]),
        "sparse": (None, []),
        "table": ("text,colour,size,label", ["--category", "colour", "--number", "size"]),
        "sets": ("text,labels", ["--labels-separator", ","]),
    }.get(kind, ("text,label", []))
    file = folder / ("t.svm" if head is None else "t.csv")
    file.write_text("\n".join([*([head] if head else []), *lines]) + "\n")
    return [str(file), *options], file


@pytest.mark.parametrize("kind", KINDS)
def test_the_terms_are_those_of_explain(kind, tmp_path, capsys) -> None:
    words, file = made(kind, tmp_path)
    model = str(tmp_path / "m")
    assert main(["train", *words, "-o", model]) == 0
    predict = ["predict", model, str(file), *(["--live"] if kind == "live" else [])]
    capsys.readouterr()
    assert main([*predict, "--explain", "2", "--json"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for place in (0, 1):
        terms = answers[place]["terms"]
        label = answers[place]["labels" if kind == "sets" else "label"]
        assert 1 <= len(terms) <= 2 * (len(label) if kind == "sets" else 1)
        assert main(["explain", model, str(file), "--row", str(place + 1), "--top", "2"]) == 0
        shown = capsys.readouterr().out
        for one in terms:
            assert one["term"] in shown and f"{one['contribution']:+.3f}" in shown
    assert main([*predict, "--explain", "2"]) == 0
    first = capsys.readouterr().out.splitlines()[0].split("\t")[-1]
    assert (
        f"{answers[0]['terms'][0]['term']} {answers[0]['terms'][0]['contribution']:+.3f}" in first
    )
    if kind == "live":
        return
    parts = tmp_path / "parts"
    cluster = ["--cluster", "threads:2", "-o", str(parts)]
    assert main([*predict, "--explain", "2", *cluster]) == 0
    told = [
        json.loads(x)
        for part in sorted(parts.glob("part-*"))
        for x in part.read_text().splitlines()
    ]
    assert [one["terms"] for one in told] == [one["terms"] for one in answers]


def test_terms_follow_the_threshold_and_stand_in_one_cell(tmp_path, capsys) -> None:
    """What tells for a label tells against it where another threshold has decided."""
    words, file = made("columns", tmp_path)
    model, out = str(tmp_path / "m"), tmp_path / "o.csv"
    assert main(["train", *words, "-o", model]) == 0
    found = []
    for threshold in ("0", "1e6"):
        by = ["--threshold", threshold, "--explain", "1"]
        assert main(["predict", model, str(file), *by, "-o", str(out)]) == 0
        found.append(out.read_text().splitlines()[2].split(",")[-4:])
    (label, *_, terms), (other, *_, moved) = found
    assert (label, other) == ("spam", "ham")
    term, plus = terms.rsplit(" ", 1)
    assert moved == f"{term} -{plus.removeprefix('+')}"
    capsys.readouterr()


def test_votes_have_no_terms(tmp_path, capsys) -> None:
    _, file = made("numbers", tmp_path)
    hl.LinearClassifier("perceptron", readout="voted", keep="voted").fit(
        [[0, 1], [1, 0]], [0, 1]
    ).save(tmp_path / "m")
    file.write_text("0,1\n")
    assert main(["predict", str(tmp_path / "m"), str(file), "--explain", "2"]) == 1
    assert "answers by a vote" in capsys.readouterr().err
