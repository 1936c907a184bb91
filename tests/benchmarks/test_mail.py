"""The row on raw mail: what it reads, and how it counts."""

import hardlimit as hl
from benchmarks.hostile_mail import HOSTILE
from benchmarks.rows import mail as row
from hardlimit.mail import MailReader

from ..rounding import near


def test_every_step_is_a_reader():
    for settings in row.STEPS.values():
        assert settings is None or MailReader(**settings).read(b"Subject: x\n\ny") is not None


def test_hostile_mails_have_about_the_size_that_is_asked_for():
    for name, make in HOSTILE.items():
        assert 5_000 < len(make(10_000)) < 21_000, name


def test_duplicates_keep_their_first_label():
    mails = row.drop_duplicates(row.Mails([b"a", b"b", b"a"], ["ham", "spam", "spam"]))
    assert sorted(zip(*mails, strict=True)) == [(b"a", "ham"), (b"b", "spam")]


def test_accuracy_and_area_are_those_of_the_textbook():
    texts = ["win prize", "lunch noon", "win cash", "see lunch"] * 3
    labels = ["spam", "ham", "spam", "ham"] * 3
    model = hl.TextClassifier().fit(texts, labels)
    assert row.ask(model, texts, labels) == row.Asked(1.0, 1.0)
    assert row.ask(model, ["win", "lunch"], ["ham", "spam"]) == row.Asked(0.0, 0.0)
    assert row.ask(model, ["win", "win", "lunch"], ["spam", "ham", "ham"]).accuracy == near(
        2 / 3, 2
    )
