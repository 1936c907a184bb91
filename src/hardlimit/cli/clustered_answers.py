"""Figures of a model on shards of files, which threads, processes or other machines answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.cli import figures, label_texts, terminal
from hardlimit.cli.judges import Judge
from hardlimit.cli.layouts import layout_for
from hardlimit.distributed.evaluating import make_report, measure_files

if TYPE_CHECKING:
    from hardlimit.cli.commands.evaluate.command import EvaluateOptions


def measure(judge: Judge, options: EvaluateOptions) -> Any:
    """Let a cluster answer all rows, and return their figures."""
    if not judge.many:
        figures.check_positive(judge, options.positive)
    given = label_texts.with_separator(judge, options.layout)
    layout = layout_for(options.sources, describing.layout_of(judge.metadata), given)
    least = options.min_probability
    found = measure_files(
        judge, options.model, options.sources, layout, options.cluster, options.shards, None, least
    )
    for note in found.notes:
        terminal.remark(note)
    return make_report(judge, found, options.positive, least)
