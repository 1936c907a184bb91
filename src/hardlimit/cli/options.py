"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar, dataclass_transform

import click

from hardlimit.cli.command import FileName

F = TypeVar("F", bound=Callable[..., Any])
LayoutSettings = dict[str, Any]  # of a file: format, text, label, ... as far as they are known
# What people type for "without"; an empty value would look like a slip.
NONE = ("none", "off", "no")
# Written out, so that --help need not import the readers; a test compares.
_FORMATS = (
    "csv, tsv, jsonl, lines, fasttext, folder, eml, mbox, maildir, tar, parquet, arrow, xlsx, "
    "weka; of numbers svmlight, numeric-csv, numeric-parquet, numeric-arrow, npy, npz, idx, arff "
    "or vw."
)

COUNT, SHARE = click.IntRange(min=1), click.FloatRange(0, 1)
POSITIVE = click.FloatRange(min=0, min_open=True)


def option(words: str, help: str, *, name: str = "", **asked: Any) -> Callable[[F], F]:
    """Add an option that is written as in a help page: its names, and what stands for its value.

    Without such a word it is a flag.    name : that of its field, if it is not the longest one.
    """
    *names, value = words.split()
    kind: dict[str, Any] = {"metavar": value}
    if value.startswith("-"):
        names, kind = [*names, value], {"is_flag": True}
    return click.option(*names, *filter(None, [name]), help=help, **{**kind, **asked})


as_json = option("--json", "Print JSON, for machines.", name="as_json")


jobs = option("--jobs N", "Cores to use; default: all. No result depends on them.", type=COUNT)


# Of commands on a live model.
def _read_progress(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    kind, colon, path = (value or "").partition(":")
    if value is not None and (kind != "json" or (colon and not path)):
        raise click.UsageError(f"--progress: got {value!r}, wanted json, or json:FILE", ctx)
    return value


progress_option = option(
    "--progress json[:FILE]",
    "With --cluster: for programs, a line of JSON after each shard, on standard error or "
    "added to a file: stage, epoch, shards, rows, mistakes, seconds.",
    callback=_read_progress,
)
correction_rate = option(
    "--correction-rate N/SECONDS",
    "Corrections of one author in a time, as 20/60; default: any number.",
)
influence = option(
    "--influence X",
    "How far one author may move the weights, in all; default: any distance.",
    type=float,
)
private_option = option("--private", "Keep only the features of texts, not the texts.")


def _check_note(_context: click.Context, _option: click.Parameter, note: str | None) -> str | None:
    if note is not None:
        from hardlimit.foundation.names import check_text  # late: few commands have a note

        check_text(note, "note")
    return note


note_option = option(
    "--note TEXT",
    "Keep a note in the model file; 'hardlimit inspect' shows it.",
    callback=_check_note,
)
ledger_option = option("--ledger FILE", "The ledger, a file or postgresql://...")
dry_run = option("--dry-run", "Tell what would happen, and change nothing.")


threshold_option = option(
    "--threshold T",
    "What a score must exceed for the second of two classes, or for each of several labels; "
    "default: the model's own.",
    type=float,
)


def by_option(help: str) -> Callable[[F], F]:
    """Add ``--by``, the author of an entry."""
    return option("--by NAME", help, default="")


def top_option(default: int, help: str) -> Callable[[F], F]:
    """Add ``--top``, how many of many are shown."""
    return option("--top N", help, default=default, show_default=True, type=COUNT)


def margin_option(default: float, help: str) -> Callable[[F], F]:
    """Add ``--margin``."""
    return option("--margin M", help, type=float, default=default, show_default=True)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Options:
    """What a command was asked for: one field an option, checked by type and never changed.

    Reads like a frozen dataclass, and is none: making one writes and compiles code for each class,
    and that would be a tenth of the time that ``--help`` takes.
    """

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} is what was asked for, and stays so")

    # Of commands that share their work out; the others have one core.
    jobs: int | None = 1

    @property
    def written(self) -> tuple[str | None, ...]:
        """The files that the command writes, so that an interruption can say what became of them.

        None and "-" are no file.
        """
        return (getattr(self, "output", None),)


class AskedLive(Options):
    """Whether a model answers with its corrections, and by which threshold."""

    model: str
    live: bool = False
    ledger: str | None = None
    threshold: float | None = None


def live_mode(function: F) -> F:
    """Add the options of :class:`AskedLive`."""
    ledger = option("--ledger FILE", "With --live: the ledger, if not MODEL.ledger.")
    live = option("--live", "Answer with the corrections that were made since.")
    return live(ledger(function))


class Sources(Options):
    """The files that a command reads, as they were typed: names and patterns."""

    words: tuple[str, ...]

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.__dict__["_sources"] = None

    @property
    def sources(self) -> tuple[str, ...]:
        """The files, patterns replaced by what they match."""
        found: tuple[str, ...] | None = self.__dict__["_sources"]
        if found is None:
            found = self.words
            # start-up: one file does without
            if len(found) > 1 or any(sign in word for word in found for sign in "*?["):
                from hardlimit.cli.sources import expand

                found = expand(found)
            self.__dict__["_sources"] = found
        return found

    def reading(self, path: str) -> Self:
        """Return the same options, of which the rows are read from this file."""
        other = type(self)(**self.__dict__)
        other.__dict__["_sources"] = (path,)
        return other

    @property
    def source(self) -> str:
        """The first file."""
        return self.sources[0]


class LayoutOptions(Options):
    """How a file is to be read; None where the command line does not say.

    texts : several columns of texts, of commands that take them; the first is that of the layout.
    """

    text: str | None = None
    texts: tuple[str, ...] = ()
    label: str | None = None
    format: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    quoting: bool | None = None
    encoding: str | None = None
    max_line: int | None = None
    mail: bool | None = None
    mail_settings: tuple[str, ...] = ()
    label_from: str | None = None
    labels_separator: str | None = None
    drop: tuple[str, ...] = ()
    skip_bad: bool | None = None
    fold_labels: bool | None = None

    @property
    def layout(self) -> LayoutSettings:
        """The settings that were given."""
        given = {name: getattr(self, name) for name in LayoutOptions.__annotations__}
        given["text"] = next(iter(given.pop("texts")), self.text)
        given["mail"] = _mail_of(self.mail, given.pop("mail_settings"))
        # Few shells let a tab be typed; '\t' in quotes arrives as two characters.
        for name in ("delimiter", "labels_separator"):
            if given[name] in ("tab", "\\t"):
                given[name] = "\t"
        return {name: value for name, value in given.items() if value not in (None, ())}


_TEXT = option("--text COLUMN", "Column of the text: name, or number from 0.")
_TEXTS = option(
    "--text COLUMN",
    "Column of the text: name, or number from 0. Given again, each is a block of features of "
    "its own.",
    name="texts",
    multiple=True,
)


_MAIL = click.option(
    "--mail/--no-mail", default=None, help="Whether documents are raw mail; default: as they look."
)
_MAIL_SET = option(
    "--mail-set KEY=VALUE",
    "How mail is read: parts=subject+body+links, headers=x-mailer, keep-labels=yes, "
    "max-text=BYTES, ...; may be given again.",
    name="mail_settings",
    multiple=True,
)
_LABEL_FROM = option(
    "--label-from WHERE",
    "Label of a document: folder (default), name:REGEX of its path, header:NAME of a mail, or "
    "index:FILE with lines 'label path'.",
)


_FOLD_LABELS = option(
    "--fold-labels",
    "Labels that differ only in case, blanks or Unicode form are one, called by its most "
    "frequent spelling.",
    default=None,
)
_LABELS_SEPARATOR = option(
    "--labels-separator TEXT",
    "Each text has several labels, or none: this stands between them in their column, such as "
    "','. Lists of JSON and Parquet are taken as they are.",
)


def _mail_of(mail: bool | None, settings: tuple[str, ...]) -> Any:
    """Return what a layout says of mail; None where nothing was asked for."""
    if not settings:
        return mail
    if mail is False:
        raise click.UsageError("--mail-set does not go with --no-mail")
    from hardlimit.cli.mail_settings import parse_mail_settings  # late: --help needs no reader

    return parse_mail_settings(settings)


def layout_options(
    label: bool = True, several: bool = False, each: str = "a neuron", sets: bool = True
) -> Callable[[F], F]:
    """Add the options of :class:`LayoutOptions`; ``several`` columns of texts as ``texts``.

    each : what there is for each of several columns of labels.
    sets : whether a text may have several labels.
    """
    options = [
        _TEXTS if several else _TEXT,
        option(
            "--label COLUMN",
            f"Column of the label; of numbers several too, A,B,C: {each} for each.",
        )
        if label
        else None,
        drop_option,
        option("--format NAME", _FORMATS),
        header_option,
        delimiter_option,
        click.option(
            "--quoting/--no-quoting", default=None, help="Fields may be in double quotes."
        ),
        option("--encoding NAME", "Encoding if not UTF-8: cp1252, ..."),
        max_line_option,
        skip_bad_option,
        _MAIL,
        _MAIL_SET,
        _LABEL_FROM if label else None,
        _FOLD_LABELS if label else None,
        _LABELS_SEPARATOR if sets else None,
    ]

    def decorate(function: F) -> F:
        for add in reversed(options):
            if add is not None:
                function = add(function)
        return function

    return decorate


drop_option = option(
    "--drop COLUMN",
    "Column of a table of numbers to leave out, such as an id; may be given again.",
    multiple=True,
)
header_option = click.option(
    "--header/--no-header", default=None, help="The first row holds the names."
)
delimiter_option = option("--delimiter CHAR", "Character between the fields; 'tab' for a tab.")
max_line_option = option("--max-line BYTES", "Longest line; default 67108864.", type=COUNT)
skip_bad_option = option(
    "--skip-bad",
    "Leave out rows that break the format; their number and the first ten reasons are told.",
    default=None,
)


_POINTS = (
    option("--label COLUMN", "Column of the label: name, or number from 0; default: last."),
    drop_option,
    header_option,
    delimiter_option,
    max_line_option,
    option(
        "--bias-feature --bias VALUE",
        "Constant column of every row: with -1 (default) its weight w0 is the threshold, with "
        "1 the bias; none: through the origin.",
        default="-1",
    ),
)


def points_options(function: F) -> F:
    """Add the options of commands on a few points of two classes, which the textbook computes."""
    for add in reversed(_POINTS):
        function = add(function)
    return function


class NewFile(FileName):
    """The name of a file to write; the error for a missing one has an example."""

    name = "file"

    def __init__(self, example: str) -> None:
        self.example = example

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Say what is wanted."""
        return f"It names the file to write: {param.opts[0]} {self.example}"


def output_option(example: str, help: str, metavar: str = "MODEL") -> Callable[[F], F]:
    """Add ``-o``, the file that a command has to write."""
    return click.option(
        "-o", "--output", required=True, type=NewFile(example), metavar=metavar, help=help
    )


class Name(click.Choice):  # type: ignore[type-arg]
    """One of some names; the error for another has the nearest."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """Say what there is, and what may have been meant."""
        said = super().get_invalid_choice_message(value, ctx).rstrip(".")
        return said + nearest(str(value), self.choices)


def nearest(given: str, names: Iterable[str]) -> str:
    """Return the end of a sentence on an unknown name: which one may have been meant.

    >>> nearest("cylic", ["cyclic", "batch"]), nearest("x", ["cyclic", "batch"])
    ("; did you mean 'cyclic'?", '')
    """
    from hardlimit.foundation.suggesting import suggest  # for errors only

    meant = suggest(given, names)
    return f"; {meant}" if meant else ""
