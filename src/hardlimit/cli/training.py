"""The steps of ``hardlimit train``: read, hold out, learn, measure, write, tell."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import building, describing, figures, models, options, reading, terminal
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import FileError, NotFittedError

if TYPE_CHECKING:
    from hardlimit import TextClassifier
    from hardlimit.cli.reading import Labelled

INTERRUPTED = 130
DEFAULT_EPOCHS = 10
DEFAULT_HOLDOUT = 0.2
_FRESH_ONLY = ("rule", "order", "seed", "readout", "multiclass", "until", "features")


@dataclass
class Job:
    """What was asked for, and what became of it."""

    source: str
    output: str
    classifier: TextClassifier
    data: Labelled
    slim: bool
    held_out: Labelled | None = None
    report: figures.Report | None = None
    threshold: figures.Threshold | None = None
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)


def run(given: dict[str, Any]) -> None:
    """Train as the options say, and print what became of it."""
    wanted = options.take_layout(given)
    as_json, earlier = given["as_json"], given["train_from"]
    _check_target(given["output"])
    classifier = models.load(earlier) if earlier else _fresh(given)
    if earlier:
        _refuse_fresh_options(given)
        wanted = {**models.layout(classifier), **wanted} if given["source"] != "-" else wanted
    epochs = given["epochs"] or (1 if earlier else DEFAULT_EPOCHS)
    with Progress(epochs) as progress:
        progress.stage("reading")
        data = reading.read_labelled(given["source"], options.layout_of(wanted), progress)
        job = Job(given["source"], given["output"], classifier, data, given["slim"])
        _hold_out(job, given)
        if given["class_weight"]:
            weight = building.class_weight(given["class_weight"], data.counts)
            classifier.set_params(class_weight=weight)
        _learn(job, epochs if earlier else None, progress)
        _measure(job, given, progress)
        _save(job)
    if as_json:
        models.say_json(_plain(job))
    else:
        _show(job)


def _fresh(given: dict[str, Any]) -> TextClassifier:
    return building.classifier(
        {
            **building.features(given["features"]),
            "rule": building.rule(given["rule"], given["settings"]),
            "order": given["order"],
            "readout": given["readout"],
            "multiclass": given["multiclass"],
            "until": given["until"],
            "max_iter": given["epochs"],
            "random_state": given["seed"],
        }
    )


def _refuse_fresh_options(given: dict[str, Any]) -> None:
    """Refuse what an earlier model has already decided."""
    for name in _FRESH_ONLY:
        if given[name] is not None:
            raise click.UsageError(
                f"--{name} does not go with --train-from: the earlier model has decided that"
            )
    if given["settings"]:
        raise click.UsageError(
            "--set does not go with --train-from: the earlier model decided that"
        )


def _check_target(path: str) -> None:
    """See before the work, not after it, that the model can be written."""
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise FileError(f"{path}: cannot be written: it is a folder")
    if not os.path.isdir(folder):
        raise FileError(f"{path}: cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise FileError(f"{path}: cannot be written: the folder {folder} allows no new files")


def _hold_out(job: Job, given: dict[str, Any]) -> None:
    """Set rows aside when asked to, or when a threshold is to be chosen on them."""
    part = given["holdout"]
    if part is None and given["max_false_positive"] is not None:
        part = DEFAULT_HOLDOUT
    if part is not None:
        job.data, job.held_out = figures.split(job.data, part)


def _learn(job: Job, further_epochs: int | None, progress: Progress) -> None:
    classifier, data = job.classifier, job.data
    began = time.perf_counter()
    progress.stage(f"reading {terminal.count(len(data.texts), 'text')} into features")
    try:
        if further_epochs is None:
            classifier.fit(data.texts, data.labels, callback=progress)
        for epoch in range(further_epochs or 0):
            progress.stage(f"epoch {epoch + 1} of {further_epochs}")
            classifier.partial_fit(data.texts, data.labels)
    except KeyboardInterrupt:
        _save_interrupted(job)
    job.seconds = time.perf_counter() - began
    replaced = classifier.vectorizer_.n_replaced_
    if replaced:
        places = terminal.count(replaced, "place was", "places were")
        terminal.remark(f"{data.name}: {places} no UTF-8 and read as U+FFFD")
    _remember(job)


def _remember(job: Job) -> None:
    """Store with the model how its file was read and what it held."""
    metadata = job.classifier.metadata
    if job.data.layout is not None:
        metadata[models.LAYOUT] = job.data.layout.to_json()
    counts = {label: n for label, n in metadata.get(models.COUNTS, [])}
    for label, n in job.data.counts.items():
        counts[label] = counts.get(label, 0) + n
    metadata[models.COUNTS] = [[models.plain(label), n] for label, n in counts.items()]
    metadata.pop(models.HELD_OUT, None)


def _save_interrupted(job: Job) -> None:
    """Keep what was learnt so far, say so, and leave."""
    _remember(job)
    try:
        _save(job)
    except NotFittedError:
        terminal.error(f"interrupted before anything was learnt; {job.output} was not written")
    else:
        epochs = terminal.count(job.classifier.n_iter_, "epoch")
        terminal.error(f"interrupted after {epochs}; the model as it is was written: {job.output}")
    raise click.exceptions.Exit(INTERRUPTED)


def _measure(job: Job, given: dict[str, Any], progress: Progress) -> None:
    held_out, classifier = job.held_out, job.classifier
    if held_out is None:
        return
    progress.stage("measuring on the held-out texts")
    rate, positive = given["max_false_positive"], given["positive"]
    if rate is not None:
        job.threshold = figures.choose_threshold(classifier, held_out, rate, positive)
    job.report = figures.measure(classifier, held_out.texts, held_out.labels, positive)
    classifier.metadata[models.HELD_OUT] = {
        "texts": len(held_out.texts),
        "accuracy": job.report.accuracy,
    }


def _save(job: Job) -> None:
    job.classifier.save(job.output, training_state=not job.slim)


def _facts(job: Job) -> list[tuple[str, str]]:
    classifier, data = job.classifier, job.data
    texts, wrong = len(data.texts), classifier.n_training_errors_
    classes = terminal.count(len(data.counts), "class", "classes")
    facts = [
        ("texts", f"{texts:,} in {classes}: {describing.class_counts(data.counts.items())}"),
        ("features", describing.features(classifier)),
        ("learning", describing.learning(classifier)),
        ("stopped", describing.stopped(classifier.stop_reason_)),
    ]
    if wrong is not None:
        share = f"{wrong:,} of {texts:,} training texts answered wrongly ({wrong / texts:.2%})"
        facts.append(("mistakes", share))
    return [*facts, ("time", f"{job.seconds:.2f} s")]


def _show(job: Job) -> None:
    output = terminal.paint(job.output, "bold")
    terminal.say(f"{output}: trained on {terminal.harmless(job.data.name)}")
    terminal.say()
    facts = _facts(job)
    facts.append(("file", terminal.size(os.path.getsize(job.output))))
    terminal.facts(facts)
    if job.report is not None:
        figures.show(job.report, "Measured on texts that were held out of training")
    if job.threshold is not None:
        figures.show_threshold(job.threshold)
    terminal.heading("Next")
    model = models.quoted(job.output)
    if job.report is None:
        terminal.say(f"  hardlimit evaluate {model} OTHER-LABELLED-FILE")
    terminal.say(f'  echo "a new text" | hardlimit predict {model}')
    terminal.say(f'  hardlimit explain {model} "a new text"')
    terminal.say(f"  hardlimit inspect {model}")


def _plain(job: Job) -> dict[str, Any]:
    classifier = job.classifier
    return {
        "model": job.output,
        "bytes": os.path.getsize(job.output),
        "texts": len(job.data.texts),
        "classes": {models.shown(label): n for label, n in job.data.counts.items()},
        "features": describing.features(classifier),
        "epochs": classifier.n_iter_,
        "corrections": classifier.n_corrections_,
        "training_errors": classifier.n_training_errors_,
        "stop_reason": classifier.stop_reason_,
        "seconds": round(job.seconds, 3),
        "held_out": None if job.report is None else figures.plain(job.report),
        "threshold": None if job.threshold is None else figures.plain_threshold(job.threshold),
    }
