r"""Plain lines: one text each, no labels.

An empty line is a text too, so that answers line up with lines. Only ``\n`` and ``\r\n`` end
a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardlimit.exceptions import InputError
from hardlimit.readers.decoding import TextSource, strip_line_end
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Row, Table


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open plain lines."""
    if need_label:
        raise InputError(
            "plain lines have no labels",
            where=source.name,
            fix="give a CSV, a TSV (label<TAB>text), JSON Lines or a folder per class",
        )
    source.skips_empty = False

    def rows(table: Table) -> Iterator[Row]:
        for line in source.lines():
            text = strip_line_end(line)
            yield Row(source.number, text, None, (text,))

    layout = replace(layout, text=None, label=None, header=None)
    return Table(source, layout, ("text",), rows, need_label=False, delimiter="\t")


FORMAT = Format("lines", (".txt", ".log"), read, "plain lines, one text each, no labels")
