"""The work of ``hardlimit make``: read weights, make the model, save it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit import describing
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.text import TextClassifier
from hardlimit.cli import invocation, json_output, outputs, starts, terminal
from hardlimit.cli.errors import usage_error
from hardlimit.exceptions import HardlimitError
from hardlimit.foundation import storage

if TYPE_CHECKING:
    from hardlimit.cli.commands.make.command import MakeOptions
    from hardlimit.cli.models import Classifier


def run(options: MakeOptions) -> None:
    """Make the model, save it, and say what it is."""
    outputs.refuse_inputs(options.output, options.source)
    weights = starts.read_weights(options.source) if options.source else {}
    # Those that are typed come last, and replace those of the file.
    weights |= _parse_weights(options.weights)
    if not weights:
        raise click.UsageError("no weights: give a FILE, or --weight TERM=NUMBER")
    model = _make(weights, options)
    model.save(options.output)
    if options.as_json:
        json_output.print_json(_to_json(model, len(weights), options))
    else:
        _show(model, len(weights), options)


def _make(weights: dict[str, float], options: MakeOptions) -> Classifier:
    given = {} if options.rule is None else {"rule": options.rule}
    classes = [name.strip() for name in options.classes.split(",")]
    kind = LinearClassifier if options.numbers else TextClassifier
    try:
        model = kind.from_weights(weights, options.threshold, classes=classes, **given)
    except HardlimitError as error:
        raise usage_error(error) from None
    if options.numbers:
        model.metadata[describing.LAYOUT] = {"columns": list(weights), "n_features": len(weights)}
    return model


def _parse_weights(words: tuple[str, ...]) -> dict[str, float]:
    """Read every ``--weight``; a term that is typed twice is a slip, as in a file."""
    weights: dict[str, float] = {}
    for term, number in map(_parse_weight, words):
        if term in weights:
            raise click.BadOptionUsage("--weight", f"--weight: a second weight of {term!r}")
        weights[term] = number
    return weights


def _parse_weight(word: str) -> tuple[str, float]:
    """Split ``term=number`` at the last sign, since a term may hold one.

    >>> _parse_weight("free=0.124"), _parse_weight("a=b=-1")
    (('free', 0.124), ('a=b', -1.0))
    """
    term, equals, number = word.rpartition("=")
    try:
        if term.strip() and equals:
            return term.strip(), float(number)
    except ValueError:
        pass
    raise click.BadOptionUsage("--weight", f"--weight wants TERM=NUMBER, got {word!r}")


def _show(model: Classifier, n_weights: int, options: MakeOptions) -> None:
    output = options.output
    program, name = invocation.program(), invocation.quoted(output)
    terminal.say(f"{terminal.paint(output, 'bold')}: made of weights that were given")
    terminal.say()
    decides = describing.decision(model.classes_.tolist(), options.threshold)
    terminal.facts(
        [
            ("weights", terminal.plural(n_weights, "column" if options.numbers else "term")),
            ("decision", decides.replace("score", "weighted sum")),
            ("learning", describing.learning(model)),
            ("file", terminal.format_bytes(storage.size_of(output))),
        ]
    )
    terminal.heading("Next")
    if options.numbers:
        terminal.say(f"  {program} predict {name} FILE")
    else:
        terminal.say(f'  {program} explain {name} "a text"')
    terminal.say(f"  {program} train FILE --train-from {name} -o {name}")


def _to_json(model: Classifier, n_weights: int, options: MakeOptions) -> json_output.Json:
    return {
        "model": options.output,
        "bytes": storage.size_of(options.output),
        "weights": n_weights,
        "threshold": options.threshold,
        "classes": [json_output.label_to_json(label) for label in model.classes_.tolist()],
        "stop_reason": model.stop_reason_,
    }
