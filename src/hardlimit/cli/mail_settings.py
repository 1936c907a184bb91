"""The option ``--mail-set``: how raw mail is read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from hardlimit.cli.errors import usage_error
from hardlimit.cli.option_words import parse_pairs
from hardlimit.exceptions import InputError
from hardlimit.mail import MailReader

_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def parse_mail_settings(words: Iterable[str]) -> dict[str, Any]:
    """Read ``--mail-set`` as the settings of a mail reader.

    >>> parse_mail_settings(["parts=subject+body", "keep-labels=yes"])["parts"]
    ['subject', 'body']
    """
    reader = MailReader()
    names = {name.replace("_", "-"): name for name in reader.get_params()}
    for key, value in parse_pairs(words, "--mail-set").items():
        if key not in names:
            raise click.UsageError(f"--mail-set: no setting {key!r}; there are {', '.join(names)}")
        reader.set_params(**{names[key]: _read(key, value)})
    try:
        settings: dict[str, Any] = reader.to_json()
    except InputError as error:
        raise usage_error(error) from None
    return settings


def _read(key: str, value: str) -> Any:
    if key in ("parts", "headers"):
        return [part for part in value.replace("+", ",").split(",") if part]
    if key == "keep-labels" and value.lower() in _YES + _NO:
        return value.lower() in _YES
    if key.startswith("max-") and value.isdecimal():
        return int(value)
    wanted = "yes or no" if key == "keep-labels" else "a whole number"
    raise click.UsageError(f"--mail-set {key}: got {value!r}, wanted {wanted}")
