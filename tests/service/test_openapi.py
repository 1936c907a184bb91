"""The OpenAPI document and the page that is made from it."""

import re

import pytest

import hardlimit as hl
from hardlimit.service import routes, schemas
from hardlimit.service.problems import STATUS, TITLES


@pytest.fixture
def document(client):
    return client.get("/openapi.json").json


def operations(document):
    return [(path, one) for path, of in document["paths"].items() for one in of.values()]


def test_every_endpoint_is_described_with_its_scope_and_refusals(document):
    described = {(path, m.upper()) for path, of in document["paths"].items() for m in of}
    shown = [one for one in routes.discover() if not one.hidden]
    assert described == {(one.path, one.method) for one in shown} and len(shown) == 17
    for path, one in operations(document):
        assert one["description"] and one["summary"]
        assert ("security" in one) == (path != "/health")
        for status, told in one["responses"].items():
            kind = "application/problem+json" if status >= "4" else "application/json"
            if path != "/metrics" or status >= "4":
                assert list(told["content"]) == [kind]
        assert (
            "requestBody" not in one
            or "example" in one["requestBody"]["content"]["application/json"]
        )


def test_the_examples_are_accepted(client, document):
    for path, one in operations(document):
        if "requestBody" in one:
            body = one["requestBody"]["content"]["application/json"]["example"]
            assert client.post(path, body).status in (200, 201, 404, 409), path


def test_the_document_is_of_the_model(client, start, tmp_path):
    def text_of(document, name="CorrectBody"):
        return document["components"]["schemas"][name]["properties"]["text"]

    assert text_of(client.get("/openapi.json").json)["type"] == "string"
    rows = [{"city": "Ghent", "age": 41}, {"city": "Bruges", "age": 23}] * 2
    path = str(tmp_path / "people.hardlimit")
    hl.TableClassifier(category_columns=["city"]).fit(rows, ["a", "b"] * 2).save(path)
    of_table = start(path)
    document = of_table.get("/openapi.json").json
    text = text_of(document)
    assert text["type"] == "object" and text["required"] == ["city", "age"]
    texts = document["components"]["schemas"]["PredictBody"]["properties"]["texts"]
    assert texts["items"]["required"] == ["city", "age"]
    example = document["paths"]["/correct"]["post"]["requestBody"]["content"]
    assert example["application/json"]["example"]["text"] == {"city": "...", "age": "..."}
    assert "&quot;city&quot;" in of_table.get("/docs").body.decode()


def test_references_lead_somewhere(document):
    def walk(part):
        if isinstance(part, dict):
            if "$ref" in part:
                yield part["$ref"]
            for value in part.values():
                yield from walk(value)
        elif isinstance(part, list):
            for value in part:
                yield from walk(value)

    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(walk(document)) <= known


def test_answers_are_what_the_document_says(client):
    client.post("/predict", {"texts": ["win a prize", "lunch"]})
    receipt = client.post("/correct", {"text": "win a prize", "label": "ham"})
    schemas.ReceiptJson.model_validate(receipt.json, strict=True)
    client.post("/guards", {"text": "lunch"})
    for path, kind in (
        ("/guards", schemas.Guards), ("/log", schemas.LogJson), ("/inbox", schemas.Items),
        ("/queue", schemas.Items), ("/progress", schemas.FollowingJson),
        ("/model", schemas.ModelFacts), ("/health", schemas.HealthJson),
    ):  # fmt: skip
        kind.model_validate(client.get(path).json, strict=True)
    schemas.ExplanationJson.model_validate(
        client.post("/explain", {"text": "win"}).json, strict=True
    )
    schemas.ProblemDocument.model_validate(client.post("/undo", {"id": 99}).json, strict=True)


def test_every_topic_has_a_title_and_a_place_in_the_page(client):
    page = client.get("/docs").body.decode()
    assert set(STATUS) <= set(TITLES)
    assert all(f'id="{topic}"' in page for topic in TITLES)


def test_the_page_needs_no_other_host_and_no_script(client):
    page = client.get("/docs").body.decode()
    assert "<script" not in page and "style=" not in page
    links = re.findall(r'(?:src|href)="([^"#][^"]*)"', page)
    assert links and all("//" not in one for one in links)
    for one in links:
        assert client.get(f"/{one}").status == 200
    assert "text/html" in client.get("/docs").headers["content-type"]
