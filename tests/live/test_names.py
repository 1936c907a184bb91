"""Labels and authors: what cannot be stored or read is refused before it is acknowledged."""

import os
import shutil

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, InputError, LedgerError
from hardlimit.live import correcting, entry, writing
from hardlimit.live.file_ledger import SUFFIX

from .messages import TEXTS

# With what the message shows of each.
UNSTORABLE = {"\ud800": r"'\ud800'", "bad\udc80": r"\udc80", "a\0b": r"'a\x00b'"}
UNREADABLE = {
    "": "''",
    "  ": "'  '",
    "a\nb\x1b[31m": r"'a\nb\x1b[31m'",
    "\u200b": r"'\u200b'",
    "ham\u200b": r"'ham\u200b'",
    "\u202egnp": r"'\u202egnp'",
    "ham\u2066": r"'ham\u2066'",
    "ham ": "'ham '",
    "\tham": r"'\tham'",
    "ha\u200cm": r"'ha\u200cm'",
    "\u3164": r"'\u3164'",
    "h" * 501: "hhh",
}


def corrected(two, ledger, n=3):
    live = hl.open_live(two, ledger, remember=0, recent=0)
    for number in range(n):
        live.correct(f"{TEXTS[number]} w{number}", ["ham", "spam"][number % 2])
    return live


@pytest.mark.parametrize("label", [*UNSTORABLE, *UNREADABLE])
@pytest.mark.parametrize("n", [0, 3], ids=["database", "tail"])
def test_no_new_class_has_a_name_that_nobody_can_store_or_read(two, ledger, label, n):
    with corrected(two, ledger, n) as live:
        before = live.n_entries, live.digest(), live.classes
        with pytest.raises(InputError) as refused:
            live.correct(TEXTS[0], label, new_class=True)
        shown = (UNSTORABLE | UNREADABLE)[label]
        assert refused.value.parameter == "label" and shown in str(refused.value)
        assert (live.n_entries, live.digest(), live.classes) == before
        live.correct("and it goes on with lunch", "spam")
    with hl.open_live(two, ledger) as live:
        assert live.verify() == n + 1


@pytest.mark.parametrize("label", UNSTORABLE)
def test_such_a_label_is_refused_wherever_it_comes_in(two, ledger, label):
    with corrected(two, ledger) as live:
        for ask in (
            lambda: live.confirm(TEXTS[0], label),
            lambda: live.add_guard(TEXTS[0], label),
            lambda: live.add_guards([(TEXTS[0], None), (TEXTS[1], label)]),
            lambda: live.correct(TEXTS[0], label, dry_run=True, new_class=True),
        ):
            with pytest.raises(InputError) as refused:
                ask()
            assert not isinstance(refused.value, CorrectionError)
        assert live.n_entries == 3 and not live.guards()


@pytest.mark.parametrize("by", ["\ud800", "a\0", "alice\u202e", "a\nb", 3, "a" * 501])
def test_nor_has_an_author(two, ledger, by):
    with corrected(two, ledger) as live:
        for ask in (
            lambda: live.correct(TEXTS[0], "ham", by=by),
            lambda: live.confirm(TEXTS[0], by=by),
            lambda: live.add_guard(TEXTS[0], by=by),
            lambda: live.undo(1, by=by),
            lambda: live.bake(f"{ledger}-baked", by=by),
        ):
            with pytest.raises(InputError, match="by"):
                ask()
        assert live.n_entries == 3


def test_names_of_all_scripts_are_taken(two):
    live = hl.open_live(two, None)
    for label in (
        "مى\u200cخواهم",
        "क्\u200dष",
        "日本語",
        "\u2764\ufe0f",
        "two words",
        "é",
        "x\u0301",
        7,
    ):
        live.correct(TEXTS[0], label, by="Zoë", new_class=True)
        assert live.predict(TEXTS[:1]) == [label]


def test_the_classes_of_a_model_keep_their_names(tmp_path, ledger):
    """A training file may have had any: they are no new names."""
    path = tmp_path / "odd.hardlimit"
    hl.TextClassifier(chars=None).fit(TEXTS, ["a\nb", "ham "] * 4).save(path)
    with hl.open_live(path, ledger) as live:
        live.correct(TEXTS[0], "ham ")
        live.correct(TEXTS[1], "a\nb")
        live.confirm(TEXTS[0], "ham ")
        live.add_guard(TEXTS[0], "ham ")
        assert live.verify() == 4


@pytest.fixture
def unchecked(monkeypatch):
    """As an earlier release, which took any label."""
    for module, name in (
        (writing, "check_label"),
        (writing, "check_known"),
        (correcting, "check_known"),
    ):
        monkeypatch.setattr(module, name, lambda *_, **__: None)
    return monkeypatch


@pytest.mark.parametrize("label", UNSTORABLE)
def test_an_entry_of_before_with_such_a_label_goes_on(two, ledger, tmp_path, label, unchecked):
    with corrected(two, ledger) as live:
        live.correct("noon win", label, by="alice", new_class=True)
        killed = str(tmp_path / "killed")
        for suffix in ("", SUFFIX):
            shutil.copy(ledger + suffix, killed + suffix)
        digest = live.digest()
    unchecked.undo()
    for path in (ledger, killed):  # it is in the database, and in the tail
        with hl.open_live(two, path) as live:
            assert (live.n_entries, live.digest()) == (4, digest)
            assert live.predict(["noon win"]) == [label] and label in live.classes
            assert live.undo(1).id == 5
            assert live.add_guard(TEXTS[1]) == 6
            live.correct(TEXTS[2], "ham")
            with pytest.raises(InputError):
                live.confirm("noon win")
            assert live.verify() == 7
            assert live.undo(4).label == label and label not in live.classes
            assert live.undo(8).after.label == label
            assert live.undo(9).id == 10
            assert [one.label for one in live.log()][3] == label
            after = live.digest()
        assert not os.path.exists(path + SUFFIX)
        with hl.open_live(two, path) as live:
            assert (live.verify(), live.digest()) == (10, after)


def test_a_guard_of_before_with_such_a_label_does_not_stand_in_the_way_unexplained(
    two, tmp_path, unchecked
):
    path, baked = str(shutil.copy(two, tmp_path / "m")), tmp_path / "baked"
    with hl.open_live(path) as live:
        live.correct("noon win", "\ud800", new_class=True)
        live.add_guard("noon win")
        live.bake(baked)
    unchecked.undo()
    os.replace(baked, path)
    with pytest.raises(LedgerError, match="remove it before baking") as refused:
        hl.open_live(path)
    assert refused.value.topic == "another-model"


def test_what_the_database_cannot_take_is_refused_before_the_tail_has_it(two, ledger, monkeypatch):
    with corrected(two, ledger) as live:
        before = live.n_entries, live.digest()
        monkeypatch.setattr(entry, "check_storable", lambda *_: None)
        monkeypatch.setattr("hardlimit.live.sql.column_of", lambda text: text.encode("ascii"))
        with pytest.raises(LedgerError, match="cannot be stored") as refused:
            live.correct(TEXTS[0], "é", new_class=True)
        assert refused.value.topic == "unstorable"
        assert (live.n_entries, live.digest()) == before
        monkeypatch.undo()
        live.correct(TEXTS[0], "é", new_class=True)
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 4


def test_what_the_database_refuses_later_is_an_error_of_ours(two, ledger, monkeypatch):
    with corrected(two, ledger) as live:
        before = live.n_entries, live.digest()
        with monkeypatch.context() as patched:
            patched.setattr(live.ledger, "put", lambda *_: "é".encode("ascii"))
            with pytest.raises(LedgerError, match="cannot be stored"):
                live.undo(1)
        assert (live.n_entries, live.digest()) == before
        assert live.undo(1).id == 4
