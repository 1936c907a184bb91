"""What must not be asked of a finished model: options of commands, and whole commands, by kind."""

from __future__ import annotations

from hardlimit.classifiers.model.ask import (
    CLUSTER,
    COLUMNS,
    OF_NUMBERS,
    ONE,
    POINTS,
    SETS,
    TEXT,
    TEXTS,
    Ask,
)
from hardlimit.classifiers.model.conflict import Conflict, excluded, needing
from hardlimit.exceptions import Parameter, Text

# Commands that answer, by a model or by the corrections beside it.
ANSWERING = ("predict", "evaluate")
CORRECTING = ("correct", "status", "serve")
OWN_FORMAT = "use the model file itself, with hardlimit predict or hardlimit.load"


def _is_corrected(asked: Ask) -> bool:
    """Whether corrections count: of commands that make them, and of those that ask with them."""
    return asked.command in CORRECTING or "live" in asked.asked


def _refused(
    name: str,
    command: str,
    features: str,
    targets: str,
    reason: Text,
    fix: Text = "",
    *,
    unwritten: bool = False,
) -> Conflict:
    """Return the row of a whole command that a kind of models has no answer to; "" is any."""
    return Conflict(
        name,
        "",
        lambda a: (
            a.command == command
            and (not features or a.features == features)
            and (not targets or a.targets == targets)
        ),
        reason,
        fix,
        "",
        unwritten=unwritten,
        of_choices=False,
    )


ANSWERS = (
    needing(
        "parts-in-memory",
        ("shards", "output_format", "overwrite"),
        lambda a: a.command in ANSWERING and a.way != CLUSTER,
        Parameter("cluster"),
    ),
    excluded(
        "one-status",
        ("exit_status",),
        lambda a: a.command == "predict" and a.way == CLUSTER,
        "cluster",
        "it tells one answer, and a cluster has many",
        "leave it out",
    ),
    excluded(
        "spreadsheet-of-parts",
        ("spreadsheet",),
        lambda a: a.command == "predict" and a.way == CLUSTER,
        "cluster",
        "it is of one file; a cluster writes JSON or Parquet",
        "leave it out",
    ),
    needing(
        "spreadsheet-of-nothing",
        ("spreadsheet",),
        lambda a: a.command == "predict" and "output" not in a.asked,
        (Parameter("output"), " FILE.csv, or -o - for standard output"),
    ),
    excluded(
        "corrections-on-a-cluster",
        ("live",),
        lambda a: a.command in ANSWERING and a.way == CLUSTER,
        "cluster",
        "it answers by a ledger that others may write meanwhile, and the shards would be "
        "answered by different models",
        "'hardlimit bake' writes a model with the corrections",
    ),
    excluded(
        "positive-of-several",
        ("positive",),
        lambda a: a.command in ("evaluate", "report", "certify") and a.targets != ONE,
        "several",
        "it is one of two classes",
        "leave it out",
    ),
)
EXPLANATIONS = (
    excluded(
        "label-of-one",
        ("label",),
        lambda a: a.command == "explain" and a.targets == ONE,
        ONE,
        "it is of several labels",
        ("to name the other class: ", Parameter("against")),
    ),
    excluded(
        "against-of-several",
        ("against",),
        lambda a: a.command == "explain" and a.targets != ONE,
        "several",
        "each label is learnt by itself, against its absence",
        ("to name a label: ", Parameter("label")),
    ),
    excluded(
        "terms-of-numbers",
        ("terms",),
        lambda a: a.command == "explain" and a.features in OF_NUMBERS,
        "numbers",
        "it is for texts, whose terms are more than their words",
        "leave it out",
    ),
)
CORRECTIONS = (
    Conflict(
        "corrections-of-kernels",
        "",
        lambda a: _is_corrected(a) and a.features == POINTS,
        "a kernel model has no weights of columns that a correction could move",
        "train anew on the corrected rows",
        who="open_live",
        of_choices=False,
    ),
    Conflict(
        "corrections-of-several",
        "",
        lambda a: _is_corrected(a) and a.targets != ONE,
        "a model of several labels a row has no single answer that a correction could move",
        "train anew on the corrected rows",
        who="open_live",
        of_choices=False,
    ),
)
EXPORTS = (
    *(
        _refused(
            f"export-of-{kind.replace(' ', '-')}",
            "export",
            kind,
            "",
            "ONNX has no operators for texts as hardlimit cuts, normalises and hashes them",
            OWN_FORMAT,
        )
        for kind in (TEXT, TEXTS)
    ),
    _refused(
        "export-of-kernels",
        "export",
        POINTS,
        "",
        "a model with a kernel answers by its supports, which are rows and no weights",
        OWN_FORMAT,
    ),
    *(
        _refused(
            f"export-of-{kind.replace(' ', '-')}",
            "export",
            "",
            kind,
            "several labels a row are no single label",
            OWN_FORMAT,
        )
        for kind in (SETS, COLUMNS)
    ),
)
COMPARISONS = (
    _refused(
        "difference-of-kernels",
        "diff",
        POINTS,
        "",
        "a kernel model has no weights of columns to compare: its weights live in the space of the "
        "kernel",
        "compare its answers: 'hardlimit evaluate' on the same rows",
    ),
    _refused(
        "proof-of-kernels",
        "certify",
        POINTS,
        "",
        "a proof is about the columns of the rows, and a kernel has none",
        "prove it of the columns that a feature map makes",
    ),
)
COMMANDS = (*ANSWERS, *EXPLANATIONS, *CORRECTIONS, *EXPORTS, *COMPARISONS)
