"""Settings beside the default of ``TextClassifier`` with all texts of the shared sets.

``python -m benchmarks.full_size learners`` compares PA-II with the default learner, with right
labels and with a tenth of the training labels wrong; ``blocks`` compares the weights of the blocks
of words and characters, on the sets of short texts. Random splits of the training parts: four
fifths for training, a fifth for testing. All settings of a split see the same texts, so that the
standard error is that of the differences between them, over the splits; where it is as large as the
difference, there is none.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from benchmarks.corpora import Corpus
from benchmarks.defaults import BLOCKS, SHORTER, WORDS, matrices
from benchmarks.halves import Setting, answers, other
from benchmarks.tables import markdown_table
from benchmarks.text_sets import LONG, SHORT, draw_split

ALL_TEXTS = 1 << 30
RIGHT, WRONG = 3, 2  # splits with right labels, and with a tenth wrong
LEARNERS = (
    Setting(),
    other("passive-aggressive-2", C=0.5),
    other("passive-aggressive-2", C=1),
    other("passive-aggressive-2", 7, C=0.5),
)
WEIGHTS = ((0.85, 0.53), None, (0.8, 0.6), (0.71, 0.71))  # None is one length for both
Measured = dict[str, list[float]]


def mean(values: Sequence[float]) -> str:
    """Return a mean as the tables show it.

    >>> mean([0.5, 0.75])
    '0.6250'
    """
    return f"{statistics.mean(values):.4f}"


def difference(values: Sequence[float], base: Sequence[float]) -> str:
    """Return the mean difference and its standard error.

    >>> difference([0.5, 0.75], [0.25, 0.75]), difference([0.5], [0.25])
    ('+0.1250 ± 0.1250', '+0.2500')
    """
    apart = [a - b for a, b in zip(values, base, strict=True)]
    text = f"{statistics.mean(apart):+.4f}"
    if len(apart) < 2:
        return text
    return f"{text} ± {statistics.stdev(apart) / math.sqrt(len(apart)):.4f}"


def learners_of(train: Corpus, test: Corpus) -> dict[str, float]:
    """Return the accuracy of each learner over the features of the defaults."""
    short = statistics.median(map(len, train.texts)) < SHORTER
    X, X_test = matrices({**BLOCKS, "chars": (2, 5)} if short else WORDS, train, test)
    truth = np.array(test.labels)
    return {
        str(one): float((answers(one, X, train.labels, X_test) == truth).mean()) for one in LEARNERS
    }


def blocks_of(train: Corpus, test: Corpus) -> dict[str, float]:
    """Return the accuracy of the default learner with each weight of the blocks."""
    truth, found = np.array(test.labels), {}
    for weights in WEIGHTS:
        features = {**WORDS, "chars": (2, 5), "block_weights": weights}
        X, X_test = matrices(features, train, test)
        name = "one length" if weights is None else " / ".join(map(str, weights))
        found[name] = float((answers(Setting(), X, train.labels, X_test) == truth).mean())
    return found


def measure(
    name: str, splits: int, accuracies: Callable[[Corpus, Corpus], dict[str, float]]
) -> Measured:
    """Return the accuracies on every split of a set, by setting."""
    found: Measured = {}
    for seed in range(splits):
        for setting, accuracy in accuracies(*draw_split(name, seed, ALL_TEXTS)).items():
            found.setdefault(setting, []).append(accuracy)
        print(name, seed, {key: round(values[-1], 4) for key, values in found.items()}, flush=True)
    return found


def lines(names: Sequence[str], splits: int | None, accuracies: Callable) -> Iterator[list[str]]:
    """Yield a line for each set: the first setting, and what the others differ from it."""
    for name in names:
        n = splits or (WRONG if name.endswith("~") else RIGHT)
        base, *others = measure(name, n, accuracies).values()
        yield [name, str(n), mean(base), *(difference(one, base) for one in others)]


def main() -> None:
    """Print the table of one experiment."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.full_size", description=__doc__)
    parser.add_argument("what", choices=("learners", "blocks"))
    parser.add_argument("sets", nargs="*", help="names of sets; '~' behind one: wrong labels")
    parser.add_argument("--splits", type=int, help="random splits of each set; default 3, 2 for ~")
    options = parser.parse_args()
    if options.what == "blocks":
        names, accuracies = SHORT, blocks_of
        settings = ["one length" if one is None else " / ".join(map(str, one)) for one in WEIGHTS]
    else:
        names = [*SHORT, *LONG, *(f"{name}~" for name in (*SHORT, *LONG))]
        accuracies, settings = learners_of, list(map(str, LEARNERS))
    table = lines(options.sets or names, options.splits, accuracies)
    print(markdown_table(("set", "splits", *settings), list(table)))


if __name__ == "__main__":
    main()
