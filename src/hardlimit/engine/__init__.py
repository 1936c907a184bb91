"""The door to compiled learning: rows in, a training state that answers."""

from hardlimit.engine.budgets import new_holding
from hardlimit.engine.dual import GRAM_BYTES, DualState
from hardlimit.engine.examples import rows_of, sparse_scores, sqnorms
from hardlimit.engine.feature_maps import monomials, pairs
from hardlimit.engine.matrices import as_csr, is_sparse, stored_values, to_dense
from hardlimit.engine.online import (
    composed,
    drawn,
    engine_rule,
    eta_of,
    new_round,
    new_state,
    restored_votes,
    shuffled,
)
from hardlimit.engine.points import Points
from hardlimit.engine.products import Products
from hardlimit.engine.scaled import ColumnUnits, column_squares, column_sums, of_unit_length
from hardlimit.engine.searching import SLICE, exact_perceptron, new_search

__all__ = [
    "GRAM_BYTES",
    "SLICE",
    "ColumnUnits",
    "DualState",
    "Points",
    "Products",
    "as_csr",
    "column_squares",
    "column_sums",
    "composed",
    "drawn",
    "engine_rule",
    "eta_of",
    "exact_perceptron",
    "is_sparse",
    "monomials",
    "new_holding",
    "new_round",
    "new_search",
    "new_state",
    "of_unit_length",
    "pairs",
    "restored_votes",
    "rows_of",
    "shuffled",
    "sparse_scores",
    "sqnorms",
    "stored_values",
    "to_dense",
]
