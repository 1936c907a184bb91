"""The table of what does not go together: a row a reason, and why, and what to do instead.

The rows are asked in their order by :mod:`hardlimit.classifiers.model.compatibility`; the first
that applies is the refusal.
"""

from __future__ import annotations

from hardlimit import guards, readouts, rules
from hardlimit.classifiers.model.combination import Combination
from hardlimit.classifiers.model.conflict import Conflict
from hardlimit.classifiers.model.conflicts_of_commands import COMMANDS
from hardlimit.classifiers.model.conflicts_of_requests import REQUESTS
from hardlimit.classifiers.model.conflicts_of_shards import LIVES_OF_SHARDS, MIXED
from hardlimit.classifiers.model.conflicts_of_ways import (
    COLUMNS_TO_COME,
    READOUTS_OF_WAYS,
    TRAINING_STATES,
    WAYS,
)
from hardlimit.classifiers.model.traits import (
    adds,
    aims,
    asked_scalars,
    compares_lives,
    has_coordinates,
    kind_of_answer,
    projects,
    searches,
)
from hardlimit.exceptions import Given, Setting, Suggestion, Text
from hardlimit.foundation.formatting import plural
from hardlimit.theory.cycling import step_of

# What the choices ask for.


def multiplies_steps(combination: Combination) -> bool:
    """Whether a schedule multiplies ``tau``; a line search replaces it."""
    return combination.schedule is not None and not searches(combination)


def _requires_nothing(rule: rules.Rule) -> bool:
    """Whether the rule has no fixed margin above 0 to project onto."""
    return callable(rule.required) or not rule.required > 0


# The table: noise guards, orders, schedules.


def _refused_guard(combination: Combination) -> guards.Guard:
    return next(one for one in combination.guards if one.refusal(combination.rule))


def _refusal_of_guard(combination: Combination) -> guards.Refusal:
    refusals = (guard.refusal(combination.rule) for guard in combination.guards)
    return next(refusal for refusal in refusals if refusal)


GUARDS = (
    Conflict(
        "guard-of-other-rules",
        "guard",
        lambda c: any(one.refusal(c.rule) for one in c.guards),
        lambda c: _refusal_of_guard(c).reason,
        lambda c: _refusal_of_guard(c).fix,
        value=_refused_guard,
    ),
)
ORDERS = (
    Conflict(
        "rule-without-batch",
        "order",
        lambda c: c.order.loop == "batch" and not c.rule.batch,
        "the rule has no batch form",
        "use one of the perceptrons or relaxation, or another order",
    ),
    Conflict(
        "worst-needs-sums",
        "order",
        lambda c: c.order.loop == "worst" and not adds(c.rule),
        "the rule does not add multiples of the examples, so that the scores of all rows cannot be "
        "kept",
        "use another order",
    ),
)
SCHEDULES = (
    Conflict(
        "no-quadratic-criterion",
        "schedule",
        lambda c: searches(c) and not c.rule.quadratic,
        "the rule has no quadratic criterion; that of the perceptron is piecewise linear, its "
        "Hessian is 0 and the step would be divided by it",
        ("use ", Suggestion("rules.Relaxation"), ", or another schedule"),
    ),
    Conflict(
        "search-without-batch",
        "schedule",
        lambda c: searches(c) and c.order.loop != "batch",
        "this schedule looks for the step of a whole batch",
        ("use ", Setting("order", "batch")),
    ),
    Conflict(
        "search-with-lambda",
        "schedule",
        lambda c: searches(c) and has_coordinates(c),
        "the lambda-trick gives each example a coordinate of its own, which the line does not "
        "follow",
        ("use ", Suggestion("guards.AlphaBound"), ", or another schedule"),
    ),
    Conflict(
        "own-step-length",
        "schedule",
        lambda c: multiplies_steps(c) and not c.rule.takes_schedule,
        "the rule finds the length of its steps itself, and to multiply them would break what it "
        "promises",
        "use the perceptron, its margin form or relaxation",
    ),
    Conflict(
        "optimal-of-other-steps",
        "schedule",
        lambda c: aims(c) and step_of(c.rule) is None,
        "this schedule is the best step of a rule that adds the example itself, and this rule adds "
        "a part of it",
        ("use ", Setting("rule", "perceptron"), ", or another schedule"),
    ),
    Conflict(
        "optimal-in-batch",
        "schedule",
        lambda c: aims(c) and c.order.loop == "batch",
        "this schedule is the best step of one example, and not of the sum of several",
        "use an online order, or another schedule",
    ),
    Conflict(
        "optimal-with-coordinates",
        "schedule",
        lambda c: aims(c) and has_coordinates(c),
        "the lambda-trick gives each example a coordinate of its own, which the separator does not "
        "have",
        ("use ", Suggestion("guards.AlphaBound"), ", or another schedule"),
    ),
    Conflict(
        "optimal-of-kernels",
        "schedule",
        lambda c: aims(c) and c.kernel is not None,
        "the separator is a vector of columns, which a kernel does not have",
        "use LinearClassifier, or another schedule",
    ),
    Conflict(
        "projection-in-batch",
        "schedule",
        lambda c: projects(c) and c.order.loop == "batch",
        "this schedule takes one example to the required margin, and in a batch each has a step of "
        "its own",
        ("use an online order, or ", Suggestion("rules.Relaxation"), " in batches"),
    ),
    Conflict(
        "projection-twice",
        "schedule",
        lambda c: projects(c) and c.rule.quadratic,
        "the rule projects by itself, and the two would multiply",
        "leave the schedule out (eta=1 is the exact projection)",
    ),
    Conflict(
        "projection-onto-zero",
        "schedule",
        lambda c: projects(c) and _requires_nothing(c.rule),
        "the rule would be projected onto the margin 0, which is a mistake for ever",
        ("use ", Suggestion("rules.MarginPerceptron", b=1)),
    ),
)

# Kernels and budgets.


def _gives_supports(combination: Combination) -> bool:
    """Whether the dual coefficients of this rule can be taken back or projected."""
    rule = combination.rule
    return (
        kind_of_answer(rule) == "tau"
        and not {"wsq", "alpha_i"} & asked_scalars(rule)
        and not has_coordinates(combination)
    )


def _is_bare_perceptron(combination: Combination) -> bool:
    """Whether each correction has the size 1."""
    return (
        # Equality of frozen dataclasses also compares the classes.
        combination.rule == rules.get("perceptron")
        and combination.schedule is None
        and not combination.guards
    )


def _reason_only_perceptron(combination: Combination) -> Text:
    why = "" if combination.budget is None else combination.budget.only_perceptron
    return f"this budget goes with the perceptron alone, without a schedule or guards: {why}"


KERNELS = (
    Conflict(
        "kernel-needs-sums",
        "kernel",
        lambda c: c.kernel is not None and not adds(c.rule),
        "the rule does more than add multiples of the examples, so that its weights are no sum "
        "over supports",
        "use a rule that adds, such as the perceptron or passive-aggressive",
    ),
    Conflict(
        "kernel-of-negatives",
        "kernel",
        lambda c: c.kernel is not None and c.rule.nonnegative,
        "the rule is for columns that are not negative",
        "use LinearClassifier",
    ),
    Conflict(
        "kernel-order",
        "order",
        lambda c: c.kernel is not None and c.order.loop != "online",
        "with kernels the examples come one by one",
        "use 'shuffled', 'cyclic' or 'random'",
        who="kernel",
    ),
)
BUDGETS = (
    Conflict(
        "budget-of-perceptrons",
        "budget",
        lambda c: bool(c.budget and c.budget.only_perceptron) and not _is_bare_perceptron(c),
        _reason_only_perceptron,
        (
            "use ",
            Setting("rule", "perceptron"),
            ", or ",
            Suggestion("budgets.RemoveOldest", size=100),
        ),
    ),
    Conflict(
        "budget-takes-back",
        "budget",
        lambda c: c.budget is not None and not _gives_supports(c),
        "the rule with these guards shrinks, or asks for ||w|| or alpha_i, which say something "
        "else once a correction was taken back",
        "use the perceptron, its margin form, passive-aggressive or relaxation",
    ),
)

# Read-outs.

READOUTS = (
    LIVES_OF_SHARDS,
    *READOUTS_OF_WAYS,
    Conflict(
        "lives-one-presentation",
        "readout",
        lambda c: c.order.loop != "online" and compares_lives(c.readout),
        lambda c: f"in the order {c.order.loop!r} every weight vector lives for one presentation",
        ("use ", Setting("readout", "last"), " or ", Setting("readout", "averaged")),
        who="",
    ),
    Conflict(
        "mean-of-linked",
        "readout",
        # The rule first: nearly all have an average, and then nobody looks the read-out up.
        lambda c: not readouts.averages(c.rule) and readouts.resolve(c.readout).sums_weights,
        "its weights are 2 sinh(theta), and neither their mean nor their votes follow from what is "
        "kept of theta",
        "use 'last', 'longest' or 'pocket'",
    ),
    Conflict(
        "votes-need-sums",
        "readout",
        lambda c: (
            readouts.resolve(c.readout).replays_corrections
            and kind_of_answer(c.rule) in ("tau, beta", "factor")
        ),
        "its corrections are no multiples of the examples, so that the votes would need every "
        "weight vector",
        "use 'averaged'",
    ),
    Conflict(
        "votes-on-budget",
        "readout",
        lambda c: (
            readouts.resolve(c.readout).replays_corrections
            and c.budget is not None
            and not c.budget.votes
        ),
        "the budget takes corrections back, so that the hypotheses do not follow from the "
        "corrections",
        "use 'last' or 'longest'",
        "budget",
    ),
    Conflict(
        "average-on-budget",
        "readout",
        lambda c: (
            c.budget is not None and c.budget.forgets and readouts.resolve(c.readout).sums_weights
        ),
        "the budget removes supports, and the average would keep all of them",
        "use 'last' or 'longest', or a budget that removes nothing: Projectron, Stoptron",
        "budget",
    ),
    Conflict(
        "ratchet-of-kernels",
        "readout",
        lambda c: readouts.resolve(c.readout).verifies and c.kernel is not None,
        "with kernels each look at all examples would cost as much as an epoch",
        "use 'pocket' or 'longest'",
        "",
    ),
)

# Data: several classes, weighted examples, streams.


def _shared_by_many(combination: Combination) -> bool:
    return combination.multiclass == "coupled" and combination.n_classes > 2


def _classes_given(combination: Combination) -> Given:
    return Given(
        f"{combination.multiclass!r} with {plural(combination.n_classes, 'class', 'classes')}"
    )


CLASSES = (
    Conflict(
        "optimal-of-classes",
        "schedule",
        lambda c: c.n_classes > 2 and aims(c),
        "the separator is one vector, of two classes",
        "use another schedule",
    ),
    Conflict(
        "rule-of-one-neuron",
        "multiclass",
        lambda c: _shared_by_many(c) and bool(c.rule.alone),
        lambda c: c.rule.alone,
        ("use ", Setting("multiclass", "ovr")),
        value=_classes_given,
    ),
    Conflict(
        "budget-of-one-neuron",
        "multiclass",
        lambda c: _shared_by_many(c) and c.budget is not None and not c.budget.coupled,
        "the budget judges one class at a time, and all classes would share their corrections",
        ("use ", Setting("multiclass", "ovr")),
        "budget",
        _classes_given,
    ),
)
WEIGHTS = (
    Conflict(
        "weighted-optimal",
        "schedule",
        lambda c: c.weighted and aims(c),
        "an example's weight can only be 0 or 1 here, because a multiple of the best step is not "
        "the best",
    ),
    Conflict(
        "rule-without-weights",
        "sample_weight",
        lambda c: c.weighted and not c.rule.weighs,
        lambda c: "an example's weight can only be 0 or 1 here, " + c.rule.unweighed,
    ),
    Conflict(
        "weighted-projection",
        "schedule",
        lambda c: c.weighted and projects(c),
        "an example's weight can only be 0 or 1 here, because a multiple of the projection passes "
        "the margin and may diverge",
    ),
)
STARTS = (
    Conflict(
        "start-of-kernels",
        "initial_weights",
        lambda c: c.started and c.kernel is not None,
        "with a kernel there are no weights to begin at, but coefficients of the examples",
        "use LinearClassifier, or a feature map",
        "kernel",
        value=lambda c: Given("weights"),
    ),
    Conflict(
        "start-of-factors",
        "initial_weights",
        lambda c: c.started and kind_of_answer(c.rule) in ("factor", "tau, linked"),
        "the rule multiplies its weights, and begins at values of its own",
        "use a rule that adds, such as the perceptron",
        value=lambda c: Given("weights"),
    ),
    Conflict(
        "start-of-alphas",
        "initial_weights",
        lambda c: c.started and "alpha_i" in asked_scalars(c.rule),
        "its weights are the sum of what each example counts, which begins at 0",
        "use a rule that asks for no alpha_i, such as passive-aggressive",
        value=lambda c: Given("weights"),
    ),
    Conflict(
        "start-of-votes",
        "initial_weights",
        lambda c: c.started and readouts.resolve(c.readout).replays_corrections,
        "the votes are replayed from the corrections, beginning at zero weights",
        ("use ", Setting("keep", readouts.DEFAULT)),
        "voted",
        value=lambda c: Given("weights"),
    ),
)

# The rows that may refuse a mean, which every order allows.
MEANS = tuple(row for row in READOUTS if row.name in ("mean-of-linked", "average-on-budget"))
CHOICES = (*GUARDS, *ORDERS, *SCHEDULES, *MIXED, *KERNELS, *BUDGETS)
# Rows of choices look at what is resolved; those of requests at what was asked for alone.
RESOLVED = (
    *CHOICES,
    *READOUTS,
    *CLASSES,
    *WEIGHTS,
    *WAYS,
    *COLUMNS_TO_COME,
    *TRAINING_STATES,
    *STARTS,
)
TABLE = (*RESOLVED, *REQUESTS, *COMMANDS)
