"""The savings of skipping in long runs, and its cost where it saves nothing.

Both sides learn the same bits. A product is one row's margin that was really computed; those that
the bounds themselves need (a pass at each checkpoint, coordinates of the rows) are counted. Times
are the processor's, of fits in turns, the median of the ratios.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.corpora import Missing, load
from benchmarks.generators import mnist
from benchmarks.harness import Figure, Settings
from benchmarks.uci import problems

TITLE = "Rows that provably cannot be corrected are skipped: the same bits"
MOST_PRODUCTS, MOST_TIME = 1 / 3, 1.05
LONG = (("wdbc", 500), ("wdbc", 3000), ("mnist", 500), ("mnist", 1500))
TEXTS = ("sms_spam", "spamassassin", "enron_spam", "imdb", "20newsgroups", "banking77")

Fit = Callable[[bool | str], object]


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield products and times of long runs, then times of runs that are not worth it."""
    for name, epochs in LONG[:1] if settings.quick else LONG:
        try:
            yield from long_run(name, epochs, settings)
        except Missing as missing:
            skipped.append(str(missing))
    for name, fit in short_runs(settings, skipped):
        yield Figure(
            f"time, {name}",
            1 / faster(fit, settings),
            target=MOST_TIME,
            sense="<=",
            ours="skip='auto'",
            theirs="skip=False",
        )


def long_run(name: str, epochs: int, settings: Settings) -> Iterator[Figure]:
    """Yield the share of products, and how much faster the run is."""
    X, y = SETS[name]()

    def fit(skip):
        return model(skip, max_iter=epochs).fit(X, y)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        share = float(np.mean([epoch.visited for epoch in fit("auto").history_]))
    title = f"{name}, {epochs} epochs"
    yield Figure(f"products, {title}", share, unit="of all", target=MOST_PRODUCTS, sense="<=")
    yield Figure(f"times as fast, {title}", faster(fit, settings), theirs="skip=False")


def wdbc() -> tuple[np.ndarray, np.ndarray]:
    """Return the 569 rows of 30 standardised numbers."""
    (problem,) = problems("wdbc")
    rows = np.arange(len(problem.y))
    return problem.split(rows, rows)[0], problem.y


def three_against_rest() -> tuple[np.ndarray, np.ndarray]:
    """Return 5,000 digits, 784 numbers each."""
    X, classes = mnist()
    return X[:5000], classes[:5000] == 3


SETS = {"wdbc": wdbc, "mnist": three_against_rest}


def model(skip, **choices):
    """Return the perceptron with both read-outs that cost nothing."""
    from hardlimit import LinearClassifier

    return LinearClassifier(**{"skip": skip, "until": None, **choices})


def short_runs(settings: Settings, skipped: list[str]) -> Iterator[tuple[str, Fit]]:
    """Yield a name and a fit of each run that is too short, or too hard, to save anything."""
    draw = np.random.default_rng(0)
    X, separator = draw.standard_normal((5000, 300)), draw.standard_normal(300)
    side = separator @ X.T > 0
    for epochs in (40, 100):
        yield f"5,000 x 300 isotropic, {epochs} epochs", fitted(X, side, max_iter=epochs)
    X, noise = draw.standard_normal((50_000, 54)), draw.standard_normal(50_000)
    noisy = X @ draw.standard_normal(54) + 5 * noise > 0
    yield "50,000 x 54, a quarter wrong, 60 epochs", fitted(X, noisy, max_iter=60)
    yield "the same until separated", fitted(X, noisy, max_iter=60, until="separated")
    try:
        X, classes = mnist()
        yield "MNIST, ten classes, one epoch", fitted(X[:20_000], classes[:20_000], max_iter=1)
    except Missing as missing:
        skipped.append(str(missing))
    for name in TEXTS[:1] if settings.quick else TEXTS:
        try:
            yield f"{name}, 10 epochs", on_texts(name)
        except Missing as missing:
            skipped.append(str(missing))


def fitted(X, y, **choices) -> Fit:
    """Return the fit of these rows."""
    return lambda skip: model(skip, **choices).fit(X, y)


def on_texts(name: str) -> Fit:
    """Return the fit of a corpus' training part as TextClassifier learns it."""
    from hardlimit import TextVectorizer

    train, _ = load(name).split()
    X = TextVectorizer(words=(1, 2)).fit_transform(train.texts)
    return fitted(X, train.labels, rule="passive-aggressive", max_iter=10, bias_feature=0.1)


def faster(fit: Fit, settings: Settings) -> float:
    """Return the time without skipping divided by the time with it."""
    ratios = []
    seconds(fit, "auto")
    for _ in range(max(5, settings.repetitions)):
        without = seconds(fit, False)
        ratios.append(without / seconds(fit, "auto"))
    return statistics.median(ratios)


def seconds(fit: Fit, skip: bool | str) -> float:
    """Return the processor's seconds of one fit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.thread_time()
        fit(skip)
        return time.thread_time() - start
