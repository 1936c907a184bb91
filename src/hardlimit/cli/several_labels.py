"""Several labels a row: ``train --label a,b,c``, a neuron for each column, and its answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing, evaluation
from hardlimit.cli import models, numeric_rows, terminal
from hardlimit.cli.json_output import Json, label_to_json, print_json
from hardlimit.cli.options import LayoutSettings
from hardlimit.exceptions import ColumnError, DataFormatError, InputError
from hardlimit.foundation.formatting import format_label

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier

# Where the names stand in the metadata of a model file.
NAMES = "labels"


@dataclass
class Table:
    """Targets in columns with names, as the classifier takes a table."""

    columns: list[str]
    rows: list[list[Any]]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.columns)

    def to_numpy(self) -> Any:
        """Return the values as they are, (n_rows, n_columns)."""
        import numpy as np  # start-up: models of texts predict without it

        values = np.empty(self.shape, object)
        values[:] = self.rows
        return values


def split_names(label: str | None) -> list[str]:
    """Return the columns of ``--label a,b,c``; none where it is one column.

    >>> split_names("a, b,c"), split_names("a"), split_names(None)
    (['a', 'b', 'c'], [], [])
    """
    names = [name.strip() for name in (label or "").split(",")]
    if len(names) < 2:
        return []
    if not all(names) or len(set(names)) < len(names):
        raise click.BadOptionUsage("--label", f"--label wants different columns, got {label!r}")
    return names


def read(
    path: str | Sequence[str], settings: LayoutSettings, names: list[str]
) -> tuple[numeric_rows.Matrix, Table]:
    """Read a file of numbers with several columns of labels."""
    if "-" in ([path] if isinstance(path, str) else path):
        raise click.UsageError("several labels want numbers from a FILE, which is read once each")
    given = {"format": "numeric-csv", **settings}
    drop = tuple(given.pop("drop", ()))
    columns, data = [], None
    for name in names:
        others = tuple(one for one in names if one != name)
        try:
            data = numeric_rows.read(path, {**given, "label": name, "drop": (*drop, *others)})
        except ColumnError:
            _find_missing(path, {**given, "drop": drop}, names)
            raise
        columns.append(data.labels)
    assert data is not None  # there are two names at least
    return data, Table(list(names), [list(row) for row in zip(*columns, strict=True)])


def _find_missing(path: str | Sequence[str], settings: LayoutSettings, names: list[str]) -> None:
    """Raise the error of a label that is no column: as a label, not as a column left out."""
    for name in names:
        # The other labels are read as numbers here, which they need not be.
        with contextlib.suppress(DataFormatError):
            numeric_rows.read(path, {**settings, "label": name})


def read_for(
    model: LinearClassifier,
    path: str | Sequence[str],
    settings: LayoutSettings,
    label: str | None,
) -> tuple[numeric_rows.Matrix, Table]:
    """Read a file with the labels of a model, as its training file was read."""
    names = split_names(label) or model.metadata.get(NAMES) or model.classes_.tolist()
    given = {**describing.layout_of(model.metadata), **settings}
    # The labels were left out of what was learnt from; here they are read.
    given["drop"] = [name for name in given.get("drop", ()) if name not in names]
    return read(path, given, [str(name) for name in names])


def predictions(model: LinearClassifier, X: Any) -> Iterator[tuple[list[Any], list[float]]]:
    """Yield the values of the labels of each row, and their scores."""
    scores = model.decision_function(X).tolist()
    yield from zip(map(list, model.predict(X).tolist()), scores, strict=True)


def predict(
    model: LinearClassifier, X: Any, with_scores: bool, as_json: bool, file: str = ""
) -> None:
    """Print a line a row: the file, where there are several, and each label with its value."""
    names = [format_label(name) for name in model.classes_.tolist()]
    for values, scores in predictions(model, X):
        if as_json:
            found: Json = {"file": file} if file else {}
            found["labels"] = {n: label_to_json(v) for n, v in zip(names, values, strict=True)}
            if with_scores:
                found["scores"] = dict(zip(names, scores, strict=True))
            print_json(found)
            continue
        parts = [terminal.escape_controls(file)] if file else []
        parts += [f"{n}={format_label(v)}" for n, v in zip(names, values, strict=True)]
        if with_scores:
            parts += [f"{score:.4f}" for score in scores]
        terminal.say("\t".join(parts))


def split(
    data: numeric_rows.Matrix, targets: Table, part: float
) -> tuple[tuple[numeric_rows.Matrix, Table], tuple[numeric_rows.Matrix, Table]]:
    """Hold out a part of the rows, in which each value of each label has its share."""
    values = [set(enumerate(row)) for row in targets.rows]
    sides = evaluation.label_holdout(data.keys(), values, part)
    kept, held_out = (
        (data.take(rows), Table(targets.columns, [targets.rows[i] for i in rows])) for rows in sides
    )
    return kept, held_out


def evaluate(model: LinearClassifier, X: Any, truth: Table, as_json: bool) -> None:
    """Print the figures of each label, of all together, and of whole rows."""
    found = measure(model, X, truth)
    if as_json:
        print_json(to_json(found))
    else:
        show(model, found)


def measure(model: LinearClassifier, X: Any, truth: Table) -> evaluation.LabelFigures:
    """Predict the labels of the rows and compare."""
    from hardlimit.classifiers.model import many_labels  # start-up: models of texts need no numpy

    book: Any = model.fitted.classes
    scores = model.decision_function(X)
    known = many_labels.read_targets(truth, book).truth
    return evaluation.figures_of_labels(
        known.tolist(), (scores > model.threshold_).tolist(), labels=model.classes_.tolist()
    )


def show(model: LinearClassifier, found: evaluation.LabelFigures) -> None:
    """Print the figures of each label, of all together, and of whole rows."""
    book: Any = model.fitted.classes
    values = book.values[1].tolist()
    rows: list[tuple[str, ...]] = [
        (
            format_label(one.label),
            f"{round(accuracy * found.n):,} of {found.n:,}",
            f"{accuracy:.4f}",
            format_label(value),
            f"{one.support:,}",
            f"{one.precision:.4f}",
            f"{one.recall:.4f}",
            f"{one.f1:.4f}",
        )
        for one, accuracy, value in zip(found.labels, found.accuracies, values, strict=True)
    ]
    rows.append(
        (
            "all together",
            f"{found.exact:,} of {found.n:,}",
            f"{found.exact_match:.4f}",
            *[""] * 5,
        )
    )
    head = ("label", ">correct", ">accuracy", "of", ">rows", ">precision", ">recall", ">F1")
    for line in terminal.table(head, rows):
        terminal.say(line)
    terminal.say()
    low, high = found.interval
    share = f"{found.exact_match:.4f} ({low:.4f} to {high:.4f} at 95 %)"
    terminal.facts(
        [
            ("exact match", f"{share} of rows with all labels right"),
            ("micro-F1", f"{found.micro_f1:.4f}, over all labels together"),
            ("macro-F1", f"{found.macro_f1:.4f}, the mean of the F1 of the labels"),
            ("Hamming loss", f"{found.hamming_loss:.4f}, the share of single answers that err"),
        ]
    )


def to_json(found: evaluation.LabelFigures) -> Json:
    """Return the figures as JSON."""
    plain = found.to_json()
    names = [format_label(one.label) for one in found.labels]
    return {
        "rows": plain.pop("n"),
        "accuracy": dict(zip(names, found.accuracies, strict=True)),
        "subset_accuracy": found.exact_match,
        **plain,
    }


def load(path: str) -> LinearClassifier:
    """Load a model of several labels a row."""
    model: Any = models.load(path, several=True)
    if model.fitted.classes.values is None:
        raise InputError(
            "its rows have sets of labels, which files of numbers do not hold",
            where=path,
            fix="ask it in Python: hardlimit.load(path).predict(X)",
        )
    found: LinearClassifier = model
    return found
