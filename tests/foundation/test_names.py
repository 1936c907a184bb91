"""The border for texts that are stored: labels, authors, columns, terms, notes."""

from fractions import Fraction

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.cli import main
from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.foundation import names

HALVES = ["\ud800", "a\udcff", "\udfffz"]
X, TEXTS = [[1.0], [2.0]] * 3, ["win a prize", "lunch at noon"] * 3
ROWS = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}] * 3


@pytest.mark.parametrize("text", HALVES)
def test_halves_of_surrogate_pairs_are_no_text(text):
    assert not names.is_text(text)
    for check in (names.check_text, names.check_storable, names.check_name):
        with pytest.raises(InputError) as refused:
            check(text, "by")
        assert refused.value.parameter == "by" and ascii(text) in str(refused.value)


def test_each_rule_contains_the_one_before():
    names.check_text("a\0\n", "x")
    with pytest.raises(InputError, match="NUL"):
        names.check_storable("a\0", "x")
    names.check_storable("a\n\u200b ", "x")
    for text in ("a\0", "a\n", "a\u200b", " a", "a ", "", "a" * 501):
        with pytest.raises(InputError, match="x: got"):
            names.check_name(text, "x")
    names.check_name("", "x", empty=True)
    names.check_name("a" * 500, "x")


@pytest.mark.parametrize(
    "one",
    [*map(chr, [*range(32), *range(0x7F, 0xA1), 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B]),
     *map(chr, [*range(0x200C, 0x2010), *range(0x2028, 0x2030), *range(0x2060, 0x2070)]),
     *map(chr, [0x2800, 0x3000, 0x3164, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xE0020, 0xE0100])],
    ids=ascii,
)  # fmt: skip
def test_what_nobody_sees_is_in_no_name(one):
    for text in (f"h{one}m", f"ham{one}", f"{one}ham"):
        with pytest.raises(InputError):
            names.check_name(text, "label")


@pytest.mark.parametrize(
    "text",
    ["ham", "two words", "a-b_c/d", "Zoë", "e\u0301", "日本語", "한국어", "עברית", "العربية",
     "می\u200cخواهم", "क्\u200dष", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f",
     "\u2764\ufe0f\u200d\U0001f525", "1\ufe0f\u20e3", "ß", "1", "-"],
)  # fmt: skip
def test_names_of_all_scripts_are_names(text):
    names.check_name(text, "label")
    assert names.find_invisible(text) == ""


# What a model file or a ledger could not hold, wherever Python hands it in.
WAYS = {
    "fit": lambda one: hl.LinearClassifier().fit(X, ["ham", one] * 3),
    "texts": lambda one: hl.TextClassifier().fit(TEXTS, ["ham", one] * 3),
    "partial_fit": lambda one: hl.LinearClassifier().partial_fit(X, [one, "ham"] * 3),
    "partial_fit later": lambda one: (
        hl.LinearClassifier().fit(X, ["a", "b"] * 3).partial_fit(X[:1], [one])
    ),
    "classes": lambda one: hl.LinearClassifier().partial_fit(X, ["a"] * 6, classes=["a", one]),
    "from_weights": lambda one: hl.LinearClassifier.from_weights([1.0], classes=["a", one]),
    "kernel": lambda one: hl.KernelClassifier().fit(X, ["ham", one] * 3),
    "sets": lambda one: hl.LinearClassifier().fit(X, [{"ham", one}, {"spam"}] * 3),
    "stream": lambda one: hl.LinearClassifier(order="stream", max_iter=1).fit_stream(
        lambda: iter([(X, ["ham", one] * 3)])
    ),
    "table labels": lambda one: hl.TableClassifier().fit(ROWS, ["ham", one] * 3),
}
COLUMNS = {
    "table": lambda one: hl.TableClassifier().fit(
        [{one: 1, "b": "x"}, {one: 2, "b": "y"}] * 3, ["ham", "spam"] * 3
    ),
    "named": lambda one: hl.TableClassifier(number_columns=[one]).fit(ROWS, ["a", "b"] * 3),
    "weights": lambda one: hl.LinearClassifier.from_weights({one: 1.0}, classes=["a", "b"]),
    "text columns": lambda one: hl.TextClassifier(text_columns=[one, "b"]).fit(
        [{one: "x y", "b": "z"}, {one: "u v", "b": "w"}] * 3, ["ham", "spam"] * 3
    ),
    "frame": lambda one: hl.LinearClassifier().fit(_frame(one), ["a", "b"]),
    "vocabulary": lambda one: hl.TextClassifier(vocabulary=["win", one]).fit(TEXTS, ["a", "b"] * 3),
}


def _frame(name):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(
        [[1.0, 2.0], [2.0, 1.0]], columns=pandas.Index([name, "b"], dtype=object)
    )


@pytest.mark.parametrize("way", [*WAYS, *COLUMNS])
def test_such_names_are_refused_where_they_are_handed_in(way):
    with pytest.raises(HardlimitError, match=r"\\ud800.*surrogate"):
        (WAYS | COLUMNS)[way]("\ud800")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("label", [Fraction(1, 3), 1 + 2j, type("S", (str,), {})("s")], ids=str)
def test_a_label_that_no_model_file_holds_is_refused_before_learning(way, label):
    with pytest.raises(HardlimitError) as refused:
        WAYS[way](label)
    assert "str, int, float" in str(refused.value) or "kind" in str(refused.value)


def test_labels_of_numpy_are_taken_and_what_files_hold_is_still_learnt(tmp_path):
    for label in (np.str_("s"), "a\nb", "\u200b", "nul\0x", " ham", b"\xff", ""):
        clf = hl.LinearClassifier().fit(X, np.array(["m", label] * 3, object))
        clf.save(tmp_path / "m")
        assert label in list(hl.load(tmp_path / "m").classes_)


def test_a_note_is_text(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("text,label\nwin a prize,spam\nlunch,ham\n")
    words = ["train", str(tmp_path / "t.csv"), "-o", str(tmp_path / "m"), "--note", "a\udcff"]
    assert main(words) == 1 and "note" in (told := capsys.readouterr().err)
    assert r"a\udcff" in told and not (tmp_path / "m").exists()
