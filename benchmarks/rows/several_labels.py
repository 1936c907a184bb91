"""Several labels a text: newsgroups by date, each beginning of a group's name a label.

A post of ``comp.sys.mac.hardware`` has the labels ``comp``, ``comp.sys``, ``comp.sys.mac`` and that
name. Beside it scikit-learn's OneVsRestClassifier of LinearSVC over tf-idf of words 1-2.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import hardlimit as hl
from benchmarks import official_splits
from benchmarks.contestants import need
from benchmarks.corpora import Corpus, Missing
from benchmarks.harness import Figure, Grid, Settings, format_seconds

TITLE = "Several labels a text"
HELD_OUT, QUARTER = 0.2, 0.25
OURS = "hardlimit, threshold 0"
THEIRS = "OneVsRestClassifier(LinearSVC)"
Truth = np.ndarray[Any, Any]


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the table of thresholds and the peer, and the ratio of the times."""
    need("sklearn.multiclass")
    try:
        train, test = official_splits.load("20newsgroups", 600 if settings.quick else None)
    except Missing as missing:
        skipped.append(str(missing))
        return
    names = sorted({label for group in train.labels for label in beginnings(group)})
    wanted, learnt = truth_of(test.labels, names), truth_of(train.labels, names)
    lines, seconds, micro = [], {}, {}
    for name, predict in ways(train, test, learnt, names).items():
        began = time.process_time()
        found = hl.evaluation.figures_of_labels(wanted, predict(), labels=names)
        seconds[name], micro[name] = time.process_time() - began, found.micro_f1
        shares = (found.micro_f1, found.macro_f1, found.exact_match)
        lines.append((name, *(f"{x:.3f}" for x in shares), format_seconds(seconds[name])))
    title = f"20 newsgroups by date, {len(names)} labels"
    yield Grid(title, ("", "micro-F1", "macro-F1", "exact match", "CPU"), tuple(lines))
    yield Figure(
        "times as fast as scikit-learn",
        seconds[THEIRS] / seconds[OURS],
        target=1.0,
        ours=f"{format_seconds(seconds[OURS])}, micro-F1 {micro[OURS]:.3f}",
        theirs=f"{format_seconds(seconds[THEIRS])}, micro-F1 {micro[THEIRS]:.3f}",
    )


def beginnings(group: str) -> list[str]:
    """Return the labels of a group.

    >>> beginnings("rec.sport.hockey")
    ['rec', 'rec.sport', 'rec.sport.hockey']
    """
    parts = group.split(".")
    return [".".join(parts[: k + 1]) for k in range(len(parts))]


def truth_of(groups: list[str], names: list[str]) -> Truth:
    """Return whether each text has each label."""
    return np.array([[name in beginnings(group) for name in names] for group in groups])


def ways(
    train: Corpus, test: Corpus, learnt: Truth, names: list[str]
) -> dict[str, Callable[[], Truth]]:
    """Return what predicts the labels of the test texts, by name."""
    sets = [beginnings(group) for group in train.labels]

    def scores(rows: list[int] | None = None, asked: list[str] = test.texts, **given: Any) -> Truth:
        kept = range(len(sets)) if rows is None else rows
        clf = hl.TextClassifier(**given)
        clf.fit([train.texts[i] for i in kept], [sets[i] for i in kept])
        columns = [clf.classes_.tolist().index(name) for name in names]
        return clf.decision_function(asked)[:, columns]

    def held_out(part: float) -> tuple[list[int], Truth, Truth]:
        rows, out = hl.evaluation.label_holdout(train.texts, sets, part)
        return rows, scores(rows, [train.texts[i] for i in out]), learnt[out]

    def of_four_fifths() -> Truth:
        rows, own, truth = held_out(HELD_OUT)
        return scores(rows) > hl.evaluation.threshold_for_f1(own, truth)

    def of_all() -> Truth:
        _, own, truth = held_out(QUARTER)
        return scores() > hl.evaluation.threshold_for_f1(own, truth)

    def a_label_each() -> Truth:
        _, own, truth = held_out(QUARTER)
        each = [
            hl.evaluation.threshold_for_f1(own[:, [k]], truth[:, [k]]) for k in range(len(names))
        ]
        return scores() > np.array(each)

    return {
        OURS: lambda: scores() > 0,
        "read-out last": lambda: scores(readout="last", keep=("last",)) > 0,
        "four fifths, one threshold from the other fifth": of_four_fifths,
        "all, one threshold from a quarter of an earlier fit": of_all,
        "all, a threshold a label": a_label_each,
        THEIRS: lambda: _peer(train, test, learnt),
    }


def _peer(train: Corpus, test: Corpus, learnt: Truth) -> Truth:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import LinearSVC

    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    model = OneVsRestClassifier(LinearSVC()).fit(vectorizer.fit_transform(train.texts), learnt)
    return model.predict(vectorizer.transform(test.texts)).astype(bool)
