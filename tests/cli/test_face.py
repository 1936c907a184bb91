"""Errors as the command line says them, made by hand."""

from __future__ import annotations

import pickle

import pytest

from hardlimit import guards, rules, schedules
from hardlimit.cli.face import FEATURES, CommandFace
from hardlimit.exceptions import (
    Cell,
    ConvergenceWarning,
    Given,
    InputError,
    NotFittedError,
    Parameter,
    Setting,
    Suggestion,
)

FACE = CommandFace()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (InputError("no rows"), "no rows"),
        (InputError("no rows", who="fit", where="a.csv:3"), "a.csv:3: no rows"),
        (
            InputError(who="rules.PassiveAggressive", parameter="C", got=-1, wanted="a number > 0"),
            "--rule passive-aggressive:C=-1: wanted a number > 0",
        ),
        (InputError("has no mean", who="BalancedWinnow"), "--rule balanced-winnow: has no mean"),
        (
            InputError(who="guards.LambdaTrick", parameter="lam", got=0.0, wanted="a number > 0"),
            "--guard lambda-trick:lam=0.0: wanted a number > 0",
        ),
        (
            InputError(
                "of a batch", who="schedules.LineSearch", fix=("use ", Setting("order", "batch"))
            ),
            "--schedule line-search: of a batch; use --order batch",
        ),
        (
            InputError("the rule has no batch form", who="ROMMA", parameter="order", got="batch"),
            "--order batch: romma: the rule has no batch form",
        ),
        (
            InputError("no", who="ALMA", parameter="guard", got=guards.LambdaTrick(1.0)),
            "--guard lambda-trick: alma: no",
        ),
        (
            InputError("no", who="Perceptron", parameter="schedule", got=schedules.LineSearch()),
            "--schedule line-search: perceptron: no",
        ),
        (
            InputError("no", who="ROMMA", parameter="schedule", got=schedules.Power(1)),
            "--schedule power: romma: no",
        ),
        (
            InputError(parameter="class_weight", got={"a": -1}, wanted="numbers >= 0"),
            "--class-weight: got {'a': -1}, wanted numbers >= 0",
        ),
        (
            InputError(parameter="words", got=(3, 1), wanted="1 <= least <= most"),
            "--features words=3-1: wanted 1 <= least <= most",
        ),
        (
            InputError(parameter="tf", got="x", wanted="one of ..."),
            "--features tf=x: wanted one of ...",
        ),
        (
            InputError(parameter="X", got=Given("3 columns"), wanted="2"),
            "the rows: got 3 columns, wanted 2",
        ),
        (InputError(parameter="until", got=None, wanted="a name"), "--until none: wanted a name"),
        (InputError("two lines\nof text"), "two lines of text"),
        (
            ConvergenceWarning((Setting("until", "margin"), " was not reached")),
            "--until margin was not reached",
        ),
        (
            NotFittedError("saved so", topic="no-training-state", fix=Parameter("training_state")),
            "this model was trained with --slim, so it can only predict: train one without --slim",
        ),
    ],
)  # fmt: skip
def test_a_sentence_is_made_of_the_fields(error, sentence) -> None:
    assert FACE.sentence(error) == sentence


@pytest.mark.parametrize(
    ("reference", "spelled"),
    [
        (Setting("order", "worst"), "--order worst"),
        (Setting("keep", ("last", "voted")), "--keep last,voted"),
        (Setting("words", (1, 2)), "--features words=1-2"),
        (Setting("chars", None), "--features chars=none"),
        (Setting("training_state", False), "--slim"),
        (Setting("fit_intercept", False), "--features bias=none"),
        (Setting("number", float), "--float"),
        (Setting("patience", 3), "patience=3"),
        (Setting("rule", Suggestion("rules.PAUM", tau_plus=2)), "--rule paum:tau_plus=2"),
        (Parameter("class_weight"), "--class-weight"),
        (Parameter("hash_bits"), "--features hash"),
        (Parameter("sample_weight"), "sample_weight"),
        (Suggestion("rules.MarginPerceptron", b=1), "--rule margin-perceptron:b=1"),
        (Suggestion("rules.Relaxation"), "--rule relaxation"),
        (Suggestion("guards.AlphaBound"), "--guard alpha-bound"),
        (Suggestion("guards.AlphaBound", alpha=3), "--guard alpha-bound:alpha=3"),
        (Suggestion("schedules.Projection"), "--schedule projection"),
        (Suggestion("orders.Batch", combine="average"), "--order batch:combine=average"),
        (Suggestion("maps.Monomials", degree=2), "maps.Monomials(degree=2)"),
    ],
)
def test_references_are_options(reference, spelled) -> None:
    assert FACE.text(("use ", reference, " here")) == f"use {spelled} here"


def test_every_rule_guard_and_schedule_has_an_option() -> None:
    for rule in rules.describe():
        assert FACE.text((Suggestion(f"rules.{rule.cls.__name__}"),)) == f"--rule {rule.name}"
    for kind, classes in (
        ("guards", guards.GUARDS.members),
        ("schedules", schedules.SCHEDULES.members),
    ):
        for cls in classes.values():
            assert FACE.text((Suggestion(f"{kind}.{cls.__name__}"),)).startswith("--")


def test_within_features_the_option_stands_before_the_sentence() -> None:
    error = InputError(parameter="words", got=(3, 1), fix=("use ", Setting("words", (1, 3))))
    assert CommandFace("--features", FEATURES).sentence(error) == "words=3-1; use words=1-3"


def test_the_bias_is_named_as_the_command_does() -> None:
    said = InputError(
        parameter="bias_feature", got=0, fix=("use ", Setting("fit_intercept", False))
    )
    spelled = {
        command: CommandFace(command).sentence(said) for command in ("train", "trace", "certify")
    }
    assert spelled == {
        "train": "--features bias=0; use --features bias=none",
        "trace": "--bias-feature 0; use --bias-feature none",
        "certify": "--bias-feature 0; use --through-origin",
    }


def test_a_place_in_the_rows_survives_a_copy() -> None:
    error = pickle.loads(pickle.dumps(InputError("got -1", where=Cell(2, 7))))
    assert (error.where.row, error.where.column) == (2, 7)
    assert FACE.sentence(error) == "row 2, column 7: got -1"
