"""``hardlimit train --label a,b,c``: a layer of neurons, one for each column of labels."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardlimit import describing
from hardlimit.classifiers.model.ask import Ask
from hardlimit.cli import choices, invocation, json_output, several_labels, terminal
from hardlimit.cli.commands.train import continued, provenance
from hardlimit.cli.commands.train.classifier import build_classifier, start_of
from hardlimit.cli.digests import TrainingFiles
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import InputError
from hardlimit.foundation import storage

if TYPE_CHECKING:
    from hardlimit.cli.commands.train.command import TrainOptions


def train(options: TrainOptions, ask: Ask) -> None:
    """Train a neuron for each label, or an earlier layer further; save it, say how each ended."""
    began = time.perf_counter()
    files = TrainingFiles(options.sources)
    if options.train_from:
        made, data, held_out = _continue(options, files)
    else:
        made, data, held_out = _begin(options, files, ask)
    measured = None
    if held_out is not None:
        measured = several_labels.measure(made, held_out[0].examples, held_out[1])
        made.metadata[describing.HELD_OUT] = {
            "rows": measured.n,
            "accuracy": measured.exact_match,
        }
    provenance.remember(made.metadata, files.take_digest(), options.note)
    made.save(options.output, training_state=not options.slim)
    seconds = time.perf_counter() - began
    if options.as_json:
        found = _to_json(made, data, options, seconds)
        found["held_out"] = None if measured is None else several_labels.to_json(measured)
        json_output.print_json(found)
    else:
        _show(made, data, options, seconds)
        if measured is not None:
            terminal.heading("Measured on held-out rows")
            several_labels.show(made, measured)
        _show_next(options.output)


def _begin(options: TrainOptions, files: TrainingFiles, ask: Ask) -> tuple[Any, Any, Any]:
    """Fit a layer anew."""
    made: Any
    if options.cluster:
        from hardlimit.cli.commands.train import several_clustered  # start-up: few are

        made, rows, held_out = several_clustered.begin(options, ask)
        _remember(made, rows.remembered or {}, several_labels.split_names(options.label))
        return made, rows, held_out
    names = several_labels.split_names(options.label)
    made = build_classifier(options, ask)
    start = start_of(options, is_numeric=True)
    with Progress(made.max_iter) as progress:
        progress.stage("reading")
        data, targets = several_labels.read(options.sources, options.layout, names)
        files.take_digest()
        held_out = None
        if options.holdout is not None:
            (data, targets), held_out = several_labels.split((data, targets), options.holdout)
        progress.stage(f"learning from {terminal.plural(len(data), 'row')}")
        try:
            made.fit(data.examples, targets, callback=progress, **start)
        except InputError as error:
            raise error.replaced(where=error.where or data.name) from None
    _remember(made, data.to_remember() or {}, names)
    return made, data, held_out


def _remember(made: Any, remembered: dict[str, Any], names: list[str]) -> None:
    """Store with the model how its file was read."""
    # The labels of a new file are left out by their names, where they are there.
    made.metadata[describing.LAYOUT] = {**remembered, "drop": [*remembered["drop"], names[-1]]}
    made.metadata[several_labels.NAMES] = names
    if remembered.get("columns"):
        made.fitted.feature_names = tuple(remembered["columns"])


def _continue(options: TrainOptions, files: TrainingFiles) -> tuple[Any, Any, Any]:
    """Show new rows to an earlier layer, once unless asked."""
    assert options.train_from is not None
    epochs = options.epochs or 1
    with Progress(epochs) as progress:
        progress.stage(f"loading {options.train_from}")
        made: Any = several_labels.load(options.train_from)
        continued.check_readout(made, options.readout)
        if options.readout is not None:
            made = made.with_readout(choices.readout_name(options.readout))
        progress.stage("reading")
        data, targets = several_labels.read_for(
            made, options.sources, options.layout, options.label
        )
        files.take_digest()
        held_out = None
        if options.holdout is not None:
            (data, targets), held_out = several_labels.split((data, targets), options.holdout)
        for epoch in range(epochs):
            progress.stage(f"epoch {epoch + 1} of {epochs}")
            try:
                made.partial_fit(data.examples, targets)
            except InputError as error:
                raise error.replaced(where=error.where or data.name) from None
    made.metadata.pop(describing.HELD_OUT, None)  # of the earlier training
    return made, data, held_out


def _to_json(
    made: Any, data: Mapping[str, object], options: TrainOptions, seconds: float
) -> json_output.Json:
    return {
        "model": options.output,
        "bytes": storage.size_of(options.output),
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
        ("file", terminal.format_bytes(storage.size_of(output))),
    ]
    terminal.facts(facts)


def _show_next(output: str) -> None:
    terminal.heading("Next")
    program, model = invocation.program(), invocation.quoted(output)
    terminal.say(f"  {program} evaluate {model} OTHER-LABELLED-FILE")
    terminal.say(f"  {program} predict {model} OTHER-FILE")
