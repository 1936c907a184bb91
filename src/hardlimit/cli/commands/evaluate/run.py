"""The work of ``hardlimit evaluate``: read, predict, compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.cli import (
    asking,
    json_output,
    judged_rows,
    models,
    training_rows,
)
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.progress import Progress, check_machine
from hardlimit.exceptions import InputError
from hardlimit.predictions import judges

if TYPE_CHECKING:
    from hardlimit.cli.commands.evaluate.command import EvaluateOptions


def run(options: EvaluateOptions) -> None:
    """Measure a model on a labelled file."""
    asking.refuse(asking.ask_of("evaluate", options))
    check_machine(options.progress, options.cluster, *options.sources)
    with Progress(machine=options.progress) as progress:
        progress.stage("loading the model")
        judge = models.open_asked(options)
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


def _measure(options: EvaluateOptions, judge: judges.Judge, progress: Progress) -> Any:
    """Answer the rows and compare, here or on a cluster."""
    if options.cluster is not None:
        from hardlimit.cli import clustered_answers  # late: numpy

        return clustered_answers.measure(judge, options)
    data = judged_rows.read(judge, options.sources, options.layout)
    progress.stage("predicting")
    return reports_of(judge).measure(judge, data, options.positive, options.min_probability)


def _require_slope(judge: judges.Judge, model: str) -> None:
    try:
        judges.require_slope(judge)
    except InputError as error:
        raise error.replaced(where=model) from None
