"""Raw mail: how fast it becomes text, what hostile mail costs, and what preparing it is worth.

Two collections that have nothing in common are trained on and asked by turns: SpamAssassin's raw
mails, and the Enron mails, of which only the subject and a tokenised text are left (a file is read
as a mail with a header of one field). Exact duplicates are dropped. A random split of one of them
stands beside, to show by how much it flatters.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import hardlimit as hl
from benchmarks.corpora import Missing, data_folder
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.hostile_mail import HOSTILE
from hardlimit.mail import MailReader
from hardlimit.mail.parts import BLOCK_PARTS, BLOCKS, DEFAULT
from hardlimit.readers import Layout, open_rows

TITLE = "Raw mail"
ARCHIVES = {
    "SpamAssassin": ("spamassassin/spamassassin.tar.xz", "name:^[a-z-]*(spam|ham)"),
    "Enron": ("enron_spam/enron_spam_raw.tar.xz", "name:/(ham|spam)/"),
}
RATE, SECONDS = 2000, 0.5  # messages a second; for any one message
MEGABYTES, FOLDS = 80, 5
WORDS = ("subject", "body", "addresses", "signature")
# From everything as it stands to the default; each line but the marks adds to the one before.
STEPS: dict[str, dict | None] = {
    "plain text: bytes as they are": None,
    "decoded, markup kept": {"parts": (*WORDS, "markup"), "keep_labels": True},
    "HTML reduced to what is seen": {"parts": WORDS, "keep_labels": True},
    "tags and footers of lists and filters dropped": {"parts": WORDS},
    "addresses dropped": {"parts": ("subject", "body", "signature")},
    "signatures dropped": {"parts": ("subject", "body")},
    "... without the subject": {"parts": ("body",)},
    **{
        f"... and {part}": {"parts": ("subject", "body", part)}
        for part in (
            "subject-marks", "links", "images", "hidden", "attachments", "type", "from", "list"
        )
    },
    "the default": {"parts": DEFAULT},
}  # fmt: skip


class Mails(NamedTuple):
    """Raw messages and their labels."""

    messages: list[bytes]
    labels: list[str]

    def texts(self, settings: dict | None) -> list:
        """Return them as texts, or as they are."""
        return (
            self.messages if settings is None else MailReader(**settings).transform(self.messages)
        )


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield speeds, then the accuracies across the collections."""
    yield worst_hostile(1 << (17 if settings.quick else 20), settings.repetitions)
    found = {}
    for name in ARCHIVES:
        try:
            found[name] = load(name, 10 if settings.quick else 1)
        except Missing as missing:
            skipped.append(str(missing))
    if "SpamAssassin" in found:
        yield from speeds(found["SpamAssassin"], settings.repetitions)
        yield from in_blocks(drop_equal_bodies(found["SpamAssassin"]))
    if len(found) == len(ARCHIVES):
        yield from across(*(drop_duplicates(found[name]) for name in ARCHIVES))


def load(name: str, step: int) -> Mails:
    """Return every k-th message of an archive."""
    path, labels = ARCHIVES[name]
    archive = data_folder() / path
    if not archive.exists():
        raise Missing(f"{name}: no {archive}")
    # Enron's archive has a page of figures beside each collection of mails.
    layout = Layout(mail=False, label_from=labels, skip_bad=True)
    with open_rows(archive, layout, need_label=True) as table:
        rows = [(row.text, str(row.label)) for row in table][::step]
    return Mails([message for message, _ in rows], [label for _, label in rows])


def drop_duplicates(mails: Mails) -> Mails:
    """Keep the first of equal messages."""
    kept = dict(reversed(list(zip(mails.messages, mails.labels, strict=True))))
    return Mails(list(kept), list(kept.values()))


def drop_equal_bodies(mails: Mails) -> Mails:
    """Keep the first of messages that differ in their header alone."""
    kept = {}
    for message, label in zip(*mails, strict=True):
        kept.setdefault(message.partition(b"\n\n")[2].strip() or message, (message, label))
    return Mails([message for message, _ in kept.values()], [label for _, label in kept.values()])


def speeds(mails: Mails, repetitions: int) -> Iterator[Figure]:
    """Yield messages a second to text, and to a trained model."""
    n = len(mails.messages)
    reader = MailReader()
    best = min(timed(lambda: reader.transform(mails.messages)) for _ in range(repetitions))
    mended = reader.tally_.mended_messages // repetitions
    yield Figure(
        "raw mail to text, SpamAssassin",
        n / best,
        "messages a second a core",
        target=RATE,
        ours=f"{n:,} messages in {best:.2f} s",
        remark=f"no message failed; {mended:,} were mended",
    )
    in_three = MailReader(parts=BLOCK_PARTS)
    read = min(
        timed(lambda: list(map(in_three.blocks, mails.messages))) for _ in range(repetitions)
    )
    yield Figure(
        "raw mail to three blocks, SpamAssassin",
        sum(map(len, mails.messages)) / read / 1e6,
        "MB a second a core",
        target=MEGABYTES,
        ours=f"{read:.2f} s",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        best = min(
            timed(lambda: hl.TextClassifier().fit(mails.texts({}), mails.labels))
            for _ in range(repetitions)
        )
    yield Figure(
        "raw mail to a trained model, SpamAssassin",
        n / best,
        "messages a second a core",
        target=RATE,
        ours=f"{best:.2f} s",
    )


def in_blocks(mails: Mails) -> Iterator[Grid]:
    """Yield what it is worth to keep the parts of a mail apart, by folds."""
    blocks = list(map(MailReader(parts=BLOCK_PARTS).blocks, mails.messages))
    cut = [tuple(mail.partition(b"\n\n")[::2]) for mail in mails.messages]
    ways: dict[str, tuple[list, tuple[str, ...] | None]] = {
        "one text: the default": (mails.texts({}), None),
        "plain text: bytes as they are": (mails.messages, None),
        "plain text, cut into header and body": (cut, ("header", "body")),
        "text and marks": ([block[:2] for block in blocks], BLOCKS[:2]),
        "text, marks and header": (blocks, BLOCKS),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lines = [
            (name, *(f"{value:.4f}" for value in by_folds(texts, mails.labels, columns)))
            for name, (texts, columns) in ways.items()
        ]
    head = ("what is read", "accuracy", "at the best threshold", "100 - 100 AUC")
    yield Grid(f"SpamAssassin, {FOLDS} folds of distinct bodies", head, tuple(lines))


def by_folds(texts: list, labels: list[str], columns: tuple[str, ...] | None) -> np.ndarray:
    """Return accuracy, that at the best threshold, and 100 - 100 AUC: means of the folds."""
    fold = np.random.default_rng(0).permutation(len(texts)) % FOLDS
    found = []
    for number in range(FOLDS):
        test, train = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        model = hl.TextClassifier(text_columns=columns)
        model.fit([texts[i] for i in train], [labels[i] for i in train])
        asked, own = [texts[i] for i in test], [labels[i] for i in test]
        answer = ask(model, asked, own)
        spam = np.asarray(own) == "spam"
        ranked = spam[np.argsort(-np.asarray(model.decision_function(asked)), kind="stable")]
        right = np.cumsum(np.where(ranked, 1, -1)).max(initial=0) + (~spam).sum()
        found.append((answer.accuracy, right / len(own), 100 - 100 * answer.area))
    return np.mean(found, axis=0)


def worst_hostile(size: int, repetitions: int) -> Figure:
    """Return the longest time of any hostile mail, and of 50 MB in one line."""
    messages = {name: make(size) for name, make in HOSTILE.items()}
    messages["50 MB in one line"] = b"From: a@b\n\n" + b"x" * 50_000_000
    seconds = {
        name: min(timed(lambda m=message: MailReader().read(m)) for _ in range(repetitions))
        for name, message in messages.items()
    }
    worst = max(seconds, key=seconds.__getitem__)
    return Figure(
        f"the worst of {len(messages)} hostile mails",
        seconds[worst],
        "s",
        target=SECONDS,
        sense="<=",
        remark=f"{worst}; others are of {size:,} bytes",
    )


def timed(work: object) -> float:
    """Return the seconds of processor time."""
    began = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - began


class Asked(NamedTuple):
    """How a model answers: accuracy, and the area under the ROC curve."""

    accuracy: float
    area: float

    def __str__(self) -> str:
        return f"{self.accuracy:.3f} ({self.area:.3f})"


def ask(model: hl.TextClassifier, texts: list, labels: list[str]) -> Asked:
    """Ask a model."""
    scores = np.asarray(model.decision_function(texts))
    spam = np.asarray(labels) == "spam"
    places = np.empty(len(scores))
    places[np.argsort(scores, kind="stable")] = np.arange(1, len(scores) + 1)
    n, m = spam.sum(), (~spam).sum()
    area = (places[spam].sum() - n * (n + 1) / 2) / (n * m)
    return Asked(float(np.mean((scores > model.threshold_) == spam)), float(area))


def across(first: Mails, second: Mails) -> Iterator[Figure | Grid]:
    """Yield the table of the steps, and what the default gains over plain text."""
    lines, asked = [], {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, settings in STEPS.items():
            texts = first.texts(settings), second.texts(settings)
            there = hl.TextClassifier().fit(texts[0], first.labels)
            back = hl.TextClassifier().fit(texts[1], second.labels)
            asked[name] = ask(there, texts[1], second.labels), ask(back, texts[0], first.labels)
            own = held_out(texts[0], first.labels), held_out(texts[1], second.labels)
            lines.append((name, *map(str, (own[0], asked[name][0], own[1], asked[name][1]))))
    names = list(ARCHIVES)
    head = ("what is read",) + tuple(
        said
        for a, b in (names, names[::-1])
        for said in (f"{a}, its own held-out fifth", f"{a}, asked on {b}")
    )
    yield Grid("Accuracy (area under the ROC curve) of the default classifier", head, tuple(lines))
    plain, prepared = asked[next(iter(STEPS))], asked["the default"]
    for place, (a, b) in enumerate((names, names[::-1])):
        yield Figure(
            f"trained on {a}, asked on {b}: the default over plain text",
            100 * (prepared[place].accuracy - plain[place].accuracy),
            "points of accuracy",
            target=0,
            ours=f"{prepared[place].accuracy:.3f}",
            theirs=f"{plain[place].accuracy:.3f}",
        )


def held_out(texts: list, labels: list[str]) -> Asked:
    """Train on four fifths of one collection, drawn at random, and ask on the last."""
    order = np.random.default_rng(0).permutation(len(texts))
    cut = len(texts) // 5
    test, train = order[:cut].tolist(), order[cut:].tolist()
    model = hl.TextClassifier().fit([texts[i] for i in train], [labels[i] for i in train])
    return ask(model, [texts[i] for i in test], [labels[i] for i in test])
