"""Writes the golden model files of the present format: once for each version, never again.

python tests/golden/make.py VERSION [NAME ...]        NAME is text, numbers, votes, theta,
                                                      dual, many, map, seen, columns, labels,
                                                      table or estimator
python tests/golden/make.py ledger VERSION            a model and its ledger, of that version
"""

import json
import sys
from pathlib import Path

import numpy as np

from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    PassiveAggressiveClassifier,
    TableClassifier,
    TextClassifier,
    guards,
    kernels,
    maps,
    open_live,
)
from hardlimit.live import writing

HERE = Path(__file__).parent
TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch", "Ὀδυσσεύς ΣΑΣ",
         "中文 тест", "free lunch prize"]  # fmt: skip
LABELS = ["spam", "ham", "spam", "ham", "other", "other", "spam"]


def write(name, clf, inputs):
    clf.save(HERE / f"{name}.hardlimit")
    scores = np.atleast_2d(clf.decision_function(inputs).T).T
    labels = clf.predict(inputs).tolist()
    inside = clf.model_ if hasattr(clf, "model_") else clf
    streams = inside.fitted.choices.readout in ("last", "averaged")  # a vote learns no further
    after = clf.partial_fit(inputs, labels).n_corrections_ if streams else None
    told = {
        "inputs": inputs,
        "scores": [[float(v).hex() for v in row] for row in scores],
        "labels": labels,
        "corrections": after,
    }
    (HERE / f"{name}.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def text():
    return TextClassifier().fit(TEXTS, LABELS), [*TEXTS, "unknown words", ""]


def drawn():
    rng = np.random.default_rng(0)
    return rng.integers(-8, 9, (30, 5)) / 4, rng.integers(0, 3, 30)


def numbers():
    X, y = drawn()
    clf = LinearClassifier("passive-aggressive", max_iter=3, until=None).fit(X, y)
    return clf, X[:6].tolist()


def votes():
    X, y = drawn()
    chosen = {"order": "random", "schedule": "1/sqrt(step)", "guard": guards.AlphaBound(3)}
    kept = {"keep": ("last", "voted"), "readout": "voted"}
    clf = LinearClassifier("perceptron", max_iter=3, until=None, **chosen, **kept).fit(X, y)
    return clf, X[:6].tolist()


def theta():
    X, y = drawn()
    clf = LinearClassifier("balanced-winnow", max_iter=3, until=None).fit(X, y)
    return clf, X[:6].tolist()


def dual():
    X, y = drawn()
    clf = KernelClassifier(kernels.Polynomial(2, 0.5), max_iter=3, until=None).fit(X, y)
    return clf, X[:6].tolist()


def many():
    """Packed weights: eight classes, of which each term knows few."""
    texts = [f"{text} {number}" for text in TEXTS for number in range(3)]
    labels = [f"class {row % 9}" for row in range(len(texts))]
    return TextClassifier(max_iter=3).fit(texts, labels), [*texts, "unknown words", ""]


def mapped():
    X, y = drawn()
    clf = LinearClassifier(map=maps.Polynomial(2), max_iter=3, until=None).fit(X, y)
    return clf, X[:6].tolist()


def seen():
    """A map that has learnt from the rows which pairs of columns meet."""
    X, y = drawn()
    X = X * (abs(X) > 1.5)  # so that some pairs never do
    clf = LinearClassifier(map=maps.Cross(which="seen"), max_iter=3, until=None).fit(X, y)
    return clf, X[:6].tolist()


def columns():
    """A table of two columns of texts, each with features of its own."""
    table = [[text, " ".join(reversed(text.split()))] for text in TEXTS]
    return TextClassifier(text_columns=["subject", "body"]).fit(table, LABELS), table


def labels():
    """Several labels a text, with probabilities and a threshold that was moved."""
    sets = [["spam"], [], ["spam", "prize"], ["meal"], ["other"], ["other"], ["spam", "meal"]]
    clf = TextClassifier(max_iter=3, probability=True).fit(TEXTS, sets)
    clf.threshold_ = -0.125
    return clf, [*TEXTS, "unknown words", ""]


def table():
    """Numbers, one of them missing, categories and texts side by side."""
    cities = ["Ghent", "Bruges", None, "Ghent", "Rome", "Rome", "Bruges"]
    ages = [41, 23.5, 38, None, 19, 64, 30]
    rows = [dict(zip(("text", "city", "age"), row, strict=True))
            for row in zip(TEXTS, cities, ages, strict=True)]  # fmt: skip
    named = {"text_columns": ["text"], "category_columns": ["city"], "number_columns": ["age"]}
    return TableClassifier(missing="mean", **named).fit(rows, LABELS), rows


def estimator():
    """Beside the weights: class, parameters, calibration and a stream that goes on."""
    X, y = drawn()
    chosen = {"C": float("inf"), "probability": True, "bias_feature": 0.3, "average": True}
    clf = PassiveAggressiveClassifier(max_iter=3, **chosen).fit(X, y)
    return clf.partial_fit(X[:5], y[:5]), X[:6].tolist()


GOLDEN = {
    "text": text,
    "numbers": numbers,
    "votes": votes,
    "theta": theta,
    "dual": dual,
    "many": many,
    "map": mapped,
    "seen": seen,
    "columns": columns,
    "labels": labels,
    "table": table,
    "estimator": estimator,
}


def write_ledger(version):
    """Entries of every kind, a new class, new terms, a snapshot and effects that were made anew."""
    path = HERE / f"live-{version}.hardlimit"
    TextClassifier(max_iter=3).fit(TEXTS, LABELS).save(path)
    writing.BETWEEN = 8  # entries from one snapshot to the next
    with open_live(path) as live:
        for number, text in enumerate(TEXTS):
            live.correct(text, LABELS[number - 3], by="ann", margin=1 + number / 4)
        guard = live.add_guard("a prize for lunch", by="bo")
        live.confirm("win it")
        live.correct("unheard of 新語", "never heard", by="Zoë", guards="flag")
        live.undo(2, by="ann")
        live.remove_guard(guard)
        live.undo(live.n_entries - 1)
        live.undo(live.n_entries)
    with open_live(path, read_only=True) as live:
        corrected = [entry for entry in live.log() if entry.kind == "correct"]
        told = {
            "fingerprint": live.fingerprint,
            "digest": live.digest(),
            "snapshots": 1,
            "scores": {e.id: [v.hex() for v in live.scores([e.text])[0]] for e in corrected},
        }
    (HERE / f"{path.name}.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    version, *names = sys.argv[1:]
    if version == "ledger":
        write_ledger(*names)
        sys.exit()
    for name in names or GOLDEN:
        write(f"{name}-{version}", *GOLDEN[name]())
