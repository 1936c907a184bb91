"""Contestants of the benchmarks: from raw texts, or raw mail, to predictions and a saved model."""

from __future__ import annotations

import contextlib
import doctest
from functools import partial

import pytest

from benchmarks import plain_mail
from benchmarks.contestants import Stages, as_texts, contestants, run, shuffled
from benchmarks.corpora import Corpus, Missing

HAM, SPAM = "see you at the meeting tomorrow", "claim your free prize now"
TEXTS = Corpus("toy", [f"{(HAM, SPAM)[i % 2]} {i}" for i in range(40)], ["ham", "spam"] * 20)
MAILS = Corpus("mail", [f"Subject: hello\n\n{t}\n".encode() for t in TEXTS.texts], TEXTS.labels)


@pytest.fixture(autouse=True)
def few_buckets(monkeypatch):
    """A model of fastText is a table of 800 MB, however few its texts are."""
    with contextlib.suppress(ImportError):
        import fasttext

        train = partial(fasttext.train_supervised, bucket=1000)
        monkeypatch.setattr(fasttext, "train_supervised", train)


@pytest.mark.parametrize("corpus", [TEXTS, MAILS], ids=lambda corpus: corpus.name)
@pytest.mark.parametrize("name", sorted(contestants()))
def test_each_goes_from_raw_texts_to_labels_and_saves_its_model(name, corpus, tmp_path):
    contestant = contestants()[name]
    try:
        contestant.load()
    except Missing as missing:
        pytest.skip(str(missing))
    train, test = corpus.split()
    assert list(map(str, run(contestant, train, test, Stages()))) == test.labels
    contestant.save(contestant.fit(as_texts(contestant, train, Stages()), Stages()), tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) > 0


def test_mail_is_read_by_a_stage_of_its_own():
    stages = Stages()
    read = as_texts(contestants()["sklearn_perceptron"], MAILS, stages)
    assert read.texts[0] == f"hello {TEXTS.texts[0]}" and list(stages.seconds) == ["mail"]
    assert as_texts(contestants()["sklearn_perceptron"], TEXTS, stages) is TEXTS


def test_shuffled_texts_keep_their_labels():
    mixed = shuffled(TEXTS)
    assert mixed.texts != TEXTS.texts
    assert sorted(zip(mixed.texts, mixed.labels, strict=True)) == sorted(
        zip(TEXTS.texts, TEXTS.labels, strict=True)
    )


def test_plain_mail_reads_text_parts_and_survives_what_is_broken():
    assert not doctest.testmod(plain_mail).failed
    broken = b"Subject: =?no-charset?q?x?=\nContent-Type: text/plain; charset=none\n\n\xff"
    assert plain_mail.read_mails([broken]) == ["=?no-charset?q?x?= ÿ"]
    parts = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n\nPNG\n"
        b"--b\nContent-Type: text/html\n\n<style>p {}</style>seen<br>too\n--b--\n"
    )
    assert plain_mail.read_mails([parts]) == ["seen too"]
