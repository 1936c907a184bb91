"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from hardlimit.readers import Layout

_F = TypeVar("_F", bound=Callable[..., Any])
# written out, so that --help need not import the readers; a test compares
_FORMATS = "csv, tsv, jsonl, lines, folder, svmlight or numeric-csv."
_LAYOUT = ("format", "text", "label", "header", "delimiter", "quoting", "encoding")

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")


def layout_options(label: bool = True) -> Callable[[_F], _F]:
    """Add the options that say how a file is to be read."""
    options = [
        click.option(
            "--text", metavar="COLUMN", help="Column of the text: name, or number from 0."
        ),
        click.option("--label", metavar="COLUMN", help="Column of the label.") if label else None,
        click.option("--format", metavar="NAME", help=_FORMATS),
        click.option("--header/--no-header", default=None, help="The first row holds names."),
        click.option("--delimiter", metavar="CHAR", help="Between the fields; 'tab' for a tab."),
        click.option("--quoting/--no-quoting", default=None, help='A " encloses fields.'),
        click.option("--encoding", metavar="NAME", help="If not UTF-8: cp1252, utf-16, ..."),
    ]

    def decorate(function: _F) -> _F:
        for option in reversed(options):
            if option is not None:
                function = option(function)
        return function

    return decorate


def take_layout(values: dict[str, Any]) -> dict[str, Any]:
    """Take the reading options out of a command's values; those not given are left out."""
    given = {name: values.pop(name, None) for name in _LAYOUT}
    if given["delimiter"] in ("tab", "\\t"):
        given["delimiter"] = "\t"
    return {name: value for name, value in given.items() if value is not None}


def layout_of(given: Mapping[str, Any], remembered: Mapping[str, Any] | None = None) -> Layout:
    """Return what the model remembers, overridden by what was asked for."""
    from hardlimit.exceptions import InputError
    from hardlimit.readers import Layout

    try:
        return Layout.from_json({**(remembered or {}), **given})
    except InputError as error:
        raise click.UsageError(str(error)) from None


def pairs(given: tuple[str, ...], option: str) -> dict[str, str]:
    """Split ``key=value`` words.

    >>> pairs(("C=0.1", "b=2"), "--set")
    {'C': '0.1', 'b': '2'}
    """
    found = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not (key.strip() and equals and value.strip()):
            raise click.BadOptionUsage(option, f"{option} wants KEY=VALUE, got {word!r}")
        found[key.strip()] = value.strip()
    return found
