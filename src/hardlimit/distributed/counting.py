"""What is known before the first epoch: features and labels of all shards, or an earlier run."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import Any, Protocol, cast

import numpy as np

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.initial_weights import begin_at, start_again
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.storable_labels import labels_from_json
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Counts, Targets
from hardlimit.distributed import work
from hardlimit.distributed.checkpoint import Progressed
from hardlimit.distributed.engines import Part
from hardlimit.distributed.featurisers import AskShards, Featuriser
from hardlimit.distributed.run import TrainingRun
from hardlimit.foundation.types import Array
from hardlimit.learner import FitOutcome
from hardlimit.readers import Spellings
from hardlimit.readers.file_notes import sentences_of
from hardlimit.sources.files import FileRows, Told
from hardlimit.sources.pieces import Piece, Shard
from hardlimit.sources.reading import FileBatch

# Gives the choices by the rows of each label and of all.
Counted = Callable[[Counter[Any], int], Choices]


class Listener(Protocol):
    """Is told of the files and of the labels, and may set parameters of the classifier then.

    held_out : the part of the rows that are not learnt from but handed over, stratified and with
        equal rows on one side; None: all are learnt.
    """

    held_out: float | None

    def surveyed(self, told: Told, featuriser: Featuriser, /) -> object:
        """Hear what the files say of their rows, and what was found out of all of them."""

    def noted(self, notes: list[str], /) -> object:
        """Hear what was met in the files, or which spellings of labels are one."""

    def counted(self, labels: Counter[Any], n_rows: int, /) -> object:
        """Hear how many rows each label has, and how many there are."""

    def take(self, held_out: FileBatch, /) -> object:
        """Take the rows that are held out."""


class Nobody:
    """Holds nothing out, and hears nothing."""

    held_out: float | None = None

    def hear(self, *told: object) -> None:
        """Do nothing."""

    surveyed = noted = counted = take = hear


_NOBODY: Listener = Nobody()


class Questions:
    """Asks all shards; the first answers about the rows that are there have their labels too.

    listener : hears what was met in the files, when they are read first.
    """

    def __init__(self, run: TrainingRun, listener: Listener = _NOBODY) -> None:
        self._run, self._listener = run, listener
        self._counts: Counts | None = None
        self._is_first = True

    def ask(self, question: object, of_all: bool = False) -> list[Any]:
        """Return what each shard answers; None asks for labels only.

        of_all : whether rows that are left out are asked too.
        """
        run = self._run
        wants_labels = self._counts is None and not (of_all and run.left_out is not None)
        wants_digests = not all(piece.digest for shard in run.shards for piece in shard.pieces)
        parts = [Part.of(run.settings().packed()), Part.of(pickle.dumps(question, protocol=5))]
        found: list[work.Answered] = run.map(
            work.ask_shard,
            "counting",
            parts,
            tally=lambda place, one: (one.n_rows, None),
            of_all=of_all,
            wants_digests=wants_digests,
            wants_labels=wants_labels,
        )
        if self._is_first:
            self._is_first = False
            self._listener.noted(sentences_of(note for one in found for note in one.notes))
        if wants_labels:
            self._counts = Counter()
            for one in found:
                self._counts.update(one.labels)
        if wants_digests:
            run.shards = [
                replace(shard, pieces=tuple(map(_with_digest, shard.pieces, one.digests)))
                for shard, one in zip(run.shards, found, strict=True)
            ]
        return [one.answer for one in found]

    def ask_all(self, question: object) -> list[Any]:
        """Return what each shard answers, by all its rows."""
        return self.ask(question, of_all=True)

    def forget_labels(self) -> None:
        """Count labels anew: some rows are left out now."""
        self._counts = None

    def counts(self) -> Counts:
        """Return what was counted of the labels as they are learnt."""
        if self._counts is None:
            self.ask(None)
        assert self._counts is not None  # that question has them
        return self._run.featuriser.targets.plain_counts(self._counts)


def _with_digest(piece: Piece, digest: str) -> Piece:
    return replace(piece, digest=digest)


def survey(run: TrainingRun, listener: Listener, source: FileRows) -> Questions:
    """Find out what must be known of all rows, and which of them are held out.

    source : of which the shards are.
    """
    asked, featuriser = Questions(run, listener), run.featuriser
    featuriser.survey(run.choices, run.shards, asked.ask_all)
    if source.folds:
        targets = featuriser.targets
        spellings, counts = Spellings(), targets.rows_of_each(asked.counts())
        spellings.take(counts)
        featuriser.targets = targets.folded(spellings)
        listener.noted(spellings.notes(counts))
    listener.surveyed(
        source.widened(lambda: featuriser.n_columns, featuriser.zero_based), featuriser
    )
    if listener.held_out is not None:
        run.left_out = find_held_out(asked.ask_all, featuriser.targets, listener.held_out)
        listener.take(featuriser.join(asked.ask(work.HeldOutRows())))
        asked.forget_labels()
    return asked


def count(
    run: TrainingRun, asked: Questions | None = None, counted: Counted | None = None
) -> Model:
    """Learn features and labels of all shards; return a model that has learnt nothing.

    asked : of a survey before.    counted : called with the rows of each label, and of all; it
    gives the choices, of which some may depend on that.
    """
    asked, featuriser = asked or Questions(run), run.featuriser
    chosen = featuriser.choose(run.choices, run.shards, run.settings().kept)
    run.given |= chosen

    def settle() -> None:
        """Take the choices that depend on the labels."""
        if counted is not None:
            targets, counts = featuriser.targets, asked.counts()
            run.take_choices(counted(targets.rows_of_each(counts), targets.n_rows(counts)))
            run.given |= chosen

    featuriser.measure(run, asked.ask, settle)
    choices, targets, counts = run.choices, featuriser.targets, asked.counts()
    targets.require(counts, run.shards[0].pieces[0].path)
    book = targets.open_book(choices, (), counts)
    targets.warn_of_counts(counts, book)
    run.labels, run.n_rows = targets.rows_of_each(counts, book), targets.n_learnt(counts, book)
    start = run.weights_at_start(book)  # first: terms that no text has are columns too
    run.training = Training(choices, book, featuriser.n_columns)
    begin_at(run.training, start)
    if choices.balanced:
        run.training.class_counts = ClassCounts(
            {label: run.labels[label] for label in book.numbers}
        )
    weights = _begin(run)
    if start is not None:
        run.send_all()
    weighted = weights is not None and any(w not in (0, 1) for w in weights.values())
    return run.make_model(FitOutcome(weighted=weighted))


def _begin(run: TrainingRun) -> dict[Any, float] | None:
    """Have the first of the parts; return the weights of the classes."""
    weights = class_weights(run.choices, run.training.book.numbers, run.labels)
    run.begin(weights)
    return weights


def go_on(run: TrainingRun, before: Model, found: Progressed, shards: list[Shard]) -> Model:
    """Return the model of a run that was broken off, to learn on."""
    run.shards, run.largest = shards, float.fromhex(found.largest)
    labels = labels_from_json(cast(Any, found.labels))
    run.labels = Counter(dict(zip(labels, found.counts, strict=True)))
    run.training = training = before.state
    run.n_rows = found.n_rows
    training.choices = run.choices
    training.mistakes = 0  # those of its epochs are added up at the end
    run.featuriser.restore(before)
    start = run.weights_at_start(training.book)
    if start is not None:
        start_again(training, start)
    _begin(run)
    run.send_all()
    for neuron in found.resting:
        training.state.rest(neuron)
    run.send_resting()
    return run.make_model(before.outcome)


def class_weights(
    choices: Choices, classes: Iterable[Any], labels: Counter[Any]
) -> dict[Any, float] | None:
    """Return what each class weighs, ``balanced`` as numbers."""
    if not choices.balanced:
        return cast("dict[Any, float] | None", choices.class_weight)
    there = list(classes)
    n, k = sum(labels[label] for label in there), len(there)
    return {label: n / (k * labels[label]) for label in there}


def find_held_out(ask: AskShards, targets: Targets[Any], part: float) -> dict[int, Array]:
    """Return which rows of each shard are held out: a truth value a row, by the shard's number.

    Memory of the driver: some 200 bytes a row.
    """
    found: list[work.RowKeys] = ask(work.Keys())
    labels = list(chain.from_iterable(one.labels for one in found))
    digests = work.split_digests(found)
    _, rows = targets.split(digests, labels, part)
    held = np.zeros(len(labels), bool)
    held[rows] = True
    return cut_mask(held, [len(one.labels) for one in found])


def cut_mask(mask: Array, lengths: list[int]) -> dict[int, Array]:
    """Return the parts of a mask that belong to the shards, which have so many rows."""
    ends = np.add.accumulate(lengths)
    return {k: mask[end - n : end] for k, (end, n) in enumerate(zip(ends, lengths, strict=True))}
