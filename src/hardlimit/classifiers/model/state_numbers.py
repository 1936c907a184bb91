"""A compiled state as numbers, and a state made of them: for pickles, copies and model files."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardlimit import rules
from hardlimit.engine import LiveState, pack_state, restore_packed
from hardlimit.foundation.types import Array

ARRAYS = ("w", "u", "theta", "sigma")


class PackedState(NamedTuple):
    """Weights and sums of a state, packed: see :mod:`.packed_weights`; ``u`` may be None."""

    n_outputs: int
    runs: Array
    starts: Array
    outputs: Array
    w: Array
    u: Array | None


def read_numbers(state: LiveState) -> dict[str, Any]:
    """Return the arrays of shape (n_columns + 1, n_outputs), or packed weights, and counts."""
    if state.is_worth_packing:
        return read_counts(state) | {"arrays": {}, "packed": read_packed(state)}
    return read_counts(state) | {"arrays": {name: state.array(name) for name in ARRAYS}}


def read_packed(state: LiveState) -> PackedState:
    """Return the weights of many outputs, and their sums, without those that are zero."""
    return PackedState(state.n_outputs, *pack_state(state))


def read_counts(state: LiveState) -> dict[str, Any]:
    """Return what a state counts besides its weights."""
    return {
        "presentations": state.presentations,
        "corrections": state.corrections,
        "lengths": state.lengths,
        "scales": state.shrinkages,
        "common": state.common,
    }


def shape_of(numbers: dict[str, Any]) -> tuple[int, int, bool]:
    """Return the columns without the bias, the outputs, and whether there are sums."""
    packed: PackedState | None = numbers.get("packed")
    if packed:
        return len(packed.runs) - 1, packed.n_outputs, packed.u is not None
    rows, outputs = numbers["arrays"]["w"].shape
    return rows - 1, outputs, numbers["arrays"].get("u") is not None


def restore_numbers(state: LiveState, numbers: dict[str, Any], rule: rules.Rule) -> None:
    """Give a blank state of :func:`shape_of` these numbers."""
    packed: PackedState | None = numbers.get("packed")
    # What is said of columns stays, the average needs it; the weights are in what is restored.
    set_initial_weights(state, rule, 1.0)
    if packed:
        if isinstance(rule, rules.MultiplicativeRule):  # the cells that are left out are 0
            state.set_array("w", np.zeros((packed.runs.size, packed.n_outputs)))
        restore_packed(state, packed[1:])
    else:
        _restore_arrays(state, numbers["arrays"])
    state.restore_counts(numbers["presentations"], numbers["corrections"], numbers["lengths"])
    state.shrinkages = numbers["scales"]
    state.common = numbers["common"]


def _restore_arrays(state: LiveState, arrays: dict[str, Any]) -> None:
    # The state says which arrays its rule has: a covariance, or theta.
    for name in state.array_names:
        state.set_array(name, arrays[name])


def set_initial_weights(state: LiveState, rule: rules.Rule, bias: float) -> None:
    """Give the weights what a rule that multiplies says that they start at."""
    if isinstance(rule, rules.MultiplicativeRule):
        state.set_initial_weights(*rule.initial_weights(state.n_columns, bias))
