r"""fastText's lines: ``__label__sport __label__price the text``, the labels first.

Words that begin with ``__label__`` are labels as long as no other word has come; what follows is
the text, later ones included. A line of several labels wants ``labels_separator``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardlimit.exceptions import DataFormatError, Given, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.readers.decoding import TextSource, strip_line_end
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Row, Table

PREFIX = "__label__"


def split_line(line: str) -> tuple[list[str], str]:
    """Return the labels of a line and its text.

    >>> split_line("__label__sport __label__price two goals")
    (['sport', 'price'], 'two goals')
    """
    labels: list[str] = []
    rest = line.lstrip()
    while rest.startswith(PREFIX):
        word, *more = rest.split(None, 1)
        if label := word.removeprefix(PREFIX):
            labels.append(label)
        rest = more[0] if more else ""
    return labels, rest


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open fastText's lines."""
    several = layout.labels_separator is not None

    def rows(table: Table) -> Iterator[Row]:
        for line in source.lines():
            text = strip_line_end(line)
            labels, rest = split_line(text)
            if len(labels) > 1 and not several:
                error = DataFormatError(
                    where=f"{source.name}:{source.number}",
                    got=Given(f"{plural(len(labels), 'label')} in one line"),
                    wanted="one",
                    fix=("for several labels say ", Setting("labels_separator", ",")),
                )
                source.reject(error)
                continue
            label = labels if several else labels[0] if labels else None
            # A row of the reader's own kinds: `Table` makes a tuple of a list.
            yield Row(source.number, rest, label, (text,))  # type: ignore[arg-type]

    layout = replace(layout, text=None, label=None, header=None)
    return Table(source, layout, ("text",), rows, need_label=need_label, delimiter="\t")


FORMAT = Format("fasttext", (".ft",), read, "fastText's lines: __label__NAME ... and the text")
