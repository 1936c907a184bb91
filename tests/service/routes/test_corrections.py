"""Correcting and undoing over HTTP."""

import json

import pytest

TEXT = "the prize of the book club"


def test_a_correction_holds_at_once_and_is_undone(client):
    receipt = client.post("/correct", {"text": TEXT, "label": "ham"}).json
    assert receipt["before"]["label"] == "spam" and receipt["after"]["margin"] >= 1
    assert client.post("/predict", {"text": TEXT}).json["predictions"][0]["label"] == "ham"
    undone = client.post("/undo", {"id": receipt["id"]}).json
    assert undone["after"]["label"] == "spam" and undone["target"] == receipt["id"]


def test_a_dry_run_changes_nothing(client):
    before = client.live.digest()
    assert (
        client.post("/correct", {"text": TEXT, "label": "ham", "dry_run": True}).json["id"] is None
    )
    assert client.live.digest() == before and client.live.n_entries == 0


def test_what_cannot_be_undone_is_404_or_409(client):
    client.post("/correct", {"text": TEXT, "label": "ham"})
    client.post("/undo", {"id": 1})
    assert client.post("/undo", {"id": 1}).status == 409
    gone = client.post("/undo", {"id": 99})
    assert gone.status == 404 and gone.json["topic"] == "no-such-entry"


def test_a_guard_in_the_way_is_409_and_named(client):
    guard = client.post("/guards", {"text": TEXT})
    assert guard.status == 201
    refused = client.post("/correct", {"text": TEXT + " lunch", "label": "ham"})
    assert refused.status == 409 and refused.json["guards"] == [guard.json["id"]]
    assert '"guards": "solve"' in refused.json["fix"]


@pytest.mark.parametrize("label", ["\ud800", "a\0b", "ham\u200b", "\u202egnp", "a\nb", " ham"])
def test_a_label_that_nobody_can_store_or_read_is_422_and_written_nowhere(client, label):
    client.post("/correct", {"text": TEXT, "label": "ham"})
    client.post("/correct", {"text": "lunch", "label": "spam"})
    refused = client.post("/correct", {"text": "noon win", "label": label})
    assert refused.status == 422 and client.live.n_entries == 2
    if label.strip() == label:
        assert ascii(label)[1:-1] in refused.json["detail"]
    assert client.post("/correct", {"text": "noon win", "label": "ham", "by": label}).status == 422
    assert client.post("/undo", {"id": 1}).json["id"] == 3


def test_no_class_comes_from_a_typing_error(client):
    for path, more in (("correct", {}), ("correct", {"new_class": True}), ("confirm", {}),
                       ("guards", {})):  # fmt: skip
        refused = client.post(f"/{path}", {"text": TEXT, "label": "Spam", **more})
        assert refused.status == 422 and refused.json["topic"] == "look-alike-label"
        assert (refused.json["label"], refused.json["nearest"]) == ("Spam", "spam")
        refused = client.post(f"/{path}", {"text": TEXT, "label": "hma"}) if not more else refused
        assert refused.json["nearest"] == ("spam" if more else "ham")
    assert refused.json["topic"] == "unknown-label" and client.live.n_entries == 0
    made = client.post("/correct", {"text": TEXT, "label": "news", "new_class": True})
    assert made.json["new_class"] and client.get("/model").json["classes"][-1] == "news"
    assert client.post("/correct", {"text": TEXT, "label": "news", "new_class": 1}).status == 422


def test_several_corrections_are_made_in_one_call(client, start):
    client.post("/predict", {"texts": ["win a prize now", "lunch at noon?"]})
    pairs = [{"text": TEXT, "label": "ham"}, {"number": 1, "label": "ham"},
             {"text": "minutes", "label": "news"}]  # fmt: skip
    refused = client.post("/correct", {"corrections": [*pairs, {"text": "", "label": "Ham"}]})
    assert refused.status == 422 and client.live.n_entries == 0
    document = refused.json
    assert [(one["place"], one["topic"]) for one in document["refusals"]] == [
        (2, "unknown-label"), (3, "look-alike-label"),
    ]  # fmt: skip
    assert document["refusals"][1]["nearest"] == "ham" and document["label"] == "news"
    assert document["where"] == "correction 3 (2 of 4 are refused, so none is made)"
    asked = {"corrections": pairs, "new_class": True, "by": "alice", "margin": 2.0}
    tried = client.post("/correct", asked | {"dry_run": True}).json["receipts"]
    assert client.live.n_entries == 0 and [one["id"] for one in tried] == [None] * 3
    made = client.post("/correct", asked).json
    assert [one["id"] for one in made["receipts"]] == [1, 2, 3]
    assert [one["after"]["label"] for one in made["receipts"]] == ["ham", "ham", "news"]
    assert all(one["after"]["margin"] >= 2 for one in made["receipts"])
    assert made["fingerprint"] == client.get("/model").json["fingerprint"]
    assert [one["author"] for one in client.get("/log").json["entries"]] == ["alice"] * 3
    flips = sum(len(one["flips"]) for one in made["receipts"])
    line = client.log()[-3]
    assert (line["entry"], line["flips"]) == (3, flips)
    figures = client.get("/metrics").body.decode()
    assert 'entries_made_total{kind="correct"} 3.0' in figures
    assert f"hardlimit_flips_total {flips}.0" in figures
    for wrong in ([], pairs * 334, [{"text": TEXT}], [{"label": "ham"}], "ham", [pairs[:1]]):
        assert client.post("/correct", {"corrections": wrong}).status == 422
    both = client.post("/correct", {"corrections": pairs, "label": "ham"})
    assert both.status == 422 and "label" in both.json["detail"]
    gone = client.post("/correct", {"corrections": [{"number": 99, "label": "ham"}]})
    assert gone.status == 404 and client.live.n_entries == 3


def test_an_undo_names_the_guards_that_hold_no_more(client):
    done = client.post("/correct", {"text": TEXT, "label": "ham"}).json["id"]
    guard = client.post("/guards", {"text": TEXT}).json["id"]
    assert client.post("/undo", {"id": done}).json["flagged"] == [guard]


def test_labels_are_found_by_how_they_look(client, start, tmp_path):
    import hardlimit as hl

    path = tmp_path / "numbers.hardlimit"
    hl.TextClassifier(words=(1, 1), chars=None).fit(["aa bb", "cc dd"] * 2, [1, 2] * 2).save(path)
    numbers = start(str(path))
    assert numbers.get("/model").json["classes"] == [1, 2]
    for label in (2, "2"):
        assert numbers.post("/correct", {"text": "aa", "label": label}).json["label"] == 2
    assert numbers.get("/model").json["classes"] == [1, 2]


def test_texts_are_logged_only_where_it_was_asked_for(start):
    quiet, open_ = start(), start(log_texts=True)
    for client in (quiet, open_):
        client.post("/predict", {"text": "a secret of mine"})
        client.post("/correct", {"text": "a secret of mine", "label": "ham"})
        client.post("/correct", {"text": "a secret of mine", "lable": "ham"})
    assert "secret" not in json.dumps(quiet.log())
    assert "secret" in json.dumps(open_.log())
