"""Fits whose weights lie in cells, as those above 64 MB do, at sizes that are quick to test."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hardlimit.classifiers.fitting import mixed
from hardlimit.classifiers.model import training_state
from hardlimit.engine import new_state


def _gathered(rule, scheme, *sizes):
    state = new_state(rule, scheme, *sizes)
    if scheme == "coupled":
        state.gather_cells()
    return state


@contextmanager
def weights_in_cells() -> Iterator[None]:
    """Put the weights of each state that is made meanwhile into cells."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (training_state, mixed):
            patch.setattr(module, "new_state", _gathered)
        yield
