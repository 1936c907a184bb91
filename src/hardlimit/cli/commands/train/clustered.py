"""``train --cluster``: shards of files, learnt by threads, processes or other machines."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from hardlimit.cli import labelled_rows, terminal
from hardlimit.cli.commands.train import classifier, thresholds
from hardlimit.cli.commands.train.job import TrainingJob, WayOfRows
from hardlimit.cli.labelled_rows import CountedRows

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.classifier import NewModel
    from hardlimit.cli.commands.train.provenance import Digest
    from hardlimit.cli.progress import Progress
    from hardlimit.distributed.featurisers import Featuriser, ShardRows
    from hardlimit.readers import Layout, Numbers


class Clustered(WayOfRows):
    """The rows stay in shards of files; the training tells what it finds out of them.

    held_out : the part of the rows that is held out, or None.
    """

    def open(self, job: TrainingJob) -> None:
        """Note what is known before any shard was looked at."""
        self._job, self.held_out = job, thresholds.share_of(job.options)
        # An earlier model goes on in memory or with a stream: the table of conflicts says so.
        self._beginning: NewModel = job.beginning  # type: ignore[assignment]
        job.data = self._rows = CountedRows(labelled_rows.name_sources(job.options.sources))

    def surveyed(self, found: Layout | Numbers, featuriser: Featuriser) -> None:
        """Remember how the first file is read; of a table the columns get their kinds."""
        files = self._beginning.files
        self._rows.take(files.take_survey(self._job.classifier, found, featuriser))

    def folded(self, notes: list[str]) -> None:
        """Tell which spellings of labels are one."""
        for sentence in notes:
            terminal.remark(sentence)

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

    def take(self, held_out: ShardRows) -> None:
        """Keep the rows that are held out."""
        self._job.held_out = self._rows.labelled(held_out.examples, held_out.labels)

    def learn(self, job: TrainingJob, progress: Progress) -> None:
        """Learn from the files."""
        from hardlimit.distributed.training import train_files  # late: numpy

        options, began = job.options, time.perf_counter()
        train_files(
            job.classifier,
            list(options.sources),
            self._beginning.files.layout(),
            cluster=options.cluster,
            callback=progress,
            listener=self,
            checkpoint=options.checkpoint,
            every=10.0 if options.every is None else options.every,
            digests=self._rows.digests,
            **self._beginning.start,
        )
        classifier.remark_replaced(job)
        job.seconds = time.perf_counter() - began

    def digest_so_far(self, job: TrainingJob) -> Digest | None:
        """Return nothing: the files may be larger than anybody waits for."""
        return None
