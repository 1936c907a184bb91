"""What shards of files cannot do; asked before any file is read."""

from __future__ import annotations

from typing import Any

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.compatibility import check_mixed
from hardlimit.classifiers.text import TextClassifier
from hardlimit.exceptions import Given, InputError


def check(choices: Choices, classifier: Any) -> None:
    """Refuse what shards of files cannot do."""
    if not isinstance(classifier, TextClassifier) or choices.text is None:
        raise InputError(
            "shards of files are of texts",
            who="distributed.train",
            got=Given(type(classifier).__name__),
            wanted="a TextClassifier",
        )
    check_mixed(choices.combination, choices.kept)
    settings = choices.text
    for name, given, wanted in (
        ("text_columns", settings.text_columns, "None: one text a row"),
        ("number_columns", settings.table, "a TextClassifier"),
        ("vocabulary", settings.vocabulary, "None: the terms are counted, shard by shard"),
        ("probability", classifier.probability or None, "False, and calibrate(texts, labels)"),
    ):
        if given is not None:
            raise InputError(
                who="distributed.train", parameter=name, got=Given(f"{given!r:.40}"), wanted=wanted
            )
