"""Arrow's files and streams, and Feather: texts or numbers; want the extra ``arrow``."""

from __future__ import annotations

from functools import partial

from hardlimit.readers.arrow_files import open_arrow
from hardlimit.readers.arrow_numbers import guess, read
from hardlimit.readers.arrow_texts import open_texts
from hardlimit.readers.numbers import NumericFormat
from hardlimit.readers.registry import Format

EXTENSIONS = (".arrow", ".arrows", ".feather", ".ipc")

FORMAT = Format(
    "arrow",
    EXTENSIONS,
    partial(open_texts, open=open_arrow),
    "Arrow, tables by columns (extra arrow)",
    takes_path=True,
)
NUMERIC = NumericFormat(
    "numeric-arrow",
    EXTENSIONS,
    partial(read, open=open_arrow),
    "Arrow of numbers (extra arrow)",
    takes_path=True,
    guess=partial(guess, open=open_arrow),
)
