"""What ``fit_stream`` of the classifiers does: checks, passes, and the fit itself."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.checkpoints import check_resumable, held
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.initial_terms import read_start
from hardlimit.classifiers.fitting.streamed.disk_cache import DiskCache, refuse_other_file
from hardlimit.classifiers.fitting.streamed.memory import StreamPlan, plan_memory
from hardlimit.classifiers.fitting.streamed.numbers import NumbersOfStream
from hardlimit.classifiers.fitting.streamed.opening import Asked, Opened, RowsOfStream, open_stream
from hardlimit.classifiers.fitting.streamed.position import RunningDigest, StreamCheckpoints
from hardlimit.classifiers.fitting.streamed.run import fit_blocks
from hardlimit.classifiers.fitting.streamed.texts import TextsOfStream
from hardlimit.classifiers.fitting.training import Take
from hardlimit.classifiers.model.ask import STREAM, Ask
from hardlimit.classifiers.model.choices import Choices, Default, stream_order
from hardlimit.classifiers.model.model import Model
from hardlimit.exceptions import FileError
from hardlimit.foundation import progress
from hardlimit.foundation.temporary_folder import make_temporary_folder
from hardlimit.foundation.types import PathLike
from hardlimit.learner import Plan
from hardlimit.orders import Stream
from hardlimit.streaming.batches import BatchSource
from hardlimit.streaming.cache_file import Elsewhere
from hardlimit.streaming.pipeline import Pipeline
from hardlimit.text import TextVectorizer

ROWS = 1024  # of a block, where no order says it


def fit_stream(
    classifier: Any,
    batches: object,
    *,
    classes: Any = None,
    initial_weights: object = None,
    callback: Callback | None = None,
    announce: Callable[[StreamPlan], object] | None = None,
    cache: PathLike | None = None,
    checkpoint: PathLike | None = None,
    every: float = 10.0,
    manifest: object = None,
) -> None:
    """Let a classifier learn from batches: see :meth:`.OutOfCore.fit_stream`."""
    given = classifier.get_params(deep=False)
    ask = _ask(given, checkpoint)
    choices: Choices = classifier.check_parameters(stream_order(given), ask)
    start = read_start(choices, initial_weights)
    # Cycles are watched over examples that are all in memory.
    plan = replace(fit.make_plan(choices, callback), watches_cycles=False)
    if is_single_pass(choices, plan):  # the rows do not come again to be verified
        plan = replace(plan, until=None)
    checkpoints = None
    if checkpoint is not None:
        check_resumable(choices.combination, every)
        begins_at = "" if start is None else start.digest
        checkpoints = StreamCheckpoints(checkpoint, every, manifest, classes, begins_at)
    kind: Callable[[Asked], RowsOfStream[Any]]
    kind = NumbersOfStream if choices.text is None else TextsOfStream
    with (
        held(checkpoints),
        Pipeline() as pipeline,
        _cache_files(choices, plan, cache, checkpoints) as (path, spare),
    ):
        asked = Asked(choices, BatchSource(batches), pipeline, classes, block_size(choices))
        asked.cached, asked.start = path is not None, start
        if checkpoints is not None:
            asked.checkpoints, asked.digest = checkpoints, RunningDigest()
            asked.resumed, asked.position = checkpoints.find(choices) or (None, None)
        rows: RowsOfStream[Any] = kind(asked)
        opened = open_stream(asked, rows)
        if announce is not None:
            announce(plan_memory(choices, opened, plan, path is not None))
        classifier.adopt(_learn(asked, opened, plan, classifier.adopt, path, spare))
        if checkpoints is not None:
            checkpoints.finish()


def _learn(
    asked: Asked, opened: Opened, plan: Plan, take: Take, path: str | None, spare: Elsewhere | None
) -> Model:
    """Learn from the rows, which the cache at this path has already, or gets on the way."""
    kept, refilled = _open_cache(path, spare, asked, opened)
    if not refilled:
        _compare(asked, opened)
    try:
        return fit_blocks(asked, opened, plan, take, kept, refilled)
    finally:
        if kept is not None:
            kept.abandon()


def _ask(given: Mapping[str, Any], checkpoint: PathLike | None) -> Ask:
    """Return what is asked of a stream beside its choices."""
    asked = {"checkpoint": checkpoint is not None, "probability": given.get("probability")}
    return Ask(way=STREAM, asked=frozenset(name for name, is_set in asked.items() if is_set))


def is_single_pass(choices: Choices, plan: Plan) -> bool:
    """Whether the rows are asked for once: one epoch, and no aim to be verified after it."""
    return plan.max_iter == 1 and (plan.until is None or isinstance(choices.until, Default))


@contextlib.contextmanager
def _cache_files(
    choices: Choices, plan: Plan, path: PathLike | None, checkpoints: StreamCheckpoints | None
) -> Iterator[tuple[str | None, Elsewhere | None]]:
    """Give the path of the cache, and what gives another one where it cannot be written.

    None where there is none. Nobody needs them afterwards, but a run that goes on from a checkpoint
    finds the cache beside it.
    """
    if is_single_pass(choices, plan):
        yield None, None
        return
    with contextlib.ExitStack() as stack:
        if checkpoints is None:
            yield _own_cache(path, stack), None
            return
        refuse_other_file(checkpoints.cache_path)

        def elsewhere(error: FileError) -> str:
            checkpoints.warn_of_rows(error)
            return _own_cache(path, stack)

        yield checkpoints.cache_path, elsewhere


def _own_cache(path: PathLike | None, stack: contextlib.ExitStack) -> str:
    """Return the path of a cache that goes at the end: as it was named, or a temporary one."""
    if path is None:
        folder = stack.enter_context(make_temporary_folder("hardlimit-rows"))
        return os.path.join(folder, "rows")
    refuse_other_file(path)
    stack.callback(_remove, path)
    return os.fspath(path)


def _remove(path: PathLike) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _open_cache(
    path: str | None, spare: Elsewhere | None, asked: Asked, opened: Opened
) -> tuple[DiskCache | None, bool]:
    """Return the cache, and whether its blocks are still to be read."""
    if path is None:
        return None, True
    position, vectorizer = asked.position, opened.more.get("fitted_vectorizer")
    if not isinstance(vectorizer, TextVectorizer):
        vectorizer = None  # of several columns the rows are kept, as those of numbers
    if position is not None and position.epoch > 1 and os.path.exists(path):
        found = DiskCache.reopened(path, vectorizer)
        if found.n_rows == position.n_rows and found.n_blocks == position.n_blocks:
            return found, False
        found.abandon()
    weighted = opened.weighted or asked.choices.class_weight is not None
    return DiskCache(path, asked.size, weighted, vectorizer, spare), True


def _compare(asked: Asked, opened: Opened) -> None:
    """Go through rows that are in the cache already: they must be those of the checkpoint."""
    asked.cached, mark, n_rows = False, "", 0  # nobody wants them as features
    for block in opened.blocks:
        mark, n_rows = block.mark, n_rows + block.n_rows
        progress.report("comparing the rows with the checkpoint", n_rows, 0, "rows")
    asked.compare(mark)


def block_size(choices: Choices) -> int:
    """Return the rows of a block."""
    return choices.order.size if isinstance(choices.order, Stream) else ROWS
