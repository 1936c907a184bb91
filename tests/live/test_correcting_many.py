"""Several corrections at once: those of one after the other, or none."""

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, InputError, KindError, LedgerError

from .messages import TEXTS

PAIRS = [
    ("win a prize", "ham"), ("lunch zebra", "spam"), ("the meeting", "ham"),
    ("win a prize", "spam"),
    ("a zebra at noon", "news"), ("cheap gnu", "news"), ("", "ham"), ("lunch", "Ham"),
    ("noon", "hma"),
]  # fmt: skip
GOOD = PAIRS[:6]


def started(path, ledger, **settings):
    live = hl.open_live(path, ledger, **settings)
    live.answer(TEXTS)
    live.correct("minutes of the gnu", "spam", by="eve")
    live.add_guard("see you at lunch")
    live.undo(1)
    live.answer(["win now", "minutes", "lunch at the club"])
    live.correct("win now", "ham", dry_run=True)  # which makes rows of them
    live.answer(["cheap lunch"])
    return live


def told(receipt):
    """Return all of a receipt but the fingerprint, which has the time in it."""
    return {**receipt.to_dict(), "fingerprint": ""}


@pytest.mark.parametrize(
    "settings", [{}, {"private": True}, {"remember": 3, "recent": 2}, {"threshold": 0.4}]
)
@pytest.mark.parametrize("step", [0.0, 2.0])
def test_they_are_those_of_one_after_the_other(two, tmp_path, settings, step):
    with (
        started(two, str(tmp_path / "a"), **settings) as live,
        started(two, str(tmp_path / "b"), **settings) as other,
    ):
        how = {"by": "alice", "margin": 1.5, "step": step, "guards": "solve", "new_class": True}
        before = live.digest(), live.n_entries, live.predict(TEXTS, remember=False)
        tried = live.correct_many(GOOD, **how, dry_run=True)
        assert (live.digest(), live.n_entries, live.predict(TEXTS, remember=False)) == before
        found = live.correct_many(GOOD, **how)
        wanted = [other.correct(*pair, **how) for pair in GOOD]
        assert [*map(told, found)] == [*map(told, wanted)] and live.digest() == other.digest()
        assert [one.fingerprint for one in found] == [one.after for one in live.log(4)]
        assert [{**told(one), "id": None, "dry_run": True} for one in found] == [*map(told, tried)]
        assert live.memory.texts == other.memory.texts
        states = [[(one.text, one.state, one.id) for one in each.inbox()] for each in (live, other)]
        assert states[0] == states[1]
        assert live.verify() == 3 + len(GOOD)
    with hl.open_live(two, str(tmp_path / "a")) as live:
        assert live.verify() == 3 + len(GOOD)


def test_all_refusals_are_told_and_nothing_is_done(two, ledger):
    with started(two, ledger) as live:
        before = live.digest(), live.n_entries, len(live.memory), live.classes
        pairs = [*PAIRS, (3, "ham"), (TEXTS[0], None), ("see you at lunch", "spam")]
        for dry_run in (False, True):
            with pytest.raises(CorrectionError) as refused:
                live.correct_many(pairs, new_class=False, dry_run=dry_run)
            found = [
                (place, getattr(error, "topic", "")) for place, error in refused.value.refusals
            ]
            assert found == [
                (4, "unknown-label"), (5, "unknown-label"), (6, "no-features"),
                (7, "look-alike-label"), (8, "unknown-label"), (9, ""), (10, ""),
                (11, "same-as-a-guard"),
            ]  # fmt: skip
            assert (refused.value.label, refused.value.topic) == ("news", "unknown-label")
            assert "correction 5 (8 of 12 are refused, so none is made)" in str(refused.value)
            assert (live.digest(), live.n_entries, len(live.memory), live.classes) == before
        assert live.correct_many([]) == [] and live.correct_many(GOOD[:1])[0].id == 4
        for wrong in (["win", "ham"], [("win",)], [("a", "ham", 1)]):
            with pytest.raises(KindError):
                live.correct_many(wrong)
        with pytest.raises(InputError, match="margin"):
            live.correct_many(GOOD, margin=0)


@pytest.mark.parametrize("n", range(1, 4))
def test_where_one_cannot_be_written_none_is(two, ledger, monkeypatch, n):
    with started(two, ledger) as live:

        def now():
            memory = [*live.memory.texts], live.state.overlay.n_terms
            return live.digest(), live.n_entries, live.fingerprint, memory

        live.correct("cheap lunch", "ham", dry_run=True)
        before = now()
        append, calls = live.ledger.append, []

        def fail(*words):
            calls.append(words)
            if len(calls) == n:
                raise LedgerError("the disk is gone")
            append(*words)

        with monkeypatch.context() as broken:
            broken.setattr(live.ledger, "append", fail)
            with pytest.raises(LedgerError, match="gone"):
                live.correct_many(GOOD, new_class=True)
        assert now() == before
        assert live.correct("a quite new okapi", "ham").new_terms and live.verify() == 4


def test_limits_hold_for_all_together(two):
    live = hl.open_live(two, None, rate=(4, 3600))
    live.correct_many(GOOD[:3], by="alice")
    for n in (2, 5):
        with pytest.raises(CorrectionError) as refused:
            live.correct_many((GOOD[:4] * 2)[:n], by="alice")
        assert refused.value.topic == "rate" and refused.value.wait > 3000
    assert live.correct_many(GOOD[:1], by="alice")[0].id == 4
    assert len(live.correct_many(GOOD[:4], by="bob")) == 4
    size = sum(one.size for one in hl.open_live(two, None).correct_many(GOOD[:3]))
    live = hl.open_live(two, None, influence=size * 0.9)
    with pytest.raises(CorrectionError) as refused:
        live.correct_many(GOOD[:3])
    assert refused.value.refusals[0][1].topic == "influence" and live.n_entries == 0


def test_rows_are_corrected_together_too(tmp_path):
    X = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]]
    hl.LinearClassifier().fit(X, [1, 2, 2]).save(tmp_path / "rows")
    with hl.open_live(tmp_path / "rows") as live:
        assert [one.after.label for one in live.correct_many(zip(X, [2, 1, 1], strict=True))] == [
            2, 1, 1,
        ]  # fmt: skip
        assert live.verify() == 3
