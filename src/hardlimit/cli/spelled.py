"""Maps and kernels as the command line spells them: ``polynomial:2``, ``rbf:0.5``."""

from __future__ import annotations

import inspect
import json
from typing import Any

import click

from hardlimit.cli.errors import sentence
from hardlimit.exceptions import HardlimitError
from hardlimit.foundation.register import Register


def parse_choice(text: str, register: Register[Any], option: str) -> Any:
    """Return the object that a text means: a name, then values in the order of its parameters.

    >>> from hardlimit.kernels import KERNELS
    >>> parse_choice("rbf:0.5", KERNELS, "--kernel"), parse_choice("linear", KERNELS, "--kernel")
    (RBF(gamma=0.5), Linear())
    >>> parse_choice("polynomial:c=2", KERNELS, "--kernel")
    Polynomial(degree=2, c=2)
    """
    name, _, listed = text.partition(":")
    try:
        kind = register.find(name)
    except HardlimitError as error:  # which names the option and the name
        raise click.BadOptionUsage(option, sentence(error)) from None
    try:
        names = list(inspect.signature(kind).parameters)
        parts = [part.strip() for part in listed.split(",")] if listed else []
        given = dict(_read_part(part, names, k) for k, part in enumerate(parts))
        made = register.get(name, **given)
        # Of those that would be refused only once there are rows.
        getattr(made, "check_parameters", lambda: None)()
        return made
    except HardlimitError as error:
        raise click.BadOptionUsage(option, f"{option} {text}: {sentence(error)}") from None
    except ValueError:
        values = ",".join(name.upper() for name in names) or "no values"
        raise click.BadOptionUsage(
            option, f"{option} {text}: wanted {name}:{values}, the values in this order"
        ) from None


def _read_part(part: str, names: list[str], place: int) -> tuple[str, Any]:
    name, equals, value = part.partition("=")
    if not equals:
        if place >= len(names):
            raise ValueError(part)
        name, value = names[place], part
    if value.lower() == "none":
        return name, None
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value  # a word, such as seen
