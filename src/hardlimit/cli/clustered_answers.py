"""Figures of a model on shards of files, which threads, processes or other machines answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import judged_rows, label_texts, labelled_rows, numeric_rows, terminal
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.layouts import layout_for
from hardlimit.cli.options import LayoutSettings
from hardlimit.distributed.evaluating import make_report, measure_files
from hardlimit.predictions.judges import Judge, with_threshold

if TYPE_CHECKING:
    from hardlimit.cli.commands.evaluate.command import EvaluateOptions


def measure(judge: Judge, options: EvaluateOptions) -> Any:
    """Let a cluster answer all rows, and return their figures."""
    reports_of(judge).check_positive(judge, options.positive)
    layout = judge.form.do(LabelledLayout(judge, options.sources, options.layout))
    least = options.min_probability
    deciding = with_threshold(judge, options.threshold)
    found = measure_files(
        judge,
        options.model,
        options.sources,
        layout,
        options.cluster,
        options.shards,
        least=least,
        threshold=options.threshold,
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


class LayoutOfFiles(ByForm[Any]):
    """How files are read for a model, of numbers the settings of their reader."""

    def __init__(self, judge: Judge, sources: Sequence[str], given: LayoutSettings) -> None:
        self.judge, self.sources, self.given = judge, sources, given
        self.remembered = describing.layout_of(judge.metadata)

    def numbers(self) -> Any:
        """Return the settings of the reader."""
        numeric_rows.refuse_text_options(self.given)
        return {**self.remembered, **self.given}

    def one_text(self) -> Any:
        """Return the layout."""
        return layout_for(self.sources, self.remembered, self.given)


class LabelledLayout(LayoutOfFiles):
    """How files with labels are read, of which some stand behind a separator."""

    def numbers(self) -> Any:
        """Return the settings of the reader, with the columns of the labels."""
        super().numbers()
        return judged_rows.numeric_settings(self.judge, self.given, self.sources)

    def one_text(self) -> Any:
        """Return the layout."""
        self.given = label_texts.with_separator(self.judge, self.given)
        return super().one_text()
