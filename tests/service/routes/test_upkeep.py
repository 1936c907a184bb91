"""Health and figures."""


def figures(client):
    lines = client.get("/metrics").body.decode().splitlines()
    return {name: float(value) for name, _, value in (one.rpartition(" ") for one in lines)
            if not name.startswith("#")}  # fmt: skip


def test_health_names_what_is_wrong(client):
    assert client.get("/health").json == {"status": "ok", "troubles": {}}
    client.app.work.troubles["base"] = "refused"
    assert client.get("/health").json["status"] == "degraded"
    client.app.work.stopping = True
    assert client.get("/health").status == 503


def test_figures_count_what_happens(client):
    client.post("/predict", {"texts": ["win a prize", "lunch"]})
    client.post("/correct", {"text": "win a prize", "label": "ham"})
    client.post("/guards", {"text": "lunch"})
    client.get("/made/up")
    found = figures(client)
    assert found["hardlimit_texts_total"] == 2
    assert found['hardlimit_entries_made_total{kind="correct"}'] == 1
    assert found["hardlimit_flips_total"] >= 1
    assert found["hardlimit_entries"] == 2 and found["hardlimit_guards"] == 1
    assert found["hardlimit_guards_broken"] == 0
    assert found["hardlimit_progressive_accuracy"] == 0
    key = 'hardlimit_requests_total{method="POST",route="/predict",status="200"}'
    assert found[key] == 1
    assert found['hardlimit_request_seconds_count{route="/correct"}'] == 1
    assert not any("made" in name and "up" in name for name in found)
    assert 'hardlimit_drift_unknown{window="recent"}' in found
