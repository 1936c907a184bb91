"""Every read-out of one fit, measured on the held-out rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hardlimit.cli import errors, terminal
from hardlimit.cli.json_output import Json
from hardlimit.exceptions import InputError
from hardlimit.predictions.columns import agree

if TYPE_CHECKING:
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.models import Classifier


class Compared(NamedTuple):
    """A read-out and its errors on the rows, or None with the reason; whether it is saved."""

    readout: str
    errors: int | None
    rows: int
    answers: bool
    reason: str = ""

    @property
    def accuracy(self) -> float | None:
        """Share of correct answers."""
        return None if self.errors is None else 1 - self.errors / self.rows


def compare(classifier: Classifier, held_out: Labelled) -> list[Compared]:
    """Measure every read-out that was kept, without training again."""
    # All come from one fit: another training would compare the luck of its order too.
    return [_measured(classifier, name, held_out) for name in classifier.fitted.choices.kept]


def _measured(classifier: Classifier, readout: str, held_out: Labelled) -> Compared:
    answers, rows = readout == classifier.fitted.choices.readout, len(held_out)
    try:
        predicted = classifier.with_readout(readout).predict(held_out.examples).tolist()
    except InputError as error:  # votes that cost too much
        return Compared(readout, None, rows, answers, errors.sentence(error))
    pairs, named = zip(predicted, held_out.labels, strict=True), held_out.kind.named
    wrong = sum(not agree(named(label), named(true)) for label, true in pairs)
    return Compared(readout, wrong, rows, answers)


def show(compared: list[Compared]) -> None:
    """Print a line a read-out."""
    terminal.heading("Which weights answer best: read-outs of this fit, on the held-out rows")
    rows = [
        (
            one.readout,
            "-" if one.accuracy is None else f"{one.accuracy:.4f}",
            "-" if one.errors is None else f"{one.errors:,}",
            "<- the saved model's" if one.answers else "",
        )
        for one in compared
    ]
    for line in terminal.table(("read-out", ">accuracy", ">errors", ""), rows):
        terminal.say(line)
    for one in compared:
        if one.reason:
            terminal.remark(one.reason)


def to_json(compared: list[Compared]) -> list[Json]:
    """Return the table as JSON."""
    return [
        {
            "readout": one.readout,
            "accuracy": one.accuracy,
            "errors": one.errors,
            "answers": one.answers,
        }
        for one in compared
    ]
