"""Parquet, read by row groups: texts or numbers; wants the extra ``arrow``."""

from __future__ import annotations

from functools import partial

from hardlimit.readers.arrow_files import open_parquet
from hardlimit.readers.arrow_numbers import guess, read
from hardlimit.readers.arrow_texts import open_texts
from hardlimit.readers.numbers import NumericFormat
from hardlimit.readers.registry import Format

EXTENSIONS = (".parquet", ".pq")

FORMAT = Format(
    "parquet",
    EXTENSIONS,
    partial(open_texts, open=open_parquet),
    "Parquet, tables by columns (extra arrow)",
    takes_path=True,
)
NUMERIC = NumericFormat(
    "numeric-parquet",
    EXTENSIONS,
    partial(read, open=open_parquet),
    "Parquet of numbers (extra arrow)",
    takes_path=True,
    guess=partial(guess, open=open_parquet),
)
