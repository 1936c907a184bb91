"""Training on a cluster: count, then epochs of shards that are mixed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, cast

import numpy as np

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.mixed import Mixture
from hardlimit.classifiers.fitting.streamed.refusals import check_resumable
from hardlimit.classifiers.fitting.training_errors import errs_by_default
from hardlimit.classifiers.fitting.unreached import warn_unreached
from hardlimit.classifiers.fitting.vectorizing import new_vectorizer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.compatibility import check_mixed
from hardlimit.classifiers.model.labels import ClassCounts, book_of_fit, present_labels
from hardlimit.classifiers.model.model import Facts, Model, freeze
from hardlimit.classifiers.model.text_answer import labels_from_json
from hardlimit.classifiers.model.text_model import TextModel
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.text import TextClassifier
from hardlimit.distributed import work
from hardlimit.distributed.checkpoint import Progressed, ShardCheckpoints
from hardlimit.distributed.engines import Engine, Part, open_engine
from hardlimit.distributed.hashed_terms import fit_hashed
from hardlimit.distributed.recipes import Shard, cut_files
from hardlimit.distributed.wire import pack_delta, unpack_delta
from hardlimit.engine import LiveState, mixing
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation import progress
from hardlimit.foundation.types import PathLike
from hardlimit.learner import EpochRecord, Outcome, Plan, learn
from hardlimit.readers import Layout
from hardlimit.streaming.counting import fit_parts
from hardlimit.text import TextVectorizer, default_features


def train(
    sources: PathLike | Sequence[PathLike],
    layout: Layout | None = None,
    *,
    cluster: Any = "threads",
    classifier: TextClassifier | None = None,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    every: float = 10.0,
    **choices: Any,
) -> Any:
    r"""Learn a classifier of texts from files, in as many shards as it asks for; return it.

    Parameters
    ----------
    sources : files of labelled texts, which every worker must see under the same names
    layout : how they are read; what it does not say is found out
    cluster : ``"threads:N"``, ``"processes:N"``, ``"dask://HOST:PORT"``, or a client of
        ``dask.distributed``
    classifier : what learns, in place of ``choices``. Its ``shards`` and ``mixing`` say how; the
        rule must be one that can be mixed, also with one shard
    callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch
    checkpoint : folder for what was learnt so far, written after an epoch, ``every`` so many
        minutes. Where it has one the run goes on from it and ends with the bits of an unbroken one;
        it is removed at the end
    choices : parameters of the :class:`~hardlimit.TextClassifier` that is learnt where no
        ``classifier`` is given

    Notes
    -----
    The files are gone through once here, where records are cut, and twice by the workers, which
    count terms and make rows; rows that a worker has forgotten are made anew. What travels in an
    epoch are the cells that each shard moved, and the mixture of them to each worker.

    Raises
    ------
    InputError
        Choices that cannot be mixed, or that need all texts at once; one class only; fewer records
        than shards; a scheduler that does not answer; a file that changed.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "messages.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("text,label\nwin a prize,spam\nlunch?,ham\na prize,spam\nsee you,ham\n")
    >>> clf = train(path, cluster="threads:2", shards=2)
    >>> print(clf.predict(["prize!"])[0], clf.n_training_errors_)
    spam 0
    """
    paths = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    chosen = _choose_classifier(classifier, choices)
    train_files(
        chosen,
        [os.fspath(path) for path in paths],
        layout,
        cluster=cluster,
        callback=callback,
        checkpoint=checkpoint,
        every=every,
    )
    return chosen


def _choose_classifier(classifier: Any, choices: dict[str, Any]) -> Any:
    """Return what learns: the given one, or a new one of these choices."""
    if classifier is None:
        return TextClassifier(**choices)
    if choices:
        raise InputError(
            "a classifier has its choices already",
            who="distributed.train",
            parameter=min(choices),
            got=Given(f"{choices[min(choices)]!r:.40}"),
            fix="classifier.set_params(...), or no classifier=",
        )
    return classifier


def train_files(
    classifier: TextClassifier,
    paths: Sequence[str],
    layout: Layout | None,
    *,
    cluster: Any,
    callback: Callback | None = None,
    counted: Callable[[Layout, Counter[Any]], object] | None = None,
    checkpoint: PathLike | None = None,
    every: float = 10.0,
) -> None:
    """Do what :func:`train` does.

    counted : called with the layout of the first file, and how many rows of each label there are,
        as soon as that is known.
    """
    choices = classifier.check_parameters()
    _check(choices, classifier)
    plan = fit.make_plan(choices, callback)
    checkpoints = None
    if checkpoint is not None:
        # Which neurons rest the checkpoint says, so that every aim can be gone on to.
        check_resumable(choices, replace(plan, until=None), every)
        checkpoints = ShardCheckpoints(checkpoint, every)
    shards, found = cut_files(paths, layout, choices.shards)
    before = None if checkpoints is None else checkpoints.find_run(choices, shards)
    with open_engine(cluster) as engine:
        run = _Run(choices, engine, shards)
        model = run.count() if before is None else run.go_on(*before)
        if counted is not None:
            counted(found, run.labels)
        with fit.taken_if_whole(model, classifier.adopt):
            try:
                run.learn(plan, model, checkpoints)
            finally:
                if run.training.state.presentations:
                    model.frozen = freeze(run.training, choices)
                    model.facts = Facts(run.n_rows, run.largest)
            progress.report("counting the training errors")
            run.count_errors(model)
    warn_unreached(choices, model.outcome)
    if checkpoints is not None:
        checkpoints.finish()


def _check(choices: Choices, classifier: Any) -> None:
    """Refuse what shards of files cannot do."""
    if not isinstance(classifier, TextClassifier) or choices.text is None:
        raise InputError(
            "shards of files are of texts",
            who="distributed.train",
            got=Given(type(classifier).__name__),
            wanted="a TextClassifier",
        )
    check_mixed(choices.combination, choices.kept)
    settings = choices.text
    for name, given, wanted in (
        ("text_columns", settings.text_columns, "None: one text a row"),
        ("number_columns", settings.table, "a TextClassifier"),
        ("vocabulary", settings.vocabulary, "None: the terms are counted, shard by shard"),
        ("probability", classifier.probability or None, "False, and calibrate(texts, labels)"),
    ):
        if given is not None:
            raise InputError(
                who="distributed.train", parameter=name, got=Given(f"{given!r:.40}"), wanted=wanted
            )


@dataclass(frozen=True)
class _Epoch:
    """An epoch of all shards, as the driver presents it: in one piece."""

    number: int
    length: int


class _Run:
    """One training: what is known of the shards, and the weights as they are."""

    training: Training
    labels: Counter[Any]
    n_rows: int
    largest = 0.0

    def __init__(self, choices: Choices, engine: Engine, shards: list[Shard]) -> None:
        self.choices, self._engine, self.shards = choices, engine, shards
        given = {name: value for name, value in choices.given.items() if name != "n_jobs"}
        # Drawn by chance it would be another one for each worker.
        self._given = given | {"random_state": choices.seed}
        self._parts: list[Part] = []

    def count(self) -> Model:
        """Count terms and labels of all shards; return a model that has learnt nothing."""
        choices = self.choices
        vectorizer = self._choose_features()
        settings = work.Settings(self._given, [])
        counted = self._map(work.count_shard, [Part.of(settings.packed())], "counting terms")
        labels: Counter[Any] = Counter()
        for one in counted:
            labels.update(one.labels)
        self.shards = [
            replace(
                shard,
                pieces=tuple(
                    replace(piece, digest=digest)
                    for piece, digest in zip(shard.pieces, one.digests, strict=True)
                ),
            )
            for shard, one in zip(self.shards, counted, strict=True)
        ]
        terms: Any = [one.terms for one in counted]
        if vectorizer.hash_bits is None:
            fit_parts(vectorizer, terms)
        else:
            vectorizer = fit_hashed(terms)
        self.labels = labels
        book = book_of_fit(present_labels(list(labels), None, choices.class_weight))
        self.n_rows = sum(labels[label] for label in book.numbers)
        self.training = Training(choices, book, vectorizer.n_columns_)
        if choices.balanced:
            self.training.class_counts = ClassCounts(
                {label: labels[label] for label in book.numbers}
            )
        weights = self._begin(vectorizer)
        weighted = weights is not None and any(w not in (0, 1) for w in weights.values())
        more: dict[str, Any] = {"fitted_vectorizer": vectorizer}
        return TextModel(choices, book, Outcome(weighted=weighted), self.training, **more)

    def _begin(self, vectorizer: TextVectorizer) -> dict[Any, float] | None:
        """Have the first of the parts; return the weights of the classes."""
        book = self.training.book.numbers
        weights = _class_weights(self.choices, book, self.labels)
        settings = work.Settings(
            self._given, list(book), weights, vectorizer.header(), vectorizer.state_tables()
        )
        self._parts = [Part.of(settings.packed())]
        return weights

    def go_on(self, before: Model, found: Progressed, shards: list[Shard]) -> Model:
        """Return the model of a run that was broken off, to learn on."""
        self.shards, self.largest = shards, float.fromhex(found.largest)
        labels = labels_from_json(cast(Any, found.labels))
        self.labels = Counter(dict(zip(labels, found.counts, strict=True)))
        self.training = training = before.state
        self.n_rows = sum(self.labels[label] for label in training.book.numbers)
        training.choices = self.choices
        training.mistakes = 0  # those of its epochs are added up at the end
        vectorizer = cast(TextModel, before).vectorizer
        self._given |= {"words": vectorizer.words, "chars": vectorizer.chars}
        self._begin(vectorizer)
        blank = Training(self.choices, training.book, vectorizer.n_columns_)
        self.send(mixing.find_differences(cast(Any, training.state), cast(Any, blank.state)))
        for neuron in found.resting:
            training.state.rest(neuron)
        self.send_resting()
        more: dict[str, Any] = {"fitted_vectorizer": vectorizer}
        return TextModel(self.choices, training.book, before.outcome, training, **more)

    def _choose_features(self) -> TextVectorizer:
        """Return the vectorizer, and settle what is chosen by the first texts."""
        rows = (row.text for shard in self.shards for row in shard.rows())
        head = list(islice(rows, default_features.SAMPLE))
        vectorizer, _ = new_vectorizer(self.choices, head)
        self._given |= {"words": vectorizer.words, "chars": vectorizer.chars}
        return vectorizer

    def learn(self, plan: Plan, model: Model, checkpoints: ShardCheckpoints | None) -> None:
        """Learn for as long as the plan says."""
        state, outcome = _State(self, plan), model.outcome
        if checkpoints is not None:
            plan = replace(plan, callback=_after_epoch(plan, model, self, checkpoints))
        try:
            learn(cast(LiveState, state), cast(Any, _Rounds(self.n_rows)), plan, outcome)
        finally:
            self.training.state.wake()
            self.training.mistakes += sum(record.mistakes for record in outcome.history)

    def learn_epoch(self, epoch: int) -> tuple[list[mixing.Delta], list[mixing.Tally]]:
        """Let every shard learn an epoch; what they moved, by shard."""
        found: list[work.Learnt] = self._map(
            work.learn_shard, self._parts, f"learning, epoch {epoch}", epoch=epoch
        )
        if not all(one.finite for one in found):
            raise InputError("the weights or scores overflowed", fix="use norm='l2'")
        self.largest = max(self.largest, *(one.largest for one in found))
        return [unpack_delta(one.delta)[0] for one in found], [one.tally for one in found]

    def send(self, mixed: mixing.Delta) -> None:
        """Have workers go on from the mixture, which the state holds already."""
        state: Any = self.training.state
        counts = {
            "presentations": state.presentations,
            "corrections": state.corrections,
            "resting": [k for k, rests in enumerate(state.resting) if rests],
        }
        self._parts.append(Part.of(pack_delta(mixed, counts)))

    def send_resting(self) -> None:
        """Tell workers which neurons rest."""
        none = np.empty(0)
        averaged = self.training.state.averaged
        self.send(mixing.Delta(np.empty(0, np.int64), none, none if averaged else None))

    def verify(self) -> list[tuple[int, int]]:
        """Count for each neuron the examples that are wrong, and those short of the aim."""
        found = self._map(work.verify_shard, self._parts, "looking at the margins")
        return [
            (sum(c[0] for c in counts), sum(c[1] for c in counts))
            for counts in zip(*found, strict=True)
        ]

    def count_errors(self, model: Model) -> None:
        """Count the training errors, as :func:`.training_errors.count_errors` does."""
        self._count_errors_of_answer(model)
        if errs_by_default(model):
            default = model.choices.readout
            model.answer_by("last")
            self._count_errors_of_answer(model)
            if model.training_errors["last"] >= model.training_errors[default]:
                model.answer_by(default)

    def _count_errors_of_answer(self, model: Model) -> None:
        readout = model.choices.readout
        found = self._map(
            work.count_errors_of_shard, self._parts, "counting the training errors", readout=readout
        )
        model.training_errors[readout] = sum(errors for errors, _ in found)
        least = [each for _, each in found if each is not None]
        if model.facts is not None and least:
            model.facts.least[readout] = tuple(
                None if None in each else min(cast(Any, each)) for each in zip(*least, strict=True)
            )

    def _map(self, function: Any, parts: list[Part], what: str, **more: Any) -> list[Any]:
        jobs = [work.Job(shard, **more) for shard in self.shards]
        found = self._engine.map_ordered(
            function,
            parts,
            jobs,
            lambda done: progress.report(what, done, len(jobs), "shards"),
        )
        return list(work.succeed(found))


def _after_epoch(
    plan: Plan, model: Model, run: _Run, checkpoints: ShardCheckpoints
) -> Callable[[EpochRecord], None]:
    """Return what is done after each epoch: a checkpoint, then what the caller asked for."""

    def look(record: EpochRecord) -> None:
        checkpoints.look_at(model, run)
        if plan.callback is not None:
            plan.callback(record)

    return look


class _Rounds:
    """The examples of all shards, as :class:`hardlimit.learner.Pieces`."""

    last: Any = None

    def __init__(self, n_present: int) -> None:
        self.n_present = self.length = n_present

    def of_epoch(self, plan: Plan, epoch: int) -> Iterator[_Epoch]:
        """Yield the epoch, counted from 1."""
        yield _Epoch(epoch, self.length)

    def all(self) -> Iterator[None]:
        """Yield once: all shards are asked together."""
        yield None

    def take_tally(self, state: LiveState) -> list[tuple[int, int, int]]:
        """Return what the shards have counted in the epoch."""
        return state.take_tally()


class _State(Mixture):
    """The mixture of all shards, as the driver of a fit sees a state."""

    def __init__(self, run: _Run, plan: Plan) -> None:
        super().__init__(run.training)
        self._run, self._plan = run, plan

    def rest(self, neuron: int) -> None:
        """Let a neuron rest, on all workers too."""
        super().rest(neuron)
        self._run.send_resting()

    def present(self, epoch: _Epoch, begin: int, budget: int) -> int:
        """Let every shard learn the epoch, and mix; its end."""
        deltas, tallies = self._run.learn_epoch(epoch.number)
        self._run.send(self.mix(deltas, tallies))
        return epoch.length

    def verify(self, examples: None) -> list[tuple[int, int]]:
        """Count for each neuron the examples that are wrong, and those short of the aim."""
        return self._run.verify()


def _class_weights(choices: Choices, classes: Any, labels: Counter[Any]) -> dict[Any, float] | None:
    """Return what each class weighs, ``balanced`` as numbers."""
    if not choices.balanced:
        return cast("dict[Any, float] | None", choices.class_weight)
    n, k = sum(labels[label] for label in classes), len(classes)
    return {label: n / (k * labels[label]) for label in classes}
