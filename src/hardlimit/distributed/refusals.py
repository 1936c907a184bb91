"""What shards of files cannot do; asked before any file is read."""

from __future__ import annotations

from typing import Any

from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.compatibility import check_mixed
from hardlimit.classifiers.text import TextClassifier
from hardlimit.exceptions import Given, InputError

WHO = "distributed.train"


def check(choices: Choices, classifier: Any) -> None:
    """Refuse what shards of files cannot do.

    Raises
    ------
    InputError
        With the reason, and what to do instead.
    """
    if not isinstance(classifier, TextClassifier | LinearClassifier):
        raise InputError(
            "weights of columns can be mixed, and nothing else",
            who=WHO,
            got=Given(type(classifier).__name__),
            wanted="a TextClassifier, a TableClassifier or a LinearClassifier",
        )
    check_mixed(choices.combination, choices.kept)
    if choices.map is not None:
        raise InputError(
            "a feature map is fitted to all rows before the first is learnt",
            who=WHO,
            parameter="map",
            got=choices.map,
            fix="write files of rows that a fitted map has made",
        )
