"""From the words of the command line to a classifier."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import choices, wording
from hardlimit.cli.options import pairs

if TYPE_CHECKING:
    from hardlimit.cli.models import Classifier

DEFAULT_RULES = ("passive-aggressive", "perceptron")  # of texts, of numbers; a test compares
BATCH_ITERATIONS = 1000  # each corrects once: ten, which suit texts one by one, are ten corrections
_NONE = ("none", "off", "no")
NOT_NAMED = "; it is the default rule, --rule NAME takes another"
_RANGES = ("words", "chars")
_CHOICES = ("tf", "idf", "norm")
_FEATURES = "words, chars, hash, tf, idf, norm, bias"


def features(text: str | None) -> dict[str, Any]:
    """Read ``--features``.

    >>> features("words=1-2,chars=none,hash=20,tf=binary")
    {'words': (1, 2), 'chars': None, 'hash_bits': 20, 'tf': 'binary'}
    """
    given = pairs(tuple(part for part in (text or "").split(",") if part.strip()), "--features")
    found = dict(_feature(key, value) for key, value in given.items())
    _check_features(found)
    return found


def _feature(key: str, value: str) -> tuple[str, Any]:
    off = value.lower() in _NONE
    if key in _RANGES:
        return key, None if off else "auto" if value == "auto" else _range(key, value)
    if key in _CHOICES:
        return key, None if off else value
    if key == "hash":
        return "hash_bits", None if off else _number(key, value, int)
    if key == "bias":
        return ("fit_intercept", False) if off else ("bias_feature", _number(key, value, float))
    raise click.BadOptionUsage("--features", f"--features knows {_FEATURES}; got {key!r}")


def _range(key: str, value: str) -> tuple[int, int]:
    low, dash, high = value.partition("-")
    try:
        return int(low), int(high) if dash else int(low)
    except ValueError:
        raise click.BadOptionUsage(
            "--features", f"--features {key}= wants lengths such as 1-2, got {value!r}"
        ) from None


def _number(key: str, value: str, kind: type) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise click.BadOptionUsage(
            "--features", f"--features {key}= wants a number or 'none', got {value!r}"
        ) from None


def rule(name: str | None, settings: tuple[str, ...], default: str = "passive-aggressive") -> Any:
    """Return the rule of ``--rule`` and ``--set``, or None when neither was given."""
    if name is None and not settings:
        return None
    from hardlimit import rules

    values = {key: _plain(value) for key, value in pairs(settings, "--set").items()}
    try:
        return rules.get(name or default, **values)
    except (ValueError, TypeError, LookupError) as error:
        raise click.UsageError(_said(error) + ("" if name else NOT_NAMED)) from None


def _plain(value: str) -> Any:
    """Read a value: number, true, false, or a word.

    >>> [_plain(v) for v in ("1", "0.5", "inf", "true", "full", "none")]
    [1, 0.5, inf, True, 'full', None]
    """
    if value.lower() == "none":
        return None
    try:
        return json.loads(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value


def class_weight(text: str | None, labels: Iterable[Any]) -> Any:
    """Read ``--class-weight``: ``balanced``, or ``spam=2,ham=1``."""
    if text is None or text == "balanced":
        return text
    known = {str(label): label for label in labels}
    weights = {}
    for name, value in pairs(tuple(text.split(",")), "--class-weight").items():
        if name not in known:
            there = ", ".join(sorted(known)[:20])
            raise click.BadOptionUsage(
                "--class-weight", f"--class-weight: no class {name!r}; there are {there}"
            )
        weights[known[name]] = _weight(name, value)
    return weights


def _weight(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise click.BadOptionUsage(
            "--class-weight", f"--class-weight {name}= wants a number, got {value!r}"
        ) from None


def classifier(given: dict[str, Any], is_numeric: bool) -> Classifier:
    """Build the classifier of texts or numbers; what it refuses is a usage error."""
    from hardlimit import rules
    from hardlimit.classifiers.linear import LinearClassifier
    from hardlimit.classifiers.text import TextClassifier

    chosen_rule = rule(given["rule"], given["settings"], DEFAULT_RULES[is_numeric])
    asked = {
        "rule": chosen_rule,
        "multiclass": given["multiclass"],
        "until": given["until"],
        "max_iter": given["epochs"] or (BATCH_ITERATIONS if given["order"] == "batch" else None),
        "random_state": given["seed"],
    }
    asked = {name: value for name, value in asked.items() if value is not None}
    asked |= choices.chosen(given, chosen_rule or rules.get(DEFAULT_RULES[is_numeric]))
    if asked.get("until") == "none":
        asked["until"] = None
    if is_numeric and given["features"]:
        raise click.UsageError("--features is for texts; this is a file of numbers")
    if given["scale"] and not is_numeric:
        raise click.UsageError("--scale is for numbers; texts are scaled by --features norm=l2")
    if given["scale"]:
        asked["scale"] = given["scale"]
    found: Classifier = (
        LinearClassifier(**asked)
        if is_numeric
        else TextClassifier(**asked, **features(given["features"]))
    )
    choices.check(found)
    return found


def _check_features(found: dict[str, Any]) -> None:
    """Let the vectorizer refuse what it cannot do before anything is read."""
    from hardlimit.text import TextVectorizer, settings

    plain = {name: (1, 1) if value == "auto" else value for name, value in found.items()}
    known = TextVectorizer().get_params()
    try:
        settings.check_settings({**known, **{k: v for k, v in plain.items() if k in known}})
    except (ValueError, TypeError) as error:
        raise click.UsageError(f"--features: {_said(error)}") from None


def _said(error: Exception) -> str:
    return wording.of_commands(str(error))
