"""Training on a cluster: count, then epochs of shards that are mixed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from hardlimit import readers
from hardlimit.classifiers.base import BaseClassifier
from hardlimit.classifiers.fitting import calibrating, fit, training
from hardlimit.classifiers.fitting.checkpoints import check_resumable, held
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.initial_terms import Start, read_start
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.ask import CLUSTER, METHODS, Ask
from hardlimit.classifiers.model.choices import Choices, resolve_choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.table import TableClassifier
from hardlimit.classifiers.text import TextClassifier
from hardlimit.distributed import work
from hardlimit.distributed.checkpoint import ShardCheckpoints, advising
from hardlimit.distributed.continuing import continue_training
from hardlimit.distributed.counting import (
    Listener,
    Nobody,
    Questions,
    count,
    cut_mask,
    go_on,
    survey,
)
from hardlimit.distributed.engines import Engine, open_engine
from hardlimit.distributed.epochs import ShardsOfFiles, learn_epochs
from hardlimit.distributed.featurisers import make_featuriser
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.run import Digests, TrainingRun
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation import storage
from hardlimit.foundation.progress import heard_by, tell
from hardlimit.foundation.types import Array, PathLike
from hardlimit.foundation.workers import using
from hardlimit.predictions.answerers import Fitted, load
from hardlimit.predictions.files import files_for
from hardlimit.readers import registry
from hardlimit.readers.numbers import detect_by_extension
from hardlimit.sources.cutting import list_paths
from hardlimit.sources.files import FileRows, GivenLayout
from hardlimit.sources.pieces import NotUtf8Error, Shard
from hardlimit.tables.settings import SETTINGS

# What only tables are asked for, beside their texts.
TABLE_ONLY = frozenset(SETTINGS)
WHO = METHODS[CLUSTER]


def train(
    sources: PathLike | Sequence[PathLike],
    layout: GivenLayout = None,
    *,
    cluster: object = "threads",
    classifier: TextClassifier | LinearClassifier | None = None,
    epochs: int | None = None,
    train_from: PathLike | BaseClassifier | None = None,
    initial_weights: object = None,
    callback: Callback | None = None,
    progress: Callable[[Progress], object] | None = None,
    checkpoint: PathLike | None = None,
    every: float = 10.0,
    **choices: Any,
) -> Any:
    r"""Learn a classifier from files, in as many shards as it asks for; return it.

    Parameters
    ----------
    sources : files of labelled texts, tables or numbers, which every worker must see under the same
        names
    layout : how they are read; what it does not say is found out. Of numbers a dict of what
        :func:`~hardlimit.readers.load_numbers` takes
    cluster : ``"threads:N"``, ``"processes:N"``, ``"dask://HOST:PORT"``,
        ``"spark://HOST:PORT"``, ``"sc://HOST:PORT"`` (Spark Connect), a client of
        ``dask.distributed``, or a ``SparkSession``
    classifier : what learns, in place of ``choices``. Its ``shards`` and ``mixing`` say how; the
        rule must be one that can be mixed, also with one shard
    epochs : the most epochs, which is ``max_iter`` of the choices
    train_from : a fitted classifier, or its model file, that goes on with these rows, ``epochs``
        times or once. It keeps its choices: only ``shards`` and ``mixing`` may stand beside it. One
        shard, once, is ``partial_fit`` of all rows, bit for bit
    initial_weights : where a rule that adds begins, as ``fit`` of the classifier takes them
    callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch
    progress : called with a :class:`Progress` at the beginning of each pass over the shards and
        after each shard
    checkpoint : folder for what was learnt so far, written after an epoch, ``every`` so many
        minutes. Where it has one the run goes on from it and ends with the bits of an unbroken one;
        it is removed at the end
    choices : where no ``classifier`` is given, parameters of the one that is learnt: of numbers by
        the format of the files a :class:`~hardlimit.LinearClassifier`, with ``number_columns`` and
        the like a :class:`~hardlimit.TableClassifier`, else a :class:`~hardlimit.TextClassifier`

    Notes
    -----
    The files are gone through once here, where records are cut, and twice or more often by the
    workers, which count terms, measure columns and make rows; rows that a worker has forgotten are
    made anew. What travels in an epoch are the cells that each shard moved, and the mixture of them
    to each worker.

    Numbers of mixed tables are measured exactly, whatever the shards; with ``scale="standard"`` the
    sums of a column are added over a fixed binary tree of the shards.

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
    >>> clf = train(path, cluster="threads:2", shards=2, epochs=5)
    >>> print(clf.predict(["prize!"])[0], clf.n_training_errors_)
    spam 0
    """
    names = list_paths(sources)
    if train_from is not None:
        beside = {
            "classifier": classifier,
            "initial_weights": initial_weights,
            "callback": callback,
            "checkpoint": checkpoint,
        }
        choices |= {name: one for name, one in beside.items() if one is not None}
        times = 1 if epochs is None else epochs
        with heard_by(progress):
            return _go_on_from(train_from, names, layout, cluster, times, choices)
    choices |= {} if epochs is None else {"max_iter": epochs}
    chosen = _choose_classifier(classifier, choices, names, layout)
    source = make_featuriser(chosen.resolve_parameters()).files(names, layout)
    with heard_by(progress):
        train_files(
            chosen,
            source,
            cluster=cluster,
            initial_weights=initial_weights,
            callback=callback,
            checkpoint=checkpoint,
            every=every,
        )
    return chosen


def _go_on_from(
    earlier: PathLike | BaseClassifier,
    paths: Sequence[str],
    layout: GivenLayout,
    cluster: object,
    epochs: int,
    choices: dict[str, Any],
) -> BaseClassifier:
    """Let an earlier model go on; return it."""
    for name in sorted(choices.keys() - {"shards", "mixing"}):
        is_kept = name in ("callback", "checkpoint")
        raise InputError(
            "an earlier model goes on without it"
            if is_kept
            else "the earlier model has decided that",
            who=WHO,
            parameter=name,
            got=Given(f"{choices[name]!r:.40}"),
            fix="leave it out, or train anew on all rows",
        )
    made: Any = earlier if isinstance(earlier, BaseClassifier) else load(os.fspath(earlier))
    source = files_for(Fitted(made), paths, layout, need_label=True)
    continue_training(made, source, Nobody(), cluster=cluster, epochs=epochs, **choices)
    found: BaseClassifier = made
    return found


def _choose_classifier(
    classifier: BaseClassifier | None,
    choices: dict[str, Any],
    paths: Sequence[str],
    layout: GivenLayout,
) -> BaseClassifier:
    """Return what learns: the given one, or a new one of these choices."""
    if classifier is None:
        made: BaseClassifier = _kind_for(choices, paths, layout)(**choices)
        return made
    if choices:
        raise InputError(
            "a classifier has its choices already",
            who=WHO,
            parameter=min(choices),
            got=Given(f"{choices[min(choices)]!r:.40}"),
            fix="classifier.set_params(...), or no classifier=",
        )
    if not isinstance(classifier, BaseClassifier):
        raise InputError(
            "weights of columns can be mixed, and nothing else",
            who=WHO,
            got=Given(type(classifier).__name__),
            wanted="a TextClassifier, a TableClassifier or a LinearClassifier",
        )
    return classifier


def _kind_for(choices: dict[str, Any], paths: Sequence[str], layout: GivenLayout) -> Any:
    """Return the class of the classifier that files and choices are for."""
    if {*choices} & (TABLE_ONLY - {"text_columns"}):
        return TableClassifier
    known = readers.numeric_formats()
    if isinstance(layout, Mapping):
        format = layout.get("format")
    else:
        format = None if layout is None else layout.format
    name = format or (detect_by_extension(paths[0]) if paths else None)
    both = name is not None and not format and registry.detect_by_extension(paths[0]) is not None
    return LinearClassifier if name in known and not both else TextClassifier


def train_files(
    classifier: BaseClassifier,
    source: FileRows,
    *,
    cluster: object,
    initial_weights: object = None,
    callback: Callback | None = None,
    listener: Listener | None = None,
    checkpoint: PathLike | None = None,
    every: float = 10.0,
    digests: Digests | None = None,
) -> None:
    """Do what :func:`train` does.

    listener : told what is found out before the first epoch.    digests : gets those of whole
    objects of stores, if it is given.
    """
    asked = frozenset() if checkpoint is None else frozenset({"checkpoint"})
    choices = classifier.check_parameters(ask=Ask(way=CLUSTER, asked=asked))
    start = read_start(choices, initial_weights)
    plan = fit.make_plan(choices, callback)
    checkpoints = None
    if checkpoint is not None:
        check_resumable(choices.combination, every)
        checkpoints = ShardCheckpoints(checkpoint, every)
    beginning = _Beginning(classifier, choices, source, listener or Nobody(), start, checkpoints)
    with held(checkpoints), advising(checkpoints):
        tell(Progress("cutting", 0, choices.shards))
        # A run that goes on needs the shards of before.
        goes_on = checkpoints is not None and storage.exists(checkpoints.path)
        shards = source.cut(choices.shards, looked_at=goes_on)
        with open_engine(cluster) as engine:
            try:
                run, model = beginning.begin(engine, shards)
            except NotUtf8Error:
                run, model = beginning.begin(engine, source.cut(choices.shards))
            training.train(model, ShardsOfFiles(run, plan, checkpoints), classifier.adopt)
            if choices.given.get("probability"):
                with using(1):  # an engine has one pass at a time, shared by all its workers
                    calibrate(run, model)
            if digests is not None:
                digests.update(run.digest_objects())
        if checkpoints is not None:
            checkpoints.finish()


@dataclass
class _Beginning:
    """What a run begins with."""

    classifier: BaseClassifier
    choices: Choices
    source: FileRows
    listener: Listener
    start: Start | None
    checkpoints: ShardCheckpoints | None

    def begin(self, engine: Engine, shards: list[Shard]) -> tuple[TrainingRun, Model]:
        """Count, or find the checkpoint of a run that was broken off."""
        run = TrainingRun(self.choices, engine, shards)
        run.start = self.start
        asked = survey(run, self.listener, self.source)
        run.take_choices(self._choose())
        if self.checkpoints is None:
            return run, count(run, asked, self._counted)
        before = self.checkpoints.find_run(
            self._counted, run.shards, run.digest_of_rows, run.digest_of_start
        )
        run.lead = self.checkpoints.read_lead(before)
        if before is None:
            return run, count(run, asked, self._counted)
        # Anew: the weights of classes were given when their rows were known.
        run.take_choices(self._choose().mixed_as(before[0].choices))
        return run, go_on(run, *before)

    def _choose(self) -> Choices:
        return self.classifier.check_parameters(ask=self.choices.combination)

    def _counted(self, labels: Counter[Any], n_rows: int) -> Choices:
        self.listener.counted(labels, n_rows)
        return self._choose()


def calibrate(run: TrainingRun, model: Model) -> None:
    """Give a model probabilities: the slope of scores of rows that were not learnt from.

    Each score is made by a second fit in the same shards, which leaves out some rows: which ones
    depends on all rows in their order, and not on the shards.
    """
    found: list[work.RowKeys] = Questions(run).ask(work.Keys(of_model=True))
    digests = work.split_digests(found)
    items = list(chain.from_iterable(one.labels for one in found))
    lengths = [len(one.labels) for one in found]
    names = run.featuriser.targets.known(items, model.classes)

    def learn_part(given: dict[str, Any], _: Array, rows: Array) -> tuple[Model, Array]:
        asked = np.zeros(len(names), bool)
        asked[rows] = True
        other = run.part(resolve_choices(given), cut_mask(asked, lengths))
        made = count(other)
        learn_epochs(other, fit.make_plan(other.choices, None), made)
        return made, np.concatenate(other.map(work.score_shard, "calibrating"))

    calibrating.calibrate(model, learn_part, names, None, digests or None, run.given)
