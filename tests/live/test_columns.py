"""Corrections of models of several columns: texts side by side, and mixed tables."""

import json

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, HardlimitError, InputError
from hardlimit.live.columns import keep_row, read_row

from ..rounding import SINGLE, near

MAILS = [
    {"subject": "win a prize", "body": "cheap pills now"},
    {"subject": "lunch", "body": "at noon?"},
    {"subject": "prize to win", "body": "now cheap"},
    {"subject": "see you", "body": "at the meeting at noon"},
]
PEOPLE = [
    {"age": 41, "city": "Ghent", "note": "pays late"},
    {"age": 23, "city": "Bruges", "note": "new here"},
    {"age": 38, "city": "Ghent", "note": "pays on time"},
    {"age": None, "city": "Ghent", "note": "new and late"},
]


@pytest.fixture(scope="module")
def mails(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("mails") / "mails.hardlimit")
    classifier = hl.TextClassifier(text_columns=["subject", "body"], words=(1, 1), chars=None)
    classifier.fit(MAILS, ["spam", "ham"] * 2).save(path)
    return path


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("people") / "people.hardlimit")
    classifier = hl.TableClassifier(
        text_columns=["note"], category_columns=["city"], missing="mean"
    )
    classifier.fit(PEOPLE, ["stays", "leaves"] * 2).save(path)
    return path


def test_the_base_answers_before_any_correction(mails, people):
    for path, rows in ((mails, MAILS), (people, PEOPLE)):
        live, plain = hl.open_live(path, ledger=None), hl.load(path)
        expected = np.asarray(plain.decision_function(rows)).tolist()
        assert [score for (score,) in live.scores(rows)] == expected
        assert live.predict(rows) == plain.predict(rows).tolist()
        # A row by itself, as a tuple and as what the ledger keeps.
        assert live.predict([tuple(rows[0].values())]) == live.predict(rows[:1])
        assert live.predict([json.dumps(rows[0])]) == live.predict(rows[:1])


def test_a_corrected_row_has_its_label_and_an_undo_takes_it_back(mails, people):
    for path, rows, label in ((mails, MAILS, "ham"), (people, PEOPLE, "leaves")):
        live = hl.open_live(path, ledger=None)
        before = live.scores(rows)
        receipt = live.correct(rows[0], label, margin=0.5, new_class=True)
        assert receipt.after.label == label and receipt.after.margin >= 0.5
        assert live.correct(rows[1], "a new class", new_class=True).new_class
        assert live.verify() == 2
        live.undo(2)
        live.undo(1)
        assert live.scores(rows) == before


def test_the_ledger_keeps_the_columns_of_the_model_as_json(people, tmp_path):
    ledger = str(tmp_path / "ledger")
    asked = {"id": 7, "note": "caf\u00e9", "age": 3.5, "city": None}
    with hl.open_live(people, ledger) as live:
        live.predict([asked])
        live.correct(asked, "leaves", by="alice")
        live.add_guard(asked)
    with hl.open_live(people, ledger) as live:
        kept = [entry.text for entry in live.log()]
        assert kept == ['{"age": 3.5, "city": null, "note": "caf\u00e9"}'] * 2
        assert live.predict(kept) == live.predict([asked, asked]) == ["leaves"] * 2
        assert [now.label for _, now in live.guards()] == ["leaves"]
        assert live.verify() == 2
    with hl.open_live(people, str(tmp_path / "private"), private=True) as live:
        live.correct(asked, "leaves")
        assert [entry.text for entry in live.log()] == [None]
        assert live.verify() == 1


def test_the_inbox_knows_which_of_its_rows_was_corrected(mails):
    live = hl.open_live(mails, ledger=None)
    live.answer(MAILS)
    live.correct(dict(reversed(MAILS[2].items())), "ham")
    assert [one.state for one in live.inbox()] == ["new", "corrected", "new", "new"]
    assert len(live.queue()) == 3
    assert json.loads(live.inbox()[0].text) == MAILS[3]


def test_a_category_that_training_did_not_see_gets_weights(people, tmp_path):
    live = hl.open_live(people, ledger=None)
    asked = {"age": 41, "city": "Ostend", "note": "pays late"}
    receipt = live.correct(asked, "leaves")
    assert receipt.new_terms == 1
    why = live.why(asked)
    assert any(one.term == "city = Ostend" and one.corrections > 0 for one in why.terms)
    baked = live.bake(tmp_path / "baked.hardlimit")
    assert not baked.changed
    loaded = hl.load(tmp_path / "baked.hardlimit")
    assert loaded.predict([asked]) == ["leaves"]
    assert "city = Ostend" in {one.term for one in loaded.explain(asked, top=None).terms}
    # An undo forgets its weight.
    live.undo(receipt.id)
    assert live.scores(PEOPLE) == hl.open_live(people, ledger=None).scores(PEOPLE)


def test_two_columns_may_give_one_name(tmp_path):
    rows = [{"a": "x", "a = b": "y"}, {"a": "z", "a = b": "w"}] * 2
    classifier = hl.TableClassifier(category_columns=["a", "a = b"])
    classifier.fit(rows, [0, 1] * 2).save(tmp_path / "m")
    with hl.open_live(tmp_path / "m") as live:
        assert live.correct({"a": "b = c", "a = b": "c"}, 1, new_class=True).new_terms == 1
    with hl.open_live(tmp_path / "m") as live:
        assert live.verify() == 1


def test_a_baked_file_of_a_model_without_training_state_answers_alike(tmp_path):
    path = tmp_path / "slim.hardlimit"
    fitted = hl.TextClassifier(text_columns=["subject", "body"]).fit(MAILS, ["spam", "ham"] * 2)
    fitted.save(path, training_state=False)
    live = hl.open_live(path, ledger=None)
    live.correct(MAILS[0], "ham")
    assert not live.bake(tmp_path / "baked").changed
    answers = hl.load(tmp_path / "baked").decision_function(MAILS)
    assert answers == near([score for (score,) in live.scores(MAILS)], 20, unit=SINGLE)


def test_words_that_training_did_not_see_are_no_features(mails):
    live = hl.open_live(mails, ledger=None)
    with pytest.raises(CorrectionError) as refused:
        live.correct({"subject": "zebra", "body": "novel"}, "ham")
    assert refused.value.topic == "no-features" and live.n_entries == 0


@pytest.mark.parametrize(
    "row",
    [
        "win a prize",
        "[1, 2]",
        b"\xff",
        "[" * 100_000,
        {"subject": "a"},
        ("a",),
        {"subject": "a", "body": 3},
        {"subject": ["a"], "body": "b"},
        '{"subject": 1e999, "body": "b"}',
        '{"subject": ' + "9" * 5000 + ', "body": "b"}',
        None,
        7,
    ],
)
def test_what_is_no_row_is_refused_and_leaves_nothing(mails, row):
    live = hl.open_live(mails, ledger=None)
    for ask in (
        lambda: live.correct(row, "ham"),
        lambda: live.confirm(row),
        lambda: live.add_guard(row),
        lambda: live.predict([row]),
        lambda: live.why(row),
    ):
        with pytest.raises(HardlimitError):
            ask()
    assert live.n_entries == 0


def test_bytes_and_odd_characters_come_back_as_they_were():
    names = ("a", "b")
    for value in (b"\xff\xfe", "\ud800x", "\0", "\u202e", '"\\\n', 0.1, -0.0, True, None, 10**30):
        kept = keep_row({"a": value, "b": "x"}, names)
        assert read_row(kept, names)[0] == value and type(read_row(kept, names)[0]) is type(value)
        assert keep_row(kept, names) == kept
    assert keep_row({"a": b"caf\xc3\xa9", "b": float("nan")}, names) == (
        '{"a": "caf\u00e9", "b": null}'
    )
    assert keep_row({"a": np.float32(0.5), "b": np.int64(3)}, names) == '{"a": 0.5, "b": 3}'
    with pytest.raises(InputError, match="finite"):
        keep_row((float("inf"), 1), names)


def test_a_frame_of_rows_is_asked_at_once(people):
    pandas = pytest.importorskip("pandas")
    live = hl.open_live(people, ledger=None)
    frame = pandas.DataFrame(PEOPLE)
    assert live.predict(frame) == live.predict(PEOPLE)
    assert live.correct(frame.iloc[0], "leaves").after.label == "leaves"
