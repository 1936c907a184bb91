"""What is refused, and how a model on a budget is copied, pickled and saved."""

import copy
import pickle

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import KernelClassifier, budgets, guards, model_file
from hardlimit.exceptions import (
    HardlimitWarning,
    InputError,
    KindError,
    MemoryEstimateError,
    ModelFileError,
)
from hardlimit.foundation import memory

from .boards import ALL, drawn

each_budget = pytest.mark.parametrize("name", ALL)
SIZED = [type(budget) for budget in ALL.values() if hasattr(budget, "size")]


@pytest.mark.parametrize("cls", SIZED)
@pytest.mark.parametrize("size", [0, -3, 2.5, float("nan"), float("inf"), "5", None, True])
def test_a_budget_below_one_is_refused(cls, size):
    with pytest.raises(InputError, match=rf"budgets.{cls.__name__}: got size=.*>= 1, the correct"):
        cls(size)


@pytest.mark.parametrize("cls", SIZED)
def test_more_than_there_can_be_is_no_limit(cls):
    X, y = drawn(20)
    one, other = (KernelClassifier(budget=cls(size)).fit(X, y) for size in (10**30, 10**6))
    assert (one.decision_function(X) == other.decision_function(X)).all()


@pytest.mark.parametrize("eta", [-0.1, float("nan"), float("inf"), "1", None])
@pytest.mark.parametrize("cls", [budgets.Projectron, budgets.ProjectronPlusPlus])
def test_a_tolerance_out_of_range_is_refused(cls, eta):
    with pytest.raises(InputError, match=f"{cls.__name__}: got eta=.*, wanted a number >"):
        cls(eta)
    assert budgets.Projectron(0).eta == 0
    with pytest.raises(InputError, match="eta=0"):
        budgets.ProjectronPlusPlus(0)


@each_budget
def test_names_json_and_search(name):
    budget = ALL[name]
    assert budgets.BUDGETS.from_json(budgets.BUDGETS.to_json(budget)) == budget
    assert type(budgets.resolve(name)) is type(budget)
    parameter = next(iter(budget.get_params()))
    clf = KernelClassifier(budget=budget).set_params(**{f"budget__{parameter}": 3})
    assert getattr(clf.budget, parameter) == 3 and getattr(budget, parameter) != 3
    X, y = drawn(20)
    by_name = KernelClassifier(budget=name, max_iter=2, until=None).fit(X, y)
    made = KernelClassifier(budget=budgets.resolve(name), max_iter=2, until=None).fit(X, y)
    assert np.array_equal(by_name.dual_coef_, made.dual_coef_)


def test_all_budgets_are_here():
    assert budgets.names() == sorted(ALL)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"budget": "forgetful"}, InputError, "budget: got 'forgetful', wanted one of"),
        ({"budget": 100}, KindError, r"an object such as budgets.Forgetron\(size=100\)"),
        ({"budget": budgets.Forgetron}, KindError, "wanted None, an object"),
        ({"budget": "forgetron", "rule": "passive-aggressive"}, InputError, "perceptron alone"),
        ({"budget": "forgetron", "schedule": "1/step"}, InputError, "perceptron alone"),
        ({"budget": "projectron", "guard": guards.AlphaBound(2)}, InputError, "perceptron alone"),
        ({"budget": "projectron-plus-plus", "rule": "romma"}, InputError, "perceptron alone"),
        ({"budget": "remove-oldest", "rule": "romma"}, InputError, r"asks for \|\|w\|\|"),
        ({"budget": "remove-oldest", "rule": "adatron"}, InputError, "alpha_i"),
        ({"budget": "random-removal", "rule": "shifting-perceptron"}, InputError, "shrinks"),
        ({"budget": "stoptron", "guard": guards.LambdaTrick()}, InputError, "alpha_i"),
        ({"budget": "remove-oldest", "keep": ("voted", "last"), "readout": "voted"}, InputError,
         "RemoveOldest: got readout='voted': the budget takes corrections back"),
    ],
)  # fmt: skip
def test_what_does_not_go_together(settings, error, message):
    with pytest.raises(error, match=message):
        KernelClassifier(**settings).fit(*drawn(20))


def test_classes_that_would_share_are_refused_where_one_is_judged_at_a_time():
    X, y = drawn(30)
    y = y + (X[:, 0] > 0) * 3
    with pytest.raises(InputError, match="Forgetron: .*judges one class at a time.*'ovr'"):
        KernelClassifier(budget="forgetron").fit(X, y)
    with pytest.raises(InputError, match="name all classes from the start"):
        KernelClassifier(budget="remove-oldest").partial_fit(X, y)


def test_votes_and_survivors():
    X, y = drawn(40)
    settings = {"keep": "all", "max_iter": 3, "until": None}
    clf = KernelClassifier(budget=budgets.Stoptron(6), readout="voted", **settings).fit(X, y)
    free = KernelClassifier(readout="voted", **settings).fit(X, y)
    assert clf.n_corrections_ == 6 and clf.score(X, y) > 0.5
    all_of_them = budgets.Stoptron(int(free.n_corrections_))
    same = KernelClassifier(budget=all_of_them, readout="voted", **settings).fit(X, y)
    assert np.array_equal(same.decision_function(X), free.decision_function(X))
    longest = KernelClassifier(budget=budgets.RemoveOldest(6), readout="longest", **settings)
    assert longest.fit(X, y).n_support_ <= 6


@each_budget
@pytest.mark.parametrize("multiclass", ["single", "ovr"])
@pytest.mark.parametrize("how", ["pickle", "copy", "file"])
def test_a_copy_learns_on_as_the_model_itself(name, multiclass, how, tmp_path):
    X, y = drawn(60, noise=0.2)
    if multiclass == "ovr":
        y = y + (X[:, 0] > 0) * 3
    clf = KernelClassifier(
        budget=ALL[name], multiclass="ovr", max_iter=2, until=None, random_state=7
    )
    clf.fit(X[:40], y[:40])
    if how == "file":
        clf.save(tmp_path / "m")
        other = hl.load(tmp_path / "m")
        assert other.budget == ALL[name]
        assert np.array_equal(other.decision_function(X), clf.decision_function(X))
    else:
        other = pickle.loads(pickle.dumps(clf)) if how == "pickle" else copy.deepcopy(clf)
    for i in range(40, 60, 5):
        for one in (clf, other):
            one.partial_fit(X[i : i + 5], y[i : i + 5])
    assert other.n_corrections_ == clf.n_corrections_
    assert np.array_equal(other.decision_function(X), clf.decision_function(X))


@each_budget
def test_a_file_that_lies_about_its_budget_is_refused(name, tmp_path):
    X, y = drawn(40, noise=0.2)
    clf = KernelClassifier(budget=ALL[name], max_iter=2, until=None).fit(X, y)
    clf.save(tmp_path / "m")
    held = clf.fitted.state.state.held
    for lie in (held[:-1], [*held, 0.0], [1e9, *held[1:]], [held[0], 1e9, *held[2:]],
                [held[0], held[1], 1e6, *held[3:]], [held[0], held[1], float("nan"), *held[3:]],
                [], [0.5, *held[1:]]):  # fmt: skip
        file = model_file.open(tmp_path / "m")
        tensors = {n: np.array(file.array(n)) for n in file.names if n != "state.held"}
        header = dict(file.header)
        model_file.write(tmp_path / "lie", header, tensors | {"state.held": np.array(lie, float)})
        with pytest.raises(ModelFileError, match="contradicts itself"):
            hl.load(tmp_path / "lie").partial_fit(X[:1], y[:1])


def test_rules_that_cannot_be_in_the_dual_are_still_refused_first():
    with pytest.raises(InputError, match="does more than add multiples"):
        KernelClassifier(rule="balanced-winnow", budget="stoptron").fit(*drawn(20))


@pytest.mark.parametrize("readout", ["voted", "pocket-ratchet"])
def test_a_read_out_that_does_not_go_is_refused_before_learning(readout):
    clf = KernelClassifier(budget=budgets.Forgetron(5), keep="all", readout=readout)
    with pytest.raises(InputError, match=f"readout='{readout}'|readout: got '{readout}'"):
        clf.fit(*drawn(20))
    assert not clf.__sklearn_is_fitted__()
    assert KernelClassifier(budget=budgets.Stoptron(5), keep="all", readout="voted").fit(*drawn(20))


@pytest.mark.parametrize("cls", [budgets.Projectron, budgets.ProjectronPlusPlus])
def test_a_tolerance_that_forgives_everything_is_warned_of(cls):
    X, y = drawn(20)
    for learn in ("fit", "partial_fit"):
        clf = KernelClassifier("rbf", budget=cls(1.0), max_iter=2, until=None)
        with pytest.warns(HardlimitWarning, match=r"no example was held.*eta=1 of nothing"):
            getattr(clf, learn)(X, y)
        assert clf.n_support_ == 0
        clf.set_params(budget__eta=0.5).fit(X, y)
        assert clf.n_support_ > 0


def test_the_memory_of_inverses_is_estimated_before_it_is_taken(monkeypatch):
    draw = np.random.default_rng(3)
    X, y = draw.standard_normal((2000, 5)), draw.integers(0, 2, 2000)
    limit = memory.Limit("this machine has", 6 << 20, 0)  # 886 supports
    monkeypatch.setattr(memory, "tightest", lambda: limit)
    clf = KernelClassifier(hl.kernels.RBF(9.0), budget=budgets.Projectron(1e-6))
    clf.fit(X[:300], y[:300])
    with pytest.raises(MemoryEstimateError, match=r"Projectron: the inverse .* supports.*eta"):
        clf.fit(X, y)
    clf.fit(X[:300], y[:300])
    with pytest.raises(MemoryEstimateError, match=r"Projectron: the inverse .* supports.*eta"):
        for _ in range(8):
            clf.partial_fit(draw.standard_normal((300, 5)), y[:300])
