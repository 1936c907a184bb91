"""Measuring a model on labelled files in shards: what is counted of each is added in their order.

What comes back of a shard are counts. Where the figures need more (thresholds of two classes,
probabilities, the order of several labels) it is a few numbers a row, and never a row or the scores
of all classes: :mod:`hardlimit.predictions.measuring` says which and why.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hardlimit.classifiers.model.forms import ByForm
from hardlimit.classifiers.targets import Targets, of_book
from hardlimit.distributed.engines import Part, open_engine
from hardlimit.distributed.opened_models import SentModel, file_of_model, lend, open_model
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.shard_answers import MOST_NOTES
from hardlimit.foundation.progress import heard_by, report
from hardlimit.foundation.storage.patterns import expand_all
from hardlimit.foundation.types import PathLike
from hardlimit.predictions import answerers
from hardlimit.predictions.answered import note_new_categories
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.examinations import examination_of
from hardlimit.predictions.files import cut_to_answer, files_for
from hardlimit.predictions.label_measuring import LabelReport, LabelTally
from hardlimit.predictions.measuring import MeasuredTally, Report
from hardlimit.readers import Spellings
from hardlimit.readers.file_notes import FileNotes, sentences_of
from hardlimit.sources.cutting import list_paths
from hardlimit.sources.files import FileRows, GivenLayout
from hardlimit.sources.pieces import Shard


class Examined(NamedTuple):
    """A shard whose rows are to be answered and compared.

    targets : what labels of numbers are, by those of all shards; None: by those of each piece.
    """

    shard: Shard
    targets: Targets[Any] | None = None


@dataclass
class Measured:
    """What was counted of some rows, and what there is to say of them.

    met : what was met in the pieces of files.    notes : sentences on all of that.
    targets, labels : of numbers, what labels were taken for, and the different ones in the files.
    """

    tally: MeasuredTally | LabelTally
    rows: int = 0
    categories: Counter[tuple[str, str]] = field(default_factory=Counter)
    met: list[FileNotes] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    targets: list[Targets[Any]] = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)

    def extend(self, later: Measured) -> None:
        """Add what was counted of later rows."""
        tally: Any = self.tally  # of the same kind
        tally.extend(later.tally)
        self.rows += later.rows
        self.categories.update(later.categories)
        self.met += later.met


def evaluate(
    model: object,
    sources: PathLike | Sequence[PathLike],
    layout: GivenLayout = None,
    *,
    cluster: object = "threads",
    shards: int | None = None,
    positive: Hashable | None = None,
    min_probability: float | None = None,
    threshold: float | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Report | LabelReport:
    r"""Measure a model on labelled files in shards.

    Parameters
    ----------
    model
        A model file, or a fitted classifier.
    sources, layout, cluster, shards, progress
        As for :func:`score`; each row has a label.
    positive
        Which of two classes is the positive one.
    min_probability
        Also measure the answers that are at least so sure.
    threshold
        As for :func:`score`.

    Returns
    -------
    Report or LabelReport
        The figures of one process on the same files, to the last bit; the second of a model of
        several labels a row.

    Raises
    ------
    InputError
        The model has no probabilities, and they are asked for; no such positive class.
    DataFormatError
        A row breaks its format, or has no label.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hardlimit import TextClassifier
    >>> clf = TextClassifier().fit(["win a prize", "see you"], ["spam", "ham"])
    >>> path = pathlib.Path(tempfile.mkdtemp(), "held-out.csv")
    >>> _ = path.write_text("text,label\na prize,spam\nsee me,ham\n")
    >>> evaluate(clf, path, cluster="threads:2").accuracy
    1.0
    """
    with heard_by(progress), file_of_model(model) as path:
        opened = answerers.open_answerer(path)
        answerer = answerers.with_threshold(opened, threshold)
        examination_of(opened).check_positive(opened, positive)
        source = files_for(opened, expand_all(list_paths(sources)), layout, need_label=True)
        measured = measure_files(opened, path, source, cluster, shards, min_probability, threshold)
    return make_report(answerer, measured, positive, min_probability)


def make_report(
    answerer: Answerer, measured: Measured, positive: Hashable, least: float | None
) -> Report | LabelReport:
    """Return the figures of what was counted."""
    return examination_of(answerer).report(answerer, measured.tally, positive, least)


def measure_files(
    answerer: Answerer,
    path: str,
    source: FileRows,
    cluster: object,
    shards: int | None = None,
    least: float | None = None,
    threshold: float | None = None,
) -> Measured:
    """Let a cluster answer all rows of files, and count."""
    if least is not None:
        answerers.require_slope(answerer)
    recipes = cut_to_answer(answerer, source, shards)
    sent = SentModel(path)
    lend(sent, answerer)
    spellings = Spellings(answerer.classes) if source.folds else None
    settings = pickle.dumps((least, threshold, spellings))
    with open_engine(cluster) as engine:

        def measure(jobs: list[Examined]) -> list[Measured]:
            return sent.run(engine, measure_shard, settings, jobs)

        told = measure([Examined(shard) for shard in recipes])
        # Whole numbers in one shard of numbers may be texts beside those of another.
        met = {label: None for one in told for label in one.labels}
        if met:
            targets = _targets_of(answerer).settled(list(met))
            other = [k for k, one in enumerate(told) if any(own != targets for own in one.targets)]
            again = measure([Examined(recipes[place], targets) for place in other])
            for place, one in zip(other, again, strict=True):
                told[place] = one
    whole = Measured(examination_of(answerer).tally())
    for one in told:
        whole.extend(one)
    # Of each file once; of many not all.
    whole.notes = sentences_of(whole.met)[:MOST_NOTES] + note_new_categories(whole.categories)
    return whole


def measure_shard(parts: tuple[Part, ...], job: Examined) -> Measured:
    """Answer the rows of a shard, and count what they come to."""
    least, threshold, spellings = pickle.loads(parts[1].data)
    answerer = answerers.with_threshold(open_model(parts[0]), threshold)
    counting = examination_of(answerer).counting(answerer, least)
    found = Measured(counting.tally)
    answerer.unknown = found.categories
    read_labels = answerer.form.do(_LabelReading(answerer, job.targets, found))
    for piece in job.shard.pieces:
        with piece.opened(answerer.form.gathering, answerers.BATCH) as (table, batches):
            for batch in batches:
                labels = read_labels(batch.labels)
                if spellings is not None:
                    labels = spellings.names(labels)
                place = 0
                for answers in answerers.answer_blocks(answerer, batch.examples):
                    counting.take(answers, labels[place : place + len(answers)])
                    place += len(answers)
                    found.rows += len(answers)
                    # Work that nobody waits for any more ends where it reports.
                    report("predicting", found.rows, 0, "rows")
            found.met += table.counted()
    return found


class _LabelReading(ByForm[Callable[[list[Any]], list[Any]]]):
    """Makes labels of those that stand in a file."""

    def __init__(self, answerer: Answerer, known: Targets[Any] | None, found: Measured) -> None:
        self._answerer, self._known, self._found = answerer, known, found

    def numbers(self) -> Callable[[list[Any]], list[Any]]:
        """Take labels for numbers or words, by all of a piece where nobody knows more."""
        own, found = _targets_of(self._answerer), self._found

        def read(labels: list[Any]) -> list[Any]:
            different = list(dict.fromkeys(labels))
            targets = self._known or own.settled(different)
            found.labels += different
            found.targets.append(targets)
            return targets.plain(labels)

        return read

    def one_text(self) -> Callable[[list[Any]], list[Any]]:
        """Leave labels of words as they are."""
        return lambda labels: labels


def _targets_of(answerer: Answerer) -> Targets[Any]:
    """Return how rows of numbers say what they are, as the model knows it."""
    assert isinstance(answerer, answerers.Fitted)  # of numbers
    return of_book(answerer.classifier.fitted.classes)
