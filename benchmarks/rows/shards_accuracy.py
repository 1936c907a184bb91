"""Shards of real texts: accuracy by their number and the epochs, and rounds and bytes to 1,000."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.cluster_costs import Epoch, Network, epoch_seconds
from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Grid, Settings

TITLE = "Shards: accuracy, and rounds and bytes to 1,000 of them"
CORPORA = ("enron_spam", "imdb", "20newsgroups")
SIMULATED = "imdb"
SHARDS = (1, 4, 16, 64)
MANY = (16, 64, 256, 1000)
WAYS = (
    ("perceptron", "uniform"),
    ("passive-aggressive", "uniform"),
    ("passive-aggressive", "inertial"),
    ("passive-aggressive", "accelerated"),
)
AVERAGED = ("uniform", "mistakes")  # whose average suits them; else the last weights
EPOCHS = (3, 10)
MOST_ROUNDS = 20
WEIGHED = (1, 2, 3, 5, 10, 15, 20)  # rounds whose bytes are counted, the others send like them
NEAR = 0.002  # of one run's accuracy
ACCURACIES = "Accuracy of shards, averaged / last weights"
ROUNDS = "Rounds until the last weights are as good as one run's"
ROUNDS_HEAD = (
    "rule, mixing, shards",
    "rounds",
    "accuracy then",
    "MB of the first round, up / down",
    "of the last",
    "predicted time",
)
WORDS: dict[str, Any] = {"words": (1, 2), "chars": None}


class Rows(NamedTuple):
    """A corpus as rows, and how long they took to make on one core."""

    name: str
    X: Any
    y: Sequence[Any]
    T: Any
    truth: Any
    seconds: float


class Round(NamedTuple):
    """An epoch of shards: accuracy of the last weights, bytes, and seconds in this process."""

    accuracy: float
    up: int
    down: int
    learning: float
    mixing: float


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the accuracies of each corpus, and what 1,000 shards of one of them take."""
    lines: list[tuple[str, ...]] = []
    counts, many = ((1, 4), (4, 16)) if settings.quick else (SHARDS, MANY)
    for name in ("sms_spam",) if settings.quick else CORPORA:
        try:
            rows = make_rows(load(name))
        except Missing as missing:
            skipped.append(str(missing))
            continue
        yield from accuracies(rows, counts, lines)
        if settings.quick or name == SIMULATED:
            yield from simulation(rows, many)
    heads = (f"{n} shard{'s' if n > 1 else ''}" for n in counts)
    head = ("corpus, rule, mixing, epochs", *heads)
    yield Grid(ACCURACIES, head, tuple(lines))


def make_rows(corpus: Corpus) -> Rows:
    """Return words and pairs of words of the common split."""
    from hardlimit.text import TextVectorizer

    train, test = corpus.split()
    TextVectorizer(**WORDS).fit_transform(train.texts[:100])  # imports
    vectorizer = TextVectorizer(**WORDS)
    began = time.perf_counter()
    X = vectorizer.fit_transform(train.texts)
    seconds = time.perf_counter() - began
    T, truth = vectorizer.transform(test.texts), np.array(test.labels)
    return Rows(corpus.name, X, train.labels, T, truth, seconds)


def fit(rows: Rows, rule: str, mixing: str, shards: int, epochs: int) -> Any:
    """Return a classifier that learnt so many epochs."""
    from hardlimit import LinearClassifier

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns of unlike lengths are what texts have
        return LinearClassifier(
            rule,
            shards=shards,
            mixing=mixing,
            readout="averaged",
            bias_feature=0.1,
            until=None,
            max_iter=epochs,
        ).fit(rows.X, rows.y)


def accuracies(rows: Rows, counts: Sequence[int], lines: list[tuple[str, ...]]) -> Iterator[Figure]:
    """Yield how far 16 shards stay behind one run, in the read-out that suits the mixing."""
    alone: dict[tuple[str, int], tuple[float, float]] = {}
    for rule, mixing in WAYS:
        for epochs in EPOCHS:
            found = {}
            for n in counts:
                if n == 1 and (rule, epochs) in alone:
                    found[n] = alone[rule, epochs]
                    continue
                clf = fit(rows, rule, mixing, n, epochs)
                found[n] = score(clf, rows), score(clf.with_readout("last"), rows)
            alone[rule, epochs] = found[1]
            name = f"{rows.name}, {rule}, {mixing}, {epochs}"
            lines.append((name, *(f"{mean:.4f} / {end:.4f}" for mean, end in found.values())))
        most = min(16, counts[-1])
        place = 0 if mixing in AVERAGED else 1
        yield Figure(
            f"one run's accuracy less that of {most} shards: {rows.name}, {rule}, {mixing}",
            round(found[1][place] - found[most][place], 4),
            "",
            NEAR if (rule, mixing) != WAYS[1] else None,
            "<=",
            f"{found[most][place]:.4f}",
            f"{found[1][place]:.4f}",
            f"{EPOCHS[-1]} epochs, {('averaged', 'last')[place]} weights",
        )


def score(clf: Any, rows: Rows) -> float:
    """Return the accuracy on the held-out fifth."""
    return float(np.mean(clf.predict(rows.T) == rows.truth))


def simulation(rows: Rows, many: Sequence[int]) -> Iterator[Figure | Grid]:
    """Yield rounds and bytes of up to 1,000 shards, learnt here, and the time on a cluster."""
    lines = []
    began = time.perf_counter()
    one = fit(rows, "passive-aggressive", "uniform", 1, EPOCHS[-1])
    learning = time.perf_counter() - began
    for rule, mixing in WAYS:
        if rule != one.rule:
            one = fit(rows, rule, mixing, 1, EPOCHS[-1])
        wanted = score(one.with_readout("last"), rows) - NEAR
        for n in many:
            rounds = watch(rows, rule, mixing, n, wanted)
            lines.append(line_of(rule, mixing, n, rounds, wanted))
    yield Grid(ROUNDS, ROUNDS_HEAD, tuple(lines))
    yield Figure(
        f"one machine, {rows.name}: making rows, beside learning ten epochs",
        rows.seconds / learning,
        "x",
        None,
        ">=",
        f"{rows.seconds:.1f} s",
        f"{learning:.1f} s",
        "one core; what a cluster divides is the first",
    )


def line_of(
    rule: str, mixing: str, shards: int, rounds: Sequence[Round], wanted: float
) -> tuple[str, ...]:
    """Return a line of the table of rounds."""
    network, last = Network(), rounds[-1]
    epochs = [Epoch(one.learning, one.mixing, one.up, one.down) for one in rounds]
    seconds = sum(epoch_seconds(epoch, shards, network) for epoch in epochs)
    return (
        f"{rule}, {mixing}, {shards}",
        f"{len(rounds)}" if last.accuracy >= wanted else f"> {len(rounds)}",
        f"{last.accuracy:.4f}",
        *(f"{one.up / 1e6:.1f} / {one.down / 1e6:.1f}" for one in (rounds[0], last)),
        f"{seconds:.1f} s",
    )


def watch(rows: Rows, rule: str, mixing: str, shards: int, wanted: float) -> list[Round]:
    """Return the rounds until the last weights reach an accuracy, at most ``MOST_ROUNDS``."""
    from hardlimit.classifiers.fitting.mixed import Mixture
    from hardlimit.distributed.wire import pack_delta

    class ReachedError(Exception):
        """The accuracy that was wanted."""

    rounds: list[Round] = []
    classes = np.unique(rows.truth)
    outputs = 1 if len(classes) == 2 else len(classes)
    weights = np.zeros((rows.X.shape[1] + 1) * outputs)
    mix, began = Mixture.mix, time.perf_counter()

    def watched(self: Any, deltas: Any, tallies: Any) -> Any:
        nonlocal began
        learnt = time.perf_counter()
        mixture = mix(self, deltas, tallies)
        mixed = time.perf_counter()
        for part in mixture:
            weights[part.cells] = part.w
        w = weights.reshape(-1, outputs)
        scores = rows.T @ w[:-1] + 0.1 * w[-1]
        answers = scores[:, 0] > 0 if outputs == 1 else scores.argmax(axis=1)
        accuracy = float(np.mean(classes[answers.astype(int)] == rows.truth))
        if len(rounds) + 1 in WEIGHED:
            up = sum(len(pack_delta(delta, {})) for delta in deltas)
            down = sum(len(pack_delta(part, {})) for part in mixture)
        else:
            up, down = rounds[-1].up, rounds[-1].down
        rounds.append(Round(accuracy, up, down, learnt - began, mixed - learnt))
        if accuracy >= wanted:
            raise ReachedError
        began = time.perf_counter()
        return mixture

    Mixture.mix = watched  # type: ignore[method-assign]
    try:
        fit(rows, rule, mixing, shards, MOST_ROUNDS)
    except ReachedError:
        pass
    finally:
        Mixture.mix = mix  # type: ignore[method-assign]
    return rounds
