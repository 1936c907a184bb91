"""Corrections that are solved together with guards: the smallest change, by trying all faces."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import hardlimit as hl
from hardlimit.exceptions import CorrectionError

from ..rounding import within

# Far above what is lost on points of whole numbers up to 3, far below what a broken margin lacks.
SLACK = 1e-10
POINT = st.lists(st.integers(-3, 3).map(float), min_size=4, max_size=4).filter(any)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Models of two to four classes, whose weights are in the order of the classes."""
    made = {}
    for n in (2, 3, 4):
        X = np.vstack([np.eye(4)[:n] * 2, np.eye(4)[:n]])
        path = tmp_path_factory.mktemp("solving") / f"of{n}"
        rows = hl.LinearClassifier(fit_intercept=False, order="cyclic")
        made[n] = str(path)
        rows.fit(X, [*range(n)] * 2).save(path)
    return made


def smallest(Z, c):
    """The smallest d with Z d >= c, found by trying all sets of tight constraints."""
    best = None
    for size in range(len(Z) + 1):
        for tight in combinations(range(len(Z)), size):
            A = Z[list(tight)]
            d = A.T @ np.linalg.lstsq(A @ A.T, c[list(tight)], rcond=None)[0] if size else 0 * Z[0]
            if (Z @ d >= c - SLACK).all() and (best is None or d @ d < best @ best):
                best = d
    return best


def constraints(n, scores, x, y, margin):
    """Rows and right sides of: the class beats each rival by the margin."""
    x = np.array(x)
    if n == 2:
        sign = 1 if y else -1
        return [(sign * x, margin - sign * scores[0])]
    found = []
    for rival in range(n):
        if rival != y:
            z = np.zeros((n, 4))
            z[y], z[rival] = x, -x
            found.append((z.ravel(), margin - scores[y] + scores[rival]))
    return found


@settings(max_examples=30)
@given(st.integers(2, 4), st.lists(POINT, min_size=2, max_size=3, unique_by=tuple),
       st.integers(0, 3), st.sampled_from([0.5, 2.0]))  # fmt: skip
def test_the_change_is_the_smallest_that_leaves_the_guards(models, n, points, y, margin):
    y, points = min(y, n - 1), points[: 3 if n < 4 else 2]
    live = hl.open_live(models[n], ledger=None)
    base = {tuple(x): live.scores([x])[0] for x in points}
    guards = {}
    for number, x in zip(live.add_guards([(x, None) for x in points[1:]], margin=0.25),
                         points[1:], strict=True):  # fmt: skip
        guards[number] = (x, live.predict([x])[0])

    def labels(d):
        weights = d.reshape(-1, 4)
        for number, (x, label) in guards.items():
            scores = np.array(base[tuple(x)]) + weights @ np.array(x)
            now = int(scores[0] > 0) if n == 2 else int(scores.argmax())
            # Of a tie, roundings decide whether the guard flips.
            gap = abs(scores[0]) if n == 2 else np.diff(np.sort(scores))[-1]
            assume(gap > SLACK)
            if now != label:
                yield number

    joined = []
    while True:
        asked = constraints(n, base[tuple(points[0])], points[0], y, margin)
        for number in joined:
            x, label = guards[number]
            asked += constraints(n, base[tuple(x)], x, label, 0.25)
        wanted = smallest(np.array([z for z, _ in asked]), np.array([c for _, c in asked]))
        flipped = [] if wanted is None else [one for one in labels(wanted) if one not in joined]
        if not flipped:
            break
        joined += flipped
    try:
        told = live.correct(points[0], y, margin=margin, guards="solve")
    except CorrectionError as error:
        assert error.topic in ("infeasible", "same-as-a-guard")
        assert wanted is None
        return
    moved = np.zeros((1 if n == 2 else n, 4))
    for key, output, weight in live.state.overlay.weights():
        moved[0 if n == 2 else output, key] = weight
    assert wanted is not None and moved.ravel() == within(wanted, SLACK)
    assert told.after.label == y and told.after.margin >= margin and live.check_guards() == []
    live.undo(live.n_entries)
    assert live.state.overlay.weights() == []
    assert {tuple(x): live.scores([x])[0] for x in points} == base
