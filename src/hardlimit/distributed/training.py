"""Training on a cluster: count, then epochs of shards that are mixed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.streamed.refusals import check_resumable
from hardlimit.classifiers.fitting.unreached import warn_unreached
from hardlimit.classifiers.model.model import Facts, freeze
from hardlimit.classifiers.text import TextClassifier
from hardlimit.distributed import refusals
from hardlimit.distributed.checkpoint import ShardCheckpoints
from hardlimit.distributed.counting import count, go_on
from hardlimit.distributed.engines import open_engine
from hardlimit.distributed.epochs import learn_epochs
from hardlimit.distributed.errors import count_errors
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.recipes import cut_files
from hardlimit.distributed.run import Run
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.progress import heard_by
from hardlimit.foundation.types import PathLike
from hardlimit.readers import Layout


def train(
    sources: PathLike | Sequence[PathLike],
    layout: Layout | None = None,
    *,
    cluster: Any = "threads",
    classifier: TextClassifier | None = None,
    callback: Callback | None = None,
    progress: Callable[[Progress], object] | None = None,
    checkpoint: PathLike | None = None,
    every: float = 10.0,
    **choices: Any,
) -> Any:
    r"""Learn a classifier of texts from files, in as many shards as it asks for; return it.

    Parameters
    ----------
    sources : files of labelled texts, which every worker must see under the same names
    layout : how they are read; what it does not say is found out
    cluster : ``"threads:N"``, ``"processes:N"``, ``"dask://HOST:PORT"``,
        ``"spark://HOST:PORT"``, ``"sc://HOST:PORT"`` (Spark Connect), a client of
        ``dask.distributed``, or a ``SparkSession``
    classifier : what learns, in place of ``choices``. Its ``shards`` and ``mixing`` say how; the
        rule must be one that can be mixed, also with one shard
    callback : called with an :class:`~hardlimit.learner.EpochRecord` after each epoch
    progress : called with a :class:`Progress` at the beginning of each pass over the shards and
        after each shard
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
    with heard_by(progress):
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
    refusals.check(choices, classifier)
    plan = fit.make_plan(choices, callback)
    checkpoints = None
    if checkpoint is not None:
        # Which neurons rest the checkpoint says, so that every aim can be gone on to.
        check_resumable(choices, replace(plan, until=None), every)
        checkpoints = ShardCheckpoints(checkpoint, every)
    shards, found = cut_files(paths, layout, choices.shards)
    before = None if checkpoints is None else checkpoints.find_run(choices, shards)
    with open_engine(cluster) as engine:
        run = Run(choices, engine, shards)
        model = count(run) if before is None else go_on(run, *before)
        if counted is not None:
            counted(found, run.labels)
        with fit.taken_if_whole(model, classifier.adopt):
            try:
                learn_epochs(run, plan, model, checkpoints)
            finally:
                if run.training.state.presentations:
                    model.frozen = freeze(run.training, choices)
                    model.facts = Facts(run.n_rows, run.largest)
            count_errors(run, model)
    warn_unreached(choices, model.outcome)
    if checkpoints is not None:
        checkpoints.finish()
