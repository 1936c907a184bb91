"""Health and figures."""

import pytest

import hardlimit as hl
from hardlimit.exceptions import HardlimitWarning


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


def test_health_names_a_tail_that_is_empty_though_it_was_in_use(start, model, tmp_path):
    live = hl.open_live(model, str(tmp_path / "used"))
    for number in range(4):
        live.correct(f"win {number} prizes", "ham")
    for name in ("used", "used-tail"):
        (tmp_path / f"its-{name}").write_bytes((tmp_path / name).read_bytes())
    live.close()
    (tmp_path / "its-used-tail").write_bytes(b"")
    with pytest.warns(HardlimitWarning, match="may be missing"):
        client = start(live=hl.open_live(model, str(tmp_path / "its-used")))
    told = client.get("/health").json
    assert told["status"] == "degraded" and "may be missing" in told["troubles"]["empty-tail"]


def test_figures_count_what_happens(client):
    client.post("/predict", {"texts": ["win a prize now", "lunch"]})
    client.post("/correct", {"text": "win a prize", "label": "ham"})
    client.post("/guards", {"text": "lunch"})
    client.get("/made/up")
    found = figures(client)
    assert found["hardlimit_texts_total"] == 2
    assert found['hardlimit_entries_made_total{kind="correct"}'] == 1
    assert found["hardlimit_flips_total"] == 1
    assert found["hardlimit_entries"] == 2 and found["hardlimit_guards"] == 1
    assert found["hardlimit_guards_broken"] == 0
    assert found["hardlimit_progressive_accuracy"] == 0
    key = 'hardlimit_requests_total{method="POST",route="/predict",status="200"}'
    assert found[key] == 1
    assert found['hardlimit_request_seconds_count{route="/correct"}'] == 1
    assert not any("made" in name and "up" in name for name in found)
    assert 'hardlimit_drift_unknown{window="recent"}' in found
