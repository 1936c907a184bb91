"""The inbox: equal texts are one, and it stays small."""

import random
import sys
import threading

import hardlimit as hl

from .messages import TEXTS


def shown(live):
    return [(one.number, one.text, one.times) for one in live.inbox(100)]


def test_equal_texts_are_one_with_their_number(two):
    live = hl.open_live(two, ledger=None, recent=4)
    numbers = [one.number for one in live.answer(["win", "lunch", "win", "see you", "win"])]
    assert numbers == [1, 2, 1, 4, 1]
    assert shown(live) == [(1, "win", 3), (4, "see you", 1), (2, "lunch", 1)]
    begun = live.inbox()[2].time
    assert live.answer(["lunch"])[0].number == 2 and live.newest == 2
    assert shown(live) == [(2, "lunch", 2), (1, "win", 3), (4, "see you", 1)]
    assert live.inbox()[0].time > begun
    # Others have taken the places; a text that comes back is remembered, and counted anew.
    live.answer(["a", "b", "c", "d"])
    assert [one.times for one in live.inbox()] == [1] * 4
    assert live.recent_text(10) == "d" and live.answer(["win"])[0].number == 1
    assert shown(live)[0] == (1, "win", 1)


def test_many_equal_requests_leave_the_others_their_places(two):
    live = hl.open_live(two, ledger=None, recent=3, remember=5)
    live.answer(["lunch", "see you"])
    for _ in range(500):
        live.answer(["win"])
    live.answer(["win"] * 500)
    assert shown(live) == [(3, "win", 1000), (2, "see you", 1), (1, "lunch", 1)]
    assert [one.times for one in live.queue() if one.text == "win"] == [1000]
    # Nor do they take the places of texts whose flips corrections tell.
    flips = live.correct("win", "ham", margin=9.0).flips
    assert len(flips) == len({one.number for one in flips}) <= 3


def test_a_batch_keeps_its_latest_texts_and_counts_all(two):
    live = hl.open_live(two, ledger=None, recent=2)
    live.answer(["a", "b", "c", "b", "a", "c"])
    assert shown(live) == [(3, "c", 2), (1, "a", 2)]


def test_a_text_that_is_asked_about_again_and_again_stays_watched(two):
    live = hl.open_live(two, ledger=None, recent=3, remember=0)
    for number in range(10):
        live.answer(["win", f"text {number}"])
    (number,) = (one.number for one in live.inbox() if one.text == "win")
    assert number == 1 and live.recent_text(1) == "win" and live.recent_text(2) is None
    assert {one.text: one.times for one in live.inbox()}["win"] == 10
    (flip,) = (one for one in live.correct("win a prize", "ham", margin=9.0).flips)
    assert (flip.number, flip.before, flip.after) == (1, "spam", "ham")


def test_an_entry_marks_a_text_until_it_is_undone(two):
    live = hl.open_live(two, ledger=None, recent=4)
    live.answer(["win", "lunch"])
    live.confirm("win")
    assert [one.state for one in live.inbox()] == ["new", "confirmed"]
    live.answer(["win"])
    assert [(one.state, one.id) for one in live.inbox()] == [("confirmed", 1), ("new", None)]
    assert [one.text for one in live.queue()] == ["lunch"]
    live.correct("win", "ham")
    assert live.inbox()[0].state == "corrected" and live.inbox()[0].answer.label == "spam"
    live.undo(2)
    assert live.inbox()[0].state == "new"


def test_an_empty_text_and_bytes_are_texts_of_their_own(two):
    live = hl.open_live(two, ledger=None, recent=9)
    numbers = [one.number for one in live.answer(["", "win", b"win", ""])]
    assert numbers == [1, 2, 3, 1] and live.recent_text(1) == "" and live.recent_text(3) == b"win"


def test_threads_that_ask_and_correct_lose_no_text(two):
    live, asked, wrong = hl.open_live(two, ledger=None, recent=200), [0] * 4, []

    def ask(k):
        draw = random.Random(k)
        try:
            for _ in range(300):
                texts = draw.choices(TEXTS, k=draw.randrange(1, 5))
                for text, one in zip(texts, live.answer(texts, top=2, terms=2), strict=True):
                    found = live.recent_text(one.number)
                    assert found == text and one.more.top[0].label == one.label
                asked[k] += len(texts)
        except Exception as error:
            wrong.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=ask, args=(k,)) for k in range(len(asked))]
    for one in threads:
        one.start()
    try:
        while any(one.is_alive() for one in threads):
            # A new class comes and goes while others ask.
            live.correct(TEXTS[0], "new", new_class=True, dry_run=True)
            live.undo(live.correct(TEXTS[1], "new", new_class=True).id)
    finally:
        sys.setswitchinterval(interval)
        for one in threads:
            one.join(60)
    assert not wrong
    assert sum(one.times for one in live.inbox(200)) == sum(asked)
    assert len(live.inbox(200)) == len(set(TEXTS))
    live.verify()
