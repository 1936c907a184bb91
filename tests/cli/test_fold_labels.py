"""``--fold-labels``: spellings of a label that are one, wherever labels are read."""

from __future__ import annotations

import json
import random

import pytest

import hardlimit as hl
from hardlimit.cli import main
from hardlimit.exceptions import InputError
from hardlimit.readers import Spellings

from .conftest import messages

SPELLED = {"spam": ["spam", "spam", "Spam", " spam ", "SPAM"], "ham": ["ham", "ham", "ham", "Ham"]}


def rows() -> tuple[str, str]:
    """Return a file whose labels are spelled as they are meant, and one with other spellings."""
    draw = random.Random(4)
    found = messages(3, 120)
    plain = [f"{text},{label}" for _, text, label in found]
    mixed = [f"{text},{draw.choice(SPELLED[label])}" for _, text, label in found]
    return "\n".join(["text,kind", *plain]), "\n".join(["text,kind", *mixed])


def told(capsys, *words: object) -> dict:
    assert main([*map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_a_model_learnt_folded_it_reads_folded(tmp_path, capsys) -> None:
    """The model remembers it, as it does how its file was read."""
    plain, mixed = rows()
    clean, folded = tmp_path / "clean.csv", tmp_path / "mixed.csv"
    clean.write_text(plain)
    folded.write_text(mixed)
    a, b = tmp_path / "a", tmp_path / "b"
    told(capsys, "train", clean, "-o", a)
    told(capsys, "train", folded, "--fold-labels", "-o", b)
    want = told(capsys, "evaluate", a, clean)
    assert told(capsys, "evaluate", b, folded) == want
    assert told(capsys, "evaluate", b, folded, "--cluster", "threads:2") == want
    assert main(["report", str(b), str(folded), "-o", str(tmp_path / "r.html")]) == 0
    assert "that the model does not know" not in capsys.readouterr().err


def test_other_commands_that_read_labels(tmp_path, capsys) -> None:
    plain, mixed = rows()
    clean, folded = tmp_path / "clean.csv", tmp_path / "mixed.csv"
    clean.write_text(plain)
    folded.write_text(mixed)
    model = tmp_path / "m"
    for words in (["tune", folded], ["train", folded]):
        assert main([*map(str, words), "--fold-labels", "-o", str(model)]) == 0
        assert hl.load(model).classes_.tolist() == ["ham", "spam"]
    said = capsys.readouterr().err
    assert "labels made one: 'ham' is also 'Ham' (" in said and "' spam '" in said
    assert main(["certify", str(folded), "--fold-labels"]) in (0, 1)
    assert main(["train", str(clean), "-o", str(model)]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(model), str(folded), "--json"]) == 0
    apart = json.loads(capsys.readouterr().out)["accuracy"]
    assert told(capsys, "evaluate", model, folded, "--fold-labels")["accuracy"] > apart
    # New rows take the names of the earlier model.
    more = tmp_path / "more.csv"
    more.write_text("text,kind\n" + "win a prize,SPAM\nsee you,HAM\n" * 3)
    words = [
        "train",
        str(more),
        "--train-from",
        str(model),
        "-o",
        str(model),
        "--fold-labels",
        "--header",
    ]
    assert main(words) == 0
    assert hl.load(model).classes_.tolist() == ["ham", "spam"]


def test_the_remedy_is_named_and_what_it_cannot_do(tmp_path, capsys) -> None:
    _, mixed = rows()
    file, model = tmp_path / "mixed.csv", str(tmp_path / "m")
    file.write_text(mixed)
    for way in ((), ("--stream",), ("--cluster", "threads:1")):
        assert main(["train", str(file), *way, "-o", model]) == 0
        assert "--fold-labels makes them one" in capsys.readouterr().err
    assert main(["evaluate", model, str(file), "--fold-labels"]) == 1
    assert "which would be one label; train it with --fold-labels" in capsys.readouterr().err


@pytest.mark.parametrize("way", [(), ("--stream",), ("--cluster", "threads:1")], ids=str)
def test_an_id_for_a_label_is_doubted_before_it_is_learnt(way, tmp_path, capsys) -> None:
    file = tmp_path / "t.csv"
    lines = [f"n{number},{text}" for number, text, _ in messages(1, 60)]
    file.write_text("\n".join(["id,message", *lines]))
    words = ["train", str(file), "--text", "message", "--label", "id", "--epochs", "1", *way]
    assert main([*words, "-o", str(tmp_path / "m")]) == 0
    said = capsys.readouterr().err
    assert "60 classes in 60 rows, 60 of them with one row" in said and "column 'id'" in said


def test_names_are_the_most_frequent_spellings() -> None:
    spellings = Spellings()
    spellings.take({"Spam ": 3, "spam": 4, "SPAM": 2, " Spam": 2, "  ": 1, 7: 2, True: 1})
    assert spellings.names(["SPAM", " spam", 7, True, "  ", ("spam", "Spam", "x")]) == [
        "Spam", "Spam", 7, True, "  ", ("Spam", "x"),
    ]  # fmt: skip
    with pytest.raises(InputError, match="'a' and 'A'"):
        Spellings(["a", "A"])
    assert Spellings(["Straße"]).names(["STRASSE", "strasse"]) == ["Straße"] * 2
