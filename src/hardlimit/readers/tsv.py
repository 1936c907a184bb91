"""TSV: fields between tabs, and nothing else: a ``"`` is a character.

With ``quoting=True`` the rules are those of CSV.
"""

from __future__ import annotations

from hardlimit.readers import csv
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.delimited import open_delimited, split_lines
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open a TSV."""
    delimiter = layout.delimiter or "\t"
    split = csv.split_records if layout.quoting else split_lines
    return open_delimited(source, layout, split(source, delimiter), delimiter, need_label)


FORMAT = Format("tsv", (".tsv", ".tab"), read, "fields between tabs, no quoting")
