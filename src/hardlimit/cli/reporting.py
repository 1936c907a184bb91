"""The steps of ``hardlimit report``: read, answer, write the page."""

from __future__ import annotations

import sys
from typing import Any

import click

from hardlimit.cli import models, numeric, options, outputs, reading, terminal
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import ColumnError, DataFormatError, InputError


def run(model: str, source: str, output: str, given: dict[str, Any]) -> None:
    """Write the report of a model on the rows of a file."""
    outputs.refuse_inputs(output, model, source, given["train"])
    if output != "-":
        from hardlimit.foundation.atomic_file import replacing

        # Around everything: a folder that is not there is told before the work, not after.
        with replacing(output) as temporary, open(temporary, "wb") as file:
            page = _page(model, source, given)
            file.write(page)
        terminal.remark(f"{output}: the report, {terminal.format_bytes(len(page))}")
        return
    if terminal.is_terminal(sys.stdout):
        raise click.UsageError(
            "a page of HTML is not for a terminal: say -o report.html, or > FILE"
        )
    page = _page(model, source, given)
    sys.stdout.flush()
    sys.stdout.buffer.write(page)


def _page(model: str, source: str, given: dict[str, Any]) -> bytes:
    """Read the model and the rows, and make the page of them."""
    from hardlimit import reports

    train, positive, examples = given.pop("train"), given.pop("positive"), given.pop("examples")
    wanted = options.take_layout(given)
    with Progress(1) as progress:
        progress.stage("loading the model")
        classifier = models.load(model)
        progress.stage("reading")
        data = _read(source, classifier, wanted, progress)
        known = None if train is None else _read(train, classifier, wanted, progress)
        progress.stage("writing the report")
        if positive is not None and len(classifier.classes_) != 2:
            number = len(classifier.classes_)
            raise click.UsageError(f"--positive: only with two classes; the model has {number}")
        page = reports.report(
            classifier,
            data.examples,
            _labels(data),
            train=None if known is None else (known.examples, _labels(known)),
            positive=positive,
            columns=getattr(data, "columns", None) or None,
            examples=examples,
            file=model,
        )
    return page.encode()


def _read(
    path: str, classifier: models.Classifier, wanted: dict[str, Any], progress: Progress
) -> reading.Labelled:
    """Read labelled rows, or rows without any labels, and say so."""
    remembered = models.layout(classifier.metadata)
    asked = "label" in wanted
    if not models.takes_texts(classifier):
        found = _numbers(path, {**remembered, **wanted}, asked)
    else:
        layout = reading.layout_for(path, remembered, wanted)
        found = reading.read_labelled(path, layout, progress, need_label=asked)
        if not asked and _is_another(layout.label, found):
            found.labels = [None] * len(found)  # what was found is a guess
    missing = sum(label is None for label in found.labels)
    if 0 < missing < len(found):
        raise InputError(
            f"{found.name}: {missing} of {len(found)} rows have no label: fill them in or take "
            "those rows out; a file without any labels is reported on as far as that goes"
        )
    if missing:
        terminal.remark(
            f"{found.name}: no labels, so that figures which need them are left out (--label names "
            "a column that has them)"
        )
    return found


def _numbers(path: str, wanted: dict[str, Any], asked: bool) -> reading.Labelled:
    """Read rows of numbers; a file that has no column of labels is read without."""
    try:
        return numeric.read(path, wanted)
    except (ColumnError, DataFormatError) as error:
        # svmlight has no column to miss: its rows begin with a label or with an index
        bare = isinstance(error, ColumnError) or wanted.get("format") == "svmlight"
        if asked or path == "-" or not bare:
            raise
        return numeric.read(path, wanted, need_label=False)


def _is_another(wanted: Any, found: reading.Labelled) -> bool:
    """Whether labels came from another column than the one that the model learnt from."""
    return isinstance(wanted, str) and found.layout is not None and found.layout.label != wanted


def _labels(data: reading.Labelled) -> list[Any] | None:
    return None if None in data.labels else data.labels
