"""What is wrong with a body or a parameter, in our words: the first thing, with place and mend."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hardlimit.foundation.formatting import plural
from hardlimit.foundation.suggesting import suggest
from hardlimit.service.problems import Problem, shown

# What was wanted, by pydantic's name of the error; {} are filled in from its context.
_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number, at most 9007199254740991",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "greater_than": "a number > {gt}",
    "greater_than_equal": "a number >= {ge}",
    "less_than_equal": "a number <= {le}",
    "too_long": "at most {max_length} of them",
    "too_short": "at least {min_length} of them",
    "string_too_long": "at most {max_length} characters",
    "literal_error": "one of {expected}",
    "string_unicode": "a text without halves of surrogate pairs",
}
# Errors that are told before all others of a body.
_FIRST = ("extra_forbidden", "too_long")

M = TypeVar("M", bound=BaseModel)


def parse(kind: type[M], body: bytes) -> M:
    """Return the body of a request, checked as FastAPI does it.

    Raises
    ------
    Problem
        400 of what is no JSON, 422 of what is something else than was wanted.
    """
    try:
        # Of bytes json would guess the encoding, which takes longer than to read a short body.
        return kind.model_validate(json.loads(body.decode()))
    except ValidationError as error:
        raise problem_of_errors(error.errors(), tuple(kind.model_fields), "body") from None
    except json.JSONDecodeError as error:
        raise not_json(error.msg, error.pos) from None
    except (ValueError, RecursionError):  # bytes that are no UTF-8; numbers or nesting too long
        raise not_json() from None


def not_json(reason: str = "", place: int | None = None) -> Problem:
    """Return the refusal of a body that is no JSON."""
    said = f": {reason}" if reason else ""
    where = "body" if place is None else f"body, character {place}"
    return Problem(400, "not-json", f"the body is not JSON{said}", where=where)


def problem_of_errors(errors: Sequence[Any], fields: Sequence[str] = (), root: str = "") -> Problem:
    """Return the refusal of pydantic's list of errors.

    fields : those that there are. root : what all places begin with.
    """
    # A name that is not there explains another that is missing, and a limit all that is beyond it.
    first = [one for kind in _FIRST for one in errors if one["type"] == kind]
    error = first[0] if first else _telling(errors, root)
    kind, place = error["type"], _place(error, root)
    where = ".".join(place) or "body"
    query = place[:1] in (["query"], ["path"])
    status, topic = (422, "bad-query") if query else (422, "unusable")
    parameter = place[-1] if len(place) > 1 else ""
    if kind == "json_invalid":
        return not_json(error.get("ctx", {}).get("error", ""), error["loc"][-1])
    if kind == "missing":
        return Problem(status, topic, "it is missing", where=where, parameter=parameter)
    if kind == "extra_forbidden":
        # Of one of several the body may have the field, once for all of them.
        above = len(place) > 2 and parameter in fields
        fix = f'put it beside "{place[1]}"' if above else suggest(parameter, fields)
        return Problem(
            status, topic, "there is no such field", where=where, parameter=parameter, fix=fix
        )
    if kind == "value_error":
        return Problem(status, topic, str(error["ctx"]["error"]), where=where)
    # Of a union each branch says what it wants.
    branches = [one for one in errors if _place(one, root) == place]
    wanted = ", ".join(dict.fromkeys(_wanted(one["type"], one) for one in branches))
    got, fix = _got(kind, error), _fix(kind, error, parameter, fields)
    detail = f"{parameter or where}: got {got}, wanted {wanted}"
    return Problem(
        status, topic, detail, where=where, parameter=parameter, got=got, wanted=wanted, fix=fix
    )


def _got(kind: str, error: Mapping[str, Any]) -> str:
    """Return a value as it was sent; of one that is too long how long it is."""
    if kind == "too_long":
        return f"{error['ctx']['actual_length']} of them"
    if kind == "string_too_long":
        return plural(len(error["input"]), "character")
    return shown(error["input"])


def _fix(kind: str, error: Mapping[str, Any], parameter: str, fields: Sequence[str]) -> str:
    if kind == "too_long":
        return "send them in several requests"
    several = f"{parameter}s"
    if isinstance(error["input"], list) and several in fields:
        return f'send a list as "{several}"'
    return ""


def _telling(errors: Sequence[Any], root: str) -> Any:
    """Return the first error; where an object was sent for a text or an object, that within it."""
    first = _place(errors[0], root)
    if not isinstance(errors[0]["input"], dict):
        return errors[0]
    within = (one for one in errors if len(_place(one, root)) > len(first))
    return next((one for one in within if _place(one, root)[: len(first)] == first), errors[0])


def _place(error: Mapping[str, Any], root: str) -> list[str]:
    place = [root, *map(str, error["loc"])] if root else list(map(str, error["loc"]))
    # Of a field that only others make needed, the body says which one.
    place += [one for name, one in error.get("ctx", {}).items() if name == "field"]
    # Names of the branches of a union are no places.
    branches = ("str", "int", "float", "bool")
    return [one for one in place if one not in branches and not one.startswith("dict[")]


def _wanted(kind: str, error: Mapping[str, Any]) -> str:
    if kind in _WANTED:
        context = dict(error.get("ctx") or {})
        if "expected" in context:
            context["expected"] = context["expected"].replace("'", "").replace(" or ", ", ")
        plain = {
            name: int(v) if isinstance(v, float) and v.is_integer() else v
            for name, v in context.items()
        }
        return _WANTED[kind].format(**plain)
    return str(error["msg"]).removeprefix("Input should be ")
