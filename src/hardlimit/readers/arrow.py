"""Arrow's files and streams, and Feather; want the extra ``arrow``."""

from __future__ import annotations

from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table

EXTENSIONS = (".arrow", ".arrows", ".feather", ".ipc")


def read(path: str, layout: Layout, need_label: bool) -> Table:
    """Open rows of text."""
    from hardlimit.readers import arrow_files, arrow_texts  # start-up: few files are of this kind

    return arrow_texts.open_texts(path, layout, need_label, arrow_files.open_arrow)


FORMAT = Format(
    "arrow", EXTENSIONS, read, "Arrow, tables by columns (extra arrow)", takes_path=True
)
