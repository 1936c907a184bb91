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

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")


jobs = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Cores to use; default: all. No result depends on them.",
)


# Of commands on a live model.
def _read_progress(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    kind, colon, path = (value or "").partition(":")
    if value is not None and (kind != "json" or (colon and not path)):
        raise click.UsageError(f"--progress: got {value!r}, wanted json, or json:FILE", ctx)
    return value


progress_option = click.option(
    "--progress",
    metavar="json[:FILE]",
    callback=_read_progress,
    help="With --cluster: for programs, a line of JSON after each shard, on standard error or "
    "added to a file: stage, epoch, shards, rows, mistakes, seconds.",
)
correction_rate = click.option(
    "--correction-rate",
    metavar="N/SECONDS",
    help="Corrections of one author in a time, as 20/60; default: any number.",
)
influence = click.option(
    "--influence",
    type=float,
    metavar="X",
    help="How far one author may move the weights, in all; default: any distance.",
)
private_option = click.option(
    "--private", is_flag=True, help="Keep only the features of texts, not the texts."
)


def _check_note(_context: click.Context, _option: click.Parameter, note: str | None) -> str | None:
    if note is not None:
        from hardlimit.foundation.names import check_text  # late: few commands have a note

        check_text(note, "note")
    return note


note_option = click.option(
    "--note",
    metavar="TEXT",
    callback=_check_note,
    help="Keep a note in the model file; 'hardlimit inspect' shows it.",
)
ledger_option = click.option(
    "--ledger", metavar="FILE", help="The ledger, a file or postgresql://..."
)
dry_run = click.option(
    "--dry-run", is_flag=True, help="Tell what would happen, and change nothing."
)


threshold_option = click.option(
    "--threshold",
    type=float,
    metavar="T",
    help="What a score must exceed for the second of two classes, or for each of several labels; "
    "default: the model's own.",
)


def by_option(help: str) -> Callable[[F], F]:
    """Add ``--by``, the author of an entry."""
    return click.option("--by", default="", metavar="NAME", help=help)


def top_option(default: int, help: str) -> Callable[[F], F]:
    """Add ``--top``, how many of many are shown."""
    return click.option(
        "--top",
        default=default,
        show_default=True,
        type=click.IntRange(min=1),
        metavar="N",
        help=help,
    )


def margin_option(default: float, help: str) -> Callable[[F], F]:
    """Add ``--margin``."""
    return click.option(
        "--margin", type=float, default=default, show_default=True, metavar="M", help=help
    )


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
    ledger = click.option(
        "--ledger", metavar="FILE", help="With --live: the ledger, if not MODEL.ledger."
    )
    live = click.option(
        "--live", is_flag=True, help="Answer with the corrections that were made since."
    )
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
    """How a file is to be read; None where the command line does not say."""

    text: str | None = None
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
        given["mail"] = _mail_of(self.mail, given.pop("mail_settings"))
        # Few shells let a tab be typed; '\t' in quotes arrives as two characters.
        for name in ("delimiter", "labels_separator"):
            if given[name] in ("tab", "\\t"):
                given[name] = "\t"
        return {name: value for name, value in given.items() if value not in (None, ())}


_TEXT = click.option("--text", metavar="COLUMN", help="Column of the text: name, or number from 0.")
_TEXTS = click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="COLUMN",
    help="Column of the text: name, or number from 0. Given again, each is a block of features of "
    "its own.",
)


_MAIL = click.option(
    "--mail/--no-mail",
    default=None,
    help="Whether documents are raw mail; default: as they look.",
)
_MAIL_SET = click.option(
    "--mail-set",
    "mail_settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="How mail is read: parts=subject+body+links, headers=x-mailer, keep-labels=yes, "
    "max-text=BYTES, ...; may be given again.",
)
_LABEL_FROM = click.option(
    "--label-from",
    metavar="WHERE",
    help="Label of a document: folder (default), name:REGEX of its path, header:NAME of a mail, or "
    "index:FILE with lines 'label path'.",
)


_FOLD_LABELS = click.option(
    "--fold-labels",
    is_flag=True,
    default=None,
    help="Labels that differ only in case, blanks or Unicode form are one, called by its most "
    "frequent spelling.",
)
_LABELS_SEPARATOR = click.option(
    "--labels-separator",
    metavar="TEXT",
    help="Each text has several labels, or none: this stands between them in their column, such as "
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
        click.option(
            "--label",
            metavar="COLUMN",
            help=f"Column of the label; of numbers several too, A,B,C: {each} for each.",
        )
        if label
        else None,
        drop_option,
        click.option("--format", metavar="NAME", help=_FORMATS),
        header_option,
        delimiter_option,
        click.option(
            "--quoting/--no-quoting",
            default=None,
            help="Fields may be in double quotes.",
        ),
        click.option("--encoding", metavar="NAME", help="Encoding if not UTF-8: cp1252, ..."),
        max_line_option,
        skip_bad_option,
        _MAIL,
        _MAIL_SET,
        _LABEL_FROM if label else None,
        _FOLD_LABELS if label else None,
        _LABELS_SEPARATOR if sets else None,
    ]

    def decorate(function: F) -> F:
        for option in reversed(options):
            if option is not None:
                function = option(function)
        return function

    return decorate


drop_option = click.option(
    "--drop",
    multiple=True,
    metavar="COLUMN",
    help="Column of a table of numbers to leave out, such as an id; may be given again.",
)
header_option = click.option(
    "--header/--no-header",
    default=None,
    help="The first row holds the names.",
)
delimiter_option = click.option(
    "--delimiter", metavar="CHAR", help="Character between the fields; 'tab' for a tab."
)
max_line_option = click.option(
    "--max-line",
    type=click.IntRange(min=1),
    metavar="BYTES",
    help="Longest line; default 67108864.",
)
skip_bad_option = click.option(
    "--skip-bad",
    is_flag=True,
    default=None,
    help="Leave out rows that break the format; their number and the first ten reasons are told.",
)


_POINTS = (
    click.option(
        "--label",
        metavar="COLUMN",
        help="Column of the label: name, or number from 0; default: last.",
    ),
    drop_option,
    header_option,
    delimiter_option,
    max_line_option,
    click.option(
        "--bias-feature",
        "--bias",
        metavar="VALUE",
        default="-1",
        help="Constant column of every row: with -1 (default) its weight w0 is the threshold, with "
        "1 the bias; none: through the origin.",
    ),
)


def points_options(function: F) -> F:
    """Add the options of commands on a few points of two classes, which the textbook computes."""
    for option in reversed(_POINTS):
        function = option(function)
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
