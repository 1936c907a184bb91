"""Confidence: probabilities that follow what people say, the inbox, the queue, progress, drift."""

import math
import random

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, InputError
from hardlimit.live.entry import Entry
from hardlimit.live.kinds import CONFIRM, CORRECT
from hardlimit.live.scoring import Scoring

from ..rounding import near
from .messages import LABELS, TEXTS


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    path = tmp_path_factory.mktemp("fitted") / "model"
    hl.TextClassifier(words=(1, 1), chars=None, probability=True).fit(TEXTS, LABELS).save(path)
    return str(path)


def test_the_probability_is_that_of_the_file_before_anybody_said_anything(fitted, two, many):
    live, plain = hl.open_live(fitted, ledger=None), hl.load(fitted)
    expected = plain.predict_proba(TEXTS).max(1)
    for text, answer, p in zip(TEXTS, live.answer(TEXTS), expected, strict=True):
        assert answer.probability == answer.fitted == near(p, 40)
        assert live.probability(text) == answer.probability
        standing = live.standing(text)
        assert (answer.label, answer.margin) == (standing.label, standing.margin)
    # Without a slope in the file it is the logistic function of the margin, a guess.
    guess = hl.open_live(two, ledger=None).answer(TEXTS[:1])[0]
    assert guess.probability == 1 / (1 + math.exp(-guess.margin)) and guess.fitted is None
    assert hl.open_live(many, ledger=None).answer(TEXTS)[3].probability < 0.9


def test_an_answer_below_the_band_abstains(fitted):
    live = hl.open_live(fitted, ledger=None, abstain=0.9)
    answers = live.answer([*TEXTS, "nothing of this is known"])
    assert [one.abstained for one in answers] == [one.probability < 0.9 for one in answers]
    assert answers[-1].abstained
    for wrong in (-0.1, 1.1, "0.8", float("nan"), True):
        with pytest.raises(InputError):
            hl.open_live(fitted, ledger=None, abstain=wrong)


def test_a_confirmation_is_an_entry_that_moves_no_weight(two, ledger):
    with hl.open_live(two, ledger) as live:
        before = live.digest()
        receipt = live.confirm(TEXTS[0], by="alice")
        assert (receipt.id, receipt.kind, receipt.label) == (1, "confirm", "spam")
        assert receipt.after == live.standing(TEXTS[0]) and live.digest() == before
        with pytest.raises(CorrectionError) as refused:
            live.confirm(TEXTS[0], "ham")
        assert refused.value.topic == "not-the-answer" and live.n_entries == 1
        # A text of which the model knows nothing is answered too.
        live.confirm("zebra crossing")
        assert live.state.overlay.n_terms == 0
        live.verify()


def test_each_answer_is_scored_before_its_label_is_learnt(fitted):
    live = hl.open_live(fitted, ledger=None)
    said, right = [], []
    for number in range(40):
        text, label = TEXTS[number % 8], LABELS[(number + number // 8) % 8]
        answer = live.answer([text])[0]
        said.append(answer.probability if answer.label == label else 1 - answer.probability)
        right.append(answer.label == label)
        if right[-1]:
            live.confirm(text, label)
        else:
            live.correct(text, label, new_class=True)
    progress = live.progress()
    assert (progress.n_seen, progress.n_right) == (40, sum(right))
    assert progress.n_confirmed == sum(right) and progress.n_corrected == 40 - sum(right)
    losses = [-math.log(q) for q in said]
    # Answers are kept as hundred-thousandths of a probability.
    assert progress.live.log_loss == pytest.approx(sum(losses) / 40, abs=1e-5)
    # Answers are kept as hundred-thousandths of a probability.
    assert progress.live.brier == pytest.approx(sum((1 - q) ** 2 for q in said) / 40, abs=1e-5)
    assert sum(one.n for one in progress.windows) == 40
    assert progress.fitted.n == 40 and progress.fitted_slope is not None


def test_an_entry_that_is_undone_counts_no_more(fitted):
    live = hl.open_live(fitted, ledger=None)
    live.confirm(TEXTS[0])
    before = live.progress().to_dict(), live.probability(TEXTS[1])
    done = live.correct(TEXTS[2], "ham")
    assert live.progress().n_seen == 2 and live.progress().accuracy == 0.5
    assert live.undo(done.id).after.label == "spam"
    after = live.progress().to_dict(), live.probability(TEXTS[1])
    for one in (before, after):
        del one[0]["windows"]
    assert after == before
    live.undo(live.n_entries)
    assert live.progress().n_seen == 2


def test_mistakes_alone_say_nothing_of_the_probability(fitted):
    live = hl.open_live(fitted, ledger=None)
    begun = live.progress().slope
    for text, label in ((TEXTS[0], "ham"), (TEXTS[1], "spam"), (TEXTS[7], "spam")):
        live.correct(text, label, new_class=True)
    progress = live.progress()
    assert (progress.n_right, progress.n_corrected, progress.n_confirmed) == (0, 3, 0)
    assert progress.slope == begun
    for text in TEXTS[2:7] * 2:
        live.confirm(text)
    # Now that right answers are told too, the mistakes count.
    assert live.progress().slope < begun


@pytest.mark.parametrize("share", [0.6, 0.8, 0.95])
def test_the_live_probability_comes_to_the_share_that_is_right(two, share):
    # Answers of about one margin, of which a known share is right.
    live, draw = hl.open_live(two, ledger=None), random.Random(4)
    scoring = live.state.scoring
    right = 0
    for number in range(1, 2001):
        right += (good := draw.random() < share)
        said = scoring.say_two(3.0, good)
        scoring.add(Entry(number, CONFIRM, "", details={"said": said}))
    p = 1 / (1 + math.exp(-3.0 * scoring.slope))
    latest = scoring.latest(1000)
    counts = [scoring.windows[one].counts for one in latest]
    of_latest = sum(one[0] for one in counts) / sum(one[0] + one[1] for one in counts)
    # The slope begins at a guess that weighs as much as a few answers.
    assert p == pytest.approx(of_latest, abs=0.01)
    assert len(scoring.windows) <= 128


def test_windows_stay_few_and_undoing_takes_the_last_bit_away(two):
    draw, scoring = random.Random(1), hl.open_live(two, ledger=None).state.scoring
    entries, kept = [], Scoring(scoring.confidence)
    for number in range(1, 4201):
        said = scoring.say_two(abs(draw.gauss(0, 3)), draw.random() < 0.5)
        said["unknown"] = [number % 5, 9]
        entries.append(Entry(number, CORRECT, "", details={"said": said}))
        scoring.add(entries[-1])
    for entry in entries:
        if entry.id % 3:
            kept.add(entry)
    for entry in reversed(entries):
        if entry.id % 3 == 0:
            scoring.take(entry)
    assert scoring.is_alike(kept) and scoring.slope == kept.slope
    assert len(scoring.windows) <= 128 and scoring.width == 64
    again = Scoring(scoring.confidence)
    again.restore(scoring.to_json())
    assert again.is_alike(kept) and again.slope == kept.slope
    scoring.take(entries[0])
    assert not scoring.is_alike(kept)


def test_there_is_never_a_window_more_than_128(two):
    scoring = hl.open_live(two, ledger=None).state.scoring
    said = scoring.say_two(1.0, True)
    for number in range(1, 1025):
        scoring.add(Entry(number, CONFIRM, "", details={"said": said}))
        if number % 8 in (0, 7):
            assert len(scoring.windows) <= 128
            assert max(scoring.windows) < 128
    assert scoring.width == 16 and len(scoring.windows) == 65


def test_the_inbox_has_the_latest_texts_and_what_became_of_them(two):
    live = hl.open_live(two, ledger=None, recent=5)
    live.answer(TEXTS)
    assert [one.text for one in live.inbox()] == TEXTS[:2:-1]
    assert [one.number for one in live.inbox(2)] == [8, 7]
    live.confirm(TEXTS[7])
    done = live.correct(TEXTS[6], "ham")
    assert 5 in [flip.number for flip in done.flips]
    states = {one.number: (one.state, one.id) for one in live.inbox()}
    assert states == {8: ("confirmed", 1), 7: ("corrected", 2), 6: ("new", None),
                      5: ("new", None), 4: ("new", None)}  # fmt: skip
    live.undo(2)
    assert live.inbox()[1].state == "new"
    live.correct(TEXTS[6], "ham", dry_run=True)
    assert live.inbox()[1].state == "new"
    live.answer(["win"], remember=False)
    live.predict(["win"])
    assert len(live.inbox()) == 5
    for wrong in (0, -1, 1.5, "9"):
        with pytest.raises(InputError):
            live.inbox(wrong)


def test_the_queue_asks_for_the_least_certain_first(many):
    live = hl.open_live(many, ledger=None)
    assert live.queue() == []
    live.answer([*TEXTS, "lunch prize", "nothing of this"])
    queue = live.queue()
    sure = [one.answer.probability for one in queue]
    assert sure == sorted(sure) and len(queue) == 10
    live.confirm(queue[0].text)
    assert queue[0].number not in [one.number for one in live.queue()]
    assert len(live.queue(3)) == 3
    # The answers are those of now.
    live.correct(TEXTS[0], "work", new_class=True)
    assert all(one.answer.label == live.standing(one.text).label for one in live.queue())


def test_rows_of_numbers_have_probabilities_too(tmp_path):
    X, y = [[1.0, 0.0, 2.0], [0.0, 1.0, 0.5], [2.0, 1.0, 0.0], [0.0, 3.0, 1.0]], [0, 1, 0, 1]
    hl.LinearClassifier(probability=True).fit(X * 3, y * 3).save(tmp_path / "rows")
    live = hl.open_live(tmp_path / "rows", ledger=None)
    answers = live.answer(X)
    assert [one.number for one in answers] == [None] * 4
    expected = hl.load(tmp_path / "rows").predict_proba(X).max(1).tolist()
    assert [one.probability for one in answers] == near(expected, 40)
    live.confirm(X[0])
    assert live.inbox() == [] and live.progress().n_right == 1


def test_drift_shows_words_that_nobody_knew(two):
    live = hl.open_live(two, ledger=None)
    for number in range(300):
        live.confirm(TEXTS[number % 8])
    for number in range(250):
        live.confirm(f"win quokka{number} wombat{number}")
    drift = live.drift()
    assert drift.n_recent >= 200
    assert drift.unknown.recent > 0.5 and drift.unknown.before < 0.2
    assert drift.to_dict()["unknown"]["recent"] == drift.unknown.recent


def test_threads_answer_while_one_confirms(two):
    import threading

    live, stop, wrong = hl.open_live(two, ledger=None, recent=20), threading.Event(), []

    def ask():
        while not stop.is_set():
            numbers = [one.number for one in live.answer(TEXTS)]
            if numbers != list(range(numbers[0], numbers[0] + 8)):
                wrong.append(numbers)
            live.queue(3)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(60):
        live.confirm(TEXTS[number % 8])
        live.correct(TEXTS[number % 5], "ham")
        live.undo(live.n_entries)
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong and live.progress().n_confirmed == 60
    live.verify()
