"""What must not be asked of a training together, whatever the choices: kinds, labels and ways."""

from __future__ import annotations

from hardlimit.classifiers.model.ask import (
    CLUSTER,
    COLUMNS,
    MEMORY,
    OF_NUMBERS,
    OF_TEXTS,
    ONE,
    POINTS,
    STREAM,
    TABLE,
    Ask,
)
from hardlimit.classifiers.model.conflict import Conflict, excluded, needing
from hardlimit.classifiers.model.conflicts_of_commands import COMMANDS
from hardlimit.exceptions import Parameter, Setting, Text

OF_TABLES = (
    "number_columns", "category_columns", "missing", "missing_values", "hash_categories",
    "column_weights",
)  # fmt: skip
# What an earlier model has decided.
DECIDED = (
    "order", "schedule", "guard", "keep", "seed", "start", "multiclass", "until", "features",
    "scale", "probability", "shards", "mixing", "map", "kernel", "budget", "bias_feature",
    *OF_TABLES, "rule", "classes",
)  # fmt: skip
OF_LAYOUTS_OF_TEXTS = ("quoting", "encoding", "mail", "label_from", "labels_separator")


def _trains(asked: Ask) -> bool:
    return asked.command == "train"


def _learns(asked: Ask) -> bool:
    return asked.command in ("train", "tune")


LEAVE_IT_OUT = "leave it out"


def _leave_out(name: str) -> Text:
    return ("leave out ", Parameter(name))


def _leave_way_out(asked: Ask) -> Text:
    """Return the mend of what goes with rows in memory alone."""
    return _leave_out(asked.way)


KINDS = (
    excluded(
        "features-of-numbers",
        ("features", *OF_LAYOUTS_OF_TEXTS),
        lambda a: a.features in OF_NUMBERS,
        "numbers",
        "it is for texts",
        LEAVE_IT_OUT,
    ),
    excluded(
        "text-of-numbers",
        ("text",),  # of other commands an argument
        lambda a: a.command == "read" and a.features in OF_NUMBERS,
        "numbers",
        "it is for texts",
        LEAVE_IT_OUT,
    ),
    excluded(
        "spaces-of-texts",
        ("map", "kernel", "budget", "bias_feature"),
        lambda a: _learns(a) and a.features in OF_TEXTS,
        "texts",
        "it is for numbers, and the columns of texts are terms",
        ("use ", Parameter("features")),
    ),
    excluded(
        "scale-of-tables",
        ("scale",),
        lambda a: _learns(a) and a.features == TABLE,
        "table",
        "numbers of a mixed table are standardised anyway",
        LEAVE_IT_OUT,
    ),
    excluded(
        "scale-of-texts",
        ("scale",),
        lambda a: _learns(a) and a.features in OF_TEXTS,
        "texts",
        "it is for numbers",
        ("texts are scaled by ", Setting("norm", "l2")),
    ),
    excluded(
        "spaces-of-kernels",
        ("map", "scale"),
        lambda a: _learns(a) and a.features == POINTS,
        "kernel",
        "a kernel has a space of its own",
        LEAVE_IT_OUT,
    ),
    excluded(
        "shards-of-kernels",
        ("shards", "mixing"),
        lambda a: _learns(a) and a.features == POINTS,
        "kernel",
        "the weights of shards are mixed, and a kernel model has supports",
        ("use ", Parameter("map"), ", whose columns have weights"),
    ),
    excluded(
        "weights-of-others",
        ("weights",),
        lambda a: a.command == "tune" and a.features != TABLE,
        "",
        "it is for mixed tables",
        LEAVE_IT_OUT,
    ),
)
LABELS = (
    excluded(
        "kernel-of-columns",
        ("kernel",),
        lambda a: _trains(a) and a.targets == COLUMNS,
        COLUMNS,
        "the supports of a kernel model are shared by classes that exclude each other",
        "train a model for each label",
        unwritten=True,
    ),
    excluded(
        "one-answer",
        ("max_false_positive", "positive", "class_weight", "multiclass"),
        lambda a: _trains(a) and a.targets != ONE,
        "several",
        "it is about classes that exclude each other, and each label is learnt by itself",
        LEAVE_IT_OUT,
    ),
    excluded(
        "folding-columns",
        ("fold_labels",),
        lambda a: a.targets == COLUMNS,
        COLUMNS,
        "the labels are the names of columns, of which each is one already",
        LEAVE_IT_OUT,
    ),
    excluded(
        "tables-of-columns",
        OF_TABLES,
        lambda a: _trains(a) and a.targets == COLUMNS,
        COLUMNS,
        "columns of labels stand beside columns of numbers",
        "write the labels of a mixed table into one column, with a separator",
        unwritten=True,
    ),
)
CONTINUED = (
    excluded(
        "decided-before",
        DECIDED,
        lambda a: _trains(a) and "train_from" in a.asked,
        "train_from",
        "the earlier model has decided that",
        "leave it out, or train anew on all rows",
    ),
    excluded(
        "mean-decided-before",
        ("averaging",),
        lambda a: _trains(a) and "train_from" in a.asked,
        "train_from",
        "the earlier model has decided how the mean counts",
        ("use ", Setting("readout", "averaged")),
    ),
)
WAYS = (
    excluded(
        "continued-out-of-memory",
        ("train_from",),
        lambda a: a.way == CLUSTER,
        "way",
        "an earlier model takes new rows as they come, and shards learn side by side",
        ("leave out ", Parameter("cluster"), ", or use ", Parameter("stream")),
        unwritten=True,
    ),
    excluded(
        "kept-beside-continued",
        ("checkpoint", "every", "cache"),
        lambda a: _trains(a) and a.way == STREAM and "train_from" in a.asked,
        "train_from",
        "the input is read again in each epoch of an earlier model, and nothing is kept beside it",
        LEAVE_IT_OUT,
        unwritten=True,
    ),
    Conflict(
        "kernel-out-of-memory",
        "kernel",
        lambda a: a.features == POINTS and _trains(a) and a.way in (STREAM, CLUSTER),
        "a kernel model keeps its rows",
        _leave_way_out,
        "way",
        of_choices=False,
    ),
    excluded(
        "stream-of-shards",
        ("stream",),
        lambda a: a.way == CLUSTER,
        "way",
        "a stream is one run over its rows",
        _leave_out("stream"),
    ),
    Conflict(
        "probability-in-stream",
        "probability",
        lambda a: a.way == STREAM and "probability" in a.asked and "holdout" not in a.asked,
        "probabilities are fitted to rows that were not learnt, by a second fit on three quarters "
        "of the rows in memory",
        "call calibrate(X, y) on rows that were not learnt from",
        "way",
        lambda _: True,
        of_choices=False,
    ),
    Conflict(
        "checkpoint-of-input",
        "checkpoint",
        lambda a: a.way == CLUSTER and a.piped and "checkpoint" in a.asked,
        "it names the files whose shards were learnt, and standard input has no name",
        "name a file",
        "",
        lambda _: None,
        of_choices=False,
    ),
    needing(
        "budget-of-columns",
        ("budget",),
        lambda a: _trains(a) and a.features != POINTS and "train_from" not in a.asked,
        Parameter("kernel"),
    ),
    needing(
        "mixing-of-one",
        ("mixing",),
        lambda a: _trains(a) and "shards" not in a.asked,
        ("several ", Parameter("shards")),
    ),
    needing(
        "checkpoint-in-memory",
        ("checkpoint", "every"),
        lambda a: _trains(a) and a.way == MEMORY,
        (Parameter("stream"), " or ", Parameter("cluster")),
    ),
    needing(
        "cache-out-of-stream",
        ("cache",),
        lambda a: _trains(a) and a.way != STREAM,
        Parameter("stream"),
    ),
    needing(
        "classes-out-of-stream",
        ("classes",),
        lambda a: _trains(a) and a.way != STREAM,
        (
            Parameter("stream"),
            ": without it all rows are looked at before the first is learnt, and their labels are "
            "the classes",
        ),
    ),
    needing(
        "every-without-checkpoint",
        ("every",),
        lambda a: _trains(a) and "checkpoint" not in a.asked,
        Parameter("checkpoint"),
    ),
    excluded(
        "cache-beside-checkpoint",
        ("cache",),
        lambda a: "checkpoint" in a.asked,
        "checkpoint",
        "the rows lie beside the checkpoint",
        _leave_out("cache"),
    ),
)
REQUESTS = (*WAYS, *CONTINUED, *KINDS, *LABELS)


def check_request(asked: Ask) -> None:
    """Refuse what must not be asked for together, before any choice is resolved.

    Raises
    ------
    InputError
        The first conflict of the table.
    """
    for row in REQUESTS if asked.command == "train" else (*COMMANDS, *REQUESTS):
        if row.applies(asked):
            raise row.error(asked)
