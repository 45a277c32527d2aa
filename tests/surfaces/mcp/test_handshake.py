"""The handshake needs no server: the shim greets in every revision as the server would, and everything else waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from recollect.surfaces.mcp import known_answers as greeting
from recollect.surfaces.mcp.frames import ProtocolFrame
from recollect.surfaces.resident.process import claim_start, running
from tests.surfaces.http.test_serving import serving
from tests.surfaces.mcp.speaking import over_stdio
from tests.surfaces.mcp.test_shim import HELLO, ask, remember, shim
from tests.surfaces.shell import RECOLLECT, Shell

CLIENT = {"name": "test", "version": "1"}


@pytest.fixture
def on_demand(shell: Shell) -> Iterator[Shell]:
    """A shell in whose home a server may be started, and is ended."""
    yield shell
    shell.run("serve", "--stop")


def greetings() -> Iterator[tuple[str, dict[str, Any]]]:
    """The first message of a client of each revision, of ones that nobody knows, and some that are not sound."""
    for version in (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS, "1999-01-01", "later"):
        yield "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    for version in MODERN_PROTOCOL_VERSIONS:
        name = "io.modelcontextprotocol"
        meta = {f"{name}/protocolVersion": version, f"{name}/clientInfo": CLIENT, f"{name}/clientCapabilities": {}}
        yield "server/discover", {"_meta": meta}
    yield "initialize", {"protocolVersion": 5, "capabilities": {}, "clientInfo": CLIENT}
    yield "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}}


def test_the_revisions_are_those_of_the_sdk() -> None:
    assert greeting.WITH_HANDSHAKE == HANDSHAKE_PROTOCOL_VERSIONS
    assert greeting.WITH_DISCOVERY == MODERN_PROTOCOL_VERSIONS


def test_the_shim_greets_as_the_server_does(on_demand: Shell) -> None:
    with serving(on_demand), shim(on_demand) as process:
        for method, params in greetings():
            told = ask(process, method, params)
            own = greeting.answer_to(ProtocolFrame(method, 1, params, b""))
            assert own == told.get("result"), (method, params)


def test_a_client_is_greeted_in_a_home_in_which_no_server_ever_ran(on_demand: Shell) -> None:
    with ExitStack() as held:
        on_demand.home.mkdir(parents=True, exist_ok=True)
        mine = claim_start(on_demand.home)
        assert mine is not None
        held.enter_context(mine)  # nobody else may start a server as long as we hold this
        with over_stdio(RECOLLECT, "mcp", environment=on_demand.environment) as speaker:
            assert speaker.version
            assert running(on_demand.home) is None, "the official client is connected before there is a server"
            held.close()
            assert "remember" in {tool.name for tool in speaker.tools()}
            speaker.told("remember", text="Alice prefers tea")
    assert [note["text"] for note in on_demand.ok("list")["items"]] == ["Alice prefers tea"]


def test_what_is_sent_before_the_server_is_up_is_answered_once_it_is(on_demand: Shell) -> None:
    on_demand.home.mkdir(parents=True, exist_ok=True)
    mine = claim_start(on_demand.home)
    assert mine is not None
    with shim(on_demand) as process:
        assert process.stdin is not None and process.stdout is not None
        with mine:
            assert ask(process, **HELLO)["result"]["protocolVersion"] == "2025-06-18"
            for number in range(2, 7):
                call = {"name": "remember", "arguments": {"text": f"number {number}"}}
                line = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
                process.stdin.write(json.dumps(line).encode() + b"\n")
            process.stdin.flush()
            assert running(on_demand.home) is None
        answers = [json.loads(process.stdout.readline()) for _ in range(2, 7)]
    assert sorted(answer["id"] for answer in answers) == [2, 3, 4, 5, 6]
    assert all("result" in answer for answer in answers), answers


def test_why_a_server_cannot_start_is_told_to_whoever_asks_for_something(on_demand: Shell) -> None:
    on_demand.home.mkdir(parents=True, exist_ok=True)
    foreign = on_demand.home / "foreign.db"
    foreign.write_text("This is no database. " * 100, encoding="utf-8")
    with shim(on_demand, RECOLLECT_STORE=str(foreign)) as process:
        assert "result" in ask(process, **HELLO)
        problem = remember(process, "Alice prefers tea")["error"]
    assert problem["data"]["code"] == "server_cannot_start"
    assert "cannot be started" in problem["message"]
    assert "serve.log" in problem["message"]
