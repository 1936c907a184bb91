"""Figures for Prometheus against the model, and the lines of the log against the requests."""

import re
import sys
import time
from datetime import datetime

from hardlimit.foundation.package import VERSION
from hardlimit.service.figures import MOST_LABELS
from hardlimit.service.keys import KeyFile
from hardlimit.service.logs import Log


def figures(client):
    lines = client.get("/metrics").body.decode().splitlines()
    pairs = (one.rpartition(" ") for one in lines if not one.startswith("#"))
    return {name.removeprefix("hardlimit_"): float(value) for name, _, value in pairs}


def test_the_gauges_are_what_the_model_knows_of_itself(client):
    live = client.live
    for text in ("win a prize", "lunch at noon?", "see you at lunch"):
        live.confirm(text)
    live.correct("a new word", "news", new_class=True)
    live.add_guard("lunch at noon?")
    live.correct("at noon lunch", "spam", margin=3.0, guards="flag")
    found, progress, drift = figures(client), live.progress(), live.drift()
    expected = {
        "entries": 6, "classes": 3, "guards": 1, "guards_broken": 1,
        "answers_judged": progress.n_seen, "progressive_accuracy": progress.accuracy,
    } | {
        f'probability_{name}{{kind="live"}}': getattr(progress.live, name)
        for name in ("mean", "log_loss", "brier")
    } | {
        f'drift_{name}{{window="{when}"}}': getattr(getattr(drift, name), when)
        for name in ("unknown", "accuracy", "probability", "corrections_per_day")
        for when in ("recent", "before")
    }  # fmt: skip
    for name, value in expected.items():
        assert found.get(name) == value, name
    assert not any("fitted" in name for name in found)


def test_what_happens_is_counted_once(start):
    client = start()
    client.live.abstain = 0.9
    client.post("/predict", {"texts": ["unknown", "win a prize now"]})
    client.post("/correct", {"text": "win a prize", "label": "ham", "dry_run": True})
    client.post("/correct", {"text": "win a prize", "label": "ham"})
    client.post("/confirm", {"text": "lunch"})
    client.post("/guards", {"text": "lunch"})
    client.delete("/guards/3")
    client.post("/undo", {"id": 1})
    client("PUT", "/log")
    client.get("/guards")
    found = figures(client)
    assert found["texts_total"] == 2
    answers = client.live.answer(["unknown", "win a prize now"], remember=False)
    assert answers[0].abstained and found["abstained_total"] == sum(a.abstained for a in answers)
    for kind in ("correct", "confirm", "guard", "unguard", "undo"):
        assert found[f'entries_made_total{{kind="{kind}"}}'] == 1
    assert found["flips_total"] == sum(len(e.details["flips"]) for e in client.live.log())
    assert found['requests_total{method="GET",route="/guards",status="200"}'] == 1
    assert found['requests_total{method="other",route="other",status="405"}'] == 1
    assert found['requests_total{method="DELETE",route="/guards/{id}",status="200"}'] == 1
    count, total = (found[f'request_seconds_{x}{{route="/correct"}}'] for x in ("count", "sum"))
    assert count == 2 and 0 < total < 60
    buckets = [name for name in found if name.startswith("request_seconds_bucket")]
    edges = {re.search(r'le="([^"]+)"', one)[1] for one in buckets}
    assert {"5e-05", "0.0001", "0.0005", "0.001", "1.0", "10.0", "+Inf"} <= edges
    kind = client.get("/metrics").headers["content-type"]
    assert kind == "text/plain; version=0.0.4; charset=utf-8"


def test_predictions_are_counted_by_label(client):
    texts = ["win a prize now", "lunch at noon?", "a prize to win", "quagga"]
    answers = client.post("/predict", {"texts": texts}).json["predictions"]
    client.post("/predict", {"text": "win a prize now", "explain": 3})
    found, labels = figures(client), [one["label"] for one in answers] + ["spam"]
    for label in ("ham", "spam"):
        assert found[f'predictions_total{{label="{label}"}}'] == labels.count(label) > 0
    assert found["unknown_texts_total"] == 1
    total = sum(n for name, n in found.items() if name.startswith("predictions_total{"))
    assert total == found["texts_total"] == 5


def test_labels_beyond_the_limit_are_counted_together(client):
    shown = client.app.work.figures
    (answer,) = client.live.answer(["win"])
    hostile = ['a"b\\\n', "x\ud800", "", "other", 1, True, 1.0, b"\xff"]
    labels = hostile + [f"label {number}" for number in range(200)]
    for _ in range(2):
        shown.count_answers([answer._replace(label=one) for one in labels])
    found = figures(client)
    series = {name: n for name, n in found.items() if name.startswith("predictions_total{")}
    assert len(series) == 1 + MOST_LABELS and sum(series.values()) == 2 * len(labels)
    others = 2 * (len(labels) - MOST_LABELS)
    assert series['predictions_total{label="(all others)"}'] == others
    assert series['predictions_total{label="other"}'] == 2  # a class
    assert series['predictions_total{label="1"}'] == series['predictions_total{label="True"}'] == 2


def test_a_scraper_learns_which_program_and_model_this_is_and_what_they_take(client):
    found = figures(client)
    assert found[f'build_info{{version="{VERSION}"}}'] == 1
    before = f'model_info{{fingerprint="{client.live.base.digest}"}}'
    assert found[before] == 1
    # A correction makes no new series.
    client.post("/correct", {"text": "win", "label": "ham"})
    assert [name for name in figures(client) if name.startswith("model_info")] == [before]
    if sys.platform == "linux":
        assert found["process_resident_memory_bytes"] > 1 << 20
        assert found["process_open_fds"] > 2 and found["process_cpu_seconds_total"] > 0
        assert abs(time.time() - found["process_start_time_seconds"]) < 24 * 3600


def test_reloads_are_counted_by_their_outcome(client):
    assert figures(client)["troubles"] == 0
    assert client.post("/reload", {}).status == 409
    assert figures(client)["troubles"] == len(client.get("/health").json["troubles"]) == 1
    assert figures(client)['reloads_total{outcome="refused"}'] == 1


def test_a_request_is_one_line_without_its_text(start, tmp_path):
    keys = KeyFile(str(tmp_path / "keys"))
    token = keys.add("alice", "admin")
    client = start(keys=keys.path, headers={"authorization": f"Bearer {token}"})
    client.post("/predict", {"texts": ["win a prize now", "lunch"]})
    flips = client.post("/correct", {"text": "win a prize", "label": "ham"}).json["flips"]
    client.get("/log?before=7&chars=3")
    client.get("/secret/path")
    client.post("/undo", {"id": 99})
    client.post("/guards", {"text": "lunch"})
    client.delete("/guards/2")
    lines = client.log()
    shown = [(one["method"], one["route"], one["status"], one["key"]) for one in lines]
    assert shown == [
        ("POST", "/predict", 200, "alice"), ("POST", "/correct", 200, "alice"),
        ("GET", "/log", 200, "alice"), ("GET", None, 404, ""), ("POST", "/undo", 404, "alice"),
        ("POST", "/guards", 201, "alice"), ("DELETE", "/guards/{id}", 200, "alice"),
    ]  # fmt: skip
    assert {one["event"] for one in lines} == {"request"}
    body = '{"texts": ["win a prize now", "lunch"]}'
    assert lines[0]["texts"] == 2 and lines[0]["bytes"] == len(body)
    assert lines[1]["entry"] == 1 and lines[1]["flips"] == len(flips) > 0
    assert [one.get("topic") for one in lines[3:5]] == ["no-such-page", "no-such-entry"]
    assert [one.get("entry") for one in lines[5:]] == [2, 3]
    run, numbers = lines[0]["id"].split("-")[0], [one["id"].split("-")[1] for one in lines]
    assert re.fullmatch("[0-9a-f]{8}", run) and numbers == list("1234567")
    assert all(0 <= one["ms"] < 60_000 and one["ms"] == round(one["ms"], 3) for one in lines)
    assert all(datetime.fromisoformat(one["time"]).utcoffset().seconds == 0 for one in lines)
    assert all(len(one["time"]) == len("2026-01-01T00:00:00.000+00:00") for one in lines)
    text = str(lines)
    assert "prize" not in text and "secret" not in text and token not in text


def test_texts_are_logged_where_they_were_asked_for(start):
    client = start(log_texts=True)
    client.post("/predict", b'{"text": "a \xff prize"}')
    client.get("/model")
    assert client.log()[0]["body"] == '{"text": "a � prize"}' and "body" not in client.log()[1]


def test_a_long_method_is_cut(client):
    client("M" * 50, "/log")
    assert client.log()[0]["method"] == "M" * 20


def test_without_a_stream_lines_go_to_the_error_output(capsys):
    Log().event("start", port=1)
    assert '"event":"start","port":1}' in capsys.readouterr().err
