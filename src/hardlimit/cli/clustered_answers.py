"""Figures of a model on shards of files, which threads, processes or other machines answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import judged_rows, labelled_rows, terminal
from hardlimit.cli.label_reports import reports_of
from hardlimit.distributed.evaluating import make_report, measure_files
from hardlimit.predictions.judges import Judge, with_threshold

if TYPE_CHECKING:
    from hardlimit.cli.commands.evaluate.command import EvaluateOptions


def measure(judge: Judge, options: EvaluateOptions) -> Any:
    """Let a cluster answer all rows, and return their figures."""
    reports_of(judge).check_positive(judge, options.positive)
    source = judged_rows.source_of(judge, options.sources, options.layout)
    least, threshold = options.min_probability, options.threshold
    deciding = with_threshold(judge, threshold)
    found = measure_files(
        judge, options.model, source, options.cluster, options.shards, least, threshold
    )
    variants = judge.form.do(_Variants(found.tally.labels))
    for note in [*found.notes, *variants]:
        terminal.remark(note)
    return make_report(deciding, found, options.positive, least)


class _Variants(ByForm[list[str]]):
    """Notes labels that differ by case or white space alone, which files of numbers have told."""

    def __init__(self, labels: Any) -> None:
        self._labels = labels

    def numbers(self) -> list[str]:
        """Say nothing again."""
        return []

    def one_text(self) -> list[str]:
        """Return the notes."""
        return labelled_rows.note_variants([self._labels])
