"""Several labels a row: ``train --label a,b,c``, a neuron for each column, and its answers."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hardlimit import describing, evaluation
from hardlimit.cli import figures, labelled_rows, models, numeric_rows, terminal
from hardlimit.cli.json_output import Json, label_to_json, print_json
from hardlimit.cli.options import LayoutSettings
from hardlimit.exceptions import ColumnError, DataFormatError, InputError
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions import judges
from hardlimit.predictions.label_answers import UNSURE
from hardlimit.predictions.measuring import Confident
from hardlimit.predictions.showing import WantedColumns

if TYPE_CHECKING:
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.targets.columns import LabelTable
    from hardlimit.foundation.types import ArrayLike

    Read = tuple[labelled_rows.Labelled, LabelTable]

# Where the names stand in the metadata of a model file.
NAMES = "labels"
LABELS_SHOWN = 20


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


def read(path: str | Sequence[str], settings: LayoutSettings, names: list[str]) -> Read:
    """Read a file of numbers with several columns of labels."""
    from hardlimit.classifiers.targets import LabelColumns  # start-up: models of texts need none

    if "-" in ([path] if isinstance(path, str) else path):
        raise click.UsageError("several labels want numbers from a FILE, not from standard input")
    given = {"format": "numeric-csv", **settings}
    drop = tuple(given.pop("drop", ()))
    # The last one stands for all of them, as in the layout that a model remembers.
    wanted = {"label": names[-1], "drop": (*drop, *names[:-1]), "label_columns": tuple(names)}
    try:
        data = numeric_rows.read(path, {**given, **wanted})
    except ColumnError:
        _find_missing(path, {**given, "drop": drop}, names)
        raise
    return data, LabelColumns(tuple(names)).table(data.labels)


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
) -> Read:
    """Read a file with the labels of a model, as its training file was read."""
    names = split_names(label) or model.metadata.get(NAMES) or model.classes_.tolist()
    given = {**describing.layout_of(model.metadata), **settings}
    # The labels were left out of what was learnt from; here they are read.
    given["drop"] = [name for name in given.get("drop", ()) if name not in names]
    return read(path, given, [str(name) for name in names])


class LabelAnswers(NamedTuple):
    """The values of the labels of a row, their scores, and how probable each value is, if asked."""

    values: list[Any]
    scores: list[float]
    probabilities: list[float] = []

    def sure(self, least: float | None) -> list[Any]:
        """Return the values, and `UNSURE` for those that are less probable."""
        if least is None:
            return self.values
        pairs = zip(self.values, self.probabilities, strict=True)
        return [value if p >= least else UNSURE for value, p in pairs]


def answers(
    model: LinearClassifier, X: ArrayLike, *, probability: bool = False
) -> list[LabelAnswers]:
    """Return the answers to rows.

    Raises
    ------
    InputError
        Probabilities are wanted, and the model has none.
    """
    if probability:
        judges.require_slope(judges.Fitted(model))
    scores, values = model.decision_function(X), model.predict(X).tolist()
    if not probability:
        return list(map(LabelAnswers, map(list, values), scores.tolist()))
    second = model.predict_proba(X)
    # of the value that is answered: the second one where the score exceeds the threshold
    chosen = abs(second - (scores <= model.threshold_))
    return list(map(LabelAnswers, map(list, values), scores.tolist(), chosen.tolist()))


def predict(
    model: LinearClassifier, X: ArrayLike, wanted: WantedColumns, as_json: bool, file: str = ""
) -> None:
    """Print a line a row: the file, where there are several, and each label with its value."""
    names = [format_label(name) for name in model.classes_.tolist()]
    probability = wanted.probability or wanted.min_probability is not None
    for answer in answers(model, X, probability=probability):
        values = answer.sure(wanted.min_probability)
        if as_json:
            found: Json = {"file": file} if file else {}
            found["labels"] = {n: label_to_json(v) for n, v in zip(names, values, strict=True)}
            if wanted.probability:
                found["probabilities"] = dict(zip(names, answer.probabilities, strict=True))
            if wanted.scores:
                found["scores"] = dict(zip(names, answer.scores, strict=True))
            print_json(found)
            continue
        parts = [terminal.escape_controls(file)] if file else []
        parts += [f"{n}={format_label(v)}" for n, v in zip(names, values, strict=True)]
        if wanted.probability:
            parts += [f"{p:.4f}" for p in answer.probabilities]
        if wanted.scores:
            parts += [f"{score:.4f}" for score in answer.scores]
        terminal.say("\t".join(parts))


def split(data: Read, part: float) -> tuple[Read, Read]:
    """Hold out a part of the rows, in which each value of each label has its share."""
    from hardlimit.classifiers.targets import LabelColumns  # start-up: models of texts need none
    from hardlimit.evaluation.holdout import row_digest

    matrix, table = data
    columns = LabelColumns(tuple(table.columns))
    sides = columns.split(
        [row_digest(key) for key in matrix.examples.hold_out_keys()], table.items, part
    )
    kept, held_out = (
        (matrix.take(rows), columns.table([table.items[i] for i in rows])) for rows in sides
    )
    return kept, held_out


def measure_sure(
    model: LinearClassifier, X: ArrayLike, truth: LabelTable, least: float
) -> Confident:
    """Count the single answers that are at least so probable, and those of them that are right."""
    from hardlimit.classifiers.model import many_labels  # start-up: models of texts need no numpy

    book: Any = model.fitted.classes
    known = book.name_targets(many_labels.read_targets(truth, book).truth).tolist()
    n = right = 0
    for answer, row in zip(answers(model, X, probability=True), known, strict=True):
        for value, p, true in zip(answer.values, answer.probabilities, row, strict=True):
            n += p >= least
            right += p >= least and value == true
    return Confident(least, n, right, truth.shape[0] * truth.shape[1])


def measure(model: LinearClassifier, X: ArrayLike, truth: LabelTable) -> evaluation.LabelFigures:
    """Predict the labels of the rows and compare."""
    from hardlimit.classifiers.model import many_labels  # start-up: models of texts need no numpy

    book: Any = model.fitted.classes
    scores = model.decision_function(X)
    known = many_labels.read_targets(truth, book).truth
    return evaluation.figures_of_labels(
        known.tolist(), (scores > model.threshold_).tolist(), labels=model.classes_.tolist()
    )


def show(
    model: LinearClassifier,
    found: evaluation.LabelFigures,
    *,
    most: int = LABELS_SHOWN,
    sure: Confident | None = None,
) -> None:
    """Print the figures of each label (the first ``most``), of all together, and of whole rows."""
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
    left = terminal.plural(len(rows) - most, "more label", "more labels")
    more = [(f"... and {left}", *[""] * 7)] if len(rows) > most else []
    rows = rows[:most] + more
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
    if sure is not None:
        _show_sure(sure)


def _show_sure(found: Confident) -> None:
    share = f" ({found.n / found.of:.2%})" if found.of else ""
    right = f" ({found.right / found.n:.4f})" if found.n else ""
    terminal.heading(f"Single answers of a probability of at least {found.least:g}")
    terminal.facts(
        [
            ("coverage", f"{found.n:,} of {terminal.plural(found.of, 'answer')}{share}"),
            ("accuracy", f"{found.right:,} of them correct{right}"),
        ]
    )


def to_json(found: evaluation.LabelFigures, sure: Confident | None = None) -> Json:
    """Return the figures as JSON."""
    plain = found.to_json()
    names = [format_label(one.label) for one in found.labels]
    made: Json = {
        "rows": plain.pop("n"),
        "accuracy": dict(zip(names, found.accuracies, strict=True)),
        "subset_accuracy": found.exact_match,
        **plain,
    }
    if sure is not None:
        made["confident"] = figures.confident_to_json(sure, "answers")
    return made


def load(path: str, threshold: float | None = None) -> LinearClassifier:
    """Load a model of several labels a row, to decide by its threshold or by another one."""
    model: Any = models.load(path, several=True)
    if model.fitted.classes.values is None:
        raise InputError(
            "its rows have sets of labels, which files of numbers do not hold",
            where=path,
            fix="ask it in Python: hardlimit.load(path).predict(X)",
        )
    judges.decide_by(model, threshold)
    found: LinearClassifier = model
    return found
