"""A wrong word is refused, with the right one, by every verb of every door; and nothing is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from recollect import AsyncMemory, InvalidInput, Memory, UnknownField
from recollect.domain.suggestions import ELSEWHERE
from recollect.operations import Shape, operations_of
from recollect.surfaces.catalogue.parameters import parameters_of
from recollect.surfaces.catalogue.routes import all_routes
from recollect.surfaces.cli.commands import command_for
from recollect.surfaces.cli.parsing import parse
from recollect.surfaces.mcp.tools import tool_name
from tests.surfaces.http.client import Client, served
from tests.surfaces.mcp.speaking import Speaker, over_http

VERBS = sorted(operations_of(Memory))
AN_ID = "01HZZZZZZZZZZZZZZZZZZZZZZZ"
EXAMPLES: dict[Shape, Any] = {
    Shape.TEXT: AN_ID,
    Shape.TEXTS: [AN_ID],
    Shape.MOMENT: "2026-01-01",
    Shape.WHOLE: 1,
    Shape.NUMBER: 0.5,
    Shape.TRUTH: True,
    Shape.OBJECT: {},
    Shape.MESSAGES: "I live in Berlin.",
}


def right(verb: str) -> dict[str, Any]:
    """What a verb cannot do without, so that the wrong word alone is what is wrong."""
    function = getattr(Memory, operations_of(Memory)[verb].method)
    return {each.name: EXAMPLES[each.shape] for each in parameters_of(function) if each.required}


def wrong(verb: str) -> str:
    """A parameter of the verb with two letters the wrong way round, or a word that no verb has."""
    function = getattr(Memory, operations_of(Memory)[verb].method)
    names = [each.name for each in parameters_of(function) if len(each.name) > 3]
    return names[-1][:-2] + names[-1][-1] + names[-1][-2] if names else "colour"


def test_a_wrong_word_of_each_verb_is_one() -> None:
    for verb in VERBS:
        function = getattr(Memory, operations_of(Memory)[verb].method)
        assert wrong(verb) not in {each.name for each in parameters_of(function)}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    home = tmp_path_factory.mktemp("home")
    with Memory(store=str(home / "memory.db"), home=home, principal="tester") as opened:
        opened.save("Alice prefers tea")
        yield opened


@pytest.fixture(scope="module")
def doors(memory: Memory) -> Iterator[tuple[Client, Speaker]]:
    with ExitStack() as stack:
        client = stack.enter_context(served(memory))
        secret = memory.access.issue(scope="admin", name="tester").secret
        speaker = stack.enter_context(over_http(client.port, secret, "?toolset=full"))
        yield client.with_token(secret), speaker


@pytest.fixture(autouse=True, scope="module")
def nothing_is_written(memory: Memory) -> Iterator[None]:
    before = memory.export().records
    yield
    assert memory.export().records[1:] == before[1:]  # the header says when it was made


@pytest.mark.parametrize("verb", VERBS)
def test_the_library_refuses_a_wrong_word(memory: Memory, verb: str) -> None:
    with pytest.raises(UnknownField, match=f"`{wrong(verb)}` is no parameter of `{verb}`") as refusal:
        getattr(memory, operations_of(Memory)[verb].method)(**right(verb), **{wrong(verb): "x"})

    assert isinstance(refusal.value, InvalidInput)
    assert isinstance(refusal.value, TypeError), "as Python says it of any function"
    assert refusal.value.code == "unknown_field"
    assert "There are: " in refusal.value.hint


@pytest.mark.parametrize("verb", VERBS)
def test_the_awaited_library_refuses_a_wrong_word(memory: Memory, verb: str) -> None:
    lifted = AsyncMemory(memory)
    with pytest.raises(UnknownField, match=f"`{wrong(verb)}` is no parameter of `{verb}`"):
        asyncio.run(getattr(lifted, operations_of(Memory)[verb].method)(**right(verb), **{wrong(verb): "x"}))


@pytest.mark.parametrize("verb", VERBS)
def test_the_command_line_refuses_a_wrong_word(verb: str) -> None:
    words = verb.split(".")
    options = [f"{each.spelled}=1" for each in command_for(tuple(words)).arguments if each.is_option and each.required]
    with pytest.raises(InvalidInput) as refusal:
        parse([*words, *options, f"--{wrong(verb).replace('_', '-')}=x"])
    assert (refusal.value.code, "has no option" in refusal.value.message) == ("usage", True)


@pytest.mark.parametrize("verb", VERBS)
def test_http_refuses_a_wrong_word(doors: tuple[Client, Speaker], verb: str) -> None:
    for path, route in all_routes().items():
        if route.operation.name != verb:
            continue
        given = {name: value for name, value in right(verb).items() if name in route.takes}
        for unused in ("x", None):
            answer = doors[0].post(path.format(space="default"), {**given, wrong(verb): unused})
            assert (answer.status, answer.json["code"]) == (400, "unknown_field"), path
        if "GET" in route.methods:
            answer = doors[0].get(f"{path.format(space='default')}?{wrong(verb)}=x")
            assert (answer.status, answer.json["code"]) == (400, "unknown_field"), path


@pytest.mark.parametrize("verb", VERBS)
def test_mcp_refuses_a_wrong_word(doors: tuple[Client, Speaker], verb: str) -> None:
    told = doors[1].call(tool_name(verb), **right(verb), **{wrong(verb): "x"})
    assert told.is_error
    assert told.structured_content is not None
    assert told.structured_content["error"]["code"] == "unknown_field"


@pytest.mark.parametrize(
    ("verb", "given", "meant"),
    [
        ("search", "user_id", "user"),
        ("search", "projct", "project"),
        ("search", "tags", "tag"),
        ("search", "top_k", "limit"),
        ("search", "namespace", "space"),
        ("add", "agent_id", "agent"),
        ("add", "run_id", "session"),
        ("recall", "max_tokens", "budget"),
        ("get", "id", "note_id"),
        ("save", "tag", "tags"),
    ],
)
def test_a_word_from_elsewhere_is_answered_with_ours(memory: Memory, verb: str, given: str, meant: str) -> None:
    with pytest.raises(UnknownField, match=f"`{given}` is no parameter of `{verb}`: did you mean `{meant}`"):
        getattr(memory, verb)(**{**right(verb), given: "x"})


def test_every_word_from_elsewhere_leads_to_one_that_somebody_takes() -> None:
    verbs = (getattr(Memory, operation.method) for operation in operations_of(Memory).values())
    ours = {each.name for verb in verbs for each in parameters_of(verb)}
    others = {"role", "content", "name", "at", "store", "home", "principal"}  # of a message, and of `Memory`
    assert {each for meant in ELSEWHERE.values() for each in meant} <= ours | others


def test_a_memory_is_not_opened_with_a_wrong_word(tmp_path: Path) -> None:
    with pytest.raises(UnknownField, match=r"`spcae` is no parameter of `Memory`: did you mean `space`\?"):
        Memory(home=tmp_path, spcae="alice")  # type: ignore[call-arg]
    with pytest.raises(UnknownField, match=r"`spcae` is no parameter of `Memory`"):
        AsyncMemory(home=tmp_path, spcae="alice")
    assert list(tmp_path.iterdir()) == []


def test_a_setting_beside_what_holds_it_already_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="`space` is given beside `settings`"):
        Memory(settings=memory.settings, space="alice")
    with pytest.raises(InvalidInput, match="`space` is given beside a memory"):
        AsyncMemory(memory, space="alice")


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ({"role": "user", "content": "x", "nmae": "Ana"}, "name"),
        ({"role": "user", "content": "x", "created_at": "2020-01-01"}, "at"),
        ({"role": "user", "contnet": "x"}, "content"),
        ({"type": "ai", "content": "x"}, "role"),
    ],
)
def test_a_misspelled_field_of_a_message_is_refused(memory: Memory, message: dict[str, Any], meant: str) -> None:
    with pytest.raises(UnknownField, match=f"of `message 2`: did you mean `{meant}`"):
        memory.add([{"role": "user", "content": "hello"}, message])


def test_fields_that_vendors_add_to_a_message_are_passed_over(memory: Memory) -> None:
    vendors: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "tool_calls": [],
        "tool_call_id": "call_1",
        "refusal": None,
        "annotations": [],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3},
        "created_at": "2020-01-01",
        "model": "a-model",
    }
    said = {"role": "assistant", "content": "Hello.", "at": "2026-01-01", **vendors}
    assert len(json.loads(json.dumps(said))) == len(said)
    assert memory.dry_run().add([said], extract=False).observation_ids
