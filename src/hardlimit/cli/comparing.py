"""One fit, every read-out: which of the kept hypotheses answers best on held-out rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.cli import terminal, wording
from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.cli.models import Classifier
    from hardlimit.cli.reading import Labelled


class Compared(NamedTuple):
    """A read-out, its errors on so many rows (None with the reason), and whether it is saved."""

    readout: str
    errors: int | None
    rows: int
    answers: bool
    reason: str = ""

    @property
    def accuracy(self) -> float | None:
        """Share of right answers."""
        return None if self.errors is None else 1 - self.errors / self.rows


def compare(classifier: Classifier, held_out: Labelled) -> list[Compared]:
    """Measure every read-out that was kept; nothing is learnt anew."""
    return [_measured(classifier, name, held_out) for name in classifier.fitted.choices.kept]


def _measured(classifier: Classifier, readout: str, held_out: Labelled) -> Compared:
    answers, rows = readout == classifier.fitted.choices.readout, len(held_out)
    try:
        found = classifier.with_readout(readout).predict(held_out.examples).tolist()
    except InputError as error:  # votes that cost more than their budget
        return Compared(readout, None, rows, answers, wording.of_commands(str(error)))
    pairs = zip(found, held_out.labels, strict=True)
    return Compared(readout, sum(said != true for said, true in pairs), rows, answers)


def show(compared: list[Compared]) -> None:
    """Print a line a read-out."""
    terminal.heading("Read-outs of the one fit, on the held-out rows")
    rows = [
        (
            one.readout,
            "-" if one.accuracy is None else f"{one.accuracy:.4f}",
            "-" if one.errors is None else f"{one.errors:,}",
            "<- the saved model answers with it" if one.answers else "",
        )
        for one in compared
    ]
    for line in terminal.table(("read-out", ">accuracy", ">errors", ""), rows):
        terminal.say(line)
    for one in compared:
        if one.reason:
            terminal.remark(one.reason)


def plain(compared: list[Compared]) -> list[dict[str, Any]]:
    """Return the table as plain JSON."""
    return [
        {
            "readout": one.readout,
            "accuracy": one.accuracy,
            "errors": one.errors,
            "answers": one.answers,
        }
        for one in compared
    ]
