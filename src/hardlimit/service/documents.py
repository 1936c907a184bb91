"""The page ``/docs``: the OpenAPI document for people, made here, without anybody's script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from hardlimit.service.problems import STATUS, TITLES

STYLE = """\
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; }
tr + tr { border-top: 1px solid var(--line); }
td { overflow-wrap: anywhere; }
"""


def page(document: dict[str, Any]) -> str:
    """Return the page."""
    return "\n".join(_lines(document)) + "\n"


def _lines(document: dict[str, Any]) -> Iterator[str]:
    about = document["info"]
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(about['title'])}: the service</title>"
    yield '<link rel="stylesheet" href="docs.css"></head><body>'
    yield f"<h1>{escape(about['title'])} {escape(about['version'])}</h1>"
    for paragraph in about["description"].strip().split("\n\n"):
        yield f"<p>{_marked(paragraph)}</p>"
    key = document["components"]["securitySchemes"]["key"]["description"]
    yield f"<p>Keys: <code>Authorization: Bearer KEY</code>. {_marked(key)}</p>"
    yield '<p>For programs: <a href="openapi.json">openapi.json</a>.</p>'
    yield "<nav><ul>"
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            place = escape(operation["operationId"])
            yield f'<li><a href="#{place}"><code>{method.upper()} {escape(path)}</code></a></li>'
    yield '<li><a href="#refusals">Refusals</a></li></ul></nav>'
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield from _operation(document, path, method, operation)
    yield from _refusals()
    yield "</body></html>"


def _operation(
    document: dict[str, Any], path: str, method: str, operation: dict[str, Any]
) -> Iterator[str]:
    yield f'<h2 id="{escape(operation["operationId"])}">'
    yield f"<code>{method.upper()} {escape(path)}</code></h2>"
    for paragraph in operation.get("description", "").split("\n\n"):
        yield f"<p>{_marked(paragraph)}</p>"
    rows = [
        (one["name"], one["schema"], one.get("required", False), one.get("description", ""))
        for one in operation.get("parameters", [])
    ]
    body = operation.get("requestBody")
    if body is not None:
        schema = _resolve(document, body["content"]["application/json"]["schema"])
        wanted = schema.get("required", [])
        rows += [
            (name, one, name in wanted, one.get("description", ""))
            for name, one in schema.get("properties", {}).items()
        ]
    if rows:
        yield "<table>"
        for name, one, needed, said in rows:
            kind = _kind(one) + (", needed" if needed else "")
            yield f"<tr><td><code>{escape(name)}</code></td><td>{escape(kind)}</td>"
            yield f"<td>{_marked(said)}</td></tr>"
        yield "</table>"
    example = (body or {}).get("content", {}).get("application/json", {}).get("example")
    if example is not None:
        yield f"<pre>{escape(json.dumps(example))}</pre>"
    told = ", ".join(operation["responses"])
    yield f"<p>Answers: {escape(told)}.</p>"


def _refusals() -> Iterator[str]:
    yield '<h2 id="refusals">Refusals</h2><table>'
    for topic, title in sorted(TITLES.items()):
        status = STATUS.get(topic, "")
        yield f'<tr id="{escape(topic)}"><td><code>{escape(topic)}</code></td>'
        yield f"<td>{status}</td><td>{escape(title)}.</td></tr>"
    yield "</table>"


def _resolve(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document["components"]["schemas"][name] if name else schema
    return found


def _kind(schema: dict[str, Any]) -> str:
    """Return what a value is: its type, its range, what it is if nothing is said."""
    if "anyOf" in schema:
        kinds = " or ".join(_kind(one) for one in schema["anyOf"])
    else:
        kinds = str(schema.get("type", "object"))
        if schema.get("type") == "array":
            kinds = f"array of {_kind(schema['items'])}"
    limits = {"exclusiveMinimum": ">", "minimum": ">=", "maximum": "<=", "maxLength": "length <="}
    kinds += "".join(f" {sign} {schema[name]:g}" for name, sign in limits.items() if name in schema)
    if schema.get("enum"):
        kinds = " or ".join(map(json.dumps, schema["enum"]))
    return kinds + (f", else {json.dumps(schema['default'])}" if "default" in schema else "")


def _marked(text: str) -> str:
    """Return a text as HTML, with code between back-quotes."""
    parts = escape(text).split("`")
    return "".join(f"<code>{one}</code>" if k % 2 else one for k, one in enumerate(parts))
