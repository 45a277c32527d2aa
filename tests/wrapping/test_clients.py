"""Every client of every vendor: the provider gets the block and nothing else, the caller gets what it got before."""

from __future__ import annotations

import gc
import json
import logging
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.errors import Unreachable
from recollect.wrapping.conversation import Attribution
from recollect.wrapping.wrap import wrapped
from recollect.wrapping.write_queue import Exchange
from tests.wrapping.faces import Face, Talk, faces
from tests.wrapping.model_server import PARSED, REPLY, ModelServer, model_server

EVERY = faces()
STREAMS = [face for face in EVERY if face.how in ("stream", "manager")]
QUESTION = "Where do I live?"
TALK: Talk = [("user", QUESTION)]
LATER: Talk = [("user", "Hello."), ("assistant", "Hello!"), ("user", QUESTION)]
CONTINUED: Talk = [*TALK, ("call", ""), ("result", "sunny")]
PATIENCE = 30  # seconds that a call may wait for memory, on a machine that is busy with other things
BLOCK = re.compile(r'(?:\{"(?:type": "(?:input_)?text", ")?text": ")?<recollect-.*?</recollect-\w+>(?:"\}, |\\n\\n)?')

pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory(store=":memory:", embedding="off") as opened:
        yield opened


def by_name(face: Face) -> str:
    return face.name


def without_block(body: dict[str, Any]) -> dict[str, Any]:
    """A request as it was before memory added to it."""
    found: dict[str, Any] = json.loads(BLOCK.sub("", json.dumps(body)))
    return found


def said_in(memory: Memory, space: str) -> list[tuple[str, str]]:
    """Everything that was said in a space, in order."""
    records = memory.export(space=space).records
    said = [each for each in records if each.get("type") == "observation"]
    return [(each["role"], each["text"]) for each in sorted(said, key=lambda each: str(each["id"]))]


@pytest.mark.parametrize("face", EVERY, ids=by_name)
def test_recall_comes_before_and_remembering_after_and_nothing_else_changes(
    face: Face, server: ModelServer, memory: Memory
) -> None:
    space = face.name
    memory.add("I live in Porto.", space=space)
    plain, talk = face.make(server.url), list(LATER)
    expected, original = face.ask(plain, talk), server.asked[-1]

    client = memory.wrap(face.make(server.url), space=space, wait=PATIENCE)
    assert type(client) is type(plain)
    assert face.ask(client, talk) == expected
    asked = server.asked[-1]
    assert "User lives in Porto." in json.dumps(asked) and asked != original
    assert without_block(asked) == original
    assert talk == LATER

    assert client.recollect.flush(PATIENCE)
    reply = PARSED if face.how == "parse" else "".join(REPLY)
    assert said_in(memory, space)[1:] == [("user", QUESTION), ("assistant", reply)]


@pytest.mark.parametrize("face", [face for face in EVERY if face.how != "parse"], ids=by_name)
def test_a_tool_goes_on_with_the_same_recall_and_every_message_is_kept_once(face: Face, server: ModelServer) -> None:
    told = Told("<recollect-x>\nPorto\n</recollect-x>")
    client, companion = wrapped(face.make(server.url), told, wait=PATIENCE)
    face.ask(client, TALK, tools=True)
    first = server.asked[-1]
    face.ask(client, CONTINUED, tools=True)
    second = server.asked[-1]
    assert companion.flush(PATIENCE)
    assert told.recalls == [QUESTION]
    assert "recollect-x" in json.dumps(first) and "recollect-x" in json.dumps(second)
    assert told.kept == [("user", QUESTION), ("assistant", "".join(REPLY))]


@pytest.mark.parametrize("face", [face for face in EVERY if face.vendor == "messages"], ids=by_name)
def test_an_answer_whose_beginning_the_caller_gives_loses_nothing(face: Face, server: ModelServer) -> None:
    told = Told("<recollect-x>\nPorto\n</recollect-x>")
    client, companion = wrapped(face.make(server.url), told)
    face.ask(client, [*LATER, ("assistant", "You live in")])
    assert companion.flush()
    assert "recollect-x" in json.dumps(server.asked[-1])
    reply = PARSED if face.how == "parse" else "".join(REPLY)
    assert told.kept == [("user", QUESTION), ("assistant", f"You live in{reply}")]


@pytest.mark.parametrize("face", EVERY, ids=by_name)
def test_a_call_goes_through_untouched_while_memory_is_down(
    face: Face, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    expected = face.ask(face.make(server.url), TALK)
    original = server.asked[-1]
    client, companion = wrapped(face.make(server.url), Down())
    with caplog.at_level(logging.WARNING, logger="recollect.wrap"):
        assert face.ask(client, TALK) == expected
        assert companion.flush(PATIENCE)
    assert server.asked[-1] == original
    assert len(caplog.records) == 2 and not any(QUESTION in each.getMessage() for each in caplog.records)


@pytest.mark.parametrize("face", STREAMS, ids=by_name)
def test_an_abandoned_stream_is_remembered_as_far_as_it_was_read(face: Face, server: ModelServer) -> None:
    told = Told("")
    client, companion = wrapped(face.make(server.url), told, wait=PATIENCE)
    whole = face.ask(client, TALK)
    face.ask(client, [*TALK, ("assistant", "…"), ("user", "And since when?")], most=len(whole) // 2)
    gc.collect()  # some libraries hold a stream in a circle
    assert companion.flush(PATIENCE)
    questions = [text for role, text in told.kept if role == "user"]
    assert questions == [QUESTION, "And since when?"]
    replies = [text for role, text in told.kept if role == "assistant"]
    assert replies[0] == "".join(REPLY)
    assert all("".join(REPLY).startswith(text) for text in replies)


@pytest.mark.parametrize("face", [face for face in EVERY if face.how == "plain"], ids=by_name)
def test_a_failure_of_the_provider_is_the_callers_and_its_message_is_kept_once(face: Face, server: ModelServer) -> None:
    told = Told("")
    client, companion = wrapped(face.make(server.url), told, wait=PATIENCE)
    for _ in range(2):
        with pytest.raises(Exception, match="no") as wrong:
            face.ask(client, TALK, model="broken")
        assert wrong.type.__module__.split(".")[0] in ("openai", "anthropic", "google")
    face.ask(client, TALK)
    assert companion.flush(PATIENCE)
    assert told.kept == [("user", QUESTION), ("assistant", "".join(REPLY))]


@pytest.mark.parametrize("face", [face for face in EVERY if face.how == "plain"], ids=by_name)
def test_a_slow_memory_is_waited_for_no_longer_than_was_said(face: Face, server: ModelServer) -> None:
    slow = Slow()
    client, companion = wrapped(face.make(server.url), slow, wait=0.01)
    expected = face.ask(face.make(server.url), TALK)
    assert face.ask(client, TALK) == expected
    assert server.asked[-1] == server.asked[-2]
    slow.go_on.set()
    assert companion.flush(PATIENCE)


class Told:
    """A memory that tells the same every time, and keeps what it hears."""

    def __init__(self, block: str) -> None:
        self.block = block
        self.recalls: list[str] = []
        self.kept: list[tuple[str, str]] = []
        self.whose: list[Attribution] = []

    def recall_block(self, query: str, whose: Attribution, budget: int) -> str:
        self.recalls.append(query)
        return self.block

    def remember(self, exchange: Exchange) -> None:
        self.kept += [(each["role"], each["content"]) for each in exchange.messages]
        self.whose.append(exchange.whose)


class Down:
    """A memory that is not there."""

    def recall_block(self, query: str, whose: Attribution, budget: int) -> str:
        raise Unreachable(query)

    def remember(self, exchange: Exchange) -> None:
        raise Unreachable


class Slow(Told):
    """A memory that answers when it is told to."""

    def __init__(self) -> None:
        super().__init__("late")
        self.go_on = threading.Event()

    def recall_block(self, query: str, whose: Attribution, budget: int) -> str:
        self.go_on.wait(30)
        return super().recall_block(query, whose, budget)
