"""The work of ``hardlimit evaluate``: read, predict, compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import (
    asking,
    json_output,
    judged_rows,
    labelled_rows,
    models,
    terminal,
    training_rows,
)
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.progress import Progress, check_machine
from hardlimit.exceptions import InputError
from hardlimit.predictions import judges

if TYPE_CHECKING:
    from hardlimit.cli.commands.evaluate.command import EvaluateOptions
    from hardlimit.predictions.judges import Judge


def run(options: EvaluateOptions) -> None:
    """Measure a model on a labelled file."""
    asking.refuse(asking.ask_of("evaluate", options))
    check_machine(options.progress, options.cluster, *options.sources)
    with Progress(machine=options.progress) as progress:
        progress.stage("loading the model")
        judge = models.asked(options).judge()
        asking.refuse(asking.ask_of_judge("evaluate", options, judge))
        if options.min_probability is not None:
            _require_slope(judge, options.model)
        reports = reports_of(judge)
        reports.check_positive(judge, options.positive)
        with training_rows.remembering_input(judge.metadata, options.sources):
            report = _measure(options, judge, progress)
            training_rows.note_if_known(judge.metadata, options.sources)
    if options.as_json:
        json_output.print_json(reports.to_json(report))
    else:
        reports.show(report, all_classes=options.all_classes, model=options.model)


def _measure(options: EvaluateOptions, judge: Judge, progress: Progress) -> Any:
    """Answer the rows and compare, here or on a cluster."""
    if options.cluster is not None:
        return _measure_shards(options, judge)
    data = judged_rows.read(judge, options.sources, options.layout)
    progress.stage("predicting")
    return reports_of(judge).measure(judge, data, options.positive, options.min_probability)


def _measure_shards(options: EvaluateOptions, judge: Judge) -> Any:
    """Let a cluster answer all rows, and return their figures."""
    from hardlimit.distributed.evaluating import make_report, measure_files  # start-up

    least, threshold = options.min_probability, options.threshold
    found = measure_files(
        judge,
        options.model,
        options.sources,
        judged_rows.layout_of(judge, options.sources, options.layout),
        options.cluster,
        options.shards,
        least=least,
        threshold=threshold,
    )
    for note in [*found.notes, *judge.form.do(_Variants(found.tally.labels))]:
        terminal.remark(note)
    return make_report(judges.with_threshold(judge, threshold), found, options.positive, least)


class _Variants(ByForm[Iterable[str]]):
    """Notes labels that differ by case or white space alone, which files of numbers have told."""

    def __init__(self, labels: Any) -> None:
        self._labels = labels

    def numbers(self) -> Iterable[str]:
        """Say nothing again."""
        return ()

    def one_text(self) -> Iterable[str]:
        """Return the notes."""
        return labelled_rows.note_variants([self._labels])


def _require_slope(judge: Judge, model: str) -> None:
    try:
        judges.require_slope(judge)
    except InputError as error:
        raise error.replaced(where=model) from None
