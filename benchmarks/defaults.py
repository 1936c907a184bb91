"""How the defaults of ``TextClassifier`` were chosen: ``python -m benchmarks.defaults``.

Only the training part of each corpus is used (never the held-out fifth), without exact duplicates.
It is split at random, four fifths for training and a fifth for testing, with several seeds.
Seven experiments:

sets        features and epochs against LinearSVC on sets cut, merged and relabelled from the shared
            ones (``benchmarks/text_sets.py``);
limits      ``min_df``: accuracy, columns and size of the file;
learner     rule, its aggressiveness, bias feature, epochs and read-out over fixed features;
full        epochs, bias feature and read-out again, on the three larger sets at their full size;
noisy       aggressiveness, epochs and read-out where a tenth of the training labels is wrong;
margin      the required margin and the epochs of the perceptron with margin, on the two sets that
            ``rows/margin_perceptron.py`` measures, at their full size;
features    words 1-2 alone, or characters beside them, by the length of the texts: each corpus as
            it is, and the long ones cut to their first N characters.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpora import Corpus, load
from benchmarks.tables import markdown_table
from benchmarks.text_sets import LONG, NAMES, SHORT, cut, draw_split, with_wrong_labels

SEEDS = (0, 1, 2)
MOST = 3000
LENGTHS = (100, 200, 400)
WORDS = {"words": (1, 2)}
BLOCKS = {**WORDS, "block_weights": (0.85, 0.53)}
FEATURES = {
    "words": WORDS,
    "words + chars": {**BLOCKS, "chars": (2, 5)},
    "words + chars 4": {**BLOCKS, "chars": (4, 4)},
}
# Of words and of characters; None is one length for both.
WEIGHTS = (None, (0.9, 0.44), (0.85, 0.53), (0.8, 0.6), (0.71, 0.71))
SHORTER = 500  # characters; texts with a longer median have words only
# The setting that the tables vary around, one choice at a time.
CENTRE: tuple[str, dict, float, int] = ("passive-aggressive", {"C": 1.0}, 0.1, 5)
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
        *softened(),
    ]


def softened() -> list[Learner]:
    """Return settings of PA-II, whose steps stop short of a margin of 1."""
    return [
        Learner("passive-aggressive-2", (("C", c),), epochs=n)
        for c, n in ((0.3, 5), (0.5, 5), (0.5, 7), (1.0, 5))
    ]


def where_labels_are_noisy() -> list[Learner]:
    """Return the settings that are compared with wrong labels."""
    passive = [
        Learner(parameters=(("C", c),), epochs=n, readout=readout)
        for c in (0.3, 1.0)
        for n in (3, 5, 7, 10)
        for readout in ("averaged", "last")
    ]
    return [*passive, *softened()]


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
            start = time.process_time()
            X, X_test = matrices(features, train, test)
            score = accuracy(Learner(), X, train.labels, X_test, test.labels)
            by_kind.setdefault(kind, []).append(score)
            times[kind] = times.get(kind, 0.0) + time.process_time() - start
    row = [name, "whole" if length is None else str(length), f"{statistics.median(lengths):.0f}"]
    row.append(f"{statistics.mean(by_kind['words']):.4f}")
    for kind in list(FEATURES)[1:]:
        gains = [b - a for a, b in zip(by_kind["words"], by_kind[kind], strict=True)]
        row += [f"{statistics.mean(gains):+.4f}", f"{times[kind] / times['words']:.1f}"]
    return tuple(row)


def feature_rows(most: int) -> Iterator[tuple[str, ...]]:
    """Yield a line of the table of features as soon as it is measured."""
    for name in SHORT + LONG:
        for length in (None,) if name in SHORT else (*LENGTHS, None):
            row = by_length(name, length, most)
            print(*row, sep="\t", flush=True)
            yield row


def of_svc(X, labels, X_test, labels_test) -> float:
    """Return the accuracy of LinearSVC with its defaults."""
    from sklearn.svm import LinearSVC

    fitted = LinearSVC().fit(X, labels)
    return float((fitted.predict(X_test) == np.array(labels_test)).mean())


def against_svc(name: str, seed: int, most: int) -> tuple[int, float, dict[str, float]]:
    """Return the median length, LinearSVC's accuracy on words, and how much better ours are."""
    train, test = draw_split(name, seed, most)
    known = train.labels, test.labels
    X, X_test = matrices(WORDS, train, test)
    median = round(statistics.median(map(len, train.texts)))
    # The rows are those of TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)).
    theirs = of_svc(X, known[0], X_test, known[1])
    ours = {"words": accuracy(Learner(), X, known[0], X_test, known[1])}
    chosen = {"words, 10 epochs": (None, X, X_test)}
    if median < SHORTER:
        both = {**WORDS, "chars": (2, 5)}
        chosen = {
            name_weights(weights): (
                weights,
                *matrices({**both, "block_weights": weights}, train, test),
            )
            for weights in WEIGHTS
        }
        default = chosen[name_weights(BLOCKS["block_weights"])]
        chosen["default, 10 epochs"] = default
    for column, (_, rows, test_rows) in chosen.items():
        learner = Learner(epochs=10) if column.endswith("10 epochs") else Learner()
        ours[column] = accuracy(learner, rows, known[0], test_rows, known[1])
    if median >= SHORTER:  # where characters are off, words are all there is
        for weights in WEIGHTS:
            ours[name_weights(weights)] = ours["words"]
        ours["default, 10 epochs"] = ours.pop("words, 10 epochs")
    return median, theirs, {column: score - theirs for column, score in ours.items()}


def name_weights(weights: tuple[float, float] | None) -> str:
    """Return the head of a column."""
    return "one length" if weights is None else "{:g} / {:g}".format(*weights)


def set_rows(names: list[str], most: int) -> Iterator[tuple[str, ...]]:
    """Yield a line of the table of sets as soon as it is measured, and the summary at the end."""
    gains: dict[str, list[float]] = {}
    for name in names:
        found = [against_svc(name, seed, most) for seed in SEEDS]
        means = {k: statistics.mean(one[2][k] for one in found) for k in SET_COLUMNS}
        for column, mean in means.items():
            gains.setdefault(column, []).append(mean)
        svc = statistics.mean(one[1] for one in found)
        row = (name, str(found[0][0]), f"{svc:.4f}", *(f"{m:+.4f}" for m in means.values()))
        print(*row, sep="\t", flush=True)
        yield row
    yield ("mean", "", "", *(f"{statistics.mean(column):+.4f}" for column in gains.values()))
    yield ("least", "", "", *(f"{min(column):+.4f}" for column in gains.values()))


SET_COLUMNS = ("words", *map(name_weights, WEIGHTS), "default, 10 epochs")


def limit_rows(most: int | None) -> Iterator[tuple[str, ...]]:
    """Yield accuracy, columns, seconds and bytes of the file, with every term and with min_df=2."""
    from hardlimit import TextClassifier

    for name in SHORT + LONG:
        row = [name]
        for least in (1, 2):
            scores, columns, seconds, sizes = [], [], [], []
            for seed in SEEDS:
                train, test = draw_split(name, seed, most or 10**9)
                start = time.process_time()
                classifier = TextClassifier(min_df=least).fit(train.texts, train.labels)
                seconds.append(time.process_time() - start)
                found = classifier.predict(test.texts) == np.array(test.labels)
                scores.append(float(found.mean()))
                columns.append(classifier.vectorizer_.n_columns_)
                sizes.append(size_of_file(classifier))
            row += [f"{statistics.mean(scores):.4f}", f"{statistics.mean(columns):,.0f}"]
            row += [f"{statistics.mean(seconds):.2f}", f"{statistics.mean(sizes) / 1e6:.1f}"]
        print(*row, sep="\t", flush=True)
        yield tuple(row)


def size_of_file(classifier) -> int:
    """Return the bytes of a file that only predicts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        classifier.save(path, training_state=False)
        return path.stat().st_size


def main() -> None:
    """Print the named tables, or all."""
    questions = ("sets", "limits", "features", "learner", "full", "noisy", "margin")
    parser = argparse.ArgumentParser(prog="python -m benchmarks.defaults", description=__doc__)
    parser.add_argument("what", nargs="*", default=[], metavar="|".join(questions))
    parser.add_argument("--most", type=int, default=MOST, help="texts of each corpus")
    parser.add_argument("--set", action="append", help="of the experiment sets, only this one")
    options = parser.parse_args()
    wanted = options.what or questions
    if "sets" in wanted:
        head = ("set", "median length", "LinearSVC", *SET_COLUMNS)
        print(markdown_table(head, set_rows(options.set or list(NAMES), options.most)))
    if "limits" in wanted:
        parts = ("accuracy", "columns", "s", "MB")
        head = ("corpus", *parts, *(f"{part}, min_df=2" for part in parts))
        print(markdown_table(head, limit_rows(options.most)))
    if "features" in wanted:
        more = [head for kind in list(FEATURES)[1:] for head in (kind, "times the time")]
        head = ("corpus", "cut to", "median length", "words", *more)
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
