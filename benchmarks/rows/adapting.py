"""Adapting: a model of one collection of mail, corrected after each mistake on another.

Everybody learns SpamAssassin's mails first, and is then asked about the Enron mails of the first
folder in the order of their numbers, good mail and spam mixed. After each mistake, and only then,
it is told the label. All have the same rows: hashed single words, weighed as by the model of
SpamAssassin.
"""

from __future__ import annotations

import os
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import hardlimit as hl
from benchmarks.contestants import Missing, need
from benchmarks.corpora import data_folder, raw_members
from benchmarks.harness import Figure, Grid, Settings
from hardlimit.exceptions import CorrectionError
from hardlimit.mail import MailReader

TITLE = "Adapting: trained on SpamAssassin, corrected after each mistake on 5,000 Enron mails"
GRID = "Mistakes so far, by mails"
FEATURES = {"words": (1, 1), "chars": None, "hash_bits": 18}
MAILS, POINTS, EPOCHS, SEED = 5000, 10, 3, 0
# Ours: margin and step of a correction.
OURS = {
    "hardlimit, the smallest change": (1.0, 0.0),
    "hardlimit, step=2": (1.0, 2.0),
    "hardlimit, step=3": (1.0, 3.0),
}
OURS_TO_COMPARE = "hardlimit, step=3"
NEVER = "hardlimit, never corrected"

# What people tell: the share of mistakes, and of right answers.
TOLD = {
    "everything": (1.0, 1.0),
    "every fifth mail, right or wrong": (0.2, 0.2),
    "mistakes only": (1.0, 0.0),
    "mistakes, and a twentieth of what is right": (1.0, 0.05),
}
CONFIDENCE = "Probabilities in percent, by what people tell of the answers"
CONFIDENCE_HEAD = ("told", "right answers", "mean live probability", "mean fitted probability")

Decide = Callable[[int], bool]
Learn = Callable[[int, bool], None]


class Learner(NamedTuple):
    """Who learnt SpamAssassin: what it says of the k-th Enron mail, and how it is told."""

    decide: Decide
    learn: Learn


class Mails(NamedTuple):
    """Texts, and whether each is spam."""

    texts: list[Any]
    spam: list[bool]


class Task(NamedTuple):
    """Both collections, as texts and as rows."""

    before: Mails
    after: Mails
    known: Any
    asked: Any


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the mistakes of each learner beside ours, and their course."""
    task = read_task(10 if settings.quick else 1)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = os.path.join(folder, "model")
        labels = ["spam" if spam else "ham" for spam in task.before.spam]
        clf = hl.TextClassifier(**FEATURES).fit(task.before.texts, labels)
        clf.save(path)
        vectorizer = clf.vectorizer_
        task = task._replace(
            known=vectorizer.transform(task.before.texts),
            asked=vectorizer.transform(task.after.texts),
        )
        courses = {name: follow(ours(path, task, *how), task) for name, how in OURS.items()}
        courses[NEVER] = follow(ours(path, task, 1.0, 0.0)._replace(learn=never), task)
        for learners in (scikit_learn, river):
            try:
                for name, make in learners().items():
                    courses[name] = follow(make(task), task)
            except Missing as missing:
                skipped.append(str(missing))
        clf = hl.TextClassifier(**FEATURES, probability=True).fit(task.before.texts, labels)
        clf.save(path)
        lines = [tell(path, task, name, share) for name, share in TOLD.items()]
    yield from compare(courses)
    yield Grid(CONFIDENCE, CONFIDENCE_HEAD, tuple(lines))


def compare(courses: dict[str, list[int]]) -> Iterator[Figure | Grid]:
    """Yield the figures of finished courses."""
    best = min(courses[name][-1] for name in courses if "hardlimit" not in name)
    rival = next(name for name in courses if courses[name][-1] == best and "hardlimit" not in name)
    for name in OURS:
        mistakes = courses[name][-1]
        yield Figure(
            f"mistakes of {name}, by those of the best of the others",
            mistakes / best,
            target=1.0 if name == OURS_TO_COMPARE else None,
            sense="<=",
            ours=f"{mistakes:,}",
            theirs=f"{rival} {best:,}",
        )
    n = len(next(iter(courses.values())))
    places = [n * k // POINTS for k in range(1, POINTS + 1)]
    lines = [
        (name, *(f"{course[place - 1]:,}" for place in places))
        for name, course in sorted(courses.items(), key=lambda pair: pair[1][-1])
    ]
    yield Grid(GRID, ("learner", *(f"{place:,}" for place in places)), tuple(lines))


def read_task(step: int) -> Task:
    """Read both collections; of a quick run every tenth mail."""
    folder, reader = data_folder(), MailReader()
    archives = {name: folder / path for name, path in ARCHIVES.items()}
    for archive in archives.values():
        if not archive.exists():
            raise Missing(f"{archive} is not there")
    before = [
        (raw, path.split("/")[-2].startswith("spam"))
        for path, raw in raw_members(archives["SpamAssassin"])
    ]
    after = []
    for path, raw in raw_members(archives["Enron"]):
        if not path.startswith("enron1/"):
            break
        if not path.endswith("Summary.txt"):
            after.append((int(path.rsplit("/", 1)[1][:4]), raw, "/spam/" in path))
    after.sort()
    mails = [
        Mails(reader.transform([raw for raw, _ in part]), [spam for _, spam in part])
        for part in (before[::step], [(raw, spam) for _, raw, spam in after[:MAILS:step]])
    ]
    return Task(*mails, None, None)


ARCHIVES = {
    "SpamAssassin": "spamassassin/spamassassin.tar.xz",
    "Enron": "enron_spam/enron_spam_raw.tar.xz",
}


def follow(learner: Learner, task: Task) -> list[int]:
    """Ask about each mail, tell the label after a mistake; return the mistakes so far."""
    course, mistakes = [], 0
    for place, spam in enumerate(task.after.spam):
        if learner.decide(place) != spam:
            mistakes += 1
            learner.learn(place, spam)
        course.append(mistakes)
    return course


def tell(path: str, task: Task, name: str, shares: tuple[float, float]) -> tuple[str, ...]:
    """Return how often a model was right, and how sure, if so much is told of its answers."""
    draw = random.Random(SEED)
    live = hl.open_live(path, ledger=None, remember=0, recent=0)
    right, sure, of_file = 0, 0.0, 0.0
    for text, spam in zip(*task.after, strict=True):
        answer = live.answer([text], remember=False)[0]
        was_right = (answer.label == "spam") == spam
        right, sure = right + was_right, sure + answer.probability
        of_file += answer.fitted or 0.0
        if draw.random() < shares[was_right]:
            try:
                if was_right:
                    live.confirm(text)
                else:
                    live.correct(text, "spam" if spam else "ham", step=2.0)
            except CorrectionError as refused:
                assert refused.topic == "no-features"
    n = len(task.after.texts)
    return name, *(f"{100 * one / n:.1f}" for one in (right, sure, of_file))


def never(place: int, spam: bool) -> None:
    """Learn nothing."""


def ours(path: str, task: Task, margin: float, step: float) -> Learner:
    """Return a live model, corrected with this margin and step."""
    live = hl.open_live(path, ledger=None, remember=0, recent=0)
    texts = task.after.texts

    def decide(place: int) -> bool:
        return live.predict([texts[place]], remember=False) == ["spam"]

    def learn(place: int, spam: bool) -> None:
        try:
            live.correct(texts[place], "spam" if spam else "ham", margin=margin, step=step)
        except CorrectionError as refused:
            # Mails without a word.
            assert refused.topic == "no-features"

    return Learner(decide, learn)


def scikit_learn() -> dict[str, Callable[[Task], Learner]]:
    """Return scikit-learn's online learners, with the settings that do best here."""
    linear: Any = need("sklearn.linear_model")
    bayes: Any = need("sklearn.naive_bayes")
    seed = {"random_state": SEED}
    models: dict[str, Callable[[], Any]] = {
        "scikit-learn PA": lambda: linear.PassiveAggressiveClassifier(**seed),
        "scikit-learn PA, C=10": lambda: linear.PassiveAggressiveClassifier(C=10.0, **seed),
        "scikit-learn Perceptron": lambda: linear.Perceptron(**seed),
        "scikit-learn SGD, hinge": lambda: linear.SGDClassifier(**seed),
        **{
            f"scikit-learn SGD, {loss}, eta={eta}": (
                lambda loss=loss, eta=eta: linear.SGDClassifier(
                    loss=loss, learning_rate="constant", eta0=eta, alpha=1e-8, **seed
                )
            )
            for loss, eta in (("hinge", 3), ("log_loss", 10), ("log_loss", 30))
        },
        "scikit-learn MultinomialNB": lambda: bayes.MultinomialNB(alpha=0.01),
    }
    return {name: (lambda task, m=make: with_rows(m(), task)) for name, make in models.items()}


def with_rows(model: Any, task: Task) -> Learner:
    """Return a model of scikit-learn that has learnt the mails of before."""
    y = np.array(task.before.spam, dtype=int)
    order = np.random.default_rng(SEED)
    for _ in range(EPOCHS if hasattr(model, "coef_") or "NB" not in type(model).__name__ else 1):
        places = order.permutation(len(y))
        model.partial_fit(task.known[places], y[places], classes=[0, 1])
    asked, starts = task.asked, task.asked.indptr.tolist()

    def decide(place: int) -> bool:
        if not hasattr(model, "coef_"):
            return bool(model.predict(asked[place])[0])
        # What decision_function computes, without the checks of every call.
        part = slice(starts[place], starts[place + 1])
        score = model.coef_[0][asked.indices[part]] @ asked.data[part] + model.intercept_[0]
        return bool(score > 0)

    return Learner(decide, lambda place, spam: model.partial_fit(asked[place], [int(spam)]))


def river() -> dict[str, Callable[[Task], Learner]]:
    """Return River's online learners, with the settings that do best here.

    Its naive Bayes goes through all features that it ever met for each answer, and its ALMA for
    each mistake: minutes in place of seconds.
    """
    linear: Any = need("river.linear_model")
    optim: Any = need("river.optim")
    models: dict[str, Callable[[], Any]] = {
        "River PA": lambda: linear.PAClassifier(C=1.0),
        "River Perceptron": linear.Perceptron,
        "River logistic regression, eta=10": lambda: linear.LogisticRegression(optim.SGD(10.0)),
        "River logistic regression, eta=30": lambda: linear.LogisticRegression(optim.SGD(30.0)),
    }
    return {name: (lambda task, m=make: with_words(m(), task)) for name, make in models.items()}


def with_words(model: Any, task: Task) -> Learner:
    """Return a model of River that has learnt the mails of before."""
    asked = as_dicts(task.asked)
    draw = np.random.default_rng(SEED)
    known = as_dicts(task.known)
    for _ in range(EPOCHS):
        for place in draw.permutation(len(known)).tolist():
            model.learn_one(known[place], task.before.spam[place])
    return Learner(
        lambda place: bool(model.predict_one(asked[place])),
        lambda place, spam: model.learn_one(asked[place], spam),
    )


def as_dicts(rows: Any) -> Sequence[dict[int, float]]:
    """Return each row as River takes it."""
    starts = rows.indptr.tolist()
    return [
        dict(zip(rows.indices[a:b].tolist(), rows.data[a:b].tolist(), strict=True))
        for a, b in zip(starts[:-1], starts[1:], strict=True)
    ]
