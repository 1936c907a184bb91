"""The work of ``hardlimit evaluate``: read, predict, compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import (
    asking,
    json_output,
    labelled_rows,
    models,
    numeric_rows,
    rows_to_answer,
    terminal,
    training_rows,
)
from hardlimit.cli.label_reports import reports_of
from hardlimit.cli.progress import Progress, check_machine
from hardlimit.exceptions import InputError
from hardlimit.predictions import answerers

if TYPE_CHECKING:
    from hardlimit.cli.commands.evaluate.command import EvaluateOptions
    from hardlimit.predictions.answerers import Answerer


def run(options: EvaluateOptions) -> None:
    """Measure a model on a labelled file."""
    asking.refuse(asking.ask_of("evaluate", options))
    check_machine(options.progress, options.cluster, *options.sources)
    with Progress(machine=options.progress) as progress:
        progress.stage("loading the model")
        answerer = models.asked(options).answerer()
        asking.refuse(asking.ask_of_answerer("evaluate", options, answerer))
        if options.min_probability is not None:
            _require_slope(answerer, options.model)
        reports = reports_of(answerer)
        reports.check_positive(answerer, options.positive)
        with training_rows.remembering_input(answerer.metadata, options.sources):
            report = _measure(options, answerer, progress)
            training_rows.note_if_known(answerer.metadata, options.sources)
    if options.as_json:
        json_output.print_json(reports.to_json(report))
    else:
        reports.show(report, all_classes=options.all_classes, model=options.model)


def _measure(options: EvaluateOptions, answerer: Answerer, progress: Progress) -> Any:
    """Answer the rows and compare, here or on a cluster."""
    if options.cluster is not None:
        return _measure_shards(options, answerer)
    data = rows_to_answer.read(answerer, options.sources, options.layout)
    progress.stage("predicting")
    reports, least = reports_of(answerer), options.min_probability
    try:
        return reports.measure(answerer, data, options.positive, least)
    except InputError as error:
        raise numeric_rows.locate(error, data) from None


def _measure_shards(options: EvaluateOptions, answerer: Answerer) -> Any:
    """Let a cluster answer all rows, and return their figures."""
    from hardlimit.distributed.evaluating import make_report, measure_files  # start-up

    least = options.min_probability
    found = measure_files(
        answerer,
        options.model,
        rows_to_answer.source_of(answerer, options.sources, options.layout),
        options.cluster,
        options.shards,
        least,
        options.threshold,
    )
    for note in [*found.notes, *answerer.form.do(_Variants(found.tally.labels))]:
        terminal.remark(note)
    return make_report(answerer, found, options.positive, least)


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


def _require_slope(answerer: Answerer, model: str) -> None:
    try:
        answerers.require_slope(answerer)
    except InputError as error:
        raise error.replaced(where=model) from None
