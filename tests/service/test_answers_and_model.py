"""Each answer is what the live model says of itself, field by field."""

import math
from datetime import UTC, datetime, timedelta

import pytest

import hardlimit as hl
from hardlimit.service.replies import to_json

from ..rounding import near


def holds(told, expected):
    """Compare the fields that are expected; an answer may have more."""
    assert {name: told.get(name) for name in expected} == expected


def said(answer):
    return {
        "label": answer.label,
        "margin": answer.margin,
        "probability": answer.probability,
        "abstained": answer.abstained,
        "known_features": answer.known_features,
    }


def test_predictions_are_the_answers_of_the_model(client):
    texts = ["win a prize", "lunch at noon?", "nothing that is known"]
    expected = client.live.answer(texts, remember=False)
    told = client.post("/predict", {"texts": texts}).json
    assert told["fingerprint"] == client.live.fingerprint
    for number, (one, answer) in enumerate(zip(told["predictions"], expected, strict=True), 1):
        holds(one, said(answer) | {"number": number})
    assert client.live.newest == 3
    again = client.post("/predict", {"text": "lunch at noon?", "remember": False}).json
    holds(again["predictions"][0], said(expected[1]) | {"number": None})
    assert client.live.newest == 3
    assert client.get("/texts/2").json == {"number": 2, "text": texts[1], "length": 14}


def test_an_explanation_is_that_of_the_model(client):
    client.post("/correct", {"text": "win a prize", "label": "ham", "by": "alice"})
    client.post("/predict", {"text": "win a prize now"})
    why = client.live.why("win a prize now", 3)
    for body in ({"text": "win a prize now", "top": 3}, {"number": client.live.newest, "top": 3}):
        told = client.post("/explain", body).json
        holds(told, {"label": why.label, "rival": why.rival, "margin": why.margin})
        assert told["probability"] == client.live.probability("win a prize now")
        assert [one["term"] for one in told["terms"]] == [one.term for one in why.terms]
        assert [one["contribution"] for one in told["terms"]] == [
            one.base + one.corrections for one in why.terms
        ]
        assert [one["corrections"] for one in told["terms"]] == [
            one.corrections for one in why.terms
        ]
        assert told["corrections"] == [one._asdict() for one in why.corrections] != []
        assert told["spans"] == [
            one._asdict() for one in client.live.spans("win a prize now", 2000)
        ]
    assert len(client.post("/explain", {"text": "win a prize now"}).json["terms"]) <= 10
    assert len(client.post("/explain", {"text": "win a prize", "max_spans": 1}).json["spans"]) == 1


def test_the_facts_are_those_of_the_model(client):
    client.post("/predict", {"texts": ["win", "lunch"]})
    live = client.live
    holds(client.get("/model").json, {
        "classes": ["ham", "spam"], "columns": [], "threshold": live.threshold, "n_entries": 0,
        "newest": 2, "fingerprint": live.fingerprint, "read_only": False, "private": False,
        "name": "spam.hardlimit", "note": "",
    })  # fmt: skip


def test_a_note_of_the_model_file_is_told(start, tmp_path):
    made = hl.TextClassifier(words=(1, 1), chars=None).fit(["win", "lunch"], ["spam", "ham"])
    made.metadata = {"note": "of May"}
    made.save(tmp_path / "noted.hardlimit")
    live = hl.open_live(tmp_path / "noted.hardlimit", None, private=True, read_only=True)
    holds(start(live=live).get("/model").json, {
        "note": "of May", "name": "noted.hardlimit", "private": True, "read_only": True,
    })  # fmt: skip


def test_receipts_are_told_whole(client):
    client.post("/predict", {"texts": ["win a prize now", "a prize to win " + "x" * 300]})
    body = {"text": "win a prize", "label": "ham", "by": "alice"}
    dry = client.post("/correct", body | {"dry_run": True}).json
    assert dry["dry_run"] and dry["id"] is None and client.live.n_entries == 0
    told = client.post("/correct", body | {"margin": 2.5}).json
    (entry,) = client.live.log()
    holds(told, {
        "id": 1, "kind": "correct", "label": "ham", "size": entry.details["size"],
        "dry_run": False, "fingerprint": client.live.fingerprint, "target": None,
        "new_class": False, "refused": [], "flagged": [], "guards_in_the_way": [],
    })  # fmt: skip
    assert told["before"]["label"] == "spam" and told["after"]["label"] == "ham"
    # What a step falls short of by rounding, another one makes good.
    assert told["after"]["margin"] == near(2.5, 40)
    flips = {one["number"]: one for one in told["flips"]}
    assert flips[1]["text"] == "win a prize now" and len(flips[2]["text"]) == 200
    assert (flips[1]["before"], flips[1]["after"]) == ("spam", "ham")
    sure = client.post("/confirm", {"text": "win a prize", "label": "ham", "by": "bob"}).json
    holds(sure, {"id": 2, "kind": "confirm", "label": "ham", "before": sure["after"]})
    assert client.post("/confirm", {"text": "win a prize"}).json["id"] == 3
    dry = client.post("/undo", {"id": 1, "dry_run": True}).json
    assert dry["id"] is None and client.live.n_entries == 3
    gone = client.post("/undo", {"id": 1, "by": "carol"}).json
    holds(gone, {"id": 4, "kind": "undo", "target": 1, "label": "ham"})
    assert gone["after"]["label"] == "spam"
    assert [one.author for one in client.live.log()] == ["alice", "bob", "", "carol"]


def test_guards_are_listed_as_they_stand(client):
    made = client.post("/guards", {"text": "win a prize now", "label": "spam", "by": "alice"})
    holds(made.json, {"id": 1, "fingerprint": client.live.fingerprint})
    assert made.status == 201
    client.post("/guards", {"text": "lunch at noon?"})
    client.post("/correct", {"text": "win a prize", "label": "ham", "guards": "flag"})
    found = client.get("/guards").json["guards"]
    for one, (entry, now) in zip(found, client.live.guards(), strict=True):
        holds(one, {
            "id": entry.id, "text": entry.text, "length": len(entry.text), "label": entry.label,
            "by": entry.author, "time": entry.time, "holds": now.label == entry.label,
        })  # fmt: skip
        holds(one["now"], {"label": now.label, "margin": now.margin})
    assert [one["text"] for one in client.get("/guards?chars=3").json["guards"]] == ["win", "lun"]
    refused = client.post("/correct", {"text": "lunch at noon?", "label": "spam"})
    assert refused.status == 409
    gone = client.delete("/guards/1").json
    holds(gone, {"id": 4, "target": 1, "fingerprint": client.live.fingerprint})
    assert [one["id"] for one in client.get("/guards").json["guards"]] == [2]


def test_the_ledger_is_told_entry_by_entry(client):
    for number in range(5):
        client.post("/correct", {"text": "win a prize", "label": ("ham", "spam")[number % 2]})
    client.post("/undo", {"id": 2})
    told = client.get("/log").json
    assert told["next"] is None
    for one, entry in zip(told["entries"], [*client.live.log()][::-1], strict=True):
        holds(one, {
            "id": entry.id, "kind": entry.kind, "time": entry.time, "author": entry.author,
            "label": entry.label, "margin": entry.margin, "policy": entry.policy,
            "target": entry.target, "text": entry.text, "details": dict(entry.details),
            "before": entry.before, "after": entry.after, "undone": entry.id == 2,
        })  # fmt: skip
    pages, address = [], "/log?limit=2"
    while address:
        page = client.get(address + "&chars=3").json
        pages.append([one["id"] for one in page["entries"]])
        assert {one["text"] for one in page["entries"]} <= {"win", None}
        address = f"/log?limit=2&before={page['next']}" if page["next"] else None
    assert pages == [[6, 5], [4, 3], [2, 1]]
    assert client.get("/log?before=1").json == {"entries": [], "next": None}
    assert client.get("/log?limit=1").json["entries"][0]["text"] is None


def test_inbox_and_queue_have_what_was_said_and_what_is_said_now(client):
    begun = datetime.now(UTC) - timedelta(seconds=1)
    texts = ["win a prize", "lunch at noon?", "see you"]
    client.post("/predict", {"texts": texts})
    then = client.live.answer(texts, remember=False)
    client.post("/correct", {"number": 1, "label": "ham"})
    client.post("/confirm", {"number": 2})
    now = client.live.answer(texts, remember=False)
    items = client.get("/inbox").json["items"]
    assert [one["number"] for one in items] == [3, 2, 1]
    for one in items:
        place = one["number"] - 1
        state, entry = [("corrected", 1), ("confirmed", 2), ("new", None)][place]
        holds(one, said(then[place]) | {
            "text": texts[place], "length": len(texts[place]), "state": state, "id": entry,
        })  # fmt: skip
        holds(one["now"], said(now[place]))
        assert begun < datetime.fromisoformat(one["time"]) <= datetime.now(UTC)
    (waiting,) = client.get("/queue").json["items"]
    holds(waiting, said(now[2]) | {"number": 3, "text": "see you", "state": "new", "id": None})
    assert [one["number"] for one in client.get("/inbox?limit=1").json["items"]] == [3]
    assert client.get("/inbox?chars=3").json["items"][2]["text"] == "win"
    assert client.get("/queue?limit=1&chars=2").json["items"][0]["text"] == "se"


def test_equal_texts_are_one_item_that_is_counted(client):
    for _ in range(300):
        client.post("/predict", {"text": "win a prize"})
    client.post("/predict", {"texts": ["lunch", "win a prize", "win a prize"]})
    for path in ("/inbox", "/queue"):
        items = client.get(path).json["items"]
        assert {one["text"]: one["times"] for one in items} == {"win a prize": 302, "lunch": 1}
    answers = client.post("/predict", {"texts": ["win a prize", "lunch"]}).json["predictions"]
    items = {one["text"]: one["number"] for one in client.get("/inbox").json["items"]}
    assert items == {"win a prize": answers[0]["number"], "lunch": answers[1]["number"]}


def test_long_texts_are_not_answered_again(client):
    client.post("/predict", {"texts": ["win " * 25_000, "win " * 25_000 + "x"]})
    items = client.get("/inbox?chars=5").json["items"]
    assert [one["now"] is None for one in items] == [True, False]
    assert [one["length"] for one in items] == [100_001, 100_000]


def test_progress_is_that_of_the_model(client):
    client.post("/confirm", {"text": "win a prize"})
    told = client.get("/progress").json
    assert told["progress"] | {"windows": 0} == client.live.progress().to_dict() | {"windows": 0}
    assert len(told["progress"]["windows"]) == 1
    assert told["drift"]["n_recent"] == 1


def test_json_has_no_numbers_that_json_does_not_have():
    value = {"a": [math.inf, (-math.inf, 1.5)], "b": {"c": math.nan}, "d": (1, "x", None, True)}
    told = b'{"a":[null,[null,1.5]],"b":{"c":null},"d":[1,"x",null,true]}'
    assert to_json(value) == told
    told = to_json({"a": b"\xffb\xc3\xa9", "b": "\ud800é"})
    assert told == b'{"a":"\\\\xffb\\u00e9","b":"\\ud800\\u00e9"}'
    with pytest.raises(TypeError):
        to_json({"a": object()})
