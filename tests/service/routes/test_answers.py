"""Predicting and explaining over HTTP."""

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
