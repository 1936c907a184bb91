"""One training run of the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.comparison import Compared
    from hardlimit.cli.commands.train.continued import Continued
    from hardlimit.cli.commands.train.thresholds import Threshold
    from hardlimit.cli.digests import TrainingFiles
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.models import Classifier
    from hardlimit.predictions.label_measuring import LabelReport
    from hardlimit.predictions.measuring import Report


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
    threshold: Threshold | None = None
    compared: list[Compared] | None = None
    seconds: float = 0.0
    continued: Continued | None = None
