"""Receipts, refusals and limits, against what is computed beside them."""

import math
from datetime import UTC, datetime, timedelta

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, InputError, KindError
from hardlimit.live.answer import Flip, Standing
from hardlimit.live.entry import cut, entry_to_plain, plain_text
from hardlimit.live.limits import AuthorLimits

from ..rounding import near, printed
from .messages import TEXTS

OTHERS = [*TEXTS, "win at noon", "see the meeting"]


def labels(live):
    return dict(zip(OTHERS, live.predict(OTHERS, remember=False), strict=True))


@pytest.mark.parametrize("kind", ["two", "many"])
def test_a_receipt_tells_all_that_a_correction_did(kind, request):
    live = hl.open_live(request.getfixturevalue(kind), ledger=None)
    live.answer(OTHERS)
    numbers = dict(zip(OTHERS, range(1, 99), strict=False))
    for turn, text in enumerate(["win a prize", "lunch zebra", "the meeting", "a new gnu"]):
        label = [*live.classes, "fresh"][(2 * turn + 1) % (len(live.classes) + 1)]
        before, scores = labels(live), live.scores(OTHERS)
        standing, p, n_classes = live.standing(text), live.probability(text), len(live.classes)
        told = live.correct(text, label, by="alice", margin=1.5, new_class=True)
        after = labels(live)
        assert (told.id, told.kind, told.label) == (turn + 1, "correct", label)
        assert told.before == standing and told.after == live.standing(text)
        assert told.after.label == label and told.after.margin >= 1.5
        flips = {one for one in told.flips if one.number <= len(OTHERS)}
        assert flips == {
            Flip(numbers[one], before[one], after[one])
            for one in OTHERS
            if before[one] != after[one]
        }
        assert told.new_class == (len(live.classes) > n_classes)
        assert told.n_remembered == len(OTHERS) + turn
        assert told.fingerprint == live.fingerprint == [*live.log()][-1].after
        assert (told.target, told.refused, told.flagged, told.dry_run) == (None, (), (), False)
        assert told.probability == (None if told.new_class else printed(p, 6))
        details = [*live.log()][-1].details
        assert details["size"] == told.size and details["remembered"] == told.n_remembered
        assert details["before"] == [f"str:{standing.label}", standing.margin]
        assert details["after"] == [f"str:{label}", told.after.margin]
        assert details["flips"] == [
            [one.number, f"str:{one.before}", f"str:{one.after}"] for one in told.flips
        ]
        assert details["said"]["right"] == (standing.label == label)
        undone = live.undo(turn + 1, by="bob", dry_run=True)
        assert undone.id is None and undone.dry_run and live.scores(OTHERS) != scores
        assert (undone.before, undone.after.label) == (told.after, standing.label)
    assert live.correct("zebra", live.predict(["zebra"])[0]).new_terms == 0
    assert live.correct("okapi", live.classes[0]).new_terms == 1


def test_what_moves_no_weight_has_no_size(two):
    live = hl.open_live(two, ledger=None)
    told = live.confirm("win a prize", by="alice")
    assert (told.size, told.flips, told.refused, told.target) == (0.0, (), (), None)
    assert not told.new_class and told.new_terms == 0 and not told.dry_run
    live.correct("win a prize", "spam", margin=told.after.margin / 2)
    assert [*live.log()][-1].details["size"] == 0.0
    assert live.undo(2).size == 0.0


def test_an_undo_that_cannot_be_written_changes_nothing(two, monkeypatch):
    live = hl.open_live(two, ledger=None)
    live.correct("win a prize", "ham")
    before, fingerprint = live.digest(), live.fingerprint

    def full(*_):
        raise OSError("no space")

    with monkeypatch.context() as patched:
        patched.setattr(live.ledger, "append", full)
        with pytest.raises(OSError):
            live.undo(1)
    assert (live.digest(), live.fingerprint, live.n_entries) == (before, fingerprint, 1)
    assert live.predict(["win a prize"]) == ["ham"] and live.undone() == set()
    assert live.undo(1).after.label == "spam" and live.verify() == 2


def test_an_undo_tells_what_came_back(two):
    live = hl.open_live(two, ledger=None)
    live.answer(OTHERS)
    before = labels(live)
    live.correct("win a prize", "ham")
    middle, standing = labels(live), live.standing("win a prize")
    told = live.undo(1, by="bob")
    after = live.standing("win a prize")
    assert (told.id, told.kind, told.label, told.target) == (2, "undo", "ham", 1)
    assert (told.before, told.after) == (standing, after) and labels(live) == before
    numbers = dict(zip(OTHERS, range(1, 99), strict=False))
    flips = {
        Flip(numbers[one], middle[one], before[one]) for one in OTHERS if middle[one] != before[one]
    }
    assert {one for one in told.flips if one.number <= len(OTHERS)} == flips != set()
    assert told.fingerprint == live.fingerprint and told.refused == ()
    again = live.undo(2)
    # The row of an undo is that of what it took back.
    assert (again.before, again.after) == (after, standing) and again.label == "ham"
    live.add_guard("lunch at noon?")
    gone = live.remove_guard(4)
    told = live.undo(gone)
    assert told.before == told.after == live.standing("lunch at noon?")
    assert [entry.id for entry, _ in live.guards()] == [4]
    live.confirm("see you")
    assert live.undo(live.n_entries).label == live.predict(["see you"])[0]


def test_a_guard_that_an_undo_flips_is_found(two):
    live = hl.open_live(two, ledger=None)
    live.correct("win a prize now", "ham", margin=5.0)
    live.add_guard("win a prize now")
    live.undo(1)
    assert live.check_guards() == [2]
    live.undo(3)
    assert live.check_guards() == []


def refusal(work, *words, **more):
    with pytest.raises((CorrectionError, InputError, KindError)) as refused:
        work(*words, **more)
    return refused.value


def test_refusals_have_their_topics(two):
    live = hl.open_live(two, ledger=None)
    assert refusal(live.undo, 1).topic == "no-such-entry"
    assert refusal(live.undo, 0).topic == refusal(live.undo, -1).topic == "no-such-entry"
    live.correct("win a prize", "ham")
    live.undo(1)
    assert refusal(live.undo, 1).topic == "already-undone"
    assert refusal(live.undo, 3).topic == "no-such-entry"
    assert refusal(live.remove_guard, 1).topic == "no-such-entry"
    assert refusal(live.add_guard, "win a prize", "ham").topic == "guard-does-not-hold"
    assert refusal(live.confirm, "win a prize", "ham").topic == "not-the-answer"
    assert refusal(live.correct, "?!", "ham").topic == "no-features"
    assert refusal(live.replay, 3).topic == "no-such-entry"
    assert live.replay(2).n_entries == 2 and live.replay(0).n_entries == 0
    assert live.n_entries == 2


NO_NUMBER = ("1", None, float("nan"))


@pytest.mark.parametrize(
    ("method", "words", "parameter", "wrong"),
    [
        ("undo", (), "number", ("1", 1.0, True, None)),
        ("queue", (), "limit", (0, -1, 1.5, "3")),
        ("inbox", (), "limit", (0, -1, 1.5, "3")),
        ("correct", ("win", "ham"), "margin", (0, -1, 1.1e9, *NO_NUMBER)),
        ("correct", ("win", "ham"), "step", (-0.1, 1.1e9, *NO_NUMBER)),
        ("correct", ("win", "ham"), "guards", ("", "ask", None)),
        ("correct", ("win",), "label", (None, float("nan"), "", " ", "x" * 501)),
        *(
            (method, words, "by", (3, None, "x" * 501, "a\0b", "a\ud800"))
            for method, words in (
                ("correct", ("win", "ham")), ("confirm", ("win",)), ("undo", (1,)),
                ("add_guard", ("win",)), ("remove_guard", (1,)),
            )
        ),
    ],
)  # fmt: skip
def test_values_that_mean_nothing_are_refused_by_name(two, method, words, parameter, wrong):
    live = hl.open_live(two, ledger=None)
    for value in wrong:
        more = {parameter: value}
        assert refusal(getattr(live, method), *words, **more).parameter == parameter
    assert live.n_entries == 0


def test_the_largest_values_are_taken(two):
    live = hl.open_live(two, ledger=None)
    assert live.correct("win", "x" * 500, by="y" * 500, new_class=True).new_class
    assert live.correct("win", "ham", margin=1e9).after.label == "ham"
    for wrong in (["ab"], [("a", "b", "c")], [3]):
        assert isinstance(refusal(live.add_guards, wrong), (KindError, CorrectionError))
    for name in ("remember", "recent"):
        for wrong in (-1, 1.0, "3", True, 1_000_001):
            assert refusal(hl.open_live, two, None, **{name: wrong}).parameter == name
        hl.open_live(two, None, **{name: 1_000_000})
    for wrong in (-0.1, 1.1, "1", True):
        assert refusal(hl.open_live, two, None, abstain=wrong).parameter == "abstain"
    for good in (0, 1, 0.5):
        assert hl.open_live(two, None, abstain=good).abstain == good


def test_guards_come_all_or_none(two):
    live = hl.open_live(two, ledger=None)
    digest = live.digest()
    with pytest.raises(CorrectionError):
        live.add_guards([("win a prize", None), ("lunch", None), ("see you", "spam")])
    assert live.guards() == [] and live.digest() == digest and live.n_entries == 0
    assert live.add_guards([("win a prize", "spam"), ("lunch", None)], by="al", margin=0.5) == [
        1,
        2,
    ]
    for entry, now in live.guards():
        assert (entry.author, entry.margin, entry.label) == ("al", 0.5, now.label)
        assert now == live.standing(entry.text)
        assert entry.details["before"] == entry.details["after"] == [f"str:{now.label}", now.margin]
    # Another text of the same label as a guard with the same features is no contradiction.
    assert live.correct("win a prize", "spam", margin=3.0).after.margin >= 3.0
    with pytest.raises(CorrectionError) as refused:
        live.correct("win a prize", "ham")
    assert (refused.value.topic, refused.value.guards) == ("same-as-a-guard", (1,))


def test_the_rate_of_an_author_is_counted_in_its_time():
    limits, begun = AuthorLimits(None, (3, 60.0)), datetime(2026, 1, 1, tzinfo=UTC)

    def at(seconds):
        return (begun + timedelta(seconds=seconds)).isoformat()

    for second in (0, 10, 20):
        limits.check_rate("alice", at(second))
        limits.note("alice", at(second))
    error = refusal(limits.check_rate, "alice", at(45))
    assert error.topic == "rate" and error.wait == 15
    limits.check_rate("bob", at(45))
    # Of seconds since 1970.
    wanted = near(0.1, 3, size=begun.timestamp())
    assert refusal(limits.check_rate, "alice", at(59.9)).wait == wanted
    limits.check_rate("alice", at(60))
    limits.check_rate("alice", at(-1))  # the clock went backwards
    assert refusal(limits.check_rate, "alice", at(0)).wait == 60
    limits.note("alice", at(60))
    assert refusal(limits.check_rate, "alice", at(69)).wait == 1
    AuthorLimits(None, None).check_rate("alice", at(0))


def test_the_influence_of_an_author_ends_at_the_limit():
    limits = AuthorLimits(2.5, None)
    limits.check_influence("alice", {"alice": 2.5, "bob": 9.0})
    limits.check_influence("carol", {"bob": 9.0})
    assert refusal(limits.check_influence, "bob", {"bob": 2.51}).topic == "influence"
    AuthorLimits(None, None).check_influence("bob", {"bob": 1e9})
    for wrong in (0, -1, float("nan")):
        assert refusal(AuthorLimits, wrong, None).parameter == "influence"
    for wrong in ((0, 1), (10**9 + 1, 1), (1, 0), (1.0, 1), (1, 2, 3), "ab", 3, (True, 1)):
        assert refusal(AuthorLimits, None, wrong).parameter == "rate"
    assert AuthorLimits(1, [10**9, 0.5]).rate == [10**9, 0.5]


def test_influence_is_the_length_of_what_holds(two):
    live = hl.open_live(two, ledger=None, influence=100.0)
    sizes = [live.correct(text, "ham", by="alice").size for text in TEXTS[:5:2]]
    assert live.state.influence == {"alice": near(sum(sizes), 6)}
    for number in (3, 2, 1):
        live.undo(number)
        left = sum(sizes[: number - 1])
        assert live.state.influence == ({"alice": near(left, 6)} if left else {})


def test_the_length_of_a_change_is_euclidean(two):
    live = hl.open_live(two, ledger=None)
    told = live.correct("win a prize zebra", "ham", margin=2.0)
    moved = live.state.overlay.weights()
    # Two sums of the same squares, of a step and of what it makes of the row.
    wanted = math.sqrt(sum(w * w for _, _, w in moved))
    assert told.size == near(wanted, 2 * len(moved) + 10)


def test_an_entry_is_plain_json(two):
    live = hl.open_live(two, ledger=None)
    live.correct(b"win a \xff prize", "ham", by="alice", margin=2.0, guards="solve")
    (entry,) = live.log()
    assert entry_to_plain(entry, True, 5) == {
        "id": 1, "kind": "correct", "time": entry.time, "author": "alice", "label": "ham",
        "margin": 2.0, "policy": "solve", "target": None, "text": "win a", "length": 13,
        "details": entry.details, "before": entry.before, "after": entry.after, "undone": True,
    }  # fmt: skip
    assert not entry_to_plain(entry, False)["undone"]
    assert plain_text(b"a\xff") == "a�" and plain_text("a") == "a" and plain_text(None) is None
    assert cut(b"ab\xff", 2) == {"text": "ab", "length": 3}
    assert cut("abc") == {"text": "abc", "length": 3}
    assert cut("abc", 0) == {"text": "", "length": 3}


def test_times_are_those_of_the_clock(two):
    live = hl.open_live(two, ledger=None, recent=3)
    begun = datetime.now(UTC)
    live.answer(TEXTS)
    live.confirm(TEXTS[-1])
    ended = datetime.now(UTC)
    times = [one.time for one in live.inbox()] + [entry.time for entry in live.log()]
    assert len(times) == 4
    for time in times:
        assert begun <= datetime.fromisoformat(time) <= ended
        assert len(time) == len("2026-01-01T00:00:00.000000+00:00")
    assert live.newest == 8 and live.recent_text(8) == TEXTS[-1]
    assert live.recent_text(99) is None
    assert hl.open_live(two, ledger=None).newest is None


def test_without_an_inbox_nothing_is_kept(two):
    live = hl.open_live(two, ledger=None, recent=0, remember=0)
    assert [one.number for one in live.answer(TEXTS[:2])] == [1, 2]
    assert live.inbox() == live.queue() == [] and live.newest is None
    told = live.correct(TEXTS[0], "ham")
    assert told.flips == () and told.n_remembered == 0
    assert live.recent_text(1) is None
    assert isinstance(told.before, Standing)


def test_a_mark_stays_with_its_text(two):
    live = hl.open_live(two, ledger=None, recent=3)
    live.answer(["win", "lunch", "win", "see you", "win"])
    live.confirm("win")
    states = [(1, "confirmed"), (4, "new"), (2, "new")]
    assert [(one.number, one.state) for one in live.inbox()] == states
    live.answer(["win"] * 5)
    assert [(one.number, one.state) for one in live.inbox()] == states
    live.correct("win", "ham")
    assert [(one.state, one.id) for one in live.inbox()][0] == ("corrected", 2)
    live.undo(2)
    assert live.inbox()[0].state == "new"
