"""The work of ``hardlimit predict``: label rows in batches.

Batches keep memory bounded; where someone waits at the other end of a pipe, a batch is one row.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any

import click

from hardlimit import describing, readers
from hardlimit.classifiers.model.forms import ByForm
from hardlimit.cli import asking, invocation, layouts, models, outputs, terminal
from hardlimit.cli.commands.predict.showing import Shown, ShownAnswers, wanted_of
from hardlimit.cli.json_output import Json, to_json
from hardlimit.cli.options import LayoutSettings, nearest
from hardlimit.cli.progress import Progress, check_machine
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import format_label
from hardlimit.predictions.answered import BATCH_ROWS, AnsweredRows
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.columns import AnswerColumns, format_terms, separator_of
from hardlimit.readers.opening import missing_file_error

if TYPE_CHECKING:
    from hardlimit.cli.commands.predict.command import PredictOptions
    from hardlimit.readers import Row, Table

_UNKNOWN = "known_features: 0"
_ERROR = 2  # with --exit-status


def run(options: PredictOptions) -> None:
    """Predict every row of a file and write the answers where they are wanted."""
    if options.exit_status is None:
        _run(options)
        return
    # As grep: an error is told from the answer that it is another class.
    click.get_current_context().obj.failure = _ERROR
    _run(options)
    raise click.exceptions.Exit(0 if options.exit_status in options.answered else 1)


def _run(options: PredictOptions) -> None:
    asking.refuse(asking.ask_of("predict", options))
    check_machine(options.progress, options.cluster, *options.sources)
    if options.cluster is not None:
        from hardlimit.cli.commands.predict import clustered  # late: numpy

        clustered.run(options)
        return
    outputs.refuse_inputs(options.output, *options.sources, options.model)
    if options.output is not None and len(options.sources) > 1:
        raise click.UsageError(
            "-o writes the rows of one file; of several write the answers, each with the name of "
            "its file: > FILE, or ask for each file by itself"
        )
    # Where the answers go to the terminal they are the progress.
    if options.output in (None, "-") and terminal.is_terminal(sys.stdout):
        _predict(options)
        return
    with Progress(prefix="predicting: "):
        _predict(options)


def _predict(options: PredictOptions) -> None:
    answerer = models.asked(options).answerer()
    _check_exit_status(answerer, options)
    # All files are looked at before the first is read.
    for answer in [answerer.form.do(_Predicting(answerer, one)) for one in _each(options)]:
        answer()


class _Predicting(ByForm[Callable[[], None]]):
    """Looks at a file, and returns what answers its rows."""

    def __init__(self, answerer: Answerer, options: PredictOptions) -> None:
        self._answerer, self._options = answerer, options

    def numbers(self) -> Callable[[], None]:
        """Look at nothing: the reader says what it misses."""
        return lambda: _predict_numbers(self._answerer, self._options)

    def one_text(self) -> Callable[[], None]:
        """Refuse a text in the place of a file."""
        _refuse_text(self._options, self._options.source)
        return lambda: _predict_texts(self._answerer, self._options)


def _check_exit_status(answerer: Answerer, options: PredictOptions) -> None:
    """Refuse a class that no answer can be."""
    known = list(
        map(format_label, answerer.labels.possible(answerer.classes, options.min_probability))
    )
    if options.exit_status is not None and options.exit_status not in known:
        raise click.UsageError(
            f"--exit-status: no class {options.exit_status!r}; the model has "
            f"{', '.join(known[:20])}{nearest(options.exit_status, known)}"
        )


def _each(options: PredictOptions) -> list[PredictOptions]:
    """Return what is asked of each file."""
    several = len(options.sources) > 1
    return [options.only(source) for source in options.sources] if several else [options]


def _refuse_text(options: PredictOptions, source: str) -> None:
    """Say how a text is predicted where one stands in the place of the file."""
    # lexists: a broken link is there, and the error on opening it says more.
    if source == "-" or storage.exists(source):
        return
    error = missing_file_error(source)
    if storage.is_uri(source):
        raise error
    program, model = invocation.program(), invocation.quoted(options.model)
    text = invocation.quoted(source if len(source) <= 60 else "the text")
    explain = f"{program} explain {model} {text}"
    hint = (
        f"a text comes by standard input: echo {text} | {program} predict {model}; to see why: "
        f"{explain}"
        if " " in source
        else f"a text is for {explain}"
    )
    if error.fix and " " not in source:  # one word that is nearly the name of a file
        hint = ""
    where = source if len(source) <= 200 else f"{source[:60]}..."
    raise error.replaced(where=where, fix="; ".join(filter(None, [str(error.fix), hint])))


def _predict_texts(answerer: Answerer, options: PredictOptions) -> None:
    """Predict texts while they are read."""
    source, output = options.source, options.output
    remembered = describing.layout_of(answerer.metadata)
    layout = layouts.layout_for(source, remembered, options.layout, bare=True)
    if answerer.votes and storage.is_file(source):
        with readers.open_rows(source, layout, need_label=False) as table:
            # Read once more to count: a refusal must come before the first answer.
            answerer.check_cost(sum(1 for _ in table))
    # A pipe may come from a person or a program that waits for each answer.
    live = source == "-" and not _is_file(sys.stdin)
    if live and terminal.is_terminal(sys.stdin):
        terminal.remark("type texts, one a line; Ctrl-D ends")
    # Plain lines unless they begin as the training file did, with the names of its columns.
    like = None if options.layout else layouts.layout_for("-", remembered, {})
    with readers.open_rows(source, layout, need_label=False, like=like) as table:
        if source == "-" and layout.format == "lines" != table.layout.format:
            terminal.remark(
                f"standard input begins as the training file did, with {table.layout.text!r}, so "
                f"it is read as {table.layout.format}; --format lines reads each line as a text"
            )
        showing = ShownAnswers(answerer, options)
        answered = AnsweredRows(answerer, showing, table, rows=1 if live else BATCH_ROWS)
        if output is not None:
            _write(output, table, answered, answerer, options)
        else:
            _print_each((shown for _, shown in answered), options, answerer, live=live)
        # Complete only after the last row.
        notes = table.notes()
    for sentence in [*notes, *answered.notes()]:
        terminal.remark(sentence)


def _predict_numbers(answerer: Answerer, options: PredictOptions) -> None:
    """Predict a file of numbers, which is read whole."""
    from hardlimit.cli import numeric_rows, rows_to_answer  # imports readers that texts do without

    data = rows_to_answer.read(answerer, options.source, options.layout, need_label=False)
    shown = ShownAnswers(answerer, options).shown(answerer.answers(data.examples), data.examples)
    if options.output is None:
        _print_each(shown, options, answerer, live=False)
        return
    settings: LayoutSettings = {**describing.layout_of(answerer.metadata), **options.layout}
    with numeric_rows.rows(options.source, data, settings) as table:
        _write(options.output, table, zip(table, shown, strict=True), answerer, options)


def _is_json(options: PredictOptions) -> bool:
    """Tell whether JSON is wanted: said so, or what comes from standard input is JSON."""
    return options.as_json or (options.source == "-" and options.format == "jsonl")


def _is_file(stream: IO[str]) -> bool:
    """Tell a file, which may be read ahead, from a pipe or terminal, which must not."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _print_each(
    answers: Iterable[Shown], options: PredictOptions, answerer: Answerer, *, live: bool
) -> None:
    scores, as_json = options.scores, _is_json(options)
    separator = separator_of(answerer, options.labels_separator)
    file: Json = {"file": options.beside} if options.beside else {}
    before = terminal.escape_controls(options.beside) + "\t" if options.beside else ""
    for shown in answers:
        if as_json:
            line = to_json({**file, **_shown_to_json(shown, scores, answerer)})
        else:
            line = before + _line(shown, scores, separator, answerer)
        sys.stdout.write(line + "\n")
        # Behind a pipe Python buffers 8 kB, and whoever waits for one answer would wait for ever.
        if live:
            sys.stdout.flush()


def _line(shown: Shown, scores: bool, separator: str, answerer: Answerer) -> str:
    answer = shown.answer
    parts = answerer.labels.words(answer, shown.label, separator)
    parts += [f"{p:.4f}" for p in shown.probabilities]
    pairs = [(label, value, shown.top_name) for label, value in shown.top]
    if scores:
        # The best are among all scores, so that these follow without them.
        first = {label for label, _, name in pairs if name == "score"}
        pairs += [(*pair, "score") for pair in answer.scores() if pair[0] not in first]
    name_score = answerer.labels.name_score
    parts += [f"{name_score(label, name)}={value:.4f}" for label, value, name in pairs]
    if answer.known_features == 0:
        parts.append(_UNKNOWN)
    if shown.terms is not None:
        parts.append(terminal.escape_controls(str(format_terms(shown.terms, True))))
    return "\t".join(parts)


def _shown_to_json(shown: Shown, scores: bool, answerer: Answerer) -> Json:
    answer = shown.answer
    found: Json = answerer.labels.to_json(answer, shown.label, shown.probabilities)
    if shown.top:
        found["top"] = [{"label": label, shown.top_name: value} for label, value in shown.top]
    if scores:
        found["scores"] = {format_label(label): score for label, score in answer.scores()}
    if answer.known_features is not None:
        found["known_features"] = answer.known_features
    if shown.terms is not None:
        found["terms"] = format_terms(shown.terms, False)
    return found


def _write(
    output: str,
    table: Table,
    answered: Iterable[tuple[Row, Shown]],
    answerer: Answerer,
    options: PredictOptions,
) -> None:
    """Write the rows back with label and score as further columns."""
    from hardlimit.readers.writing import choose_format  # start-up: few files are written

    wanted = wanted_of(options)
    # several labels, or terms, are one text in a table, and a list in JSON
    in_one_cell = output == "-" or choose_format(output, table) != "jsonl"
    columns = AnswerColumns(
        answerer, ShownAnswers(answerer, options), wanted, in_one_cell=in_one_cell
    )
    names = columns.names
    rows = ((row, columns.values(shown)) for row, shown in answered)
    if not options.spreadsheet:
        _note_formulas(output, answerer)
    if output == "-":
        # Standard output has no extension that could name the format.
        form = "jsonl" if _is_json(options) else None
        target: Any = sys.stdout
    else:
        form, target = None, output
    readers.write_rows(target, table, names, rows, format=form, spreadsheet=options.spreadsheet)


def _note_formulas(output: str, answerer: Answerer) -> None:
    """Note class names that a spreadsheet would take for formulas; they are written as they are."""
    if not output.removesuffix(".gz").lower().endswith((".csv", ".tsv")):
        return
    names = [label for label in answerer.classes if isinstance(label, str)]
    found = [name for name in names if name.startswith(("=", "+", "-", "@")) and name[1:].strip()]
    found = [name for name in found if not _is_number(name)]
    if found:
        terminal.remark(
            f"{output}: a spreadsheet takes {found[0]!r} for a formula: --spreadsheet marks it as "
            "a text, and so does .xlsx"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
