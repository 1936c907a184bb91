"""Learners that take one example at a time: ``python -m benchmarks.one_by_one KIND NAME N``.

KIND is ``texts`` (SMS messages) or ``rows`` (80 non-zeros in 2^18 columns). A learner begins with a
few examples of both classes; then N further ones are learnt, one call each, and those after them
predicted. Rows are handed over in the form that the learner takes: making it is not timed.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from benchmarks.contestants import need
from benchmarks.corpora import load
from benchmarks.harness import time_call
from benchmarks.job import exit_where_missing

BEGIN, HELD_OUT = 50, 1000
BITS = 18
CLASSES = [0, 1]


class Learner(NamedTuple):
    """How one example is learnt and asked for; ``form`` makes what it takes of an example."""

    learn: Callable[[object, int], object]
    ask: Callable[[object], int]
    form: Callable[[object], object] = lambda example: example


def hardlimit_defaults() -> Learner:
    """TextClassifier as it is."""
    model = need("hardlimit").TextClassifier()
    return _batches_of_one(model)


def hardlimit_hashed() -> Learner:
    """Words and pairs of words, hashed, as the other learners have."""
    model = need("hardlimit").TextClassifier(words=(1, 2), chars=None, hash_bits=BITS)
    return _batches_of_one(model)


def _batches_of_one(model) -> Learner:
    def learn(example, label: int):
        return model.partial_fit([example], [label], classes=CLASSES)

    return Learner(learn, lambda example: model.predict([example])[0])


def hardlimit_rows() -> Learner:
    """LinearClassifier with the passive-aggressive rule."""
    model = need("hardlimit").LinearClassifier(rule="passive-aggressive")
    return _rows(model)


def _rows(model) -> Learner:
    def learn(row, label: int):
        return model.partial_fit(row, [label], classes=CLASSES)

    return Learner(learn, lambda row: model.predict(row)[0])


def _sklearn(name: str, **parameters):
    return getattr(need("sklearn.linear_model"), name)(**parameters)


def _hashing(model) -> Learner:
    text = need("sklearn.feature_extraction.text")
    hashed = text.HashingVectorizer(n_features=2**BITS, ngram_range=(1, 2)).transform
    inner = _rows(model)
    return Learner(lambda t, y: inner.learn(hashed([t]), y), lambda t: inner.ask(hashed([t])))


SKLEARN: dict[str, Callable] = {
    "SGDClassifier": lambda: _sklearn("SGDClassifier"),
    "Perceptron": lambda: _sklearn("Perceptron"),
    # What PassiveAggressiveClassifier is called from scikit-learn 1.8 on.
    "SGDClassifier(pa1)": lambda: _sklearn(
        "SGDClassifier", loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0
    ),
}


def river_texts() -> Learner:
    """Counts of words and pairs, and the passive-aggressive rule."""
    extract = need("river.feature_extraction")
    counts = extract.BagOfWords(ngram_range=(1, 2))
    return _river(counts | need("river.linear_model").PAClassifier(C=1, mode=1))


def river_rows() -> Learner:
    """The passive-aggressive rule; a row is a dict."""
    model = need("river.linear_model").PAClassifier(C=1, mode=1)
    return _river(model)._replace(
        form=lambda row: dict(zip(row.indices.tolist(), row.data.tolist(), strict=True))
    )


def _river(model) -> Learner:
    return Learner(
        lambda example, label: model.learn_one(example, bool(label)),
        lambda example: int(bool(model.predict_one(example))),
    )


def vowpal_texts() -> Learner:
    """Its words as the other contestants have them: cutting and formatting them is its work."""
    from benchmarks.contestants.vowpal_wabbit import words

    learner = _vowpal("--ngram 2")
    return Learner(
        lambda text, label: learner.learn(f" | {words(text)}", label),
        lambda text: learner.ask(f" | {words(text)}"),
    )


def vowpal_rows() -> Learner:
    """A row is a line of its format."""

    def line(row) -> str:
        pairs = zip(row.indices.tolist(), row.data.tolist(), strict=True)
        return " | " + " ".join(f"{column}:{value:.6g}" for column, value in pairs)

    return _vowpal("")._replace(form=line)


def _vowpal(flags: str) -> Learner:
    need("vowpalwabbit")
    from vowpalwabbit import Workspace

    model = Workspace(f"-b {BITS} {flags} --loss_function hinge --quiet")
    return Learner(
        lambda line, label: model.learn(("1" if label else "-1") + line),
        lambda line: int(model.predict(line) > 0),
    )


LEARNERS: dict[str, dict[str, Callable[[], Learner]]] = {
    "texts": {
        "hardlimit, defaults": hardlimit_defaults,
        "hardlimit, words hashed": hardlimit_hashed,
        **{
            f"HashingVectorizer + {name}": lambda make=make: _hashing(make())
            for name, make in SKLEARN.items()
        },
        "River": river_texts,
        "Vowpal Wabbit": vowpal_texts,
    },
    "rows": {
        "hardlimit": hardlimit_rows,
        **{name: lambda make=make: _rows(make()) for name, make in SKLEARN.items()},
        "River": river_rows,
        "Vowpal Wabbit": vowpal_rows,
    },
}


def examples(kind: str, n: int) -> Iterator[tuple[object, int]]:
    """Yield so many examples with their labels, 0 or 1."""
    if kind == "rows":
        from benchmarks.generators import zipf_rows

        rows = zipf_rows(n, n_columns=2**BITS)
        X = rows.matrix()
        yield from ((X[i], int(y > 0)) for i, y in enumerate(rows.y))
        return
    corpus = load("sms_spam")
    order = list(range(len(corpus.texts)))
    random.Random(0).shuffle(order)
    yield from ((corpus.texts[i], int(corpus.labels[i] == "spam")) for i in order[:n])


def measure(kind: str, name: str, n: int) -> dict[str, float]:
    """Return the seconds of one update and of one prediction, and the accuracy afterwards."""
    learner = LEARNERS[kind][name]()
    given = [(learner.form(x), y) for x, y in examples(kind, BEGIN + n + HELD_OUT)]
    learn_all(learner, given[:BEGIN])
    more, rest = given[BEGIN : BEGIN + n], given[BEGIN + n :]
    seconds = time_call(lambda: learn_all(learner, more))
    answers: list[int] = []
    asked = time_call(lambda: answers.extend(learner.ask(x) for x, _ in rest))
    right = sum(int(a) == y for a, (_, y) in zip(answers, rest, strict=True))
    return {
        "update": seconds / len(more),
        "predict": asked / len(rest),
        "accuracy": right / len(rest),
    }


def learn_all(learner: Learner, given: Sequence[tuple[object, int]]) -> None:
    """Learn one example after the other."""
    for example, label in given:
        learner.learn(example, label)


if __name__ == "__main__":
    with exit_where_missing():
        print(json.dumps(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
