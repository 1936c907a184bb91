"""What the options of a command ask for, as the table of conflicts looks at it.

Each command makes an :class:`.Ask` and hands it to :func:`refuse`: by the options alone before any
file is opened, and once more when it is known what the rows or the model are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardlimit.classifiers.model.ask import (
    CLUSTER,
    COLUMNS,
    MEMORY,
    NUMBERS,
    ONE,
    POINTS,
    SETS,
    STREAM,
    Ask,
)
from hardlimit.cli import label_columns
from hardlimit.cli.options import Options
from hardlimit.exceptions import InputError
from hardlimit.readers.opening import STANDARD_INPUT

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.predictions.answerers import Answerer


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


def ask_of(command: str, options: Options, features: str = "", targets: str = ONE) -> Ask:
    """Return what a command on a model is asked for, here or on a cluster."""
    way = CLUSTER if getattr(options, "cluster", None) else MEMORY
    asked = names_of(options)
    return Ask(command=command, features=features, targets=targets, way=way, asked=asked)


def ask_of_answerer(command: str, options: Options, answerer: Answerer) -> Ask:
    """Return what a command asks of a model."""
    return ask_of(command, options, answerer.form.features, answerer.labels.targets)


def ask_of_classifier(command: str, options: Options, classifier: Classifier) -> Ask:
    """Return what a command asks of a classifier."""
    from hardlimit.predictions.answerers import Fitted  # late: answers of texts need less

    return ask_of_answerer(command, options, Fitted(classifier))


def ask_to_train(options: TrainOptions) -> Ask:
    """Return what a training is asked for, before anybody has looked at its rows."""
    asked = set(names_of(options))
    if options.shards == 1:  # which is none
        asked.discard("shards")
    if getattr(options.readout, "averaging", "post") != "post":
        asked.add("averaging")
    features, targets = _rows_to_learn(options)
    return Ask(
        features=features,
        targets=targets,
        way=CLUSTER if options.cluster else STREAM if options.stream else MEMORY,
        asked=frozenset(asked),
        piped=STANDARD_INPUT in options.sources,
    )


def _rows_to_learn(options: TrainOptions) -> tuple[str, str]:
    """Return what is known of examples and labels: by the header of an earlier model, or typed."""
    if options.train_from is not None:
        from hardlimit.classifiers import kind_of, open_file  # start-up: predictions do without
        from hardlimit.cli import models

        models.require(options.train_from)
        kind = kind_of(open_file(options.train_from))
        return kind.features, kind.targets
    features = "" if options.kernel is None else POINTS
    if options.labels_separator is not None:
        return features, SETS
    # Of texts the labels stand in one column, whose name may have a comma.
    columns = label_columns.split_names(options.label)
    return (features or NUMBERS, COLUMNS) if columns else (features, ONE)


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
        from hardlimit.cli.errors import face_of, usage_error

        raise usage_error(error, face=face_of("request")) from None
