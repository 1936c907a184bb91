"""Rows of mixed tables: numbers, categories and texts in their columns.

Nothing depends on how the rows are cut: sums are exact until they are asked for, and categories and
terms are numbered as in one pass over all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hardlimit.classifiers.fitting.vectorizing import new_vectorizer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.table_model import TableModel
from hardlimit.distributed.column_kinds import ColumnValues, look_at_columns, merge_kinds
from hardlimit.distributed.featurisers._protocol import Ask, Examples, Featuriser
from hardlimit.distributed.featurisers.texts import count_terms, fit_terms
from hardlimit.distributed.recipes import Shard
from hardlimit.engine import rows_of
from hardlimit.exceptions import InputError
from hardlimit.foundation.types import Array
from hardlimit.predictions.examples import Collector, feature_columns
from hardlimit.tables.kinds import Kinds
from hardlimit.tables.passes import NumberSums
from hardlimit.tables.rows import TableRows
from hardlimit.text import default_features
