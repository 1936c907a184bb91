"""Refusals field by field: of errors of ours, of bodies, of hosts, and of what is not there."""

import json
from datetime import UTC, datetime

import pytest

from hardlimit.exceptions import (
    CorrectionError,
    FileError,
    HardlimitError,
    InputError,
    LedgerError,
    MemoryEstimateError,
    ModelFileError,
)
from hardlimit.service.keys import KeyFile
from hardlimit.service.problems import STATUS, TITLES, Problem, problem_of, sentence_of, shown
from hardlimit.service.request_schemas import MOST_TEXTS
from hardlimit.service.settings import Settings

BODY = {"text": "a prize", "label": "ham"}


def told(error):
    problem = problem_of(error)
    return problem.status, problem.topic, problem.headers


@pytest.mark.parametrize("topic", sorted(STATUS))
def test_each_topic_of_a_correction_has_its_status(topic):
    known = {
        "no-such-entry": 404, "already-undone": 409, "guard-in-the-way": 409,
        "same-as-a-guard": 409, "infeasible": 409, "guard-does-not-hold": 409,
        "not-the-answer": 409, "influence": 403, "read-only": 403, "rate": 429, "busy": 503,
        "full": 503, "damaged": 503,
    }  # fmt: skip
    wait = ((b"retry-after", b"1"),) if known.get(topic) in (429, 503) else ()
    if topic in known:
        assert told(CorrectionError("no", topic=topic)) == (known[topic], topic, wait)


def test_an_error_keeps_its_fields():
    error = CorrectionError(
        "it cannot be", who="correct", parameter="margin", got=0.5, wanted="a number > 1",
        fix="send more", topic="infeasible", guards=(3, 4), multipliers=((0, "1"), (3, "2/3")),
    )  # fmt: skip
    problem = problem_of(error)
    document = json.loads(problem.body())
    assert document["type"] == "/docs#infeasible" and document["title"] == TITLES["infeasible"]
    assert {name: document[name] for name in ("who", "parameter", "got", "wanted", "fix")} == {
        "who": "correct", "parameter": "margin", "got": "0.5", "wanted": "a number > 1",
        "fix": "send more",
    }  # fmt: skip
    assert document["guards"] == [3, 4] and document["multipliers"] == [[0, "1"], [3, "2/3"]]
    assert "it cannot be" in document["detail"] and document["status"] == 409
    plain = json.loads(problem_of(CorrectionError("no", topic="read-only")).body())
    assert plain["guards"] == [] and not {"got", "who", "wanted", "fix", "where"} & plain.keys()
    assert json.loads(Problem(404, "made-up").body())["title"] == "Not Found"
    assert json.loads(Problem(404, "made-up").body())["detail"] == "Not Found"


def test_errors_of_other_kinds_have_a_status():
    one = ((b"retry-after", b"1"),)
    assert told(InputError("no")) == (422, "unusable", ())
    assert told(InputError("no", topic="made-up")) == (422, "unusable", ())
    assert told(InputError("no", topic="no-features")) == (422, "no-features", ())
    assert told(ModelFileError("no")) == (422, "unusable", ())
    assert told(HardlimitError("no")) == (422, "unusable", ())
    assert told(FileError("no")) == (503, "unwritable", one)
    assert told(FileError("no", topic="full")) == (503, "full", one)
    assert told(LedgerError("no", topic="damaged")) == (503, "damaged", one)
    assert told(LedgerError("no", topic="edited")) == (503, "unwritable", one)
    assert told(MemoryError()) == (503, "busy", ())
    assert told(ZeroDivisionError()) == (500, "failed", ())
    problem = Problem(418, "busy")
    assert problem_of(problem) is problem
    assert isinstance(MemoryEstimateError.__mro__, tuple)


def test_values_are_shown_as_json():
    assert [shown(one) for one in (None, True, 3, 1.5)] == ["null", "true", "3", "1.5"]
    assert shown("x") == "'x'" and len(shown("x" * 9999)) < 200
    assert len(shown(10**200)) < 100
    assert sentence_of(InputError("it is no text", where="/a/path")) == "it is no text"
    assert sentence_of(KeyError("x")) == "KeyError"


PREDICT, CORRECT, EXPLAIN = "/predict", "/correct", "/explain"


@pytest.mark.parametrize(
    ("path", "body", "where", "wanted"),
    [
        (PREDICT, {"text": "a", "remember": 1}, "body.remember", "true or false"),
        (PREDICT, {"texts": "a"}, "body.texts", "a list"),
        (PREDICT, {"texts": [3]}, "body.texts.0", "a text, an object"),
        (PREDICT, {"texts": [{"a": [1]}]}, "body.texts.0.a", None),
        (PREDICT, 3, "body", "an object"),
        (CORRECT, BODY | {"text": 3}, "body.text", "a text, an object"),
        (CORRECT, BODY | {"label": None}, "body.label", None),
        (CORRECT, BODY | {"margin": 2e9}, "body.margin", "a number <= 1000000000"),
        (CORRECT, BODY | {"margin": 0}, "body.margin", "a number > 0"),
        (CORRECT, BODY | {"by": 3}, "body.by", "a text"),
        (CORRECT, BODY | {"by": "x" * 501}, "body.by", "at most 500 characters"),
        (CORRECT, BODY | {"guards": 3}, "body.guards", "one of refuse, solve, flag"),
        (EXPLAIN, {"text": "a", "top": "3"}, "body.top", "a whole number"),
        (EXPLAIN, {"text": "a", "top": 1.5}, "body.top", "a whole number"),
        (EXPLAIN, {"text": "a", "top": -1}, "body.top", "a number >= 0"),
        (EXPLAIN, {"text": "a", "top": 1001}, "body.top", "a number <= 1000"),
        (EXPLAIN, {"number": 1.5}, "body.number", "a whole number"),
    ],
)
def test_a_value_of_a_body_is_refused_where_it_is(client, path, body, where, wanted):
    refused = client.post(path, json.dumps(body).encode())
    document = refused.json
    assert (refused.status, document["topic"], document["where"]) == (422, "unusable", where)
    if wanted is not None:
        assert document["wanted"] == wanted
        assert document["detail"].endswith(f"wanted {wanted}")
    if where.count("."):
        assert document["parameter"] == where.rpartition(".")[2]


@pytest.mark.parametrize("text", ["a", 3, None])
def test_too_many_texts_are_refused_with_the_limit_and_their_number(client, text):
    assert client.post("/predict", {"texts": ["a"] * MOST_TEXTS, "remember": False}).status == 200
    refused = client.post("/predict", {"texts": [text] * (MOST_TEXTS + 1)})
    assert refused.status == 422
    holds = {"got": "10001 of them", "wanted": "at most 10000 of them", "where": "body.texts"}
    assert refused.json | holds == refused.json
    assert refused.json["detail"] == "texts: got 10001 of them, wanted at most 10000 of them"
    assert "several requests" in refused.json["fix"]


def test_a_list_where_one_text_belongs_is_shown_its_place(client):
    refused = client.post("/predict", {"text": ["a"] * 20_000}).json
    assert refused["fix"] == 'send a list as "texts"'
    assert "fix" not in client.post("/explain", {"text": ["a"]}).json


def test_what_is_missing_or_too_much_is_said(client):
    missing = client.post("/correct", {"text": "a"}).json
    assert (missing["where"], missing["parameter"]) == ("body.label", "label")
    assert missing["detail"] == "it is missing"
    extra = client.post("/correct", {"txt": "a", "label": "ham"}).json
    assert (extra["where"], extra["parameter"]) == ("body.txt", "txt")
    assert "text" in extra["fix"] and extra["detail"] == "there is no such field"
    nested = {"text": "a", "label": "ham", "margin": 2}
    extra = client.post("/correct", {"corrections": [nested]}).json
    assert (extra["where"], extra["fix"]) == (
        "body.corrections.0.margin",
        'put it beside "corrections"',
    )
    none = client.post("/correct", {"corrections": []}).json
    assert none["detail"] == "corrections: got [], wanted at least 1 of them"
    for body in ({}, {"text": "a", "texts": ["a"]}):
        both = client.post("/predict", body).json
        assert both["detail"] == "text, or texts: exactly one of both"
    for body in ({"label": "ham"}, {"text": "a", "number": 1, "label": "ham"}):
        both = client.post("/correct", body).json
        assert both["detail"] == "text, number, or corrections: exactly one of them"
        both = client.post("/correct", {"corrections": [body]}).json
        assert both["detail"] == "text, or number: exactly one of both"
        assert both["where"] == "body.corrections.0"
    broken = client.post("/correct", b'{"text": }').json
    assert (broken["topic"], broken["where"]) == ("not-json", "body, character 9")
    assert broken["detail"].startswith("the body is not JSON: ")
    short = client.post("/predict", b'{"text": }').json
    assert (short["topic"], short["where"]) == ("not-json", "body, character 9")
    assert client.post("/predict", b"").json["detail"] == "the body is not JSON: it is empty"
    assert client.get("/log?limit=x").json["where"] == "query.limit"
    assert client.get("/log?limit=x").json["wanted"] == "a whole number"
    assert client.get("/texts/x").json["where"] == "path.number"


@pytest.mark.parametrize(
    ("kind", "good"),
    [("application/json", True), ("application/json; charset=utf-8", True),
     ('Application/JSON;charset="UTF-8"', True), ("application/json; charset=latin-1", False),
     ("text/json", False), (None, False), ("application/json2", False)],
)  # fmt: skip
def test_the_type_of_a_body_is_json(client, kind, good):
    got = client.post("/predict", {"text": "a"}, content_type=kind)
    assert got.status == (200 if good else 415)
    if not good:
        assert got.json["topic"] == "unsupported-media-type"
        assert got.json.get("got") == kind and got.json["where"] == "header Content-Type"


def test_what_is_not_there_is_404_and_what_is_not_allowed_405(client):
    for path in ("/nothing", "/log/", "/texts/", "/texts/1/2", "/guards/1/x", "//log"):
        refused = client.get(path)
        assert (refused.status, refused.json["topic"]) == (404, "no-such-page")
    refused = client("PUT", "/guards")
    assert (refused.status, refused.headers["allow"]) == (405, "GET, POST")
    assert (refused.json["got"], refused.json["wanted"]) == ("PUT", "GET, POST")
    assert client("HEAD", "/undo").status == 405 and client("HEAD", "/log").status == 200
    assert client.get("/guards/1").headers["allow"] == "DELETE"
    assert client.delete("/guards/1").json["topic"] == "no-such-entry"
    missing = client.get("/texts/7")
    assert (missing.status, missing.json["topic"]) == (404, "no-such-text")
    assert missing.json["got"] == "7"


@pytest.mark.parametrize("name", ["forwarded", "x_forwarded_for", "x_real_ip", "via"])
def test_behind_a_proxy_keys_are_needed(client, start, tmp_path, name):
    refused = client.get("/health", **{name: "1.2.3.4"})
    assert (refused.status, refused.json["topic"]) == (403, "forbidden")
    keys = KeyFile(str(tmp_path / "keys"))
    token = keys.add("alice", "predict")
    other = start(keys=keys.path, headers={"authorization": f"Bearer {token}"})
    assert other.get("/model", **{name: "1.2.3.4"}).status == 200


def test_a_host_is_this_machine_or_one_that_was_named(start, tmp_path):
    local = ("localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8080")
    foreign = ("evil.example", "localhost.evil.example", "[::2]:80", "127.0.0.2")
    client = start(hosts=("My.Host",))
    keys = KeyFile(str(tmp_path / "keys"))
    keys.add("alice", "predict")
    named, anywhere = start(keys=keys.path, hosts=("my.host",)), start(keys=keys.path)
    other = start(host="192.168.0.7", keys=keys.path, hosts=("a",))
    for host in (*local, "my.host", "MY.HOST:9"):
        assert client.get("/health", host=host).status == 200, host
        assert named.get("/health", host=host).status == 200, host
    for host in foreign:
        refused = client.get("/health", host=host)
        assert (refused.status, refused.json["topic"]) == (403, "forbidden"), host
        assert named.get("/health", host=host).status == 403, host
        assert anywhere.get("/health", host=host).status == 200, host
    assert other.get("/health", host="192.168.0.7:8080").status == 200
    # The same name of a page: host and port.
    ours = {"host": "localhost:8080", "origin": "http://localhost:8080"}
    assert client.post("/undo", {"id": 1}, **ours).status == 404
    for origin in ("http://localhost:8081", "http://localhost", "https://my.host:8080"):
        refused = client.post("/undo", {"id": 1}, host="localhost:8080", origin=origin)
        assert (refused.status, refused.json["topic"]) == (403, "foreign-origin")
        assert client.get("/log", host="localhost:8080", origin=origin).status == 200


def test_a_key_file_is_read_again_when_it_changes(tmp_path):
    keys = KeyFile(str(tmp_path / "keys"))
    begun = datetime.now(UTC).replace(microsecond=0)
    tokens = [keys.add(name, "correct") for name in ("alice", "bob")]
    assert all(one.startswith("hlk_") and len(one) == 47 for one in tokens)
    assert [key.name for key in keys.keys()] == ["alice", "bob"]
    assert all(begun <= datetime.fromisoformat(key.made) for key in keys.keys())
    document = json.loads((tmp_path / "keys").read_text())
    assert document["version"] == 1 and len(document["keys"]) == 2
    assert {*document["keys"][0]} == {"name", "scope", "sha256", "made"}
    other = KeyFile(keys.path)
    assert [other.find(one).name for one in tokens] == ["alice", "bob"]
    keys.remove("alice")
    assert [getattr(other.find(one), "name", None) for one in tokens] == [None, "bob"]
    for wrong in (document | {"version": 2}, {"keys": []}, [], document | {"keys": [3]}):
        (tmp_path / "keys").write_text(json.dumps(wrong))
        with pytest.raises(FileError):
            KeyFile(keys.path).keys()
    for field, value in (("sha256", "ab"), ("scope", "root")):
        bad = [document["keys"][0] | {field: value}, document["keys"][1]]
        (tmp_path / "keys").write_text(json.dumps(document | {"keys": bad}))
        with pytest.raises(FileError):
            KeyFile(keys.path).keys()
    assert [path.name for path in tmp_path.iterdir() if ".lock" not in path.name] == ["keys"]


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\nb"])
def test_names_of_keys_are_printable(tmp_path, name):
    keys = KeyFile(str(tmp_path / "keys"))
    with pytest.raises(InputError):
        keys.add(name, "correct")
    assert keys.add("x" * 100, "correct")


def test_the_settings_are_those_of_the_documentation():
    settings = Settings()
    assert (settings.host, settings.port, settings.keys, settings.hosts) == (
        "127.0.0.1",
        8080,
        "",
        (),
    )
    assert (settings.max_body, settings.max_requests, settings.max_connections) == (
        4 << 20,
        64,
        1000,
    )
    assert (settings.rate, settings.log_texts) == (None, False)
    assert (settings.header_seconds, settings.body_seconds, settings.idle_seconds) == (10, 30, 75)
    assert (settings.grace_seconds, settings.watch_seconds) == (10, 1)


def test_who_signs_an_entry(client, start, tmp_path):
    keys = KeyFile(str(tmp_path / "keys"))
    own = start(keys=keys.path, headers={"authorization": f"Bearer {keys.add('alice', 'admin')}"})
    for path, body in (("/correct", BODY), ("/confirm", {"text": "lunch"}),
                       ("/guards", {"text": "lunch"}), ("/undo", {"id": 1})):  # fmt: skip
        assert client.post(path, body | {"by": "bob"}).status in (200, 201)
        forged = own.post(path, body | {"by": "bob"})
        assert (forged.status, forged.json["parameter"]) == (403, "by")
        assert own.post(path, body | {"by": "alice"}).status in (200, 201)
    client.delete("/guards/3")
    own.delete("/guards/3")
    assert [one.author for one in client.live.log()] == ["bob"] * 4 + [""]
    assert [one.author for one in own.live.log()] == ["alice"] * 5


def test_a_place_under_way_is_given_back(start):
    client = start(max_requests=2)
    for _ in range(5):
        assert client.post("/undo", {"id": 9}).status == 404
        assert client.get("/model").status == 200
