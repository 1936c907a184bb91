"""An epoch of a shard: what it moved, and how it is taken back."""

import numpy as np
import pytest

from hardlimit import rules
from hardlimit.engine import engine_rule, mixing, new_state, pair_examples, rows_of

RULES = ["perceptron", "margin-perceptron", "passive-aggressive", "paum", "relaxation"]


def _rows(kind, classes, n=90, columns=40):
    numbers = np.random.default_rng(classes)
    X = numbers.integers(-2, 3, (n, columns)) * (numbers.random((n, columns)) < 0.2)
    y = (X @ numbers.normal(size=(columns, classes))).argmax(1)
    if kind == "dense":
        return X.astype(float), y
    return pytest.importorskip("scipy.sparse").csr_matrix(X.astype(float)), y


def _present_all(state, examples):
    position = 0
    while position < examples.length:
        position = state.present(examples, position, 1 << 20)


def _same(one, other):
    return all(
        (a is b is None) or a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("scheme", ["single", "independent", "coupled", "cells"])
@pytest.mark.parametrize("averaged", [True, False])
def test_an_epoch_is_taken_back_to_the_last_bit(rule, kind, scheme, averaged):
    outputs = {"single": 1, "cells": 9}.get(scheme, 3)
    columns = 120_000 if scheme == "cells" and kind == "sparse" else 40
    if scheme == "cells":
        if kind == "dense":
            pytest.skip("so many columns are not dense")
        scheme = "coupled"
    X, y = _rows(kind, max(2, outputs), columns=min(columns, 300))
    if columns > 300:
        X.resize((X.shape[0], columns))
    rows = rows_of(X, 1.0, "X")
    examples = pair_examples(rows, y.astype(np.int32), None, 0.0)
    made = engine_rule(rules.get(rule)), scheme, columns, outputs, averaged
    one, other, before = (new_state(*made) for _ in range(3))
    for state in (one, other, before):
        _present_all(state, examples)  # the epoch begins at weights other than 0
    assert one.lies_in_cells == (columns > 300)
    counts = mixing.Counts.of(before)
    examples.set_order(np.arange(len(y))[::-1].copy())
    for _ in range(2):  # the second time in the memory of the first
        delta, tally = mixing.run_epoch(one, counts, examples)
        assert _same(mixing.find_differences(one, before), mixing.find_differences(before, before))
        assert mixing.Counts.of(one) == counts
    _present_all(other, examples)
    assert _same(mixing.find_differences(other, before), delta)
    assert (len(delta.cells) > 0) == any(corrections for _, corrections, _ in tally.counts)
    mixing.end_epochs(one)
    _present_all(one, examples)  # nobody takes this back
    assert _same(mixing.find_differences(one, before), delta)


def test_an_epoch_that_is_stopped_is_taken_back():
    X, y = _rows("sparse", 2)
    rows = rows_of(X, 1.0, "X")
    examples = pair_examples(rows, y.astype(np.int32), None, 0.0)
    (state,) = _states(1, columns=40)
    asked = iter([False, True])
    budget, mixing._BUDGET = mixing._BUDGET, 50
    try:
        with pytest.raises(mixing.StoppedError):
            mixing.run_epoch(state, mixing.Counts.of(state), examples, lambda: next(asked))
    finally:
        mixing._BUDGET = budget
    assert not len(mixing.find_differences(state, _states(1, columns=40)[0]).cells)
    assert state.presentations == 0


def _states(n, columns=50):
    return [
        new_state(engine_rule(rules.Perceptron()), "single", columns, 1, True) for _ in range(n)
    ]


def _parts(*borders):
    numbers = np.random.default_rng(0)
    found = []
    for begin, end in borders:
        cells = np.arange(begin, end, 2)
        found.append(mixing.Delta(cells, numbers.random(len(cells)), numbers.random(len(cells))))
    return found


def test_all_states_get_all_parts():
    one, other = _states(2)
    parts = _parts((0, 21), (21, 22), (30, 51))
    mixing.set_cells([one, other], parts)
    for state in (one, other):
        found = mixing.find_differences(state, _states(1)[0])
        for field, wanted in zip(found, mixing.join_cells(parts), strict=True):
            assert (field == wanted).all()


@pytest.mark.parametrize("borders", [[(10, 20), (18, 30)], [(10, 20), (0, 8)], [(40, 60)]])
def test_parts_that_overlap_or_lie_outside_change_nothing(borders):
    (state,) = _states(1)
    with pytest.raises(ValueError, match="cells"):
        mixing.set_cells([state], _parts(*borders))
    assert not len(mixing.find_differences(state, _states(1)[0]).cells)


def test_states_of_unlike_shapes_are_refused():
    with pytest.raises(ValueError, match="shape"):
        mixing.set_cells([*_states(1), *_states(1, columns=60)], _parts((0, 9)))
