"""The work of ``hardlimit report``: read, predict, write the page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing, reports
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import (
    asking,
    models,
    numeric_rows,
    outputs,
    rows_to_answer,
    terminal,
    training_rows,
)
from hardlimit.cli.figures import name_counts
from hardlimit.cli.labelled_rows import Labelled
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import ColumnError, DataFormatError, InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import plural
from hardlimit.predictions import answerers

if TYPE_CHECKING:
    from hardlimit.cli.commands.report.command import ReportOptions
    from hardlimit.cli.models import Classifier
    from hardlimit.cli.options import LayoutSettings


def run(options: ReportOptions) -> None:
    """Write the report of a model on the rows of a file."""
    output = options.output
    outputs.refuse_inputs(output, options.model, options.source, options.train)
    if output != "-":
        # Around everything: a missing folder is reported before the work, not after it.
        with replacing(output) as temporary, open(temporary, "wb") as file:
            page = _page(options)
            file.write(page)
        terminal.remark(f"{output}: the report, {terminal.format_bytes(len(page))}")
        return
    # Before the work: thousands of lines of HTML would push everything off the screen.
    if terminal.is_terminal(sys.stdout):
        raise click.UsageError(
            "a page of HTML is not for a terminal: add -o report.html, or > FILE"
        )
    page = _page(options)
    # The page goes round the text layer as bytes: what stands in its buffer must come first.
    sys.stdout.flush()
    sys.stdout.buffer.write(page)


def _page(options: ReportOptions) -> bytes:
    """Open the model and make the page."""
    with Progress() as progress, models.asked(options).file() as file:
        return _page_of(file, options, progress)


def _page_of(file: str, options: ReportOptions, progress: Progress) -> bytes:
    """Read the rows, and make the page of a model and them."""
    layout, positive = options.layout, options.positive
    progress.stage("loading the model")
    classifier = models.load(file)
    asking.refuse(asking.ask_of_classifier("report", options, classifier))
    answerers.decide_by(classifier, options.threshold)
    progress.stage("reading")
    sources = (options.source,)
    with training_rows.remembering_input(classifier.metadata, sources):
        data = _read(options.source, classifier, layout)
        is_known = training_rows.note_if_known(classifier.metadata, sources)
    # The page says how many of its rows the training has seen: here all.
    train = (data.examples, _labels(data)) if is_known else None
    if options.train is not None:
        known = _read(options.train, classifier, layout)
        train = known.examples, _labels(known)
    progress.stage("writing the report")
    if positive is not None and len(classifier.classes_) != 2:
        number = len(classifier.classes_)
        raise click.UsageError(f"--positive: only with two classes; the model has {number}")
    try:
        page = reports.report(
            classifier,
            data.examples,
            _labels(data),
            train=train,
            positive=positive,
            columns=_columns(classifier, data),
            examples=options.examples,
            file=file,
        )
    except InputError as error:
        raise numeric_rows.locate(error, data) from None
    return page.encode()


def _columns(classifier: Classifier, data: Labelled) -> list[str] | None:
    """Return what the report calls the columns of numbers."""
    names = [str(name) for name in data.columns]
    if not names or not all(map(str.isdecimal, names)):
        return names or None
    # Without a header they are numbers, which would read as such: 2^2 for the square of column 2.
    mapped = classifier.fitted.choices.map is not None
    return None if mapped else [f"column {name}" for name in names]


def _read(path: str, classifier: Classifier, settings: LayoutSettings) -> Labelled:
    """Read labelled rows, or rows without any labels, with a note on that."""
    # Who names the column wants it: then a file without it is an error, else it may have none.
    asked = not settings.keys().isdisjoint(("label", "label_from"))
    answerer = answerers.Fitted(classifier)
    data = answerer.form.do(_Reading(answerer, path, settings, asked))
    _check_labels(data)
    _leave_out_unknown(data, answerer.classes)
    return data


class _Reading(ByForm[Labelled]):
    """Reads rows that may have no labels, where nobody said which column has them."""

    def __init__(
        self, answerer: answerers.Answerer, path: str, given: LayoutSettings, asked: bool
    ) -> None:
        self._rows, self._asked = (answerer, path, given), asked

    def numbers(self) -> Labelled:
        """Read rows of numbers; a file that has no column of labels is read without."""
        answerer, path, given = self._rows
        try:
            return rows_to_answer.read(*self._rows)
        except (ColumnError, DataFormatError) as error:
            # svmlight has no column to miss: its rows begin with a label or with an index
            settings = describing.layout_of(answerer.metadata) | given
            bare = isinstance(error, ColumnError) or settings.get("format") == "svmlight"
            if self._asked or path == "-" or not bare:
                raise
            return rows_to_answer.read(*self._rows, need_label=False)

    def one_text(self) -> Labelled:
        """Read texts, texts in columns, or rows of a mixed table."""
        data = rows_to_answer.read(*self._rows, need_label=self._asked)
        layout: Any = rows_to_answer.layout_of(*self._rows)
        if not self._asked and _is_another(layout.label, data):
            data.labels = [None] * len(data)  # the column that was taken for the label is a guess
        return data


def _leave_out_unknown(data: Labelled, known: list[Any]) -> None:
    """Leave out labels that the model does not know, with a note."""
    if None in data.labels:
        return
    unknown = data.kind.unknown(data.counts, set(known))
    if unknown:
        terminal.remark(
            f"{data.name}: labels that the model does not know, left out of the figures: "
            f"{name_counts(unknown)}"
        )
        data.labels = list(data.kind.leave_known(data.labels, set(known)))


def _check_labels(data: Labelled) -> None:
    """Refuse rows of which some have no label, and note where none has."""
    missing = sum(label is None for label in data.labels)
    if 0 < missing < len(data):
        raise InputError(
            f"{missing} of {plural(len(data), 'row')} have no label",
            where=data.name,
            fix="fill them in or remove those rows; a file without any labels is reported on too, "
            "without the figures that need them",
        )
    if missing:
        terminal.remark(
            f"{data.name}: no labels, so the figures that need them are left out (--label names "
            "the column of the labels)"
        )


def _is_another(wanted: str | int | None, data: Labelled) -> bool:
    """Tell labels of another column than the one that the model learnt from."""
    return isinstance(wanted, str) and data.layout is not None and data.layout.label != wanted


def _labels(data: Labelled) -> Any:
    return None if None in data.labels else data.targets
