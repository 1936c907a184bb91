"""The compiled budgets, step for step against the textbook; and what a large budget is."""

import numpy as np
import pytest
from scipy import sparse

from hardlimit import KernelClassifier, budgets, load, rules, textbook
from hardlimit.exceptions import InputError

from ..rounding import near
from .boards import ALL, KERNELS, coefficients, drawn, examples

each_budget = pytest.mark.parametrize("name", ALL)
each_kernel = pytest.mark.parametrize("kernel", KERNELS)


def classifier(kernel, budget, **settings):
    given = {"order": "cyclic", "until": None, "max_iter": 4, "readout": "last", **settings}
    return KernelClassifier(KERNELS[kernel][0], budget=budget, keep=("last",), **given)


@each_budget
@each_kernel
def test_after_every_example_of_a_stream(name, kernel):
    """One row at a time: the corrections, and what is held."""
    X, y = drawn(50, noise=0.2)
    clf = classifier(kernel, ALL[name])
    ex = examples(X, y)
    for step in textbook.budgeted(ex, ALL[name], kernel=KERNELS[kernel][1], max_iter=1):
        i = step.example
        clf.partial_fit(X[i : i + 1], y[i : i + 1], classes=[-1, 1])
        assert clf.n_corrections_ == step.step
        held = {}
        for j, c in step.held:
            held[j] = held.get(j, 0) + c
        found = dict(zip(map(tuple, clf.fitted.answer.supports.arrays[0].tolist()),
                         clf.dual_coef_[0].tolist(), strict=True))  # fmt: skip
        expected = {tuple(X[j].tolist()): c for j, c in held.items()}
        found = {row: c for row, c in found.items() if c != 0}
        # Projections multiply roundings by the condition of the supports' matrix.
        assert found == pytest.approx({r: c for r, c in expected.items() if c != 0}, rel=1e-7,
                                      abs=1e-9)  # fmt: skip


@each_budget
@each_kernel
@pytest.mark.parametrize("max_iter", [1, 2, 5])
def test_after_epochs(name, kernel, max_iter):
    X, y = drawn(70, seed=3, noise=0.1)
    run = textbook.run(
        textbook.budgeted(
            examples(X, y), ALL[name], kernel=KERNELS[kernel][1], max_iter=max_iter, until=None
        )
    )
    for rows in (X, sparse.csr_matrix(X)):
        clf = classifier(kernel, ALL[name], max_iter=max_iter).fit(rows, y)
        assert clf.n_corrections_ == run.outcome.corrections
        expected = np.array(run.outcome.alpha, float) * y
        # Projections multiply roundings by the condition of the supports' matrix.
        assert coefficients(clf, 70) == pytest.approx(expected, rel=1e-7, abs=1e-9)
        if hasattr(ALL[name], "size"):
            assert clf.n_support_ <= 5


@pytest.mark.parametrize("name", [name for name in ALL if hasattr(ALL[name], "size")])
@each_kernel
@pytest.mark.parametrize("multiclass", ["single", "ovr"])
def test_a_budget_of_all_corrections_is_the_run_without_one_bit_for_bit(name, kernel, multiclass):
    X, y = drawn(70, seed=3)
    if multiclass == "ovr":
        y = y + (X[:, 0] > 0) * 3
    free = classifier(kernel, None, multiclass="ovr").fit(X, y)
    exactly = type(ALL[name])(int(free.n_corrections_))
    held = classifier(kernel, exactly, multiclass="ovr").fit(X, y)
    same(free, held, X)
    if multiclass == "single" and name != "stoptron":
        one_less = type(ALL[name])(int(free.n_corrections_) - 1)
        short = classifier(kernel, one_less, multiclass="ovr").fit(X, y)
        assert not np.array_equal(short.decision_function(X), free.decision_function(X))


@pytest.mark.parametrize("cls", [budgets.RemoveOldest, budgets.RandomRemoval, budgets.Forgetron])
@pytest.mark.parametrize("readout", ["longest", "pocket", "random"])
def test_so_are_its_other_read_outs(cls, readout):
    X, y = drawn(70, seed=3)
    y = y + (X[:, 0] > 0) * 3
    settings = {"multiclass": "ovr", "keep": ("last", readout), "readout": readout}
    settings |= {"max_iter": 4, "until": None}
    free = KernelClassifier(**settings).fit(X, y)
    same(free, KernelClassifier(budget=cls(int(free.n_corrections_)), **settings).fit(X, y), X)


def same(a, b, X):
    assert b.n_corrections_ == a.n_corrections_ and b.n_mistakes_ == a.n_mistakes_
    assert b.support_.tolist() == a.support_.tolist()
    assert b.dual_coef_.tobytes() == a.dual_coef_.tobytes()
    assert b.decision_function(X).tobytes() == a.decision_function(X).tobytes()


def test_the_projectron_without_dependent_supports_is_the_run_without_it():
    """Points far from each other: none is near the span of others, and eta = 0 projects nothing."""
    X, y = drawn(40, seed=3)
    X = X * 6
    free = classifier("rbf", None).fit(X, y)
    same(free, classifier("rbf", budgets.Projectron(0)).fit(X, y), X)


@pytest.mark.parametrize("name", ["remove-oldest", "random-removal", "stoptron"])
@pytest.mark.parametrize("rule", ["margin-perceptron", "passive-aggressive", "relaxation", "paum"])
def test_other_rules(name, rule):
    X, y = drawn(60, noise=0.1)
    clf = classifier("rbf", ALL[name], rule=rule).fit(X, y)
    assert 5 <= clf.n_corrections_ and clf.n_support_ <= 5
    free = classifier("rbf", None, rule=rule).fit(X, y)
    held = classifier("rbf", type(ALL[name])(int(free.n_corrections_)), rule=rule).fit(X, y)
    same(free, held, X)


@pytest.mark.parametrize("name", ["remove-oldest", "random-removal", "stoptron"])
def test_coupled_classes_share_a_budget(name):
    X, y = drawn(60)
    y = y + (X[:, 0] > 0) * 3
    free = classifier("rbf", None).fit(X, y)
    same(free, classifier("rbf", type(ALL[name])(int(free.n_corrections_))).fit(X, y), X)
    small = classifier("rbf", type(ALL[name])(4)).fit(X, y)
    assert small.n_support_ <= 4
    assert abs(small.dual_coef_.sum(0)).max() == 0  # each correction gives what it takes


@each_budget
def test_each_output_has_a_budget_of_its_own(name):
    X, y = drawn(60, noise=0.1)
    y = y + (X[:, 0] > 0) * 3
    clf = classifier("rbf", ALL[name], multiclass="ovr", max_iter=2).fit(X, y)
    for k, label in enumerate(clf.classes_):
        alone = classifier("rbf", ALL[name], max_iter=2).fit(X, np.where(y == label, 1, -1))
        if name == "random-removal":  # whose draws are shared by the outputs
            continue
        expected = coefficients(alone, 60)
        found = np.zeros(60)
        found[clf.support_] = clf.dual_coef_[k]
        # Projections multiply roundings by the condition of the supports' matrix.
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


@each_budget
def test_a_stream_is_a_fit_and_batches_do_not_matter(name):
    X, y = drawn(60, noise=0.2)
    whole = classifier("rbf", ALL[name], max_iter=1).fit(X, y)
    for length in (1, 7, 60):
        clf = classifier("rbf", ALL[name])
        for i in range(0, 60, length):
            clf.partial_fit(X[i : i + length], y[i : i + length], classes=[-1, 1])
        assert clf.n_corrections_ == whole.n_corrections_
        found, expected = (c.decision_function(X) for c in (clf, whole))
        # Projections multiply roundings by the condition of the supports' matrix.
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)


@each_budget
def test_scores_ahead_change_nothing(name, monkeypatch):
    """Blocks, the whole Gram matrix, one row at a time: the same corrections."""
    from hardlimit.classifiers.model import kernel_training

    X, y = drawn(200, noise=0.1)
    found = []
    for ahead in ("all", "block", "nothing"):
        monkeypatch.setattr(kernel_training, "ahead", lambda *_, ahead=ahead: ahead)
        clf = classifier("rbf", ALL[name], order="shuffled", max_iter=3).fit(X, y)
        found.append((int(clf.n_corrections_), clf.support_.tolist(), clf.dual_coef_.tobytes()))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name", [name for name in ALL if not ALL[name].forgets])
def test_an_average_is_the_mean_of_what_predicted_over_the_same_supports(name):
    X, y = drawn(40, noise=0.1)
    settings = {"order": "cyclic", "until": None, "max_iter": 2}
    clf = KernelClassifier(budget=ALL[name], keep=("last", "averaged"), readout="averaged",
                           **settings).fit(X, y)  # fmt: skip
    last = KernelClassifier(budget=ALL[name], **settings).fit(X, y)
    assert last.readout == "averaged" and last.fitted.choices.readout == "last"
    assert set(clf.support_) <= set(last.support_)
    assert clf.with_readout("last").decision_function(X) == near(last.decision_function(X), 2000)
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(2))
    total = np.zeros(40)
    for step in textbook.budgeted(examples(X, y), ALL[name], kernel=KERNELS["rbf"][1],
                                  max_iter=2, until=None):  # fmt: skip
        for j, c in step.held:
            total += c * K[j]
    # Projections multiply roundings by the condition of the supports' matrix.
    assert clf.decision_function(X) == pytest.approx(total / 80, rel=1e-7, abs=1e-9)


def test_a_file_keeps_the_average_that_was_asked_for(tmp_path):
    X, y = drawn(40, noise=0.1)
    clf = KernelClassifier(budget=budgets.Stoptron(5), readout="averaged").fit(X, y)
    clf.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    for one in (clf, loaded):
        one.partial_fit(X[:9], y[:9])
        assert one.readout_ == "averaged"
    same(clf, loaded, X)


@pytest.mark.parametrize("name", [name for name in ALL if ALL[name].forgets])
@pytest.mark.parametrize("asked", [{"readout": "averaged"}, {"keep": ("averaged",)}])
def test_no_average_keeps_what_a_budget_removed(name, asked):
    X, y = drawn(40, noise=0.1)
    with pytest.raises(InputError, match="the average would keep all of them"):
        KernelClassifier(budget=ALL[name], **asked).fit(X, y)
    everything = KernelClassifier(budget=ALL[name], keep="all", max_iter=2, until=None).fit(X, y)
    assert "averaged" not in everything.fitted.choices.keep


def test_a_hundred_thousand_corrections_on_a_small_budget_stay_small():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 3)), rng.choice([-1, 1], 20_000)
    clf = KernelClassifier(budget=budgets.RemoveOldest(20), max_iter=1, until=None)
    for i in range(0, len(X), 1000):
        clf.partial_fit(X[i : i + 1000], y[i : i + 1000], classes=[-1, 1])
        assert len(clf.fitted.state.points.arrays[0]) <= 20
    assert clf.n_corrections_ > 5000 and clf.n_support_ == 20


def test_adatron_with_a_kernel():
    """The rule in the dual loop makes the steps of the textbook."""
    X, y = drawn(40, noise=0.1)
    for rule in (rules.AdaTron(C=2.0), rules.AdaTron(eta=0.5)):
        run = textbook.adatron(examples(X, y), eta=rule.eta, C=rule.C, kernel=KERNELS["rbf"][1],
                               max_iter=5)  # fmt: skip
        outcome = textbook.run(run).outcome
        clf = classifier("rbf", None, rule=rule, max_iter=5).fit(X, y)
        assert clf.n_corrections_ == outcome.corrections
        expected = np.array(outcome.alpha, float) * y
        # Projections multiply roundings by the condition of the supports' matrix.
        assert coefficients(clf, 40) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_adatron_with_a_kernel_is_the_soft_margin():
    """Rows come with their negatives of the other class, so that the best bias of SVC is 0."""
    from sklearn.svm import SVC

    X, y = drawn(12, noise=0.2)
    X, y = np.vstack([X, -X]), np.concatenate([y, -y])
    clf = KernelClassifier("rbf", rules.AdaTron(C=0.7), readout="last", until="margin", tol=1e-5)
    clf.fit(X, y)
    svm = SVC(C=0.7, gamma=1.0, tol=1e-9).fit(X, y)
    assert clf.stop_reason_ == "margin_reached"
    # AdaTron ends with margins within tol = 1e-5 of 1, one for each of the supports.
    assert clf.decision_function(X) == pytest.approx(svm.decision_function(X), rel=1e-3, abs=1e-4)
