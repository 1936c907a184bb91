"""The inbox: equal texts are one, and it stays small."""

import random
import sys
import threading

import hardlimit as hl
from hardlimit.live.reservoir import Inbox

from .messages import TEXTS


def shown(live):
    return [(one.number, one.text, one.times) for one in live.inbox(100)]


def test_equal_texts_are_one_with_their_number(two):
    live = hl.open_live(two, ledger=None, recent=4)
    win, lunch, *others = [
        one.number for one in live.answer(["win", "lunch", "win", "see you", "win"])
    ]
    assert others[0] == others[2] == win and len({win, lunch, others[1]}) == 3
    assert shown(live) == [(win, "win", 3), (others[1], "see you", 1), (lunch, "lunch", 1)]
    begun = live.inbox()[2].time
    assert live.answer(["lunch"])[0].number == lunch == live.newest
    assert shown(live)[:2] == [(lunch, "lunch", 2), (win, "win", 3)]
    assert live.inbox()[0].time > begun
    live.answer(["a", "b", "c", "d"])
    assert [one.times for one in live.inbox()] == [1] * 4
    assert live.recent_text(live.newest) == "d"
    # Four others took the places; what remembers its flips may still know the number.
    assert live.answer(["win"])[0].number == live.newest and shown(live)[0][2] == 1


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


def test_a_text_that_comes_again_and_again_is_watched_all_the_time(two):
    live = hl.open_live(two, ledger=None, recent=3, remember=0)
    for number in range(10):
        live.answer(["win", f"text {number}"])
    items = {one.text: one for one in live.inbox()}
    assert len(items) == 3 and items["win"].times == 10
    assert live.recent_text(items["win"].number) == "win"
    (flip,) = live.correct("win win win", "ham", margin=9.0).flips
    assert (flip.number, flip.before, flip.after) == (items["win"].number, "spam", "ham")


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
    assert len(set(numbers)) == 3 and numbers[0] == numbers[3]
    assert [live.recent_text(number) for number in numbers[:3]] == ["", "win", b"win"]


def test_a_number_that_another_process_gave_too_leads_to_the_latest_text(two):
    (answer,) = hl.open_live(two, ledger=None).answer(["win"])
    inbox = Inbox(2)
    for time, text in enumerate(["a", "b", "a", "c", "d"]):
        inbox.note(str(time), [text], [answer._replace(number=7)])
        assert inbox.find(7) == text and inbox.last == 7
    inbox.note("5", ["e"], [answer._replace(number=8)])
    inbox.note("6", ["f"], [answer._replace(number=9)])
    assert [one.text for one in inbox.newest(set())] == ["f", "e"] and inbox.find(7) is None


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
