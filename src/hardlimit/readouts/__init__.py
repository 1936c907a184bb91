"""Read-outs, one a file: which of the hypotheses that a run passes answers.

All come from one fit: ``keep="all"``, then ``with_readout(...)`` without learning anew.
``last`` and ``averaged`` follow from two vectors; the others compare how long hypotheses lived,
and copy the weights only when a life ends that breaks the record. Neurons that learn by themselves
(``ovr``) have survivors and pockets of their own.

>>> from hardlimit import readouts
>>> readouts.names()[:3]
('last', 'averaged', 'longest')
>>> readouts.resolve("averaged").mixture("ciml", 4)
Mixture(of_last=1, of_sum=1, divisor=5)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation.register import Register
from hardlimit.readouts._protocol import AVERAGINGS, Mixture, Readout
from hardlimit.rules import CovarianceRule, LinkedRule, MultiplicativeRule, Rule, RuleLike
from hardlimit.rules import resolve as resolve_rule

__all__ = [
    "AVERAGINGS",
    "DEFAULT",
    "ALL",
    "READOUTS",
    "STREAMED",
    "VOTING_BUDGET",
    "Mixture",
    "Readout",
    "ReadoutLike",
    "averages",
    "check",
    "mixture",
    "names",
    "reason_against",
    "resolve",
]

ReadoutLike = Readout | str

if TYPE_CHECKING:  # what is made of the members when they are asked for
    READOUTS: tuple[str, ...]
    ALL: tuple[str, ...]
    STREAMED: tuple[str, ...]


def _make_tables(members: dict[str, type[Readout]]) -> dict[str, tuple[str, ...]]:
    return {
        "READOUTS": tuple(members),
        # What keep="all" means: a wide model would else learn hundreds of times more slowly.
        "ALL": tuple(name for name, cls in members.items() if not cls.visits_columns),
        "STREAMED": tuple(name for name, cls in members.items() if cls.streamed),
    }


REGISTER: Register[Readout] = Register("readout", Readout, sorted_by=attrgetter("place"))
REGISTER.discover(globals(), _make_tables)
DEFAULT = ("last", "averaged")

# Multiply-adds that a vote over many rows may cost: about half a minute.
VOTING_BUDGET = 1 << 36


def names() -> tuple[str, ...]:
    """Names of all read-outs, in the order of lists."""
    return _tables()["READOUTS"]


@functools.cache
def _tables() -> dict[str, tuple[str, ...]]:
    return _make_tables(REGISTER.members)


def resolve(readout: ReadoutLike) -> Readout:
    """Return the read-out of that name, or the read-out itself."""
    return REGISTER.resolve(readout)


def mixture(readout: ReadoutLike, averaging: str, presentations: int) -> Mixture:
    """Return how a read-out mixes the last weights and the sum after so many presentations.

    >>> mixture("averaged", "post", 4)
    Mixture(of_last=1, of_sum=1, divisor=4)
    """
    return resolve(readout).mixture(averaging, presentations)


def check(keep: str | Sequence[str], readout: str, averaging: str) -> tuple[str, ...]:
    """Return the names of what is kept; refuse what is not there, and a read-out not kept.

    ``"all"`` is every one that costs a fit no pass over all columns at a correction, and the one
    that answers.
    """
    readouts, of_all = _tables()["READOUTS"], _tables()["ALL"]
    one_of = f"one of {', '.join(readouts)}"
    if not isinstance(keep, str | tuple | list):
        raise InputError(
            parameter="keep", got=keep, wanted=f"'all' or a tuple of {', '.join(readouts)}"
        )
    kept = (keep,) if isinstance(keep, str) else tuple(keep)
    if keep == "all":
        kept = of_all if readout in of_all else (*of_all, readout)
    for name in (*kept, readout):
        if name not in readouts:
            raise InputError(parameter="keep and readout", got=name, wanted=one_of)
    if readout not in kept and readout != "last":
        raise InputError(
            "it is not kept",
            parameter="readout",
            got=readout,
            fix=("use ", Setting("keep", (*kept, str(readout)))),
        )
    if averaging not in AVERAGINGS:
        raise InputError(
            parameter="averaging", got=averaging, wanted=f"one of {', '.join(AVERAGINGS)}"
        )
    return kept


def averages(rule: RuleLike) -> bool:
    """Whether the mean of this rule's hypotheses can be kept.

    >>> from hardlimit import rules
    >>> averages(rules.Perceptron()), averages(rules.BalancedWinnow())
    (True, False)
    """
    # A rule of a model file whose class is not known here is of no kind, and cannot be asked more.
    known = rule if isinstance(rule, Rule) else resolve_rule(rule)
    return known.answers != LinkedRule.answers


def reason_against(readout: ReadoutLike, rule: RuleLike, loop: str) -> str:
    """Return why this read-out does not go with the rule or the order; empty where it does."""
    chosen, resolved = resolve(readout), resolve_rule(rule)
    name = resolved.class_name
    if loop != "online" and not chosen.streamed:
        return f"order={loop!r}: there every weight vector lives for one presentation"
    if chosen.sums_weights and isinstance(resolved, LinkedRule):
        return (
            f"{name}: its weights are 2 sinh(theta), and neither their mean nor their votes follow "
            "from what is kept of theta; use 'last', 'longest' or 'pocket'"
        )
    if chosen.replays_corrections and isinstance(resolved, CovarianceRule | MultiplicativeRule):
        return (
            f"{name}: its corrections are no multiples of the examples, so that the votes would "
            "need every weight vector; use 'averaged'"
        )
    return ""
