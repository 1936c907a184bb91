"""Labelled rows in memory, and notes on them for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hardlimit import readers
from hardlimit.cli import terminal
from hardlimit.readers import Layout


@dataclass
class Labelled:
    """Examples and labels in the order of the file."""

    name: str
    examples: Any = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    layout: Layout | None = None
    columns: Sequence[str | int] = ()  # of numbers: the names of the columns
    lines: Sequence[int] = ()  # of numbers: where each row stands in the file

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> Counter[Any]:
        """How often each label occurs, the most frequent first."""
        # A Counter iterates in the order of insertion: so all lists of classes begin alike.
        return Counter(dict(Counter(self.labels).most_common()))

    def keys(self) -> Sequence[str | bytes]:
        """Return a key of each example: equal where the examples are."""
        texts: list[str | bytes] = self.examples
        return texts

    def take(self, rows: list[int]) -> Labelled:
        """Return some of the rows."""
        examples, labels = [self.examples[i] for i in rows], [self.labels[i] for i in rows]
        return Labelled(self.name, examples, labels, self.layout)

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the file was read, for the model."""
        return None if self.layout is None else self.layout.to_json()


def read_labelled(path: str, layout: Layout, *, need_label: bool = True) -> Labelled:
    """Read a file of labelled texts; notes on what was replaced or looks odd go to stderr."""
    with readers.open_rows(path, layout, need_label=need_label) as table:
        data = Labelled("standard input" if path == "-" else path, layout=table.layout)
        for row in table:
            data.examples.append(row.text)
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
