"""A model that is trained anew: the classifier that ``hardlimit train`` is asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from hardlimit import rules
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.ask import Ask
from hardlimit.cli import asking, choices, new_rows, terminal
from hardlimit.cli.choice_options import READOUTS, STREAMED
from hardlimit.cli.commands.train import thresholds
from hardlimit.cli.commands.train.job import Asked, Beginning, TrainingJob, WayOfRows
from hardlimit.cli.errors import usage_error
from hardlimit.cli.option_words import parse_pairs
from hardlimit.exceptions import HardlimitError

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions
    from hardlimit.cli.commands.train.streamed_files import StreamedFiles
    from hardlimit.cli.labelled_rows import Labelled
    from hardlimit.cli.models import Classifier
    from hardlimit.cli.progress import Progress
    from hardlimit.sources.files import FileRows

BATCH_ITERATIONS = 1000  # each corrects once: ten, which suit texts row by row, are ten corrections


class NewModel(Beginning):
    """A classifier that knows nothing yet.

    files : what is learnt from.    start : what ``fit`` is told of the weights at the start.
    """

    asked_again = 0

    def __init__(self, options: TrainOptions, ask: Ask, way: WayOfRows) -> None:
        self.files = new_rows.look(options, options.layout, options.features)
        ask = replace(ask, features=self.files.features)
        asking.refuse(ask)
        self.classifier = build_classifier(way.defaults(options), self.files, ask)
        self.epochs = self.classifier.max_iter
        self.names = [name.strip() for name in (options.classes or "").split(",") if name.strip()]
        _note_lost(options, self.classifier, ask)
        self.start: dict[str, Any] = {}
        if options.start:
            self.start = {"initial_weights": self.files.weights_at_start(options.start)}

    def read(self) -> Labelled:
        """Read all rows; of a table the columns get their kinds."""
        return self.files.read(self.classifier)

    def source(self) -> FileRows:
        """Return the rows as a source; of a table the columns get their kinds."""
        source = self.files.source()
        self.files.decide(self.classifier, source)
        return source

    def learn(self, job: TrainingJob, data: Labelled, progress: Progress) -> None:
        """Learn from rows in memory."""
        more = {**self.start, **data.weighed()}
        self.classifier.fit(data.examples, data.targets, callback=progress, **more)

    def learn_in_batches(
        self, job: TrainingJob, batches: StreamedFiles, progress: Progress, asked: Asked
    ) -> None:
        """Learn from rows that come some at a time."""
        with asked as more:
            self.classifier.fit_stream(batches.source(), callback=progress, **self.start, **more)

    def ask_again(self, job: TrainingJob, rows: Labelled) -> None:
        """Do nothing: the training errors were counted."""


def build_classifier(options: TrainOptions, files: new_rows.NewFiles, ask: Ask) -> Classifier:
    """Build the classifier of texts, numbers or tables; what it refuses is a usage error."""
    is_batch = options.order is not None and options.order.loop == "batch"
    asked: dict[str, Any] = {
        "rule": options.rule,
        "multiclass": options.multiclass,
        "until": options.until,
        "max_iter": options.epochs or (BATCH_ITERATIONS if is_batch else None),
        "random_state": options.seed,
        "scale": options.scale,
        "probability": options.probability or None,
        "shards": options.shards,
        "mixing": options.mixing,
        **files.of_columns(),
    }
    asked = {name: value for name, value in asked.items() if value is not None}
    asked |= choices.choose(options, options.rule or rules.get(files.default_rule))
    # None in Python means never; left out it would mean the default.
    if asked.get("until") == "none":
        asked["until"] = None
    classifier: Classifier = files.classifier(**asked, **files.of_features(options))
    choices.check_parameters(classifier, ask)
    if options.start:
        _check_start(classifier)
    return classifier


def _check_start(classifier: Classifier) -> None:
    """Refuse weights at the start, before anything is read, where they have no meaning."""
    chosen = classifier.resolve_parameters()
    try:
        compatibility.check_started(chosen.combination, chosen.kept)
    except HardlimitError as error:
        raise usage_error(error) from None


def _note_lost(options: TrainOptions, classifier: Classifier, ask: Ask) -> None:
    """Note read-outs that the model file would not hold."""
    # On held-out rows all are compared, so that none was kept in vain.
    if thresholds.share_of(options) is not None:
        return
    chosen = classifier.resolve_parameters(rule_known=False, ask=ask)
    lost = [name for name in chosen.kept if name in READOUTS and name not in STREAMED]
    lost = [name for name in lost if name != chosen.readout]
    if lost:
        terminal.remark(
            f"--keep: the file holds the read-out that answers, and not {', '.join(lost)}; with "
            "--holdout 0.2 all of them are measured and compared"
        )


def weigh_classes(job: TrainingJob) -> None:
    """Give the classifier the weights of its classes, as soon as it is known which there are."""
    if job.options.class_weight:
        weight = parse_class_weight(job.options.class_weight, job.data.counts)
        job.classifier.set_params(class_weight=weight)


def parse_class_weight(text: str, labels: Iterable[object] | None) -> str | Mapping[object, float]:
    """Read ``--class-weight``: ``balanced``, or ``spam=2,ham=1``.

    labels : those that there are; None where nobody knows yet: "1" may be the number, too.
    """
    if text == "balanced":
        return text
    weights: dict[object, float] = {}
    # Labels of numbers are typed as texts.
    known = None if labels is None else {str(label): label for label in labels}
    for name, value in parse_pairs(text.split(","), "--class-weight").items():
        if known is not None and name not in known:
            there = ", ".join(sorted(known)[:20])
            raise click.BadOptionUsage(
                "--class-weight", f"--class-weight: no class {name!r}; there are {there}"
            )
        weights[name if known is None else known[name]] = _weight(name, value)
    if known is None:
        weights |= {_as_number(name): weight for name, weight in weights.items()}
    return weights


def _as_number(name: object) -> object:
    """Return the number that a name says, or the name."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(str(name))
    return name


def _weight(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise click.BadOptionUsage(
            "--class-weight", f"--class-weight {name}= wants a number, got {value!r}"
        ) from None


def remark_replaced(job: TrainingJob) -> None:
    """Say how many bytes were no text."""
    vectorizer = getattr(job.classifier, "vectorizer_", None)  # numbers have none
    if vectorizer is not None and vectorizer.n_replaced_:
        count = terminal.plural(vectorizer.n_replaced_, "byte is", "bytes are")
        terminal.remark(f"{job.data.name}: {count} not valid UTF-8, replaced by U+FFFD")
