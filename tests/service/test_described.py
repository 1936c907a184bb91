"""The description for programs and the page for people, against what the service does."""

import html
import json
import re
from typing import get_args

import pytest

from hardlimit.foundation.package import VERSION
from hardlimit.service import routes, schemas
from hardlimit.service.keys import KeyFile
from hardlimit.service.problems import STATUS, TITLES

JSON = "application/json"
PROBLEM = "application/problem+json"


@pytest.fixture
def document(client):
    return client.get("/openapi.json").json


@pytest.fixture
def page(client):
    return client.get("/docs").body.decode()


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def shown():
    return {(one.path, one.method): one for one in routes.discover() if not one.hidden}


def test_security_is_what_the_endpoint_wants(document):
    (scheme,) = document["components"]["securitySchemes"]
    assert document["components"]["securitySchemes"][scheme]["type"] == "http"
    assert document["components"]["securitySchemes"][scheme]["scheme"] == "bearer"
    for path, method, operation in operations(document):
        scope = shown()[path, method].scope
        assert operation.get("security") == ([{scheme: []}] if scope else None)
        assert operation.get("x-scope") == (scope or None)
        assert (f"Scope: `{scope}`." in operation["description"]) == bool(scope)
        assert operation["operationId"] == shown()[path, method].work.__name__
        assert operation["summary"] == shown()[path, method].summary


def test_the_service_asks_for_the_scope_that_it_describes(start, tmp_path, document):
    keys = KeyFile(str(tmp_path / "keys"))
    tokens = {scope: keys.add(scope, scope) for scope in ("predict", "correct", "admin")}
    client, order = start(keys=keys.path), ["predict", "correct", "admin"]
    for path, method, operation in operations(document):
        wanted, address = operation.get("x-scope"), re.sub(r"\{\w+\}", "7", path)
        assert (client(method, address, b"{").status == 401) == (wanted is not None)
        for scope, token in tokens.items():
            allowed = wanted is None or order.index(scope) >= order.index(wanted)
            for word in ("Bearer", "bearer", "BEARER "):
                got = client(method, address, b"{", authorization=f"{word} {token}")
                assert (got.status in (401, 403)) != allowed, (path, scope)
    for wrong in (f"Basic {tokens['admin']}", tokens["admin"], "Bearer ", "Bearer hlk_x", ""):
        assert client.get("/model", authorization=wrong).status == 401


def test_refusals_are_described_for_each_endpoint(document):
    ref = {"$ref": "#/components/schemas/ProblemDocument"}
    headers = {"401": "WWW-Authenticate", "405": "Allow", "429": "Retry-After",
               "503": "Retry-After"}  # fmt: skip
    for path, method, operation in operations(document):
        one = shown()[path, method]
        wanted = {405, 500, *one.refusals, one.status}
        wanted |= {401, 403, 429, 503} if one.scope else set()
        wanted |= {400, 408, 413, 415, 422} if method == "POST" else set()
        wanted |= {422} if operation.get("parameters") else set()
        # Any request may be none of HTTP.
        assert {int(status) for status in operation["responses"]} - {400} == wanted - {400}, path
        assert method != "POST" or "400" in operation["responses"]
        for status, told in operation["responses"].items():
            if int(status) < 400:
                kind = one.kind
                schema = told["content"][kind]["schema"]
                if one.answer:
                    names = [kind.__name__ for kind in get_args(one.answer) or [one.answer]]
                    refs = [{"$ref": f"#/components/schemas/{name}"} for name in names]
                    assert schema.get("anyOf", [schema]) == refs
                else:
                    assert schema == {"type": "string"}
                continue
            assert told["description"].endswith(".")
            assert told["content"] == {PROBLEM: {"schema": ref}}
            name = headers.get(status)
            assert told.get("headers") == ({name: {"schema": {"type": "string"}}} if name else None)
    assert "ValidationError" not in str(document["components"]["schemas"].keys())
    problem = document["components"]["schemas"]["ProblemDocument"]
    assert {"type", "title", "status", "detail", "topic", "guards"} <= set(problem["required"])


def test_what_may_not_be_there_or_may_contradict_is_described(document):
    told = {
        (method, path): {int(one) for one in operation["responses"]} & {404, 409}
        for path, method, operation in operations(document)
    }
    assert {key: found for key, found in told.items() if found} == {
        ("POST", "/explain"): {404}, ("POST", "/correct"): {404, 409},
        ("POST", "/confirm"): {404, 409}, ("POST", "/undo"): {404, 409},
        ("POST", "/guards"): {409}, ("DELETE", "/guards/{id}"): {404},
        ("GET", "/texts/{number}"): {404}, ("POST", "/reload"): {409},
    }  # fmt: skip


def test_what_is_made_is_201_and_all_else_200(client, document):
    for path, method, operation in operations(document):
        good = [status for status in operation["responses"] if status < "300"]
        assert good == ["201" if (method, path) == ("POST", "/guards") else "200"], path
    assert client.post("/guards", {"text": "win"}).status == 201
    assert client.get("/guards").status == client.delete("/guards/1").status == 200


def test_each_post_has_an_example_and_each_answer_a_schema(document):
    for path, method, operation in operations(document):
        one = shown()[path, method]
        assert (one.answer is None) == (path == "/metrics")
        if method == "POST":
            assert operation["requestBody"]["content"][JSON]["example"] == one.example


def test_bodies_are_one_text_or_the_other(document):
    parts = document["components"]["schemas"]
    either = {"PredictBody": ["text", "texts"], "ExplainBody": ["text", "number"],
              "ConfirmBody": ["text", "number"], "CorrectionItem": ["text", "number"]}  # fmt: skip
    for name, fields in either.items():
        assert parts[name]["oneOf"] == [{"required": [field]} for field in fields]
        assert all("default" not in parts[name]["properties"][field] for field in fields)
        assert parts[name]["additionalProperties"] is False
    for kind in (schemas.FlipJson, schemas.ReceiptJson, schemas.LogEntry, schemas.ProblemDocument):
        told = parts.get(kind.__name__) or kind.model_json_schema()
        assert told["additionalProperties"] is True


def test_limits_of_numbers_are_described_and_kept(client, document):
    parts = document["components"]["schemas"]
    for path, name, field, low, high in (
        ("/explain", "ExplainBody", "top", 0, 1000),
        ("/explain", "ExplainBody", "labels", 0, 1000),
        ("/explain", "ExplainBody", "max_spans", 0, 20_000),
        ("/explain", "ExplainBody", "number", 0, 2**53 - 1),
        ("/undo", "UndoBody", "id", 1, 2**53 - 1),
    ):
        told = parts[name]["properties"][field]
        assert (told["minimum"], told["maximum"]) == (low, high)
        body = {"text": "win"} if field in ("top", "labels", "max_spans") else {}
        for value in (low - 1, high + 1, 0.5):
            assert client.post(path, body | {field: value}).json["topic"] == "unusable"
        for value in (low, high, float(low)):
            assert client.post(path, body | {field: value}).status in (200, 404)
    for address, low, high in (
        ("/log?limit=", 1, 1000), ("/log?before=", 1, 2**53 - 1), ("/log?chars=", 0, 10**6),
        ("/inbox?limit=", 1, 1000), ("/queue?limit=", 1, 1000), ("/texts/", 0, 2**53 - 1),
    ):  # fmt: skip
        for value in (low - 1, high + 1, "x"):
            refused = client.get(f"{address}{value}")
            assert (refused.status, refused.json["topic"]) == (422, "bad-query")
        for value in (low, high):
            assert client.get(f"{address}{value}").status in (200, 404)
    for value, status in ((1e9, 200), (1.01e9, 422), (0, 422), (1e-3, 200)):
        body = {"text": "win", "label": "ham", "margin": value, "dry_run": True}
        assert client.post("/correct", body).status == status
    for path, body in (("/correct", {"text": "win", "label": "ham"}), ("/undo", {"id": 1}),
                       ("/confirm", {"text": "win"}), ("/guards", {"text": "win"})):  # fmt: skip
        assert client.post(path, body | {"by": "x" * 501}).status == 422
    texts = ["a"] * 10_000
    assert client.post("/predict", {"texts": texts, "remember": False}).status == 200
    refused = client.post("/predict", {"texts": [*texts, "a"]})
    assert refused.json["wanted"] == "at most 10000 of them"


def cells(page, operation_id):
    """The rows of the table of one endpoint, without marks."""
    part = page.split(f'<h2 id="{operation_id}">')[1].split("<h2")[0]
    table = part.split("<table>")[1].split("</table>")[0]
    rows = [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", table, re.S)]
    plain = [[html.unescape(re.sub("<.*?>", "", cell)) for cell in row] for row in rows]
    return {name: (kind, said) for name, kind, said in plain}


def test_the_page_has_each_field_with_its_type_and_range(page):
    correct = cells(page, "correct")
    assert correct["text"][0] == "string"
    assert correct["label"] == ("string or integer or number or boolean", "A class of the model.")
    assert correct["corrections"][0] == "array of object"
    assert correct["margin"] == ("number > 0 <= 1e+09, else 1.0", "By which the label wins.")
    assert correct["guards"][0] == '"refuse" or "solve" or "flag", else "refuse"'
    assert correct["dry_run"][0] == "boolean, else false"
    assert correct["by"][0] == 'string length <= 500, else ""'
    assert cells(page, "predict")["texts"][0].startswith("array of string")
    assert cells(page, "explain")["top"][0] == "integer >= 0 <= 1000, else 10"
    assert cells(page, "explain")["max_spans"][0] == "integer >= 0 <= 20000, else 2000"
    assert cells(page, "log")["limit"] == ("integer >= 1 <= 1000, else 50", "Entries at most.")
    assert cells(page, "inbox")["limit"] == ("integer >= 1 <= 1000, else 50", "Texts at most.")
    assert cells(page, "queue")["limit"][0] == "integer >= 1 <= 1000, else 20"
    for name in ("inbox", "queue", "log", "guards"):
        assert cells(page, name)["chars"][0] == "integer >= 0 <= 1e+06, else 2000"
    assert cells(page, "log")["before"][0].startswith("integer >= 1 <= 9.0072e+15 or null")
    assert cells(page, "remove_guard")["id"] == ("integer >= 1, needed", "Of the guard.") or (
        cells(page, "remove_guard")["id"][0] == "integer >= 1 <= 9.0072e+15, needed"
    )


def test_the_page_has_each_endpoint_once_with_example_and_answers(page, document):
    plain = html.unescape(page)
    assert plain.count("<h2 id=") == len(shown()) + 1
    assert plain.startswith("<!doctype html>\n<html") and plain.endswith("</body></html>\n")
    assert "<title>hardlimit: the service</title>" in page
    assert f"<h1>hardlimit {VERSION}</h1>" in page
    for path, method, operation in operations(document):
        name = operation["operationId"]
        assert f'<li><a href="#{name}"><code>{method} {path}</code></a></li>' in page
        part = plain.split(f'<h2 id="{name}">')[1].split("<h2")[0]
        assert part.startswith(f"\n<code>{method} {path}</code></h2>\n<p>")
        assert f"<p>Answers: {', '.join(operation['responses'])}.</p>" in part
        if method == "POST":
            example = operation["requestBody"]["content"][JSON]["example"]
            assert f"<pre>{json.dumps(example)}</pre>" in part
        else:
            assert "<pre>" not in part
        if operation.get("x-scope"):
            assert f"<p>Scope: <code>{operation['x-scope']}</code>.</p>" in part
        assert ("<table>" in part) == bool(operation.get("parameters") or (
            method == "POST" and path != "/reload"))  # fmt: skip
    assert "<code>application/problem+json</code> (RFC 9457)" in page
    refusals = plain.split('<h2 id="refusals">')[1]
    rows = re.findall(r'<tr id="(.*?)"><td><code>(.*?)</code></td>\n<td>(.*?)</td><td>(.*?)\.</td>',
                      refusals)  # fmt: skip
    assert rows == [(t, t, str(STATUS.get(t, "")), TITLES[t]) for t in sorted(TITLES)]
    # Each tag is closed.
    for tag in ("table", "tr", "td", "code", "pre", "ul", "li", "nav", "h1", "h2", "html", "body"):
        assert len(re.findall(f"<{tag}[ >]", page)) == page.count(f"</{tag}>"), tag


def test_a_document_of_columns_lets_text_be_nothing_else(document):
    from hardlimit.service.openapi import of_model

    whole = json.loads(json.dumps(document))
    assert of_model(whole, []) == whole  # it was narrowed already


def test_the_files_of_the_page_have_their_types(client):
    for name, kind in (
        ("index.html", "text/html; charset=utf-8"), ("app.js", "text/javascript; charset=utf-8"),
    ):  # fmt: skip
        got = client.get(f"/static/{name}")
        assert got.headers["content-type"] == kind and got.headers["cache-control"] == "no-cache"
        again = client.get(f"/static/{name}", if_none_match=f'W/"x", {got.headers["etag"]}')
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == got.headers["etag"]
        assert "content-length" not in again.headers
        assert len(got.headers["etag"]) == 34
    assert client.get("/").body == client.get("/static/index.html").body
    for name in ("nothing.js", "..%2Fapp.py", ".hidden.js", "app", "a/b.js"):
        refused = client.get(f"/static/{name}")
        assert (refused.status, refused.json["topic"]) == (404, "no-such-page")
    style = client.get("/docs.css")
    assert style.headers["content-type"].startswith("text/css")
    assert style.body.decode().startswith(":root")
