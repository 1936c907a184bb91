"""Parquet of numbers; wants the extra ``arrow``."""

from __future__ import annotations

from functools import partial

from hardlimit.readers.arrow_files import open_parquet
from hardlimit.readers.arrow_numbers import blocks, guess, load
from hardlimit.readers.numbers import NumericFormat
from hardlimit.readers.parquet import EXTENSIONS

NUMERIC = NumericFormat(
    "numeric-parquet",
    EXTENSIONS,
    partial(load, open=open_parquet),
    "Parquet of numbers (extra arrow)",
    takes_path=True,
    guess=partial(guess, open=open_parquet),
    blocks=partial(blocks, open=open_parquet),
)
