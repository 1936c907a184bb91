"""``--try``: values of parameters as they are typed, and candidates as they would be typed."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterable
from typing import Any

import click

from hardlimit import describing, rules
from hardlimit.classifiers.tuning.candidates import MOST
from hardlimit.cli.choice_options import DEFAULT_RULES
from hardlimit.cli.errors import usage_error
from hardlimit.cli.features import parse_features
from hardlimit.cli.options import nearest, parse_pairs
from hardlimit.cli.table_options import parse_weights
from hardlimit.exceptions import HardlimitError
from hardlimit.foundation.formatting import plural

Candidate = dict[str, Any]
_FEATURES = (
    "words chars hash tf idf norm blocks analyzer accents stop-words min-df max-df max-features "
    "vocabulary bias"
).split()
_WEIGHTS = "column-weights"
_SCALES = ("none", "rows", "maxabs", "standard")


def parse_tried(
    words: Iterable[str], is_numeric: bool, is_table: bool = False
) -> list[Candidate] | None:
    """Return the candidates of all ``--try``; None where nothing is said.

    >>> parse_tried(["words=1-1,1-2", "epochs=5"], False)
    [{'words': (1, 1), 'max_iter': 5}, {'words': (1, 2), 'max_iter': 5}]
    """
    words = list(words)
    if not words:
        return None
    values = {key: _split(key, text) for key, text in _pairs(words).items()}
    _refuse_unknown(values, is_numeric, is_table)
    count = 1
    for listed in values.values():
        count *= len(listed)
    if count > MOST:
        raise click.BadOptionUsage(
            "--try", f"--try: {plural(count, 'candidate')}; at most {MOST:,}"
        )
    combined = itertools.product(*values.values())
    made = [_candidate(dict(zip(values, one, strict=True)), is_numeric) for one in combined]
    return list({repr(one): one for one in made}.values())


def _pairs(words: list[str]) -> dict[str, str]:
    keys = [word.partition("=")[0].strip() for word in words]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise click.BadOptionUsage("--try", f"--try {twice}=: give all its values in one list")
    return parse_pairs(words, "--try")


def _split(key: str, text: str) -> list[str]:
    values = [value.strip() for value in text.split(",")]
    if not all(values):
        raise click.BadOptionUsage("--try", f"--try {key}=: an empty value in {text!r}")
    return values


def _refuse_unknown(values: dict[str, list[str]], is_numeric: bool, is_table: bool) -> None:
    """Refuse a key that no candidate has."""
    named = values.get("rule", [DEFAULT_RULES[is_numeric]])
    settings = {key for name in named for key in _settings_of(name)}
    known = {"rule", "epochs", *settings, *(("scale",) if is_numeric else _FEATURES)}
    known |= {_WEIGHTS} if is_table else set()
    for key in values:
        if key not in known:
            there = ", ".join(sorted(known))
            hint = nearest(key, known) or _rules_with(key)
            raise click.BadOptionUsage("--try", f"--try knows {there}; got {key!r}{hint}")


def _rules_with(key: str) -> str:
    """Name the rules that have a parameter, for a search that does not try one of them."""
    found = [one.name for one in rules.describe() if key in _settings_of(one.name)]
    return f"; it is of other rules: --try rule={','.join(found)}" if found else ""


def _candidate(chosen: dict[str, str], is_numeric: bool) -> Candidate:
    """Return the parameters of one combination."""
    found: Candidate = {}
    settings = {}
    for key, value in chosen.items():
        if key == "epochs":
            found["max_iter"] = _epochs(value)
        elif key == "scale":
            found["scale"] = _scale(value)
        elif key == _WEIGHTS:
            found["column_weights"] = parse_weights(value)
        elif key in _FEATURES and not is_numeric:
            found |= _features(key, value)
        elif key != "rule":
            settings[key] = _number(key, value)
    if settings or "rule" in chosen:
        found["rule"] = _rule(chosen.get("rule", DEFAULT_RULES[is_numeric]), settings)
    return found


def _features(key: str, value: str) -> Candidate:
    try:
        return parse_features(f"{key}={value}")
    except click.UsageError as error:
        said = error.message.replace("--features: ", "--try ").replace("--features ", "--try ")
        raise click.BadOptionUsage("--try", said) from None


def _rule(name: str, settings: dict[str, Any]) -> Any:
    # C is tried with the rules that have one; the others come once.
    own = _settings_of(name)
    try:
        return rules.get(name, **{key: value for key, value in settings.items() if key in own})
    except HardlimitError as error:
        said = usage_error(error).message.replace("--set ", "--try ")
        raise click.BadOptionUsage("--try", said) from None


def _settings_of(name: str) -> list[str]:
    """Return the names of a rule's parameters."""
    try:
        return list(inspect.signature(type(rules.get(name))).parameters)
    except HardlimitError as error:
        said = usage_error(error).message.removeprefix("--rule ")
        raise click.BadOptionUsage("--try", f"--try rule={said}") from None


def _epochs(value: str) -> int:
    if not value.isdecimal() or len(value) > 9 or int(value) == 0:
        raise click.BadOptionUsage("--try", f"--try epochs= wants whole numbers; got {value!r}")
    return int(value)


def _scale(value: str) -> str:
    if value not in _SCALES:
        there = ", ".join(_SCALES)
        raise click.BadOptionUsage("--try", f"--try scale= knows {there}; got {value!r}")
    return value


def _number(key: str, value: str) -> float | int | str:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def spell(candidate: Candidate) -> str:
    """Return a candidate as it would be typed.

    >>> spell({"words": (1, 2), "chars": None, "max_iter": 5})
    'words=1-2 chars=none epochs=5'
    >>> spell({})
    'the default'
    """
    # of numbers all candidates run all epochs, and nothing is told by saying so
    parts = [_spell_one(name, value) for name, value in candidate.items() if name != "until"]
    return " ".join(parts) or "the default"


def _spell_rule(rule: Any) -> str:
    """Return the name of a rule, with the parameters that are not the usual ones.

    >>> _spell_rule(rules.get("passive-aggressive", C=0.3)), _spell_rule(rules.get("arow"))
    ('rule=passive-aggressive C=0.3', 'rule=arow')
    """
    plain = rules.to_json(rule)
    usual = rules.to_json(rules.get(plain["name"]))["parameters"]
    values = {k: v for k, v in plain["parameters"].items() if usual.get(k) != v}
    pairs = [f"{key}={describing.format_value(value)}" for key, value in values.items()]
    return " ".join([f"rule={plain['name']}", *pairs])


def _spell_one(name: str, value: Any) -> str:
    if name == "rule":
        return _spell_rule(value)
    if name == "max_iter":
        return f"epochs={value}"
    key = {"hash_bits": "hash", "block_weights": "blocks", "strip_accents": "accents"}.get(name)
    key = key or name.replace("_", "-")
    if isinstance(value, tuple):
        if name in ("block_weights", "column_weights"):
            return f"{key}={':'.join(map(describing.format_value, value))}"
        return f"{key}={'-'.join(map(str, value))}"
    if isinstance(value, list):
        return f"{key}=({plural(len(value), 'term')})"
    return f"{key}={describing.format_value(value)}"
