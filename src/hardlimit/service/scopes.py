"""What a key may do: each scope allows all that the ones before it allow."""

from __future__ import annotations

PREDICT, CORRECT, ADMIN = "predict", "correct", "admin"
SCOPES = (PREDICT, CORRECT, ADMIN)
# Of what anybody may ask.
ANYONE = ""


def allows(scope: str, wanted: str) -> bool:
    """Tell whether a key of this scope may do what wants another.

    >>> allows("correct", "predict"), allows("predict", "correct"), allows("predict", ANYONE)
    (True, False, True)
    """
    return not wanted or SCOPES.index(scope) >= SCOPES.index(wanted)
