r"""Raw text to weighted features: tokens, n-grams, a vocabulary or hashing, tf-idf.

Terms
-----
- **Words** are exactly ``re.findall(r"(?u)\b\w\w+\b", text.lower())`` by the Unicode data of
  :data:`UNICODE_VERSION`; an n-gram of words is its words joined by blanks: ``win a prize``.
- **Character n-grams** are scikit-learn's ``analyzer="char_wb"``; their names stand in brackets,
  blanks included: ``[ wi]``.
- **Runs** of letters of scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) give
  n-grams of one to three characters beside the words, in braces: ``{中文}``.

Rows are canonical: columns ascending, each once. A row's values are computed in double precision,
tf(count) * idf(column), divided by the square root of the sum of their squares (eight partial sums
by ``column & 7``, added as ``((s0+s1)+(s2+s3))+((s4+s5)+(s6+s7))``), and rounded to float32 last.
With ``block_weights`` words (and runs) and characters have a sum each, and a value is
``value * weight / length`` of its block.
Logarithms come from :mod:`decimal`, so the bits do not depend on the machine's C library.
"""

from __future__ import annotations

import importlib
from typing import Any

# Loaded on first use: the scorer does without numpy.
_HOMES = {"UNICODE_VERSION": "vectorizer", "TextVectorizer": "vectorizer"}

__all__ = [*_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hardlimit.text' has no attribute '{name}'")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
