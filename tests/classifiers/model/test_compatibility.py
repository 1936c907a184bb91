"""What does not go together is refused as the table says; all else can be fitted."""

import itertools
import math
import warnings

import pytest

from benchmarks import what_works as works
from hardlimit import (
    KernelClassifier,
    LinearClassifier,
    budgets,
    guards,
    kernels,
    maps,
    orders,
    readouts,
    rules,
    scaling,
    schedules,
)
from hardlimit.classifiers.model.ask import Ask
from hardlimit.classifiers.model.compatibility import (
    RESOLVED,
    TABLE,
    Combination,
    check_choices,
    find_conflict,
    learns_apart,
    resolve_kept,
)
from hardlimit.classifiers.model.conflicts import CHOICES, COMMANDS, REQUESTS, WAYS
from hardlimit.classifiers.model.text_settings import TextSettings
from hardlimit.cli.asking import LOOKED_AT
from hardlimit.exceptions import HardlimitWarning, InputError, KindError

X, Y = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [3.0, 1.0]], [0, 1, 1, 0]
THREE = [0, 1, 2, 0]

SCHEDULES = [None, "0.5", "line-search", "projection"]
GUARDS = [(), *((guards.GUARDS.get(name),) for name in guards.names())]

REFUSED = [
    ({"rule": "passive-aggressive", "order": "batch"}, "PassiveAggressive: .*no batch form"),
    ({"rule": "romma", "order": "batch"}, "ROMMA: .*no batch form"),
    ({"rule": "balanced-winnow", "order": "worst"}, "does not add multiples of the examples"),
    ({"rule": "arow", "order": "worst"}, "does not add multiples of the examples"),
    ({"rule": "passive-aggressive", "schedule": "1/step"}, "length of its steps itself"),
    ({"rule": "alma", "schedule": "0.5"}, "length of its steps itself"),
    ({"schedule": "line-search", "order": "batch"}, "its Hessian is 0"),
    ({"rule": "relaxation", "schedule": "line-search"}, "use order='batch'"),
    ({"schedule": "projection"}, "a mistake for ever; use rules.MarginPerceptron"),
    ({"schedule": "1/steps"}, "wanted constant, NUMBER, 1/step"),
    ({"schedule": schedules.Power}, "got the class Power, wanted an object"),
    ({"schedule": [3]}, "wanted a number, a name, or an object"),
    ({"rule": "passive-aggressive", "guard": guards.Margin(1)}, "takes no margin from outside"),
    ({"rule": "romma", "guard": guards.LambdaTrick(1)}, "does more than add multiples"),
    ({"rule": "dynamic-margin", "guard": guards.LambdaTrick(1)}, r"asks for \|\|w\|\|"),
    ({"rule": "balanced-winnow", "readout": "voted", "keep": "voted"}, "use 'last', 'longest'"),
    ({"rule": "balanced-winnow", "keep": ("averaged",), "readout": "averaged"}, "2 sinh"),
    ({"rule": "scw1", "keep": ("voted", "last"), "readout": "voted"}, "no multiples of the"),
    ({"rule": "winnow-2", "keep": "voted", "readout": "voted"}, "no multiples of the"),
    ({"order": "batch", "keep": "longest", "readout": "longest"}, "lives for one presentation"),
    ({"order": "worst", "keep": ("pocket", "last"), "readout": "last"}, "keep: got 'pocket'"),
    ({"keep": "everything"}, "wanted one of last, averaged, longest"),
    ({"readout": "longest"}, r"is not kept; use keep=\('last', 'averaged', 'longest'\)"),
    ({"order": "sorted"}, "wanted one of batch, blocks, cyclic, random, shuffled, stream, worst"),
]


class MeasuresAtOnce(scaling.Scaling):
    """A scale of a user's own, which looks at all rows at once."""

    measures = True


OF_WAYS = (
    {"way": "batches", "readout": "voted"},
    {"way": "stream", "text": TextSettings()},
    {"way": "stream", "scale": MeasuresAtOnce()},
    {"way": "stream", "map": maps.Cross(which="seen")},
    {"way": "cluster", "piped": True, "asked": {"checkpoint"}},
    {"way": "cluster", "by_chance": True, "asked": {"checkpoint"}},
    {"way": "stream", "readout": "longest", "asked": {"checkpoint"}},
    {"features": "text", "readout": "voted", "asked": {"slim"}},
)
REQUESTED = (
    {"command": "read", "asked": {"text"}, "features": "numbers"},
    {"command": "tune", "asked": {"weights"}, "features": "numbers"},
    {"asked": {"budget"}},
    {"asked": {"averaging", "train_from"}},
    {"asked": {"mixing"}},
    {"asked": {"every"}, "way": "stream"},
    {"asked": {"cache", "checkpoint"}, "way": "stream"},
    {"asked": {"stream"}, "way": "cluster"},
    {"asked": {"missing"}, "targets": "columns of labels"},
    {"asked": {"kernel"}, "targets": "columns of labels"},
    {"asked": {"rule", "train_from"}},
    {"asked": {"shards", "train_from"}},
    {"asked": {"cache", "train_from"}, "way": "stream"},
    {"command": "predict", "asked": {"overwrite"}},
    {"command": "predict", "asked": {"spreadsheet"}},
    {"command": "predict", "asked": {"exit_status"}, "way": "cluster"},
    {"command": "predict", "asked": {"spreadsheet"}, "way": "cluster"},
    {"command": "predict", "asked": {"live"}, "way": "cluster"},
)


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=lambda v: str(v)[:40])
def test_refusals_say_why(settings, message):
    with pytest.raises((InputError, KindError), match=message):
        LinearClassifier(**settings).fit(X, Y)


def test_a_refusal_says_its_parts_in_fields():
    with pytest.raises(InputError) as caught:
        LinearClassifier("passive-aggressive", order="batch").fit(X, Y)
    error = caught.value
    assert (error.who, error.parameter, error.got) == ("PassiveAggressive", "order", "batch")
    assert error.reason == "the rule has no batch form" and "relaxation" in error.fix


def fitted(kind, labels, **settings):
    """A short fit; None where it was refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HardlimitWarning)
        try:
            return kind(max_iter=2, until=None, **settings).fit(X, labels)
        except InputError as error:
            assert error.parameter
            return None


def classes_of(multiclass):
    return {"multiclass": multiclass, "n_classes": 3}


@pytest.mark.parametrize("name", rules.names())
def test_a_fit_does_what_the_table_says(name):
    """Every order, schedule, guard, read-out and scheme with this rule."""
    rule, combinations = rules.get(name), 0
    for order, schedule, guard, readout, scheme in itertools.product(
        orders.ORDERS.members, SCHEDULES, GUARDS, readouts.READOUTS, ("two", "coupled", "ovr")
    ):
        others = [order != "shuffled", schedule, guard, readout != "last", scheme != "two"]
        if sum(map(bool, others)) > 3:
            continue  # a conflict is one of the rule with a choice, or of two or three choices
        asked = Combination(
            rule, orders.resolve(order), schedules.resolve(schedule), guard, readout=readout
        )
        labels, several = Y, {"multiclass": "coupled"}
        if scheme != "two":
            labels, several = THREE, {"multiclass": scheme}
            asked = Combination(**{**vars(asked), **classes_of(scheme)})
        conflict = find_conflict(asked)
        if conflict is not None and conflict in CHOICES and (readout, scheme) != ("last", "two"):
            continue  # refused whatever the read-out: looked at once
        clf = fitted(
            LinearClassifier, labels, rule=rule, order=order, schedule=schedule, guard=guard,
            readout=readout, keep=(readout,), **several,
        )  # fmt: skip
        assert (clf is None) == (conflict is not None), (asked, conflict)
        if clf is not None:
            assert clf.predict(X).shape == (4,)
        combinations += 1
    assert combinations > 100


@pytest.mark.parametrize("budget", [None, *budgets.names()])
def test_a_fit_with_a_kernel_does_what_the_table_says(budget):
    found = set()
    for name, order, guard, readout in itertools.product(
        rules.names(), ("shuffled", "batch"), GUARDS, readouts.READOUTS
    ):
        asked = Combination(
            rules.get(name),
            orders.resolve(order),
            guards=guard,
            kernel=kernels.resolve("rbf"),
            budget=budgets.resolve(budget),
            readout=readout,
        )
        conflict = find_conflict(asked)
        found.add(None if conflict is None else conflict.name)
        if conflict is not None and conflict in CHOICES and readout != "last":
            continue
        clf = fitted(
            KernelClassifier, Y, rule=name, order=order, guard=guard, readout=readout,
            keep=(readout,), kernel="rbf", budget=budget,
        )  # fmt: skip
        assert (clf is None) == (conflict is not None), (asked, conflict)
    assert None in found and len(found) >= 5


@pytest.mark.parametrize("name", rules.names())
def test_weights_and_streams_do_what_the_table_says(name):
    rule = rules.get(name)
    for facts, learn in (
        ({"weighted": True}, lambda clf: clf.fit(X, Y, [1.0, 2.0, 1.0, 0.5])),
        ({"way": "batches"}, lambda clf: clf.partial_fit(X, Y)),
    ):
        clf = LinearClassifier(rule, max_iter=2, until=None)
        if find_conflict(Combination(rule, **facts)) is None:
            learn(clf)
        else:
            with pytest.raises(InputError):
                learn(clf)


def test_every_conflict_is_met_by_something_that_there_is():
    """A row that refuses nothing would be dead."""
    nonnegative = rules.Perceptron()
    object.__setattr__(nonnegative, "nonnegative", True)  # no rule that adds is of this kind
    asked = [
        Combination(rule, order, schedules.resolve(schedule), guard)
        for rule in map(rules.get, rules.names())
        for order in map(orders.resolve, orders.ORDERS.members)
        for schedule in SCHEDULES
        for guard in GUARDS
    ]
    more = (
        [{"readout": name} for name in readouts.READOUTS]
        + [{"kernel": kernels.resolve("rbf"), "readout": name} for name in readouts.READOUTS]
        + [{"kernel": kernels.resolve("precomputed"), "way": "batches"}, {"way": "batches"}]
        + [{"n_classes": 3}, {"weighted": True}, {"growing": True}, {"started": True}]
        + [{"started": True, "readout": "voted"}]
        + [{"started": True, "kernel": kernels.resolve("rbf")}]
        + [
            {"kernel": kernels.resolve("rbf"), "budget": budgets.resolve(name), **facts}
            for name in budgets.names()
            for facts in ({}, {"readout": "voted"}, {"n_classes": 3})
        ]
    )
    asked += [
        Combination(**{**vars(one), **facts})
        for one in (Combination(rule) for rule in [*map(rules.get, rules.names()), nonnegative])
        for facts in more
    ]
    asked += [Combination(**{**vars(one), "shards": 2}) for one in asked]
    asked += [Combination(one.rule, one.order, readout="longest") for one in asked]
    asked += [Combination(rules.Perceptron(), orders.Batch(), kernel=kernels.resolve("rbf"))]
    asked += [Combination(rules.Perceptron(), o, way="batches") for o in (orders.Batch(),)]
    asked += [Combination(rules.Perceptron(), guards=guard, way="batches") for guard in GUARDS]
    asked += [
        Combination(rules.Relaxation(), orders.Batch(), schedules.LineSearch(), way="batches"),
        Combination(rules.MarginPerceptron(), schedule=schedules.Projection(), weighted=True),
    ]
    aims = {"schedule": schedules.OptimalStep((1,))}
    asked += [
        Combination(rules.Perceptron(), **aims, **facts)
        for facts in (
            {"order": orders.Batch()}, {"guards": (guards.LambdaTrick(1),)}, {"way": "batches"},
            {"kernel": kernels.resolve("rbf")}, {"weighted": True}, {"n_classes": 3},
        )
    ]  # fmt: skip
    asked += [Combination(rules.Relaxation(), **aims)]
    asked += [Combination(rules.Perceptron(), **facts) for facts in OF_WAYS]
    asked += [
        works.ask_to_train(*cell)
        for cell in itertools.product(works.FEATURES, works.WAYS, works.KINDS)
    ]
    met = {row.name for row in RESOLVED for one in asked if row.applies(one)}
    asks = [works.ask_command(*cell) for cell in itertools.product(works.COMMANDS, works.KINDS)]
    asks += [one for one in asked if one.asked or one.piped or one.way != "memory"]
    asks += [Ask(**facts) for facts in REQUESTED]
    met |= {row.name for row in (*REQUESTS, *COMMANDS) for one in asks if row.applies(one)}
    assert met == {row.name for row in TABLE}


def test_every_refusal_names_the_mend():
    """Of what goes with another option the reason is the mend."""
    for row in (*REQUESTS, *COMMANDS, *WAYS):
        assert row.fix or " goes with " in row.reason(Ask(asked=frozenset(row.parameters))), row


def test_commands_look_into_the_table_for_every_option_in_it():
    assert {name for row in COMMANDS for name in row.parameters} <= LOOKED_AT


def test_names_are_names():
    names = [row.name for row in TABLE]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", rules.names())
@pytest.mark.parametrize("order", ["shuffled", "batch", "worst"])
def test_all_that_goes_is_kept(name, order):
    """keep="all" means what the rule and the order allow, and each of it answers."""
    asked = Combination(rules.get(name), orders.resolve(order))
    if find_conflict(asked) is not None:
        return
    kept = resolve_kept("all", asked, "post")
    assert "last" in kept and (order == "shuffled" or set(kept) <= {"last", "averaged"})
    clf = LinearClassifier(name, order=order, keep="all", max_iter=5, readout="last").fit(X, Y)
    for readout in kept:
        assert len(clf.with_readout(readout).predict(X)) == 4
    for readout in set(readouts.ALL) - set(kept):
        with pytest.raises(InputError):
            clf.with_readout(readout)


def test_what_is_kept_on_a_budget():
    asked = Combination(
        rules.Perceptron(), kernel=kernels.resolve("rbf"), budget=budgets.RemoveOldest(3)
    )
    assert resolve_kept(readouts.DEFAULT, asked, "post") == ("last",)
    assert "voted" not in resolve_kept("all", asked, "post")
    with pytest.raises(InputError, match="RemoveOldest: got keep='voted'"):
        resolve_kept(("last", "voted"), asked, "post")


def test_the_default_read_out_is_last_where_there_is_no_average():
    clf = LinearClassifier("balanced-winnow", max_iter=20).fit(X, Y)
    assert (clf.coef_ == clf.with_readout("last").coef_).all()


@pytest.mark.parametrize(
    ("rule", "multiclass", "kept", "apart"),
    [
        (rules.Perceptron(), "ovr", ("last", "averaged"), True),
        (rules.Perceptron(), "coupled", ("last",), False),
        (rules.Perceptron(), "ovr", ("last", "voted"), False),
        (rules.BalancedWinnow(), "ovr", ("last",), False),
        (rules.AROW(), "ovr", ("last",), True),
        (rules.AROW(covariance="full"), "ovr", ("last",), False),
        (rules.Winnow2(), "ovr", ("last",), True),
        (type("Mine", (rules.Perceptron,), {})(), "ovr", ("last",), False),
    ],
)
def test_which_neurons_learn_apart(rule, multiclass, kept, apart):
    assert learns_apart(Combination(rule, multiclass=multiclass), kept) is apart


def test_a_schedule_that_may_not_converge_warns():
    with pytest.warns(HardlimitWarning, match="may never be separated"):
        check_choices(Combination(rules.Perceptron(), schedule=schedules.Power(2)))


@pytest.mark.parametrize("eta", [0.5, 1.0, 1.5])
def test_the_range_of_relaxations_steps_is_open(eta):
    """eta * schedule in (0, 2): at 2 a step goes to the mirror image, and nothing is gained."""
    limit = 2 / eta
    for step in (limit, math.nextafter(limit, 3 * limit)):
        with pytest.raises(InputError, match="leads away from the solution"):
            check_choices(Combination(rules.Relaxation(eta=eta), schedule=schedules.Constant(step)))
    inside = schedules.Constant(math.nextafter(limit, 0))
    check_choices(Combination(rules.Relaxation(eta=eta), schedule=inside))
