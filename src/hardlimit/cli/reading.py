"""Labelled rows into memory, with what people should know of them."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardlimit.cli import terminal

if TYPE_CHECKING:
    from hardlimit.cli.progress import Progress
    from hardlimit.readers import Layout

_TOLD_EVERY = 20_000


@dataclass
class Labelled:
    """Examples and labels in the order of the file."""

    name: str
    examples: Any = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    layout: Layout | None = None

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> Counter[Any]:
        """How often each label occurs, the most frequent first."""
        return Counter(dict(Counter(self.labels).most_common()))

    def keys(self) -> Any:
        """Return what is equal where examples are."""
        return self.examples

    def take(self, rows: list[int]) -> Labelled:
        """Return some of the rows."""
        examples, labels = [self.examples[i] for i in rows], [self.labels[i] for i in rows]
        return Labelled(self.name, examples, labels, self.layout)

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the file was read, for the model."""
        return None if self.layout is None else self.layout.to_json()


def read_labelled(
    path: str, layout: Layout, progress: Progress, *, need_label: bool = True
) -> Labelled:
    """Read a file of labelled texts; notes on what was replaced or looks odd go to stderr."""
    from hardlimit.readers import label_variants, open_rows

    with open_rows(path, layout, need_label=need_label) as table:
        data = Labelled("standard input" if path == "-" else path, layout=table.layout)
        for row in table:
            data.examples.append(row.text)
            data.labels.append(row.label)
            if len(data) % _TOLD_EVERY == 0:
                progress.stage(f"reading {len(data):,} rows")
        sentences = [*table.notes(), *label_variants(data.counts)]
    twins = len(data) - len(set(data.examples))
    if twins:
        sentences.append(f"{data.name}: {terminal.plural(twins, 'text')} appeared before (kept)")
    for sentence in sentences:
        terminal.remark(sentence)
    return data


def layout_for(
    path: str, remembered: dict[str, Any], given: dict[str, Any], *, bare: bool = False
) -> Layout:
    """Return how to read ``path`` for a model: as its training file, unless something says else.

    With ``bare``, standard input is plain lines unless an option says what it is. A file whose name
    promises another format than the training file's keeps the names of the columns only.
    """
    from hardlimit.cli.options import layout_of
    from hardlimit.readers.registry import detect_by_extension

    if path == "-" and bare and not given:
        return layout_of({"format": "lines"})
    own = remembered.get("format")
    promised = (
        own if path == "-" else "folder" if os.path.isdir(path) else detect_by_extension(path)
    )
    if own == "folder" and bare and promised in (None, "lines"):
        promised = own  # a document such as those in the folder, not one a line
    wanted = given.get("format", promised)
    if wanted not in (None, own):
        names = ("text", "label") if wanted not in ("lines", "folder") else ()
        remembered = {k: v for k, v in remembered.items() if k in names and isinstance(v, str)}
    return layout_of(given, remembered)
