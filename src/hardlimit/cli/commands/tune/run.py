"""The work of ``hardlimit tune``: read, search, save, and show the table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import hardlimit  # whose pictures are imported where they are asked for
from hardlimit.cli import (
    asking,
    invocation,
    json_output,
    labelled_rows,
    new_rows,
    numeric_rows,
    outputs,
    plots,
    terminal,
)
from hardlimit.cli.commands.train import provenance
from hardlimit.cli.commands.tune import trying
from hardlimit.cli.digests import TrainingFiles
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import InputError
from hardlimit.foundation import storage

if TYPE_CHECKING:
    from hardlimit.classifiers.tuning import Tuning
    from hardlimit.cli.commands.tune.command import TuneOptions
    from hardlimit.cli.labelled_rows import Labelled


def run(options: TuneOptions) -> None:
    """Search as the options say, save the best model, and print the table."""
    # A search may take an hour; that the model cannot be saved is found out first.
    outputs.check_writable(options.output)
    outputs.refuse_inputs(options.output, *options.sources)
    plots.check(options.plot, options.output, *options.sources)
    read = TrainingFiles(options.sources)
    files = new_rows.look(options, options.layout)
    asking.refuse(asking.ask_of("tune", options, files.features, files.targets))
    candidates = trying.parse_tried(options)
    base = files.classifier(**files.of_columns())
    began = time.perf_counter()
    with Progress() as progress:
        progress.stage("reading")
        data = files.read(base)
        digest = read.take_digest()
        labelled_rows.note_rare(data)
        found = _tune(base, data, candidates, options)
        provenance.remember(found.classifier, data, digest, options.note)
        found.classifier.save(options.output)
        if options.plot:
            progress.stage(f"drawing {options.plot}")
            hardlimit.pictures.candidates(found, names=_names(found)).save(options.plot)
    if options.as_json:
        json_output.print_json(_to_json(found, options))
    else:
        _show(found, data, options, time.perf_counter() - began)


def _tune(
    base: Any, data: Labelled, candidates: list[dict[str, Any]] | None, options: TuneOptions
) -> Tuning:
    try:
        found: Tuning = base.tune(
            data.examples,
            data.targets,
            grid=candidates,
            folds=options.folds,
            scoring=options.scoring,
            nested=options.nested,
        )
    except InputError as error:
        raise numeric_rows.locate(error, data) from None
    return found


def _names(found: Tuning) -> list[str]:
    return [trying.spell(trial.parameters) for trial in found.trials]


def _show(found: Tuning, data: Labelled, options: TuneOptions, seconds: float) -> None:
    rows = terminal.plural(len(data), "row")
    terminal.say(
        f"{terminal.paint(options.output, 'bold')}: the best of "
        f"{terminal.plural(len(found.trials), 'candidate')} on {rows}, in {seconds:.1f} s"
    )
    terminal.say()
    body = [
        [f"{trial.mean:.4f}", f"{trial.standard_error:.4f}", f"{trial.n_rows:,}", name]
        for trial, name in zip(found.trials, trying.distinguish(_names(found)), strict=True)
    ]
    for line in terminal.table([_figure(found, data), "+-", "rows", "candidate"], body):
        terminal.say(line)
    terminal.say()
    terminal.facts(_facts(found, data, options))
    terminal.heading("Next")
    program, name = invocation.program(), invocation.quoted(options.output)
    terminal.say(f"  {program} inspect {name}")
    terminal.say(f"  {program} evaluate {name} FILE")


def _figure(found: Tuning, data: Labelled) -> str:
    """Return the name of the figure that was maximized, as evaluate says it."""
    return data.kind.name_of_scoring(found.scoring)


def _facts(found: Tuning, data: Labelled, options: TuneOptions) -> list[tuple[str, str]]:
    best = found.best
    folds = terminal.plural(len(best.scores), "fold")
    measured = f"{best.mean:.4f} +- {best.standard_error:.4f}, mean and standard error of {folds}"
    facts = [("best", trying.spell(best.parameters)), (_figure(found, data), measured)]
    if found.nested_mean is None:
        facts.append(
            ("on new rows", "somewhat less: the best of many is the luckiest; see --nested")
        )
    else:
        searches = terminal.plural(len(found.nested), "search", "searches")
        said = f"{found.nested_mean:.4f}, by {searches} that had not seen them"
        facts.append(("on new rows", said))
    facts.append(("rows", f"{len(data):,} {data.kind.describe(data.counts)}"))
    facts.append(("file", terminal.format_bytes(storage.size_of(options.output))))
    return facts


def _to_json(found: Tuning, options: TuneOptions) -> json_output.Json:
    plain = found.to_json()
    for trial, name in zip(plain["trials"], _names(found), strict=True):
        trial["name"] = name
    return {
        "model": options.output,
        "bytes": storage.size_of(options.output),
        "best": plain["trials"][0]["name"],
        "nested_mean": found.nested_mean,
        **plain,
    }
