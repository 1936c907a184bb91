"""Corrections with a guarantee, and undoing them to the last bit."""

import hashlib
import threading
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import hardlimit as hl
from hardlimit._native import Overlay
from hardlimit.exceptions import CorrectionError, InputError
from hardlimit.live import rebuilding

from ..rounding import near, roundings
from .messages import TEXTS


def test_a_corrected_text_has_its_label_with_the_margin(two, many):
    for path in (two, many):
        live = hl.open_live(path, ledger=None)
        for number, text in enumerate(TEXTS):
            label = live.classes[number % len(live.classes)]
            receipt = live.correct(text, label, margin=0.5, new_class=True)
            assert receipt.after.label == label and receipt.after.margin >= 0.5
            assert live.predict([text]) == [label]
            # The smallest change: no more than rounding beyond what was asked for.
            if receipt.before.label != label:
                assert receipt.after.margin <= 0.5 + roundings(1000)


def test_a_step_moves_a_text_that_was_nearly_right_as_far_as_one_that_was_not(two, many):
    for path in (two, many):
        live = hl.open_live(path, ledger=None)
        row = live.base.row(live.state.overlay, TEXTS[0], False)
        before = live.standing(TEXTS[0])
        assert before.label == "spam"
        receipt = live.correct(TEXTS[0], "spam", margin=before.margin + 0.01, step=3.0)
        grown = receipt.after.margin - before.margin
        assert grown == near(3.0 * row.squared_length, 40)
        # It replays without the step, by the margin that it stands for.
        assert live.verify() == 1
        # A margin that is there needs no step; one that is far away needs more.
        assert live.correct(TEXTS[0], "spam", step=3.0).size == 0.0
        assert live.correct(TEXTS[1], "spam", margin=50.0, step=1.0).after.margin == near(50, 40)
        assert (
            live.correct("zebra", "new class", step=2.0, new_class=True).after.label == "new class"
        )


def test_an_explanation_keeps_no_writer_waiting(two, monkeypatch):
    live = hl.open_live(two, ledger=None)
    for number, text in enumerate(TEXTS * 2):
        live.correct(text, ["ham", "spam", "news"][number % 3], new_class=True)
    expected = live.why(TEXTS[0])
    real, acts = live.ledger.entries_back, []

    def entries_back(first, last=None):
        """Let another thread write while the corrections are read."""
        for place, found in enumerate(real(first, last)):
            if place == 3 and acts and threading.current_thread() is threading.main_thread():
                thread = threading.Thread(target=acts.pop())
                thread.start()
                thread.join(20)
                assert not thread.is_alive()
            yield found

    monkeypatch.setattr(live.ledger, "entries_back", entries_back)
    acts.append(lambda: live.correct("zebra crossing", "spam"))
    assert live.why(TEXTS[0]) == expected
    # An undo changes what later corrections do: all is looked at again.
    acts.append(lambda: live.undo(1))
    after = live.why(TEXTS[0])
    assert after == live.why(TEXTS[0]) != expected
    assert not acts and live.verify() == 18
    # Where undo follows undo, the last look keeps them waiting.
    acts.extend(lambda n=n: live.undo(n) for n in (2, 3, 4))
    assert live.why(TEXTS[0]) == live.why(TEXTS[0]) and not acts


def test_many_outputs_at_once_move_as_one_by_one():
    draw = np.random.default_rng(0)
    together, apart = Overlay(60, 0.0, 0.1), Overlay(60, 0.0, 0.1)
    taken = []
    for _ in range(6):
        columns = sorted(draw.choice(12, 5, replace=False).tolist())
        values, base = draw.normal(size=5).tolist(), draw.normal(size=60).tolist()
        chosen = draw.choice(60, 25, replace=False).tolist()
        steps = [(k, float(step)) for k, step in zip(chosen, draw.normal(size=25), strict=True)]
        row = together.row(columns, values, base)
        state = together.weights()
        before = together.add(row, steps)
        assert before == b"".join(apart.add(row, [step]) for step in steps)
        assert together.weights() == apart.weights()
        taken.append((row, steps, before, state))
    for row, steps, before, state in reversed(taken):
        together.rewind(row, steps, before)
        assert together.weights() == state


def test_a_correction_that_is_not_needed_changes_nothing(two):
    live = hl.open_live(two, ledger=None)
    live.correct(TEXTS[0], "spam", margin=2.0)
    before = live.scores(TEXTS)
    assert live.correct(TEXTS[0], "spam", margin=1.0).size == 0.0
    assert live.scores(TEXTS) == before


def test_a_dry_run_of_a_correction_that_is_not_needed_leaves_no_trace(two):
    live = hl.open_live(two, ledger=None)
    live.correct(TEXTS[0], "spam", margin=2.0)
    again = {"label": "spam", "margin": 1.0, "by": "alice"}
    assert live.correct(TEXTS[0], **again).size == 0.0
    before = live.digest()
    live.correct(TEXTS[0], **again, dry_run=True)
    assert live.digest() == before
    assert live.verify() == 2


@pytest.mark.parametrize("name", ["\udcff", "a\0b", "x" * 501, 3])
def test_a_name_that_no_ledger_can_hold_is_refused(two, tmp_path, name):
    live = hl.open_live(two, ledger=str(tmp_path / "ledger"))
    guarded = live.add_guard(TEXTS[0])
    for act in (
        lambda: live.correct(TEXTS[0], "spam", by=name),
        lambda: live.undo(guarded, by=name),
        lambda: live.bake(tmp_path / "baked", by=name),
        lambda: live.remove_guard(guarded, by=name),
    ):
        with pytest.raises(InputError, match="by"):
            act()
    assert live.n_entries == 1


def test_the_base_answers_before_any_correction(two, many):
    for path in (two, many):
        live, plain = hl.open_live(path, ledger=None), hl.load(path)
        asked = [*TEXTS, "nothing of this is known", ""]
        expected = np.asarray(plain.decision_function(asked)).reshape(len(asked), -1).tolist()
        assert [list(one) for one in live.scores(asked)] == expected
        assert live.predict(asked) == plain.predict(asked).tolist()


def test_a_new_label_becomes_a_class_that_takes_no_other_text(two, many):
    for path in (two, many):
        live = hl.open_live(path, ledger=None)
        before = live.predict(TEXTS)
        receipt = live.correct("ceci est une phrase", "french", new_class=True)
        assert receipt.new_class and receipt.after.label == "french"
        assert live.classes[-1] == "french"
        assert live.predict(TEXTS) == before
        live.undo(receipt.id)
        assert "french" not in live.classes


def test_new_terms_answer_for_other_texts(two):
    live = hl.open_live(two, ledger=None)
    receipt = live.correct("zebra", "spam")
    assert receipt.new_terms == 1
    assert live.predict(["zebra zebra crossing"]) == ["spam"]


def test_a_text_without_known_or_new_terms_is_refused(two):
    live = hl.open_live(two, ledger=None)
    for text in ("", "?!", " a "):
        with pytest.raises(CorrectionError) as refused:
            live.correct(text, "ham")
        assert refused.value.topic == "no-features"
    assert live.n_entries == 0


def test_hashed_models_and_models_of_characters_are_corrected(tmp_path):
    for name, options in {
        "hashed": {"hash_bits": 12, "words": (1, 2), "chars": None},
        "chars": {"words": None, "chars": (2, 3)},
        "accents": {"strip_accents": "unicode", "words": (1, 1), "chars": None},
        "raw": {"tf": "raw", "idf": None, "norm": None, "words": (1, 1), "chars": None},
    }.items():
        path = tmp_path / f"{name}.hardlimit"
        hl.TextClassifier(**options).fit(TEXTS, ["a", "b"] * 4).save(path)
        live = hl.open_live(path, ledger=None)
        for text in TEXTS:
            assert live.correct(text, "a").after.margin >= 1.0
        assert live.undo(1).after.label == "a"
        live.verify()


def test_rows_of_numbers_are_corrected(tmp_path):
    X, y = [[1.0, 0.0, 2.0], [0.0, 1.0, 0.5], [2.0, 1.0, 0.0], [0.0, 3.0, 1.0]], [0, 1, 0, 1]
    path = tmp_path / "rows.hardlimit"
    hl.LinearClassifier().fit(X, y).save(path)
    live = hl.open_live(path, ledger=None)
    assert live.predict(X) == hl.load(path).predict(X).tolist()
    receipt = live.correct([1.0, 0.0, 2.0], 1, new_class=True)
    assert receipt.after.label == 1 and receipt.after.margin >= 1.0
    # A second class of another kind, and a third one.
    assert live.correct([0.0, 1.0, 0.5], 2, new_class=True).new_class
    live.undo(2)
    live.undo(1)
    assert live.scores(X) == hl.open_live(path, ledger=None).scores(X)


def test_models_without_weights_are_refused_with_the_reason(tmp_path):
    X, y = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [0.0, 3.0]], [0, 1, 0, 1]
    hl.LinearClassifier(readout="voted", keep=("voted",)).fit(X, y).save(tmp_path / "voted")
    hl.KernelClassifier(kernel="rbf").fit(X, y).save(tmp_path / "kernel")
    several = hl.TextClassifier(text_columns=["a", "b"])
    several.fit([("x y", "z w"), ("u v", "s t")], [["n"], ["m"]]).save(tmp_path / "labels")
    for name, reason in {"voted": "votes", "kernel": "kernel", "labels": "several labels"}.items():
        with pytest.raises(InputError, match=reason):
            hl.open_live(tmp_path / name, ledger=None)


def test_undo_gives_the_bits_of_a_model_that_never_had_the_entry(two, many):
    for path in (two, many):
        corrections = list(zip(TEXTS, [*hl.open_live(path, None).classes, "new"] * 4, strict=False))
        for left_out in range(len(corrections)):
            live, other = hl.open_live(path, ledger=None), hl.open_live(path, ledger=None)
            for number, (text, label) in enumerate(corrections):
                live.correct(text, label, new_class=True)
                if number != left_out:
                    other.correct(text, label, new_class=True)
            live.undo(left_out + 1)
            assert live.classes == other.classes
            asked = [*TEXTS, "lunch now"]
            assert live.scores(asked) == other.scores(asked)


def test_an_undo_can_be_undone(many):
    live = hl.open_live(many, ledger=None)
    for text, label in zip(TEXTS, ["spam", "news", "fresh", "work"], strict=False):
        live.correct(text, label, new_class=True)
    before = live.digest()
    first = live.undo(2)
    second = live.undo(first.id)
    assert live.digest() == before
    assert live.undone() == {first.id}
    live.undo(second.id)
    assert live.undone() == {2, second.id}


def test_what_cannot_be_undone_is_refused(two):
    live = hl.open_live(two, ledger=None)
    live.correct(TEXTS[0], "ham")
    live.undo(1)
    for number, topic in {1: "already-undone", 3: "no-such-entry", 0: "no-such-entry"}.items():
        with pytest.raises(CorrectionError) as refused:
            live.undo(number)
        assert refused.value.topic == topic


def test_a_dry_run_tells_and_changes_nothing(two, ledger):
    with hl.open_live(two, ledger) as live:
        live.correct(TEXTS[0], "ham")
        before, entries = live.digest(), live.n_entries
        told = live.correct("zebra", "new label", dry_run=True, new_class=True)
        undone = live.undo(1, dry_run=True)
        assert (live.digest(), live.n_entries) == (before, entries)
        done = live.correct("zebra", "new label", new_class=True)
        assert told.id is None and (told.after, told.flips) == (done.after, done.flips)
        assert undone.after.label == "spam"


def test_flips_are_those_of_the_remembered_texts(two):
    live = hl.open_live(two, ledger=None)
    before = live.predict(TEXTS)
    receipt = live.correct("cheap pills now now", "ham", margin=5.0)
    after = live.predict(TEXTS, remember=False)
    flipped = [(i + 1, a, b) for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    assert flipped
    assert [(one.number, one.before, one.after) for one in receipt.flips] == flipped
    assert receipt.n_remembered == len(TEXTS)


@pytest.mark.parametrize("name", ["", " \n", "x" * 501, 10**1000])
def test_a_new_class_has_a_name_that_people_can_read(two, name):
    live = hl.open_live(two, ledger=None)
    with pytest.raises(InputError, match="1 to 500 characters"):
        live.correct(TEXTS[0], name, new_class=True)
    assert live.correct(TEXTS[0], "x" * 500, new_class=True).new_class and live.n_entries == 1


def test_one_author_moves_the_weights_no_further_than_allowed(two):
    live = hl.open_live(two, ledger=None, influence=3.0, rate=(4, 3600.0))
    live.correct(TEXTS[0], "ham", by="mallory")
    before = live.digest()
    with pytest.raises(CorrectionError) as refused:
        live.correct(TEXTS[2], "ham", by="mallory", margin=100.0)
    assert refused.value.topic == "influence" and live.digest() == before
    live.correct(TEXTS[1], "spam", by="alice")
    for _ in range(3):
        live.correct(TEXTS[0], "ham", by="mallory")
    with pytest.raises(CorrectionError) as refused:
        live.correct(TEXTS[0], "ham", by="mallory")
    assert refused.value.topic == "rate"
    assert 3590 < refused.value.wait <= 3600


def test_the_rate_of_an_author_counts_what_comes_through_other_processes(two, ledger):
    with hl.open_live(two, ledger, rate=(2, 3600.0)) as live, hl.open_live(two, ledger) as other:
        other.correct(TEXTS[0], "ham", by="mallory")
        other.correct(TEXTS[1], "spam", by="mallory")
        with pytest.raises(CorrectionError) as refused:
            live.refresh()
            live.correct(TEXTS[0], "ham", by="mallory")
        assert refused.value.topic == "rate"


@pytest.mark.parametrize(
    "rate", [3, (0, 1.0), (1, 0.0), (2.5, 1.0), (10**30, 1.0), (1, float("nan"))]
)
def test_a_rate_that_means_nothing_is_refused(two, rate):
    with pytest.raises(InputError, match="rate"):
        hl.open_live(two, ledger=None, rate=rate)


def test_read_only_refuses_every_change(two, ledger):
    with hl.open_live(two, ledger, read_only=True) as live:
        assert not Path(ledger).exists()
        for change in (
            lambda: live.correct(TEXTS[0], "ham"),
            lambda: live.undo(1),
            lambda: live.add_guard(TEXTS[0]),
        ):
            with pytest.raises(CorrectionError) as refused:
                change()
            assert refused.value.topic == "read-only"


def test_the_model_file_is_never_touched(two, ledger):
    before = hashlib.sha256(Path(two).read_bytes()).digest()
    with hl.open_live(two, ledger) as live:
        live.correct(TEXTS[0], "ham")
        live.undo(1)
    assert hashlib.sha256(Path(two).read_bytes()).digest() == before


def test_hostile_texts_are_corrected_or_refused(two, ledger):
    texts = [
        "<script>alert(1)</script>", "\u202eevil\u202c", "a\0b zero", b"\xff\xfe bytes",
        "x" * 100_000, "\ud800 lone", "word " * 50_000, "日本語のテキスト",
        " ".join(f"n{i}" for i in range(20_000)),
    ]  # fmt: skip
    with hl.open_live(two, ledger) as live:
        for text in texts:
            try:
                assert live.correct(text, "spam").after.label == "spam"
            except CorrectionError as refused:
                assert refused.topic == "no-features"
        live.verify()
    with hl.open_live(two, ledger) as live:
        stored = [entry.text for entry in live.log()]
        assert stored == [text for text in texts if text in stored]
        live.verify()


def test_values_that_cannot_be_used_are_refused(two):
    live = hl.open_live(two, ledger=None)
    for options in (
        {"margin": 0.0}, {"margin": float("nan")}, {"margin": 1e10}, {"margin": "1"},
        {"step": -1.0}, {"step": float("nan")}, {"step": "2"},
        {"guards": "maybe"}, {"by": 3}, {"by": "x" * 501},
    ):  # fmt: skip
        with pytest.raises(InputError):
            live.correct(TEXTS[0], "ham", **options)
    for label in (None, float("nan"), ("a", "b")):
        with pytest.raises(InputError):
            live.correct(TEXTS[0], label, new_class=True)


def test_threads_ask_while_one_corrects(two):
    live = hl.open_live(two, ledger=None)
    stop, wrong = threading.Event(), []

    def ask():
        while not stop.is_set():
            answers = live.predict(TEXTS)
            if len(answers) != len(TEXTS) or not set(answers) <= {"ham", "spam"}:
                wrong.append(answers)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(60):
        live.correct(TEXTS[number % 8], ["ham", "spam"][number % 3 > 0])
        if number % 10 == 9:
            live.undo(live.n_entries - 3)
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    replayed = rebuilding.replay(live.base, live.ledger, live.n_entries)
    assert replayed.digest() == live.digest()


@pytest.mark.parametrize("scale", ["rows", "maxabs", "standard"])
@pytest.mark.parametrize("sparse", [False, True])
def test_scaled_models_of_numbers_are_corrected_and_baked(tmp_path, scale, sparse):
    random = np.random.default_rng(3)
    X = random.normal(size=(40, 6)) * [1, 10, 100, 1, 1, 1] + [5, 0, 0, 0, 0, 3]
    X[random.random(X.shape) < 0.3] = 0
    given = scipy.sparse.csr_matrix(X) if sparse else X
    path = str(tmp_path / "rows")
    hl.LinearClassifier(scale=scale).fit(given, X[:, 1] > 0).save(path)
    live = hl.open_live(path, ledger=None)
    assert live.predict(given) == hl.load(path).predict(given).tolist()
    for number in (0, 7):
        wrong = not live.predict(X[[number]])[0]
        assert live.correct(X[number], wrong).after.margin >= 1
        assert live.predict(given[[number]]) == [wrong]
    baked = live.bake(str(tmp_path / "baked"))
    scores = hl.load(baked.path).decision_function(given)
    assert scores == near([one for (one,) in live.scores(given)], 100)
