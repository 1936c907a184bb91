"""What is known before the first epoch: features and labels of all shards, or an earlier run."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.initial_weights import begin_at, start_again
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.storable_labels import labels_from_json
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Counts
from hardlimit.distributed import jobs, work
from hardlimit.distributed.checkpoint import Progressed
from hardlimit.distributed.engines import Part
from hardlimit.distributed.holding_out import HeldOut, find_held_out
from hardlimit.distributed.listener import Listener
from hardlimit.distributed.run import Run
from hardlimit.learner import FitOutcome
from hardlimit.readers import Spellings
from hardlimit.sources.pieces import Shard

if TYPE_CHECKING:
    from hardlimit.readers import Layout


class Questions:
    """Asks all shards; the first answers about the rows that are there have their labels too."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counts: Counts | None = None

    def ask(self, question: object, of_all: bool = False) -> list[Any]:
        """Return what each shard answers; None asks for labels only.

        of_all : whether rows that are left out are asked too.
        """
        run = self._run
        wants_labels = self._counts is None and not (of_all and run.left_out is not None)
        wants_digests = not all(piece.digest for shard in run.shards for piece in shard.pieces)
        parts = [Part.of(run.settings().packed()), Part.of(pickle.dumps(question, protocol=5))]
        found: list[jobs.Answered] = run.map(
            work.ask_shard,
            "counting",
            parts,
            tally=lambda place, one: (one.n_rows, None),
            of_all=of_all,
            wants_digests=wants_digests,
            wants_labels=wants_labels,
        )
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


def _with_digest(piece: Any, digest: str) -> Any:
    return replace(piece, digest=digest)


def survey(run: Run, listener: Listener, layout: Layout, folds: bool = False) -> Questions:
    """Find out what must be known of all rows, and which of them are held out.

    layout : how the first file is read, for the listener.    folds : whether labels that differ
    only in their spelling are one.
    """
    asked = Questions(run)
    run.featuriser.survey(run.choices, run.shards, asked.ask_all)
    if folds:
        targets = run.featuriser.targets
        spellings, counts = Spellings(), targets.rows_of_each(asked.counts())
        spellings.take(counts)
        run.featuriser.targets = targets.folded(spellings)
        listener.folded(spellings.notes(counts))
    listener.surveyed(layout, run.featuriser)
    if listener.held_out is not None:
        run.left_out = find_held_out(asked.ask_all, run.featuriser.targets, listener.held_out)
        listener.take(run.featuriser.join(asked.ask(HeldOut())))
        asked.forget_labels()
    return asked


def count(
    run: Run,
    asked: Questions | None = None,
    counted: Callable[[Counter[Any], int], Choices] | None = None,
) -> Model:
    """Learn features and labels of all shards; return a model that has learnt nothing.

    asked : of a survey before.    counted : called with the rows of each label, and of all; it
    gives the choices, of which some may depend on that.
    """
    asked = asked or Questions(run)
    kept = run.settings().kept
    chosen = run.featuriser.choose(run.choices, run.shards, kept)
    run.given |= chosen
    if counted is not None and run.choices.text is None:
        _settle(run, asked, counted, chosen)
    run.featuriser.measure(run.choices, asked.ask)
    if counted is not None and run.choices.text is not None:
        _settle(run, asked, counted, chosen)
    featuriser, choices, targets = run.featuriser, run.choices, run.featuriser.targets
    counts = asked.counts()
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


def _settle(
    run: Run,
    asked: Questions,
    counted: Callable[[Counter[Any], int], Choices],
    chosen: dict[str, Any],
) -> None:
    """Take the choices that depend on the labels; of numbers before columns are measured."""
    targets, counts = run.featuriser.targets, asked.counts()
    run.take_choices(counted(targets.rows_of_each(counts), targets.n_rows(counts)))
    run.given |= chosen


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
    start = run.weights_at_start(training.book)
    if start is not None:
        start_again(training, start)
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
