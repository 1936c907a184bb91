"""Guards and the log over HTTP."""


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
