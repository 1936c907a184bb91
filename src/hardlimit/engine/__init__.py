"""The door to compiled learning: rows in, a training state that answers."""

from hardlimit.engine.examples import is_sparse, rows_of
from hardlimit.engine.online import (
    composed,
    drawn,
    engine_rule,
    new_round,
    new_state,
    restored_votes,
    shuffled,
)

__all__ = [
    "composed",
    "drawn",
    "engine_rule",
    "is_sparse",
    "new_round",
    "new_state",
    "restored_votes",
    "rows_of",
    "shuffled",
]
