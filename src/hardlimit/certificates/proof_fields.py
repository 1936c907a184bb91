"""The fields of a proof file: numbers as strings, each with its form and its limit."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable
from typing import Any

from hardlimit.certificates.exact.entries import Exact
from hardlimit.certificates.exact.integers import common_integers
from hardlimit.exceptions import Given, InputError, ProofError
from hardlimit.foundation.formatting import plural

MOST_DIGITS = 1_000_000  # of one integer
_LONGEST_DECIMAL = 18  # digits of an integer that is written as people do
# 13 digits after the point are the 52 bits of a float: more would be rounded in silence.
_FLOAT = re.compile(r"-?0x[01](\.[0-9a-f]{1,13})?p[+-][0-9]{1,4}")
_INTEGER = re.compile(rf"-?(0x[0-9a-f]+|[0-9]{{1,{_LONGEST_DECIMAL}}})")


def write_number(value: int | float) -> str:
    """Write a number as a string: floats and long integers in hexadecimal, floats as C does.

    >>> write_number(1.5), write_number(-30), write_number(10**20)
    ('0x1.8000000000000p+0', '-30', '0x56bc75e2d63100000')
    """
    if isinstance(value, float):
        return value.hex()
    return str(value) if abs(value) < 10**_LONGEST_DECIMAL else hex(value)


def write_ratios(values: Iterable[Exact | float]) -> list[str]:
    """Write numbers of which only the ratios count: floats as they are, all else as integers."""
    given = list(values)
    floats = [v for v in given if isinstance(v, float)]
    if len(floats) == len(given):
        return [v.hex() for v in floats]
    return [write_number(v) for v in common_integers(given)[0]]


def read_number(given: object, name: str) -> int | float:
    """Read a number; ``ProofError`` for all that `written` does not write."""
    text = read_string(given, name)
    # Before int(), whose time grows with the square of the digits.
    if len(text) > MOST_DIGITS:
        raise ProofError(
            f"a number of {plural(len(text), 'digit')}; no proof needs that many", parameter=name
        )
    if _FLOAT.fullmatch(text):
        return _as_float(text, name)
    if not _INTEGER.fullmatch(text):
        raise _refusal(name, text, "a number as '-30' or '0x1.8p+0'")
    return int(text, 16) if "x" in text else int(text)


def _as_float(text: str, name: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        raise ProofError(f"{text} is beyond the floats", parameter=name) from None


def read_float(given: object, name: str) -> float:
    """Read a number that is a float."""
    number = read_number(given, name)
    if not isinstance(number, float):
        raise _refusal(name, given, "a float such as '0x1.8p+0'")
    return number


def parse_json(content: bytes) -> Any:
    """Read JSON; ``ProofError`` for anything else, and for what Python alone takes for JSON."""
    try:
        return json.loads(
            content.decode("utf-8"),
            # Python reads NaN and Infinity, which JSON has not; numbers are strings in a proof.
            parse_constant=_refuse_constant,
            object_pairs_hook=_refuse_doubles,
            parse_int=_read_small_integer,
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
    raise ProofError(
        f"the number {abbreviate_json(text)}: fractions and floats are written as strings"
    )


def _read_small_integer(text: str) -> int:
    # A hostile file could keep int() busy: its time grows with the square of the digits.
    if len(text) > 18:
        raise ProofError(
            f"an integer of {plural(len(text), 'digit')}; long numbers are written as strings"
        )
    return int(text)


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        # One pass with a set: counting each name would be quadratic in a hostile file.
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ProofError(f"{abbreviate_json(twice)} occurs twice")
    return members


def read_object(given: object, name: str, wanted: set[str]) -> dict[str, Any]:
    """Read an object that has these members, and no others."""
    if not isinstance(given, dict):
        raise _refusal(name, given, "an object")
    for member in sorted(wanted - given.keys()):
        raise ProofError(f"{member!r} is missing", parameter=name)
    for member in sorted(given.keys() - wanted):
        raise ProofError(f"{abbreviate_json(member)} is not one of its members", parameter=name)
    return given


def read_list(given: object, name: str) -> list[Any]:
    """Read a list."""
    if not isinstance(given, list):
        raise _refusal(name, given, "a list")
    return given


def read_string(given: object, name: str) -> str:
    """Read a string."""
    if not isinstance(given, str):
        raise _refusal(name, given, "a string")
    return given


def read_count(given: object, name: str) -> int:
    """Read a number of rows or columns."""
    # True is an int in Python, and no count.
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise _refusal(name, given, "a whole number, 1 or more")
    return given


def read_row_numbers(given: object, n_rows: int) -> list[int]:
    """Read rows, no two alike."""
    rows = read_list(given, "suspects")
    for i in rows:
        if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < n_rows:
            raise _refusal("suspects", i, f"a row from 0 to {n_rows - 1}")
    if len(set(rows)) != len(rows):
        raise ProofError("a row occurs twice", parameter="suspects")
    return rows


def read_multipliers(given: object, n_rows: int) -> dict[int, Any]:
    """Read ``{"row": "number"}``, rows that are there and numbers above 0."""
    if not isinstance(given, dict) or not given:
        raise _refusal("multipliers", given, "an object of one or more")
    multipliers: dict[int, Any] = {}
    for name, text in given.items():
        # Without leading zeros: 01 and 1 would be one row under two names.
        if not re.fullmatch(r"0|[1-9][0-9]{0,17}", name) or int(name) >= n_rows:
            raise ProofError(
                f"{abbreviate_json(name)} is not a row from 0 to {n_rows - 1}",
                parameter="multipliers",
            )
        value = read_number(text, "multipliers")
        if value <= 0:
            raise _refusal(f"multipliers: row {name}", text, "more than 0")
        multipliers[int(name)] = value
    return multipliers


def write_label(label: Hashable) -> Any:
    """Return a label as JSON: strings, ints and truth values as such, floats by their digits."""
    if label is None or isinstance(label, str | bool):
        return label
    if isinstance(label, int) and abs(label) < 10**18:
        return label
    if isinstance(label, float):
        return {"float": label.hex()}
    raise InputError(
        "such a label cannot be written into a proof",
        who="save",
        got=label,
        wanted="strings or numbers",
    )


def read_label(given: object, name: str) -> Any:
    """Read what `write_label` writes."""
    if isinstance(given, dict):
        return read_float(read_object(given, name, {"float"})["float"], name)
    if isinstance(given, str | bool | int):
        return given
    raise _refusal(name, given, "a label")


def _refusal(name: str, given: object, wanted: str) -> ProofError:
    return ProofError(parameter=name, got=Given(abbreviate_json(given)), wanted=wanted)


def abbreviate_json(given: object) -> str:
    """Return a short form of a JSON value, for a message."""
    text = json.dumps(given) if not isinstance(given, str) else repr(given)
    return text if len(text) <= 60 else text[:57] + "..."
