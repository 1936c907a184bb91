"""Messages that speak of Python parameters, in the words of the command line."""

from __future__ import annotations

import re
import sys
from typing import Any

_WORDS = (
    (r"^partial_fit: got guard=.*", "--train-from: the noise guards of this model know each "
     "training row again, and new rows are new to them; train anew on all rows"),
    (r"^(?:(\w+): got )?(order|readout|keep|multiclass)(?:=|: got )'([\w-]+)'(?=[:,])",
     lambda found: f"--{found[2]} {found[3]}" + (f": {found[1]}" if found[1] else "")),
    (r"^(\w+): got schedule=LineSearch\(\)", r"--schedule line-search: \1"),
    (r"^(\w+): got schedule=Projection\(\)", r"--schedule projection: \1"),
    (r"^(\w+): got schedule=\w+\(.*?\): ", r"--schedule: \1: "),
    (r"^(\w+): got guard=LambdaTrick\(.*?\): ", r"--lambda: \1: "),
    (r"^(\w+): got guard=Margin\(.*?\): ", r"--margin: \1: "),
    (r"^rule: got '(.*?)', wanted one of ", r"--rule: there is no rule '\1'; there are "),
    (r"^rules\.\w+: got (\w+)=(.*?), wanted ", r"--set \1=\2: wanted "),
    (r"^rule '(.*?)': got the parameter ", r"--set: the rule '\1' got the parameter "),
    (r"^\w+Classifier: until='(\w+)' was not", r"--until \1 was not"),
    (r"max_iter=(\d+) epochs", r"\1 epochs"),
    (r"; a stream whose second class comes later starts with partial_fit", ""),
    (
        r"with multiclass='ovr' a class cannot come later: .*",
        "a model trained with --multiclass ovr cannot learn it later: train anew on all rows",
    ),
    (r"^class_weight: ", "--class-weight: "),
    (
        r"^this model was saved without its training state .*",
        "this model was trained with --slim, so it can only predict: train one without --slim",
    ),
    (r"^with_readout\('averaged'\): .*", "--readout averaged: this model did not keep the average"),
    (
        r"^bias_feature: got (.*?), wanted (.*?); .*",
        r"--features bias=\1: wanted \2; bias=none does without",
    ),
    (r"^\w+Classifier: the weights or scores overflowed; scale the columns of X", "the weights or "
     "scores overflowed: scale the columns of numbers"),
    (r"\bX: got (\d+) columns, wanted (\d+).*", r"\1 columns of numbers, but the model has \2"),
    (r"use fewer columns \(.*?\), keep='last', or", "use --features hash=20 or words=1, or"),
    (r"give (words|chars)=\(least, most\), for example .*", r"such as \1=1-2, or \1=none"),
    (r"\b(words|chars)=\((\d+), (\d+)\)", r"\1=\2-\3"),
    (r"\b(words|chars|tf|idf|norm)=None", r"\1=none"),
    (r"'(\w+)', None\b", r"'\1', none"),
    (r"\bhash_bits=", "hash="),
    (r"\b1 epochs", "1 epoch"),
    (r"^(?:guards\.)?LambdaTrick: got lam=(.*?), wanted", r"--lambda \1: wanted"),
    (r"^(?:guards\.)?Margin: got b=(.*?), wanted", r"--margin \1: wanted"),
    (r"\bguards\.LambdaTrick", "--lambda"),
    (r"\bguards\.AlphaBound", "--alpha-bound"),
    (r"\bguards\.Margin", "--margin"),
    (r"\bschedules\.LineSearch", "--schedule line-search"),
    (r"\bschedules\.Projection", "--schedule projection"),
    (r"^schedule (\w+)\((.*?)\): ", r"--schedule (\1 with \2): "),
    (r"^schedule: ", "--schedule: "),
    (r"\borders\.Batch\(combine='(\w+)'\)", r"--combine \1"),
    (r"\b(order|combine|multiclass|until|readout|scale)='(\w+)'", r"--\1 \2"),
    (r"the order '(\w+)' moves on", r"--order \1 moves on"),
    (r"^keep: '(.*?)' does not go with ", r"--keep \1 does not go with "),
    (r"use with_readout\('(\w+)'\)", r"use --readout \1"),
    (r", fewer rows at a time, or raise hardlimit\.keep\.VOTING_BUDGET", ", or fewer rows"),
    (
        r"^with_readout\('([\w-]+)'\): .*",
        r"--readout \1: this model did not keep it; train anew, with that --readout",
    ),
    (
        r"^readout='([\w-]+)': it is not there any more; .*",
        r"--readout \1: a model file does not keep it; train anew, with that --readout",
    ),
    (
        r"^partial_fit: a stream keeps .*? and not (.*?), which need .*",
        r"--train-from: this model answers with the read-out \1, which needs rows that are known "
        "again; go on with --readout last or averaged, or train anew on all rows",
    ),
    (
        r"^(.*?) asks for n_i or alpha_i, .*",
        r"--train-from: \1 asks what became of each row before, and new rows are new to it; train "
        "anew on all rows",
    ),
)  # fmt: skip


def of_commands(message: str, *, with_names: bool = False) -> str:
    """Say it as someone at a command line can use it.

    ``with_names`` is for messages that hold no words of the user's: names of classes stand alone.

    >>> of_commands("rules.PassiveAggressive: got C=-1, wanted a number above 0")
    '--set C=-1: wanted a number above 0'
    >>> of_commands("use rules.MarginPerceptron(b=1)")
    'use --rule margin-perceptron --set b=1'
    """
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return _rules_by_name(message, with_names)


def _rules_by_name(message: str, with_names: bool) -> str:
    """Call rules as --rule does; nothing speaks of them before they are loaded."""
    rules: Any = sys.modules.get("hardlimit.rules")
    for rule in rules.describe() if rules else ():
        cls = rule.cls.__name__
        message = re.sub(
            rf"\brules\.{cls}\b(?:\(([^()]*)\))?",
            lambda found, name=rule.name: f"--rule {name}" + _settings(found[1]),  # type: ignore[misc]
            message,
        )
        message = re.sub(rf"\b{cls}\(([^()]*)\)", rf"{rule.name} (\1)", message)
        message = message.replace(f"{rule.name} ()", rule.name)
        if with_names:
            message = re.sub(rf"\b{cls}\b", rule.name, message)
    return message


def _settings(values: str | None) -> str:
    return "".join(f" --set {value}" for value in (values or "").split(", ") if value)
