"""No class comes from a typing error, whatever way a label comes in."""

import pickle

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, InputError
from hardlimit.live import correcting, writing
from hardlimit.live.labels import check_known, find_label

from .messages import TEXTS

# What somebody may type for `spam` or `café`, and see no difference, or hardly one.
LOOK_ALIKES = {
    "Spam": "spam", "SPAM": "spam", " spam": "spam", "spam\n": "spam", "s pam": "spam",
    "\uff53\uff50\uff41\uff4d": "spam", "spam\u200b": "spam", "cafe\u0301": "caf\u00e9",
    b"Spam": "spam",
}  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("labels") / "m.hardlimit"
    hl.TextClassifier(chars=None).fit(TEXTS, ["spam", "caf\u00e9"] * 4).save(path)
    return str(path)


def refusals(live, label, **options):
    """Ask by each way; return what refused, and see that nothing was written."""
    before = live.n_entries, live.digest(), live.classes
    found = []
    for ask in (
        lambda: live.correct(TEXTS[0], label, **options),
        lambda: live.correct(TEXTS[0], label, dry_run=True, **options),
        lambda: live.confirm(TEXTS[0], label),
        lambda: live.add_guard(TEXTS[0], label),
        lambda: live.add_guards([(TEXTS[0], None), (TEXTS[1], label)]),
    ):
        with pytest.raises(CorrectionError) as refused:
            ask()
        found.append(refused.value)
        assert (live.n_entries, live.digest(), live.classes) == before
    return found


@pytest.mark.parametrize("label", LOOK_ALIKES)
def test_what_looks_like_a_known_label_is_never_a_class(model, ledger, label):
    with hl.open_live(model, ledger) as live:
        for options in ({}, {"new_class": True}):
            for refused in refusals(live, label, **options):
                assert (refused.topic, refused.label) == ("look-alike-label", label)
                assert refused.nearest == LOOK_ALIKES[label]
                assert f"use {LOOK_ALIKES[label]!r}" in str(refused)


@pytest.mark.parametrize(
    ("label", "nearest"), [("spma", "spam"), ("cafes", "caf\u00e9"), (7, "spam"), ("Spa", "spam")]
)
def test_an_unknown_label_is_a_class_only_where_one_is_wanted(model, ledger, label, nearest):
    with hl.open_live(model, ledger) as live:
        for refused in refusals(live, label):
            assert (refused.topic, refused.label) == ("unknown-label", label)
            assert refused.nearest == nearest and repr(nearest) in str(refused)
            again = pickle.loads(pickle.dumps(refused))
            assert (again.label, again.nearest) == (label, nearest)
        assert live.correct(TEXTS[0], label, new_class=True).new_class
        # It is a class like any other now: no word is needed for it.
        assert not live.correct(TEXTS[2], label).new_class
        assert live.confirm(TEXTS[0], label).label == live.standing(TEXTS[0]).label == label
        assert live.verify() == 3


def test_labels_that_are_numbers(tmp_path):
    path = str(tmp_path / "numbers.hardlimit")
    hl.LinearClassifier().fit([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 2, [1, 2, 30] * 2).save(path)
    with hl.open_live(path) as live:
        for label, topic, nearest in (
            (29, "unknown-label", 30), (2.5, "unknown-label", 2), ("2", "look-alike-label", 2),
        ):  # fmt: skip
            with pytest.raises(CorrectionError) as refused:
                live.correct([0.0, 2.0], label)
            assert (refused.value.topic, refused.value.nearest) == (topic, nearest)
        assert live.correct([0.0, 2.0], find_label("2", live.classes)).after.label == 2
        assert live.correct([0.0, 3.0], 4, new_class=True).after.label == 4
        assert live.correct(np.array([0.0, 2.0]), np.int64(1)).label == 1
        assert live.confirm([0.0, 2.0], np.int64(1)).label == 1
        told = live.correct_many([([5.0, 0.0], np.float64(30.0)), ([0.0, 2.0], np.int64(2))])
        assert [one.label for one in told] == [30, 2]


def test_a_class_that_another_process_brought_is_known(model, ledger):
    with hl.open_live(model, ledger) as live, hl.open_live(model, ledger) as other:
        other.correct("minutes of the club", "work", new_class=True)
        assert live.correct(TEXTS[1], "work").after.label == "work"
        other.correct("noon", "news", new_class=True)
        with pytest.raises(CorrectionError, match="'news'"):
            live.correct(TEXTS[1], "News", new_class=True)
        assert live.verify() == 3


def test_two_processes_make_no_two_classes_that_look_alike(model, ledger, monkeypatch):
    with hl.open_live(model, ledger) as live, hl.open_live(model, ledger) as other:
        real = live.accepted_label

        def late(*asked):
            label = real(*asked)  # and only then the other one writes
            other.correct("noon", "work", new_class=True)
            return label

        monkeypatch.setattr(live, "accepted_label", late)
        with pytest.raises(CorrectionError) as refused:
            live.correct(TEXTS[1], "Work", new_class=True)
        assert refused.value.topic == "look-alike-label" and live.n_entries == 1


def test_ledgers_that_have_such_classes_are_replayed(model, ledger, monkeypatch):
    with monkeypatch.context() as earlier:
        for module in (correcting, writing):
            earlier.setattr(module, "check_known", lambda *_, **__: None)
        with hl.open_live(model, ledger) as live:
            live.correct(TEXTS[0], "Spam")
            live.correct(TEXTS[1], "caf\u00e9 ")
            digest = live.digest()
    with hl.open_live(model, ledger) as live:
        assert (live.verify(), live.digest()) == (2, digest)
        assert live.predict(TEXTS[:2]) == ["Spam", "caf\u00e9 "]
        assert live.correct(TEXTS[2], "Spam").after.label == "Spam"
        assert live.undo(3).id == 4 and live.undo(1).after.label == "spam" and live.verify() == 5


def test_refusing_a_long_label_takes_no_time_and_has_a_short_message(model):
    classes = [f"{n} {'x' * 100}" for n in range(1500)]
    for label in ("a\u0300" * 500_000, "y" * 1_000_000, "\u0301" * 499):
        with pytest.raises(InputError) as refused:
            check_known(label, classes, who="correct")
        assert len(str(refused.value)) < 1000


@pytest.mark.parametrize(
    ("given", "classes", "meant"),
    [("ham", ["ham", "spam"], "ham"), (1, [True, 1], 1), (True, [1, True], True),
     (1.0, [1, 1.0], 1.0), ("1", [1, 3], 1), ("true", ["x", "true"], "true"),
     (3, ["3"], "3"), ("new", ["a"], "new"), (1.0, [1, 2], 1), (True, [0, 1], True)],
)  # fmt: skip
def test_a_label_is_the_class_that_is_meant(given, classes, meant):
    found = find_label(given, classes)
    assert found == meant and type(found) is type(meant)


def test_a_label_that_equals_a_class_is_written_as_that_class(tmp_path):
    hl.TextClassifier().fit(TEXTS, [0, 1] * 4).save(tmp_path / "m")
    with hl.open_live(tmp_path / "m") as live:
        for label in (True, 1.0, np.float64(1)):
            assert repr(live.correct(TEXTS[0], label).label) == "1"
        assert repr(live.correct_many([(TEXTS[0], -0.0)])[0].label) == "0"
        assert [repr(entry.label) for entry in live.log()] == ["1", "1", "1", "0"]
