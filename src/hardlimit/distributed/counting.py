"""What is known before the first epoch: features and labels of all shards, or an earlier run."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import ClassCounts, book_of_fit, present_labels
from hardlimit.classifiers.model.many_labels import ManyBook, ManyLabels
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.text_answer import labels_from_json
from hardlimit.classifiers.model.training import Training
from hardlimit.distributed import jobs, work
from hardlimit.distributed.checkpoint import Progressed
from hardlimit.distributed.engines import Part
from hardlimit.distributed.recipes import Shard
from hardlimit.distributed.run import Run
from hardlimit.exceptions import DataFormatError
from hardlimit.learner import Outcome


class _Questions:
    """Asks all shards; the first answers have their labels too."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.labels: Counter[Any] = Counter()
        self.n_rows, self.several, self._asked = 0, False, False

    def ask(self, question: Any) -> list[Any]:
        """Return what each shard answers."""
        run, is_first = self._run, not self._asked
        parts = [Part.of(run.settings().packed()), Part.of(pickle.dumps(question, protocol=5))]
        found: list[jobs.Answered] = run.map(
            work.ask_shard,
            "counting",
            parts,
            tally=lambda place, one: (one.n_rows, None),
            is_first=is_first,
        )
        if is_first:
            self._asked = True
            self._take(found)
        return [one.answer for one in found]

    def _take(self, found: list[jobs.Answered]) -> None:
        run = self._run
        for one in found:
            self.labels.update(one.labels)
            self.n_rows += one.n_rows
            self.several |= one.several
        run.shards = [
            replace(shard, pieces=tuple(map(_with_digest, shard.pieces, one.digests)))
            for shard, one in zip(run.shards, found, strict=True)
        ]

    def plain_labels(self) -> Counter[Any]:
        """Return the rows of each label as it is learnt."""
        plain: Counter[Any] = Counter()
        each = self._run.featuriser.plain_labels(list(self.labels))
        for label, n in zip(each, self.labels.values(), strict=True):
            plain[label] += n
        return plain


def _with_digest(piece: Any, digest: str) -> Any:
    return replace(piece, digest=digest)


def count(run: Run) -> Model:
    """Learn features and labels of all shards; return a model that has learnt nothing."""
    featuriser, choices, asked = run.featuriser, run.choices, _Questions(run)
    kept = run.settings().kept
    run.given |= featuriser.choose(choices, run.shards, kept, asked.ask)
    featuriser.measure(choices, asked.ask)
    run.labels = asked.plain_labels()
    book: Any
    if asked.several:
        book = _book_of_sets(choices, run.labels, asked.n_rows, run.shards)
        run.n_rows = asked.n_rows
    else:
        book = book_of_fit(present_labels(list(run.labels), None, choices.class_weight))
        run.n_rows = sum(run.labels[label] for label in book.numbers)
    run.training = Training(choices, book, featuriser.n_columns)
    if choices.balanced:
        run.training.class_counts = ClassCounts(
            {label: run.labels[label] for label in book.numbers}
        )
    weights = _begin(run)
    weighted = weights is not None and any(w not in (0, 1) for w in weights.values())
    return run.make_model(Outcome(weighted=weighted))


def _book_of_sets(
    choices: Choices, labels: Counter[Any], n_rows: int, shards: list[Shard]
) -> ManyBook:
    """Return the labels of rows that have several; warn of those that all rows have."""
    fit.refuse_class_weight(choices)
    if not labels:
        raise DataFormatError("no row has a label", where=shards[0].pieces[0].path)
    book = many_labels.read_targets([frozenset(labels)]).book
    always = np.array([labels[label] == n_rows for label in book.numbers])
    ManyLabels(book, np.stack([np.ones(len(book), bool), always])).warn_of_constants(None)
    return book


def _begin(run: Run) -> dict[Any, float] | None:
    """Have the first of the parts; return the weights of the classes."""
    weights = _class_weights(run.choices, run.training.book.numbers, run.labels)
    run.begin(weights)
    return weights


def go_on(run: Run, before: Model, found: Progressed, shards: list[Shard]) -> Model:
    """Return the model of a run that was broken off, to learn on."""
    run.shards, run.largest = shards, float.fromhex(found.largest)
    labels = labels_from_json(cast(Any, found.labels))
    run.labels = Counter(dict(zip(labels, found.counts, strict=True)))
    run.training = training = before.state
    run.n_rows = found.n_rows
    training.choices = run.choices
    training.mistakes = 0  # those of its epochs are added up at the end
    run.featuriser.restore(before, found.features)
    _begin(run)
    run.send_all()
    for neuron in found.resting:
        training.state.rest(neuron)
    run.send_resting()
    return run.make_model(before.outcome)


def _class_weights(
    choices: Choices, classes: Iterable[Any], labels: Counter[Any]
) -> dict[Any, float] | None:
    """Return what each class weighs, ``balanced`` as numbers."""
    if not choices.balanced:
        return cast("dict[Any, float] | None", choices.class_weight)
    there = list(classes)
    n, k = sum(labels[label] for label in there), len(there)
    return {label: n / (k * labels[label]) for label in there}
