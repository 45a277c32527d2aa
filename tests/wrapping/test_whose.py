"""Wrapped clients in use: whose a call is, what is left alone, and what happens around the edges."""

from __future__ import annotations

import copy
import logging
import threading
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from recollect import AsyncMemory, Memory, RemoteMemory, attributed
from recollect.domain.errors import InvalidInput
from recollect.wrapping.companion import BoundedRecall
from recollect.wrapping.conversation import Attribution
from recollect.wrapping.wrap import wrapped
from recollect.wrapping.write_queue import Exchange, WriteQueue
from tests.surfaces.http.client import served
from tests.wrapping.model_server import REPLY, ModelServer, model_server
from tests.wrapping.test_clients import Told, said_in

PATIENCE = 30  # seconds that a call may wait for memory, on a machine that is busy with other things
ASKED = [{"role": "user", "content": "Where do I live?"}]


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture(scope="module")
def plain(server: ModelServer) -> openai.OpenAI:
    return openai.OpenAI(api_key="none", base_url=f"{server.url}/v1", max_retries=0)


def ask(client: Any, messages: Any = ASKED, **rest: Any) -> None:
    client.chat.completions.create(model="m", messages=messages, **rest)


def test_a_call_belongs_to_the_user_it_names_or_the_code_around_it(plain: openai.OpenAI) -> None:
    told = Told("")
    client, companion = wrapped(plain, told, user="alice", space="team", wait=PATIENCE)
    ask(client)
    ask(client, user="bob")
    with attributed(user="carol", session="s-1", space="other"):
        ask(client, user="bob")
    assert companion.flush(PATIENCE)
    assert [(each.user, each.space) for each in told.whose] == [("alice", "team"), ("bob", "team"), ("carol", "other")]
    sessions = [each.session for each in told.whose]
    assert sessions[2] == "s-1" and len(set(sessions)) == 3, "each user has a session of their own"


def test_a_call_can_go_by_memory(plain: openai.OpenAI) -> None:
    told = Told("<recollect-x>block</recollect-x>")
    client, companion = wrapped(plain, told, wait=PATIENCE)
    with attributed(skip=True):
        ask(client)
    assert companion.flush(PATIENCE)
    assert told.recalls == [] and told.kept == []


def test_messages_of_the_caller_are_never_changed(plain: openai.OpenAI, server: ModelServer) -> None:
    client, _ = wrapped(plain, Told("<recollect-x>block</recollect-x>"), wait=PATIENCE)
    parts = [{"type": "text", "text": "Where do I live?"}]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}]
    before = copy.deepcopy(messages)
    ask(client, messages)
    assert messages == before
    assert server.asked[-1]["messages"][1]["content"][0]["text"] == "<recollect-x>block</recollect-x>"
    ask(client, iter(messages))
    assert server.asked[-1]["messages"][1] == server.asked[-2]["messages"][1]


def test_the_client_itself_and_its_copies_are_as_they_were(plain: openai.OpenAI) -> None:
    told = Told("")
    client, companion = wrapped(plain, told, wait=PATIENCE)
    ask(plain)
    ask(client.with_options(timeout=60))
    assert companion.flush(PATIENCE)
    assert told.recalls == ["Where do I live?"]
    assert told.kept == [("user", "Where do I live?"), ("assistant", "".join(REPLY))]


def test_what_was_said_is_written_before_a_memory_closes(plain: openai.OpenAI, tmp_path: Any) -> None:
    with Memory(home=tmp_path, embedding="off") as memory:
        ask(memory.wrap(plain, space="team"))
    with Memory(home=tmp_path, embedding="off") as memory:
        assert said_in(memory, "team") == [("user", "Where do I live?"), ("assistant", "".join(REPLY))]


def test_a_closed_memory_is_a_memory_that_is_down(
    plain: openai.OpenAI, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    with Memory(store=":memory:", embedding="off") as memory:
        client = AsyncMemory(memory).wrap(plain)
    with caplog.at_level(logging.CRITICAL):
        ask(client)
    assert server.asked[-1]["messages"] == ASKED


def test_a_remote_memory_recalls_and_remembers_too(plain: openai.OpenAI, server: ModelServer) -> None:
    with Memory(store=":memory:", embedding="off") as memory, served(memory) as door:
        memory.add("I live in Porto.", user="alice", space="team")
        secret = memory.access.issue(scope="write", space="team").secret
        remote = RemoteMemory(f"http://127.0.0.1:{door.port}", secret, space="team")
        client: Any = remote.wrap(plain, user="alice", wait=PATIENCE)
        ask(client)
        assert client.recollect.flush(PATIENCE)
        assert "User lives in Porto." in server.asked[-1]["messages"][0]["content"]
        assert said_in(memory, "team")[1:] == [("user", "Where do I live?"), ("assistant", "".join(REPLY))]
        assert secret not in repr(remote)


@pytest.mark.parametrize("address", ["memory.example.org", "ftp://memory.example.org", "https://me:word@example.org"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        RemoteMemory(address, "token")
    assert refused.value.code == "invalid_url" and "word" not in str(refused.value).replace("password", "")


def test_what_is_no_client_is_refused() -> None:
    with Memory(store=":memory:", embedding="off") as memory:
        with pytest.raises(InvalidInput) as refused:
            memory.wrap(object())
        assert refused.value.code == "unsupported_client"
        with pytest.raises(InvalidInput):
            memory.wrap(object(), wait=-1)


def test_a_full_queue_lets_the_newest_go_and_keeps_the_order(caplog: pytest.LogCaptureFixture) -> None:
    begun, go_on, written = threading.Event(), threading.Event(), list[str]()

    def write(exchange: Exchange) -> None:
        begun.set()
        assert go_on.wait(30)
        written.append(exchange.messages[0]["content"])

    queue = WriteQueue(write, most=2)
    exchanges = [Exchange([{"role": "user", "content": str(number)}], Attribution()) for number in range(4)]
    assert queue.put(exchanges[0]) and begun.wait(30)
    with caplog.at_level(logging.WARNING, logger="recollect.wrap"):
        assert [queue.put(each) for each in exchanges[1:]] == [True, True, False]
    assert not queue.flush(0.0)
    go_on.set()
    assert queue.flush(30)
    assert written == ["0", "1", "2"] and "not remembered" in caplog.text


def test_a_memory_that_fails_again_and_again_is_left_alone() -> None:
    recall = BoundedRecall(lambda query, whose: "", seconds=1)
    for number in range(3):
        assert recall.begun("query", Attribution()) is not None
        recall.settled(str(number), Attribution(), "", TimeoutError())
    assert recall.begun("query", Attribution()) is None
