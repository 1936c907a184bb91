"""Inbox, queue, progress."""

TEXTS = ["win a prize", "lunch at noon", "prize lunch"]


def items(client, path):
    return client.get(path).json["items"]


def test_the_inbox_has_what_was_said_and_what_is_said_now(client):
    said = client.post("/predict", {"texts": TEXTS}).json["predictions"]
    client.post("/correct", {"text": TEXTS[0], "label": "ham"})
    client.post("/confirm", {"text": TEXTS[1]})
    found = items(client, "/inbox?chars=3")
    assert [one["text"] for one in found] == ["pri", "lun", "win"]
    assert [one["state"] for one in found] == ["new", "confirmed", "corrected"]
    assert [one["number"] for one in found] == [one["number"] for one in reversed(said)]
    assert (found[2]["label"], found[2]["now"]["label"]) == ("spam", "ham")
    assert [one["text"] for one in items(client, "/queue")] == [TEXTS[2]]
    assert client.get("/model").json["newest"] == found[0]["number"]


def test_a_recent_text_is_named_by_its_number(client):
    (said,) = client.post("/predict", {"text": TEXTS[0]}).json["predictions"]
    assert client.get(f"/texts/{said['number']}").json["text"] == TEXTS[0]
    body = {"number": said["number"], "label": "ham"}
    assert client.post("/correct", body).json["after"]["label"] == "ham"
    assert client.post("/explain", {"number": said["number"]}).json["label"] == "ham"
    gone = client.post("/explain", {"number": 999})
    assert gone.status == 404 and gone.json["topic"] == "no-such-text"
    assert client.get("/texts/999").status == 404


def test_what_is_not_remembered_has_no_number(client):
    (said,) = client.post("/predict", {"text": TEXTS[0], "remember": False}).json["predictions"]
    assert said["number"] is None and items(client, "/inbox") == []


def test_flips_name_their_texts(client):
    client.post("/predict", {"texts": TEXTS})
    flips = client.post("/correct", {"text": "win the prize", "label": "ham"}).json["flips"]
    assert flips and {one["text"] for one in flips} <= set(TEXTS)


def test_confirming_another_label_is_a_conflict(client):
    refused = client.post("/confirm", {"text": TEXTS[0], "label": "ham"})
    assert refused.status == 409 and refused.json["topic"] == "not-the-answer"


def test_progress_follows_corrections_and_confirmations(client):
    assert client.get("/progress").json["progress"]["accuracy"] is None
    client.post("/confirm", {"text": TEXTS[1]})
    client.post("/correct", {"text": TEXTS[0], "label": "ham"})
    told = client.get("/progress").json
    assert told["progress"]["accuracy"] == 0.5 and "unknown" in told["drift"]
