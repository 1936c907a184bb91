"""The steps of ``hardlimit certify``: read, decide or check, write the proof, tell."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import building, models, numeric, options, outputs, reading
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import FileError, HardlimitError, InputError, ProofError

if TYPE_CHECKING:
    from hardlimit.certificates import Verdict

UNDECIDED = 3
TEXT_BIAS = 0.1  # of unit-length rows, as TextClassifier has it
_NUMERIC = ("svmlight", "numeric-csv")


@dataclass
class Job:
    """What is to be decided."""

    source: str
    data: reading.Labelled
    X: Any
    labels: list[Any]
    is_text: bool
    again: tuple[str, ...] = ()

    @property
    def classes(self) -> list[Any]:
        """The labels that there are, sorted."""
        found = set(self.labels)
        try:
            return sorted(found)
        except TypeError:
            return sorted(found, key=lambda label: (type(label).__name__, repr(label)))


def run(given: dict[str, Any]) -> None:
    """Certify or check, as the options say."""
    layout = options.take_layout(given)
    if given["proof"]:
        _refuse_with_check(given)
        proofs = _load(given["proof"])
        _check(_read(given, layout), proofs, given)
        return
    bias = _bias(given)
    output = _target(given)
    outputs.refuse_inputs(output, given["source"])
    job = _read(given, layout)
    verdicts = [_certified(job, positive, given, bias) for positive in _asked(job, given)]
    if output is not None:
        from hardlimit.certificates import save_proofs

        save_proofs(verdicts, output)
    _tell(job, verdicts, output, given)
    if any(verdict.verdict == "undecided" for verdict in verdicts):
        raise click.exceptions.Exit(UNDECIDED)


def _tell(job: Job, verdicts: list[Verdict], output: str | None, given: dict[str, Any]) -> None:
    from hardlimit.cli import verdicts as showing

    if given["as_json"]:
        models.say_json(showing.plain(job, verdicts, output))
    else:
        showing.show(job, verdicts, output)


def _refuse_with_check(given: dict[str, Any]) -> None:
    """The proof says how it was made; what is said again could only differ."""
    for name in ("output", "seconds", "gap", "bias_feature", "positive", "seed"):
        if given[name] is not None:
            option = "-o" if name == "output" else "--" + name.replace("_", "-")
            raise click.UsageError(f"{option} does not go with --check")
    if given["through_origin"]:
        raise click.UsageError("--through-origin does not go with --check: the proof says it")


def _bias(given: dict[str, Any]) -> float | None:
    bias: float | None = given["bias_feature"]
    if given["through_origin"] and bias is not None:
        raise click.UsageError("--bias-feature does not go with --through-origin, which has none")
    if bias is not None and (not bias or bias != bias or abs(bias) == float("inf")):
        raise click.BadOptionUsage(
            "--bias-feature",
            f"--bias-feature wants a finite number other than 0, got {bias}; --through-origin "
            "leaves the bias out",
        )
    return bias


def _target(given: dict[str, Any]) -> str | None:
    """Where the proof goes; looked at before the work begins."""
    output, source = given["output"], given["source"]
    if output is None:
        return None if source == "-" else source.rstrip("/" + os.sep) + ".proof.json"
    if output == "-":
        raise click.UsageError("-o wants the name of a file; --json prints the verdict")
    folder = os.path.dirname(output) or "."
    if not os.path.isdir(folder):
        raise FileError(f"{output}: the folder {folder!r} does not exist: make it first")
    return str(output)


def _read(given: dict[str, Any], wanted: dict[str, Any]) -> Job:
    source, again = given["source"], _said_again({**wanted, "features": given["features"]})
    is_numeric = numeric.is_numeric(source, wanted.get("format"))
    if not is_numeric and not given["features"]:
        wanted = numeric.detect(source, wanted)
        is_numeric = wanted.get("format") in _NUMERIC
    if is_numeric:
        if given["features"]:
            raise click.UsageError("--features is for texts; this is a file of numbers")
        matrix = numeric.read(source, wanted)
        return Job(source, matrix, matrix.examples, matrix.labels, is_text=False, again=again)
    features = building.features(given["features"])
    if {"bias_feature", "fit_intercept"} & features.keys():
        raise click.UsageError("--features bias= is --bias-feature here, or --through-origin")
    with Progress(1) as progress:
        progress.stage("reading")
        data = reading.read_labelled(source, reading.layout_for(source, {}, wanted), progress)
    X = _vectorized(data.examples, features)
    return Job(source, data, X, data.labels, is_text=True, again=again)


def _said_again(wanted: dict[str, Any]) -> tuple[str, ...]:
    """The options by which the file is read, as they are to be said with --check."""
    words: list[str] = []
    for name, value in wanted.items():
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        elif value is not None:
            words += [f"--{name}", str(value)]
    return tuple(words)


def _vectorized(texts: list[Any], features: dict[str, Any]) -> Any:
    """The features that TextClassifier would take."""
    from hardlimit import TextVectorizer
    from hardlimit.text.default_features import choose

    asked = {"words": "auto", "chars": "auto", **features}
    words, chars, _ = choose(asked.pop("words"), asked.pop("chars"), texts)
    return TextVectorizer(words=words, chars=chars, **asked).fit_transform(texts)


def _asked(job: Job, given: dict[str, Any]) -> list[Any]:
    """The classes to hold against the rest."""
    classes = job.classes
    if len(classes) < 2:
        there = f"one class, {models.format_label(classes[0])}" if classes else "no rows"
        raise InputError(f"{job.data.name}: {there}; wanted rows of two classes or more")
    if given["positive"] is None:
        return classes[1:] if len(classes) == 2 else classes
    found = [label for label in classes if models.format_label(label) == given["positive"]]
    if not found:
        there = ", ".join(map(models.format_label, classes[:10])) + (
            ", ..." if len(classes) > 10 else ""
        )
        raise click.BadOptionUsage(
            "--positive", f"--positive: no class {given['positive']!r}; there are {there}"
        )
    return found


def _certified(job: Job, positive: Any, given: dict[str, Any], bias: float | None) -> Verdict:
    from hardlimit.certificates import certify

    default = TEXT_BIAS if job.is_text else 1.0
    with Progress(1) as progress:
        progress.stage(f"{models.format_label(positive)} against the rest: looking for a proof")
        try:
            return certify(
                job.X,
                job.labels,
                fit_intercept=not given["through_origin"],
                bias_feature=default if bias is None else bias,
                seconds=given["seconds"] or 10.0,
                gap=given["gap"] or 0.01,
                random_state=given["seed"] or 0,
                positive=positive,
            )
        except InputError as error:
            said = str(error).replace("certify: X: ", "").replace("certify: ", "")
            raise type(error)(f"{job.data.name}: {said}") from None


def _load(path: str) -> list[Verdict]:
    from hardlimit.certificates import load_proofs

    return load_proofs(path)


def _check(job: Job, proofs: list[Verdict], given: dict[str, Any]) -> None:
    """Verify every proof of a file; the first that fails is the error."""
    from hardlimit.cli import verdicts as showing

    for proof in proofs:
        try:
            proof.check(job.X, job.labels)
        except ProofError as error:
            said = str(error).removeprefix("proof: ")
            raise ProofError(f"{given['proof']}: {proof.subject}: {said}") from None
        except HardlimitError as error:
            raise type(error)(f"{job.data.name}: {error}") from None
    if given["as_json"]:
        models.say_json(showing.checked(given["proof"], job, proofs))
    else:
        showing.show_checked(given["proof"], job, proofs)
