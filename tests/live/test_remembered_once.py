"""One text is remembered once, and is never one of the others that changed sides."""

import random

import pytest

import hardlimit as hl
from hardlimit.exceptions import LedgerError
from hardlimit.live.ledger import Remembered

from .messages import TEXTS


def remembered(live):
    """Return what is remembered, in this process and in the ledger once an entry was written."""
    memory = live.memory
    assert {*memory.texts} == {one.number for one in live.ledger.remembered()}
    assert len(memory.watch) == len(memory.texts)
    return [memory.texts[number] for number in sorted(memory.texts)]


@pytest.mark.parametrize("private", [False, True], ids=["texts", "features"])
@pytest.mark.parametrize("asked", [False, True])
def test_a_text_that_is_corrected_again_and_again_is_one_text(two, ledger, private, asked):
    for turn in range(3):
        with hl.open_live(two, ledger, private=private) as live:
            if asked:
                live.answer([TEXTS[0], TEXTS[1], TEXTS[0]])
            done = live.correct(TEXTS[0], "ham")
            more = live.correct(TEXTS[0], "spam", margin=3.0)
            undone = [live.undo(more.id), live.undo(done.id)]
            for told in (done, more, *undone):
                assert told.flips == () and told.n_remembered == int(asked)
            for entry in live.log(done.id):
                assert entry.details["flips"] == [] and entry.details["remembered"] == int(asked)
            assert len(remembered(live)) == 1 + asked
            assert live.confirm(TEXTS[0]).n_remembered == int(asked)
            assert live.verify() == 5 * (turn + 1)


def test_flips_are_those_of_the_other_texts_as_they_are_now(two, ledger):
    """New words, corrections of texts that were asked about, undos, and a process that ends."""
    draw, n_flips = random.Random(3), 0
    words = [*"win prize cheap pills now lunch noon meeting".split(), *map("w{}".format, range(40))]
    texts = [" ".join(draw.sample(words, 3)) for _ in range(30)]
    live, told, last = hl.open_live(two, ledger, remember=200), None, ""
    live.answer(texts)
    for turn in range(36):
        if turn == 18:
            live.close()
            live = hl.open_live(two, ledger, remember=200)
        before = dict(zip(texts, live.predict(texts, remember=False), strict=True))
        own = draw.choice(texts)
        if turn % 3 == 2:
            told, own = live.undo(told.id), last
        else:
            told = live.correct(own, draw.choice(["ham", "spam"]))
        last = own
        after = dict(zip(texts, live.predict(texts, remember=False), strict=True))
        flips = {(live.memory.texts[one.number], one.before, one.after) for one in told.flips}
        assert len(flips) == len(told.flips) and own not in {text for text, *_ in flips}
        # Words that nobody knew when a text was asked about are known by others only.
        known = {text for text in texts if text in corrected_ones(live) and text != own}
        wanted = {(t, before[t], after[t]) for t in known if before[t] != after[t]}
        assert {one for one in flips if one[0] in known} == wanted
        assert told.n_remembered == len(texts) - 1
        n_flips += len(wanted)
    assert sorted(remembered(live)) == sorted(texts) and n_flips > 10
    live.close()


def corrected_ones(live):
    """Return the texts whose rows have all terms that they may ever have."""
    return {entry.text for entry in live.log() if entry.kind == "correct"}


def test_a_correction_that_is_not_written_leaves_no_text_behind(two, ledger, monkeypatch):
    with hl.open_live(two, ledger) as live:
        live.correct(TEXTS[0], "ham")
        with monkeypatch.context() as broken:

            def fail(*_):
                raise LedgerError("the disk is gone")

            broken.setattr(live.ledger, "append", fail)
            with pytest.raises(LedgerError, match="gone"):
                live.correct("a zebra and a gnu", "ham")
        assert live.correct("the gnu", "spam").n_remembered == 1
        assert remembered(live) == [TEXTS[0], "the gnu"]


def test_ledgers_with_equal_texts_are_taken_up(two, ledger):
    with hl.open_live(two, ledger) as live:
        live.correct(TEXTS[0], "ham")
        live.correct(TEXTS[1], "spam")
        digest = live.digest()
        first, second = live.ledger.remembered()
        with live.ledger.writing():
            live.ledger.remember([Remembered(n, first.text, first.features) for n in (7, 8, 9)], [])
    with hl.open_live(two, ledger, read_only=True) as live:
        assert (live.verify(), live.digest(), len(live.memory)) == (2, digest, 2)
    with hl.open_live(two, ledger) as live:
        assert (live.verify(), live.digest()) == (2, digest)
        told = live.undo(1)
        assert told.n_remembered == 1 and told.flips == ()
        assert [one.number for one in live.ledger.remembered()] == [second.number, 9]
        assert live.verify() == 3


def test_rows_of_numbers_are_remembered_once(tmp_path):
    path = str(tmp_path / "rows")
    hl.LinearClassifier().fit([[1.0, 0.0], [0.0, 1.0]] * 2, ["a", "b"] * 2).save(path)
    with hl.open_live(path) as live:
        for number in range(4):
            told = live.correct([1.0, 0.5], ["a", "b"][number % 2])
            assert told.flips == () and told.n_remembered == 0
        assert live.correct([1.0, 1.0], "a").n_remembered == 1


def test_a_text_has_one_number_however_often_it_is_asked_about(two):
    live = hl.open_live(two, None, recent=3, remember=2)
    numbers = [one.number for one in live.answer(["win", "lunch", "win"])]
    assert numbers == [1, 2, 1] and live.answer(["win"])[0].number == 1
    live.confirm("lunch")
    for _ in range(50):
        live.answer(["win", "noon"])
    # A flood of one text pushes no other out, and what was decided stays decided.
    assert [(one.text, one.state) for one in live.inbox()] == [
        ("noon", "new"), ("win", "new"), ("lunch", "confirmed"),
    ]  # fmt: skip
    live.answer(["lunch"])
    assert live.inbox()[0].state == "confirmed" and live.newest == 2
    assert live.recent_text(2) == "lunch" and len(live.memory) == 3


def test_of_the_latest_texts_those_that_came_again_are_the_newest(two):
    live = hl.open_live(two, None, recent=2, remember=0)
    for text in ("win", "lunch", "win", "noon"):
        live.predict([text])
    assert live.correct("a prize", "ham").n_remembered == 2
    assert [live.recent_text(number) for number in (1, 2, 4)] == ["win", None, "noon"]


def test_what_another_process_remembered_is_the_same_text(two, ledger):
    with hl.open_live(two, ledger) as live, hl.open_live(two, ledger) as other:
        other.correct(TEXTS[0], "ham")
        other.undo(1)
        live.answer(["noon", "lunch", TEXTS[0]])
        live.refresh()  # an undo of others: the ledger is read anew
        assert live.correct(TEXTS[1], "spam").n_remembered == 2
        assert sorted(remembered(live)) == sorted([*TEXTS[:2], "lunch"])
