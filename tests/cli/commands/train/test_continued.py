"""``--train-from``: new rows that are not yet answered as taught are shown, in each way."""

import json

import pytest

from hardlimit.cli import main

FIRST = {
    "text": ("text,label", ["a prize,yes", "lunch at noon,no"], ()),
    "texts": ("subject,body,label", ["a,prize,yes", "lunch,noon,no"], ("subject", "body")),
    "table": ("n,city,label", ["1,Ghent,yes", "9,Rome,no"], ()),
    "numbers": ("n,m,label", ["1,0,1", "0,1,0"], ()),
    "columns": ("n,m,p,q", ["1,0,1,0", "0,1,0,1"], ()),
}
SHOWN = {"text": "a prize", "texts": "1", "table": "1", "numbers": "1", "columns": "1"}


def other(line):
    """Return the row with other labels."""
    swapped = {"yes": "no", "no": "yes", "1": "0", "0": "1"}
    cells = line.split(",")
    n_labels = 2 if len(cells) == 4 else 1
    return ",".join([*cells[:-n_labels], *(swapped[cell] for cell in cells[-n_labels:])])


@pytest.mark.parametrize("kind", FIRST)
@pytest.mark.parametrize("way", [(), ("--stream",)])
def test_rows_that_are_not_answered_as_taught_are_shown(kind, way, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    head, rows, texts = FIRST[kind]
    (tmp_path / "old.csv").write_text("\n".join([head, *rows * 5, ""]))
    (tmp_path / "new.csv").write_text("\n".join([head, *map(other, rows), ""]))
    label = "p,q" if kind == "columns" else "label"
    asked = ["--label", label, *(word for name in texts for word in ("--text", name))]
    assert main(["train", "old.csv", *asked, "-o", "old"]) == 0
    capsys.readouterr()
    assert main(["train", "new.csv", "--train-from", "old", *way, "-o", "new"]) == 0
    said = capsys.readouterr()
    assert "unexpected" not in said.err
    assert "Not yet answered as taught" in said.out
    name = "line 2" if kind in ("numbers", "columns") and not way else SHOWN[kind]
    assert f"\n  {name} " in said.out
    assert main(["train", "new.csv", "--train-from", "old", *way, "-o", "new", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    text = json.dumps(found)
    assert '"answered_as_taught": 0' in text and '"row": 0' in text


def test_a_stream_without_rows_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.csv").write_text("text,label\na prize,yes\nlunch,no\n")
    (tmp_path / "none.csv").write_text("text,label\n")
    assert main(["train", "old.csv", "-o", "old"]) == 0
    assert main(["train", "none.csv", "--train-from", "old", "--stream", "-o", "new"]) == 1
    assert "there is no row below the header" in capsys.readouterr().err


def test_what_does_not_go_together_is_named_as_it_was_typed(tmp_path, capsys):
    source, model = tmp_path / "a.csv", tmp_path / "m"
    source.write_text("text,label\nwin a prize,spam\nlunch at noon,ham\n")
    assert main(["train", str(source), "-o", str(model)]) == 0
    for words, told in (
        (["--train-from", model, "--probability"], "--probability does not go with --train-from: "),
        (["--bias", "none"], "--bias-feature does not go with a file of texts: "),
    ):
        capsys.readouterr()
        assert main(["train", str(source), *map(str, words), "-o", str(model)]) == 2
        assert f"error: {told}" in capsys.readouterr().err


def test_weights_at_the_start_of_a_stream_may_be_right_from_the_first_row(tmp_path, capsys):
    source = tmp_path / "a.csv"
    source.write_text("x,y,label\n" + "1,2,1\n-1,2,0\n2,1,1\n-2,1,0\n" * 5)
    words = ["--stream", "--start", "1,0,0", "-o", str(tmp_path / "m")]
    assert main(["train", str(source), *words]) == 0
    assert "1 epoch, 0 corrections" in capsys.readouterr().out
