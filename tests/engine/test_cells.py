"""Weights in cells and in arrays: the same bits, whatever is learnt and however they grow."""

import numpy as np
import pytest

from hardlimit import _native, guards, rules, schedules
from hardlimit.engine import compose_rule, engine_rule, new_state, pair_examples

from ..rounding import near

OUTPUTS = 12
COLUMNS = 90
RULES = {
    "perceptron": rules.Perceptron(),
    "margin": rules.MarginPerceptron(b=0.5),
    "pa": rules.PassiveAggressive(C=0.1),
    "pa2": rules.PassiveAggressive2(C=0.5),
    "paum": rules.PAUM(),
    "relaxation": rules.Relaxation(b=1.0),
    "dynamic": rules.DynamicMargin(),
    "adatron": rules.AdaTron(),
    "alma": rules.ALMA() if not rules.ALMA().answers.startswith("shrink") else rules.Perceptron(),
}


def bits(array):
    return None if array is None else np.asarray(array).view(np.uint64).tolist()


def drawn(seed, n=60, columns=COLUMNS, dtype=np.float32, index=np.int32):
    """Sparse rows by Zipf's law, zeros and negative zeros among their values."""
    draw = np.random.default_rng(seed)
    starts, found = [0], []
    for _ in range(n):
        row = np.unique(np.minimum(draw.zipf(1.3, 9), columns) - 1)
        found.append(row)
        starts.append(starts[-1] + len(row))
    values = draw.standard_normal(starts[-1]).astype(dtype)
    values[::17], values[5::31] = 0.0, -0.0
    rows = _native.Rows.sparse(
        np.array(starts, np.int64), np.concatenate(found).astype(index), values, columns, 0.7
    )
    return rows, draw.integers(0, OUTPUTS, n).astype(np.int32), draw


def twins(rule, averaged=True, columns=COLUMNS, outputs=OUTPUTS):
    """The same empty state in an array and in cells."""
    made = [new_state(rule, "coupled", columns, outputs, averaged) for _ in range(2)]
    made[1].gather_cells()
    assert [state.lies_in_cells for state in made] == [False, True]
    return made


def learn(states, rows, targets, weights=None, epochs=3):
    for epoch in range(epochs):
        order = _native.shuffle(len(targets), 3, epoch)
        for state in states:
            examples = pair_examples(rows, targets, weights)
            examples.set_order(order)
            position = 0
            while position < examples.length:
                position = state.present(examples, position, 50)


def assert_same(dense, cells, rows=None, targets=None):
    assert bits(dense.array("w")) == bits(cells.array("w"))
    assert bits(dense.array("u")) == bits(cells.array("u"))
    assert dense.corrections == cells.corrections and dense.take_tally() == cells.take_tally()
    assert dense.squared_lengths() == cells.squared_lengths()
    assert (dense.lengths, dense.finite) == (cells.lengths, cells.finite)
    assert cells.has_weights(dense.array("w")) and dense.has_weights(cells.array("w"))
    mixture = (1.0, 3.0, 7.0) if dense.averaged else (1.0, 0.0, 1.0)
    for single in (False, True):
        whole, spread = dense.weights(*mixture, single), cells.weights(*mixture, single)
        assert whole.dtype == spread.dtype and (whole == spread).all()
        packed = _native.packed_weights(cells, *mixture, single)
        assert (_native.PackedWeights(*packed, cells.n_outputs).dense() == whole).all()
    some = [0, dense.n_columns, 3]
    assert bits(dense.weights_of(some, *mixture)) == bits(cells.weights_of(some, *mixture))
    if rows is not None:
        assert bits(dense.scores(rows, *mixture)) == bits(cells.scores(rows, *mixture))
        examples = pair_examples(rows, targets, None)
        assert dense.verify(examples) == cells.verify(examples)


@pytest.mark.parametrize("averaged", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_every_rule_that_adds(name, averaged):
    rule = engine_rule(RULES[name])
    rows, targets, draw = drawn(len(name))
    weights = draw.uniform(0.5, 2, len(targets)) if name in ("pa", "paum") else None
    states = twins(rule, averaged)
    learn(states, rows, targets, weights)
    assert_same(*states, rows, targets)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_every_kind_of_rows(dtype, index):
    rows, targets, _ = drawn(2, dtype=dtype, index=index)
    states = twins(engine_rule(rules.PassiveAggressive()))
    learn(states, rows, targets)
    assert_same(*states, rows, targets)


def test_schedules_guards_and_rules_in_python():
    rows, targets, _ = drawn(3)
    rule = compose_rule(
        engine_rule(rules.Perceptron()), schedules.Power(0.5), {"alpha_bound": {"alpha": 2.0}}
    ) if "alpha_bound" in _native.guard_names() else engine_rule(rules.Perceptron())  # fmt: skip
    for one in (rule, engine_rule(rules.PassiveAggressive(), compiled=False)):
        states = twins(one)
        learn(states, rows, targets, epochs=2)
        assert_same(*states, rows, targets)
    assert guards  # imported for what registers them


def test_the_order_of_the_worst():
    rows, targets, _ = drawn(4)
    states = twins(engine_rule(rules.Perceptron()))
    for state in states:
        examples = pair_examples(rows, targets, None)
        state.begin_worst(examples, 1 << 20)
        state.search(examples, 300, 1 << 30)
    assert states[1].lies_in_cells
    assert_same(*states, rows, targets)


def test_growing_columns_and_classes():
    rule = engine_rule(rules.PassiveAggressive())
    rows, targets, _ = drawn(5)
    states = twins(rule)
    learn(states, rows, targets)
    for state in states:
        state.grow_columns(COLUMNS + 40)
    rows, targets, _ = drawn(6, columns=COLUMNS + 40)
    learn(states, rows, targets)
    assert_same(*states, rows, targets)
    for state in states:
        state.rearrange_outputs([*range(OUTPUTS), -1, 3], [1.0] * OUTPUTS + [0.0, 0.5], "coupled")
    assert states[0].n_outputs == states[1].n_outputs == OUTPUTS + 2
    learn(states, rows, targets)
    assert_same(*states, rows, targets)


@pytest.mark.parametrize("outputs", [2, 8, 79, 300])
def test_columns_of_few_and_of_all_outputs(outputs):
    """Runs of every length, to the run of all outputs."""
    draw = np.random.default_rng(outputs)
    starts, columns = np.arange(0, 1201, 3), np.tile([0, 1, 2], 400).astype(np.int32)
    columns[2::3] = 2 + draw.integers(0, 30, 400)
    rows = _native.Rows.sparse(starts, columns, np.ones(1200, np.float32), 32, 1.0)
    targets = draw.integers(0, outputs, 400).astype(np.int32)
    states = twins(engine_rule(rules.PassiveAggressive()), columns=32, outputs=outputs)
    for n in (1, 5, 40, 400):
        part = rows.part(0, n)
        learn(states, part, targets[:n].copy(), epochs=2)
        assert_same(*states, part, targets[:n].copy())


def test_what_needs_arrays_spreads_the_cells():
    rows, targets, _ = drawn(7)
    dense, cells = twins(engine_rule(rules.Perceptron()))
    learn([dense, cells], rows, targets)
    for state in (dense, cells):
        examples = pair_examples(rows, targets, None)
        state.gather(examples, 0, 1 << 30)
        state.apply(examples, "sum")
    assert not cells.lies_in_cells
    assert_same(dense, cells, rows, targets)
    dense, cells = twins(engine_rule(rules.Perceptron()))
    cells.watch(["pocket"], 0)
    assert not cells.lies_in_cells
    matrix = np.random.default_rng(1).standard_normal((30, COLUMNS))
    dense, cells = twins(engine_rule(rules.Perceptron()))
    learn([dense, cells], _native.Rows.dense(matrix, 1.0), targets[:30].copy())
    assert not cells.lies_in_cells
    assert_same(dense, cells)


def test_rules_that_do_more_than_add_lie_in_arrays():
    for rule in (rules.ROMMA(), rules.BalancedWinnow(), rules.AROW()):
        state = new_state(engine_rule(rule), "coupled", 1 << 20, 8, False)
        assert not state.lies_in_cells
        with pytest.raises(ValueError, match="arrays"):
            state.gather_cells()
    pa = engine_rule(rules.PassiveAggressive())
    assert new_state(pa, "coupled", 1 << 20, 8, False).lies_in_cells
    assert not new_state(pa, "coupled", 1 << 20, 7, False).lies_in_cells
    assert not new_state(pa, "coupled", 1 << 19, 8, False).lies_in_cells
    assert not new_state(pa, "independent", 1 << 20, 8, False).lies_in_cells
    for outputs, columns in ((7, 1 << 21), (8, 1 << 10)):  # they come to them while they grow
        state = new_state(pa, "coupled", columns, outputs, True)
        if outputs == 7:
            state.rearrange_outputs([*range(7), -1], [1.0] * 7 + [0.0], "coupled")
        else:
            state.grow_columns(1 << 21)
        assert state.lies_in_cells


@pytest.mark.parametrize("averaged", [False, True])
def test_packed_states_come_back_to_the_last_bit(averaged):
    rule = engine_rule(rules.PassiveAggressive())
    rows, targets, _ = drawn(8)
    states = twins(rule, averaged)
    learn(states, rows, targets)
    packs = [_native.packed_state(state) for state in states]
    for a, b in zip(*packs, strict=True):
        assert (a is None and b is None) or (a.dtype == b.dtype and a.tobytes() == b.tobytes())
    for in_cells in (False, True):
        again = new_state(rule, "coupled", COLUMNS, OUTPUTS, averaged)
        if in_cells:
            again.gather_cells()
        _native.set_packed_state(again, *packs[0])
        assert bits(again.array("w")) == bits(states[0].array("w"))
        assert bits(again.array("u")) == bits(states[0].array("u"))


def test_equal_columns_share_a_run():
    starts, columns = np.array([0, 3, 6]), np.array([0, 1, 2, 3, 4, 5], np.int32)
    rows = _native.Rows.sparse(starts, columns, np.ones(6, np.float32), 7, 0.0)
    state = new_state(engine_rule(rules.PassiveAggressive()), "coupled", 7, OUTPUTS, True)
    learn([state], rows, np.array([3, 4], np.int32), epochs=1)
    runs, starts, outputs, w, u = _native.packed_state(state)
    assert runs[:3].tolist() == [1] * 3 and len(set(runs[3:6].tolist())) == 1
    assert runs[6] == 0 and len(starts) == runs.max() + 1 and len(w) == len(u) == starts[-1]
    assert outputs.dtype == np.uint8


GOOD = {
    "runs": np.array([1, 0, 2], np.uint32),
    "starts": np.array([0, 2, 3], np.uint32),
    "outputs": np.array([0, 4, 1], np.uint8),
    "values": np.array([1.0, 2.0, 3.0]),
}
BAD = {
    "a run that is not there": {"runs": np.array([3, 0, 1], np.uint32)},
    "starts that go down": {"starts": np.array([0, 3, 2], np.uint32)},
    "starts that end early": {"starts": np.array([0, 1, 2], np.uint32)},
    "starts that begin late": {"starts": np.array([1, 2, 3], np.uint32)},
    "no starts": {"starts": np.array([], np.uint32)},
    "an output that is not there": {"outputs": np.array([0, 5, 1], np.uint8)},
    "outputs that go down": {"outputs": np.array([4, 0, 1], np.uint8)},
    "an output twice": {"outputs": np.array([4, 4, 1], np.uint8)},
    "too few outputs": {"outputs": np.array([0, 4], np.uint8)},
    "runs of another type": {"runs": np.array([1, 0, 2], np.int64)},
    "outputs of another type": {"outputs": np.array([0, 4, 1], np.int64)},
    "values of another type": {"values": np.array([1, 2, 3])},
    "no runs": {"runs": np.array([], np.uint32)},
}


@pytest.mark.parametrize("case", BAD)
def test_arrays_that_contradict_themselves_are_refused(case):
    assert _native.PackedWeights(**GOOD, n_outputs=5).dense().tolist() == [
        [1, 0, 0, 0, 2], [0, 0, 0, 0, 0], [0, 3, 0, 0, 0]]  # fmt: skip
    with pytest.raises(ValueError, match="packed weights"):
        _native.PackedWeights(**(GOOD | BAD[case]), n_outputs=5)


def test_packed_weights_answer_as_their_array():
    draw = np.random.default_rng(9)
    for dtype, outputs in ((np.float64, 5), (np.float32, 300)):
        dense = draw.standard_normal((COLUMNS + 1, outputs)).astype(dtype)
        dense[draw.random(dense.shape) < 0.8] = 0
        dense[7:9] = 1.5
        packed = _native.PackedWeights(*_native.pack_weights(dense), outputs)
        for seed in range(3):
            rows, *_ = drawn(seed)
            assert bits(packed.scores(rows)) == bits(rows.scores(dense))
        matrix = _native.Rows.dense(draw.standard_normal((9, COLUMNS)), 2.0)
        assert bits(packed.scores(matrix)) == bits(matrix.scores(dense.astype(np.float64)))
        assert (packed.rows_of([3, COLUMNS]) == dense[[3, COLUMNS]]).all()
        sizes, squares = packed.sums()
        assert sizes == near(np.abs(dense.astype(float)).sum(0), 500)
        assert squares == near((dense.astype(float) ** 2).sum(0), 500)
        for k, found in enumerate(packed.largest(4)):
            side = dense[:-1, k]
            best = sorted(np.flatnonzero(side > 0), key=lambda c: (-side[c], c))[:4]
            assert found == [(int(c), float(side[c])) for c in best]
        assert packed.largest(0) == [[]] * outputs and packed.finite


def packed(state):
    return [None if array is None else array.tolist() for array in _native.packed_state(state)]


@pytest.mark.parametrize("averaged", [False, True])
def test_what_is_packed_again_is_what_the_state_holds_now(averaged):
    dense, cells = twins(engine_rule(rules.PassiveAggressive(C=0.1)), averaged)
    rows, targets, _ = drawn(5)
    for epochs in (1, 0, 2):  # packed again after nothing, and after corrections
        learn((dense, cells), rows, targets, epochs=epochs)
        for _ in range(2):
            assert packed(cells) == packed(dense)
            mixture = (1.0, 3.0, 7.0) if averaged else (1.0, 0.0, 1.0)
            ours, theirs = (_native.packed_weights(s, *mixture, True) for s in (cells, dense))
            assert [a.tolist() for a in ours] == [a.tolist() for a in theirs]
    for state in (dense, cells):
        state.grow_columns(COLUMNS + 40)
    assert packed(cells) == packed(dense)
    wide, targets, _ = drawn(6, columns=COLUMNS + 40)
    learn((dense, cells), wide, targets, epochs=1)
    assert packed(cells) == packed(dense)
