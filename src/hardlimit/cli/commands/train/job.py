"""One training run of the command line, and what came of it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.comparison import Compared
    from hardlimit.cli.digests import TrainingFiles
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.models import Classifier
    from hardlimit.evaluation import Goal, ThresholdChoice
    from hardlimit.predictions.label_measuring import LabelReport
    from hardlimit.predictions.measuring import Report


@dataclass
class ChosenThreshold:
    """A decision threshold that was chosen on held-out rows.

    positive : of two classes the one that is predicted above it; None of several labels.
    """

    goal: Goal
    choice: ThresholdChoice
    positive: Hashable | None


class Unlearnt(NamedTuple):
    """A new row that is not answered as taught: its number from 0, and how it is shown."""

    row: int
    shown: str
    taught: Any
    answered: Any


@dataclass
class Continued:
    """What one run of ``--train-from`` did.

    asked, right : the new rows that were asked again, and those answered as taught.    wrong : the
    first of the others.    last : how many of the asked rows the last weights answer as taught,
    where others answer.
    """

    epochs: int
    mistakes: int
    corrections: int
    asked: int
    right: int
    wrong: list[Unlearnt] = field(default_factory=list)
    last: int | None = None


@dataclass
class Job:
    """What was asked for, and what came of it.

    files : what is learnt from.    epochs : how often an earlier model sees the new rows; None
    where a model is trained anew.    start : what ``fit`` is told of the weights at the start.
    """

    options: TrainOptions
    files: TrainingFiles
    classifier: Classifier
    data: Labelled
    epochs: int | None
    start: dict[str, Any] = field(default_factory=dict)
    held_out: Labelled | None = None
    report: Report | LabelReport | None = None
    threshold: ChosenThreshold | None = None
    compared: list[Compared] | None = None
    seconds: float = 0.0
    continued: Continued | None = None
