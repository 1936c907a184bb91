"""The other algorithms: what each promises, and that those that are the same run agree."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from hardlimit import rules, textbook
from hardlimit.exceptions import InputError, KindError

from ..rounding import near, roundings
from .boards import OR, W1, W2, exercise, modified_or, vector


def weights_of(steps):
    return [s.w_after for s in steps]


@pytest.mark.parametrize("eta", [1, Fraction(1, 3)])
def test_the_dual_form_is_the_same_run(eta):
    ex = exercise(W1, W2)
    primal = textbook.run(textbook.incremental(ex, schedule=eta))
    dual = textbook.run(textbook.dual(ex, eta=eta))
    assert [s.corrected for s in dual.steps] == [s.corrected for s in primal.steps]
    assert [s.margin for s in dual.steps] == [s.margin for s in primal.steps]
    assert dual.outcome.w == primal.outcome.w
    assert dual.outcome.alpha == primal.outcome.alpha == tuple(eta * n for n in dual.outcome.counts)


def test_a_kernel_separates_xor():
    ex = textbook.examples([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], bias_feature=1)
    linear = textbook.run(textbook.dual(ex, max_iter=50)).outcome
    assert linear.reason == "max_iter"
    square = textbook.dual(ex, kernel=lambda a, b: (1 + textbook_dot(a, b)) ** 2)
    outcome = textbook.run(square).outcome
    assert (outcome.reason, outcome.wrong, outcome.w) == ("separated", (), ())


def textbook_dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


def test_the_variable_increment_counts_corrections():
    """eta = 1/step is never asked for step 0, and is not periodic."""
    steps, outcome = textbook.run(textbook.with_margin(modified_or(), b=1))
    taus = [s.tau for s in steps if s.corrected]
    assert taus == [Fraction(1, k) for k in range(1, len(taus) + 1)]
    assert outcome.reason == "margin_reached"
    assert min(textbook_dot(outcome.w, z) for z in modified_or().signed) > 1
    steps, _ = textbook.run(textbook.in_batches(exercise(W1, W2), max_iter=4))
    first = [[s for s in steps if s.epoch == k] for k in (1, 2)]
    assert {s.tau for s in first[0] if s.corrected} == {1}
    assert {s.tau for s in first[1] if s.corrected} == {Fraction(1, 2)}


def test_the_margin_perceptron_by_hand():
    run = textbook.incremental(modified_or(), rules.MarginPerceptron(b=1), until="margin")
    steps, outcome = textbook.run(run)
    expected = "1 1 1, 2 0 0, 1 1 -1, 2 2 0, 3 1 -1, 2 2 -2".split(",")
    assert weights_of(s for s in steps if s.corrected) == [vector(w) for w in expected]
    assert (outcome.corrections, outcome.epochs, outcome.reason) == (6, 3, "margin_reached")


def test_a_constant_learning_rate_only_scales():
    plain = textbook.run(textbook.incremental(exercise(W1, W2)))
    scaled = textbook.run(textbook.incremental(exercise(W1, W2), schedule="1/7"))
    assert [s.corrected for s in plain.steps] == [s.corrected for s in scaled.steps]
    assert scaled.outcome.w == tuple(v / 7 for v in plain.outcome.w)


def test_minover_takes_the_worst_and_approaches_the_best_margin():
    ex = modified_or()
    steps, outcome = textbook.run(textbook.minover(ex))
    assert [s.example for s in steps] == [0, 1, 2, 0]
    assert (outcome.reason, outcome.w) == ("separated", (1, 1, -1))
    last = 0.0
    for b in (0, 1, 10, 200):
        outcome = textbook.run(textbook.minover(ex, rules.MarginPerceptron(b=b))).outcome
        margin = float(min(textbook_dot(outcome.w, z) for z in ex.signed))
        gamma = margin / math.sqrt(textbook_dot(outcome.w, outcome.w))
        assert gamma >= last - roundings(100)
        last = gamma
        assert outcome.corrections <= (3 + 2 * b) * 3  # (R^2 + 2b) / gamma^2
    # Made of fractions, so that it is the same everywhere: b = 200 leaves less than a thousandth.
    assert last == pytest.approx(1 / math.sqrt(3), rel=1e-3)
    for s in textbook.minover(exercise(W1, W2)):
        assert s.margin == min(textbook_dot(s.w_before, z) for z in exercise(W1, W2).signed)


def test_neurons_are_perceptrons_on_their_own():
    X, targets = OR[0], [[-1, -1, -1], [1, -1, 1], [1, -1, 1], [1, 1, -1]]  # OR, AND, XOR
    found = textbook.neurons(X, targets, max_iter=6)
    reasons = [run.outcome.reason for run in found]
    assert reasons == ["separated", "separated", "cycling"]
    alone = textbook.run(textbook.incremental(textbook.examples(X, [t[1] for t in targets])))
    assert found[1] == alone


def test_coupled_classes_sum_to_zero_and_two_are_one():
    X = [[0, 0], [3, 0], [0, 3], [-3, -3], [4, 1], [-1, 4]]
    labels = ["o", "e", "n", "s", "e", "n"]
    steps, outcome = textbook.run(textbook.coupled(X, labels))
    assert outcome.reason == "separated"
    for s in steps:
        rows = textbook.rows_of_classes(s.w_after, 4)
        assert [sum(column) for column in zip(*rows, strict=True)] == [0, 0, 0]
        assert textbook_dot(s.z, s.z) == 2 * textbook_dot((*X[s.example], -1), (*X[s.example], -1))
    two = [label == "e" for label in labels]
    coupled = textbook.run(textbook.coupled(X, two)).steps
    single = textbook.run(textbook.incremental(textbook.examples(X, two))).steps
    assert [s.corrected for s in coupled] == [s.corrected for s in single]
    for a, b in zip(coupled, single, strict=True):
        low, high = textbook.rows_of_classes(a.w_after, 2)
        assert high == b.w_after == tuple(-v for v in low)


def test_guards_end_every_run():
    """Two equal rows with opposite targets: 2 (R^2 + lam) / lam corrections, or n bound."""
    contradiction = textbook.examples([[2], [2]], [1, -1], bias_feature=None)
    for lam in (1, 2, 5):
        outcome = textbook.run(textbook.noise_tolerant(contradiction, lam=lam)).outcome
        assert outcome.reason == "settled"
        assert 0 < outcome.corrections <= 2 * (4 + lam) / lam
    outcome = textbook.run(textbook.noise_tolerant(contradiction, bound=4)).outcome
    assert (outcome.reason, outcome.counts) == ("settled", (4, 4))
    outcome = textbook.run(textbook.noise_tolerant(contradiction, max_iter=20)).outcome
    assert (outcome.reason, outcome.corrections) == ("cycling", 2)


def test_guards_that_guard_nothing_are_the_perceptron():
    plain = textbook.run(textbook.incremental(exercise(W1, W2), until=None, max_iter=12))
    guarded = textbook.run(textbook.noise_tolerant(exercise(W1, W2), until=None, max_iter=12))
    assert plain == guarded
    margin = textbook.run(textbook.noise_tolerant(modified_or(), margin=1, until=None, max_iter=9))
    rule = textbook.run(
        textbook.incremental(modified_or(), rules.MarginPerceptron(1), until=None, max_iter=9)
    )
    assert weights_of(margin.steps) == weights_of(rule.steps)


def test_the_lambda_trick_is_a_coordinate_of_its_own():
    """Hard passive-aggressive reaches its margin in the space that has it."""
    lam = Fraction(2)
    hard = rules.PassiveAggressive(C=float("inf"))
    run = textbook.incremental(modified_or(), hard, guard=textbook.Guard(lam=lam), until=None)
    alpha = [Fraction(0)] * 4
    for _, s in zip(range(12), run, strict=False):
        if s.corrected:
            alpha[s.example] += s.tau
            assert textbook_dot(s.w_after, s.z) + lam * alpha[s.example] == 1


def test_an_average_is_over_the_violators():
    ex = textbook.examples([[1, 0], [0, 1], [1, 1]], [1, 1, -1], bias_feature=None)
    run = textbook.batch(ex, combine="average", w=(2, 0), max_iter=2)
    steps = textbook.run(run).steps
    assert [s.corrected for s in steps[:3]] == [False, True, True]
    assert steps[0].delta == vector("-1/2 0")


def test_the_worst_is_who_lacks_most_of_what_is_required():
    class Uneven(rules.Rule):
        def required(self, y):
            return 5 if y > 0 else 0

        def tau(self):
            return 1

    ex = textbook.examples([[1], [2]], [1, -1], bias_feature=None)
    first = next(textbook.minover(ex, Uneven(), w=(1,)))  # margins 1 and -2, required 5 and 0
    assert (first.example, first.required) == (0, 5)


@pytest.mark.parametrize("bias_feature", [None, -1, 3])
def test_the_bias_belongs_to_every_kernel(bias_feature):
    ex = modified_or(bias_feature)
    assert textbook.gram(ex, textbook_dot) == textbook.gram(ex)


@pytest.mark.parametrize("demotion", ["divide", "eliminate"])
@pytest.mark.parametrize(("n", "relevant"), [(4, (1,)), (5, (0, 3))])
def test_positive_winnow_learns_a_disjunction(n, relevant, demotion):
    X = [[code >> j & 1 for j in range(n)] for code in range(2**n)]
    y = [1 if any(x[j] for j in relevant) else -1 for x in X]
    ex = textbook.examples(X, y, bias_feature=None)
    steps, outcome = textbook.run(textbook.winnow(ex, demotion=demotion))
    assert (outcome.reason, outcome.wrong) == ("separated", ())
    bound = {
        "divide": 2 + 3 * len(relevant) * (1 + math.log2(n)),
        "eliminate": 1 + 2 * len(relevant) * (1 + math.log2(n)),
    }[demotion]
    assert outcome.corrections <= bound
    assert all(v >= 0 for s in steps for v in s.w_after)
    for s in steps:
        assert s.corrected == ((s.score > n) != (s.y > 0))


def test_winnow_refuses_what_it_cannot_do():
    with pytest.raises(InputError, match="negative feature.*bias_feature=None"):
        next(textbook.winnow(modified_or()))
    halves = textbook.examples([["1/2"], [1]], [1, -1], bias_feature=None)
    for algorithm in (textbook.winnow, textbook.balanced_winnow):
        with pytest.raises(InputError, match="number=float"):
            next(algorithm(halves))
        with pytest.raises(InputError, match="alpha"):
            next(algorithm(halves, alpha=1))


def test_balanced_winnow_is_a_perceptron_under_a_link():
    """On the exercise: v is what a perceptron would have added, the weight is 2 sinh of it."""
    ex = exercise(W1, W2, number=float)
    steps, outcome = textbook.run(textbook.balanced_winnow(ex, alpha=1.1))
    assert outcome.reason == "separated"
    for s in steps:
        sinh = [textbook.weight_of(v, 1.1) for v in s.v]
        assert list(s.w_after) == near(sinh, 1000)


@pytest.mark.parametrize("b", [0, 2])
def test_lazy_averages_are_the_sums(b):
    run = textbook.incremental(exercise(W1, W2), rules.MarginPerceptron(b), until=None, max_iter=5)
    steps = textbook.run(run).steps
    two = textbook.average_lazily(steps)
    for convention in textbook.CONVENTIONS:
        assert getattr(two, convention) == textbook.average(steps, convention)
    post, pre = textbook.average(steps, "post"), textbook.average(steps, "pre")
    assert post == tuple(a + b for a, b in zip(pre, steps[-1].w_after, strict=True))
    voted = textbook.survivors(steps)
    assert sum(survived for _, survived in voted) == len(steps)
    summed = [sum(c * v[j] for v, c in voted) for j in range(3)]
    assert tuple(summed) == post


def test_symmetries():
    ex = exercise(W1, W2)
    steps, outcome = textbook.run(textbook.incremental(ex))
    swapped = textbook.examples([x[:-1] for x in ex.rows], [-t for t in ex.targets], bias_feature=1)
    other = textbook.run(textbook.incremental(swapped))
    assert [s.corrected for s in other.steps] == [s.corrected for s in steps]
    assert other.outcome.w == tuple(-v for v in outcome.w)
    mirrored = textbook.examples([x[1::-1] for x in ex.rows], ex.targets, bias_feature=-1)
    w = textbook.run(textbook.incremental(mirrored)).outcome.w
    assert w == (outcome.w[1], outcome.w[0], -outcome.w[2])
    R2 = max(textbook_dot(z, z) for z in ex.signed)
    for s in steps:
        assert textbook_dot(s.w_after, s.w_after) <= s.step * R2
        if s.corrected:
            assert textbook_dot(s.w_after, s.z) == s.margin + textbook_dot(s.z, s.z)


def test_start_weights_and_orders():
    ex = modified_or(number=int)
    backwards = textbook.incremental(ex, order=[[3, 2, 1, 0]] * 2, w=(0, 0, 1))
    steps, outcome = textbook.run(backwards)
    assert [s.example for s in steps] == [3, 2, 1, 0] * 2
    assert steps[0].w_before == (0, 0, 1)
    twice = textbook.incremental(ex, order=lambda epoch: [0, 0] if epoch == 1 else range(4))
    assert [s.example for s in textbook.run(twice).steps[:3]] == [0, 0, 0]
    with pytest.raises(InputError, match="wanted 3"):
        next(textbook.incremental(ex, w=(1, 2)))


@pytest.mark.parametrize(
    ("X", "y", "error", "word"),
    [
        ([[1, 2], [3]], [1, -1], InputError, "different lengths"),
        ([[1], [2]], [1], InputError, "2 rows and 1 target"),
        ([], [], InputError, "0 rows"),
        ([[1], [2], [3]], [1, 2, 3], InputError, "3 classes"),
        ([[1], [2]], ["a", 1], KindError, "different kinds"),
        ([[float("nan")], [2]], [1, -1], InputError, "finite"),
        ([[float("inf")], [2]], [1, -1], InputError, "finite"),
        ([["1/0"], [2]], [1, -1], InputError, "zero"),
        ([[None], [2]], [1, -1], InputError, "None"),
    ],
)
def test_what_is_no_data_is_refused(X, y, error, word):
    with pytest.raises(error, match=word):
        textbook.examples(X, y)


def test_arrays_and_sparse_matrices_are_read_as_they_are_written():
    np = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    X = [[0.1, 0], [0, 2.5]]
    rows = textbook.examples(X, [1, -1]).rows
    assert rows == ((Fraction(1, 10), 0, -1), (0, Fraction(5, 2), -1))
    for other in (np.array(X), np.array(X, dtype=np.float64), sparse.csr_matrix(X)):
        assert textbook.examples(other, np.array([1, -1])).rows == rows


def test_a_rule_that_takes_roots_is_refused_in_fractions():
    class Roots(rules.Rule):
        exact = False

        def tau(self, sqnorm):
            return 1 / math.sqrt(sqnorm)

    with pytest.raises(InputError, match="number=float"):
        next(textbook.incremental(modified_or(), Roots()))
    assert textbook.run(textbook.incremental(modified_or(number=float), Roots())).outcome.w
