"""The live stream: what happens is heard in order, nothing is missed or heard twice, and slow readers go politely."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from recollect import Memory
from recollect.surfaces.http import live_stream
from recollect.surfaces.http.live_stream import Streams
from recollect.surfaces.reception.guard import Visit
from recollect.surfaces.reception.limits import Limits
from recollect.surfaces.reception.screening import Head
from tests.surfaces.http.client import LIMIT, Client, served

PATH = "/v1/spaces/alice/stream"


class Events:
    """Server-sent events as they come."""

    def __init__(self, client: Client, path: str, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=LIMIT)
        self._connection.request("GET", path, headers={**client.headers, **headers})
        self.answer = self._connection.getresponse()
        assert self.answer.status == 200, self.answer.read()

    def next(self) -> dict[str, Any]:
        """The next event, with its number as `id`; `{}` at the end."""
        found: dict[str, Any] = {}
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name == "" and value == "" and "event" in found:
                return found
            if name in ("id", "event", "data"):
                found[name] = json.loads(value) if name == "data" else value
        return {}

    def close(self) -> None:
        self.answer.close()
        self._connection.close()


@contextlib.contextmanager
def events(client: Client, path: str, **headers: str) -> Iterator[Events]:
    opened = Events(client, path, **headers)
    try:
        yield opened
    finally:
        opened.close()


def socket(client: Client, path: str = PATH, **headers: str) -> ClientConnection:
    return connect(
        f"ws://127.0.0.1:{client.port}{path}",
        additional_headers={**client.headers, **{name.replace("_", "-"): said for name, said in headers.items()}},
        open_timeout=LIMIT,
        proxy=None,
    )


def test_notes_and_messages_are_heard_as_they_happen(client: Client, memory: Memory) -> None:
    memory.save("before anybody watched", space="alice")
    with events(client, PATH) as heard:
        assert heard.answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        note = memory.save("Ana lives in Bergen", space="alice")
        written = heard.next()
        assert (written["event"], written["data"]["record_id"]) == ("written", note.id)
        assert written["data"]["note"]["text"] == "Ana lives in Bergen"
        assert written["id"] == str(written["data"]["seq"])
        said = memory.add("What a lovely lighthouse!", space="alice").observation_ids
        assert heard.next()["event"] == "session-opened"
        observed = heard.next()["data"]
        assert (observed["record_id"], observed["observation"]["text"]) == (said[0], "What a lovely lighthouse!")
        memory.save("not for Alice", space="bob")
        memory.forget(note.id, space="alice")
        assert heard.next()["event"] == "erased"


def test_whoever_comes_back_misses_nothing_and_hears_nothing_twice(one_client: Client, one_memory: Memory) -> None:
    for number in range(250):
        one_memory.save(f"note {number}", space="alice")
    with events(one_client, f"{PATH}?after=0") as heard:
        first = [heard.next() for _ in range(120)]
    with events(one_client, PATH, **{"Last-Event-ID": first[-1]["id"]}) as heard:
        rest = [heard.next() for _ in range(251 - 120)]
    seqs = [int(each["id"]) for each in first + rest]
    assert seqs == sorted(set(seqs))
    texts = [each["data"]["note"]["text"] for each in first + rest if each["event"] == "written"]
    assert texts == [f"note {number}" for number in range(250)]


def test_the_end_of_a_space_is_heard_at_once(one_memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_stream, "_STILL_THERE", 10 * LIMIT)  # nobody looks again by chance
    one_memory.save("Ana lives in Bergen", space="alice")
    tokens = [one_memory.access.issue(scope="read", space="alice", user=user) for user in (None, "ana")]
    with served(one_memory) as anybody, contextlib.ExitStack() as opened:
        watching = [opened.enter_context(events(anybody.with_token(token.secret), PATH)) for token in tokens]
        one_memory.delete_space("alice")
        for heard in watching:
            told = heard.next()
            assert (told["event"], told["data"]["record_id"]) == ("space-deleted", "alice")


def test_what_was_erased_meanwhile_is_not_told(one_client: Client, one_memory: Memory) -> None:
    note = one_memory.save("a secret", space="alice")
    one_memory.forget(note.id, space="alice")
    with events(one_client, f"{PATH}?after=0") as heard:
        told = [heard.next() for _ in range(3)]
    assert [each["event"] for each in told] == ["space-opened", "written", "erased"]
    assert "a secret" not in json.dumps(told)


def test_a_websocket_tells_the_same(one_client: Client, one_memory: Memory) -> None:
    one_memory.save("before", space="alice")
    with socket(one_client) as live, socket(one_client, f"{PATH}?after=0") as all_of_it:
        live.send("nobody listens to this")
        note = one_memory.save("Ana lives in Bergen", space="alice")
        told = json.loads(live.recv(LIMIT))
        assert (told["event"], told["note"]["id"]) == ("written", note.id)
        seen = [json.loads(all_of_it.recv(LIMIT))["event"] for _ in range(3)]
        assert seen == ["space-opened", "written", "written"]


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        ("/v1/spaces/nobody/stream", {}, 404, "space_not_found"),
        ("/v1/spaces/bob/stream", {}, 404, "space_not_found"),
        (f"{PATH}?after=-1", {}, 400, "invalid_number"),
        (f"{PATH}?after=x", {}, 400, "invalid_number"),
        (f"{PATH}?after=99999", {}, 400, "invalid_cursor"),
        (f"{PATH}?after=1&after=2", {}, 400, "unknown_field"),
        (f"{PATH}?before=1", {}, 400, "unknown_field"),
        (PATH, {"Authorization": ""}, 401, "token_missing"),
        (PATH, {"Authorization": "Bearer rcl_nonsense"}, 401, "token_invalid"),
        (PATH, {"Origin": "https://evil.example"}, 403, "origin_not_allowed"),
        (PATH, {"Origin": "null"}, 403, "origin_not_allowed"),
        (PATH, {"Sec-Fetch-Site": "cross-site"}, 403, "cross_site"),
        (PATH, {"Host": "evil.example"}, 421, "host_not_allowed"),
    ],
)
def test_who_may_not_watch_is_told_so_through_both_doors(
    one_memory: Memory, path: str, headers: dict[str, str], status: int, code: str
) -> None:
    one_memory.save("A secret of Alice", space="alice")
    one_memory.save("A secret of Bob", space="bob")
    bound = one_memory.access.issue(space="alice").secret
    with served(one_memory) as anybody:
        client = anybody.with_token(bound)
        sent = {name: value for name, value in {**client.headers, **headers}.items() if value}
        over_http = Client(client.port, sent).get(path)
        assert (over_http.status, over_http.json["code"]) == (status, code)
        with pytest.raises(InvalidStatus) as refused, _raw_socket(client.port, path, sent):
            pass
        answer = refused.value.response
        assert answer.status_code == status
        assert json.loads(answer.body)["code"] == code


@contextlib.contextmanager
def _raw_socket(port: int, path: str, headers: dict[str, str]) -> Iterator[ClientConnection]:
    host = headers.get("Host", f"127.0.0.1:{port}")
    sent = {name: value for name, value in headers.items() if name != "Host"}
    with (
        contextlib.closing(__import__("socket").create_connection(("127.0.0.1", port), LIMIT)) as raw,
        connect(f"ws://{host}{path}", sock=raw, additional_headers=sent, open_timeout=LIMIT, proxy=None) as opened,
    ):
        yield opened


def test_only_a_stream_is_a_websocket_and_only_events_are_a_stream(one_client: Client, one_memory: Memory) -> None:
    one_memory.save("something", space="alice")
    for path in ("/v1/spaces/alice/list", "/v1/info", "/livez", "/nothing"):
        with pytest.raises(InvalidStatus), socket(one_client, path):
            pass
    assert one_client.get(PATH, Accept="application/json").json["code"] == "not_acceptable"
    assert one_client.post(PATH, {}).json["code"] == "method_not_allowed"


def test_a_revoked_token_hears_nothing_more(one_memory: Memory) -> None:
    one_memory.save("something", space="alice")
    issued = one_memory.access.issue(space="alice")
    with served(one_memory) as anybody:
        client = anybody.with_token(issued.secret)
        with events(client, PATH) as heard, socket(client) as live:
            one_memory.access.revoke(issued.token.id)
            assert heard.next()["data"]["code"] == "token_invalid"
            assert heard.next() == {}
            assert json.loads(live.recv(LIMIT))["code"] == "token_invalid"
            with pytest.raises(ConnectionClosed) as closed:
                live.recv(LIMIT)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008


def test_a_server_that_stops_says_goodbye_and_from_where_to_go_on(one_memory: Memory) -> None:
    one_memory.save("something", space="alice")
    with contextlib.ExitStack() as open_things:
        with served(one_memory) as anybody:
            client = anybody.with_token(one_memory.access.issue().secret)
            heard = open_things.enter_context(events(client, PATH))
            live = open_things.enter_context(socket(client))
        last = heard.next()
        assert (last["event"], last["data"]) == ("closing", {"code": "closing", "resume_after": 2})
        assert json.loads(live.recv(LIMIT))["resume_after"] == 2


def test_there_is_an_end_to_how_many_may_watch(one_memory: Memory) -> None:
    one_memory.save("something", space="alice")
    with served(one_memory, limits=Limits(streams=3, streams_per_token=2)) as anybody:
        first, second = (anybody.with_token(one_memory.access.issue().secret) for _ in range(2))
        with events(first, PATH), events(first, PATH):
            assert first.get(PATH).json["code"] == "too_many_streams"
            with events(second, PATH):
                assert second.get(PATH).json["code"] == "too_many_streams"


def test_a_reader_that_falls_behind_is_let_go_and_told_from_where_to_resume(one_memory: Memory) -> None:
    one_memory.save("first", space="alice")
    streams = Streams(one_memory, Limits(stream_behind=150))
    visit = Visit("id", Head("GET", PATH, {}), None, "alice", None)

    async def watch() -> list[Any]:
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        told = []
        async for each in streams.told(visit, 1, gone):
            told.append(each)
            if len(told) == 1:  # it had caught up, and then takes long over the first thing it hears
                for number in range(400):
                    one_memory.save(f"note {number}", space="alice")
        return told

    told = asyncio.run(asyncio.wait_for(watch(), LIMIT))
    assert told[-1].event == "behind"
    assert told[-1].said["resume_after"] == told[-2].seq
    assert streams.dropped == 1
    streams.close()


def test_a_reader_that_takes_nothing_is_cut_off_and_holds_up_nobody(one_memory: Memory) -> None:
    streams = Streams(one_memory, Limits(stalled_seconds=0.01))

    async def stalled() -> bool:
        return await streams.sent(asyncio.get_running_loop().create_future())

    assert asyncio.run(asyncio.wait_for(stalled(), LIMIT)) is False
    assert streams.dropped == 1
    streams.close()
