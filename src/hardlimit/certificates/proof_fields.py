"""The fields of a proof file: numbers as strings, each with its form and its limit."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable
from typing import Any

from hardlimit.certificates.exact.entries import Exact
from hardlimit.certificates.exact.integers import common_integers
from hardlimit.exceptions import InputError, ProofError

MOST_DIGITS = 1_000_000  # of one integer
_LONGEST_DECIMAL = 18  # digits of an integer that is written as people do
_FLOAT = re.compile(r"-?0x[01](\.[0-9a-f]{1,13})?p[+-][0-9]{1,4}")
_INTEGER = re.compile(rf"-?(0x[0-9a-f]+|[0-9]{{1,{_LONGEST_DECIMAL}}})")


def written(value: int | float) -> str:
    """A number as a string: a float as C writes it in hexadecimal, a long integer in hexadecimal.

    >>> written(1.5), written(-30), written(10**20)
    ('0x1.8000000000000p+0', '-30', '0x56bc75e2d63100000')
    """
    if isinstance(value, float):
        return value.hex()
    return str(value) if abs(value) < 10**_LONGEST_DECIMAL else hex(value)


def all_written(values: Iterable[Exact | float]) -> list[str]:
    """Numbers of which only the ratios count: floats as they are, all else as integers."""
    given = list(values)
    floats = [v for v in given if isinstance(v, float)]
    if len(floats) == len(given):
        return [v.hex() for v in floats]
    return [written(v) for v in common_integers(given)[0]]


def a_number(given: Any, where: str) -> int | float:
    """Read a number; ``ProofError`` for all that `written` does not write."""
    text = a_string(given, where)
    if len(text) > MOST_DIGITS:
        raise ProofError(f"{where}: a number of {len(text):,} digits; no proof needs that many")
    if _FLOAT.fullmatch(text):
        return _as_float(text, where)
    if not _INTEGER.fullmatch(text):
        raise ProofError(f"{where}: got {shown(text)}, wanted a number as '-30' or '0x1.8p+0'")
    return int(text, 16) if "x" in text else int(text)


def _as_float(text: str, where: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        raise ProofError(f"{where}: {text} is beyond the floats") from None


def a_float(given: Any, where: str) -> float:
    """Read a number that is a float."""
    found = a_number(given, where)
    if not isinstance(found, float):
        raise ProofError(f"{where}: got {shown(given)}, wanted a float such as '0x1.8p+0'")
    return found


def parsed(content: bytes) -> Any:
    """Read JSON; ``ProofError`` for anything else, and for what Python alone takes for JSON."""
    try:
        return json.loads(
            content.decode("utf-8"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique,
            parse_int=_small_int,
            parse_float=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        raise ProofError(f"not UTF-8 (byte {error.start}), so no JSON") from None
    except json.JSONDecodeError as error:
        raise ProofError(
            f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from None
    except RecursionError:
        raise ProofError("brackets nested too deep") from None


def _refuse_constant(text: str) -> Any:
    raise ProofError(f"the number {shown(text)}: fractions and floats are written as strings")


def _small_int(text: str) -> int:
    if len(text) > 18:
        raise ProofError(f"an integer of {len(text):,} digits; long numbers are written as strings")
    return int(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ProofError(f"{shown(twice)} stands there twice")
    return found


def members(given: Any, where: str, wanted: set[str]) -> dict[str, Any]:
    """Read an object that has these members, and no others."""
    if not isinstance(given, dict):
        raise ProofError(f"{where}: got {shown(given)}, wanted an object")
    for name in sorted(wanted - given.keys()):
        raise ProofError(f"{where}: {name!r} is missing")
    for name in sorted(given.keys() - wanted):
        raise ProofError(f"{where}: {shown(name)} is no member of it")
    return given


def a_list(given: Any, where: str) -> list[Any]:
    """Read a list."""
    if not isinstance(given, list):
        raise ProofError(f"{where}: got {shown(given)}, wanted a list")
    return given


def a_string(given: Any, where: str) -> str:
    """Read a string."""
    if not isinstance(given, str):
        raise ProofError(f"{where}: got {shown(given)}, wanted a string")
    return given


def a_count(given: Any, where: str) -> int:
    """Read a number of rows or columns."""
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ProofError(f"{where}: got {shown(given)}, wanted a whole number, 1 or more")
    return given


def row_numbers(given: Any, n_rows: int) -> list[int]:
    """Read rows, no two alike."""
    rows = a_list(given, "suspects")
    for i in rows:
        if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < n_rows:
            raise ProofError(f"suspects: got {shown(i)}, wanted a row from 0 to {n_rows - 1}")
    if len(set(rows)) != len(rows):
        raise ProofError("suspects: a row stands there twice")
    return rows


def multipliers(given: Any, n_rows: int) -> dict[int, Any]:
    """Read ``{"row": "number"}``, rows that are there and numbers above 0."""
    if not isinstance(given, dict) or not given:
        raise ProofError(f"multipliers: got {shown(given)}, wanted an object of one or more")
    found: dict[int, Any] = {}
    for name, text in given.items():
        if not re.fullmatch(r"0|[1-9][0-9]{0,17}", name) or int(name) >= n_rows:
            raise ProofError(f"multipliers: {shown(name)} is no row from 0 to {n_rows - 1}")
        value = a_number(text, "multipliers")
        if value <= 0:
            raise ProofError(f"multipliers: row {name} has {shown(text)}, wanted more than 0")
        found[int(name)] = value
    return found


def plain_label(label: Hashable) -> Any:
    """A label as JSON: strings, whole numbers and truth values as such; floats by their digits."""
    if label is None or isinstance(label, str | bool):
        return label
    if isinstance(label, int) and abs(label) < 10**18:
        return label
    if isinstance(label, float):
        return {"float": label.hex()}
    raise InputError(
        f"save: a label {label!r} cannot be written into a proof; wanted strings or numbers"
    )


def a_label(given: Any, where: str) -> Any:
    """Undo `plain_label`."""
    if isinstance(given, dict):
        return a_float(members(given, where, {"float"})["float"], where)
    if given is None or isinstance(given, str | bool | int):
        return given
    raise ProofError(f"{where}: got {shown(given)}, wanted a label")


def shown(given: Any) -> str:
    """A short form of anything, for a message."""
    text = json.dumps(given) if not isinstance(given, str) else repr(given)
    return text if len(text) <= 60 else text[:57] + "..."
