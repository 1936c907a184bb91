"""Measuring a model on labelled files in shards: what is counted of each is added in their order.

What comes back of a shard are counts. Where the figures need more (thresholds of two classes,
probabilities, the order of several labels) it is a few numbers a row, and never a row or the scores
of all classes: :mod:`hardlimit.predictions.measuring` says which and why.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hardlimit import describing
from hardlimit.distributed.engines import Part, open_engine
from hardlimit.distributed.opened_models import lend, open_model
from hardlimit.distributed.progress import Progress
from hardlimit.distributed.recipes import Shard, cut_files
from hardlimit.distributed.running import run_shards
from hardlimit.distributed.score_shards import MOST_NOTES
from hardlimit.distributed.sources_of_scores import SHARDS, list_paths, model_file, part_of_model
from hardlimit.foundation.progress import heard_by, report
from hardlimit.predictions import judges
from hardlimit.predictions.answered import Examples, batches, note_new_categories
from hardlimit.predictions.columns import separator_of
from hardlimit.predictions.judges import Judge, Tabular
from hardlimit.predictions.label_measuring import (
    LabelCounting,
    LabelReport,
    LabelTally,
    report_of_labels,
)
from hardlimit.predictions.measuring import Counting, Report, Tally, find_positive, report_of
from hardlimit.readers import Layout, label_variants


class Examined(NamedTuple):
    """A shard whose rows are to be answered and compared."""

    shard: Shard


@dataclass
class Measured:
    """What was counted of some rows, and what there is to say of them."""

    tally: Any  # Tally | LabelTally
    rows: int = 0
    categories: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def extend(self, later: Measured) -> None:
        """Add what was counted of later rows."""
        self.tally.extend(later.tally)
        self.rows += later.rows
        self.categories.update(later.categories)
        self.notes += later.notes


def evaluate(
    model: Any,
    sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    layout: Layout | None = None,
    *,
    cluster: Any = "threads",
    shards: int | None = None,
    positive: Any = None,
    min_probability: float | None = None,
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
        judge = judges.open_judge(path)
        if layout is None:
            layout = layout_of(judge)
        measured = measure_files(
            judge, path, list_paths(sources), layout, cluster, shards, positive, min_probability
        )
    return make_report(judge, measured, positive, min_probability)


def layout_of(judge: Judge) -> Layout:
    """Return how the training file was read."""
    settings = describing.layout_of(judge.metadata)
    if judge.many:
        settings = {"labels_separator": separator_of(judge, None), **settings}
    return Layout.from_json(settings)


def make_report(
    judge: Judge, measured: Measured, positive: Any, least: float | None
) -> Report | LabelReport:
    """Return the figures of what was counted."""
    if isinstance(measured.tally, LabelTally):
        return report_of_labels(judge, measured.tally, least)
    return report_of(judge, measured.tally, positive, least)


def measure_files(
    judge: Judge,
    path: str,
    sources: Sequence[str],
    layout: Layout,
    cluster: Any,
    shards: int | None = None,
    positive: Any = None,
    least: float | None = None,
) -> Measured:
    """Let a cluster answer all rows of files, and count."""
    if not judge.many:
        find_positive(judge.classes, positive)
    if least is not None:
        judges.require_slope(judge)
    recipes, _ = cut_files(sources, layout, shards or SHARDS, at_most=shards is None)
    part = part_of_model(path)
    lend(part, judge)
    with open_engine(cluster) as engine:
        told: list[Measured] = run_shards(
            engine,
            measure_shard,
            [part, Part.of(pickle.dumps(least))],
            [Examined(shard) for shard in recipes],
            "predicting",
            tally=lambda place, one: (one.rows, None),
        )
    whole = Measured(LabelTally() if judge.many else Tally())
    for one in told:
        whole.extend(one)
    # Each sentence once; of many shards not all of them.
    whole.notes = list(dict.fromkeys(whole.notes))[:MOST_NOTES]
    whole.notes += [*note_new_categories(whole.categories), *label_variants(whole.tally.labels)]
    return whole


def measure_shard(parts: tuple[Part, ...], job: Examined) -> Measured:
    """Answer the rows of a shard, and count what they come to."""
    judge, least = open_model(parts[0]), pickle.loads(parts[1].data)
    counting: Any = LabelCounting(judge, least) if judge.many else Counting(judge, least)
    found = Measured(counting.tally)
    if isinstance(judge, Tabular):
        judge.unknown = found.categories
    for piece in job.shard.pieces:
        with piece.open() as table:
            examples = Examples(judge, table)
            for batch in batches(table, judges.BATCH):
                counting.take(judge.answers(examples.of(batch)), [row.label for row in batch])
                found.rows += len(batch)
                # Work that nobody waits for any more ends where it reports.
                report("predicting", found.rows, 0, "rows")
            found.notes += table.notes()
    return found
