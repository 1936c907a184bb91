"""What a search tries: the options that ``train`` has, each with more than one value.

A parameter with several values (``passive-aggressive:C=0.1,1``) and an option that is given again
(``--rule perceptron --rule arow``) are tried in all combinations.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from hardlimit import naming, readouts
from hardlimit.classifiers.tuning.candidates import MOST
from hardlimit.cli import choices
from hardlimit.cli.features import parse_features, split_features
from hardlimit.cli.registers import REGISTERS
from hardlimit.cli.spelling import spell_choice
from hardlimit.cli.table_options import parse_weights
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.cli.commands.tune.command import TuneOptions

Candidate = dict[str, Any]
# The classifier's parameters that hold a choice, as the options are called.
CHOICES = ("rule", "order", "schedule", "guard", "readout", "scale", "map", "kernel")


def parse_tried(options: TuneOptions) -> list[Candidate] | None:
    """Return the candidates that the options name; None where they name none."""
    tried = [
        *(_choice(name, options) for name in CHOICES),
        [{"max_iter": epochs} for epochs in _whole_numbers(options.epochs)],
        list(_features(options.features)),
        [{"column_weights": parse_weights(one)} for one in _split(options.weights)],
    ]
    tried = [one for one in tried if one]
    if not tried:
        return None
    count = 1
    for one in tried:
        count *= len(one)
    if count > MOST:
        raise click.UsageError(f"{plural(count, 'candidate')}; at most {MOST:,} are tried")
    combined = [_joined(parts) for parts in itertools.product(*tried)]
    return list({repr(one): one for one in combined}.values())


def _choice(name: str, options: TuneOptions) -> list[Candidate]:
    """Return what one option of choices sets, a candidate for each that was typed."""
    listed = [one for typed in getattr(options, name) for one in typed]
    return [_parameters(name, one) for one in listed]


def _parameters(name: str, choice: object) -> Candidate:
    if name != "readout":
        return {name: choice}
    # What is not kept cannot answer; the usual read-outs are.
    named = choices.readout_name(choice)
    kept = {} if named in readouts.DEFAULT else {"keep": (*readouts.DEFAULT, named)}
    averaging = getattr(choice, "averaging", None)
    counted = {} if averaging is None else {"averaging": averaging}
    return {"readout": named, **counted, **kept}


def _joined(parts: Sequence[Candidate]) -> Candidate:
    return {name: value for part in parts for name, value in part.items()}


def _split(text: str | None) -> list[str]:
    return [] if text is None else [part.strip() for part in text.split(",")]


def _whole_numbers(text: str | None) -> list[int]:
    values = _split(text)
    for value in values:
        if not value.isdecimal() or len(value) > 9 or int(value) == 0:
            raise click.BadOptionUsage(
                "--epochs", f"--epochs {text}: got {value!r}, wanted whole numbers from 1 on"
            )
    return [int(value) for value in values]


def _features(text: str | None) -> Iterator[Candidate]:
    """Yield every combination of the values of ``--features``.

    >>> [one["words"] for one in _features("words=1-1,1-2,chars=none")]
    [(1, 1), (1, 2)]
    """
    if text is None:
        return
    words = split_features(text)
    for values in itertools.product(*words.values()):
        pairs = zip(words, values, strict=True)
        yield parse_features(",".join(f"{key}={value}" for key, value in pairs))


def spell(candidate: Candidate) -> str:
    """Return a candidate as ``train`` takes it.

    >>> spell({"words": (1, 2), "chars": None, "max_iter": 5})
    '--epochs 5 --features words=1-2,chars=none'
    >>> spell({})
    'the default'
    """
    left = dict(candidate)
    # Of numbers all candidates run all epochs, and the usual read-outs are always kept.
    for name in ("until", "keep"):
        left.pop(name, None)
    parts = [_spell_choice(name, left) for name in CHOICES if name in left]
    if "max_iter" in left:
        parts.append(f"--epochs {left.pop('max_iter')}")
    if "column_weights" in left:
        values = map(naming.format_value, left.pop("column_weights"))
        parts.append(f"--column-weights {':'.join(values)}")
    if left:
        pairs = (_spell_feature(name, value) for name, value in left.items())
        parts.append(f"--features {','.join(pairs)}")
    return " ".join(parts) or "the default"


def distinguish(names: Sequence[str]) -> list[str]:
    """Return the names without the options that all of them have.

    >>> distinguish(["--rule arow --epochs 5", "--rule arow --epochs 10"])
    ['--epochs 5', '--epochs 10']
    """
    options = [re.split(" (?=--)", name) for name in names]
    common = set[str](options[0]).intersection(*options)
    return [
        " ".join(one for one in listed if one not in common) or name
        for name, listed in zip(names, options, strict=True)
    ]


def _spell_choice(name: str, left: Candidate) -> str:
    """Return an option, and take its parameters out of what is left."""
    choice = left.pop(name)
    if name == "readout":
        averaging = left.pop("averaging", "post")
        return f"--readout {choice}" + (f":{averaging}" if averaging != "post" else "")
    if choice is None or isinstance(choice, str):
        return f"--{name} {choice or 'none'}"
    return f"--{name} {spell_choice(choice, REGISTERS[name].load())}"


_FEATURES = {
    "hash_bits": "hash",
    "block_weights": "blocks",
    "strip_accents": "accents",
    "bias_feature": "bias",
    "fit_intercept": "bias",
}


def _spell_feature(name: str, value: object) -> str:
    key = _FEATURES.get(name, name.replace("_", "-"))
    if isinstance(value, tuple):
        between = ":" if name == "block_weights" else "-"
        return f"{key}={between.join(map(naming.format_value, value))}"
    if isinstance(value, list):
        return f"{key}=({plural(len(value), 'term')})"
    return f"{key}={naming.format_value(value or None)}"
