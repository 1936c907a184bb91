"""``train --cluster``: shards of files, learnt by threads, processes or other machines."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from hardlimit.cli import labelled_rows, terminal
from hardlimit.cli.commands.train import classifier, thresholds
from hardlimit.cli.commands.train.job import TrainingJob, WayOfRows
from hardlimit.cli.labelled_rows import CountedRows, Labelled
from hardlimit.exceptions import mask

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.provenance import Digest
    from hardlimit.cli.progress import Progress
    from hardlimit.sources.files import Told


class Clustered(WayOfRows):
    """The rows stay in shards of files; the training tells what it finds out of them.

    held_out : the part of the rows that is held out, or None.
    """

    def open(self, job: TrainingJob) -> None:
        """Note what is known before any shard was looked at."""
        self._job, self.held_out = job, thresholds.share_of(job.options)
        job.data = self._rows = CountedRows(labelled_rows.name_sources(job.options.sources))

    @property
    def digests(self) -> dict[str, tuple[str, int]]:
        """Of the objects of stores that were read."""
        return self._rows.digests

    def surveyed(self, told: Told, featuriser: Any) -> None:
        """Remember how the files are read; of a table the columns get their kinds."""
        self._rows.take(told)
        self._job.beginning.take_survey(told, featuriser)

    def noted(self, notes: list[str]) -> None:
        """Tell what was met in the files, or which spellings of labels are one."""
        # A copy of standard input is told as that.
        path = self._job.options.sources[0]
        for sentence in notes:
            terminal.remark(sentence.replace(mask(path), labelled_rows.name_sources(path)))

    def counted(self, labels: Counter[Any], n_rows: int) -> None:
        """Remember the rows of each label, and weigh them."""
        rows = self._rows
        rows.counts, rows.n = Counter(dict(labels.most_common())), n_rows
        thresholds.check_labels(self._job)
        # Of folded labels none differ only in that.
        for sentence in labelled_rows.note_variants(rows.kind.spellings(rows.counts)):
            terminal.remark(sentence)
        labelled_rows.note_rare(rows)
        classifier.weigh_classes(self._job)

    def take(self, held_out: Any) -> None:
        """Keep the rows that are held out."""
        self._job.held_out = self.labelled(held_out)

    def labelled(self, found: Any) -> Labelled:
        """Return rows of shards as those of one file."""
        return self._rows.labelled(found.examples, found.labels)

    def learn(self, job: TrainingJob, progress: Progress) -> None:
        """Learn from the files."""
        began = time.perf_counter()
        job.beginning.learn_in_shards(job, self, progress)
        classifier.remark_replaced(job)
        job.seconds = time.perf_counter() - began

    def digest_so_far(self, job: TrainingJob) -> Digest | None:
        """Return nothing: the files may be larger than anybody waits for."""
        return None
