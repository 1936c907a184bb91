"""Predicting and explaining over HTTP."""

import json

import pytest

import hardlimit as hl
from hardlimit.service import schemas
from hardlimit.service.routes.answers import MOST_DETAILS

from ...rounding import near

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
    assert [one["author"] for one in told["corrections"]] == ["alice"] and told["labels"] == []
    ranked = client.post("/explain", {"text": TEXT, "labels": 9}).json["labels"]
    (answer,) = client.post("/predict", {"text": TEXT, "top": 9}).json["predictions"]
    assert ranked == answer["top"] and [one["label"] for one in ranked] == ["ham", "spam"]


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


NEWS = ["win a prize", "lunch at noon", "the match of the cup", "a prize to win", "noon?", "cup"]
KINDS = ["spam", "ham", "sport"] * 2
ASKED = ["win the cup at noon", "zebra", "??"]


@pytest.fixture(params=["two classes", "a threshold", "many classes", "a new class"])
def path(request, model, tmp_path):
    """A model of each kind of scores; of the last the corrections too."""
    if request.param == "two classes":
        return model
    made, path = hl.TextClassifier(words=(1, 1), chars=None), str(tmp_path / "made.hardlimit")
    several = request.param == "many classes"
    made.fit(NEWS, KINDS if several else ["spam", "ham", "ham"] * 2)
    if request.param == "a threshold":
        made.threshold_ = 0.8
    made.save(path)
    if request.param == "a new class":
        with hl.open_live(path) as live:
            live.correct("the zebra of the cup", "sport", new_class=True)
    return path


def test_more_of_an_answer_is_what_commands_say(start, path, hardlimit):
    client = start(live=hl.open_live(path))
    live, body = client.live, {"texts": ASKED, "top": 2, "scores": True, "explain": 3}
    told = client.post("/predict", body).json["predictions"]
    reasons = [live.why(text, 3) for text in ASKED]
    live.close()
    output = hardlimit("predict", "--live", path, "--json", "--scores", "--top", "9",
                       given="\n".join(ASKED) + "\n").stdout  # fmt: skip
    for one, why, line in zip(told, reasons, output.splitlines(), strict=True):
        said = json.loads(line)
        schemas.Prediction.model_validate(one, strict=True)
        for name in ("label", "scores", "known_features"):
            assert one[name] == said[name], name
        assert len(one["top"]) == 2 and one["top"][0]["label"] == one["label"]
        for mine, its in zip(one["top"], said["top"], strict=False):
            assert mine["label"] == its["label"] and mine["score"] == one["scores"][mine["label"]]
            assert mine["probability"] == near(its["probability"], 100)
        assert one["top"][0]["probability"] == one["probability"]
        assert [(term["term"], term["contribution"]) for term in one["terms"]] == [
            (term.term, term.base + term.corrections) for term in why.terms
        ]
        assert one["known_features"] == why.known_features


def test_each_part_comes_alone_and_no_part_by_itself(client):
    alone = client.post("/predict", {"text": "win"}).json["predictions"][0]
    assert alone["known_features"] == 1 and not {"top", "scores", "terms"} & alone.keys()
    for name, body in (
        ("top", {"top": 1}),
        ("scores", {"scores": True}),
        ("terms", {"explain": 1}),
    ):
        (one,) = client.post("/predict", {"text": "win"} | body).json["predictions"]
        assert len(one[name]) == (2 if name == "scores" else 1)
        assert one | alone == one and one.keys() - alone.keys() == {name}
    assert client.post("/predict", {"text": "win", "top": 1000}).status == 200
    # The inbox keeps none of it.
    assert client.live.inbox()[0].answer.more is None


def test_explaining_many_texts_gives_the_answers_of_asking_alone(client):
    texts = ["win a prize", "lunch", "zebra", "", "win a prize", "x" * 70_000]
    told = client.post("/predict", {"texts": texts, "explain": 2}).json
    numbers = [one["number"] for one in told["predictions"]]
    assert numbers[4] == numbers[0] and len(set(numbers)) == 5
    plain = client.post("/predict", {"texts": texts}).json
    assert told["fingerprint"] == plain["fingerprint"] is not None
    for one in told["predictions"]:
        assert len(one.pop("terms")) <= 2
    assert told["predictions"] == plain["predictions"]


@pytest.mark.parametrize("more", [{"top": 2}, {"scores": True}, {"explain": 2}])
def test_an_answer_has_a_limit(client, more):
    n = MOST_DETAILS // 2
    texts = [""] * min(n, 10_000)
    many = {"explain": 11} if "explain" in more else {"top": 1000, "scores": True, "explain": 8}
    assert client.post("/predict", {"texts": texts[:100]} | more).status == 200
    refused = client.post("/predict", {"texts": texts} | many)
    assert refused.status == 422 and refused.json["wanted"] == "at most 100000 of them"
    assert refused.json["got"] in ("110000 of them", "120000 of them")
    for wrong in (-1, 1001, "3", True, None):
        assert client.post("/predict", {"text": "a", "explain": wrong}).status == 422


def test_a_row_knows_its_cells(start, tmp_path):
    rows = [{"city": "Ghent", "age": 41}, {"city": "Bruges", "age": 23}] * 2
    path = str(tmp_path / "people.hardlimit")
    hl.TableClassifier(category_columns=["city"]).fit(rows, ["stays", "leaves"] * 2).save(path)
    client = start(path)
    asked = [{"city": "Ghent", "age": 41}, {"city": "Ostend", "age": 41}]
    body = {"texts": asked, "top": 1, "explain": 9}
    known, unknown = client.post("/predict", body).json["predictions"]
    assert known["known_features"] == unknown["known_features"] + 1 > 1
    assert "city = Ghent" in [one["term"] for one in known["terms"]]
    client.post("/correct", {"text": asked[1], "label": "leaves"})
    again = client.post("/predict", {"text": asked[1]}).json["predictions"][0]
    assert again["known_features"] == known["known_features"]
    assert client.get("/inbox").json["items"][0]["known_features"] == again["known_features"]
