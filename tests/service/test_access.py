"""Keys, hosts and other sites."""

import re

import pytest

import hardlimit as hl
from hardlimit.exceptions import InputError
from hardlimit.service.keys import KeyFile

READS = ["/model", "/log", "/guards"]


@pytest.fixture
def keys(tmp_path):
    return KeyFile(str(tmp_path / "its.keys"))


def bearer(token):
    return {"authorization": f"Bearer {token}"}


def test_without_a_key_only_health_and_the_page_answer(start, keys):
    keys.add("alice", "admin")
    client = start(keys=keys.path)
    for path in READS:
        refused = client.get(path)
        assert refused.status == 401 and refused.headers["www-authenticate"].startswith("Bearer")
    assert client.get("/model", **bearer("hlk_wrong")).status == 401
    assert client.get("/health").status == 200


def test_scopes_allow_what_they_say(start, keys):
    tokens = {scope: keys.add(scope, scope) for scope in ("predict", "correct", "admin")}
    client = start(keys=keys.path)
    assert client.get("/model", **bearer(tokens["predict"])).status == 200
    refused = client.get("/log", **bearer(tokens["predict"]))
    assert refused.status == 403 and refused.json["wanted"] == "correct"
    assert client.get("/log", **bearer(tokens["correct"])).status == 200
    assert client.get("/log", **bearer(tokens["admin"])).status == 200


def test_a_key_that_is_removed_opens_nothing_from_then_on(start, keys):
    token = keys.add("alice", "correct")
    client = start(keys=keys.path)
    assert client.get("/log", **bearer(token)).status == 200
    keys.remove("alice")
    assert client.get("/log", **bearer(token)).status == 401


def test_entries_are_signed_with_the_name_of_the_key(start, keys):
    token = keys.add("alice", "correct")
    client = start(keys=keys.path, headers=bearer(token))
    client.post("/correct", {"text": "a prize", "label": "ham"})
    assert [one.author for one in client.live.log()] == ["alice"]
    forged = client.post("/correct", {"text": "a prize", "label": "ham", "by": "bob"})
    assert forged.status == 403 and "alice" not in forged.json["detail"]


def test_a_refusal_stands_on_its_own_and_says_where_a_key_comes_from(start, keys):
    client = start(keys=keys.path)
    token = keys.add("ro", "predict")
    make = "Whoever runs the service makes one: hardlimit key add MODEL NAME --scope correct."
    assert client.get("/log").json["detail"] == f"A key is needed here. {make}"
    detail = client.get("/log", **bearer("hlk_mistyped")).json["detail"]
    assert detail == f"This service does not know the key. {make}"
    detail = client.get("/log", **bearer(token)).json["detail"]
    assert detail == f"The key 'ro' allows 'predict', and 'correct' is needed here. {make}"


def test_every_refusal_of_access_is_a_whole_sentence(start, keys):
    open_to_all, token = start(), keys.add("alice", "correct")
    client, body = start(keys=keys.path, hosts=("a.b",)), {"text": "win a prize", "label": "ham"}
    closed = start(live=hl.open_live(client.live.path, None, read_only=True))
    capped = start(live=hl.open_live(client.live.path, None, influence=0.1))
    refusals = [
        open_to_all.get("/model", x_real_ip="1"), client.get("/model", host="c"),
        client.post("/correct", body, origin="http://c"), client.get("/model"),
        client.get("/metrics", **bearer(token)), closed.post("/correct", body),
        client.post("/correct", body | {"by": "bob"}, **bearer(token)),
        capped.post("/correct", body),
    ]  # fmt: skip
    assert {one.status for one in refusals} == {401, 403}
    for one in refusals:
        assert re.fullmatch(r"[A-Z].*[a-z'0-9]\.", one.json["detail"]), one.json["detail"]


def test_nobody_reads_a_body_before_the_key_is_known(start, keys):
    keys.add("alice", "correct")
    client = start(keys=keys.path)
    assert client.post("/predict", b"{not json").status == 401


def test_without_keys_a_foreign_name_and_a_proxy_are_refused(client):
    assert client.get("/model", host="evil.example:8080").status == 403
    assert client.get("/model", host="127.0.0.1:8080").status == 200
    assert client.get("/model", host="[::1]:8080").status == 200
    assert client.get("/model", x_forwarded_for="1.2.3.4").status == 403


@pytest.mark.parametrize(
    "name",
    [
        "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "Forwarded",
        "Via", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "CF-Ray",
        "Fastly-Client-IP", "X-Cluster-Client-IP", "X-Original-Forwarded-For", "CDN-Loop",
    ],
)  # fmt: skip
def test_every_sign_of_a_proxy_is_refused_without_keys(client, start, keys, name):
    sign = {name.lower(): "1.2.3.4"}
    assert client.get("/model", **sign).status == 403
    assert client.get("/health", **sign).status == 403
    keyed = start(keys=keys.path, headers=bearer(keys.add("alice", "predict")))
    assert keyed.get("/model", **sign).status == 200


def test_what_browsers_and_clients_send_is_no_sign_of_a_proxy(client):
    sent = {
        "accept": "*/*", "accept-language": "en", "cookie": "a=b", "dnt": "1", "te": "trailers",
        "x-requested-with": "a", "x-request-id": "b", "traceparent": "c", "sec-fetch-site": "none",
        "user-agent": "d", "sec-ch-ua": "e", "if-none-match": "f", "cache-control": "no-cache",
    }  # fmt: skip
    assert client.get("/model", **sent).status == 200


def test_with_keys_the_names_that_are_given_are_the_only_ones(start, keys):
    token = bearer(keys.add("alice", "predict"))
    named = start(keys=keys.path, hosts=("good.example",), headers=token)
    assert named.get("/model", host="good.example:80").status == 200
    assert named.get("/model", host="evil.example").status == 403
    free = start(keys=keys.path, headers=token)
    assert free.get("/model", host="any.example").status == 200


def test_a_page_of_another_site_changes_nothing(client):
    body = {"text": "a prize", "label": "ham"}
    assert client.post("/correct", body, origin="http://evil.example").status == 403
    assert client.post("/correct", body, origin="null").status == 403
    assert client.post("/correct", body, content_type="text/plain").status == 415
    assert client.live.n_entries == 0
    assert client.post("/correct", body, origin="http://localhost:8080").status == 200


@pytest.mark.parametrize("origin", ["http://[", "null", "", "http://\xff", "x" * 9999])
def test_an_origin_that_is_none_is_refused(client, origin):
    assert client.post("/undo", {"id": 1}, origin=origin).json["topic"] == "foreign-origin"


@pytest.mark.parametrize("name", ["", "a\nb", "spam\u200b.example", "\ud800", " a"])
def test_a_host_name_that_nobody_can_read_is_refused(start, name):
    with pytest.raises(InputError, match="host_names"):
        start(hosts=("spam.example", name))
