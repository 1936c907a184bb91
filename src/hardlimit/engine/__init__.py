"""The door to compiled learning: rows in, a training state that answers."""

from hardlimit.engine.examples import is_sparse, rows_of
from hardlimit.engine.online import engine_rule, new_round, new_state, shuffled

__all__ = ["engine_rule", "is_sparse", "new_round", "new_state", "rows_of", "shuffled"]
