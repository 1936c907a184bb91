"""Every criterion: the numbers of the modified OR, derivatives, and arrays beside plain rows."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import criteria
from hardlimit.exceptions import InputError, KindError

from ...rounding import near, roundings, within

OR = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1)]
HALF = Fraction(1, 2)
# w: J, J_p, J_q, J_r(1), J_r(1/2)
VALUES = {
    (0, 0, 0): (4, 0, 0, Fraction(2, 3), Fraction(1, 6)),
    (1, 1, 1): (2, 2, 2, Fraction(4, 3), Fraction(3, 4)),
    (2, 0, 0): (1, 2, 4, Fraction(3, 2), Fraction(25, 24)),
    (1, 1, -1): (0, 0, 0, 0, 0),
}
COLUMNS = (
    criteria.Misclassified(),
    criteria.PerceptronCriterion(),
    criteria.SquaredCriterion(),
    criteria.RelaxationCriterion(1),
    criteria.RelaxationCriterion(HALF),
)
QUADRATIC = COLUMNS[2:]
ALL = [criteria.get(name) for name in criteria.names()]


def test_the_signed_rows_of_the_modified_or():
    X = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    assert criteria.signed_rows(X, [-1, 1, 1, 1], bias_feature=-1) == OR
    assert criteria.signed_rows(X, [-1, 1, 1, 1], None) == [z[:2] for z in OR]


@pytest.mark.parametrize("kind", [int, Fraction, float], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("w", VALUES, ids=str)
def test_values_on_the_modified_or(w, kind):
    rows = [tuple(map(kind, z)) for z in OR]
    found = [criterion.value(rows, list(map(kind, w))) for criterion in COLUMNS]
    if kind is float:
        assert found == near([float(value) for value in VALUES[w]], 10)
    else:
        assert found == list(VALUES[w])


@pytest.mark.parametrize(
    ("criterion", "gradient", "rho", "after"),
    [
        (COLUMNS[2], (0, 0, 4), Fraction(1, 4), (1, 1, 0)),
        (COLUMNS[3], (0, 0, Fraction(4, 3)), 1, (1, 1, Fraction(-1, 3))),
        (COLUMNS[4], (0, 0, 1), Fraction(3, 2), (1, 1, -HALF)),
    ],
    ids=["J_q", "J_r(1)", "J_r(1/2)"],
)
def test_line_search_on_the_modified_or(criterion, gradient, rho, after):
    w = (1, 1, 1)
    assert tuple(criterion.gradient(OR, w)) == gradient
    assert criterion.line_search(OR, w) == rho
    assert tuple(a - rho * g for a, g in zip(w, gradient, strict=True)) == after


def test_the_squared_criterion_ends_on_the_boundary_with_two_mistakes():
    w = (1, 1, 0)
    assert criteria.SquaredCriterion().value(OR, w) == 0
    assert criteria.SquaredCriterion().line_search(OR, w) == 0
    assert criteria.Misclassified().members(OR, w) == [1, 2]


def test_a_row_at_equality_bends_the_relaxation_criterion_though_it_adds_nothing():
    w, J_r = (1, 1, 1), criteria.RelaxationCriterion(1)
    assert J_r.members(OR, w) == [1, 2, 3]  # the last has z w = 1 = b
    assert J_r.value(OR, w) == J_r.value(OR[:3], w)
    assert J_r.gradient(OR, w) == J_r.gradient(OR[:3], w)
    assert J_r.line_search(OR, w) == 1
    assert J_r.line_search(OR[:3], w) == Fraction(3, 2)


@pytest.mark.parametrize("criterion", COLUMNS, ids=repr)
def test_membership_is_less_or_equal_to_the_last_bit(criterion):
    b = criterion.required
    for margin, inside in (
        (b, True),
        (b + Fraction(1, 10**30), False),
        (b - Fraction(1, 10**30), True),
    ):
        assert criterion.members([(Fraction(margin),)], [1]) == [0] * inside
    if b:  # beside 0 stands 0 itself
        above = np.nextafter(float(b), np.inf)
        assert list(criterion.members(np.array([[float(b)], [above]]), [1.0])) == [0]


def test_a_float_margin_on_exact_rows_is_read_as_it_is_written():
    J_r = criteria.RelaxationCriterion(0.1)
    assert J_r.members([(Fraction(1, 10),)], [1]) == [0]
    assert J_r.members([(Fraction(0.1),)], [1]) == []  # the double beside 1/10 lies above it
    assert J_r.value([(1, 0)], [0, 0]) == Fraction(1, 200)
    assert J_r.members([(0.1,)], [1.0]) == [0]


def drawn(seed, n_rows=40, n_columns=6):
    rng = np.random.default_rng(seed)
    Z, w, d = (rng.normal(size=size) for size in ((n_rows, n_columns), n_columns, n_columns))
    return Z, w, d


def size_of_terms(Z, w):
    """What no sum of the terms of a criterion, its gradient or its Hessian exceeds in size."""
    lengths = (Z**2).sum(1)
    margins = 1 + np.abs(Z) @ np.abs(w)
    return float((margins**2 * np.maximum(1, 1 / lengths) * (1 + lengths)).sum())


def away_from_kinks(criterion, Z, w, step):
    """Draw the margins apart from ``required``, so that a step crosses no kink."""
    margins = Z @ w - float(criterion.required)
    reach = 10 * step * np.abs(Z).sum(axis=1)
    kept = np.abs(margins) > reach
    assert kept.sum() > 30
    assert 0 < (margins[kept] < 0).sum() < kept.sum()
    return Z[kept]


@pytest.mark.parametrize("criterion", COLUMNS, ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_is_the_central_difference_of_the_value(criterion, seed):
    Z, w, _ = drawn(seed)
    step = 1e-6
    Z = away_from_kinks(criterion, Z, w, step)
    for j, slope in enumerate(criterion.gradient(Z, w)):
        e = np.zeros_like(w)
        e[j] = step
        difference = (criterion.value(Z, w + e) - criterion.value(Z, w - e)) / (2 * step)
        # Between kinks a criterion is a parabola, whose central differences are its slopes.
        assert slope == within(difference, roundings(20) * size_of_terms(Z, w) / step)


@pytest.mark.parametrize("criterion", COLUMNS, ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_the_hessian_is_the_difference_of_gradients(criterion, seed):
    Z, w, d = drawn(seed)
    step = 1e-4
    Z = away_from_kinks(criterion, Z, w, step * np.abs(d).max())
    up, down = (criterion.gradient(Z, w + s * d) for s in (step, -step))
    lost = roundings(20) * size_of_terms(Z, w) / step
    assert criterion.hessian(Z, w, d) == within((up - down) / (2 * step), lost)


@pytest.mark.parametrize("criterion", QUADRATIC, ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_the_line_search_is_best_while_the_members_stay(criterion, seed):
    rows = [tuple(Fraction(int(a)) for a in z) for z in np.round(drawn(seed)[0] * 8)]
    w = [Fraction(int(a)) for a in np.round(drawn(seed)[1] * 8)]
    rho, g = criterion.line_search(rows, w), criterion.gradient(rows, w)
    kept = [rows[i] for i in criterion.members(rows, w)]

    def model(rho):  # the quadratic through the members at w
        moved = [a - rho * b for a, b in zip(w, g, strict=True)]
        margins = [sum(a * b for a, b in zip(z, moved, strict=True)) for z in kept]
        lengths = [sum(a * a for a in z) for z in kept]
        if isinstance(criterion, criteria.SquaredCriterion):
            return sum(m * m for m in margins)
        b = criterion.b
        return sum((m - b) ** 2 / (2 * q) for m, q in zip(margins, lengths, strict=True))

    assert model(rho) < model(rho * Fraction(99, 100))
    assert model(rho) < model(rho * Fraction(101, 100))
    assert model(rho * Fraction(99, 100)) == model(
        rho * Fraction(101, 100)
    )  # a parabola around rho


@pytest.mark.parametrize("criterion", COLUMNS, ids=repr)
@pytest.mark.parametrize("layout", [np.asarray, csr_matrix], ids=["dense", "CSR"])
def test_arrays_answer_as_plain_rows_do(criterion, layout):
    Z, w, d = drawn(1)
    Z[np.abs(Z) < 0.5] = 0
    rows, plain = layout(Z), [tuple(map(float, z)) for z in Z]
    assert list(criterion.members(rows, w)) == criterion.members(plain, list(w))
    for verb, rest in (("value", ()), ("gradient", ()), ("hessian", (d,))):
        array = getattr(criterion, verb)(rows, w, *rest)
        slow = getattr(criterion, verb)(plain, list(map(float, w)), *map(list, rest))
        assert array == near(slow, 300, size=size_of_terms(Z, w))
    if criterion in QUADRATIC:
        slow = criterion.line_search(plain, list(map(float, w)))
        assert criterion.line_search(rows, w) == near(slow, 500)


@pytest.mark.parametrize("layout", [np.asarray, csr_matrix], ids=["dense", "CSR"])
@pytest.mark.parametrize("bias", [1, -1, 0.1, None])
def test_signed_arrays_are_the_signed_rows(layout, bias):
    X = np.array([[1.0, 0.0], [0.0, 3.0], [2.0, 2.0]])
    plain = criteria.signed_rows(X.tolist(), [1, -1, 1], bias)
    rows = criteria.signed_rows(layout(X), [1, -1, 1], bias)
    np.testing.assert_array_equal(rows.toarray() if layout is csr_matrix else rows, plain)


def test_an_array_of_fractions_stays_exact():
    rows = np.array([[Fraction(z) for z in row] for row in OR], dtype=object)
    assert criteria.RelaxationCriterion(1).value(rows, [1, 1, 1]) == Fraction(4, 3)


@pytest.mark.parametrize("criterion", ALL, ids=repr)
@pytest.mark.parametrize("rows", [OR, np.array(OR), csr_matrix(OR)], ids=["plain", "dense", "CSR"])
def test_nobody_wrong_is_zero_everywhere(criterion, rows):
    w = [2, 2, -2]
    assert len(criterion.members(rows, w)) == 0
    assert criterion.value(rows, w) == 0
    assert not any(criterion.gradient(rows, w))
    assert not any(criterion.hessian(rows, w, [1, 2, 3]))


@pytest.mark.parametrize("criterion", [*COLUMNS[1:3]], ids=["J_p", "J_q"])
def test_zero_weights_are_a_minimum_whatever_the_data(criterion):
    contradiction = [(1, 1), (-1, -1)]
    assert criterion.value(contradiction, [0, 0]) == 0
    assert criteria.RelaxationCriterion(1).value(contradiction, [0, 0]) == HALF


def test_a_tiny_gradient_has_its_line_search_all_the_same():
    Z, w, _ = drawn(2)
    J_q = criteria.SquaredCriterion()
    expected = J_q.line_search(Z, w)
    assert J_q.line_search(Z, w * 1e-200) == near(expected, 500)
    plain = [tuple(map(float, z)) for z in Z]
    assert J_q.line_search(plain, [a * 1e-200 for a in w]) == near(expected, 500)


@pytest.mark.parametrize("criterion", COLUMNS[:2], ids=repr)
def test_line_search_is_refused_with_the_reason(criterion):
    with pytest.raises(InputError, match=r"line_search: .*(Hessian of J_p is 0|slope 0).*Squared"):
        criterion.line_search(OR, [1, 1, 1])


@pytest.mark.parametrize("b", [0, -1, float("nan"), float("inf"), "1", None])
def test_a_relaxation_criterion_needs_a_positive_margin(b):
    with pytest.raises(InputError, match="b="):
        criteria.RelaxationCriterion(b)


@pytest.mark.parametrize("layout", [list, np.array, csr_matrix], ids=["plain", "dense", "CSR"])
@pytest.mark.parametrize("criterion", ALL, ids=repr)
def test_what_cannot_be_used_is_refused(criterion, layout):
    with pytest.raises(InputError, match=r"row 1 times w is nan"):
        criterion.value(layout([[1.0, 2.0], [float("nan"), 1.0]]), [1.0, 1.0])
    with pytest.raises(InputError, match=r"row 0 times w is inf"):
        criterion.members(layout([[float("inf"), 2.0]]), [1.0, 1.0])
    with pytest.raises(InputError, match=r"3|2"):
        criterion.gradient(layout([[1.0, 2.0, 3.0]]), [1.0, 1.0])
    with pytest.raises(InputError, match="direction of length 2"):
        criterion.hessian(layout([[1.0, 2.0, 3.0]]), [0.0, 0.0, 0.0], [1.0, 1.0])


@pytest.mark.parametrize("layout", [list, np.array, csr_matrix], ids=["plain", "dense", "CSR"])
def test_a_row_of_zeros_has_no_distance(layout):
    rows = layout([[1.0, 2.0], [0.0, 0.0]])
    assert criteria.PerceptronCriterion().value(rows, [1.0, 1.0]) == 0
    for verb in ("value", "gradient", "line_search"):
        with pytest.raises(InputError, match="all zeros"):
            getattr(criteria.RelaxationCriterion(1), verb)(rows, [1.0, 1.0])


def test_kinds_names_and_targets_that_cannot_be_used():
    with pytest.raises(KindError, match="signed_rows"):
        criteria.Misclassified().value("rows", [1])
    with pytest.raises(InputError, match="1 dimension"):
        criteria.Misclassified().value(np.ones(3), [1.0])
    with pytest.raises(InputError, match="squared-criterion"):
        criteria.get("squared")
    with pytest.raises(InputError, match="row 1: got y=0, wanted -1 or"):
        criteria.signed_rows([[1], [2]], [1, 0])
    with pytest.raises(InputError, match="2 rows and 1 target"):
        criteria.signed_rows([[1], [2]], [1])


@pytest.mark.parametrize("criterion", ALL, ids=repr)
def test_a_criterion_says_what_a_reader_needs(criterion):
    text = type(criterion).__doc__
    for word in ("Unit:", "Where it fails", "gradient", "Duda, Hart and Stork", ">>>"):
        assert word in text


def test_plain_rows_load_no_numpy():
    import subprocess
    import sys

    program = (
        "import sys; from hardlimit import criteria\n"
        "criteria.SquaredCriterion().line_search([(1, 2)], [-1, 0])\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
