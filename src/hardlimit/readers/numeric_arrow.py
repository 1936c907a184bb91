"""Arrow of numbers; wants the extra ``arrow``."""

from __future__ import annotations

from functools import partial

from hardlimit.readers.arrow import EXTENSIONS
from hardlimit.readers.arrow_files import open_arrow
from hardlimit.readers.arrow_numbers import blocks, guess, load
from hardlimit.readers.numbers import NumericFormat

NUMERIC = NumericFormat(
    "numeric-arrow",
    EXTENSIONS,
    partial(load, open=open_arrow),
    "Arrow of numbers (extra arrow)",
    takes_path=True,
    guess=partial(guess, open=open_arrow),
    blocks=partial(blocks, open=open_arrow),
)
