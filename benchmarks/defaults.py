"""How the defaults of ``TextClassifier`` were chosen: ``python -m benchmarks.defaults``.

Only the training part of each corpus is used (never the held-out fifth), without exact duplicates.
It is split at random, four fifths for training and a fifth for testing, with several seeds.
Five experiments:

learner     rule, its aggressiveness, bias feature, epochs and read-out over fixed features;
full        epochs, bias feature and read-out again, on the three larger sets at their full size;
noisy       aggressiveness, epochs and read-out where a tenth of the training labels is wrong;
margin      the required margin and the epochs of the perceptron with margin, on the two sets that
            ``rows/margin_perceptron.py`` measures, at their full size;
features    words 1-2 alone, or ``char_wb`` 2-5 beside them, by the length of the texts: each corpus
            as it is, and the long ones cut to their first N characters.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.corpora import Corpus, load
from benchmarks.tables import markdown_table

SEEDS = (0, 1, 2)
SHORT, LONG = ("sms_spam", "banking77"), ("20newsgroups", "imdb", "enron_spam", "spamassassin")
MOST = 3000
LENGTHS = (50, 100, 200, 400, 800)
WORDS = {"words": (1, 2)}
FEATURES = {
    "words": WORDS,
    "words + chars": {**WORDS, "chars": (2, 5)},
    "words + chars 3-5": {**WORDS, "chars": (3, 5)},
    "chars": {"words": None, "chars": (2, 5)},
}
# The setting that the tables vary around, one choice at a time.
CENTRE: tuple[str, dict, float, int] = ("passive-aggressive", {"C": 1.0}, 0.1, 10)
EPOCHS = (3, 5, 7, 10, 15)


@dataclass(frozen=True)
class Learner:
    """One setting of the learner; the defaults are the centre of the comparison."""

    rule: str = CENTRE[0]
    parameters: tuple[tuple[str, float], ...] = tuple(CENTRE[1].items())
    bias: float = CENTRE[2]
    epochs: int = CENTRE[3]
    readout: str = "averaged"

    def __str__(self) -> str:
        parameters = ", ".join(f"{name} = {value:g}" for name, value in self.parameters)
        return f"{self.rule} {parameters}, bias {self.bias:g}, {self.epochs} epochs, {self.readout}"


def at_full_size() -> list[Learner]:
    """Return the settings that are compared on all texts."""
    return [
        *(Learner(epochs=n, bias=b) for n in (5, 7, 10) for b in (0.1, 0.3, 1.0)),
        *(Learner(epochs=n, readout="last") for n in (5, 10)),
    ]


def where_labels_are_noisy() -> list[Learner]:
    """Return the settings that are compared with wrong labels."""
    return [
        Learner(parameters=(("C", c),), epochs=n, readout=readout)
        for c in (0.3, 1.0)
        for n in (3, 5, 7, 10)
        for readout in ("averaged", "last")
    ]


def margins() -> list[Learner]:
    """Return perceptrons with margin: rows of texts have unit length, so b is in their units."""
    return [
        Learner("margin-perceptron", (("b", b),), epochs=n)
        for b in (1.0, 1.5, 2.0, 3.0, 5.0, 8.0)
        for n in (5, 7, 10, 15)
    ]


def settings() -> list[Learner]:
    """Return the settings compared: one choice varied, the others at the centre."""
    passive = [(name, c) for name in ("", "-2") for c in (0.1, 0.3, 1.0, 3.0, 10.0)]
    return [
        *(
            Learner(f"passive-aggressive{name}", (("C", c),), epochs=n)
            for name, c in passive
            for n in (5, 10)
        ),
        *(Learner("margin-perceptron", (("b", b),)) for b in (0.3, 1.0, 3.0)),
        Learner("perceptron", ()),
        *(Learner(bias=bias) for bias in (0.0, 0.03, 0.3, 1.0)),
        *(Learner(epochs=n, readout=r) for n in EPOCHS for r in ("averaged", "last")),
    ]


def inside(corpus: Corpus, seed: int, most: int | None) -> tuple[Corpus, Corpus]:
    """Split the training part at random, without duplicates, into a training and a test part."""
    train, _ = corpus.split()
    first = {text: i for i, text in reversed(list(enumerate(train.texts)))}
    kept = np.random.default_rng(seed).permutation(sorted(first.values()))[:most]
    test = len(kept) // 5
    return train.take(kept[test:]), train.take(kept[:test])


def accuracy(learner: Learner, X, labels, X_test, labels_test) -> float:
    """Fit, and return the accuracy on the test part."""
    from hardlimit import LinearClassifier, rules

    classifier = LinearClassifier(
        rule=rules.get(learner.rule, **dict(learner.parameters)),
        keep=(learner.readout,),
        readout=learner.readout,
        until=None,
        max_iter=learner.epochs,
        bias_feature=learner.bias or 1.0,
        fit_intercept=learner.bias > 0,
    ).fit(X, labels)
    return float((classifier.predict(X_test) == np.array(labels_test)).mean())


def matrices(features: dict, train: Corpus, test: Corpus):
    """Return the rows of both parts."""
    from hardlimit.text import TextVectorizer

    vectorizer = TextVectorizer(**features)
    return vectorizer.fit_transform(train.texts), vectorizer.transform(test.texts)


def with_wrong_labels(corpus: Corpus, seed: int, share: float) -> Corpus:
    """Change that share of the labels to another class."""
    draw, classes = np.random.default_rng(seed), sorted(set(corpus.labels))
    labels = list(corpus.labels)
    for i in np.flatnonzero(draw.random(len(labels)) < share):
        labels[i] = str(draw.choice([label for label in classes if label != labels[i]]))
    return Corpus(corpus.name, corpus.texts, labels)


def learners(
    name: str, kind: str, most: int | None, compared: list[Learner], wrong: float
) -> dict[str, float]:
    """Return the mean accuracy of every setting on one corpus."""
    corpus, by_setting = load(name), {}
    for seed in SEEDS:
        train, test = inside(corpus, seed, most)
        train = with_wrong_labels(train, seed, wrong)
        X, X_test = matrices(FEATURES[kind], train, test)
        for learner in compared:
            score = accuracy(learner, X, train.labels, X_test, test.labels)
            by_setting.setdefault(str(learner), []).append(score)
    return {setting: statistics.mean(scores) for setting, scores in by_setting.items()}


def learner_table(
    where: list[tuple[str, str]], most: int | None, compared: list[Learner], wrong: float = 0.0
) -> str:
    """Compare the settings of the learner, best first by the mean distance from each set's best."""
    columns = {
        f"{name}, {kind}": learners(name, kind, most, compared, wrong) for name, kind in where
    }
    best = {name: max(column.values()) for name, column in columns.items()}
    behind = {
        setting: statistics.mean(best[name] - column[setting] for name, column in columns.items())
        for setting in map(str, compared)
    }
    rows = (
        (
            setting,
            f"{behind[setting]:.4f}",
            *(f"{column[setting]:.4f}" for column in columns.values()),
        )
        for setting in sorted(behind, key=behind.__getitem__)
    )
    return markdown_table(("setting", "behind the best", *columns), rows)


def cut(corpus: Corpus, length: int | None) -> Corpus:
    """Cut each text to its first ``length`` characters."""
    return Corpus(corpus.name, [text[:length] for text in corpus.texts], corpus.labels)


def by_length(name: str, length: int | None, most: int) -> tuple[str, ...]:
    """Compare the features on one corpus cut to one length."""
    by_kind: dict[str, list[float]] = {}
    times: dict[str, float] = {}
    lengths = []
    corpus = load(name)
    for seed in SEEDS:
        train, test = (cut(part, length) for part in inside(corpus, seed, most))
        lengths += map(len, train.texts)
        for kind, features in FEATURES.items():
            start = time.perf_counter()
            X, X_test = matrices(features, train, test)
            score = accuracy(Learner(), X, train.labels, X_test, test.labels)
            by_kind.setdefault(kind, []).append(score)
            times[kind] = times.get(kind, 0.0) + time.perf_counter() - start
    gains = [b - a for a, b in zip(by_kind["words"], by_kind["words + chars"], strict=True)]
    return (
        name,
        "whole" if length is None else str(length),
        f"{statistics.median(lengths):.0f}",
        *(f"{statistics.mean(scores):.4f}" for scores in by_kind.values()),
        f"{statistics.mean(gains):+.4f}",
        f"{times['words + chars'] / times['words']:.1f}",
    )


def feature_rows(most: int) -> Iterator[tuple[str, ...]]:
    """Yield a line of the table of features as soon as it is measured."""
    for name in SHORT + LONG:
        for length in (None,) if name in SHORT else (*LENGTHS, None):
            row = by_length(name, length, most)
            print(*row, sep="\t", flush=True)
            yield row


def main() -> None:
    """Print the named tables, or all."""
    questions = ("features", "learner", "full", "noisy", "margin")
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults", description=__doc__)
    parser.add_argument("what", nargs="*", default=[], metavar="|".join(questions))
    parser.add_argument("--most", type=int, default=MOST, help="texts of each corpus")
    options = parser.parse_args()
    wanted = options.what or questions
    if "features" in wanted:
        head = ("corpus", "cut to", "median length", *FEATURES, "gain of chars", "times the time")
        print(markdown_table(head, feature_rows(options.most)))
    if "learner" in wanted:
        where = [(name, "words") for name in SHORT + LONG]
        where += [(name, "words + chars") for name in SHORT]
        print(learner_table(where, options.most, settings()))
    if "full" in wanted:
        where = [(name, "words + chars") for name in SHORT]
        where += [(name, "words") for name in LONG[:3]]
        print(learner_table(where, None, at_full_size()))
    if "noisy" in wanted:
        where = [("sms_spam", "words + chars"), *((name, "words") for name in LONG[:3])]
        print(learner_table(where, options.most, where_labels_are_noisy(), wrong=0.1))
    if "margin" in wanted:
        where = [(name, "words") for name in ("20newsgroups", "imdb")]
        print(learner_table(where, None, margins()))


if __name__ == "__main__":
    main()
