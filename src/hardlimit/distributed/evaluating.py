"""Measuring a model on labelled files in shards: what is counted of each is added in their order.

What comes back of a shard are counts. Where the figures need more (thresholds of two classes,
probabilities, the order of several labels) it is a few numbers a row, and never a row or the scores
of all classes: :mod:`hardlimit.predictions.measuring` says which and why.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.classifiers.targets import Targets, of_book
from hardlimit.distributed.engines import Part, open_engine
from hardlimit.distributed.number_rows import blocks_of, read_numbers
from hardlimit.distributed.opened_models import SentModel, lend, open_model
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.shard_answers import MOST_NOTES
from hardlimit.distributed.sources_of_scores import (
    cut_sources,
    list_paths,
    model_file,
)
from hardlimit.foundation.progress import heard_by, report
from hardlimit.foundation.storage.patterns import expand_all
from hardlimit.predictions import answerers
from hardlimit.predictions.answered import note_new_categories
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.examinations import examination_of
from hardlimit.predictions.label_measuring import LabelReport
from hardlimit.predictions.measuring import Report
from hardlimit.readers import Layout, Spellings, folds
from hardlimit.sources.pieces import Shard
from hardlimit.sources.reading import read_batches

if TYPE_CHECKING:
    pass


class Examined(NamedTuple):
    """A shard whose rows are to be answered and compared.

    targets : what labels of numbers are, by those of all shards; None: by those of this one.
    """

    shard: Shard
    targets: Targets[Any] | None = None


@dataclass
class Measured:
    """What was counted of some rows, and what there is to say of them.

    targets, labels : of numbers, what labels were taken for, and the different ones in the files.
    """

    tally: Any  # Tally | LabelTally
    rows: int = 0
    categories: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    targets: Targets[Any] | None = None
    labels: list[Any] = field(default_factory=list)

    def extend(self, later: Measured) -> None:
        """Add what was counted of later rows."""
        self.tally.extend(later.tally)
        self.rows += later.rows
        self.categories.update(later.categories)
        self.notes += later.notes


def evaluate(
    model: object,
    sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    layout: Layout | Mapping[str, Any] | None = None,
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
    with heard_by(progress), model_file(model) as path:
        opened = answerers.open_answerer(path)
        answerer = answerers.with_threshold(opened, threshold)
        measured = measure_files(
            opened,
            path,
            list_paths(sources),
            layout,
            cluster,
            shards,
            positive,
            min_probability,
            threshold,
        )
    return make_report(answerer, measured, positive, min_probability)


def make_report(
    answerer: Answerer, measured: Measured, positive: Hashable, least: float | None
) -> Report | LabelReport:
    """Return the figures of what was counted."""
    return examination_of(answerer).report(answerer, measured.tally, positive, least)


def measure_files(
    answerer: Answerer,
    path: str,
    sources: Sequence[str],
    layout: Layout | Mapping[str, Any] | None,
    cluster: object,
    shards: int | None = None,
    positive: Hashable | None = None,
    least: float | None = None,
    threshold: float | None = None,
) -> Measured:
    """Let a cluster answer all rows of files, and count."""
    examination_of(answerer).check_positive(answerer, positive)
    if least is not None:
        answerers.require_slope(answerer)
    recipes = cut_sources(answerer, expand_all(sources), layout, shards, need_label=True)
    sent = SentModel(path)
    lend(sent, answerer)
    wanted = describing.layout_of(answerer.metadata) if layout is None else layout
    spellings = Spellings(answerer.classes) if folds(wanted) else None
    settings = pickle.dumps((least, threshold, spellings))
    with open_engine(cluster) as engine:
        told: list[Measured] = sent.run(
            engine, measure_shard, settings, [Examined(shard) for shard in recipes]
        )
        # Whole numbers in one shard of numbers may be texts beside those of another.
        met = {label: None for one in told for label in one.labels}
        if met:
            targets = _targets_of(answerer).settled(list(met))
            other = [place for place, one in enumerate(told) if one.targets != targets]
            again: list[Measured] = sent.run(
                engine,
                measure_shard,
                settings,
                [Examined(recipes[place], targets) for place in other],
            )
            for place, one in zip(other, again, strict=True):
                told[place] = one
    whole = Measured(examination_of(answerer).tally())
    for one in told:
        whole.extend(one)
    # Each sentence once; of many shards not all of them.
    whole.notes = list(dict.fromkeys(whole.notes))[:MOST_NOTES]
    whole.notes += note_new_categories(whole.categories)
    return whole


def measure_shard(parts: tuple[Part, ...], job: Examined) -> Measured:
    """Answer the rows of a shard, and count what they come to."""
    least, threshold, spellings = pickle.loads(parts[1].data)
    answerer = answerers.with_threshold(open_model(parts[0]), threshold)
    counting = examination_of(answerer).counting(answerer, least)
    found = Measured(counting.tally)
    answerer.unknown = found.categories
    answerer.form.do(_Measuring(answerer, counting, job, found, spellings))
    return found


class _Measuring(ByForm[None]):
    """Answers the rows of a shard, and counts."""

    def __init__(
        self,
        answerer: Answerer,
        counting: Any,
        job: Examined,
        found: Measured,
        spellings: Spellings | None,
    ) -> None:
        self._answerer, self._counting, self._job = answerer, counting, job
        self._found, self._spellings = found, spellings

    def numbers(self) -> None:
        """Read each piece whole."""
        _measure_numbers(self._answerer, self._counting, self._job, self._found, self._spellings)

    def one_text(self) -> None:
        """Read batch by batch."""
        gather, found = self._answerer.form.gathering(), self._found
        for piece in self._job.shard.pieces:
            with piece.open() as table:
                for batch in read_batches(table, gather, answerers.BATCH):
                    labels = _fold(batch.labels, self._spellings)
                    self._counting.take(self._answerer.answers(batch.examples), labels)
                    found.rows += len(labels)
                    # Work that nobody waits for any more ends where it reports.
                    report("predicting", found.rows, 0, "rows")
                found.notes += table.notes()


def _fold(labels: list[Any], spellings: Spellings | None) -> list[Any]:
    return labels if spellings is None else spellings.names(labels)


def _targets_of(answerer: Answerer) -> Targets[Any]:
    """Return how rows of numbers say what they are, as the model knows it."""
    assert isinstance(answerer, answerers.Fitted)  # of numbers
    return of_book(answerer.classifier.fitted.classes)


def _measure_numbers(
    answerer: Answerer, counting: Any, job: Examined, found: Measured, spellings: Spellings | None
) -> None:
    pieces: list[Any] = list(job.shard.pieces)
    read = [read_numbers(piece, answerer) for piece in pieces]
    found.labels = list(dict.fromkeys(label for one in read for label in one.labels))
    targets = found.targets = job.targets or _targets_of(answerer).settled(found.labels)
    for one in read:
        labels = _fold(targets.plain(one.labels), spellings)
        for answers, place in blocks_of(answerer, one):
            counting.take(answers, labels[place : place + len(answers)])
            found.rows += len(answers)
            report("predicting", found.rows, 0, "rows")
