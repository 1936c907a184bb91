"""Raw text to weighted features: tokens, n-grams, a vocabulary or hashing, tf-idf.

Terms
-----
- **Words** are exactly ``re.findall(r"(?u)\\b\\w\\w+\\b", text.lower())`` by the Unicode data of
  :data:`UNICODE_VERSION`; an n-gram of words is its words joined by blanks: ``win a prize``.
- **Character n-grams** are scikit-learn's ``analyzer="char_wb"``; their names stand in brackets,
  blanks included: ``[ wi]``.
- **Runs** of letters of scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) give
  n-grams of one to three characters beside the words, in braces: ``{中文}``.

Rows are canonical: columns ascending, each once. A row's values are computed in double precision,
tf(count) * idf(column), divided by the square root of the sum of their squares (eight partial sums
by ``column & 7``, added as ``((s0+s1)+(s2+s3))+((s4+s5)+(s6+s7))``), and rounded to float32 last.
Logarithms come from :mod:`decimal`, so the bits do not depend on the machine's C library.
"""

from __future__ import annotations

from hardlimit.text.rows import SparseRows
from hardlimit.text.vectorizer import UNICODE_VERSION, TextVectorizer

__all__ = ["UNICODE_VERSION", "SparseRows", "TextVectorizer"]
