"""What a shard's epoch moved is found from the rows that were corrected."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, _native, rules
from hardlimit.engine import engine_rule, mixing, new_state, pair_examples, rows_of

RULES = ["perceptron", "margin-perceptron", "passive-aggressive", "paum", "relaxation"]


def _rows(kind, classes, n=90, columns=40):
    numbers = np.random.default_rng(classes)
    X = numbers.integers(-2, 3, (n, columns)) * (numbers.random((n, columns)) < 0.2)
    y = (X @ numbers.normal(size=(columns, classes))).argmax(1)
    if kind == "dense":
        return X.astype(float), y
    return pytest.importorskip("scipy.sparse").csr_matrix(X.astype(float)), y


def _file(tmp_path, X, y, **choices):
    path = tmp_path / "model"
    LinearClassifier(shards=3, max_iter=6, until=None, n_jobs=2, **choices).fit(X, y).save(path)
    return path.read_bytes()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize(
    "how", [(2, {}), (4, {}), (4, {"multiclass": "ovr"}), (3, {"readout": "last"})]
)
@pytest.mark.filterwarnings("ignore")
def test_only_rows_that_were_corrected_moved_something(rule, kind, how, tmp_path, monkeypatch):
    classes, choices = how
    if rule == "paum" and classes > 2:
        choices = {**choices, "multiclass": "ovr"}
    X, y = _rows(kind, classes)
    wanted = _file(tmp_path, X, y, rule=rule, **choices)
    find = _native.corrected_columns

    def look_at_all(*asked):
        find(*asked)

    monkeypatch.setattr(_native, "corrected_columns", look_at_all)
    assert _file(tmp_path, X, y, rule=rule, **choices) == wanted


@pytest.mark.filterwarnings("ignore")
def test_an_epoch_with_few_corrections_looks_at_few_columns(monkeypatch):
    X, y = _rows("sparse", 2, n=600, columns=300)
    looked, moved = [], _native.moved_cells

    def counted(state, base, columns):
        looked.append(len(columns))
        return moved(state, base, columns)

    monkeypatch.setattr(_native, "moved_cells", counted)
    LinearClassifier("perceptron", shards=3, max_iter=40, until=None).fit(X, y)
    assert looked[0] > 250  # the first epoch: all columns of the shard, which are fewer
    assert min(looked) == 0  # the data are separable


def _present_all(state, examples):
    position = 0
    while position < examples.length:
        position = state.present(examples, position, 1 << 20)


def _same(one, other):
    return all(
        (a is b is None) or a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True)
    )


def _examples(kind, classes, columns=40):
    X, y = _rows(kind, classes, columns=min(columns, 300))
    if columns > 300:
        X.resize((X.shape[0], columns))
    rows = rows_of(X, 1.0, "X")
    return pair_examples(rows, y.astype(np.int32), None, 0.0)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("scheme", ["single", "independent", "coupled", "cells"])
@pytest.mark.parametrize("averaged", [True, False])
def test_with_one_state_an_epoch_is_that_of_two(rule, scheme, averaged):
    outputs, columns = {"single": (1, 40), "cells": (9, 400)}.get(scheme, (3, 40))
    examples = _examples("sparse", max(2, outputs), columns)
    in_cells, scheme = scheme == "cells", "coupled" if scheme == "cells" else scheme
    made = engine_rule(rules.get(rule)), scheme, columns, outputs, averaged
    one, other, base = (new_state(*made) for _ in range(3))
    for state in (one, other, base):
        if in_cells:
            state.gather_cells()
        _present_all(state, examples)  # the epoch begins at weights other than 0
    assert one.lies_in_cells == in_cells
    examples.set_order(np.arange(90)[::-1].copy())
    own = mixing.distinct_columns(examples)
    for _ in range(2):
        alone = mixing.run_epoch(one, one, examples, own)
        beside = mixing.run_epoch(other, base, examples, own)
        assert _same(alone[0], beside[0])
        assert alone[1] == beside[1]
        assert not len(mixing.find_differences(one, base).cells)
        assert (one.presentations, one.corrections) == (base.presentations, base.corrections)
        assert one.lengths == base.lengths


def test_an_epoch_of_one_state_that_is_stopped_is_taken_back(monkeypatch):
    monkeypatch.setattr(mixing, "_BUDGET", 50)
    examples = _examples("sparse", 2)
    state, base = _states(2, columns=40)
    asked = iter([False, True])
    with pytest.raises(mixing.StoppedError):
        mixing.run_epoch(
            state, state, examples, mixing.distinct_columns(examples), lambda: next(asked)
        )
    assert not len(mixing.find_differences(state, base).cells)
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
