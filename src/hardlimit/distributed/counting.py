"""What is known before the first epoch: features and labels of all shards, or an earlier run."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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
from hardlimit.distributed.holding_out import HeldOut, find_held_out
from hardlimit.distributed.listener import Listener
from hardlimit.distributed.recipes import Shard
from hardlimit.distributed.run import Run
from hardlimit.exceptions import DataFormatError
from hardlimit.learner import Outcome
from hardlimit.readers import Spellings


class Questions:
    """Asks all shards; the first answers about the rows that are there have their labels too."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.labels: Counter[Any] = Counter()
        self.n_rows, self.several, self.counted = 0, False, False

    def ask(self, question: Any, of_all: bool = False) -> list[Any]:
        """Return what each shard answers; None asks for labels only.

        of_all : whether rows that are left out are asked too.
        """
        run = self._run
        wants_labels = not self.counted and not (of_all and run.left_out is not None)
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
            self._take_labels(found)
        if wants_digests:
            run.shards = [
                replace(shard, pieces=tuple(map(_with_digest, shard.pieces, one.digests)))
                for shard, one in zip(run.shards, found, strict=True)
            ]
        return [one.answer for one in found]

    def ask_all(self, question: Any) -> list[Any]:
        """Return what each shard answers, by all its rows."""
        return self.ask(question, of_all=True)

    def _take_labels(self, found: list[jobs.Answered]) -> None:
        self.counted = True
        for one in found:
            self.labels.update(one.labels)
            self.n_rows += one.n_rows
            self.several |= one.several

    def forget_labels(self) -> None:
        """Count labels anew: some rows are left out now."""
        self.labels, self.n_rows, self.counted = Counter(), 0, False

    def plain_labels(self) -> Counter[Any]:
        """Return the rows of each label as it is learnt."""
        if not self.counted:
            self.ask(None)
        plain: Counter[Any] = Counter()
        each = self._run.featuriser.plain_labels(list(self.labels))
        for label, n in zip(each, self.labels.values(), strict=True):
            plain[label] += n
        return plain


def _with_digest(piece: Any, digest: str) -> Any:
    return replace(piece, digest=digest)


def survey(run: Run, listener: Listener, layout: Any, folds: bool = False) -> Questions:
    """Find out what must be known of all rows, and which of them are held out.

    layout : how the first file is read, for the listener.    folds : whether labels that differ
    only in their spelling are one.
    """
    asked = Questions(run)
    run.featuriser.survey(run.choices, run.shards, asked.ask_all)
    if folds:
        spellings, counts = Spellings(), asked.plain_labels()
        spellings.take(counts)
        run.featuriser.spellings = spellings
        listener.folded(spellings.notes(counts))
    listener.surveyed(layout, run.featuriser)
    if listener.held_out is not None:
        run.left_out = find_held_out(asked.ask_all, listener.held_out)
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
    featuriser, choices, run.labels = run.featuriser, run.choices, asked.plain_labels()
    book: Any
    if featuriser.label_names:
        book = _book_of_columns(choices, featuriser.label_names, run.labels)
        run.n_rows, rows = asked.n_rows, run.labels
        run.labels = Counter(
            {
                name: sum(n for row, n in rows.items() if row[k] == book.values[1][k])
                for k, name in enumerate(featuriser.label_names)
            }
        )
    elif asked.several:
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


def _settle(
    run: Run,
    asked: Questions,
    counted: Callable[[Counter[Any], int], Choices],
    chosen: dict[str, Any],
) -> None:
    """Take the choices that depend on the labels; of numbers before columns are measured."""
    labels = asked.plain_labels()
    run.take_choices(counted(labels, asked.n_rows))
    run.given |= chosen


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


class _Columns:
    """Different values of columns of labels, as a table."""

    def __init__(self, names: Sequence[str], columns: list[list[Any]]) -> None:
        self.columns, self._values = names, columns

    def to_numpy(self) -> Any:
        """Return rows that have all values."""
        n = max(map(len, self._values))
        filled = [own + own[-1:] * (n - len(own)) for own in self._values]
        return many_labels.as_matrix(list(zip(*filled, strict=True)))


def _book_of_columns(choices: Choices, names: Sequence[str], rows: Counter[Any]) -> ManyBook:
    """Return the labels that columns are; warn of those whose rows all agree."""
    fit.refuse_class_weight(choices)
    values = [list(dict.fromkeys(own)) for own in zip(*rows, strict=True)]
    found = many_labels.read_targets(_Columns(names, values))
    found.warn_of_constants(None)
    return found.book


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
