"""The dual form: what it shares with the primal one, theorems, streams, and what is refused."""

import gc
import weakref

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    guards,
    kernels,
    readouts,
    rules,
    textbook,
)
from hardlimit.classifiers.model import kernel_training
from hardlimit.exceptions import (
    InputError,
    KindError,
    NotFittedError,
)

from ..rounding import near

ADDITIVE = [name for name in rules.names() if rules.get(name).answers in ("tau", "shrink, tau")]
XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])


def whole(seed, n=60, d=4, classes=3):
    draw = np.random.default_rng(seed)
    return draw.integers(-3, 4, (n, d)).astype(float), draw.integers(0, classes, n)


def separable(seed, classes=2):
    draw = np.random.default_rng(seed)
    X, w = draw.standard_normal((80, 4)), draw.standard_normal(4)
    X = X[np.abs(X @ w) > 0.2]
    return X, (X @ w > 0).astype(int)


def primal_weights(clf, X):
    """The weights that the supports stand for, the bias's included."""
    w = clf.dual_coef_ @ X[clf.support_]
    return w if not clf.fit_intercept else np.c_[w, clf.dual_coef_.sum(1)]


class TestLinearKernelIsThePrimalForm:
    """Step for step: what each epoch corrected, and the weights."""

    @pytest.mark.parametrize("name", ADDITIVE)
    @pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
    def test_every_additive_rule(self, name, multiclass):
        rule = rules.get(name)
        for seed in range(3):
            # A rule that shrinks rounds from correction to correction, differently in both forms:
            # where it has no solution to tend to, or ties to decide, they part in the end.
            drawn = whole if rule.answers == "tau" else separable
            X, y = drawn(seed, classes=2 if rule.alone and multiclass == "coupled" else 3)
            settings = {"multiclass": multiclass, "max_iter": 6, "until": None}
            dual = KernelClassifier("linear", name, fit_intercept=True, **settings).fit(X, y)
            primal = LinearClassifier(name, **settings).fit(X, y)
            # It projects onto the margin 1: whether that is reached is decided by rounding.
            told = slice(None, 2 if name == "aggressive-romma" else None)
            assert [r[told] for r in histories(dual)] == [r[told] for r in histories(primal)]
            for readout in ("last", "averaged"):
                found = primal_weights(dual.with_readout(readout), X)
                wanted = primal.with_readout(readout)
                wanted = np.c_[wanted.coef_, wanted.intercept_]
                if name == "perceptron" and readout == "last":  # whole numbers
                    assert (found == wanted).all()
                scale = np.abs(wanted).max()
                assert found == near(wanted, 5000, size=scale)

    def test_presentation_by_presentation(self):
        X, y = whole(5)
        dual = KernelClassifier("linear", fit_intercept=True, readout="last")
        primal = LinearClassifier(readout="last")
        for k in range(len(X)):
            for model in (dual, primal):
                model.partial_fit(X[k : k + 1], y[k : k + 1], classes=[0, 1, 2] if k == 0 else None)
            assert dual.n_corrections_ == primal.n_corrections_
            assert (dual.decision_function(X) == primal.decision_function(X)).all()

    def test_weights_of_examples_and_a_projection(self):
        X, y = whole(5)
        rule, weights = rules.MarginPerceptron(b=1), np.linspace(0.5, 2, len(X))
        dual = KernelClassifier("linear", rule, schedule="projection")
        for learn in (dual.fit, dual.partial_fit):
            with pytest.raises(InputError, match="weight can only be 0 or 1"):
                learn(X, y, weights)

    @pytest.mark.parametrize("guard", [guards.LambdaTrick(2.0), guards.AlphaBound(2)])
    def test_guards(self, guard):
        X, y = whole(6)
        settings = {"guard": guard, "max_iter": 8, "until": None, "schedule": "1/sqrt(step)"}
        dual = KernelClassifier("linear", fit_intercept=True, **settings).fit(X, y)
        primal = LinearClassifier(**settings).fit(X, y)
        assert histories(dual) == histories(primal)

    def test_hypotheses_and_votes(self):
        X, y = whole(7, classes=2)
        settings = {"order": "random", "max_iter": 6, "until": None}
        keep = ("last", "averaged", "longest", "pocket", "voted", "random")
        dual = KernelClassifier("linear", fit_intercept=True, keep=keep, **settings).fit(X, y)
        primal = LinearClassifier(keep=keep, **settings).fit(X, y)
        for readout in keep:
            assert dual.with_readout(readout).decision_function(X) == near(
                primal.with_readout(readout).decision_function(X), 5000
            )


def histories(clf):
    return [(r.epoch, r.mistakes, r.corrections) for r in clf.history_]


@pytest.mark.parametrize(
    ("kernel", "function"),
    [
        (kernels.Polynomial(2, 1), lambda a, b: (1 + sum(map(mul, a, b))) ** 2),
        (kernels.Polynomial(3, 2), lambda a, b: (2 + sum(map(mul, a, b))) ** 3),
    ],
    ids=["degree 2", "degree 3"],
)  # fmt: skip
def test_the_textbook_says_the_same(kernel, function):
    """In whole numbers, where both are exact: how often each example was corrected."""
    for seed in range(4):
        X, y = whole(seed, n=25, d=3, classes=2)
        X = np.unique(X, axis=0)
        y = y[: len(X)]
        ex = textbook.examples(X.astype(int).tolist(), (2 * y - 1).tolist(), number=int,
                               bias_feature=None)  # fmt: skip
        outcome = textbook.run(textbook.dual(ex, kernel=function, max_iter=9)).outcome
        clf = KernelClassifier(kernel, order="cyclic", max_iter=9, readout="last").fit(X, y)
        alpha = np.zeros(len(X))
        alpha[clf.support_] = np.abs(clf.dual_coef_[0])
        assert alpha.tolist() == list(outcome.alpha)
        assert clf.n_corrections_ == outcome.corrections


def mul(a, b):
    return a * b


class TestTheorems:
    """In the space of the kernel everything holds that holds in the plane."""

    def test_novikoff(self):
        draw = np.random.default_rng(1)
        for kernel in (kernels.RBF(0.5), kernels.Polynomial(3, 1)):
            X = draw.standard_normal((50, 3))
            y = draw.integers(0, 2, 50)
            K = kernel(X, X)
            # No tolerance: matrices that are nearly singular are made others.
            if np.linalg.eigvalsh(K)[0] < 1e-9:
                y = (X[:, 0] * X[:, 1] * X[:, 2] > 0).astype(int)
                K += 1e-3 * np.eye(50)
            t = 2 * y - 1
            # Of all u with y_i <u, x_i> >= 1 this one has ||u||^2 = t K^-1 t: gamma >= 1 / ||u||.
            u_squared = float(t @ np.linalg.solve(K, t))
            clf = KernelClassifier("precomputed", max_iter=100_000).fit(K, y)
            assert clf.stop_reason_ == "separated"
            assert clf.n_corrections_ <= K.diagonal().max() * u_squared

    @pytest.mark.parametrize("factor", [2.0**-9, 64.0])
    def test_a_positive_multiple_changes_nothing(self, factor):
        X, y = whole(2)
        K = kernels.Polynomial(2, 1)(X, X)
        one, other = (
            KernelClassifier("precomputed", max_iter=6, until=None).fit(matrix, y)
            for matrix in (K, factor * K)
        )
        assert histories(one) == histories(other)
        assert (one.dual_coef_ == other.dual_coef_).all()

    def test_xor_falls_to_degree_two(self):
        assert LinearClassifier(max_iter=50).fit(*XOR).stop_reason_ == "max_iter"
        for order in ("cyclic", "shuffled", "random"):
            clf = KernelClassifier(kernels.Polynomial(2), order=order, readout="last").fit(*XOR)
            assert clf.stop_reason_ == "separated"
            assert clf.score(*XOR) == 1

    def test_permuted_columns_and_flipped_labels(self):
        X, y = whole(3, classes=2)
        clf = KernelClassifier(kernels.Polynomial(2), max_iter=5).fit(X, y)
        flipped = KernelClassifier(kernels.Polynomial(2), max_iter=5).fit(X, 1 - y)
        permuted = KernelClassifier(kernels.Polynomial(2), max_iter=5).fit(X[:, [2, 0, 3, 1]], y)
        assert (flipped.dual_coef_ == -clf.dual_coef_).all()
        assert (permuted.dual_coef_ == clf.dual_coef_).all()


class TestKernels:
    """Functions and matrices in the place of computed kernels."""

    def test_a_function_is_the_kernel_that_it_computes(self):
        X, y = whole(4)
        named = KernelClassifier(kernels.Polynomial(2, 1), max_iter=5).fit(X, y)
        function = KernelClassifier(lambda A, B: (1 + A @ B.T) ** 2, max_iter=5).fit(X, y)
        rows = KernelClassifier(lambda a, b: (1 + np.dot(a, b)) ** 2, max_iter=5).fit(X, y)
        for other in (function, rows):
            assert (other.dual_coef_ == named.dual_coef_).all()
            assert (other.predict(X + 1) == named.predict(X + 1)).all()

    def test_precomputed(self):
        X, y = whole(4)
        kernel = kernels.Polynomial(2, 1)
        named = KernelClassifier(kernel, max_iter=5).fit(X, y)
        given = KernelClassifier("precomputed", max_iter=5).fit(kernel(X, X), y)
        assert (given.dual_coef_ == named.dual_coef_).all()
        assert (given.predict(kernel(X + 1, X)) == named.predict(X + 1)).all()
        assert given.n_features_in_ == len(X)

    def test_the_bias_adds_its_square_to_the_kernel(self):
        X, y = whole(4)
        K = kernels.RBF(0.1)(X, X)
        with_bias = KernelClassifier(
            "precomputed", fit_intercept=True, bias_feature=0.5, max_iter=5
        )
        by_hand = KernelClassifier("precomputed", max_iter=5).fit(K + 0.25, y)
        assert (with_bias.fit(K, y).dual_coef_ == by_hand.dual_coef_).all()
        assert (with_bias.decision_function(K) == by_hand.decision_function(K + 0.25)).all()

    def test_an_indefinite_matrix_is_refused_or_wanted(self):
        K = np.array([[1.0, 2.0], [2.0, 1.0]])
        with pytest.raises(InputError, match="the bound on the mistakes is void"):
            KernelClassifier("precomputed").fit(K, [0, 1])
        wanted = kernels.Precomputed(indefinite=True)
        KernelClassifier(wanted, max_iter=3).fit(K, [0, 1])


class TestStreams:
    """Rows one at a time, in batches, with classes to come."""

    @pytest.mark.parametrize(
        "rule", ["perceptron", "romma", "passive-aggressive", "dynamic-margin"]
    )
    @pytest.mark.parametrize("kernel", ["rbf", kernels.Polynomial(2, 1)], ids=repr)
    def test_batches_are_single_rows(self, rule, kernel):
        draw = np.random.default_rng(8)
        X, y = draw.standard_normal((70, 3)), draw.integers(0, 3, 70)
        by_one, by_batch = (KernelClassifier(kernel, rule) for _ in range(2))
        for k in range(70):
            by_one.partial_fit(X[k : k + 1], y[k : k + 1])
        for begin in (0, 1, 30):
            end = {0: 1, 1: 30, 30: 70}[begin]
            by_batch.partial_fit(csr_matrix(X[begin:end]), y[begin:end])
        assert by_one.classes_.tolist() == by_batch.classes_.tolist()
        assert by_one.n_corrections_ == by_batch.n_corrections_
        for readout in ("last", "averaged"):
            one, batch = (m.with_readout(readout).dual_coef_ for m in (by_one, by_batch))
            assert one.tobytes() == batch.tobytes()

    def test_a_fit_of_one_epoch_is_a_stream(self):
        X, y = whole(9)
        fit = KernelClassifier("rbf", order="cyclic", max_iter=1, until=None).fit(X, y)
        stream = KernelClassifier("rbf").partial_fit(X, y, classes=[0, 1, 2])
        assert (fit.dual_coef_ == stream.dual_coef_).all()
        assert len(stream.support_) == 0

    def test_weights_and_absent_examples(self):
        X, y = whole(10)
        weight = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
        stream = KernelClassifier("rbf").partial_fit(X, y, weight, classes=[0, 1, 2])
        present = weight > 0
        fit = KernelClassifier("rbf", order="cyclic", max_iter=1, until=None)
        fit.fit(X[present], y[present], weight[present])
        assert (fit.dual_coef_ == stream.dual_coef_).all()

    def test_another_number_of_columns(self):
        clf = KernelClassifier("rbf").fit(*whole(1))
        with pytest.raises(InputError, match="got 3 columns, wanted 4"):
            clf.partial_fit(np.ones((2, 3)), [0, 1])
        with pytest.raises(InputError, match="got 3 columns, wanted 4"):
            clf.predict(np.ones((2, 3)))

    def test_what_a_stream_cannot_keep(self):
        X, y = whole(1)
        clf = KernelClassifier("rbf", keep=("voted", "last"), readout="voted").fit(X, y)
        with pytest.raises(InputError, match="voted"):
            clf.partial_fit(X, y)
        given = KernelClassifier("precomputed").fit(kernels.RBF()(X, X), y)
        with pytest.raises(InputError, match="columns are the examples of the fit"):
            given.partial_fit(kernels.RBF()(X, X), y)


class TestRefusals:
    """What does not go with kernels, and hostile input."""

    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            ({"rule": "arow"}, "no sum over supports"),
            ({"rule": "winnow-2"}, "no sum over supports"),
            ({"rule": "balanced-winnow"}, "no sum over supports"),
            ({"order": "batch"}, "one by one"),
            ({"order": "worst"}, "one by one"),
            ({"keep": ("last", "averaged", "pocket-ratchet")}, "cost as much as an epoch"),
            ({"kernel": "gauss"}, "wanted one of"),
            ({"multiclass": "ovo"}, "wanted 'coupled' or 'ovr'"),
        ],
    )
    def test_settings(self, settings, words):
        with pytest.raises(InputError, match=words):
            KernelClassifier(**settings).fit(*XOR)

    @pytest.mark.parametrize(
        ("X", "y", "words"),
        [
            ([[np.nan], [1.0]], [0, 1], "NaN"),
            ([[np.inf], [1.0]], [0, 1], "infinite"),
            ([1.0, 2.0], [0, 1], "shape"),
            ([[1.0], [2.0]], [0, 0], "two"),
            ([[1.0], [2.0]], [0], "wanted 2"),
            (np.empty((0, 2)), [], "at least one example"),
            ([[1e200], [-1e200]], [0, 1], "overflowed"),
        ],
    )
    def test_data(self, X, y, words):
        with pytest.raises(InputError, match=words):
            KernelClassifier(kernels.Polynomial(3)).fit(X, y)

    def test_texts(self):
        with pytest.raises(KindError, match="wanted numbers"):
            KernelClassifier().fit([["a"], ["b"]], [0, 1])

    def test_a_matrix_of_the_wrong_shape(self):
        X, y = whole(1)
        clf = KernelClassifier("precomputed")
        with pytest.raises(InputError, match=r"shape \(60, 4\), wanted \(n, n\)"):
            clf.fit(X, y)
        clf.fit(X @ X.T, y)
        with pytest.raises(InputError, match="values with each example of the fit"):
            clf.predict(X)

    def test_before_fit(self):
        with pytest.raises(NotFittedError):
            KernelClassifier().predict([[1.0]])

    def test_a_refused_fit_leaves_the_model(self):
        X, y = whole(1)
        clf = KernelClassifier("rbf").fit(X, y)
        before = clf.decision_function(X)
        with pytest.raises(InputError):
            clf.fit(X[:3], y)
        assert (clf.decision_function(X) == before).all()

    def test_there_is_no_coef(self):
        clf = KernelClassifier("rbf").fit(*whole(1))
        assert not hasattr(clf, "coef_")
        assert not hasattr(clf, "intercept_")

    def test_a_vote_has_no_coefficients(self):
        clf = KernelClassifier(keep=("voted", "last"), readout="voted").fit(*whole(1))
        with pytest.raises(InputError, match="with_readout"):
            clf.dual_coef_  # noqa: B018


@pytest.mark.parametrize("ahead", ["all", "block"])
def test_only_the_supports_are_kept_of_the_examples(monkeypatch, ahead):
    monkeypatch.setattr(kernel_training, "ahead", lambda products, epochs: ahead)
    X, y = whole(1)
    seen = weakref.ref(X)
    clf = KernelClassifier("rbf", keep="all", max_iter=2).fit(X, y)
    batch = X + 1
    also_seen = weakref.ref(batch)
    streamed = KernelClassifier("rbf").partial_fit(batch, y)
    del X, batch
    gc.collect()
    assert (seen(), also_seen()) == (None, None)
    assert clf.n_support_ + streamed.n_support_ > 0


def test_many_readouts_of_one_fit_share_the_supports():
    X, y = whole(13)
    clf = KernelClassifier("rbf", keep="all", readout="voted", max_iter=4).fit(X, y)
    assert set(clf.fitted.choices.kept) == set(readouts.ALL) - {"pocket-ratchet"}
    for readout in clf.fitted.choices.kept:
        assert clf.with_readout(readout).score(X, y) > 0.3
    assert clf.n_support_ == len(clf.support_)
    assert clf.n_training_errors_ == round((1 - clf.score(X, y)) * len(X))


def test_sklearn_knows_what_it_is():
    base = pytest.importorskip("sklearn.base")
    clf = KernelClassifier(kernels.RBF(0.5), rule=rules.PassiveAggressive(C=0.1))
    twin = base.clone(clf).set_params(kernel__gamma=2.0, rule__C=1.0)
    assert (twin.kernel, twin.rule) == (kernels.RBF(2.0), rules.PassiveAggressive(C=1.0))
    assert clf.__sklearn_tags__().input_tags.pairwise is False
    assert KernelClassifier("precomputed").__sklearn_tags__().input_tags.pairwise is True


def test_classes_do_not_depend_on_the_matrix_product():
    """Rows that differ in their last digits: one row, many, dense or sparse, the same class."""
    draw = np.random.default_rng(14)
    X, y = 1e7 + draw.standard_normal((150, 3)), draw.integers(0, 3, 150)
    clf = KernelClassifier("rbf", readout="last", max_iter=3, until=None).fit(X, y)
    together = clf.predict(X)
    assert (together == clf.predict(csr_matrix(X))).all()
    assert together.tolist() == [clf.predict(row[None])[0] for row in X]
