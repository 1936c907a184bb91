"""The OpenAPI document: FastAPI's, with keys, refusals and examples put in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI

from hardlimit.service import request_schemas, schemas
from hardlimit.service.keys import ANYONE
from hardlimit.service.routes import Endpoint

PROBLEM = "application/problem+json"
_REFUSED = {
    400: "The header is malformed, or the body is not JSON.",
    401: "A key is wanted.",
    403: "Not allowed: by the key, from where it comes, of a model that is read-only; or the "
    "author would move the weights further than one author may.",
    404: "There is no such thing.",
    405: "The method is not allowed here.",
    408: "The body did not arrive in time.",
    409: "It contradicts what the model holds.",
    413: "The body is too large.",
    415: "The body has another type.",
    422: "A value cannot be used.",
    429: "Too many requests of this key, or too many corrections of one author.",
    500: "The service failed.",
    503: "Too much at once, or the ledger cannot be written.",
}
_EVERYWHERE = (400, 405, 500)
_WITH_SCOPE = (401, 403, 429, 503)
_WITH_BODY = (408, 413, 415, 422)
_KEY = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key of 'hardlimit key add'. Each scope allows what the ones before it allow: "
    "predict, correct, admin. A service without keys answers its own machine only, and wants none.",
}
_ABOUT = """\
A classifier that is corrected while it answers.

Bodies are JSON, in and out. What is refused is told as `application/problem+json` (RFC 9457); its
`topic` says why, for programs, and its `detail` for people. A correction is on disk when it is
answered.
"""


def complete(app: FastAPI, endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """Return the document of an application."""
    app.description = _ABOUT
    document: dict[str, Any] = app.openapi()
    parts = document["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        parts.pop(name, None)
    ref = {"$ref": "#/components/schemas/ProblemDocument"}
    problem = schemas.ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
    parts |= {"ProblemDocument": problem, **problem.pop("$defs")}
    document["components"]["securitySchemes"] = {"key": _KEY}
    for one in endpoints:
        if one.hidden:
            continue
        operation = document["paths"][one.path][one.method.lower()]
        operation["operationId"] = one.work.__name__
        if one.scope != ANYONE:
            operation["security"] = [{"key": []}]
            operation["x-scope"] = one.scope
            operation["description"] += f"\n\nScope: `{one.scope}`."
        if one.answer is None:
            told = operation["responses"][str(one.status)]
            told["content"] = {one.kind: {"schema": {"type": "string"}}}
        operation["responses"].pop("422", None)
        for status in statuses(one, bool(operation.get("parameters"))):
            operation["responses"][str(status)] = {
                "description": _REFUSED[status],
                "content": {PROBLEM: {"schema": ref}},
                **_headers(status),
            }
    return document


def of_model(document: dict[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """Return the document of a model of one text, or of rows of these columns.

    The document of all models lets a text be either.
    """
    described: dict[str, Any] = _narrow(document, columns)
    if columns:
        shown = dict.fromkeys(columns, "...")
        for methods in described["paths"].values():
            for operation in methods.values():
                content = operation.get("requestBody", {}).get("content", {})
                example = content.get("application/json", {}).get("example") or {}
                if "text" in example:
                    example["text"] = shown
                if "texts" in example:
                    example["texts"] = [shown]
    return described


def _narrow(part: object, columns: Sequence[str]) -> Any:
    """Return a copy where each choice between a text and a row is made."""
    if isinstance(part, list):
        return [_narrow(one, columns) for one in part]
    if not isinstance(part, dict):
        return part
    branches = part.get("anyOf", ())
    row = next((one for one in branches if one.get("title") == request_schemas.ROW), None)
    if row is None:
        return {name: _narrow(one, columns) for name, one in part.items()}
    kept = {name: one for name, one in part.items() if name not in ("anyOf", "examples")}
    if not columns:
        text = next(one for one in branches if one is not row)
        return {**text, **kept}
    cell = row["additionalProperties"]
    names = {"properties": dict.fromkeys(columns, cell), "required": list(columns)}
    return {**row, **names, **kept, "title": request_schemas.ROW}


def statuses(one: Endpoint, parameters: bool) -> list[int]:
    """Return with what an endpoint may refuse."""
    found = {*_EVERYWHERE, *one.refusals}
    if one.scope != ANYONE:
        found |= {*_WITH_SCOPE}
    if one.method == "POST":
        found |= {*_WITH_BODY}
    if parameters:
        found.add(422)
    return sorted(found)


def _headers(status: int) -> dict[str, Any]:
    names = {401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After", 503: "Retry-After"}
    if status not in names:
        return {}
    return {"headers": {names[status]: {"schema": {"type": "string"}}}}
