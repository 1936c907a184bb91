"""What does not go together with the way of the rows: a stream, shards of files, or batches."""

from __future__ import annotations

from hardlimit import orders, readouts, scaling
from hardlimit.classifiers.model.ask import BATCHES, CLUSTER, STREAM, TEXT
from hardlimit.classifiers.model.combination import Combination
from hardlimit.classifiers.model.conflict import Conflict
from hardlimit.classifiers.model.traits import aims, knowing, knows_examples, searches
from hardlimit.exceptions import Setting, Suggestion

OUT_OF_MEMORY = (STREAM, CLUSTER)


def _is_new_to_rows(combination: Combination) -> bool:
    """Whether each example comes as a new one: nobody knows it again."""
    return combination.way in (BATCHES, STREAM)


def _measures_at_once(combination: Combination) -> bool:
    """Whether the scale looks at all rows, in one call of a user's own class."""
    scale = combination.scale
    if scale is None or not scale.measures:
        return False
    return type(scale).measured is scaling.Scaling.measured


def _loses_lives(combination: Combination) -> bool:
    """Whether a checkpoint would lose what the read-out remembers of the run."""
    return "checkpoint" in combination.asked and combination.readout not in readouts.STREAMED


WAYS = (
    Conflict(
        "optimal-in-stream",
        "schedule",
        lambda c: _is_new_to_rows(c) and aims(c),
        "the steps of all examples are computed before the first, and a stream has none yet",
        "use fit, or another schedule",
        "way",
    ),
    Conflict(
        "order-of-streams",
        "order",
        lambda c: _is_new_to_rows(c) and c.order.loop != "online",
        "it needs all examples at once, and a stream presents each once, as it comes",
        ("use fit, or ", Setting("order", "cyclic")),
        "way",
    ),
    Conflict(
        "search-in-stream",
        "schedule",
        lambda c: _is_new_to_rows(c) and searches(c),
        "it looks for the step of a whole batch, and a stream has none",
        "use fit, or another schedule",
        "way",
    ),
    Conflict(
        "guards-of-known-examples",
        "guard",
        lambda c: _is_new_to_rows(c) and bool(knowing(c)),
        "it knows each training example again, and in a stream every example is new",
        ("use fit, ", Suggestion("guards.Margin"), ", or ", Setting("guard", None)),
        "way",
        value=lambda c: knowing(c)[0],
    ),
    Conflict(
        "rule-of-known-examples",
        "rule",
        lambda c: _is_new_to_rows(c) and knows_examples(c.rule),
        "the rule asks for n_i or alpha_i, what became of this example before; in a stream no "
        "example is known again",
        "use fit",
        "way",
    ),
    Conflict(
        "kernel-of-known-examples",
        "kernel",
        lambda c: _is_new_to_rows(c) and c.kernel is not None and c.kernel.given,
        "its columns are the examples of the fit, and new examples would be new columns",
        "use fit, or a kernel that computes",
        "way",
    ),
    Conflict(
        "order-out-of-core",
        "order",
        lambda c: c.way == STREAM and not isinstance(c.order, orders.Stream | orders.Cyclic),
        "a stream has a few blocks of rows in memory, and this order goes from any row to any "
        "other",
        ("use ", Setting("order", "stream"), ", which shuffles blocks and the rows inside"),
        "way",
    ),
    Conflict(
        "scale-measured-at-once",
        "scale",
        lambda c: c.way == STREAM and _measures_at_once(c),
        "the columns are measured on all rows before the first is learnt",
        ("use ", Setting("scale", "rows"), " or ", Setting("scale", "none")),
        "way",
        value=lambda c: scaling.name_of(c.scale),
    ),
    Conflict(
        "shards-of-a-stream",
        "shards",
        lambda c: c.way == STREAM and c.shards > 1,
        "a stream is one run, and shards learn each epoch side by side",
        "use one shard",
        "way",
    ),
    Conflict(
        "map-out-of-memory",
        "map",
        lambda c: c.way in OUT_OF_MEMORY and c.map is not None and c.map.learns_rows,
        "this map looks at which columns occur together, in all rows before the first is learnt",
        ("use ", Suggestion("maps.Cross", hash_bits=20), ", which needs no look"),
        "way",
    ),
    Conflict(
        "checkpoint-by-chance",
        "random_state",
        lambda c: "checkpoint" in c.asked and c.by_chance,
        "a run that goes on needs the seed of the one before",
        ("use a number, such as ", Setting("random_state", 0)),
        "checkpoint",
        value=lambda _: None,
    ),
)

COLUMNS_TO_COME = (
    Conflict(
        "fixed-columns",
        "rule",
        lambda c: c.growing and bool(c.rule.fixed_columns),
        lambda c: c.rule.fixed_columns,
    ),
)

TRAINING_STATES = (
    Conflict(
        "votes-without-state",
        "readout",
        lambda c: "slim" in c.asked and c.features == TEXT and c.readout == "voted",
        "votes on texts are counted with the vocabulary of the training state, which is left out",
        ("use ", Setting("readout", "averaged")),
        "slim",
    ),
)

READOUTS_OF_WAYS = (
    Conflict(
        "kept-in-streams",
        "readout",
        lambda c: c.way == BATCHES and c.readout not in readouts.STREAMED,
        f"batches keep {' and '.join(readouts.STREAMED)}; others need a fit over known examples",
        (
            "answer by ",
            Setting("readout", "averaged"),
            " or ",
            Setting("readout", "last"),
            ", and keep no other",
        ),
        "way",
    ),
    Conflict(
        "votes-out-of-core",
        "readout",
        lambda c: c.way == STREAM and readouts.resolve(c.readout).replays_corrections,
        "every row that was ever corrected would stay in memory",
        ("use ", Setting("readout", "averaged"), ", which answers much like it"),
        "way",
    ),
    Conflict(
        "ratchet-out-of-core",
        "readout",
        lambda c: c.way == STREAM and readouts.resolve(c.readout).verifies,
        "each look at all examples would be a pass over the stream",
        ("use ", Setting("readout", "pocket")),
        "way",
    ),
    Conflict(
        "checkpoint-of-lives",
        "readout",
        _loses_lives,
        f"a checkpoint holds {' and '.join(readouts.STREAMED)} only; others remember the whole run",
        ("use ", Setting("keep", readouts.DEFAULT), " and ", Setting("readout", "averaged")),
        "checkpoint",
    ),
)
