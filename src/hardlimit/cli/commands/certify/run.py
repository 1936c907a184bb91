"""The work of ``hardlimit certify``: read, search or check, write the proof, show the verdict."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from hardlimit import certificates
from hardlimit.classifiers.features import make_features
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import asking, json_output, new_rows, outputs
from hardlimit.cli.commands.certify import verdicts
from hardlimit.cli.commands.certify.job import CertifyJob, TableJob, TextJob
from hardlimit.cli.features import parse_features
from hardlimit.cli.option_words import given_names, option_named
from hardlimit.cli.progress import Progress
from hardlimit.cli.table_options import NAMES
from hardlimit.exceptions import FileError, HardlimitError, InputError, ProofError
from hardlimit.foundation.formatting import format_label
from hardlimit.foundation.labels import sort_labels

if TYPE_CHECKING:
    from typing import Any

    from hardlimit.certificates import Verdict
    from hardlimit.cli.commands.certify.command import CertifyOptions
    from hardlimit.cli.new_rows import NewFiles
    from hardlimit.cli.options import LayoutSettings

# A code of its own: a script can tell "nobody knows" from "the file is at fault".
UNDECIDED = 3


def run(options: CertifyOptions) -> None:
    """Certify or check, as the options say."""
    if options.proof is not None:
        # Before reading, which may take long.
        _refuse_with_check(options)
        proofs = certificates.load_proofs(options.proof)
        _check(_read(options), proofs, options)
        return
    _check_bias(options)
    # A search may take minutes; that its proof cannot be written is found out before it.
    output = _output(options)
    outputs.refuse_inputs(output, options.source)
    job = _read(options)
    asked = _list_questions(job, options)
    found = [
        _certify(job, label, positive, options, _place(number, len(asked)))
        for number, (label, positive) in enumerate(asked, 1)
    ]
    if output is not None:
        certificates.save_proofs(found, output)
    if options.as_json:
        json_output.print_json(verdicts.to_json(job, found, output))
    else:
        verdicts.show(job, found, output)
    if any(verdict.verdict == "undecided" for verdict in found):
        # After everything was printed and saved: an undecided verdict still bounds the margin.
        raise click.exceptions.Exit(UNDECIDED)


def _refuse_with_check(options: CertifyOptions) -> None:
    """Refuse what the proof says already; repeated, it could only differ."""
    if options.output is not None:
        raise click.UsageError("-o does not go with --check")
    names = ("seconds", "gap", "bias_feature", "positive", "seed")
    for option in given_names(options, names):
        raise click.UsageError(f"{option} does not go with --check")
    if options.through_origin:
        raise click.UsageError("--through-origin does not go with --check: the proof says it")


def _check_bias(options: CertifyOptions) -> None:
    bias = options.bias_feature
    if options.through_origin and bias is not None:
        raise click.UsageError("--bias-feature does not go with --through-origin, which has none")
    if bias is not None and (not bias or bias - bias != 0):
        raise click.BadOptionUsage(
            "--bias-feature",
            f"--bias-feature wants a finite number other than 0, got {bias}; --through-origin "
            "leaves the bias out",
        )


def _output(options: CertifyOptions) -> str | None:
    """Return where the proof goes; checked before the work begins."""
    (output,) = options.written
    if options.output is None:
        return output
    if output == "-":
        raise click.UsageError("-o wants the name of a file; --json prints the verdict")
    folder = os.path.dirname(str(output)) or "."
    if not os.path.isdir(folder):
        missing = f"the folder {folder!r} does not exist"
        raise FileError(missing, where=str(output), fix="make it first")
    return output


def _read(options: CertifyOptions) -> CertifyJob:
    settings = options.layout
    # Noted before detection adds settings: --check detects them again by itself.
    again = _repeated_options(_said(options))
    files = new_rows.look(options, settings, options.features)
    asking.refuse(asking.ask_of("certify", options, files.features, files.targets))
    with Progress() as progress:
        progress.stage("reading")
        return files.form.do(_Reading(options, files, again))


class _Reading(ByForm[CertifyJob]):
    """Reads rows as the features that ``train`` would learn from."""

    def __init__(self, options: CertifyOptions, files: NewFiles, again: tuple[str, ...]) -> None:
        self._options, self._files, self._again = options, files, again

    def numbers(self) -> CertifyJob:
        """Read rows of numbers, which are learnt from as they are."""
        data = self._files.read(self._files.classifier())
        return CertifyJob(self._options.source, data, data.examples, self._again)

    def one_text(self) -> CertifyJob:
        """Read texts, one a row or several."""
        return self._make(TextJob)

    def table(self) -> CertifyJob:
        """Read a mixed table."""
        return self._make(TableJob)

    def _make(self, kind: type[CertifyJob]) -> CertifyJob:
        features, files = parse_features(self._options.features), self._files
        if {"bias_feature", "fit_intercept"} & features.keys():
            instead = "use --bias-feature or --through-origin"
            raise click.UsageError(f"instead of --features bias= {instead}")
        classifier = files.classifier(**files.of_columns(), **features)
        data = files.read(classifier)
        # As `fit` does, so that the verdict holds for what train would learn from.
        made = make_features(classifier.resolve_parameters())
        found = made.fit_rows(data.examples).to_scipy()
        return kind(self._options.source, data, found, self._again, made.vectorizer)


def _said(options: CertifyOptions) -> dict[str, Any]:
    """Return the options that say how the file is read."""
    given = {name: getattr(options, name) for name in NAMES}
    return {**options.layout, "text": options.texts, **given, "features": options.features}


def _repeated_options(settings: LayoutSettings) -> tuple[str, ...]:
    """Return the options by which the file is read, to be repeated with --check."""
    words: list[str] = []
    for name, value in settings.items():
        option = option_named(name)
        name = option.removeprefix("--")
        if isinstance(value, bool):
            words.append(option if value else f"--no-{name}")
        elif isinstance(value, tuple):
            words += [word for one in value for word in (option, one)]
        elif value is not None:
            words += [option, str(value)]
    return tuple(words)


def _list_questions(job: CertifyJob, options: CertifyOptions) -> list[tuple[str | None, object]]:
    """Return the classes to test against the rest, each with its column of labels."""
    return [
        (name, positive)
        for name, labels in job.by_column.items()
        for positive in _positive_classes(job, name, labels, options.positive)
    ]


def _positive_classes(
    job: CertifyJob, name: str | None, labels: Sequence[Any], asked: str | None
) -> list[object]:
    classes = sort_labels(labels)
    if len(classes) < 2:
        there = f"one class, {format_label(classes[0])}" if classes else "no rows"
        where = job.data.name if name is None else f"{job.data.name}: column {name!r}"
        raise InputError(there, where=where, fix="wanted rows of two classes or more")
    if asked is None:
        # Of two classes one proof says it for both: the other is its mirror image.
        return classes[1:] if len(classes) == 2 else classes
    named = [label for label in classes if format_label(label) == asked]
    if not named:
        there = ", ".join(map(format_label, classes[:10])) + (", ..." if len(classes) > 10 else "")
        raise click.BadOptionUsage(
            "--positive", f"--positive: no class {asked!r}; there are {there}"
        )
    return named


def _column(proof: Verdict) -> str:
    label = proof.subject.label
    return "one label a row" if label is None else f"label {label!r}"


def _place(number: int, of: int) -> str:
    return f"{number} of {of}: " if of > 1 else ""


def _certify(
    job: CertifyJob, label: str | None, positive: object, options: CertifyOptions, place: str
) -> Verdict:
    column = "" if label is None else f"{label}: "
    what = f"{place}{column}{format_label(positive)} against the rest: "
    with Progress(prefix=what) as progress:
        progress.stage("looking for a proof")
        try:
            found: Verdict = certificates.certify(
                job.X,
                job.by_column[label],
                fit_intercept=not options.through_origin,
                bias_feature=job.bias if options.bias_feature is None else options.bias_feature,
                seconds=options.seconds or 10.0,
                gap=options.gap or 0.01,
                random_state=options.seed or 0,
                positive=positive,
            )
        except InputError as error:
            raise error.replaced(where=job.data.name, who="") from None
    return replace(found, subject=replace(found.subject, label=label))


def _check(job: CertifyJob, proofs: list[Verdict], options: CertifyOptions) -> None:
    """Verify every proof of a file; the first that fails is the error."""
    path = str(options.proof)
    for number, proof in enumerate(proofs, 1):
        try:
            with Progress() as progress:
                progress.stage(f"{_place(number, len(proofs))}checking the proof")
                if proof.subject.label not in job.by_column:
                    there = ", ".join(filter(None, job.by_column)) or "one label a row"
                    raise ProofError(f"of other data: it is about {_column(proof)}; here: {there}")
                proof.check(job.X, job.labels_of(proof.subject))
        except ProofError as error:
            raise error.replaced(where=f"{path}: {proof.subject}", who="") from None
        except HardlimitError as error:
            raise error.replaced(where=job.data.name) from None
    if options.as_json:
        json_output.print_json(verdicts.checked_to_json(path, job, proofs))
    else:
        verdicts.show_checked(path, job, proofs)
