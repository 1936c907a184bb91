"""A class is known by its identity, never by its name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import csr_array

from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    budgets,
    certificates,
    criteria,
    guards,
    kernels,
    maps,
    orders,
    pictures,
    rules,
    scaling,
    schedules,
    textbook,
)
from hardlimit.exceptions import HardlimitError, InputError, KindError
from hardlimit.foundation.register import compiled_name, registered_name

from ..rounding import near

REGISTERS = [
    rules.RULES,
    orders.ORDERS,
    schedules.SCHEDULES,
    guards.GUARDS,
    kernels.KERNELS,
    budgets.BUDGETS,
    scaling.SCALINGS,
    maps.MAPS,
    criteria.CRITERIA,
    certificates.finders.FINDERS,
]
MEMBERS = [
    pytest.param(register, name, id=f"{register.kind}-{name}")
    for register in REGISTERS
    for name in register.names()
]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    X = rng.integers(-4, 5, (40, 6)).astype(float)
    return X, (X @ rng.integers(-2, 3, 6) + rng.normal(0, 2, 40) > 0).astype(int)


@pytest.mark.parametrize(("register", "name"), MEMBERS)
def test_a_member_is_found_by_its_name_and_known_by_its_class(register, name):
    thing = register.get(name)
    assert register.holds(thing)
    assert register.name_of(thing) == register.compiled_name(thing) == name
    assert register.resolve(name) == thing or register is maps.MAPS
    assert register.resolve(thing) is thing


@pytest.mark.parametrize(("register", "name"), MEMBERS)
def test_a_subclass_of_the_same_name_is_another_thing(register, name):
    cls = register.members[name]
    mine = type(cls.__name__, (cls,), {})()
    assert not register.holds(mine)
    assert register.compiled_name(mine) is compiled_name(mine) is None


@pytest.mark.parametrize("register", [*REGISTERS, pictures.PICTURES], ids=lambda r: r.kind)
def test_a_name_that_there_is_not_is_answered_with_those_that_there_are(register):
    name = register.names()[0]
    with pytest.raises(InputError) as refused:
        register.find(f"{name}x")
    assert refused.value.parameter == register.kind
    assert refused.value.got == f"{name}x"
    assert all(known in str(refused.value) for known in register.names())
    assert f"did you mean '{name}" in str(refused.value)


def test_names_of_classes():
    names = [registered_name(cls) for cls in (rules.AdaTron, rules.ROMMA, rules.SCW1)]
    assert names == ["adatron", "romma", "scw1"]


@pytest.mark.parametrize(
    "register", [orders.ORDERS, schedules.SCHEDULES, kernels.KERNELS], ids=lambda r: r.kind
)
def test_what_a_file_could_not_name_is_not_written(register):
    cls = register.members[register.names()[0]]
    with pytest.raises(InputError, match="a file keeps names"):
        register.to_json(type(cls.__name__, (cls,), {})())


def test_a_rule_cannot_take_a_name_of_ours():
    """Model files mean ours by it."""
    with pytest.raises(InputError, match="belongs to one of hardlimit's own"):
        rules.register(type("Perceptron", (rules.Perceptron,), {}))
    assert rules.register(rules.Perceptron) is rules.Perceptron


def test_a_rule_of_ones_own_may_be_registered_again():
    for _ in range(2):
        cls = type("OnlyHere", (rules.Rule,), {"tau": lambda self: 0.5})
        rules.register(cls)
        assert rules.is_registered(cls())
        assert rules.RULES.compiled_name(cls()) is None
    del rules.RULES.members["only-here"]


def traced(rows, **settings):
    """The last weights on the blackboard, the bias's last."""
    X, y = rows
    trace = textbook.trace(X.tolist(), (2 * y - 1).tolist(), **settings)
    return list(map(float, trace.steps[-1].w_after))


LAST = {"until": None, "readout": "last", "bias_feature": -1.0}  # as on the blackboard


# A schedule


class Power(schedules.Power):
    """Bears the name of one of ours."""

    def eta(self, step):
        return 0.5 if step < 4 else 0.25


class Constant(schedules.Constant):
    """Likewise; ours would be called steady, and its runs watched for cycles."""

    def eta(self, step):
        return 0.5 if step < 4 else 0.25


class Elsewhere:
    """The same, of a name that nobody else has."""

    def eta(self, step):
        return 0.5 if step < 4 else 0.25


@pytest.mark.parametrize("schedule", [Power(), Constant()], ids=["Power", "Constant"])
@pytest.mark.parametrize("storage", [np.asarray, csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("made", [LinearClassifier, KernelClassifier])
def test_a_schedule_of_ones_own_runs(rows, schedule, storage, made):
    X, y = storage(rows[0]), rows[1]
    mine, known = (
        made(schedule=given, order="cyclic", until=None, max_iter=9).fit(X, y)
        for given in (schedule, Elsewhere())
    )
    assert (mine.decision_function(X) == known.decision_function(X)).all()
    usual = made(schedule=type(schedule).__base__(), order="cyclic", until=None, max_iter=9)
    assert (mine.decision_function(X) != usual.fit(X, y).decision_function(X)).any()


@pytest.mark.parametrize("schedule", [Power(), Constant()], ids=["Power", "Constant"])
def test_the_textbook_runs_the_same_schedule(rows, schedule):
    X, y = rows
    clf = LinearClassifier(schedule=schedule, order="cyclic", max_iter=9, **LAST).fit(X, y)
    trace = traced(rows, schedule=schedule, until=None, max_iter=9)
    assert trace == [*clf.coef_[0], *-clf.intercept_]


def test_a_constant_of_ones_own_is_not_called_steady():
    """Its steps shrink, so that weights that come back are no proof of anything."""

    class Constant(schedules.Constant):
        def eta(self, step):
            return 1 if step < 40 else 2

    X, y = [[1.0], [1.0]], [0, 1]
    clf = LinearClassifier(schedule=Constant(), order="cyclic", max_iter=9).fit(X, y)
    assert clf.stop_reason_ == "max_iter"
    assert LinearClassifier(order="cyclic", max_iter=9).fit(X, y).stop_reason_ == "cycling"


# A kernel


@dataclass(frozen=True)
class RBF(kernels.RBF):
    """Bears the name of one of ours."""

    def from_products(self, inner, sqnorms_x, sqnorms_z):
        return 1 + super().from_products(inner, sqnorms_x, sqnorms_z) / 2


def as_function(X, Z):
    return 1 + kernels.RBF(gamma=0.1)(X, Z) / 2


@pytest.mark.parametrize("storage", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_a_kernel_of_ones_own_runs(rows, storage):
    X, y = storage(rows[0]), rows[1]
    mine, known = (
        KernelClassifier(kernel, order="cyclic", max_iter=5, until=None).fit(X, y)
        for kernel in (RBF(gamma=0.1), as_function)
    )
    assert (mine.n_corrections_, mine.n_support_) == (known.n_corrections_, known.n_support_)
    together = mine.decision_function(X)
    assert together == near(known.decision_function(X), 1000)
    for i in range(5):
        alone = mine.decision_function(X[[i]])
        assert alone == near(together[i : i + 1], 1000)


def test_a_kernel_of_ones_own_continues_in_a_stream(rows):
    X, y = rows
    mine, known = (
        KernelClassifier(kernel).partial_fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
        for kernel in (RBF(gamma=0.1), as_function)
    )
    assert mine.decision_function(X) == near(known.decision_function(X), 1000)


def test_a_kernel_of_ones_own_is_not_saved_as_ours(rows, tmp_path):
    clf = KernelClassifier(RBF(gamma=0.1), max_iter=2, until=None).fit(*rows)
    with pytest.raises(HardlimitError, match="save"):
        clf.save(tmp_path / "m")


# A rule, an order, a budget, a scaling, a map


@dataclass(frozen=True)
class Perceptron(rules.Perceptron):
    """Bears the name of one of ours."""

    def tau(self, weight=1):
        return 3 * weight


@dataclass(frozen=True)
class BalancedWinnow(rules.BalancedWinnow):
    """The textbook has a table of its own for ours."""

    def tau(self, weight=1):
        return 2 * super().tau(weight)


def test_a_rule_of_ones_own_runs(rows):
    X, y = rows
    settings = {
        "order": "cyclic",
        "until": None,
        "max_iter": 4,
        "readout": "last",
        "bias_feature": -1.0,
    }
    mine, ours = (LinearClassifier(r, **settings).fit(X, y) for r in (Perceptron(), "perceptron"))
    assert (mine.coef_ == 3 * ours.coef_).all()
    trace = traced(rows, rule=Perceptron(), until=None, max_iter=4)
    assert trace == [*mine.coef_[0], *-mine.intercept_]


def test_the_textbook_has_no_table_of_ours_for_a_balanced_winnow_of_ones_own():
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    settings = {"exact": False, "max_iter": 2}
    mine, ours = (
        textbook.trace(X, y, rule=rule, **settings)
        for rule in (BalancedWinnow(), rules.BalancedWinnow())
    )
    assert type(mine.steps[0]) is not type(ours.steps[0])
    assert mine.steps[0].w_after[0] == near(np.sinh(2 * np.log(2)) * 2, 20)


@dataclass(frozen=True)
class Cyclic(orders.Cyclic):
    """Bears the name of one of ours."""

    def positions(self, n, seed, epoch):
        return np.arange(n)[::-1].copy()


def test_an_order_of_ones_own_runs(rows):
    X, y = rows
    settings = {"max_iter": 3, **LAST}
    mine = LinearClassifier(order=Cyclic(), **settings).fit(X, y)
    turned = LinearClassifier(order="cyclic", **settings).fit(X[::-1].copy(), y[::-1].copy())
    assert (mine.coef_ == turned.coef_).all()
    trace = traced(rows, order=Cyclic(), until=None, max_iter=3)
    assert trace == [*mine.coef_[0], *-mine.intercept_]


@pytest.mark.parametrize("name", budgets.names())
def test_a_budget_of_ones_own_is_refused(rows, name):
    """Budgets are compiled: nothing of such a class could run."""
    cls = budgets.BUDGETS.members[name]
    mine = type(cls.__name__, (cls,), {})()
    with pytest.raises(KindError, match="budgets are compiled"):
        KernelClassifier(budget=mine).fit(*rows)
    examples = textbook.examples([[1]], [1], number=int)
    with pytest.raises(KindError, match="budgets are compiled"):
        list(textbook.budgeted(examples, mine))


@dataclass(frozen=True)
class Maxabs(scaling.Maxabs):
    """Bears the name of one of ours."""

    def fitted(self, rows, present=None):
        scale = super().fitted(rows, present)
        return type(scale)(np.zeros(6), np.full(6, 4.0))


@pytest.mark.parametrize("storage", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_a_scaling_of_ones_own_runs(rows, storage, tmp_path):
    X, y = rows
    settings = {"order": "cyclic", "until": None, "max_iter": 3}
    mine = LinearClassifier(scale=Maxabs(), **settings).fit(storage(X), y)
    quartered = LinearClassifier(**settings).fit(storage(X / 4), y)
    assert (mine.decision_function(storage(X)) == quartered.decision_function(storage(X / 4))).all()
    with pytest.raises(InputError, match="a file keeps names"):
        mine.save(tmp_path / "m")


class Cross(maps.Cross):
    """Bears the name of one of ours."""

    def transform(self, X):
        return 2 * super().transform(X)


def test_a_map_of_ones_own_runs(rows):
    X, _ = rows
    assert (Cross().fit(X).transform(X) == 2 * maps.Cross().fit(X).transform(X)).all()
