"""An earlier model that goes on, and whether it answers the new rows as they were taught."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardlimit import readouts
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.ask import BATCHES, Ask
from hardlimit.cli import models, rows_to_answer, terminal
from hardlimit.cli.commands.train.job import (
    Asked,
    Beginning,
    Continued,
    TrainingJob,
    Unlearnt,
    WayOfRows,
)
from hardlimit.cli.errors import usage_error
from hardlimit.cli.json_output import Json
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import InputError
from hardlimit.predictions.answerers import Fitted
from hardlimit.predictions.columns import agree, format_labels, labels_to_json

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.streamed_files import StreamedFiles
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.models import Classifier
    from hardlimit.rules import Rule
    from hardlimit.sources.files import FileRows

MOST_ASKED = 20_000  # rows that are asked again: the answers are to cost less than the training
SHOWN = 3
_EXCERPT = 40


class EarlierModel(Beginning):
    """An earlier model, which is shown new rows."""

    asked_again = MOST_ASKED

    def __init__(self, options: TrainOptions, ask: Ask, way: WayOfRows) -> None:
        with Progress() as progress:
            progress.stage(f"loading {options.train_from}")
            self.classifier = models.load(options.train_from or "")
        _check_readout(self.classifier, options.readout)
        self._options, self._answerer = options, Fitted(self.classifier)
        self.names = self._answerer.classes
        # Once unless asked: the earlier rows cannot be shown again beside the new ones.
        self.epochs = options.epochs or 1
        self._before = _counts(self.classifier)

    def read(self) -> Labelled:
        """Read all rows, as those of the earlier model were read."""
        return rows_to_answer.read(self._answerer, self._options.sources, self._options.layout)

    def source(self) -> FileRows:
        """Return the rows as a source, read as those of the earlier model were."""
        return rows_to_answer.source_of(self._answerer, self._options.sources, self._options.layout)

    def learn(self, job: TrainingJob, data: Labelled, progress: Progress) -> None:
        """Learn from rows in memory, an epoch or more."""
        self._take_readout()
        for epoch in range(self.epochs):
            progress.stage(f"epoch {epoch + 1} of {self.epochs}")
            self.classifier.partial_fit(data.examples, data.targets, **data.weighed())

    def learn_in_batches(
        self, job: TrainingJob, batches: StreamedFiles, progress: Progress, asked: Asked
    ) -> None:
        """Learn from rows that come some at a time, an epoch or more."""
        self._take_readout()
        passes = ["count new terms"] * self.classifier.fitted.meets_terms
        passes += ["learn"] * self.epochs
        said = f"{terminal.plural(len(passes), 'pass', 'passes')} over the input"
        terminal.remark(f"{said} ({'; '.join(passes)})")
        self.classifier.partial_fit_stream(batches.source(), epochs=self.epochs)

    def _take_readout(self) -> None:
        """Answer as asked from now on; else the earlier read-out is kept."""
        if self._options.readout is not None:
            named = readouts.REGISTER.name_of(self._options.readout)
            self.classifier = self.classifier.with_readout(named)
        if self.classifier.fitted.slope is not None:
            terminal.remark(
                f"{self._options.output}: the probabilities of the earlier model were those of "
                "its scores, which move now, so the new model has none; train anew on all rows "
                "with --probability, or use calibrate(X, y) in Python"
            )

    def ask_again(self, job: TrainingJob, rows: Labelled) -> None:
        """Ask the first rows again, to say what was learnt of them."""
        job.continued = measure(self.classifier, rows, self.epochs, self._before)


def _check_readout(classifier: Classifier, readout: object) -> None:
    """Refuse a read-out that new rows cannot go on with."""
    if readout is None:
        return
    combination = classifier.fitted.choices.combination
    try:
        name = readouts.REGISTER.name_of(readout)
        compatibility.check_readout(replace(combination, way=BATCHES, readout=name))
    except InputError as error:
        raise usage_error(error) from None


def _counts(classifier: Classifier) -> tuple[int, int]:
    """Return mistakes and corrections so far, to be compared with those afterwards."""
    return classifier.n_mistakes_, classifier.n_corrections_


def measure(
    classifier: Classifier, data: Labelled, epochs: int, before: tuple[int, int]
) -> Continued:
    """Ask the new rows again, and say what was learnt of them."""
    mistakes, corrections = (
        now - then for now, then in zip(_counts(classifier), before, strict=True)
    )
    rows = data if len(data) <= MOST_ASKED else data.take(list(range(MOST_ASKED)))
    answers = map(rows.kind.named, classifier.predict(rows.examples).tolist())
    pairs = list(zip(map(rows.kind.named, rows.labels), answers, strict=True))
    wrong = [
        (i, label, answer) for i, (label, answer) in enumerate(pairs) if not agree(label, answer)
    ]
    found = Continued(epochs, mistakes, corrections, len(rows), len(rows) - len(wrong))
    found.wrong = [Unlearnt(i, _show_row(rows, i), *labels) for i, *labels in wrong[:SHOWN]]
    if wrong and classifier.fitted.choices.readout != "last":
        found.last = _right_by_last(classifier, rows)
    return found


def _right_by_last(classifier: Classifier, rows: Labelled) -> int | None:
    try:
        answers: list[Any] = classifier.with_readout("last").predict(rows.examples).tolist()
    except InputError:  # a model that cannot answer by them
        return None
    named = rows.kind.named
    return sum(agree(named(a), named(b)) for a, b in zip(answers, rows.labels, strict=True))


def facts(found: Continued) -> list[tuple[str, str]]:
    """Return what was learnt now, and how the new rows are answered."""
    plural = terminal.plural
    learnt = (
        f"{plural(found.epochs, 'epoch')} over these rows: {plural(found.mistakes, 'mistake')}, "
        f"{plural(found.corrections, 'correction')}"
    )
    first = "of the first " if found.asked == MOST_ASKED else "of "
    answered = f"{found.right:,} {first}{plural(found.asked, 'row')} answered as taught"
    return [("now", learnt), ("new rows", answered)]


def show(found: Continued, rule: Rule) -> None:
    """Print the first rows that are not answered as taught, and how to make them."""
    if not found.wrong:
        return
    terminal.heading("Not yet answered as taught")
    rows = [
        (one.shown, format_labels(one.taught), format_labels(one.answered)) for one in found.wrong
    ]
    for line in terminal.table(("row", "taught", "answered"), rows):
        terminal.say(line)
    missing = found.asked - found.right
    if missing > len(found.wrong):
        terminal.say(f"  and {missing - len(found.wrong):,} more")
    terminal.say(f"  {advice(found, rule)}")


def advice(found: Continued, rule: Rule) -> str:
    """Return what would make the model answer more of the new rows as taught."""
    if found.last is not None and found.last > found.right:
        answered = "all" if found.last == found.asked else f"{found.last:,}"
        return (
            f"--readout last answers {answered} of them as taught: an average over all that was "
            "learnt moves slowly"
        )
    if callable(rule.required) or rule.required > 0:
        return f"--epochs {10 * found.epochs} shows them more often"
    return (
        f"--epochs {10 * found.epochs} shows them more often; a rule with a margin, such as "
        "passive-aggressive, makes each correction hold (train anew with --rule)"
    )


def to_json(found: Continued) -> Json:
    """Return it for machines."""
    return {
        "epochs": found.epochs,
        "mistakes": found.mistakes,
        "corrections": found.corrections,
        "rows_asked": found.asked,
        "answered_as_taught": found.right,
        "answered_as_taught_by_last": found.last,
        "first_others": [
            {
                "row": one.row,
                "label": labels_to_json(one.taught),
                "answer": labels_to_json(one.answered),
            }
            for one in found.wrong
        ],
    }


def _show_row(data: Labelled, place: int) -> str:
    """Return how a row is shown: the beginning of its text, or its line."""
    if len(data.lines):
        return f"line {data.lines[place]}"
    text = data.examples.example(place)
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    if not isinstance(text, str):
        return str(place + 1)
    return terminal.cut(terminal.escape_controls(" ".join(text.split())), _EXCERPT)
