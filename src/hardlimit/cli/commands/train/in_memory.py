"""All rows of a training are in memory."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hardlimit.cli import figures, labelled_rows, terminal
from hardlimit.cli.commands.train import classifier, thresholds
from hardlimit.cli.commands.train.job import TrainingJob, WayOfRows

if TYPE_CHECKING:
    from hardlimit.cli.progress import Progress


class InMemory(WayOfRows):
    """All rows are read before the first of them is learnt."""

    def open(self, job: TrainingJob) -> None:
        """Read the rows, and hold out as many as asked for."""
        job.data = data = job.beginning.read()
        # Behind the reading, and before hours of learning.
        job.files.take_digest()
        thresholds.check_labels(job)
        labelled_rows.note_rare(data)
        share = thresholds.share_of(job.options)
        if share is not None:
            job.data, job.held_out = figures.split(data, share)
        classifier.weigh_classes(job)
        self._rows = job.data

    def learn(self, job: TrainingJob, progress: Progress) -> None:
        """Learn from all rows."""
        rows, began = self._rows, time.perf_counter()
        progress.stage(f"learning from {terminal.plural(len(rows), 'row')}")
        job.beginning.learn(job, rows, progress)
        job.seconds = time.perf_counter() - began
        job.beginning.ask_again(job, rows)
        classifier.remark_replaced(job)
