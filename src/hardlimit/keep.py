"""Which of the hypotheses that passed by are remembered, and which one answers.

All come from one fit: ``keep="all"``, then ``with_readout(...)`` without learning anew.

``last``
    the weights after the last presentation.
``averaged``
    their mean over the presentations, in one of three conventions. With ``w_t`` the weights after
    presentation t of n, ``w_0 = 0``:

    ========== ==================================== ============================================
    ``post``   ``(w_1 + ... + w_n) / n``            the counts of Freund and Schapire; the default
    ``pre``    ``(w_0 + ... + w_{n-1}) / n``        each vector counts before it is corrected
    ``ciml``   ``(w_0 + w_1 + ... + w_n) / (n+1)``  the usual two-vector algorithm with c = 1
    ========== ==================================== ============================================

    ``post`` and ``ciml`` point the same way; ``pre`` does not and can classify differently. A
    common slip states one of them and counts by another.
``longest``
    the weights that answered after the largest number of presentations without being corrected;
    of equals the first.
``pocket``
    the same by Gallant's count, the right presentations in a row (Gallant, IEEE Trans. Neural
    Networks 1, 1990). In the order ``random`` the probability of an optimal vector tends to 1: the
    proof was for rational inputs and was extended to real ones (Muselli 1997); a later one asks for
    a run whose length lies between bounds that move with the iterations. No useful rate is known,
    and a cyclic order can miss it.
``pocket-ratchet``
    a longer run only takes the place if the whole training set has fewer errors: one look at all
    examples for each run that breaks the record. In the order ``random`` it finds an optimal vector
    after finitely many presentations (Muselli 1997), of which nobody knows how many.
``voted``
    every hypothesis votes by the sign of its score, as often as it lived; a score of 0 abstains
    (Freund and Schapire, Machine Learning 37, 1999): a common slip lets the zeros at the start vote
    for a class. Keeps the corrected examples, and costs
    corrections x rows at prediction.
``random``
    ``w_t`` of a t drawn uniformly from 0 .. n (of each neuron by itself with ``ovr``): the one for
    which the online-to-batch theorem holds with equality.

Neurons that learn by themselves (``ovr``) have survivors and pockets of their own. Longest, pocket
and random copy the weights only when a life ends that breaks the record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hardlimit.exceptions import InputError

READOUTS = ("last", "averaged", "longest", "pocket", "pocket-ratchet", "voted", "random")
AVERAGINGS = ("post", "pre", "ciml")
DEFAULT = ("last", "averaged")
STREAMED = ("last", "averaged")
_SURVIVORS = ("longest", "pocket", "pocket-ratchet", "voted", "random")

# Multiply-adds that a vote over many rows may cost: about half a minute.
VOTING_BUDGET = 1 << 36


class Mixture(NamedTuple):
    """A read-out as ``(of_last * w_n + of_sum * (w_0 + ... + w_{n-1})) / divisor``."""

    of_last: float
    of_sum: float
    divisor: float


def mixture(readout: str, averaging: str, presentations: int) -> Mixture:
    """How a read-out mixes the last weights and the sum after so many presentations.

    >>> mixture("averaged", "post", 4)
    Mixture(of_last=1, of_sum=1, divisor=4)
    """
    n = presentations
    if readout == "last" or n == 0:
        return Mixture(1, 0, 1)
    if averaging == "pre":
        return Mixture(0, 1, n)
    return Mixture(1, 1, n + 1 if averaging == "ciml" else n)


def check(keep: Any, readout: str, averaging: str) -> tuple[str, ...]:
    """Refuse what is not there, and a read-out that is not kept; ``"all"`` is every one."""
    if not isinstance(keep, str | tuple | list):
        raise InputError(f"keep: got {keep!r}, wanted 'all' or a tuple of {', '.join(READOUTS)}")
    kept = (keep,) if isinstance(keep, str) else tuple(keep)
    if keep == "all":
        kept = READOUTS
    for name in (*kept, readout):
        if name not in READOUTS:
            raise InputError(f"keep and readout: got {name!r}, wanted one of {', '.join(READOUTS)}")
    if readout not in kept and readout != "last":
        raise InputError(f"readout={readout!r} is not kept; wanted keep={(*kept, readout)!r}")
    if averaging not in AVERAGINGS:
        raise InputError(f"averaging: got {averaging!r}, wanted one of {', '.join(AVERAGINGS)}")
    return kept


def possible(keep: Any, kept: tuple[str, ...], rule: Any, loop: str) -> tuple[str, ...]:
    """What of it goes with the rule and the order; what was asked for and does not, is refused.

    ``keep="all"`` and the default mean all that goes.
    """
    reasons = {name: reason for name in kept if (reason := reason_against(name, rule, loop))}
    if keep != "all" and tuple(keep) != DEFAULT:
        for name, reason in reasons.items():
            raise InputError(f"keep: {name!r} does not go with {reason}")
    return tuple(name for name in kept if name not in reasons)


def averages(rule: Any) -> bool:
    """Whether the mean of this rule's hypotheses can be kept.

    >>> from hardlimit import rules
    >>> averages(rules.Perceptron()), averages(rules.BalancedWinnow())
    (True, False)
    """
    return getattr(rule, "answers", "tau") != "tau, linked"


def reason_against(readout: str, rule: Any, loop: str) -> str:
    """Why this read-out does not go with the rule or the order; empty where it does."""
    answers = getattr(rule, "answers", "tau")
    name = type(rule).__name__
    if loop != "online" and readout in _SURVIVORS:
        return f"order={loop!r}: there every weight vector lives for one presentation"
    if not averages(rule) and readout in ("averaged", "voted"):
        return (
            f"{name}: its weights are 2 sinh(theta), and neither their mean nor their votes follow "
            "from what is kept of theta; use 'last', 'longest' or 'pocket'"
        )
    if answers in ("tau, beta", "factor") and readout == "voted":
        return (
            f"{name}: its corrections are no multiples of the examples, so that the votes would "
            "need every weight vector; use 'averaged'"
        )
    return ""
