"""``hardlimit train --label a,b,c``: a layer of neurons, one for each column of labels."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing
from hardlimit.cli import invocation, json_output, several_labels, terminal
from hardlimit.cli.commands.train.classifier import build_classifier
from hardlimit.cli.options import given_names
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions

# What is about one label a row.
_SINGLE = (
    "kernel", "holdout", "max_false_positive", "positive", "class_weight", "train_from", "keep",
    "start", "multiclass",
)  # fmt: skip


def train(options: TrainOptions, names: list[str]) -> None:
    """Train a neuron for each label, save the layer, and say how each ended."""
    for option in given_names(options, _SINGLE):
        raise click.UsageError(f"{option} does not go with several labels")
    made: Any = build_classifier(options, is_numeric=True)
    began = time.perf_counter()
    with Progress(made.max_iter) as progress:
        progress.stage("reading")
        data, targets = several_labels.read(options.sources, options.layout, names)
        progress.stage(f"learning from {terminal.plural(len(data), 'row')}")
        try:
            made.fit(data.examples, targets, callback=progress)
        except InputError as error:
            raise error.replaced(where=error.where or data.name) from None
    remembered = data.to_remember() or {}
    # The labels of a new file are left out by their names, where they are there.
    made.metadata[describing.LAYOUT] = {**remembered, "drop": [*remembered["drop"], names[-1]]}
    made.metadata[several_labels.NAMES] = names
    if remembered.get("columns"):
        made.fitted.feature_names = tuple(remembered["columns"])
    made.save(options.output, training_state=not options.slim)
    seconds = time.perf_counter() - began
    if options.as_json:
        json_output.print_json(_to_json(made, data, options, seconds))
    else:
        _show(made, data, options, seconds)


def _to_json(made: Any, data: Any, options: TrainOptions, seconds: float) -> json_output.Json:
    return {
        "model": options.output,
        "bytes": os.path.getsize(options.output),
        "rows": len(data),
        "labels": made.classes_.tolist(),
        "features": describing.features(made),
        "epochs": made.n_iter_,
        "corrections": made.n_corrections_,
        "training_errors": made.n_training_errors_,
        "stop_reason": made.stop_reason_,
        "seconds": round(seconds, 3),
    }


def _show(made: Any, data: Any, options: TrainOptions, seconds: float) -> None:
    output, rows, wrong = options.output, len(data), made.n_training_errors_
    terminal.say(f"{terminal.paint(output, 'bold')}: trained on {data.name}")
    terminal.say()
    names = ", ".join(map(str, made.classes_.tolist()))
    facts = [
        ("rows", f"{rows:,} with {terminal.plural(len(made.classes_), 'label')}: {names}"),
        ("features", describing.features(made)),
        ("learning", f"{describing.learning(made)}; a neuron for each label"),
        *describing.choices(made),
        ("stopped", describing.stop_reason(made)),
    ]
    if wrong is not None:
        of = terminal.plural(rows, "training row")
        said = f"{wrong:,} of {of} with a label predicted wrongly"
        facts.append(("errors", said))
    facts += [
        ("time", f"{seconds:.2f} s"),
        ("file", terminal.format_bytes(os.path.getsize(output))),
    ]
    terminal.facts(facts)
    terminal.heading("Next")
    program, model = invocation.program(), invocation.quoted(output)
    terminal.say(f"  {program} evaluate {model} OTHER-LABELLED-FILE")
    terminal.say(f"  {program} predict {model} OTHER-FILE")
