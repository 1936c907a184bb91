"""How shards are mixed, and which weights predict, where nobody asked for either.

The mean of shards serves a rule that corrects mistakes alone: the perceptron gains by it. A rule
that requires a margin moves by no more than each example needs, so that the mean of m shards keeps
an m-th of what one of them has learnt; it needs momentum, and then the last weights predict best,
since the average holds on to the hypotheses of the first epochs. ``python -m benchmarks
shards_default`` measures these defaults against one shard.

>>> from hardlimit import rules
>>> resolve_mixing("auto", 8, rules.PassiveAggressive()), default_readout("inertial")
('inertial', 'last')
>>> resolve_mixing("auto", 8, rules.Perceptron()), default_readout("uniform")
('uniform', 'averaged')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hardlimit import rules
from hardlimit.engine.acceleration import MOMENTA
from hardlimit.engine.mixing import MIXINGS

AUTO = "auto"
CHOOSABLE = (AUTO, *MIXINGS)


class DefaultOfShards(NamedTuple):
    """A row of the table: the mixing of rules of a kind."""

    applies: Callable[[rules.Rule], bool]
    mixing: str


def _requires_margin(rule: rules.Rule) -> bool:
    """Whether right answers are corrected too; what depends on the example counts as a margin."""
    return callable(rule.required) or rule.required > 0


# The first row that applies.
TABLE = (
    DefaultOfShards(_requires_margin, "inertial"),
    DefaultOfShards(lambda rule: True, "uniform"),
)


def resolve_mixing(mixing: str, shards: int, rule: rules.Rule) -> str:
    """Return how shards are mixed; one shard is its own mixture."""
    if mixing != AUTO:
        return mixing
    if shards == 1:
        return "uniform"
    return next(row.mixing for row in TABLE if row.applies(rule))


def default_readout(mixture: str, of_one: str = "averaged") -> str:
    """Return the read-out that predicts by default.

    mixture : empty of one shard.    of_one : the default of a run in one shard
    """
    return "last" if mixture in MOMENTA else of_one
