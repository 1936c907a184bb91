"""Labelled rows into memory, with what people should know of them."""

from __future__ import annotations

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
    """Texts and labels in the order of the file."""

    name: str
    texts: list[Any] = field(default_factory=list)
    labels: list[Any] = field(default_factory=list)
    layout: Layout | None = None

    @property
    def counts(self) -> Counter[Any]:
        """How often each label occurs, the most frequent first."""
        return Counter(dict(Counter(self.labels).most_common()))


def read_labelled(path: str, layout: Layout, progress: Progress) -> Labelled:
    """Read a file of labelled rows; notes on what was replaced or looks odd go to stderr."""
    from hardlimit.readers import label_variants, open_rows

    with open_rows(path, layout, need_label=True) as table:
        data = Labelled("standard input" if path == "-" else path, layout=table.layout)
        for row in table:
            data.texts.append(row.text)
            data.labels.append(row.label)
            if len(data.texts) % _TOLD_EVERY == 0:
                progress.stage(f"reading {len(data.texts):,} rows")
        sentences = [*table.notes(), *label_variants(data.counts)]
    twins = len(data.texts) - len(set(data.texts))
    if twins:
        sentences.append(f"{data.name}: {terminal.count(twins, 'text')} appeared before (kept)")
    for sentence in sentences:
        terminal.remark(sentence)
    return data


def remembered_for(path: str, remembered: dict[str, Any], given: dict[str, Any]) -> Layout:
    """Return how to read ``path`` for a model: as its training file, unless something says else.

    Standard input is plain lines unless a format is named. A file whose name promises another
    format than the training file's keeps the names of the columns only.
    """
    import os

    from hardlimit.cli.options import layout_of
    from hardlimit.readers.registry import by_extension

    promised = "folder" if os.path.isdir(path) else by_extension(path)
    if path == "-" and "format" not in given:
        if not given:
            return layout_of({"format": "lines"})
        promised = remembered.get("format")
    wanted = given.get("format", promised)
    if wanted not in (None, remembered.get("format")):
        names = ("text", "label") if wanted not in ("lines", "folder") else ()
        remembered = {k: v for k, v in remembered.items() if k in names and isinstance(v, str)}
    return layout_of(given, remembered)
