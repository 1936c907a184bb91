"""Figures of a model on shards of files, which threads, processes or other machines answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardlimit import describing
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
    given = label_texts.with_separator(judge, options.layout) if judge.texts else options.layout
    layout = layout_of(judge, options.sources, given)
    if not judge.texts:
        layout = judged_rows.numeric_settings(judge, given, options.sources)
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
    variants = labelled_rows.note_variants([found.tally.labels]) if judge.texts else []
    for note in [*found.notes, *variants]:
        terminal.remark(note)
    return make_report(deciding, found, options.positive, least)


def layout_of(judge: Judge, sources: Sequence[str], given: LayoutSettings) -> Any:
    """Return how files are read for a model, of numbers the settings of their reader."""
    remembered = describing.layout_of(judge.metadata)
    if not judge.texts:
        numeric_rows.refuse_text_options(given)
        return {**remembered, **given}
    return layout_for(sources, remembered, given)
