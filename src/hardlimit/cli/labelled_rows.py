"""Labelled rows in memory, and notes on them for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardlimit import readers
from hardlimit.cli import terminal
from hardlimit.exceptions import ColumnError, mask
from hardlimit.foundation.tables import list_names
from hardlimit.readers import Layout
from hardlimit.readers.registry import DOCUMENTS

if TYPE_CHECKING:
    from hardlimit.readers import Row, Table


@dataclass
class Labelled:
    """Examples and labels in the order of the file."""

    name: str
    examples: Any = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    layout: Layout | None = None
    columns: Sequence[str | int] = ()  # of numbers: the names of the columns
    lines: Sequence[int] = ()  # of numbers: where each row stands in its file
    weights: Sequence[float] = ()  # of numbers: the importance of each row, where they differ
    files: Sequence[str] = ()  # of several files of numbers: the file of each row

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def several(self) -> bool:
        """Whether a row has several labels, in a tuple."""
        return self.layout is not None and self.layout.labels_separator is not None

    @property
    def counts(self) -> Counter[Any]:
        """How often each label occurs, the most frequent first."""
        each = (x for labels in self.labels for x in labels or ()) if self.several else self.labels
        # A Counter iterates in the order of insertion: so all lists of classes begin alike.
        return Counter(dict(Counter(each).most_common()))

    def keys(self) -> Sequence[str | bytes]:
        """Return a key of each example: equal where the examples are."""
        if self.examples and isinstance(self.examples[0], tuple):
            return ["\x1f".join(map(str, example)) for example in self.examples]
        texts: list[str | bytes] = self.examples
        return texts

    def take(self, rows: list[int]) -> Labelled:
        """Return some of the rows."""
        examples, labels = [self.examples[i] for i in rows], [self.labels[i] for i in rows]
        return Labelled(self.name, examples, labels, self.layout)

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the file was read, for the model."""
        return None if self.layout is None else self.layout.to_json()


def example_of(table: Table, columns: Sequence[str]) -> Callable[[Row], Any]:
    """Return what makes an example of a row: its text, or a tuple of the texts in these columns."""
    if not columns:
        return lambda row: row.text
    named = list(table.columns)
    places = [named.index(c) if c in named else int(c) if c.isdecimal() else -1 for c in columns]
    if table.layout.format in ("lines", *DOCUMENTS) or table.layout.format is None and not named:
        places = [-1] * len(columns)

    def of_row(row: Row) -> tuple[str, ...]:
        fields = row.fields
        if isinstance(fields, dict):
            missing = [name for name in columns if not isinstance(fields.get(name), str)]
            found = () if missing else tuple(fields[name] for name in columns)
        else:
            pairs = zip(columns, places, strict=True)
            missing = [name for name, place in pairs if not 0 <= place < len(fields)]
            found = () if missing else tuple(fields[place] for place in places)
        if missing:
            where = "column" if len(missing) == 1 else "columns"
            raise ColumnError(
                f"no text in the {where} {list_names(missing)}, and the model wants texts in "
                f"{list_names(columns)}",
                where=f"{table.source.name}:{row.line}",
                fix="give a file with these columns, such as CSV with a header",
            )
        return found

    return of_row


def name_sources(paths: str | Sequence[str]) -> str:
    """Return what messages call the files that rows come from.

    >>> name_sources("a.csv"), name_sources(["a.csv", "b.csv", "c.csv"])
    ('a.csv', 'a.csv and 2 more files')
    """
    first = paths if isinstance(paths, str) else paths[0]
    name = "standard input" if first == "-" else mask(first)
    more = 0 if isinstance(paths, str) else len(paths) - 1
    return f"{name} and {terminal.plural(more, 'more file')}" if more else name


def read_labelled(
    path: str | Sequence[str],
    layout: Layout,
    *,
    need_label: bool = True,
    columns: Sequence[str] = (),
) -> Labelled:
    """Read labelled texts from one file or several; notes on what looks odd go to stderr.

    columns : of several texts a row, which are tuples then.
    """
    with readers.open_rows(path, layout, need_label=need_label) as table:
        data = Labelled(name_sources(path), layout=table.layout)
        example = example_of(table, columns)
        for row in table:
            data.examples.append(example(row))
            data.labels.append(row.label)
        # Inside the with: only a table that was read to its end knows its notes.
        sentences = [*table.notes(), *readers.label_variants(data.counts)]
    # Said and not removed: a text that comes often may be meant to count often.
    twins = len(data) - len(set(data.examples))
    if twins:
        repeat = terminal.plural(twins, "text repeats", "texts repeat")
        sentences.append(f"{data.name}: {repeat} an earlier one; kept")
    for sentence in sentences:
        terminal.remark(sentence)
    return data
