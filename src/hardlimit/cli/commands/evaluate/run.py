"""The work of ``hardlimit evaluate``: read, predict, compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardlimit.cli import (
    asking,
    json_output,
    judged_rows,
    models,
    several_labels,
    training_rows,
)
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.progress import Progress, check_machine
from hardlimit.exceptions import InputError
from hardlimit.predictions import judges

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.cli.commands.evaluate.command import EvaluateOptions


def run(options: EvaluateOptions) -> None:
    """Measure a model on a labelled file."""
    asking.refuse(asking.ask_of("evaluate", options))
    check_machine(options.progress, options.cluster, *options.sources)
    with Progress(machine=options.progress) as progress:
        progress.stage("loading the model")
        try:
            judge = models.open_asked(options)
        except InputError as error:
            if error.topic != models.SEVERAL:
                raise
            asking.refuse(asking.ask_of_columns("evaluate", options))
            model = several_labels.load(options.model, options.threshold)
            _evaluate_several(options, model)
            return
        asking.refuse(asking.ask_of_judge("evaluate", options, judge))
        if options.min_probability is not None:
            _require_slope(judge, options.model)
        reports = reports_of(judge.many)
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
    return reports_of(judge.many).measure(judge, data, options.positive, options.min_probability)


def _require_slope(judge: judges.Judge, model: str) -> None:
    try:
        judges.require_slope(judge)
    except InputError as error:
        raise error.replaced(where=model) from None


def _evaluate_several(options: EvaluateOptions, model: LinearClassifier) -> None:
    if options.min_probability is not None:
        _require_slope(judges.Fitted(model), options.model)
    data, truth = several_labels.read_for(model, options.sources, options.layout, options.label)
    training_rows.note_if_known(model.metadata, options.sources)
    found, least = several_labels.measure(model, data.examples, truth), options.min_probability
    sure = None
    if least is not None:
        sure = several_labels.measure_sure(model, data.examples, truth, least)
    if options.as_json:
        json_output.print_json(several_labels.to_json(found, sure))
        return
    most = len(found.labels) if options.all_classes else several_labels.LABELS_SHOWN
    several_labels.show(model, found, most=most, sure=sure)
