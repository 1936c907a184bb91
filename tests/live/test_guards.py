"""Texts that no correction may flip."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, InputError, KindError

from .messages import TEXTS


def test_a_guard_refuses_what_would_flip_it(two, many):
    for path in (two, many):
        live = hl.open_live(path, ledger=None)
        label = live.predict(["lunch at noon?"])[0]
        other = next(one for one in live.classes if one != label)
        guard = live.add_guard("lunch at noon?", label)
        before = live.digest()
        with pytest.raises(CorrectionError) as refused:
            live.correct("lunch at noon now", other, margin=5.0, new_class=True)
        assert refused.value.topic == "guard-in-the-way" and refused.value.guards == (guard,)
        assert live.digest() == before
        told = live.correct("lunch at noon now", other, margin=5.0, dry_run=True, new_class=True)
        assert told.guards_in_the_way == (guard,)
        assert live.digest() == before


def test_solving_leaves_all_guards_as_they_are(two, many):
    for path in (two, many):
        live = hl.open_live(path, ledger=None)
        for text in TEXTS[:6]:
            live.add_guard(text)
        before = live.predict(TEXTS[:6])
        for label in live.classes:
            receipt = live.correct(
                "win lunch now prize minutes", label, guards="solve", margin=2.0, new_class=True
            )
            assert receipt.after.label == label and receipt.after.margin >= 2.0
            assert live.predict(TEXTS[:6]) == before
        assert live.check_guards() == []
        live.verify()


def test_a_flag_tells_which_guards_it_flipped(two):
    live = hl.open_live(two, ledger=None)
    guard = live.add_guard("lunch at noon?", "ham")
    receipt = live.correct("lunch at noon now", "spam", margin=5.0, guards="flag")
    assert receipt.flagged == (guard,) and live.check_guards() == [guard]
    live.undo(receipt.id)
    assert live.check_guards() == []


def test_the_same_features_as_a_guard_of_another_label_are_refused(two):
    live = hl.open_live(two, ledger=None)
    live.add_guard("lunch at noon?", "ham")
    for policy in ("refuse", "solve", "flag"):
        with pytest.raises(CorrectionError) as refused:
            live.correct("LUNCH at noon!", "spam", guards=policy)
        assert refused.value.topic == "same-as-a-guard"


def test_a_guard_does_not_stand_in_the_way_of_its_own_label(two):
    live = hl.open_live(two, ledger=None)
    live.add_guard("lunch at noon?", "ham")
    receipt = live.correct("LUNCH at noon!", "ham", margin=5.0)
    assert receipt.after.margin >= 5.0 and live.check_guards() == []


def test_solving_leaves_a_guard_flipped_that_was_flagged_before(two):
    """A flag is a decision: a later correction of another text does not take it back."""
    live = hl.open_live(two, ledger=None)
    flagged = [live.add_guard("lunch at noon?"), live.add_guard("see you at lunch")]
    live.correct("lunch at noon now", "spam", margin=5.0, guards="flag")
    assert live.check_guards() == flagged
    third = live.add_guard("minutes of the meeting")
    receipt = live.correct("the meeting minutes of lunch", "spam", margin=6.0, guards="solve")
    assert receipt.guards_in_the_way == (third,)
    assert live.check_guards() == flagged and live.verify() == 5


def test_an_undo_leaves_the_guards_and_names_those_that_hold_no_more(two, ledger):
    with hl.open_live(two, ledger) as live:
        done = live.correct("lunch at noon?", "spam").id
        guard = live.add_guard("lunch at noon?", "spam")
        other = live.add_guard("win a prize now")
        told = live.undo(done, dry_run=True)
        assert told.flagged == (guard,) and live.check_guards() == []
        receipt = live.undo(done)
        assert receipt.flagged == (guard,) and live.check_guards() == [guard]
        assert [entry.id for entry, _ in live.guards()] == [guard, other]
        assert list(live.log())[-1].details["flagged"] == [guard]
        assert live.undo(receipt.id).flagged == () and live.check_guards() == []
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 5


def test_a_guard_that_does_not_hold_now_is_refused(two):
    live = hl.open_live(two, ledger=None)
    with pytest.raises(CorrectionError) as refused:
        live.add_guards([("win a prize", "spam"), ("lunch at noon?", "spam")])
    assert refused.value.topic == "guard-does-not-hold"
    assert live.n_entries == 0 and live.guards() == []


def test_guards_are_entries_that_can_be_removed_and_undone(two, ledger):
    with hl.open_live(two, ledger) as live:
        guard = live.add_guard("lunch at noon?")
        removed = live.remove_guard(guard)
        assert live.guards() == []
        live.undo(removed)
        assert [entry.id for entry, _ in live.guards()] == [guard]
        live.undo(guard)
        assert live.guards() == []
        with pytest.raises(CorrectionError) as refused:
            live.remove_guard(guard)
        assert refused.value.topic == "no-such-entry"
        live.verify()


def test_an_infeasible_correction_comes_with_multipliers_that_prove_it(tmp_path):
    # Three points on a line: the middle one cannot be on the other side of both ends.
    X = [[1.0, 1.0], [3.0, 1.0], [-1.0, 2.0], [-2.0, -2.0]]
    path = tmp_path / "line.hardlimit"
    hl.LinearClassifier(fit_intercept=False).fit(X, [1, 1, 0, 0]).save(path)
    live = hl.open_live(path, ledger=None)
    left, right, middle = [1.0, 1.0], [3.0, 1.0], [2.0, 1.0]
    ids = live.add_guards([(left, 1), (right, 1)])
    with pytest.raises(CorrectionError) as refused:
        live.correct(middle, 0, guards="solve")
    error = refused.value
    assert error.topic == "infeasible" and set(error.guards) == set(ids)
    points = {0: (middle, -1), ids[0]: (left, 1), ids[1]: (right, 1)}
    total = [Fraction(0), Fraction(0)]
    for source, multiplier in error.multipliers:
        point, sign = points[source]
        assert Fraction(multiplier) > 0
        total = [
            t + Fraction(multiplier) * sign * Fraction(v) for t, v in zip(total, point, strict=True)
        ]
    assert total == [0, 0]


def solve_with_scipy(start, scores, wanted):
    """The smallest change of the weights (n_classes, n_columns) that meets all margins."""
    n_classes, n_columns = start.shape

    def gap(flat, x, label, rival, margin):
        change = flat.reshape(n_classes, n_columns) @ np.array(x)
        if n_classes == 2:
            return (1 if label else -1) * (scores[tuple(x)][0] + change[1]) - margin
        s = np.array(scores[tuple(x)]) + change
        return s[label] - s[rival] - margin

    constraints = [
        {"type": "ineq", "fun": lambda d, x=x, a=a, r=r, m=m: gap(d, x, a, r, m)}
        for x, a, m in wanted
        for r in range(n_classes)
        if r != a
    ]
    found = minimize(
        lambda d: d @ d, start.ravel(), jac=lambda d: 2 * d, constraints=constraints,
        method="SLSQP", options={"ftol": 1e-12, "maxiter": 500},
    )  # fmt: skip
    return found.fun if found.success else None


@settings(max_examples=15)
@given(st.data())
def test_solving_with_guards_is_the_change_of_a_general_solver(tmp_path_factory, data):
    n_classes = data.draw(st.integers(2, 4))
    point = st.lists(st.integers(-4, 4).map(float), min_size=4, max_size=4).filter(any)
    X = np.vstack([np.eye(4)[:n_classes] * 2, np.eye(4)[:n_classes]])
    path = tmp_path_factory.mktemp("drawn") / "model"
    rows = hl.LinearClassifier(fit_intercept=False, order="cyclic")
    rows.fit(X, [*range(n_classes)] * 2).save(path)
    live = hl.open_live(path, ledger=None)
    points = data.draw(st.lists(point, min_size=2, max_size=4, unique_by=tuple))
    scores = {tuple(x): live.scores([x])[0] for x in points}
    live.add_guards([(one, None) for one in points[1:]], margin=0.5)
    y = data.draw(st.integers(0, n_classes - 1))
    try:
        told = live.correct(points[0], y, guards="solve")
    except CorrectionError as error:
        assert error.topic in ("infeasible", "same-as-a-guard")
        return
    assert told.after.margin >= 1.0 and live.check_guards() == []
    moved = np.zeros((n_classes, 4))
    for key, k, weight in live.state.overlay.weights():
        moved[k, key] = weight
    # Its length lies between that with the guards in the way alone and that with all of them.
    asked = [(points[entry.id], entry.label, 0.5, entry.id) for entry, _ in live.guards()]
    few = [one[:3] for one in asked if one[3] in told.guards_in_the_way]
    least = solve_with_scipy(moved, scores, [(points[0], y, 1.0), *few])
    most = solve_with_scipy(moved, scores, [(points[0], y, 1.0), *(one[:3] for one in asked)])
    # SLSQP meets its constraints, and so the squared length, to about 1e-6.
    assert least is None or (moved**2).sum() >= least - 1e-5
    # SLSQP meets its constraints, and so the squared length, to about 1e-6.
    assert most is None or (moved**2).sum() <= most + 1e-5


def test_what_is_no_pair_no_number_and_no_rate_is_refused_by_name(two):
    live = hl.open_live(two, ledger=None)
    with pytest.raises(KindError, match="pairs"):
        live.add_guards(["lunch at noon?"])
    for number in ("1", True, None):
        with pytest.raises(InputError, match="whole number"):
            live.undo(number)
    with pytest.raises(InputError, match="rate"):
        hl.open_live(two, ledger=None, rate=3)
