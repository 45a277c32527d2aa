"""What comes back over HTTP: answers, versions, problems, and limits that hold on a real connection."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import TypeAdapter

from recollect import Busy, Memory
from recollect.operations import operations_of
from recollect.surfaces.catalogue.parameters import types_of
from recollect.surfaces.catalogue.routes import all_routes
from recollect.surfaces.catalogue.wording import PARAMETERS
from recollect.surfaces.reception.limits import Limits
from tests.surfaces.http.client import LIMIT, Client, served


def test_a_note_is_saved_found_and_read_back_on_every_store(client: Client) -> None:
    saved = client.post("/v1/spaces/alice/save", {"text": "Alice lives in Austin", "tags": ["home"]})
    assert (saved.status, saved.headers["etag"]) == (200, '"1"')
    note = saved.json
    assert (note["origin"]["channel"], note["origin"]["principal"], note["authority"]) == ("http", "tester", "quoted")
    found = client.get("/v1/spaces/alice/search?query=where+does+Alice+live&limit=3&explain=true")
    assert [hit["note"]["id"] for hit in found.json["hits"]] == [note["id"]]
    assert client.get(f"/v1/spaces/alice/get?note_id={note['id']}").json == note
    assert client.post("/v1/spaces/alice/get", {"note_id": note["id"]}).json == note
    assert client.get("/v1/spaces/list").json["items"][0]["name"] == "alice"


def test_a_revoked_token_is_refused_with_the_next_request_on_every_store(memory: Memory, client: Client) -> None:
    issued = memory.access.issue()
    reader = client.with_token(issued.secret)
    assert reader.get("/v1/info").json["scope"] == "read"
    memory.access.revoke(issued.token.id)
    assert reader.get("/v1/info").status == 401


@pytest.mark.parametrize(
    ("tags", "status"),
    [
        ("*", 200),
        ('"1"', 200),
        ('"7", "1"', 200),
        ('W/"9", "1"', 200),
        ('W/"1"', 412),
        ('W/"1", W/"2"', 412),
        ('"2"', 412),
        ('"2", "3"', 412),
        ('"abc"', 412),
        ('""', 412),
        ("1", 400),
        ("*, *", 400),
        ('"1', 400),
        ("W/1", 400),
        ("", 400),
        (",".join(['"1"'] * 100), 400),
    ],
)
def test_a_condition_is_read_as_the_standard_has_it(one_client: Client, tags: str, status: int) -> None:
    note = one_client.post("/v1/spaces/alice/save", {"text": "Alice lives in Austin"}).json
    change = {"note_id": note["id"], "text": "Alice lives in Boston"}
    answer = one_client.post("/v1/spaces/alice/update", change, If_Match=tags)

    assert answer.status == status
    assert status == 200 or answer.json["code"] == {400: "invalid_etag", 412: "stale_version"}[status]
    now = one_client.post("/v1/spaces/alice/get", {"note_id": note["id"]}).json
    assert now["version"] == (2 if status == 200 else 1)


def test_any_version_is_none_of_a_note_that_is_not_there(one_client: Client) -> None:
    one_client.post("/v1/spaces/alice/save", {"text": "Alice lives in Austin"})
    change = {"note_id": "01J9Z3K4M5N6P7Q8R9S0T1V2W3", "text": "Nobody lives here"}
    answer = one_client.post("/v1/spaces/alice/update", change, If_Match="*")
    assert (answer.status, answer.json["code"]) == (412, "note_not_found")


def test_a_change_holds_only_for_the_version_that_was_read(one_client: Client) -> None:
    note = one_client.post("/v1/spaces/alice/save", {"text": "Alice lives in Austin"}).json
    path, change = "/v1/spaces/alice/update", {"note_id": note["id"], "text": "Alice lives in Boston"}
    changed = one_client.post(path, change, If_Match='"1"')
    assert (changed.status, changed.headers["etag"]) == (200, '"2"')
    stale = one_client.post(path, change, If_Match='"1"')
    assert (stale.status, stale.json["code"]) == (412, "stale_version")
    assert one_client.post(path, {**change, "expected_version": 1}).status == 409
    assert one_client.post(path, change, If_Match="W/nonsense").json["code"] == "invalid_etag"
    assert one_client.post(path, {**change, "expected_version": 1}, If_Match='"2"').json["code"] == "invalid_field"
    read = f"/v1/spaces/alice/get?note_id={note['id']}"
    assert one_client.get(read, If_None_Match='"2"').status == 304
    assert one_client.get(read, If_None_Match='"1"').status == 200


def test_the_same_request_with_the_same_key_is_done_once(one_client: Client) -> None:
    path = "/v1/spaces/alice/save"
    first, again = (one_client.post(path, {"text": "Once"}, Idempotency_Key="k1") for _ in range(2))
    assert first.json == again.json
    other = one_client.post(path, {"text": "Something else"}, Idempotency_Key="k1")
    assert (other.status, other.headers["content-type"]) == (409, "application/problem+json")
    assert len(one_client.get("/v1/spaces/alice/list").json["items"]) == 1
    pinned = one_client.post("/v1/spaces/alice/pin", {"note_id": first.json["id"]}, Idempotency_Key="k2")
    assert (pinned.status, pinned.json["code"]) == (400, "header_not_supported")


def test_a_problem_says_what_happened_and_what_to_do(one_client: Client) -> None:
    answer = one_client.get("/v1/spaces/nobody/audit", X_Request_Id="mine-1")
    assert (answer.status, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.headers["x-request-id"] == "mine-1"
    assert answer.json == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no space `nobody`.",
        "code": "space_not_found",
        "hint": "`recollect spaces list` shows them. Saving a first note makes one.",
        "retryable": False,
        "request_id": "mine-1",
    }
    assert one_client.get("/v1/info", X_Request_Id="no good\x7f").headers["x-request-id"] != "no good\x7f"


def test_what_was_forgotten_is_gone_for_good(one_client: Client) -> None:
    note = one_client.post("/v1/spaces/alice/save", {"text": "A slip"}).json
    assert one_client.post("/v1/spaces/alice/forget", {"note_id": note["id"]}).status == 200
    gone = one_client.get(f"/v1/spaces/alice/get?note_id={note['id']}")
    assert (gone.status, gone.json["code"]) == (410, "erased")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "invalid_json"),
        (b"[]", "invalid_json"),
        (b'"text"', "invalid_json"),
        (b"\xff\xfe", "invalid_json"),
        (b'{"text": NaN}', "invalid_json"),
        (b'{"text": "x", "confidence": 1' + b"0" * 5000 + b"}", "invalid_json"),
        (b'{"text": "x", "confidence": 1' + b"0" * 400 + b"}", "invalid_number"),
        (b'{"txt": "x"}', "unknown_field"),
        (b'{"text": "x", "space": "bob"}', "unknown_field"),
        (b"{}", "field_missing"),
        (b'{"text": null}', "field_missing"),
        (b'{"text": 5}', "invalid_field"),
        (b'{"text": "x", "pinned": "yes"}', "invalid_field"),
        (b'{"text": "x", "tags": "home"}', "invalid_field"),
        (b'{"text": "x", "confidence": true}', "invalid_number"),
        (b'{"text": "x", "valid_from": 5}', "invalid_time"),
        (b'{"text": "x", "metadata": []}', "invalid_metadata"),
        (b'{"text": "\\ud800"}', "invalid_text"),
    ],
)
def test_a_body_that_makes_no_sense_is_refused_with_a_code(one_client: Client, body: bytes, code: str) -> None:
    answer = one_client.post("/v1/spaces/alice/save", body)
    assert (answer.status, answer.json["code"]) == (400, code)
    assert one_client.get("/v1/spaces/list").json["items"] == []


def test_a_query_that_makes_no_sense_is_refused_with_a_code(one_client: Client) -> None:
    one_client.post("/v1/spaces/alice/save", {"text": "x"})
    for query, code in {
        "query=x&limit=ten": "invalid_number",
        "query=x&limit=0": "invalid_number",
        "query=x&query=y": "invalid_field",
        "query=x&explain=maybe": "invalid_field",
        "query=x&space=bob": "unknown_field",
        "": "field_missing",
        "query=": "empty_text",
    }.items():
        answer = one_client.get(f"/v1/spaces/alice/search?{query}")
        assert (answer.status, answer.json["code"]) == (400, code), query
    assert one_client.post("/v1/spaces/alice/list?limit=1").json["code"] == "invalid_field"


def test_bombs_are_refused(one_client: Client) -> None:
    deep = b'{"text": "x", "metadata": ' + b'{"a":' * 200 + b"1" + b"}" * 201
    for body in (b"[" * 5_000_000, b'{"a":' * 1_000_000, deep):
        answer = one_client.post("/v1/spaces/alice/save", body)
        assert (answer.status, answer.json["code"]) == (413, "too_deep")


def test_a_body_that_is_longer_than_it_said_is_cut_off(one_memory: Memory) -> None:
    secret = one_memory.access.issue(scope="write").secret
    with served(one_memory, limits=Limits(body_bytes=1000)) as anybody:
        pieces = b"".join(b"64\r\n" + b"x" * 100 + b"\r\n" for _ in range(20)) + b"0\r\n\r\n"
        answer = anybody.with_token(secret).post("/v1/spaces/alice/save", pieces, Transfer_Encoding="chunked")
        assert (answer.status, answer.json["code"]) == (413, "too_large")
        whole = anybody.with_token(secret).post(
            "/v1/spaces/alice/save", b'5\r\n{"tex\r\n9\r\nt": "hi"}\r\n0\r\n\r\n', Transfer_Encoding="chunked"
        )
        assert whole.json["text"] == "hi"


def test_a_body_that_never_comes_is_not_waited_for(one_memory: Memory) -> None:
    secret = one_memory.access.issue(scope="write").secret
    with served(one_memory, limits=Limits(body_seconds=0.05)) as anybody:
        answer = anybody.with_token(secret).post("/v1/spaces/alice/save", b"", Content_Length="10")
        assert (answer.status, answer.json["code"], answer.json["retryable"]) == (408, "body_too_slow", True)


def test_too_many_requests_are_told_when_to_come_back(one_memory: Memory) -> None:
    with served(one_memory, limits=Limits(per_second=0.1, burst=1)) as anybody:
        client = anybody.with_token(one_memory.access.issue().secret)
        assert client.get("/v1/info").status == 200
        answer = client.get("/v1/info")
        assert (answer.status, answer.json["code"]) == (429, "too_many_requests")
        assert 1 <= int(answer.headers["retry-after"]) <= 10


def test_health_needs_no_token_and_tells_nothing(one_client: Client) -> None:
    nobody = Client(one_client.port, {})
    assert (nobody.get("/livez").json, nobody.get("/readyz").json) == ({"alive": True}, {"ready": True})
    assert nobody.get("/v1/info").status == 401


def test_long_answers_are_packed_for_who_can_unpack_them(one_client: Client) -> None:
    one_client.post("/v1/spaces/alice/save", {"text": "word " * 1000})
    plain = one_client.get("/v1/spaces/alice/list")
    packed = one_client.get("/v1/spaces/alice/list", Accept_Encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json == plain.json
    assert len(packed.body) < len(plain.body) / 2
    assert plain.headers["cache-control"] == "no-store"


def test_a_bug_of_ours_tells_strangers_nothing_and_the_log_where(
    one_client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(_: Memory) -> None:
        raise RuntimeError("inner workings")

    monkeypatch.setattr(Memory, "status", stumble)
    answer = one_client.get("/v1/status", X_Request_Id="bug-1")
    assert (answer.status, answer.json["code"], answer.json["request_id"]) == (500, "unexpected", "bug-1")
    assert b"inner workings" not in answer.body
    assert "bug-1" in caplog.text and "inner workings" in caplog.text
    assert one_client.get("/livez").status == 200


def test_a_busy_store_says_when_to_come_back(one_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(_: Memory) -> None:
        raise Busy

    monkeypatch.setattr(Memory, "status", wait)
    answer = one_client.get("/v1/status")
    assert (answer.status, answer.json["code"], answer.json["retryable"]) == (503, "busy", True)
    assert answer.headers["retry-after"] == "1"


def test_in_open_mode_nobody_needs_a_token(one_memory: Memory) -> None:
    with served(one_memory, insecure=True) as anybody:
        assert anybody.post("/v1/spaces/alice/save", {"text": "x"}).json["origin"]["principal"] == "tester"
        assert anybody.get("/v1/info").json["scope"] == "admin"


def test_a_further_host_is_answered_to_when_it_is_named(one_memory: Memory) -> None:
    with served(one_memory, hosts=frozenset({"memory.example"})) as anybody:
        assert anybody.get("/livez", Host="memory.example").status == 200
        assert anybody.get("/livez", Host="MEMORY.example:443", Origin="https://memory.example:443").status == 200
        assert anybody.get("/livez").status == 421


def test_a_head_that_is_no_http_does_not_stop_the_server(one_client: Client) -> None:
    for nonsense in (b"\x00\xff\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET /" + b"x" * 200_000):
        with socket.create_connection(("127.0.0.1", one_client.port), timeout=LIMIT) as connection:
            connection.sendall(nonsense)
            assert connection.recv(100).startswith((b"HTTP/1.1 4", b""))
    assert one_client.get("/livez").status == 200


def test_answers_are_what_their_description_says(one_client: Client) -> None:
    note = one_client.post("/v1/spaces/alice/save", {"text": "Alice lives in Austin", "metadata": {"a": [1]}}).json
    described = one_client.get("/v1/openapi.json").json
    asked = {
        "/v1/spaces/{space}/get": {"note_id": note["id"]},
        "/v1/spaces/{space}/list": {},
        "/v1/spaces/{space}/search": {"query": "Where does Alice live?", "explain": True},
        "/v1/spaces/{space}/recall": {"query": "Where does Alice live?"},
        "/v1/spaces/{space}/history": {"note_id": note["id"]},
        "/v1/spaces/{space}/add": {"messages": "I moved to Berlin last week. I might buy a bike."},
        "/v1/spaces/{space}/profile": {},
        "/v1/spaces/{space}/audit": {},
        "/v1/status": {},
        "/v1/doctor": {},
    }
    for path, fields in asked.items():
        answer = one_client.post(path.format(space="alice"), fields)
        assert answer.status == 200, path
        schema = described["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        properties = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]
        assert set(answer.json) == set(properties), path
        TypeAdapter(types_of(all_routes()[path].function)["return"]).validate_json(answer.body)


def test_many_at_once_lose_nothing_on_any_store(client: Client) -> None:
    def save(number: int) -> str:
        answer = client.post("/v1/spaces/alice/save", {"text": f"note {number}"})
        assert answer.status == 200, answer.body
        return str(answer.json["id"])

    with ThreadPoolExecutor(8) as writers:
        saved = list(writers.map(save, range(40)))
    listed = client.get("/v1/spaces/alice/list?limit=100").json["items"]
    assert {note["id"] for note in listed} == set(saved)
    assert client.get("/v1/spaces/alice/audit").json["whole"] is True


def test_the_description_tells_an_error_from_what_a_person_has_to_look_at(one_client: Client) -> None:
    schemas = one_client.get("/v1/openapi.json").json["components"]["schemas"]

    assert set(schemas["Problem"]["required"]) == {"path", "code", "message"}
    assert {"type", "title", "status", "detail"} <= set(schemas["HttpProblem"]["required"])


def test_every_verb_and_every_parameter_is_described(one_client: Client) -> None:
    described = one_client.get("/v1/openapi.json").json
    assert described["openapi"].startswith("3.")
    names = {"/".join(path.split("/")[2:]).replace("spaces/{space}/", "") for path in described["paths"]}
    assert {verb.replace(".", "/") for verb in operations_of(Memory)} <= names
    ids = [each["operationId"] for item in described["paths"].values() for each in item.values()]
    assert len(ids) == len(set(ids))
    save = described["paths"]["/v1/spaces/{space}/save"]["post"]
    fields = save["requestBody"]["content"]["application/json"]["schema"]
    assert fields["required"] == ["text"]
    assert fields["properties"]["confidence"]["description"] == PARAMETERS["confidence"]
    assert fields["properties"]["kind"]["enum"][0] == "semantic"
    search = {each["name"]: each for each in described["paths"]["/v1/spaces/{space}/search"]["get"]["parameters"]}
    assert (search["query"]["required"], search["limit"]["schema"]["default"]) == (True, 10)
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert "A secret" not in json.dumps(described)
