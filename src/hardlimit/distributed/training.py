"""Training on a cluster: count, then epochs of shards that are mixed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hardlimit import readers
from hardlimit.classifiers.fitting import fit, training
from hardlimit.classifiers.fitting.checkpoints import check_resumable, held
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.initial_terms import Start, read_start
from hardlimit.classifiers.kernel import KernelClassifier
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.ask import CLUSTER, METHODS, POINTS, Ask
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.table import TableClassifier
from hardlimit.classifiers.text import TextClassifier
from hardlimit.distributed.calibrating import calibrate
from hardlimit.distributed.checkpoint import ShardCheckpoints, advising
from hardlimit.distributed.counting import count, go_on, survey
from hardlimit.distributed.engines import open_engine
from hardlimit.distributed.epochs import ShardsOfFiles
from hardlimit.distributed.learnt_files import Digests, digest_objects
from hardlimit.distributed.listener import Listener
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.run import Run
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation import storage
from hardlimit.foundation.progress import heard_by, tell
from hardlimit.foundation.types import PathLike
from hardlimit.foundation.workers import using
from hardlimit.learner import Plan
from hardlimit.readers import Layout, registry
from hardlimit.readers.numbers import detect_by_extension
from hardlimit.sources.cutting import cut_files
from hardlimit.sources.numeric_pieces import cut_numbers
from hardlimit.sources.pieces import NotUtf8Error, Shard
from hardlimit.tables.settings import SETTINGS

# What only tables are asked for, beside their texts.
TABLE_ONLY = frozenset(SETTINGS)
WHO = METHODS[CLUSTER]


def train(
    sources: PathLike | Sequence[PathLike],
    layout: Layout | Mapping[str, Any] | None = None,
    *,
    cluster: object = "threads",
    classifier: TextClassifier | LinearClassifier | None = None,
    epochs: int | None = None,
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
    paths = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    names = [os.fspath(path) for path in paths]
    choices |= {} if epochs is None else {"max_iter": epochs}
    chosen = _choose_classifier(classifier, choices, names, layout)
    with heard_by(progress):
        train_files(
            chosen,
            names,
            layout,
            cluster=cluster,
            initial_weights=initial_weights,
            callback=callback,
            checkpoint=checkpoint,
            every=every,
        )
    return chosen


def _choose_classifier(
    classifier: object, choices: dict[str, Any], paths: Sequence[str], layout: object
) -> Any:
    """Return what learns: the given one, or a new one of these choices."""
    if classifier is None:
        return _kind_for(choices, paths, layout)(**choices)
    if choices:
        raise InputError(
            "a classifier has its choices already",
            who=WHO,
            parameter=min(choices),
            got=Given(f"{choices[min(choices)]!r:.40}"),
            fix="classifier.set_params(...), or no classifier=",
        )
    return classifier


def _kind_for(choices: dict[str, Any], paths: Sequence[str], layout: Any) -> Any:
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


def _ask(classifier: object, checkpoint: PathLike | None) -> Ask:
    """Return what is asked of shards beside the choices."""
    if not isinstance(classifier, TextClassifier | LinearClassifier | KernelClassifier):
        raise InputError(
            "weights of columns can be mixed, and nothing else",
            who=WHO,
            got=Given(type(classifier).__name__),
            wanted="a TextClassifier, a TableClassifier or a LinearClassifier",
        )
    features = POINTS if isinstance(classifier, KernelClassifier) else ""
    asked = frozenset() if checkpoint is None else frozenset({"checkpoint"})
    return Ask(way=CLUSTER, features=features, asked=asked)


def train_files(
    classifier: Any,
    paths: Sequence[str],
    layout: Layout | Mapping[str, Any] | None,
    *,
    cluster: object,
    initial_weights: object = None,
    callback: Callback | None = None,
    listener: object = None,
    checkpoint: PathLike | None = None,
    every: float = 10.0,
    digests: Digests | None = None,
) -> None:
    """Do what :func:`train` does.

    listener : a :class:`.Listener`, told what is found out before the first epoch.    digests :
    gets those of whole objects of stores, if it is given.
    """
    listener = listener or Listener()
    ask = _ask(classifier, checkpoint)
    choices = classifier.check_parameters(ask=ask)
    start = read_start(choices, initial_weights)
    plan = fit.make_plan(choices, callback)
    checkpoints = None
    if checkpoint is not None:
        check_resumable(choices.combination, every)
        checkpoints = ShardCheckpoints(checkpoint, every)
    cut = partial(_cut, choices, paths, layout)
    folds = readers.folds(layout)
    with held(checkpoints), advising(checkpoints):
        _train(
            classifier, choices, plan, cut, cluster, start, listener, checkpoints, digests, folds
        )


def _train(
    classifier: Any,
    choices: Choices,
    plan: Plan,
    cut: Callable[[bool], tuple[list[Shard], Any]],
    cluster: object,
    start: Start | None,
    listener: Any,
    checkpoints: ShardCheckpoints | None,
    digests: Digests | None,
    folds: bool,
) -> None:
    """Cut, count, learn; the classifier takes the model."""
    tell(Progress("cutting", 0, choices.shards))
    # A run that goes on needs the shards of before.
    shards, found = cut(checkpoints is not None and storage.exists(checkpoints.path))

    def counted(labels: Counter[Any], n_rows: int) -> Choices:
        listener.counted(labels, n_rows)
        chosen: Choices = classifier.check_parameters(ask=choices.combination)
        return chosen

    def begin() -> tuple[Run, Model]:
        run = Run(choices, engine, shards)
        run.start = start
        asked = survey(run, listener, found, folds)
        run.take_choices(classifier.check_parameters(ask=choices.combination))
        before = None
        if checkpoints is not None:
            before = checkpoints.find_run(
                counted, run.shards, run.digest_of_rows, run.digest_of_start
            )
            run.lead = checkpoints.read_lead(before)
            if before is not None:
                # Anew: the weights of classes were given when their rows were known.
                chosen = classifier.check_parameters(ask=choices.combination)
                run.take_choices(chosen.mixed_as(before[0].choices))
        return run, count(run, asked, counted) if before is None else go_on(run, *before)

    with open_engine(cluster) as engine:
        try:
            run, model = begin()
        except NotUtf8Error:
            shards, found = cut(True)
            run, model = begin()
        training.train(model, ShardsOfFiles(run, plan, checkpoints), classifier.adopt)
        if classifier.probability:
            with using(1):  # an engine has one pass at a time, shared by all its workers
                calibrate(run, model)
        if digests is not None:
            digests.update(digest_objects(engine, run.shards))
    if checkpoints is not None:
        checkpoints.finish()


def _cut(
    choices: Choices, paths: Sequence[str], layout: Any, looked_at: bool
) -> tuple[list[Shard], Any]:
    """Return recipes of all shards, and how the first file is read."""
    if choices.text is None:
        return cut_numbers(paths, _numeric_settings(layout), choices.shards)
    if isinstance(layout, Mapping):
        layout = Layout.from_json(layout)
    if choices.text.table is not None:
        layout = replace(layout or Layout(), table=True)
    return cut_files(paths, layout, choices.shards, looked_at=looked_at)


def _numeric_settings(layout: Layout | Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what is said of files of numbers, as their reader takes it."""
    if layout is None:
        return {}
    if isinstance(layout, Mapping):
        return readers.without_folding(layout)
    # The format of words is that of numbers too.
    known, found = readers.numeric_formats(), readers.without_folding(layout.to_json())
    found |= {"max_line": layout.max_line, "skip_bad": layout.skip_bad}
    numeric = f"numeric-{found.get('format')}"
    return found | {"format": numeric} if numeric in known else found
