"""Kinds of rules, and rules of a user's own that are fitted to them."""

from __future__ import annotations

import copy
import functools
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, rules, textbook
from hardlimit.exceptions import KindError

KINDS = {
    "tau": rules.AdditiveRule,
    "shrink, tau": rules.ShrinkingRule,
    "tau, linked": rules.LinkedRule,
    "tau, beta": rules.CovarianceRule,
    "factor": rules.MultiplicativeRule,
}


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(8)
    X = rng.integers(-4, 5, (40, 5)).astype(float)
    return X, (X @ rng.integers(-2, 3, 5) + rng.normal(0, 2, 40) > 0).astype(int)


@pytest.mark.parametrize("name", rules.names())
def test_a_rule_is_of_the_kind_that_its_answers_say(name):
    rule = rules.get(name)
    assert [kind for kind in KINDS.values() if isinstance(rule, kind)] == [KINDS[rule.answers]]
    assert rules.resolve(rule) is rule is rule.own


class Duck:
    """No base class."""

    required = 1
    equality_violates = False

    def tau(self, margin, sqnorm):
        return (1 - margin) / sqnorm


class Shrinks(rules.Rule):
    """Says by a word what it answers."""

    answers = "shrink, tau"

    def tau(self):
        return 0.5, 1.0


class Multiplies:
    """A duck that multiplies."""

    answers, required, nonnegative = "factor", 0, True

    def tau(self, y):
        return 2.0 if y > 0 else 0.5

    def initial_weights(self, n_columns, bias):
        return 1.0, -n_columns / bias


@pytest.mark.parametrize("own", [Duck(), Shrinks(), Multiplies()], ids=lambda o: type(o).__name__)
def test_an_object_of_ones_own_is_fitted_once(own):
    rule = rules.resolve(own)
    assert isinstance(rule, KINDS[getattr(own, "answers", "tau")])
    assert rule.own is own
    assert rule.class_name == type(own).__name__
    assert repr(rule) == repr(own)
    assert rules.resolve(rule) is rule
    assert rules.name_of(rule) == rules.name_of(own)
    assert not rules.is_registered(rule)
    assert (rule.batch, rule.exact, rule.weighs, rule.takes_schedule) == ("", True, False, False)
    assert copy.copy(rule) == rule == rules.resolve(own)
    assert type(pickle.loads(pickle.dumps(rule)).own) is type(own)


def test_the_classifier_keeps_the_users_object(rows):
    own = Duck()
    clf = LinearClassifier(own, max_iter=3, until=None).fit(*rows)
    assert clf.rule is own


def test_a_registered_rule_is_known_behind_its_adapter():
    @dataclass(frozen=True)
    class KnownHalf(rules.Rule):
        answers = "shrink, tau"
        share: float = 0.5

        def tau(self):
            return self.share, 1

    try:
        rules.register(KnownHalf)
        rule = rules.resolve(KnownHalf(0.25))
        assert rules.is_registered(rule)
        assert rules.to_json(rule) == {"name": "known-half", "parameters": {"share": 0.25}}
        assert rules.from_json(rules.to_json(rule)) == KnownHalf(0.25)
    finally:
        rules.RULES.members.pop("known-half")


# Methods of every make ask for the same scalars


def scaled_by_one(method):
    @functools.wraps(method)
    def wrapper(*args, **kwargs):
        return method(*args, **kwargs)

    return wrapper


def without_wraps(method):
    def wrapper(self, margin, sqnorm):
        return method(self, margin, sqnorm)

    return wrapper


def by_keyword(method):
    @functools.wraps(method)
    def wrapper(self, **scalars):
        return method(self, **scalars)

    return wrapper


class Base(rules.Rule):
    """Hard passive-aggressive."""

    required = 1
    equality_violates = False


class Decorated(Base):
    @scaled_by_one
    def tau(self, margin, sqnorm):
        return (1 - margin) / sqnorm


class DecoratedByKeyword(Base):
    @by_keyword
    def tau(self, margin, sqnorm):
        return (1 - margin) / sqnorm


class Undecorated(Base):
    @without_wraps
    def tau(self, margin, sqnorm):
        return (1 - margin) / sqnorm


class KeywordOnly(Base):
    def tau(self, *, sqnorm, margin):
        return (1 - margin) / sqnorm


class PositionalOnly(Base):
    def tau(self, margin, sqnorm, /):
        return (1 - margin) / sqnorm


class Mixed(Base):
    def tau(self, margin, /, share=1, *, sqnorm):
        return share * (1 - margin) / sqnorm


class Partial(Base):
    def _share(self, share, margin, sqnorm):
        return share * (1 - margin) / sqnorm

    tau = functools.partialmethod(_share, 1)


class Question:
    def __call__(self, margin, sqnorm):
        return (1 - margin) / sqnorm


class Callable(Base):
    tau = Question()


class OfTheObject:
    required, equality_violates = 1, False

    def __init__(self):
        self.tau = functools.partial(lambda target, margin, sqnorm: (target - margin) / sqnorm, 1)


MADE = [
    Decorated(), DecoratedByKeyword(), Undecorated(), KeywordOnly(), PositionalOnly(), Mixed(),
    Partial(), Callable(), OfTheObject(),
]  # fmt: skip


@pytest.mark.parametrize("rule", MADE, ids=lambda rule: type(rule).__name__)
def test_every_make_of_method_gives_the_same_bits(rows, rule):
    X, y = rows
    hard = rules.PassiveAggressive(C=float("inf"))
    settings = {"order": "cyclic", "until": None, "max_iter": 4, "readout": "last"}
    mine, ours = (LinearClassifier(one, **settings).fit(X, y) for one in (rule, hard))
    assert (mine.coef_ == ours.coef_).all() and (mine.intercept_ == ours.intercept_).all()
    mine, ours = (
        KernelClassifier(rule=one, kernel="linear", **settings).fit(X, y) for one in (rule, hard)
    )
    assert (mine.decision_function(X) == ours.decision_function(X)).all()
    mine, ours = (
        textbook.trace(X.tolist(), (2 * y - 1).tolist(), one, until=None, max_iter=2)
        for one in (rule, hard)
    )
    assert mine.steps[-1].w_after == ours.steps[-1].w_after


@pytest.mark.parametrize("learn", [LinearClassifier, KernelClassifier])
def test_a_required_by_keyword_is_asked_alike(rows, learn):
    class Ours(rules.Rule):
        def required(self, wsq, step):
            return wsq / (2 * step)

        def tau(self):
            return 1

    class Mine(Ours):
        def required(self, *, step, wsq):
            return wsq / (2 * step)

    clfs = [learn(rule=one(), order="cyclic", until=None, max_iter=4) for one in (Mine, Ours)]
    mine, ours = (clf.fit(*rows).decision_function(rows[0]) for clf in clfs)
    assert (mine == ours).all()


class Open(Base):
    def tau(self, *scalars):
        return 1


class OpenByKeyword(Base):
    def tau(self, **scalars):
        return 1


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Open(), r"takes \*scalars, so that nobody can tell .* use functools.wraps"),
        (OpenByKeyword(), r"takes \*\*scalars, so that nobody can tell"),
    ],
)
def test_what_cannot_be_asked_says_so_before_anything_is_learnt(rows, rule, said):
    X, y = rows
    for learn in (LinearClassifier, KernelClassifier):
        with pytest.raises(KindError, match=said) as refused:
            learn(rule=rule).fit(X, y)
        assert refused.value.who == f"{type(rule).__name__}.tau"
        assert refused.value.fix
    with pytest.raises(KindError, match=said):
        textbook.trace(X.tolist(), (2 * y - 1).tolist(), rule)
