"""The words of options: how a field is typed, and what is typed as ``KEY=VALUE``."""

from __future__ import annotations

from collections.abc import Iterable

import click


def parse_pairs(words: Iterable[str], option: str) -> dict[str, str]:
    """Split ``key=value`` words.

    >>> parse_pairs(("C=0.1", "b=2"), "--set")
    {'C': '0.1', 'b': '2'}
    """
    values = {}
    for word in words:
        # At the first sign, so that a value may hold one.
        key, equals, value = word.partition("=")
        # Without a value too: `C=` is more likely a slip than an empty text.
        if not (key.strip() and equals and value.strip()):
            raise click.BadOptionUsage(option, f"{option} wants KEY=VALUE, got {word!r}")
        values[key.strip()] = value.strip()
    return values


def given_names(options: object, names: Iterable[str]) -> list[str]:
    """Return those of some options that were given, as they are typed.

    >>> from types import SimpleNamespace
    >>> given_names(SimpleNamespace(text="message", label=None), ("text", "label"))
    ['--text']
    """
    return [option_named(name) for name in names if getattr(options, name) not in (None, (), {})]


# Fields with the names of the classifier's parameters.
_TYPED = {
    "number_columns": "--number",
    "category_columns": "--category",
    "missing_values": "--missing-value",
}


def option_named(name: str) -> str:
    """Return the option of a field.

    >>> option_named("train_from")
    '--train-from'
    """
    return _TYPED.get(name) or "--" + name.replace("_", "-")
