"""Words that are left out before n-grams are made."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from hardlimit.exceptions import InputError, KindError


def resolve(given: object) -> list[str]:
    """Return the words to leave out, sorted.

    ``"english"`` is scikit-learn's list, read from there: it is theirs, and follows theirs.

    Raises
    ------
    InputError, KindError
        For another name, for what is no list of words, and where scikit-learn is missing.
    """
    if given is None:
        return []
    if isinstance(given, str):
        return _named(given)
    wanted = "a list of words, 'english' or None"
    try:
        if isinstance(given, bytes) or not isinstance(given, Iterable):
            raise TypeError
        words = sorted(set(given))
        for word in words:
            str.encode(word)
    except Exception:  # also of a user's own class
        raise KindError(parameter="stop_words", got=given, wanted=wanted) from None
    return words


def _named(name: str) -> list[str]:
    if name != "english":
        wanted = "'english' or a list of words"
        raise InputError(parameter="stop_words", got=name, wanted=wanted)
    try:
        words = import_module("sklearn.feature_extraction.text").ENGLISH_STOP_WORDS
    except ImportError:
        raise InputError(
            "the English list is scikit-learn's, which is not installed",
            parameter="stop_words",
            got=name,
            fix="install scikit-learn, or give a list of words",
        ) from None
    return sorted(words)
