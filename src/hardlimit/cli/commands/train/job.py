"""One training run of the command line: what it is made of, and what came of it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hardlimit import describing
from hardlimit.cli import terminal

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.comparison import Compared
    from hardlimit.cli.commands.train.provenance import Digest
    from hardlimit.cli.commands.train.streamed_files import StreamedFiles
    from hardlimit.cli.digests import TrainingFiles
    from hardlimit.cli.labelled_rows import CountedRows, Labelled
    from hardlimit.cli.models import Classifier
    from hardlimit.cli.progress import Progress
    from hardlimit.evaluation import Goal, ThresholdChoice
    from hardlimit.predictions.label_measuring import LabelReport
    from hardlimit.predictions.measuring import Report
    from hardlimit.sources.files import FileRows, Told


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


class HeardRows(Protocol):
    """What shards have told of their rows: the listener of a training.

    digests : of the objects of stores that were read.
    """

    @property
    def digests(self) -> dict[str, tuple[str, int]]:
        """By path: SHA-256 and bytes."""

    def labelled(self, found: Any) -> Labelled:
        """Return rows of shards as those of one file."""


Asked = AbstractContextManager[dict[str, Any]]


class Beginning(Protocol):
    """What a training begins with: nothing but choices, or an earlier model.

    classifier : what learns.    epochs : at most.    names : labels that are known before any row.
    asked_again : how many rows are asked again at the end.
    """

    classifier: Classifier
    epochs: int
    names: Sequence[Any]
    asked_again: int

    def read(self) -> Labelled:
        """Read all rows."""

    def source(self) -> FileRows:
        """Return the rows as a source that gives some at a time."""

    def learn(self, job: TrainingJob, data: Labelled, progress: Progress) -> None:
        """Learn from rows in memory."""

    def learn_in_batches(
        self, job: TrainingJob, batches: StreamedFiles, progress: Progress, asked: Asked
    ) -> None:
        """Learn from rows that come some at a time.

        asked : what ``fit_stream`` is told beside them, for as long as it runs.
        """

    def learn_in_shards(self, job: TrainingJob, shards: HeardRows, progress: Progress) -> None:
        """Learn from shards of files, which tell ``shards`` what they find out."""

    def take_survey(self, told: Told, featuriser: Any) -> None:
        """Take what shards have found out of all rows."""

    def ask_again(self, job: TrainingJob, rows: Labelled) -> None:
        """Look at what became of the first rows."""


class WayOfRows(Protocol):
    """Where the rows are while they are learnt: the one thing that trainings differ in.

    The run asks in this order: ``check``, ``defaults``, ``open``, ``learn``.
    """

    def check(self, options: TrainOptions) -> None:
        """Refuse values of its own options before anything is opened."""

    def defaults(self, options: TrainOptions) -> TrainOptions:
        """Return the options with what goes without saying."""
        return options

    def open(self, job: TrainingJob) -> None:
        """Make the rows ready."""

    def learn(self, job: TrainingJob, progress: Progress) -> None:
        """Learn, and hold out the rows that are measured."""

    def digest_so_far(self, job: TrainingJob) -> Digest | None:
        """Return the digest of the files of a run that was interrupted."""
        return job.files.take_digest_if_same(job.data.digests)

    def learnt_so_far(self, job: TrainingJob) -> str:
        """Return what was learnt until an interruption."""
        classifier = job.beginning.classifier
        return terminal.plural(classifier.n_iter_, describing.epoch_name(classifier))


@dataclass
class TrainingJob:
    """What was asked for, and what came of it.

    files : what is learnt from.    data : what is known of the rows.    held_out : rows that were
    not learnt.    remembered : whether the model knows its rows.
    """

    options: TrainOptions
    files: TrainingFiles
    beginning: Beginning
    data: Labelled | CountedRows = field(init=False)
    held_out: Labelled | None = None
    report: Report | LabelReport | None = None
    threshold: ChosenThreshold | None = None
    compared: list[Compared] | None = None
    seconds: float = 0.0
    continued: Continued | None = None
    remembered: bool = False

    @property
    def classifier(self) -> Classifier:
        """What learns."""
        return self.beginning.classifier
