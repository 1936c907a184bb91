"""The door to compiled learning: rows in, a training state that answers."""

from hardlimit.engine.budgets import new_holding
from hardlimit.engine.dual import GRAM_BYTES, DualState, LiveState
from hardlimit.engine.examples import (
    Layout,
    canonical_arrays,
    dense_values,
    explain_refusals,
    largest_sqnorm,
    layout_of,
    rows_of,
    sparse_scores,
    sqnorms,
)
from hardlimit.engine.feature_maps import monomials, pairs
from hardlimit.engine.locking import ModelLock, Reading
from hardlimit.engine.matrices import (
    as_csr,
    entries_of_row,
    is_sparse,
    select_rows,
    stored_values,
    to_dense,
)
from hardlimit.engine.numeric import exponentials, ordered_sum, power
from hardlimit.engine.online import (
    are_in_memory,
    compose_rule,
    draw_with_replacement,
    engine_rule,
    eta_of,
    new_state,
    pair_examples,
    restore_votes,
    shuffle,
)
from hardlimit.engine.packed import (
    lies_in_cells,
    open_packed,
    pack_array,
    pack_mixture,
    pack_state,
    restore_packed,
)
from hardlimit.engine.points import Points
from hardlimit.engine.products import Products
from hardlimit.engine.scaled import ColumnUnits, column_spread, column_sums, scale_to_unit_length
from hardlimit.engine.searching import SLICE, exact_perceptron, new_search

__all__ = [
    "GRAM_BYTES",
    "SLICE",
    "ColumnUnits",
    "DualState",
    "Layout",
    "LiveState",
    "ModelLock",
    "Points",
    "Products",
    "Reading",
    "are_in_memory",
    "as_csr",
    "canonical_arrays",
    "column_spread",
    "column_sums",
    "compose_rule",
    "dense_values",
    "draw_with_replacement",
    "engine_rule",
    "eta_of",
    "exponentials",
    "exact_perceptron",
    "explain_refusals",
    "entries_of_row",
    "is_sparse",
    "largest_sqnorm",
    "layout_of",
    "lies_in_cells",
    "monomials",
    "new_holding",
    "open_packed",
    "ordered_sum",
    "pack_array",
    "pack_mixture",
    "pack_state",
    "power",
    "pair_examples",
    "restore_packed",
    "new_search",
    "new_state",
    "scale_to_unit_length",
    "pairs",
    "restore_votes",
    "rows_of",
    "shuffle",
    "sparse_scores",
    "sqnorms",
    "select_rows",
    "stored_values",
    "to_dense",
]
