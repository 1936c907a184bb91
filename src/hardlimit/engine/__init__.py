"""The door to compiled learning: rows in, a training state that answers."""

from hardlimit.engine.examples import is_sparse, rows_of, sparse_scores
from hardlimit.engine.online import (
    composed,
    drawn,
    engine_rule,
    new_round,
    new_state,
    restored_votes,
    shuffled,
)
from hardlimit.engine.scaled import ColumnUnits, column_squares, column_sums, of_unit_length

__all__ = [
    "ColumnUnits",
    "column_squares",
    "column_sums",
    "composed",
    "drawn",
    "engine_rule",
    "is_sparse",
    "new_round",
    "new_state",
    "of_unit_length",
    "restored_votes",
    "rows_of",
    "shuffled",
    "sparse_scores",
]
