"""The learner of ``TextClassifier`` against LinearSVC, on two halves of the sets of texts.

``python -m benchmarks.halves first`` compares settings of the learner on the sets that are made of
SMS messages, 20 newsgroups and Enron mails; ``second`` on the others: IMDb, banking77, SpamAssassin
and merged sets. What is chosen on the first half is confirmed on the second, with other seeds. The
features are those of the defaults, computed once a set and seed and shared by all settings. Up to
3,000 texts beside the training texts are tested, so that the figures are steadier than those of
``python -m benchmarks.defaults sets``.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpora import Corpus
from benchmarks.defaults import BLOCKS, SHORTER, WORDS, matrices
from benchmarks.tables import markdown_table
from benchmarks.text_sets import NAMES, SETS, WRONG, with_wrong_labels

TRAIN, TEST = 2400, 3000
FIRST = ("sms_spam", "20newsgroups", "enron_spam")
SEEDS = {"first": (10, 11), "second": (20, 21)}


@dataclass(frozen=True)
class Setting:
    """One setting of the learner; the defaults are those of ``TextClassifier``."""

    rule: str = "passive-aggressive"
    parameters: tuple[tuple[str, float], ...] = (("C", 1.0),)
    epochs: int = 5
    bias: float = 0.1
    readout: str = "averaged"
    multiclass: str = "coupled"

    def __str__(self) -> str:
        values = ", ".join(f"{name} = {value:g}" for name, value in self.parameters)
        parts = [f"{self.rule} {values}".rstrip(), f"{self.epochs} epochs"]
        parts += [self.readout] if self.readout != "averaged" else []
        parts += [self.multiclass] if self.multiclass != "coupled" else []
        parts += [f"bias {self.bias:g}"] if self.bias != 0.1 else []
        return ", ".join(parts)


def passive(C: float, epochs: int = 5, **others) -> Setting:
    """Return a setting of PA-I."""
    return Setting(parameters=(("C", C),), epochs=epochs, **others)


def other(rule: str, epochs: int = 5, multiclass: str = "coupled", **parameters: float) -> Setting:
    """Return a setting of another rule."""
    return Setting(rule, tuple(parameters.items()), epochs, multiclass=multiclass)


SETTINGS = (
    Setting(),
    passive(1, 10),
    *(passive(0.3, n) for n in (5, 7, 10)),
    passive(1, readout="last"),
    passive(1, multiclass="ovr"),
    *(passive(1, bias=bias) for bias in (0.2, 0.3)),
    *(other("passive-aggressive-2", C=C) for C in (0.3, 0.5, 1)),
    other("passive-aggressive-2", 7, C=0.5),
    other("passive-aggressive-2", multiclass="ovr", C=1),
    other("margin-perceptron", b=2),
    other("arow", r=1),
)


def half(name: str) -> str:
    """Return the half that a set belongs to."""
    return "first" if name.startswith(FIRST) and " + " not in name else "second"


def draw(name: str, seed: int) -> tuple[Corpus, Corpus]:
    """Return a training and a test part of the named set, drawn at random."""
    plain, _, size = name.removesuffix("~").partition("#")
    corpus = SETS[plain]()
    order = np.random.default_rng(seed).permutation(len(corpus.texts))
    n = int(size or min(TRAIN, len(order) * 4 // 5))
    train, test = corpus.take(order[:n]), corpus.take(order[n : n + TEST])
    return (with_wrong_labels(train, seed, WRONG) if name.endswith("~") else train), test


def answers(setting: Setting, X, labels, X_test) -> np.ndarray:
    """Fit, and return the predictions."""
    from hardlimit import LinearClassifier, rules

    return (
        LinearClassifier(
            rule=rules.get(setting.rule, **dict(setting.parameters)),
            keep=(setting.readout,),
            readout=setting.readout,
            until=None,
            max_iter=setting.epochs,
            bias_feature=setting.bias,
            multiclass=setting.multiclass,
        )
        .fit(X, labels)
        .predict(X_test)
    )


def measure(name: str, seed: int, settings: list[Setting]) -> dict[str, float]:
    """Return LinearSVC's accuracy and what each setting gains on it."""
    from sklearn.svm import LinearSVC

    train, test = draw(name, seed)
    X, X_test = matrices(WORDS, train, test)
    truth = np.array(test.labels)
    theirs = LinearSVC().fit(X, train.labels).predict(X_test) == truth
    if statistics.median(map(len, train.texts)) < SHORTER:
        X, X_test = matrices({**BLOCKS, "chars": (2, 5)}, train, test)
    found = {"LinearSVC": float(theirs.mean())}
    for setting in settings:
        right = answers(setting, X, train.labels, X_test) == truth
        found[str(setting)] = float(right.mean() - theirs.mean())
    return found


def gains(which: str, settings: list[Setting], path: Path) -> dict[str, dict[str, float]]:
    """Return the means over the seeds for each set of a half, kept in a file between runs."""
    known = json.loads(path.read_text()) if path.exists() else {}
    for name in (name for name in NAMES if half(name) == which):
        for seed in SEEDS[which]:
            there = known.setdefault(f"{name} {seed}", {})
            missing = [one for one in settings if str(one) not in there]
            if missing:
                there.update(measure(name, seed, missing))
                path.write_text(json.dumps(known))
                print(name, seed, flush=True)
    return {
        name: {
            key: statistics.mean(known[f"{name} {seed}"][key] for seed in SEEDS[which])
            for key in ("LinearSVC", *map(str, settings))
        }
        for name in NAMES
        if half(name) == which
    }


def summary(by_set: dict[str, dict[str, float]], settings: list[Setting]) -> Iterator[tuple]:
    """Yield mean, least and noisy sets of each setting."""
    for setting in map(str, settings):
        clean = {name: one[setting] for name, one in by_set.items() if not name.endswith("~")}
        wrong = {name: one[setting] for name, one in by_set.items() if name.endswith("~")}
        cells = [statistics.mean(by[setting] for by in by_set.values())]
        for part in (clean, wrong):
            least = min(part, key=part.__getitem__)
            cells += [statistics.mean(part.values()), part[least], least]
        yield setting, *(one if isinstance(one, str) else f"{one:+.4f}" for one in cells)


def main() -> None:
    """Print the table of one half."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.halves", description=__doc__)
    parser.add_argument("which", choices=tuple(SEEDS))
    parser.add_argument(
        "--keep", type=Path, required=True, help="file of what is measured, for runs in parts"
    )
    options = parser.parse_args()
    by_set = gains(options.which, list(SETTINGS), options.keep)
    head = ("setting", "mean", "right labels", "least", "set", "wrong labels", "least", "set")
    print(markdown_table(head, summary(by_set, list(SETTINGS))))


if __name__ == "__main__":
    main()
