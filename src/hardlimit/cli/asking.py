"""What the options of a command ask for, as the table of conflicts looks at it.

Each command makes an :class:`.Ask` and hands it to :func:`refuse`: by the options alone before any
file is opened, and once more when it is known what the rows or the model are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.ask import (
    CLUSTER,
    COLUMNS,
    MEMORY,
    NUMBERS,
    ONE,
    POINTS,
    SETS,
    STREAM,
    TABLE,
    TEXT,
    TEXTS,
    Ask,
)
from hardlimit.cli.options import Options
from hardlimit.exceptions import InputError
from hardlimit.readers.opening import STANDARD_INPUT

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.tune.command import TuneOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.predictions.judges import Judge


def names_of(options: Options) -> frozenset[str]:
    """Return the names of the options that were given.

    >>> sorted(names_of(Options(header=False, label="spam")))
    ['header', 'label']
    """
    return frozenset(
        name
        for name, value in vars(options).items()
        if value not in (None, (), {}) and (value is not False or name in _SWITCHES)
    )


# Flags of which either side is an answer.
_SWITCHES = ("header", "quoting", "mail")


def ask_of(command: str, options: Any, features: str = "", targets: str = ONE) -> Ask:
    """Return what a command on a model is asked for, here or on a cluster."""
    way = CLUSTER if getattr(options, "cluster", None) else MEMORY
    asked = names_of(options)
    return Ask(command=command, features=features, targets=targets, way=way, asked=asked)


def ask_of_judge(command: str, options: Any, judge: Judge) -> Ask:
    """Return what a command asks of a model."""
    return ask_of(command, options, judge.form.features, judge.labels.targets)


def ask_of_classifier(command: str, options: object, classifier: Classifier) -> Ask:
    """Return what a command asks of a classifier."""
    from hardlimit.predictions.judges import Fitted  # late: answers of texts need less

    return ask_of_judge(command, options, Fitted(classifier))


def ask_to_train(options: TrainOptions, *, columns: bool) -> Ask:
    """Return what a training is asked for, before anybody has looked at its rows."""
    asked = set(names_of(options))
    if options.shards == 1:  # which is none
        asked.discard("shards")
    if getattr(options.readout, "averaging", "post") != "post":
        asked.add("averaging")
    sets = SETS if options.labels_separator is not None else ONE
    return Ask(
        features=POINTS if options.kernel is not None else NUMBERS if columns else "",
        targets=COLUMNS if columns else sets,
        way=CLUSTER if options.cluster else STREAM if options.stream else MEMORY,
        asked=frozenset(asked),
        piped=STANDARD_INPUT in options.sources,
    )


def features_of(options: TrainOptions | TuneOptions, *, is_numeric: bool, is_table: bool) -> str:
    """Return what the examples of a training are."""
    if is_table:
        return TABLE
    if is_numeric:
        return POINTS if options.kernel else NUMBERS
    return TEXTS if len(options.texts) > 1 else TEXT


# Options that rows of the table look at, of commands that answer: others need not read the table.
LOOKED_AT = frozenset(
    {
        "against", "cluster", "encoding", "exit_status", "explain", "features", "fold_labels",
        "label", "label_from", "labels_separator", "live", "mail", "output", "output_format",
        "overwrite", "positive", "quoting", "shards", "spreadsheet", "terms", "text", "top",
    }
)  # fmt: skip


def refuse(ask: Ask) -> None:
    """Refuse what does not go together, as an error of the command line."""
    if ask.command not in ("train", "tune") and ask.asked.isdisjoint(LOOKED_AT):
        return
    from hardlimit.classifiers.model.conflicts_of_requests import check_request  # start-up

    try:
        check_request(ask)
    except InputError as error:
        from hardlimit.cli.errors import usage_error

        raise usage_error(error) from None
