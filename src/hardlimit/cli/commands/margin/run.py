"""The work of ``hardlimit margin``: read the points, measure, print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hardlimit import textbook
from hardlimit.cli import json_output, starts, terminal, textbook_rows
from hardlimit.cli.progress import Progress
from hardlimit.exceptions import InputError
from hardlimit.textbook.sentences import describe_coding
from hardlimit.textbook.writing import format_number, to_plain_json

if TYPE_CHECKING:
    from fractions import Fraction

    from hardlimit.cli.commands.margin.command import MarginOptions
    from hardlimit.textbook import Examples, MeasuredMargin

# More numbers of rows than this say no more than their number.
SHOWN = 10


def run(options: MarginOptions) -> None:
    """Measure the margin, and print it."""
    bias = textbook_rows.parse_bias(options.bias_feature)
    with Progress():
        data = textbook_rows.read(options.source, options.layout)
        weights = starts.parse_weights(options.weights, "--weights")
        textbook_rows.check_two_classes(data)
        try:
            examples = textbook.examples(
                textbook_rows.to_lists(data), data.labels, bias_feature=bias
            )
            _check_weights(weights, examples)
            found = textbook.measure_margin(examples, weights)
        except InputError as error:
            raise textbook_rows.locate(error, data) from None
    names = list((data.remembered or {}).get("columns", ()))
    if options.as_json:
        json_output.print_json(_to_json(options.source, names, weights, examples, found))
    else:
        _show(data.name, names, weights, examples, found)


def _check_weights(weights: list[Fraction], examples: Examples) -> None:
    if len(weights) == examples.columns:
        return
    with_bias = examples.bias_feature is not None
    raise click.BadOptionUsage(
        "--weights",
        f"--weights: got {terminal.plural(len(weights), 'weight')}, wanted {examples.columns}, one "
        f"for each column{' and last that of the bias' * with_bias}",
    )


def _show(
    name: str, names: list[str], weights: list[Fraction], examples: Examples, found: MeasuredMargin
) -> None:
    verdict = "do not separate" if found.wrong else "separate"
    terminal.say(f"{terminal.paint(name, 'bold')}: the weights {verdict} the classes")
    for sentence in describe_coding(names, examples):
        terminal.say(sentence)
    terminal.say()
    gamma, squared = format_number(found.gamma), format_number(found.squared_length)
    terminal.facts(
        [
            ("w", "(" + ", ".join(map(format_number, weights)) + ")"),
            ("|w|", f"{format_number(found.length)}, the root of {squared}"),
            ("gamma", f"{gamma}, the smallest t w.x: {_listed(found.attained_by)}"),
            ("gamma / |w|", _geometric(found)),
            *_distance(found, examples),
            ("wrong", _describe_wrong(found, len(examples))),
        ]
    )


def _geometric(found: MeasuredMargin) -> str:
    if found.geometric is None:
        return "none, since all weights are 0"
    return format_number(found.geometric)


def _distance(found: MeasuredMargin, examples: Examples) -> list[tuple[str, str]]:
    """Return the distance among the points, which the weight of the bias does not lengthen."""
    if examples.bias_feature is None or found.distance is None:
        return []
    side = "on the wrong side of" if found.distance < 0 else "from"
    return [("distance", f"{format_number(abs(found.distance))} {side} the boundary")]


def _describe_wrong(found: MeasuredMargin, n: int) -> str:
    if not found.wrong:
        return f"none of {terminal.plural(n, 'point')}"
    where = "on the boundary" if found.gamma == 0 else "on the wrong side or on the boundary"
    return f"{len(found.wrong):,} of {terminal.plural(n, 'point')}, {where}: {_listed(found.wrong)}"


def _listed(rows: tuple[int, ...]) -> str:
    """Return numbers of rows as the table of ``trace`` has them, from 1.

    >>> _listed((0, 2)), _listed(tuple(range(12)))
    ('no. 1, 3', 'no. 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more')
    """
    more = len(rows) - SHOWN
    listed = ", ".join(str(i + 1) for i in rows[:SHOWN])
    return f"no. {listed}" + (f" and {more:,} more" if more > 0 else "")


def _to_json(
    source: str,
    names: list[str],
    weights: list[Fraction],
    examples: Examples,
    found: MeasuredMargin,
) -> json_output.Json:
    """Return the figures; rows count from 0, fractions that are not whole are strings."""
    return {
        "file": source,
        "rows": len(examples),
        "features": names,
        "bias_feature": to_plain_json(examples.bias_feature),
        "classes": [json_output.label_to_json(label) for label in examples.classes],
        "weights": to_plain_json(weights),
        "separates": not found.wrong,
        "gamma": to_plain_json(found.gamma),
        "attained_by": list(found.attained_by),
        "wrong": list(found.wrong),
        "squared_length": to_plain_json(found.squared_length),
        "length": found.length,
        "geometric_margin": found.geometric,
        "distance": found.distance,
    }
