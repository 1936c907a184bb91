"""The steps of ``hardlimit train``: read, hold out, learn, measure, write, tell."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from hardlimit import describing
from hardlimit.cli import (
    building,
    choices,
    comparing,
    figures,
    models,
    numeric,
    options,
    outputs,
    reading,
    terminal,
    wording,
)
from hardlimit.cli.progress import Progress
from hardlimit.cli.scoring import Fitted
from hardlimit.exceptions import (
    ColumnError,
    DataFormatError,
    FileError,
    InputError,
    NotFittedError,
)

if TYPE_CHECKING:
    from hardlimit.classifiers.text import TextClassifier
    from hardlimit.cli.models import Classifier
    from hardlimit.cli.reading import Labelled

INTERRUPTED = 130
DEFAULT_HOLDOUT = 0.2
_FRESH_ONLY = ("rule", *choices.DECIDED, "seed", "multiclass", "until", "features", "scale")
_NUMERIC = ("svmlight", "numeric-csv")


@dataclass
class Job:
    """What was asked for, and what became of it."""

    output: str
    classifier: Classifier
    data: Labelled
    slim: bool
    rounds: int | None
    positive: str | None
    readout: str | None = None
    held_out: Labelled | None = None
    report: figures.Report | None = None
    threshold: figures.Threshold | None = None
    compared: list[comparing.Compared] | None = None
    seconds: float = 0.0


def run(given: dict[str, Any]) -> None:
    """Train as the options say, and print what became of it."""
    wanted = options.take_layout(given)
    source, earlier = given["source"], given["train_from"]
    _check_target(given["output"])
    outputs.refuse_inputs(given["output"], source)
    if earlier:
        _refuse_fresh_options(given)
        classifier = models.load(earlier)
        is_numeric = not models.takes_texts(classifier)
    else:
        is_numeric = numeric.is_numeric(source, wanted.get("format"))
        if not is_numeric and not given["features"]:
            wanted = numeric.detect(source, wanted)
            is_numeric = wanted.get("format") in _NUMERIC
        classifier = building.classifier(given, is_numeric)
        _check_kept(given, classifier, is_numeric)
    rounds = (given["epochs"] or 1) if earlier else None
    with Progress(rounds or classifier.max_iter) as progress:
        progress.stage("reading")
        remembered = models.layout(classifier.metadata) if earlier else {}
        data = _read(source, remembered, wanted, progress, is_numeric=is_numeric)
        job = Job(given["output"], classifier, data, given["slim"], rounds, given["positive"])
        job.readout = given["readout"]
        if job.positive is not None:
            _check_positive(job)
        _hold_out(job, given)
        if given["class_weight"]:
            weight = building.class_weight(given["class_weight"], data.counts)
            classifier.set_params(class_weight=weight)
        try:
            _learn(job, progress)
            _measure(job, given, progress)
        except KeyboardInterrupt:
            _save_interrupted(job)
        _save(job)
    _warn_of_guessing(job)
    if given["as_json"]:
        models.say_json(_plain(job))
    else:
        _show(job)


def _read(
    source: str,
    remembered: dict[str, Any],
    wanted: dict[str, Any],
    progress: Progress,
    *,
    is_numeric: bool,
) -> reading.Labelled:
    if is_numeric:
        return numeric.read(source, {**remembered, **wanted})
    layout = reading.layout_for(source, remembered, wanted)
    try:
        return reading.read_labelled(source, layout, progress)
    except (ColumnError, DataFormatError) as error:
        if layout.format is not None:
            raise
        mend = _no_numbers(source, wanted)
        raise type(error)(f"{error}{mend}") from None


def _no_numbers(source: str, wanted: dict[str, Any]) -> str:
    """Say why a file of texts is not read as numbers, where it nearly is one."""
    if source == "-":
        return "; if these are numbers, say --format svmlight or --format numeric-csv"
    stray = numeric.stray(source, wanted.get("label"))
    if not stray:
        return ""
    return f"; it is not read as numbers, because of {stray}: leave that out, or say --text"


def _refuse_fresh_options(given: dict[str, Any]) -> None:
    """Refuse what an earlier model has already decided."""
    for name in _FRESH_ONLY:
        if given[name] is not None:
            option = name.strip("_").replace("_", "-")
            raise click.UsageError(
                f"--{option} does not go with --train-from: the earlier model has decided that"
            )
    if given["readout"] not in (None, *choices.STREAMED):
        raise click.UsageError(
            f"--readout {given['readout']} does not go with --train-from: it is made of rows that "
            "are known from the start; say --readout last or averaged, or train anew on all rows"
        )
    if given["settings"]:
        raise click.UsageError(
            "--set does not go with --train-from: the earlier model decided that"
        )


def _check_kept(given: dict[str, Any], classifier: Classifier, is_numeric: bool) -> None:
    """A file keeps one read-out beside the last and the mean; some need the training state."""
    chosen = classifier.resolve_parameters(rule_known=False)
    if given["slim"] and chosen.readout == "voted" and not is_numeric:
        raise click.UsageError(
            "--slim does not go with --readout voted: votes on texts are counted with the "
            "vocabulary of the training state, which --slim leaves out"
        )
    held_out = given["holdout"] is not None or given["max_false_positive"] is not None
    lost = [name for name in chosen.kept if name in choices.COMPARED]
    lost = [name for name in lost if name != chosen.readout]
    if lost and not held_out:
        terminal.remark(
            f"--keep: the file holds the read-out that answers, and not {', '.join(lost)}; with "
            "--holdout 0.2 all of them are measured and compared"
        )


def _check_positive(job: Job) -> None:
    """A class that is not there would only be noticed by every later evaluate."""
    there = [models.format_label(label) for label in job.data.counts]
    if job.positive not in there:
        raise click.UsageError(
            f"--positive: no class {job.positive!r}; the file has {', '.join(there[:20])}"
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


def _learn(job: Job, progress: Progress) -> None:
    classifier, data = job.classifier, job.data
    began = time.perf_counter()
    progress.stage(f"learning from {terminal.plural(len(data), 'row')}")
    if job.readout is not None and job.rounds is not None:
        classifier = job.classifier = classifier.with_readout(job.readout)
    try:
        if job.rounds is None:
            classifier.fit(data.examples, data.labels, callback=progress)
        for epoch in range(job.rounds or 0):
            progress.stage(f"epoch {epoch + 1} of {job.rounds}")
            classifier.partial_fit(data.examples, data.labels)
    except InputError as error:
        raise type(error)(numeric.placed(str(error), data)) from None
    job.seconds = time.perf_counter() - began
    vectorizer = getattr(classifier, "vectorizer_", None)  # numbers have none
    if vectorizer is not None and vectorizer.n_replaced_:
        places = terminal.plural(vectorizer.n_replaced_, "place was", "places were")
        terminal.remark(f"{data.name}: {places} no UTF-8 and read as U+FFFD")
    _remember(job)


def _remember(job: Job) -> None:
    """Store with the model how its file was read and what it held."""
    metadata = job.classifier.metadata
    layout = job.data.to_remember()
    if layout is not None:
        metadata[models.LAYOUT] = layout
    counts = {label: n for label, n in metadata.get(models.COUNTS, [])}
    for label, n in job.data.counts.items():
        counts[label] = counts.get(label, 0) + n
    metadata[models.COUNTS] = [[models.plain(label), n] for label, n in counts.items()]
    metadata.pop(models.HELD_OUT, None)
    if job.positive is not None:
        metadata[models.POSITIVE] = job.positive


def _save_interrupted(job: Job) -> NoReturn:
    """Keep what was learnt so far, say so, and leave."""
    _remember(job)
    try:
        _save(job)
    except NotFittedError:
        terminal.error(f"interrupted before anything was learnt; {job.output} was not written")
    else:
        rounds = terminal.plural(job.classifier.n_iter_, describing.round_of(job.classifier))
        terminal.error(f"interrupted after {rounds}; the model as it is was written: {job.output}")
    raise click.exceptions.Exit(INTERRUPTED)


def _measure(job: Job, given: dict[str, Any], progress: Progress) -> None:
    held_out, classifier = job.held_out, job.classifier
    if held_out is None:
        return
    progress.stage("measuring on the held-out rows")
    rate, positive = given["max_false_positive"], job.positive
    if given["keep"] is not None:
        job.compared = comparing.compare(classifier, held_out)
    if rate is not None:
        if not hasattr(type(classifier), "threshold_"):
            raise click.UsageError("--max-false-positive is for texts; this is a file of numbers")
        texts = cast("TextClassifier", classifier)
        job.threshold = figures.choose_threshold(texts, held_out, rate, positive)
    try:
        job.report = figures.measure(Fitted(classifier), held_out, positive)
    except InputError as error:  # votes that cost too much; what was learnt is not lost for that
        terminal.remark(wording.of_commands(str(error)))
        return
    classifier.metadata[models.HELD_OUT] = {
        "rows": len(held_out),
        "accuracy": job.report.accuracy,
    }


def _save(job: Job) -> None:
    job.classifier.save(job.output, training_state=not job.slim)


def _stopped(job: Job) -> str:
    if job.rounds is None:
        return describing.stopped(job.classifier)
    return (
        f"{terminal.plural(job.rounds, 'round')} over these rows, on top of what was learnt before"
    )


def _facts(job: Job) -> list[tuple[str, str]]:
    classifier, data = job.classifier, job.data
    rows, wrong = len(data), classifier.n_training_errors_
    classes = terminal.plural(len(data.counts), "class", "classes")
    facts = [
        ("rows", f"{rows:,} in {classes}: {describing.class_counts(data.counts.items())}"),
        ("features", describing.features(classifier)),
        ("learning", describing.learning(classifier)),
        *describing.choices(classifier),
        ("stopped", _stopped(job)),
    ]
    if wrong is not None:
        share = f"{wrong:,} of {rows:,} training rows answered wrongly ({wrong / rows:.2%})"
        facts.append(("mistakes", share))
    elif classifier.fitted.choices.readout == "voted" and job.rounds is None:
        facts.append(("mistakes", "not counted: so many votes on the training rows cost too much"))
    margin = describing.margin(classifier)
    if margin:
        facts.append(("margin", margin))
    return [*facts, ("time", f"{job.seconds:.2f} s")]


def _warn_of_guessing(job: Job) -> None:
    """Say so where the model is hardly better than a constant answer."""
    if job.report is not None:
        n, right = job.report.figures.n, job.report.figures.right
        wrong, guessing, rows = n - right, round((1 - job.report.figures.baseline) * n), "held-out"
    elif job.classifier.n_training_errors_ is not None:
        counts = job.data.counts
        wrong, guessing = job.classifier.n_training_errors_, len(job.data) - max(counts.values())
        rows = "training"
    else:
        return
    if 10 * wrong > 9 * guessing:
        most = models.format_label(max(job.data.counts, key=lambda label: job.data.counts[label]))
        terminal.remark(
            f"{job.output}: {wrong:,} {rows} rows are answered wrongly, and always saying '{most}' "
            f"would err on {guessing:,}: this model is of little use; leave out the options that "
            "you are least sure of, or train longer"
        )


def _show(job: Job) -> None:
    output = terminal.paint(job.output, "bold")
    terminal.say(f"{output}: trained on {terminal.escape_controls(job.data.name)}")
    terminal.say()
    facts = _facts(job)
    state = "" if job.slim else ", the training state included (--slim leaves it out)"
    facts.append(("file", terminal.format_bytes(os.path.getsize(job.output)) + state))
    terminal.facts(facts)
    if job.compared is not None:
        comparing.show(job.compared)
    if job.report is not None:
        figures.show(
            job.report,
            "Measured on rows that were held out of training",
            over_thresholds=job.threshold is not None,
        )
    if job.threshold is not None:
        figures.show_threshold(job.threshold)
    terminal.heading("Next")
    program, model = models.program(), models.quoted(job.output)
    if job.report is None:
        terminal.say(f"  {program} evaluate {model} OTHER-LABELLED-FILE")
    if models.takes_texts(job.classifier):
        terminal.say(f'  echo "a new text" | {program} predict {model}')
        if job.classifier.fitted.choices.readout != "voted":
            terminal.say(f'  {program} explain {model} "a new text"')
    else:
        terminal.say(f"  {program} predict {model} OTHER-FILE")
    terminal.say(f"  {program} inspect {model}")


def _plain(job: Job) -> dict[str, Any]:
    classifier = job.classifier
    return {
        "model": job.output,
        "bytes": os.path.getsize(job.output),
        "rows": len(job.data),
        "classes": {models.format_label(label): n for label, n in job.data.counts.items()},
        "features": describing.features(classifier),
        "epochs": classifier.n_iter_,
        "corrections": classifier.n_corrections_,
        "training_errors": classifier.n_training_errors_,
        "stop_reason": classifier.stop_reason_,
        "cycle": describing.cycle(classifier),
        "gamma": describing.gamma(classifier),
        **describing.chosen(classifier),
        "seconds": round(job.seconds, 3),
        "held_out": None if job.report is None else figures.plain(job.report),
        "readouts": None if job.compared is None else comparing.plain(job.compared),
        "threshold": None if job.threshold is None else figures.plain_threshold(job.threshold),
    }
