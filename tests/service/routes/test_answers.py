"""Predicting and explaining over HTTP."""

import hardlimit as hl

TEXT = "the prize of the book club"


def test_one_text_and_several_get_the_labels_of_the_model(client):
    one = client.post("/predict", {"text": TEXT}).json
    assert [row["label"] for row in one["predictions"]] == ["spam"]
    several = client.post("/predict", {"texts": [TEXT, "lunch?"]}).json
    assert [row["label"] for row in several["predictions"]] == ["spam", "ham"]
    assert several["fingerprint"] == client.live.fingerprint
    assert client.post("/predict", {"texts": []}).json["predictions"] == []


def test_text_or_texts_but_not_both(client):
    for body in ({}, {"text": "a", "texts": ["b"]}):
        refused = client.post("/predict", body)
        assert refused.status == 422 and "exactly one" in refused.json["detail"]


def test_explaining_names_terms_and_corrections(client):
    client.post("/correct", {"text": TEXT, "label": "ham", "by": "alice"})
    told = client.post("/explain", {"text": TEXT, "top": 3}).json
    assert (told["label"], told["rival"]) == ("ham", "spam") and told["margin"] >= 1
    assert len(told["terms"]) == 3
    assert [one["author"] for one in told["corrections"]] == ["alice"]


def test_the_model_names_its_classes(client):
    facts = client.get("/model").json
    assert facts["classes"] == ["ham", "spam"] and facts["name"] == "spam.hardlimit"
    assert facts["fingerprint"] == client.live.fingerprint


def test_a_model_of_several_columns_takes_objects(start, tmp_path):
    rows = [{"city": "Ghent", "age": 41}, {"city": "Bruges", "age": 23}] * 2
    path = str(tmp_path / "people.hardlimit")
    hl.TableClassifier(category_columns=["city"]).fit(rows, ["stays", "leaves"] * 2).save(path)
    client = start(path)
    assert client.get("/model").json["columns"] == ["city", "age"]
    answers = client.post("/predict", {"texts": rows[:2]}).json["predictions"]
    assert [one["label"] for one in answers] == ["stays", "leaves"]
    row = {"city": "Ostend", "age": 40, "id": 7}
    told = client.post("/correct", {"text": row, "label": "leaves"}).json
    assert told["after"]["label"] == "leaves" and told["new_terms"] == 1
    why = client.post("/explain", {"text": row}).json
    assert "city = Ostend" in [one["term"] for one in why["terms"]] and why["spans"] == []
    # What the inbox and the log show of a row is its JSON, which may be asked about again.
    (entry,) = client.get("/log").json["entries"]
    assert entry["text"] == '{"city": "Ostend", "age": 40}'
    assert client.post("/predict", {"text": entry["text"]}).json["predictions"][0]["label"] == (
        "leaves"
    )
    assert client.post("/guards", {"text": row}).status == 201
    number = client.get("/inbox").json["items"][0]["number"]
    assert client.post("/confirm", {"number": number}).json["after"]["label"] == "leaves"
    refused = client.post("/predict", {"text": {"age": 40}})
    assert refused.status == 422 and "city" in refused.json["detail"]


def test_an_object_is_no_text(client):
    refused = client.post("/predict", {"text": {"city": "Ghent"}})
    assert refused.status == 422
    refused = client.post("/predict", {"texts": ["a", {"city": ["Ghent"]}]})
    assert refused.status == 422 and refused.json["where"] == "body.texts.1.city"
    assert refused.json["wanted"] == "a text, a whole number, a number, true or false"
