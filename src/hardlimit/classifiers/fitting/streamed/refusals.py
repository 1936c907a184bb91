"""What a stream cannot do, since it needs all examples at once; asked before anything is read."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from hardlimit import orders, readouts, scaling
from hardlimit.classifiers.model.choices import Choices, Default
from hardlimit.classifiers.model.compatibility import check_streamed
from hardlimit.classifiers.model.conflict import Combination, Conflict
from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation.parameters import as_float
from hardlimit.learner import Plan
from hardlimit.readouts import STREAMED

WHO = "fit_stream"

ORDER = Conflict(
    "order-out-of-core",
    "order",
    lambda c: not isinstance(c.order, orders.Stream | orders.Cyclic),
    "a stream has a few blocks of rows in memory, and this order goes from any row to any other",
    (
        "use ",
        Setting("order", "stream"),
        ", which shuffles blocks and the rows inside",
    ),
    WHO,
)
READOUTS = (
    Conflict(
        "votes-out-of-core",
        "readout",
        lambda c: readouts.resolve(c.readout).replays_corrections,
        "every row that was ever corrected would stay in memory",
        ("use ", Setting("readout", "averaged"), ", which answers much like it"),
        WHO,
    ),
    Conflict(
        "ratchet-out-of-core",
        "readout",
        lambda c: readouts.resolve(c.readout).verifies,
        "each look at all examples would be a pass over the stream",
        ("use ", Setting("readout", "pocket")),
        WHO,
    ),
)


def stream_order(given: dict[str, Any]) -> dict[str, Any]:
    """Return a classifier's parameters with the order of a stream, where none was asked for."""
    return {**given, "order": "stream"} if isinstance(given["order"], Default) else given


def check_streamable(choices: Choices, probability: bool) -> None:
    """Refuse choices that need all examples at once.

    Raises
    ------
    InputError
        With the reason, and what to do instead.
    """
    combination = choices.combination
    try:
        check_streamed(combination)
    except InputError as error:
        raise error.replaced(who=WHO) from None
    _check(ORDER, combination)
    for name in dict.fromkeys([choices.readout, *choices.kept]):
        for conflict in READOUTS:
            _check(conflict, replace(combination, readout=name))
    scale = choices.scale
    if scale is not None and scale.measures and type(scale).measured is scaling.Scaling.measured:
        raise InputError(
            "the columns are measured on all rows before the first is learnt",
            who=WHO,
            parameter="scale",
            got=scaling.name_of(choices.scale),
            wanted="'rows' or 'none'",
        )
    if choices.shards > 1:
        raise InputError(
            "a stream is one run, and shards learn each epoch side by side",
            who=WHO,
            parameter="shards",
            got=choices.shards,
            fix="use fit, or one shard",
        )
    if choices.map is not None:
        raise InputError(
            "a feature map is fitted to all rows before the first is learnt",
            who=WHO,
            parameter="map",
            got=choices.map,
            fix="hand in rows that a fitted map has made",
        )
    if probability:
        raise InputError(
            "probabilities are fitted by a second fit on three quarters of the rows",
            who=WHO,
            parameter="probability",
            got=True,
            fix="call calibrate(X, y) on rows that were not learnt from",
        )


def check_resumable(choices: Choices, plan: Plan, every: float) -> None:
    """Refuse checkpoints of what a checkpoint does not hold."""
    if not 0 <= as_float(every) < math.inf:
        raise InputError(parameter="every", got=every, wanted="minutes, 0 or more")
    lost = [n for n in dict.fromkeys([*choices.kept, choices.readout]) if n not in STREAMED]
    if lost:
        raise InputError(
            f"a checkpoint holds {' and '.join(STREAMED)} only, and not {', '.join(lost)}, which "
            "remember the whole run",
            parameter="checkpoint",
            fix=("use ", Setting("keep", readouts.DEFAULT)),
        )
    if plan.until is not None and plan.max_iter > 1:
        raise InputError(
            "a checkpoint does not hold which classes have reached their aim",
            parameter="checkpoint",
            fix=("use ", Setting("until", None), ", which runs all epochs"),
        )
    if choices.seed and choices.random_state is None:
        raise InputError(
            "a run that goes on needs the seed of the one before",
            parameter="random_state",
            got=None,
            wanted="a number",
        )


def _check(conflict: Conflict, combination: Combination) -> None:
    if conflict.applies(combination):
        raise conflict.error(combination)
