"""Labelled rows in memory, and notes on them for people."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hardlimit import readers
from hardlimit.cli import terminal
from hardlimit.cli.label_kinds import OneLabelRows, kind_of_file
from hardlimit.examples.texts import Texts
from hardlimit.exceptions import Cell, InputError, mask
from hardlimit.foundation import memory
from hardlimit.readers import Layout
from hardlimit.sources.files import FileRows, Told
from hardlimit.sources.numbers import NAMED

if TYPE_CHECKING:
    from hardlimit.examples._protocol import Examples


@dataclass
class RowsOfFiles:
    """What is known of rows of files, be they in memory or on their way.

    layout, remembered : how they are read, of words and of numbers, for later files of the same
    kind.    label_columns : where there are several.    digests : of files, as they were read.
    """

    name: str
    layout: Layout | None = field(default=None, kw_only=True)
    remembered: dict[str, Any] | None = field(default=None, kw_only=True)
    label_columns: tuple[str, ...] = field(default=(), kw_only=True)
    digests: dict[str, tuple[str, int]] = field(default_factory=dict, kw_only=True)

    @property
    def kind(self) -> OneLabelRows:
        """How many labels a row has: one, or several in a tuple."""
        return kind_of_file(self.layout, self.label_columns)

    def place(self, cell: Cell) -> str:
        """Return where a cell of the rows stands in its file; empty where nobody knows."""
        return ""

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the files were read, for the model."""
        return self.remembered if self.layout is None else self.layout.to_json()


@dataclass
class CountedRows(RowsOfFiles):
    """What is known of rows that went by: their number, and that of each label."""

    counts: Counter[Any] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    n: int = 0
    labels: Sequence[Any] = ()  # which nobody has kept

    def __len__(self) -> int:
        return self.n

    def count(self, labels: Sequence[Any]) -> None:
        """Count the labels of some rows."""
        self.n += len(labels)
        self.counts.update(self.kind.listed(labels))

    def take(self, told: Told) -> None:
        """Take what the files have told so far."""
        self.layout, self.remembered = told.layout, told.remembered
        self.label_columns, self.notes = told.label_columns, [*told.notes]

    def labelled(
        self, examples: Examples, labels: list[Any], weights: Sequence[float] = ()
    ) -> Labelled:
        """Return some of the rows, which were kept."""
        columns = self.label_columns
        return Labelled(
            self.name, examples, labels, layout=self.layout, label_columns=columns, weights=weights
        )


@dataclass
class Labelled(RowsOfFiles):
    """Examples and labels in the order of the file."""

    examples: Any = field(default_factory=Texts)
    labels: list[Any] = field(default_factory=list)
    columns: Sequence[str | int] = ()  # of numbers: the names of the columns
    lines: Sequence[int] = ()  # of numbers: where each row stands in its file
    weights: Sequence[float] = ()  # of numbers: the importance of each row, where they differ
    files: Sequence[str] = ()  # of several files of numbers: the file of each row
    header: bool = False  # of numbers: whether the names of the columns stand in the file

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def targets(self) -> Any:
        """The labels as a classifier takes them."""
        return self.kind.learnable(self.labels)

    @property
    def counts(self) -> Counter[Any]:
        """How often each label occurs, the most frequent first."""
        each = self.kind.listed(self.labels)
        # A Counter iterates in the order of insertion: so all lists of classes begin alike.
        return Counter(dict(Counter(each).most_common()))

    def place(self, cell: Cell) -> str:
        """Return the file, the line and the column of a cell of numbers."""
        if not self.lines:
            return ""
        file = self.files[cell.row] if self.files else self.name
        return f"{file}:{self.lines[cell.row]}: column {self.columns[cell.column]!r}"

    def weighed(self) -> dict[str, Any]:
        """Return the weights of the rows as a classifier takes them, if there are some."""
        return {"sample_weight": self.weights} if self.weights else {}

    def take(self, rows: list[int]) -> Labelled:
        """Return some of the rows."""

        def some(values: Sequence[Any]) -> Sequence[Any]:
            return [values[row] for row in rows] if len(values) else ()

        return replace(
            self,
            examples=self.examples.take(rows),
            labels=[self.labels[row] for row in rows],
            lines=some(self.lines),
            weights=some(self.weights),
            files=some(self.files),
        )


def unify_labels(data: Labelled, folds: bool, known: Iterable[Any]) -> list[str]:
    """Fold the labels of all rows, if that is asked for; return notes on their spellings."""
    if not folds:
        return note_variants(data.kind.spellings(data.counts))
    spellings, counts = readers.Spellings(known), data.counts
    spellings.take(counts)
    data.labels = spellings.names(data.labels)
    return spellings.notes(counts)


def note_variants(each: Iterable[Mapping[Any, int]]) -> list[str]:
    """Return notes on labels that differ only in their spelling, with the remedy."""
    found = (one for counts in each for one in readers.label_variants(counts))
    return [f"{one}; --fold-labels makes them one" for one in found]


def note_rare(data: Labelled | CountedRows) -> None:
    """Note that there are nearly as many classes as rows, before they are learnt for long."""
    n, classes = len(data), len(data.counts)
    if not data.kind.is_sparse(classes, n):
        return
    single = sum(count == 1 for count in data.counts.values())
    label = None if data.layout is None else data.layout.label
    column = "these labels" if label is None else f"column {label!r}"
    terminal.remark(
        f"{data.name}: {terminal.plural(classes, 'class', 'classes')} in "
        f"{terminal.plural(n, 'row')}, {single:,} of them with one row, from which nothing general "
        f"can be learnt; is {column} what is to be predicted? --label names another column"
    )


# What messages call standard input, and the name of a copy of it.
STANDARD_INPUT = "standard input"


def name_sources(paths: str | Sequence[str]) -> str:
    """Return what messages call the files that rows come from.

    >>> name_sources("a.csv"), name_sources(["a.csv", "b.csv", "c.csv"])
    ('a.csv', 'a.csv and 2 more files')
    """
    first = paths if isinstance(paths, str) else paths[0]
    # A copy of standard input has that name, in a folder that nobody knows.
    is_input = first == "-" or os.path.basename(first) == STANDARD_INPUT
    name = STANDARD_INPUT if is_input else mask(first)
    more = 0 if isinstance(paths, str) else len(paths) - 1
    return f"{name} and {terminal.plural(more, 'more file')}" if more else name


def gathered_rows(paths: str | Sequence[str]) -> memory.Gathered:
    """Return what counts the bytes of rows that are held in memory."""
    from hardlimit.cli import digests  # start-up: one answer does without

    return memory.Gathered(
        f"{name_sources(paths)}: the rows",
        "train with --stream, or evaluate with --cluster threads:1, which hold few rows; or give "
        "fewer of them",
        lambda: digests.size_of_all([paths] if isinstance(paths, str) else paths),
    )


def read(source: FileRows, known: Iterable[Any] = ()) -> Labelled:
    """Read all rows of a source; notes on what looks odd go to stderr.

    known : names of labels, where they are folded.
    """
    name = name_sources(source.paths)
    found, told = source.whole(gathered_rows(source.paths).add), source.told
    data = Labelled(
        name,
        found.examples,
        found.labels,
        layout=told.layout,
        remembered=told.remembered,
        header=told.header,
        columns=told.columns,
        lines=told.lines,
        weights=[weight for own in found.weights for weight in own.tolist()],
        files=told.files,
        label_columns=told.label_columns,
    )
    sentences = told.notes
    if told.has_words:
        sentences += unify_labels(data, source.folds, known)
    # Said and not removed: a text that comes often may be meant to count often.
    twins = data.examples.count_repeats()
    if twins:
        repeat = terminal.plural(twins, "text repeats", "texts repeat")
        sentences.append(f"{data.name}: {repeat} an earlier one; kept")
    for sentence in sentences:
        terminal.remark(sentence)
    _check_names(told, name)
    return data


def _check_names(told: Told, name: str) -> None:
    """Refuse names that the model file has no place for, before anything is learnt."""
    if (told.remembered or {}).get("format") != NAMED:
        return
    from hardlimit.classifiers.files.header import MOST_NAMED  # start-up: few files have names

    size = sum(map(len, map(str, told.columns))) + 4 * len(told.columns)
    if size > MOST_NAMED:
        raise InputError(
            f"the names of {terminal.plural(len(told.columns), 'feature')} take "
            f"{terminal.plural(size, 'byte')}, and a model file has place for {MOST_NAMED:,}",
            where=name,
            fix="leave out rare features, or write the rows as svmlight",
        )
