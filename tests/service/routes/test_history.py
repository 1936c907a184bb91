"""Guards and the log over HTTP."""

from hardlimit.service.routes import history


def test_guards_are_listed_and_removed(client):
    client.post("/guards", {"text": "lunch at noon", "by": "bob"})
    (guard,) = client.get("/guards?chars=5").json["guards"]
    assert (guard["text"], guard["length"], guard["by"]) == ("lunch", 13, "bob")
    assert guard["holds"] and guard["now"]["label"] == guard["label"] == "ham"
    assert client.delete(f"/guards/{guard['id']}").status == 200
    assert client.get("/guards").json["guards"] == []
    assert client.delete(f"/guards/{guard['id']}").status == 404


def test_the_log_is_paged_from_the_newest(client):
    for number in range(5):
        client.post("/correct", {"text": f"prize {number}", "label": "ham"})
    client.post("/undo", {"id": 2})
    first = client.get("/log?limit=4").json
    assert [one["id"] for one in first["entries"]] == [6, 5, 4, 3] and first["next"] == 3
    rest = client.get(f"/log?limit=4&before={first['next']}").json
    assert [(one["id"], one["undone"]) for one in rest["entries"]] == [(2, True), (1, False)]
    assert rest["next"] is None
    assert client.get("/log?before=1").json["entries"] == []


def test_an_answer_has_an_end_whatever_is_asked_for(client, monkeypatch):
    monkeypatch.setattr(history, "MOST_CHARS", 40)
    for number in range(4):
        client.post("/correct", {"text": f"{number} prize " + "word " * 20, "label": "ham"})
        client.post("/predict", {"text": f"{number} lunch " + "word " * 20})
    client.post("/guards", {"text": "4 lunch " + "word " * 20})
    for path, name, n in (("/log?limit=4", "entries", 4), ("/inbox?limit=4", "items", 4)):
        texts = [one["text"] for one in client.get(f"{path}&chars=1000").json[name]]
        assert [len(text) for text in texts] == [40 // n] * n
    assert len(client.get("/guards?chars=1000").json["guards"][0]["text"]) == 40
    assert len(client.get("/log?limit=4&chars=5").json["entries"][0]["text"]) == 5
