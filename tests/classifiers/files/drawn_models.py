"""Models of every kind, and the SHA-256 of their files: ``python drawn_models.py [FEW]``.

One line a model: what it was learnt with, and the digest of its file, or the class of the error
that refused it. Rows are made of integers and of uniform numbers, which no processor rounds.
"""

import hashlib
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    TableClassifier,
    TextClassifier,
    budgets,
    guards,
    kernels,
    maps,
    orders,
    rules,
    scaling,
    schedules,
)
from hardlimit.exceptions import HardlimitError

GENERATOR = np.random.default_rng(8)
ROWS = GENERATOR.random((60, 37)) * 4 - 2
POSITIVE = np.abs(ROWS) + 0.125
TWO = (ROWS[:, 0] + 0.4 * GENERATOR.random(60) > ROWS[:, 1]).astype(int)
THREE = (ROWS[:, 2] > 0.5).astype(int) + TWO
WORDS = ["win", "lunch", "prize", "noon", "office", "Ὀδυσσεύς", "free", "中文", "money", "at"]
TEXTS = [" ".join(WORDS[k] for k in GENERATOR.integers(0, 10, 9)) for _ in range(40)]
TABLE = [[str(a), str(b), text] for (a, b), text in zip(ROWS[:40, :2], TEXTS, strict=True)]
FEW_COLUMNS = ROWS[:, :7]  # the Gaussian kernel of more is nearly the identity
GRAM = (ROWS[:, None] * ROWS[None]).sum(2)
SIZED = ("forgetron", "random-removal", "remove-oldest", "stoptron")
BUDGETS = {name: {"size": 12} if name in SIZED else {} for name in budgets.names()}
FEW_ORDERS = ("shuffled", "batch")
FEW_RULES = ("perceptron", "passive-aggressive")


def drawn_cases(few):
    """Yield (what it is, classifier, options, rows, labels) of every model."""
    yield from cases_of_rules(few)
    yield from cases_of_kernels(few)
    yield from cases_of_choices()
    yield from cases_of_texts()


def cases_of_rules(few):
    """Each rule with each order, and in each model all read-outs that suit both."""
    for rule in rules.names():
        yield case(LinearClassifier, rule, THREE, multiclass="ovr")
        for order in FEW_ORDERS if few else orders.ORDERS.names():
            yield case(LinearClassifier, rule, TWO, order=order)
            if not few:
                yield case(LinearClassifier, rule, THREE, order=order)
                yield case(LinearClassifier, rule, THREE, order=order, averaging="pre")


def cases_of_kernels(few):
    for kernel in kernels.names():
        rows = GRAM if kernel == "precomputed" else FEW_COLUMNS
        for rule in FEW_RULES if few else rules.names():
            yield case(KernelClassifier, rule, TWO, rows, kernel=kernel)
        for name, parameters in BUDGETS.items():
            budget = budgets.BUDGETS.members[name](**parameters)
            yield case(KernelClassifier, "perceptron", TWO, rows, kernel=kernel, budget=budget)


def cases_of_choices():
    """What the other registers hold, shards, and probabilities."""
    for scale in scaling.names():
        yield case(LinearClassifier, "passive-aggressive", THREE, scale=scale)
    for name in maps.names():
        yield case(LinearClassifier, "arow", TWO, map=name)
    for schedule in [name for name in schedules.names() if name[0] in "1lp"]:
        rule = "perceptron" if schedule[0] == "1" else "relaxation"
        written = schedule.replace("A", "3").replace("B", "7")
        for order in ("cyclic", "batch"):
            yield case(LinearClassifier, rule, TWO, schedule=written, order=order)
    for guard in guards.names():
        for rule in ("perceptron", "adatron"):
            yield case(LinearClassifier, rule, TWO, guard=guard)
    for y in (TWO, THREE):
        yield case(LinearClassifier, "passive-aggressive", y, probability=True)
        for kernel in ("linear", "polynomial", "rbf"):
            yield case(
                KernelClassifier, "perceptron", y, FEW_COLUMNS, kernel=kernel, probability=True
            )
        yield case(LinearClassifier, "perceptron", y, shards=3)
        yield case(LinearClassifier, "perceptron", y, shards=3, mixing="accelerated")


def cases_of_texts():
    y = THREE[:40]
    for options in ({}, {"norm": None, "idf": None}, {"probability": True}, {"hash_bits": 12}):
        yield f"text {options}", TextClassifier, options, TEXTS, y
    for options in ({}, {"probability": True}, {"hash_categories": 8}):
        yield f"table {options}", TableClassifier, options, TABLE, y


def case(front, rule, y, rows=None, **chosen):
    if rows is None:
        rows = POSITIVE if rule.startswith("winnow") else ROWS
    told = f"{front.__name__} {rule} {len(set(y.tolist()))} classes {sorted(chosen.items())}"
    options = {"rule": rule, "max_iter": 4, **chosen}
    if not chosen.keys() & {"probability", "shards"}:
        options |= {"keep": "all", "readout": "last"}
    return told, front, options, rows, y


def digest_of(folder, front, options, rows, y):
    """The digest of a model's file, or the name of the error that refuses it."""
    path = Path(folder) / "model"
    try:
        front(**options).fit(rows, y).save(path)
    except HardlimitError as error:
        return type(error).__name__
    return hashlib.sha256(path.read_bytes()).hexdigest()


def print_digests(few):
    warnings.simplefilter("ignore")  # four epochs do not converge, and need not
    with tempfile.TemporaryDirectory() as folder:
        for told, *made in drawn_cases(few):
            print(f"{told}\t{digest_of(folder, *made)}")


if __name__ == "__main__":
    print_digests(sys.argv[1:] == ["FEW"])
