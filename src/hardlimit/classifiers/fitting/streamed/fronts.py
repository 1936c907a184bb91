"""What ``fit_stream`` of the classifiers does: checks, passes, and the fit itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.streamed import refusals
from hardlimit.classifiers.fitting.streamed.numbers import open_numbers
from hardlimit.classifiers.fitting.streamed.pieces import MemoryCache
from hardlimit.classifiers.fitting.streamed.run import fit_blocks
from hardlimit.classifiers.fitting.streamed.texts import open_texts
from hardlimit.classifiers.model.choices import Choices, Default
from hardlimit.learner import Plan
from hardlimit.orders import Stream
from hardlimit.streaming.batches import BatchSource
from hardlimit.streaming.blocks import cut
from hardlimit.streaming.pipeline import Pipeline

ROWS = 1024  # of a block, where no order says it


def fit_stream(
    classifier: Any, batches: Any, *, classes: Any = None, callback: Callback | None = None
) -> None:
    """Let a classifier learn from batches: see :meth:`.OutOfCore.fit_stream`."""
    given = classifier.get_params(deep=False)
    choices: Choices = classifier.check_parameters(refusals.stream_order(given))
    refusals.check_streamable(choices, bool(given.get("probability")))
    refusals.check_features(choices)
    # Cycles are watched over examples that are all in memory.
    plan = replace(fit.make_plan(choices, callback), watches_cycles=False)
    source = BatchSource(batches)
    open_stream = open_numbers if choices.text is None else open_texts
    with Pipeline() as pipeline:
        opened = open_stream(choices, pipeline.ahead(source), classes)
        model = fit_blocks(
            choices,
            opened.book,
            cut(opened.blocks, block_size(choices)),
            opened.n_columns,
            plan,
            classifier.adopt,
            opened.kind,
            None if is_single_pass(choices, plan) else MemoryCache(),
            **opened.more,
        )
    classifier.adopt(model)


def is_single_pass(choices: Choices, plan: Plan) -> bool:
    """Whether the rows are asked for once: one epoch, and no aim to be verified after it."""
    return plan.max_iter == 1 and (plan.until is None or isinstance(choices.until, Default))


def block_size(choices: Choices) -> int:
    """Return the rows of a block."""
    return choices.order.size if isinstance(choices.order, Stream) else ROWS
