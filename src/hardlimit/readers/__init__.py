"""Reading labelled rows: one input format a file, found by discovery.

::

    table = open_rows("messages.csv", Layout(text="message", label="folder"), need_label=True)
    for row in table:            # streams; one pass
        row.text, row.label      # text is str, or bytes where a whole file is one document
    table.layout                 # what a model remembers: Layout(format="csv", text="message", ...)
    table.columns                # the names of all columns
    table.notes()                # sentences for people: what was detected, replaced, skipped

- A format is a module of this folder with ``FORMAT = Format(name, extensions, read)``. Of a file
  the extension decides (``.gz``, ``.bz2``, ``.xz`` and ``.zst`` after it are taken off), then its
  first lines; standard input (``-``) is plain lines unless labels are needed or a format is named.
- Everything streams: never more than one row, and the few that are looked at to find the columns,
  are in memory. A row may be of any length.
- Bytes become text in `opening` (compression, detected by content) and `decoding`: a byte-order
  mark decides, else UTF-8; a line that is not UTF-8 is read as cp1252 (as Excel writes it) or, in a
  file that is otherwise UTF-8, gets replacement characters, which are counted.
- Columns are found in `columns`: by the names asked for, else by obvious names, else (two columns)
  by content; where that does not decide, the error lists the names that are there.
- A file that breaks its format is refused with ``file:line:column``; a row is never dropped
  silently. With ``skip_bad`` rows that break it are left out, counted, and the first ten are named
  in the notes. Rows whose fields are all empty are skipped and counted.
- Labels are strings; JSON Lines may also have integers, floats and booleans, kept as such.
- `write_rows` writes a table back with further columns, beside its target, synced and renamed.
- `load_numbers` reads feature matrices (svmlight, numeric CSV, arrays and others); of the readers
  it alone needs numpy. `write_svmlight` writes them.
"""

from typing import TYPE_CHECKING, Any

from hardlimit.readers.files import open_rows
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format, formats
from hardlimit.readers.rows import Label, Row, Table, label_variants
from hardlimit.readers.spellings import Spellings, folds, without_folding

if TYPE_CHECKING:
    from hardlimit.readers.numbers import Csr, Numbers, numeric_formats
    from hardlimit.readers.numeric_files import load_numbers
    from hardlimit.readers.svmlight_writing import write_svmlight
    from hardlimit.readers.writing import write_rows

_LATE = {  # not needed to predict one message
    "Csr": "numbers",
    "Numbers": "numbers",
    "load_numbers": "numeric_files",
    "numeric_formats": "numbers",
    "write_rows": "writing",
    "write_svmlight": "svmlight_writing",
}

__all__ = [
    "Csr",
    "Format",
    "Label",
    "Layout",
    "Numbers",
    "Row",
    "Table",
    "formats",
    "Spellings",
    "folds",
    "label_variants",
    "without_folding",
    "load_numbers",
    "numeric_formats",
    "open_rows",
    "write_rows",
    "write_svmlight",
]


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
