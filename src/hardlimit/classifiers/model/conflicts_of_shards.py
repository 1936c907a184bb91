"""What does not go together with shards whose weights are mixed."""

from __future__ import annotations

from hardlimit import rules
from hardlimit.classifiers.model.conflict import Conflict
from hardlimit.classifiers.model.traits import (
    asked_scalars,
    compares_lives,
    kind_of_answer,
    knowing,
    knows_examples,
)
from hardlimit.exceptions import Setting, Suggestion


def _reason_unmixed(rule: rules.Rule) -> str:
    """Why the mean of several runs of this rule is no weights of it; empty where it is."""
    if isinstance(rule, rules.CovarianceRule):
        return (
            "it keeps a covariance beside the weights, and the mean of the weights says nothing of "
            "how certain the mixture is"
        )
    kind = kind_of_answer(rule)
    if kind in ("factor", "tau, linked"):
        return "it multiplies its weights, and a mean of products is no product"
    if kind != "tau":
        return "it shrinks its weights by what it has learnt, and each shard by something else"
    if "wsq" in asked_scalars(rule):
        return "it asks for ||w||, and a mixture is shorter than what was learnt"
    if knows_examples(rule):
        return "its weights are the sum of what each example counts, and a mixture is not"
    return ""


MIXED = (
    Conflict(
        "rule-not-mixed",
        "shards",
        lambda c: c.mixed and bool(_reason_unmixed(c.rule)),
        lambda c: _reason_unmixed(c.rule),
        "use the perceptron, its margin form, passive-aggressive or relaxation, or one shard",
    ),
    Conflict(
        "order-of-shards",
        "order",
        lambda c: c.mixed and c.order.loop != "online",
        "it looks at all rows for each step, and a shard has some of them",
        ("use ", Setting("order", "shuffled"), ", or one shard"),
        who="shards",
    ),
    Conflict(
        "guards-of-shards",
        "guard",
        lambda c: c.mixed and bool(knowing(c)),
        "it knows what became of each example, and the mixture has only a part of that",
        ("use ", Suggestion("guards.Margin"), ", or one shard"),
        who="shards",
        value=lambda c: knowing(c)[0],
    ),
)

LIVES_OF_SHARDS = Conflict(
    "lives-of-shards",
    "readout",
    lambda c: c.mixed and compares_lives(c.readout),
    "hypotheses live until the weights are mixed, and no longer",
    ("use ", Setting("readout", "last"), " or ", Setting("readout", "averaged")),
    who="shards",
)
