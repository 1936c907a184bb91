"""The option ``--features``: what is counted in texts."""

from __future__ import annotations

from typing import Any, TypeVar

import click

from hardlimit.cli.errors import usage_error
from hardlimit.cli.face import FEATURES, CommandFace
from hardlimit.cli.option_words import parse_pairs
from hardlimit.cli.options import NONE
from hardlimit.exceptions import HardlimitError
from hardlimit.readers.opening import read_whole
from hardlimit.text import TextVectorizer, limits, settings

# These take lengths, so that words=1-2 is read as two numbers.
_RANGES = ("words", "chars")
_CHOICES = {
    "tf": "tf",
    "idf": "idf",
    "norm": "norm",
    "analyzer": "analyzer",
    "accents": "strip_accents",
}
_DOCUMENTS = {"min-df": "min_df", "max-df": "max_df"}
_NAMES = (
    "words, chars, hash, tf, idf, norm, blocks, analyzer, accents, stop-words, min-df, max-df, "
    "max-features, vocabulary, bias"
)
N = TypeVar("N", int, float)


def parse_features(text: str | None) -> dict[str, Any]:
    """Read ``--features`` as parameters of a classifier of texts.

    >>> parse_features("words=1-2,chars=none,hash=20,tf=binary")
    {'words': (1, 2), 'chars': None, 'hash_bits': 20, 'tf': 'binary'}
    """
    parts = [part for part in (text or "").split(",") if part.strip()]
    given = parse_pairs(parts, "--features")
    features = dict(_feature(key, value) for key, value in given.items())
    _check(features)
    return features


def split_features(text: str) -> dict[str, list[str]]:
    """Return the values of each feature in a search: what has no name is a further value.

    >>> split_features("words=1-1,1-2,chars=none")
    {'words': ['1-1', '1-2'], 'chars': ['none']}
    """
    found: dict[str, list[str]] = {}
    for part in text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals and found:
            found[next(reversed(found))].append(key)
        elif key in found:
            raise click.BadOptionUsage("--features", f"--features: {key}= is given twice")
        else:
            found[key] = [value]
    return found


def _feature(key: str, value: str) -> tuple[str, Any]:
    # In any case of letters: None is how Python writes it.
    off = value.lower() in NONE
    if key in _RANGES:
        return key, None if off else "auto" if value == "auto" else _range(key, value)
    if key in _CHOICES:
        return _CHOICES[key], None if off else value
    if key in _DOCUMENTS:
        return _DOCUMENTS[key], _documents(key, value)
    if key == "max-features":
        return "max_features", None if off else _number(key, value, int)
    if key in ("stop-words", "vocabulary"):
        return key.replace("-", "_"), None if off else _terms(key, value)
    if key == "hash":
        return "hash_bits", None if off else _number(key, value, int)
    if key == "blocks":
        return "block_weights", None if off else _weights(key, value)
    if key == "bias":
        return ("fit_intercept", False) if off else ("bias_feature", _number(key, value, float))
    raise click.BadOptionUsage("--features", f"--features knows {_NAMES}; got {key!r}")


def _range(key: str, value: str) -> tuple[int, int]:
    low, dash, high = value.partition("-")
    try:
        # A single length is a range of one: words=2 means pairs of words only.
        return int(low), int(high) if dash else int(low)
    except ValueError:
        raise click.BadOptionUsage(
            "--features", f"--features {key}= wants lengths such as 1-2, got {value!r}"
        ) from None


def _documents(key: str, value: str) -> int | float:
    # As in Python, a number with a point is a fraction: 1 is one text and 1.0 all of them.
    return _number(key, value, float if set(value) & set(".eE") else int)


def _terms(key: str, value: str) -> str | list[str]:
    """Read a list of terms, one a line, from a file; "english" names a list of stop words."""
    if key == "stop-words" and value == "english":
        return value
    lines = read_whole(value).decode("utf-8", "replace").splitlines()
    # N-grams of characters may begin with a blank, but they stand in brackets.
    return list(dict.fromkeys(line.strip() for line in lines if line.strip()))


def _weights(key: str, value: str) -> tuple[float, ...]:
    try:
        return tuple(map(float, value.split(":")))
    except ValueError:
        raise click.BadOptionUsage(
            "--features", f"--features {key}= wants weights such as 0.8:0.6, got {value!r}"
        ) from None


def _number(key: str, value: str, kind: type[N]) -> N:
    try:
        return kind(value)
    except ValueError:
        raise click.BadOptionUsage(
            "--features", f"--features {key}= wants a number or 'none', got {value!r}"
        ) from None


def _check(features: dict[str, Any]) -> None:
    """Let the vectorizer refuse what it cannot do, before anything is read."""
    # "auto" is resolved from the texts, which are not read yet: any range stands for it here.
    given = {name: (1, 1) if value == "auto" else value for name, value in features.items()}
    # The bias is the classifier's and not the vectorizer's, so only known names are checked.
    known = TextVectorizer().get_params()
    params = {**known, **{k: v for k, v in given.items() if k in known}}
    try:
        settings.check_settings(params)
        # Whether characters are counted may depend on the texts.
        if features.get("chars", "auto") != "auto":
            limits.check_vocabulary(params)
    except HardlimitError as error:
        raise usage_error(
            error, before="--features: ", face=CommandFace("--features", FEATURES)
        ) from None
