"""Mixed tables: columns of numbers, categories and texts as features side by side.

::

    rows = as_table(table)                    # of pandas, polars, Arrow, numpy, lists of dicts
    kinds = decide_kinds(rows, settings)      # number, category, text, by the values
    vectorizer = TableVectorizer(kinds, ...)  # one block of features a column

A number becomes ``(x - mean) / deviation`` of the rows that were learnt, a category a column for
each of its values, a text the terms of a :class:`~hardlimit.TextVectorizer`. What is missing is
refused, or, where ``missing="mean"``, becomes the mean beside a column that says so.
"""

from hardlimit.tables.kinds import KINDS, Kinds, decide_kinds, decide_kinds_of_parts
from hardlimit.tables.rows import TableRows, as_table
from hardlimit.tables.settings import TableSettings
from hardlimit.tables.vectorizer import TableVectorizer

__all__ = [
    "KINDS",
    "Kinds",
    "TableRows",
    "TableSettings",
    "TableVectorizer",
    "as_table",
    "decide_kinds",
    "decide_kinds_of_parts",
]
