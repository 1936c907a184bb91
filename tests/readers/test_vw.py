"""Vowpal Wabbit's text: rows of named columns."""

import json
import math
import random

import numpy as np
import pytest

from hardlimit.cli import main
from hardlimit.exceptions import DataFormatError
from hardlimit.readers import load_numbers, vw

ROWS = (
    "1 2.0 'first |a word other:0.5 |b:2 word:3\n-1 |a other\n\n1 1 0.25 tag| plain:-1e3 plain |b\n"
)


def test_names_values_scales_and_importance(write):
    found = load_numbers(write("a.vw", ROWS))
    assert found.columns == ("a^word", "a^other", "b^word", "plain")
    assert found.X.indptr.tolist() == [0, 3, 4, 5] and found.X.indices.tolist() == [0, 1, 2, 1, 3]
    assert found.X.data.tolist() == [1, 0.5, 6, 1, -999]
    assert found.y.tolist() == [1, -1, 1] and found.weights.tolist() == [2, 1, 1]
    assert list(found.lines) == [1, 2, 4]
    assert found.notes == (f"{write('a.vw', ROWS)}: initial predictions were ignored in 1 row",)


def test_a_later_file_is_mapped_by_name(write):
    path = write("b.vw", "1 |b word new |a word:2 other:3 newer\n|a none\n")
    found = load_numbers(path, columns=["a^word", "a^other", "b^word"], need_label=False)
    assert found.X.shape == (2, 3) and found.X.indices.tolist() == [0, 1, 2]
    assert found.X.data.tolist() == [2, 3, 1] and found.y is None
    assert "3 features with names that the model does not know" in found.notes[0]


def test_a_file_is_recognised_by_its_lines(write):
    assert load_numbers(write("a.txt", ROWS.replace("tag| ", "'tag | "))).columns[0] == "a^word"


BAD = {
    "1 2 3\n": ":1:1: got '1 2 3', wanted a label, then",
    "x |a b\n": ":1:1: got 'x', wanted a number as the label",
    "nan |a b\n": ":1:1: got 'nan'",
    "1 -2 |a b\n": ":1:3: got '-2', wanted a number as the importance, 0 or more",
    "1 1 1 1 |a b\n": ":1:7: got '1', wanted 'tag",
    "1 |a b:x\n": ":1:6: got 'x', wanted a finite number",
    "1 |a b:1e999\n": ":1:6: got '1e999'",
    "1 |a b:\n": ":1:6: got ''",
    "1 |a :3\n": ":1:6: a value without a name",
    "1 |:3 b\n": ":1:3: a scale without a namespace",
    "1 |a:1e200 b:1e200\n": ":1:12: the value of 'b' is not finite",
    "1 |a b:1:2\n": ":1:6: got '1:2'",
    "|a b\n": ":1:1: the label is missing",
    "tag|a b\n": ":1:1: the label is missing",
    "1 |a b:1_0\n": ":1:6: got '1_0'",
    "": "the file is empty",
    "\n\n": "no row of numbers",
}


@pytest.mark.parametrize("text", BAD)
def test_lines_that_are_refused(write, text):
    with pytest.raises(DataFormatError, match=BAD[text].replace("|", r"\|")):
        load_numbers(write("a.vw", text))


def test_bad_lines_are_left_out(write):
    found = load_numbers(write("a.vw", "1 |a b\nx |a c\n1 |a d:x\n-1 |a e\n"), skip_bad=True)
    assert found.columns == ("a^b", "a^e") and list(found.lines) == [1, 4]
    assert "2 bad rows" in found.notes[0]


@pytest.mark.parametrize("seed", range(40))
def test_compiled_and_python_read_alike(seed, write):
    """Lines of signs that mean something: both read them to the same rows, or neither does."""
    draw = random.Random(seed)
    signs = ["1", "-2.5", " ", " ", "|", "|", ":", "a", "b\u00e4", "'t", "\t", "1e5", ".", "\u00a0"]
    lines = ["".join(draw.choice(signs) for _ in range(draw.randint(1, 12))) for _ in range(60)]
    for line in [*lines, *(f"1 |{line}" for line in lines)]:
        path = write("a.vw", line + "\n")
        try:
            found = load_numbers(path, need_label=False)
            features = sorted(zip(found.X.indices.tolist(), found.X.data.tolist(), strict=True))
            compiled = {found.columns[k]: value for k, value in features}
        except DataFormatError:
            compiled = None
        try:
            row = vw._read_line("", line, need_label=False)
            alone = {}
            for space, name, value in row.features:
                key = f"{space}^{name}" if space else name
                alone[key] = alone.get(key, 0.0) + value
        except DataFormatError:
            alone = None
        if not line.strip(" \t"):
            continue
        assert compiled == alone, line


def test_hostile_names_cost_no_more_than_n_log_n(write, growth):
    def make(n):
        return write(f"{n}.vw", "1 |" + " ".join(f"a{i}" for i in range(n)) + " a0" * n + "\n")

    assert growth(load_numbers, make, 20_000) < 30
    long = write("long.vw", "1 |" + "a" * 1_000_000 + " b:1\n1 |a b:" + "1" * 100_000 + "\n")
    assert load_numbers(long, skip_bad=True).X.shape == (1, 1)


def test_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    train = "".join(f"1 {k % 3 + 1} |t win cash{k}\n-1 |t noon |n lunch:2\n" for k in range(20))
    (tmp_path / "a.vw").write_text(train)
    assert main(["train", "a.vw", "-o", "m"]) == 0
    (tmp_path / "b.txt").write_text("|t cash win nobody\n|n lunch\n")
    capsys.readouterr()
    assert main(["predict", "m", "b.txt"]) == 0
    said = capsys.readouterr()
    assert [line.split("\t")[0] for line in said.out.splitlines()] == ["1", "-1"]
    assert "2 features with names that the model does not know" in said.err
    assert main(["evaluate", "m", "a.vw", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1
    assert main(["train", "a.vw", "--train-from", "m", "-o", "m"]) == 0
    assert main(["predict", "m", "b.txt"]) == 0


def test_importance_is_the_weight_of_an_example(tmp_path, monkeypatch):
    import hardlimit as hl

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.vw").write_text("1 0.5 |a x y\n-1 3 |a y z\n1 |a x z\n")
    words = ["train", "a.vw", "--rule", "passive-aggressive:C=0.1", "-o", "m"]
    assert main(words) == 0
    found = load_numbers("a.vw")
    from hardlimit.rules import PassiveAggressive

    own = hl.LinearClassifier(PassiveAggressive(C=0.1)).fit(found.X, found.y, found.weights)
    assert np.array_equal(hl.load("m").coef_, own.coef_) and math.isfinite(own.coef_.sum())
    assert hl.load("m").feature_names_in_.tolist() == ["a^x", "a^y", "a^z"]


def test_a_feature_whose_values_overflow_is_refused(write):
    line = "1 |a x:1e308 x:1e308\n"
    with pytest.raises(DataFormatError, match=r"t.vw:2: the values of 'x' have no finite sum"):
        load_numbers(write("t.vw", "1 |a x\n" + line + "-1 |a y\n"))
    found = load_numbers(write("u.vw", "1 |a x\n" + line + "-1 |a y\n"), skip_bad=True)
    assert found.y.tolist() == [1, -1] and found.X.data.tolist() == [1, 1]
