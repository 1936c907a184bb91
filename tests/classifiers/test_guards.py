"""Guards against noise: against the textbook, exactly, and their own bounds."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, guards, orders, rules, textbook
from hardlimit.exceptions import ConvergenceWarning, InputError

from ..rounding import near

SEED = 2
SETS = [
    (guards.LambdaTrick(4),),
    (guards.AlphaBound(2),),
    (guards.Margin(3),),
    (guards.LambdaTrick(2), guards.AlphaBound(3)),
    (guards.Margin(2), guards.LambdaTrick(5), guards.AlphaBound(4)),
]


def noisy(n=30):
    rng = np.random.default_rng(1)
    return rng.integers(-3, 4, (n, 3)), rng.integers(0, 2, n)


def rows(epoch):
    return orders.Shuffled().positions(30, SEED, epoch - 1).tolist()


@pytest.mark.parametrize("guard", SETS, ids=str)
def test_guards_are_the_textbooks(guard):
    X, y = noisy()
    clf = LinearClassifier(guard=guard, readout="last", until=None, max_iter=6, random_state=SEED,
                           bias_feature=-1.0).fit(X, y)  # fmt: skip
    numbers = {"b": 0, "lam": 0, "alpha": None}
    for one in guards.resolve(guard):
        numbers |= one.get_params()
    steps = textbook.noise_tolerant(
        textbook.examples(X, 2 * y - 1), margin=numbers["b"], lam=numbers["lam"],
        bound=numbers["alpha"], order=rows, until=None, max_iter=6,
    )  # fmt: skip
    outcome = textbook.run(steps).outcome
    assert (*clf.coef_[0].tolist(), -float(clf.intercept_[0])) == outcome.w
    assert clf.n_corrections_ == outcome.corrections


def test_neutral_guards_are_the_plain_perceptron():
    X, y = noisy()
    plain = LinearClassifier(until=None, max_iter=5).fit(X, y)
    for guard in ((), guards.AlphaBound(10**6)):
        clf = LinearClassifier(guard=guard, until=None, max_iter=5).fit(X, y)
        assert (clf.coef_ == plain.coef_).all()


@pytest.mark.parametrize("seed", range(5))
def test_training_under_a_guard_always_ends(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    radius2 = (X**2).sum(1).max() + 1
    for lam in (1.0, radius2):
        clf = LinearClassifier(guard=guards.LambdaTrick(lam), max_iter=10**6).fit(X, y)
        assert clf.stop_reason_ in ("settled", "separated")
        assert clf.n_corrections_ <= 40 * (radius2 + lam) / lam
    clf = LinearClassifier(guard=guards.AlphaBound(3), max_iter=10**6).fit(X, y)
    assert clf.stop_reason_ in ("settled", "separated")
    assert clf.n_corrections_ <= 40 * 3


def test_lambda_is_a_coordinate_for_each_example():
    """The same run as on rows that carry sqrt(lam) e_i, also for a rule that asks for ||x||^2."""
    X, y = noisy()
    lam = 4.0
    wide = np.hstack([X, 2.0 * np.eye(30)])
    for rule in ("perceptron", rules.PassiveAggressive(C=0.5), rules.Relaxation(b=1)):
        for multiclass, labels in (("coupled", y), ("ovr", y + (X[:, 0] > 1))):
            settings = {"until": None, "max_iter": 4, "readout": "last", "multiclass": multiclass}
            a = LinearClassifier(rule, guard=guards.LambdaTrick(lam), **settings).fit(X, labels)
            b = LinearClassifier(rule, **settings).fit(wide, labels)
            assert a.coef_ == near(b.coef_[:, :3], 5000)
            assert a.n_corrections_ == b.n_corrections_


def test_settled_warns_where_separation_was_asked_for():
    clf = LinearClassifier(guard=guards.AlphaBound(1), until="separated")
    with pytest.warns(ConvergenceWarning, match="settled after"):
        clf.fit(*noisy())


def test_guards_need_to_know_the_examples():
    X, y = noisy()
    with pytest.raises(InputError, match="in a stream every example is new"):
        LinearClassifier(guard=guards.AlphaBound(2)).partial_fit(X, y)
    clf = LinearClassifier(guard=guards.AlphaBound(2)).fit(X, y)
    with pytest.raises(InputError, match="use fit, guards.Margin, or guard=None"):
        clf.partial_fit(X, y)


def test_guards_are_searched_like_other_parameters():
    clf = LinearClassifier(guard=guards.AlphaBound(3)).set_params(guard__alpha=5)
    assert clf.guard == guards.AlphaBound(5)
    assert clf.get_params()["guard__alpha"] == 5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: guards.AlphaBound(0), "alpha=0, wanted a number > 0"),
        (lambda: guards.AlphaBound(1.5), "wanted a whole number"),
        (lambda: guards.LambdaTrick(-1), "lam=-1"),
        (lambda: guards.LambdaTrick(float("nan")), "lam=nan"),
        (lambda: guards.Margin("1"), "b='1'"),
        (lambda: guards.resolve((guards.Margin(1), guards.Margin(2))), "each kind once"),
        (lambda: guards.resolve(3), "wanted objects of hardlimit.guards"),
    ],
)
def test_guards_out_of_range_are_refused(make, message):
    with pytest.raises((InputError, TypeError), match=message):
        make()


def test_in_a_batch_what_cancels_in_the_weights_does_not_cancel_in_the_examples():
    """XOR under the lambda-trick: a coordinate for each example separates it at once."""
    XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), [0, 1, 1, 0]
    clf = LinearClassifier(guard=guards.LambdaTrick(1.0), order="batch")
    clf.fit(*XOR)
    assert clf.stop_reason_ == "settled"
    assert clf.n_i_.tolist() == [1, 1, 1, 1]
    wide = np.hstack([XOR[0], np.eye(4)])
    explicit = LinearClassifier(order="batch", readout="last").fit(wide, XOR[1])
    assert explicit.n_corrections_ == clf.n_corrections_ == 1


def test_a_line_search_does_not_know_the_coordinates_of_the_examples():
    settings = {"order": "batch", "schedule": "line-search", "guard": guards.LambdaTrick(0.5)}
    with pytest.raises(InputError, match="a coordinate of its own"):
        LinearClassifier("relaxation", **settings).fit([[1.0], [2.0]], [0, 1])


def run_of(rule, guard, X, y, **settings):
    """Weights and corrections, or that it was refused."""
    choices = {"order": "cyclic", "until": None, "max_iter": 6, "readout": "last", "keep": "last"}
    try:
        clf = LinearClassifier(rule, guard=guard, **choices, **settings).fit(X, y)
    except InputError:
        return "refused"
    return clf.coef_.tolist(), clf.intercept_.tolist(), int(clf.n_corrections_)


@pytest.mark.filterwarnings("ignore::hardlimit.exceptions.HardlimitWarning")
@pytest.mark.parametrize("name", rules.names())
def test_every_guard_stands_before_a_compiled_rule_as_before_one_of_python(name):
    """A subclass runs itself, whatever its compiled twin knows of its own thresholds."""
    rng = np.random.default_rng(0)
    X = np.abs(rng.normal(size=(80, 4)))
    y = ((X @ [1, -1, 2, -1.5] > 0) ^ (rng.random(80) < 0.2)).astype(int)
    compiled = rules.get(name)
    own = type("Own", (type(compiled),), {})()
    every = (
        guards.AlphaBound(2),
        guards.LambdaTrick(0.7),
        guards.BoxConstraint(1.5),
        guards.Margin(0.25),
    )
    assert {type(guard) for guard in every} == set(guards.GUARDS.members.values())
    for guard in every:
        run = run_of(compiled, guard, X, y)
        assert run == run_of(own, guard, X, y)
        if run != "refused" and isinstance(guard, guards.AlphaBound):
            assert run[2] <= 2 * len(X)
