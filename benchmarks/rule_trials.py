"""What ``rows/which_rule.py`` tries every rule on: sets of numbers, texts, streams, drawn rows.

A trial is a function that takes a rule's name and the number of a split or draw and returns a
number, or None where the rule cannot take part (columns below 0 for Winnow's rules, no streams for
AdaTron). Rules have their default parameters, except AdaTron, whose default supposes separable
examples. The average answers where the rule has one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from benchmarks import uci
from benchmarks.corpora import data_folder
from benchmarks.generators import separable_set
from benchmarks.text_sets import base, with_wrong_labels

SETTINGS: dict[str, dict[str, Any]] = {"adatron": {"C": 1.0}}  # its default is the hard margin
TABLES = (
    *("breast-cancer-wisconsin", "wdbc", "wpbc", "bupa", "ionosphere", "sonar", "promoters"),
    *("crx", "vote", "kr-vs-kp", "adult", "german.numer_scale", "heart_scale", "splice.gz"),
)
BINARY = ("vote", "kr-vs-kp", "promoters", "agaricus.txt.train.gz", "a9a.gz", "w8a.gz")
TEXTS = ("sms_spam", "enron_spam", "imdb", "banking77", "20newsgroups")
DOUBTFUL = ("crx", "german.numer_scale", "adult", "bupa")  # classes that overlap
MOST, EPOCHS, TEXT_EPOCHS, SEED = 3000, 20, 5, 1958
TRAIN_TEXTS, TEST_TEXTS, FEW = 2000, 2000, 100
RARE, RARE_ROWS = 0.05, 8000
STREAM, CHANGE, FLIPPED = 4000, 1000, 0.05
SEPARABLE = (200, 10, 0.1)  # rows, columns, least margin


class Split(NamedTuple):
    """Rows and labels of a training and a test part."""

    X: Any
    y: np.ndarray
    X_test: Any
    y_test: np.ndarray


class Fitted(NamedTuple):
    """A classifier, the share of wrong answers, and the seconds of its training."""

    classifier: Any
    error: float
    seconds: float


Trial = Callable[[str, int], float | None]


def new_classifier(name: str, settings: dict[str, Any] | None = None, **parameters: Any):
    """Return a classifier of numbers with one rule, in the settings of all trials."""
    from hardlimit import LinearClassifier, rules
    from hardlimit.classifiers.model.compatibility import Combination, find_conflict

    rule = rules.get(name, **(SETTINGS.get(name, {}) if settings is None else settings))
    has_average = find_conflict(Combination(rule, readout="averaged")) is None
    readout = parameters.pop("readout", "averaged" if has_average else "last")
    coupled = find_conflict(Combination(rule, n_classes=3)) is None
    defaults = {"until": None, "multiclass": "coupled" if coupled else "ovr", "max_iter": EPOCHS}
    return LinearClassifier(rule, keep=(readout,), readout=readout, **{**defaults, **parameters})


def fit(name: str, split: Split, **parameters: Any) -> Fitted | None:
    """Fit one rule; None where it refuses the rows or the settings."""
    from hardlimit.exceptions import InputError

    classifier = new_classifier(name, **parameters)
    start = time.process_time()
    try:
        classifier.fit(split.X, split.y)
    except InputError:
        return None
    seconds = time.process_time() - start
    wrong = classifier.predict(split.X_test) != split.y_test
    return Fitted(classifier, float(wrong.mean()), seconds)


@cache
def problem(name: str) -> uci.Problem:
    """Return a table of two classes: of UCI, or a file of the folder ``libsvm`` as it is."""
    from scipy.sparse import csr_matrix

    from hardlimit.readers import load_numbers

    if name in uci.SOURCES:
        return uci.problems(name)[0].sample(MOST, SEED)
    numbers = load_numbers(str(data_folder() / "libsvm" / name), format="svmlight")
    X = csr_matrix((numbers.X.data, numbers.X.indices, numbers.X.indptr), numbers.X.shape)
    labels = np.asarray(numbers.y, float)
    kept = np.sort(np.random.default_rng(SEED).permutation(len(labels))[: 2 * MOST])
    rows = np.unique(np.column_stack([X[kept].toarray(), labels[kept]]), axis=0)
    rows = rows[np.random.default_rng(SEED).permutation(len(rows))[:MOST]]
    y = np.where(rows[:, -1] == labels.max(), 1, -1)
    varied = rows[:, :-1]
    binary = bool(((varied == 0) | (varied == 1)).all())
    nothing = np.empty((len(y), 0))
    return uci.Problem(name, nothing if binary else varied, varied if binary else nothing, y)


@cache
def table(name: str, number: int, wrong: float = 0.0) -> Split:
    """Return a split of a table: columns standardised, mean squared length of the rows 1."""
    given = problem(name)
    order = np.random.default_rng([SEED, number]).permutation(len(given.y))
    test, train = order[: len(order) // 5], order[len(order) // 5 :]
    X, X_test = given.split(train, test)
    length = math.sqrt(np.square(X).sum(axis=1).mean())
    flip = np.random.default_rng([SEED, number, 1]).random(len(train)) < wrong
    y = np.where(flip, -given.y[train], given.y[train])
    return Split(X / length, y, X_test / length, given.y[test])


@cache
def binary_table(name: str, number: int) -> Split:
    """Return a split of the 0/1 columns of a table."""
    given = problem(name)
    order = np.random.default_rng([SEED, number]).permutation(len(given.y))
    test, train = order[: len(order) // 5], order[len(order) // 5 :]
    X = given.categories
    return Split(X[train], given.y[train], X[test], given.y[test])


@cache
def texts(name: str, number: int, n: int = TRAIN_TEXTS, wrong: float = 0.0) -> Split:
    """Return rows of words 1-2 of a training and a test part of a corpus."""
    corpus = corpus_named(name)
    order = np.random.default_rng([SEED, number]).permutation(len(corpus.texts))
    train, test = corpus.take(order[:n]), corpus.take(order[n : n + TEST_TEXTS])
    train = with_wrong_labels(train, number, wrong) if wrong else train
    return vectorized(train, test)


def vectorized(train, test) -> Split:
    """Return the rows of words of two parts."""
    from hardlimit.text import TextVectorizer

    vectorizer = TextVectorizer(words=(1, 2))
    X, X_test = vectorizer.fit_transform(train.texts), vectorizer.transform(test.texts)
    return Split(X, np.array(train.labels), X_test, np.array(test.labels))


@cache
def corpus_named(name: str):
    """Return the texts of a corpus, read once."""
    return base(name)


def error_on_tables(names: tuple[str, ...], split=table, **options: Any) -> Trial:
    """Return a trial: the mean error over tables."""

    def run(rule: str, number: int) -> float | None:
        found = [fit(rule, split(name, number, **options)) for name in names]
        return None if None in found else 100 * float(np.mean([one.error for one in found if one]))

    return run


def error_on_texts(names: tuple[str, ...], **options: Any) -> Trial:
    """Return a trial: the mean error over corpora."""

    def run(rule: str, number: int) -> float | None:
        found = [fit_texts(rule, texts(name, number, **options)) for name in names]
        return None if None in found else 100 * float(np.mean([one.error for one in found if one]))

    return run


def fit_texts(rule: str, split: Split, **parameters: Any) -> Fitted | None:
    """Fit one rule on rows of length 1, with the bias and the epochs of ``TextClassifier``."""
    return fit(rule, split, bias_feature=0.1, max_iter=TEXT_EPOCHS, **parameters)


@cache
def rare(number: int) -> tuple[Split, ...]:
    """Return sets with a rare class: SMS cut to 5 % of spam, a newsgroup against 19, w8a."""
    draw = np.random.default_rng([SEED, number, 2])
    return (rare_messages(draw), one_group(draw), rare_numbers(draw))


def parts_of_messages(draw: np.random.Generator) -> tuple[Any, Any]:
    """Return SMS messages with spam cut to 5 %, to learn from and to test on."""
    corpus = corpus_named("sms_spam")
    spam = [i for i, label in enumerate(corpus.labels) if label == "spam"]
    ham = [i for i, label in enumerate(corpus.labels) if label != "spam"]
    kept = draw.choice(spam, round(len(ham) * RARE / (1 - RARE)), replace=False)
    order = draw.permutation(np.concatenate([ham, kept]))
    test = len(order) // 3
    return corpus.take(order[test:]), corpus.take(order[:test])


def rare_messages(draw: np.random.Generator) -> Split:
    """Return SMS messages with spam cut to 5 %."""
    return of_class(vectorized(*parts_of_messages(draw)), "spam")


def parts_of_groups(draw: np.random.Generator) -> tuple[Any, Any]:
    """Return posts to twenty newsgroups, to learn from and to test on."""
    corpus = corpus_named("20newsgroups")
    order = draw.permutation(len(corpus.texts))[:RARE_ROWS]
    return corpus.take(order[RARE_ROWS // 2 :]), corpus.take(order[: RARE_ROWS // 2])


def one_group(draw: np.random.Generator) -> Split:
    """Return posts to one newsgroup against those to 19 others, one in twenty."""
    return of_class(vectorized(*parts_of_groups(draw)), "sci.electronics")


def of_class(split: Split, name: str) -> Split:
    """Return the rows with targets +1 for one class and -1 for the others."""
    y, y_test = (np.where(part == name, 1, -1) for part in (split.y, split.y_test))
    return Split(split.X, y, split.X_test, y_test)


def rare_numbers(draw: np.random.Generator) -> Split:
    """Return rows of w8a, of length 1, of which 3 % are positive."""
    from scipy.sparse import csr_matrix

    from hardlimit.readers import load_numbers

    numbers = load_numbers(str(data_folder() / "libsvm" / "w8a.gz"), format="svmlight")
    X = csr_matrix((numbers.X.data, numbers.X.indices, numbers.X.indptr), numbers.X.shape)
    lengths = np.sqrt(np.maximum(np.asarray(X.multiply(X).sum(axis=1)).ravel(), 1))
    X = csr_matrix(X.multiply(1 / lengths[:, None]))
    order = draw.permutation(len(numbers.y))[: 2 * RARE_ROWS]
    y = np.where(np.asarray(numbers.y) > 0, 1, -1)
    train, test = order[:RARE_ROWS], order[RARE_ROWS:]
    return Split(X[train], y[train], X[test], y[test])


def f1_of_rare_class(class_weight: str | None) -> Trial:
    """Return a trial: the mean F1 of the rare class in percent."""

    def run(rule: str, number: int) -> float | None:
        found = [fit_texts(rule, one, class_weight=class_weight) for one in rare(number)]
        if None in found:
            return None
        pairs = zip(found, rare(number), strict=True)
        return 100 * float(np.mean([f1(fitted, split) for fitted, split in pairs if fitted]))

    return run


def f1(fitted: Fitted, split: Split) -> float:
    """Return the harmonic mean of precision and recall of the class +1."""
    said, true = fitted.classifier.predict(split.X_test) > 0, split.y_test > 0
    both = int((said & true).sum())
    return 2 * both / max(int(said.sum() + true.sum()), 1)


def log_loss(rule: str, number: int) -> float | None:
    """Return the mean log loss of probabilities on tables whose classes overlap."""
    losses = []
    for name in DOUBTFUL:
        split = table(name, number)
        fitted = fit(rule, split, probability=True)
        if fitted is None:
            return None
        of_second = fitted.classifier.predict_proba(split.X_test)[:, 1]
        right = np.where(split.y_test > 0, of_second, 1 - of_second)
        losses.append(-float(np.log(np.maximum(right, 1e-15)).mean()))
    return float(np.mean(losses))


def stream_errors(changing: bool) -> Trial:
    """Return a trial: errors in percent of predictions before each example of a stream."""

    def run(rule: str, number: int) -> float | None:
        from hardlimit.exceptions import InputError

        draw = np.random.default_rng([SEED, number, 3])
        planes = draw.standard_normal((STREAM // CHANGE, 20))
        X = draw.standard_normal((STREAM, 20)) / math.sqrt(20)
        of_row = np.arange(STREAM) // CHANGE if changing else np.zeros(STREAM, int)
        y = np.where((X * planes[of_row]).sum(axis=1) > 0, 1, -1)
        y = np.where(draw.random(STREAM) < FLIPPED, -y, y)
        classifier, wrong = new_classifier(rule, readout="last"), 0
        try:
            classifier.partial_fit(X[:1], y[:1], classes=[-1, 1])
        except InputError:
            return None
        for i in range(1, STREAM):
            wrong += int(classifier.predict(X[i : i + 1])[0] != y[i])
            classifier.partial_fit(X[i : i + 1], y[i : i + 1])
        return 100 * wrong / (STREAM - 1)

    return run


def error_with_few_relevant(rule: str, number: int) -> float | None:
    """Return the error where five of 1,000 columns of 0 and 1 decide: is any of them 1."""
    draw = np.random.default_rng([SEED, number, 4])
    X = (draw.random((2400, 1000)) < 0.13).astype(float)
    y = np.where(X[:, :5].any(axis=1), 1, -1)
    fitted = fit(rule, Split(X[:400], y[:400], X[400:], y[400:]))
    return None if fitted is None else 100 * fitted.error


@cache
def largest_margin(number: int) -> float:
    """Return the geometric margin of a drawn separable set, proved to 1 %."""
    from hardlimit import certify

    X, y = separable_set(number, *SEPARABLE)
    return float(certify(X, y, fit_intercept=False, seconds=60).margin[0])


def share_of_margin(rule: str, number: int) -> float | None:
    """Return the margin of the last weights in percent of the largest; 0: none after 500 epochs."""
    X, y = separable_set(number, *SEPARABLE)
    fitted = fit(
        rule,
        Split(X, y, X, y),
        settings={},
        readout="last",
        max_iter=500,
        fit_intercept=False,
    )
    if fitted is None:
        return None
    w = fitted.classifier.coef_[0]
    reached = float((y * (X @ w)).min() / np.linalg.norm(w))
    return 100 * max(reached, 0.0) / largest_margin(number)
