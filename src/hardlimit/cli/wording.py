"""Messages that speak of Python parameters, in the words of the command line."""

from __future__ import annotations

import re

_WORDS = (
    (r"^rules\.get: there is no rule '(.*?)'; ", r"--rule: there is no rule '\1'; "),
    (r"^rules\.\w+: got (\w+)=(.*?), wanted ", r"--set \1=\2: wanted "),
    (r"^rule '(.*?)': got the parameter ", r"--set: the rule '\1' got the parameter "),
    (r"^\w+Classifier: until='(\w+)' was not", r"--until \1 was not"),
    (r"max_iter=(\d+) epochs", r"\1 epochs"),
    (r"; a stream whose second class comes later starts with partial_fit", ""),
    (
        r"with multiclass='ovr' a class cannot come later: .*",
        "a model trained with --multiclass ovr cannot learn it later: train anew on all rows",
    ),
    (
        r"class_weight='balanced': partial_fit does not .*",
        "--class-weight balanced does not go with --train-from: give LABEL=WEIGHT,...",
    ),
    (r"^class_weight: ", "--class-weight: "),
    (
        r"^\w+Classifier: this model was saved without its training state .*",
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
)  # fmt: skip


def of_commands(message: str) -> str:
    """Say it as someone at a command line can use it.

    >>> of_commands("rules.PassiveAggressive: got C=-1, wanted a number above 0")
    '--set C=-1: wanted a number above 0'
    """
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return message
