"""`recollect mcp` as a process: it needs next to nothing, survives what it is sent, and ends when it should."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from recollect import Memory
from recollect.surfaces.resident.process import LOCAL_TOKEN, LOCK, claim_start, running
from tests.surfaces.http.client import served
from tests.surfaces.http.test_serving import client_of, serving
from tests.surfaces.mcp.speaking import over_stdio
from tests.surfaces.shell import LIMIT, RECOLLECT, Shell

HELLO: dict[str, Any] = {
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@contextmanager
def shim(shell: Shell, *argv: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A shim with both its ends in our hands."""
    process = subprocess.Popen(
        [RECOLLECT, "mcp", *argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=shell.folder,
        env={**shell.environment, **environment},
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(LIMIT)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def on_demand(shell: Shell) -> Iterator[Shell]:
    """A shell in whose home a server may be started, and is ended."""
    yield shell
    shell.run("serve", "--stop")


def ask(process: subprocess.Popen[bytes], method: str, params: dict[str, Any] | None = None, id_: int = 1) -> Any:
    assert process.stdin is not None and process.stdout is not None
    message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params or {}}
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def remember(process: subprocess.Popen[bytes], text: str) -> Any:
    return ask(process, "tools/call", {"name": "remember", "arguments": {"text": text}})


def test_the_shim_loads_nothing_but_the_standard_library_and_a_few_modules_of_ours(shell: Shell) -> None:
    def loaded_by(program: str) -> tuple[set[str], bytes]:
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; {program}; print(*sys.modules, sep='\\n', file=sys.stderr)"],
            input=b"broken\n", capture_output=True, timeout=LIMIT, check=True, env=shell.environment,
        )  # fmt: skip
        return set(done.stderr.decode().split()), done.stdout

    bare, _ = loaded_by("pass")
    loaded, said = loaded_by(
        "from recollect.surfaces.cli.main import main; main(['mcp', '--url', 'http://127.0.0.1:9'])"
    )
    assert json.loads(said)["error"]["code"] == -32700
    new = loaded - bare
    assert {name.partition(".")[0] for name in new} - set(sys.stdlib_module_names) == {"recollect"}
    assert "asyncio" not in new
    assert new.isdisjoint({"recollect.memory", "recollect.surfaces.cli.commands", "recollect.surfaces.mcp.tools"})


def test_a_shim_starts_the_server_and_the_next_one_finds_it(on_demand: Shell) -> None:
    with shim(on_demand) as first:
        assert ask(first, **HELLO)["result"]["protocolVersion"] == "2025-06-18"
        note = remember(first, "Alice prefers tea")["result"]["structuredContent"]
    found = running(on_demand.home)
    assert found is not None, "the server outlives the shim that started it"
    with shim(on_demand, "--toolset", "full") as second:
        told = ask(second, "tools/call", {"name": "get", "arguments": {"note_id": note["id"]}})
        assert told["result"]["structuredContent"]["origin"]["principal"] == "tester"
    assert running(on_demand.home) == found
    assert on_demand.ok("get", note["id"])["text"] == "Alice prefers tea"


def test_each_shim_has_its_own_default_space_whoever_started_the_server(on_demand: Shell) -> None:
    with serving(on_demand):
        with shim(on_demand, RECOLLECT_SPACE="alice") as process:
            remember(process, "Alice prefers tea")
        with shim(on_demand, "--space", "bob", RECOLLECT_SPACE="alice") as process:
            remember(process, "Bob prefers coffee")
    assert [note["text"] for note in on_demand.ok("list", "--space", "alice")["items"]] == ["Alice prefers tea"]
    assert [note["text"] for note in on_demand.ok("list", "--space", "bob")["items"]] == ["Bob prefers coffee"]


def test_what_never_changes_is_answered_before_the_server_is_up(on_demand: Shell) -> None:
    with serving(on_demand), shim(on_demand) as process:
        hello, tools = ask(process, **HELLO), ask(process, "tools/list")
    mine = claim_start(on_demand.home)
    assert mine is not None
    with mine, shim(on_demand) as process:  # nobody else may start a server as long as we hold this
        assert ask(process, **HELLO) == hello
        assert ask(process, "tools/list") == tools
        assert ask(process, "ping")["result"] == {}
        assert running(on_demand.home) is None
    with shim(on_demand) as process:
        assert ask(process, **HELLO) == hello
        assert "result" in remember(process, "and then it is up")


def test_shims_that_start_together_share_one_server(on_demand: Shell) -> None:
    told: list[Any] = []

    def visit(number: int) -> None:
        with shim(on_demand) as process:
            told.append(remember(process, f"visitor {number}"))

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(4)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(LIMIT)
    assert ["result" in each for each in told] == [True] * 4, told
    assert on_demand.ok("status")["notes"] == 4


def test_a_server_that_was_killed_comes_back_under_the_shim(on_demand: Shell) -> None:
    with shim(on_demand) as process:
        assert "result" in remember(process, "before")
        killed = running(on_demand.home)
        assert killed is not None
        os.kill(killed.pid, signal.SIGKILL)
        assert "result" in ask(process, "tools/list", id_=2)
        assert "result" in remember(process, "after")
        again = running(on_demand.home)
        assert again is not None and again.pid != killed.pid
    assert on_demand.ok("status")["notes"] == 2


def broken_frames(count: int) -> Iterator[bytes]:
    """Lines that are no message, each wrong in another way; always the same ones."""
    chance = random.Random(7)
    good = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {"cursor": None}}).encode()
    yield b"[" * 200_000
    yield b'{"a":' * 100_000
    yield b"x" * 11_000_000
    wrong: list[Any] = [[], [good.decode()], "text", 7, None, {}, {"jsonrpc": "1.0", "id": 1, "method": "ping"}]
    odd: list[Any] = [[], {}, True, 1.5, None]
    wrong += [{"jsonrpc": "2.0", "id": each, "method": "ping"} for each in odd]
    wrong += [{"jsonrpc": "2.0", "id": 1, "method": each} for each in odd]
    wrong += [{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": each} for each in odd if each not in ({}, None)]
    for number in range(count - 3):
        match number % 4:
            case 0:
                yield json.dumps(wrong[number // 4 % len(wrong)]).encode()
            case 1:
                yield good[: chance.randrange(1, len(good) - 1)]
            case 2:
                yield bytes(chance.choice(b'{}[]",:\\\x00\xff\xc3abc019.eE+- ') for _ in range(chance.randrange(1, 60)))
            case _:
                place = chance.randrange(len(good))
                yield good[:place] + bytes([chance.randrange(1, 32)]).replace(b"\n", b"\x0b") + good[place:]


def test_ten_thousand_broken_frames_do_not_end_it(on_demand: Shell) -> None:
    answers: list[Any] = []

    def listen(stream: IO[bytes]) -> None:
        for line in stream:
            answers.append(json.loads(line))
            if answers[-1].get("id") == "last":
                return

    with serving(on_demand), shim(on_demand) as process:
        assert process.stdin is not None and process.stdout is not None
        listener = threading.Thread(target=listen, args=(process.stdout,))
        listener.start()
        for frame in broken_frames(10_000):
            process.stdin.write(frame + b"\n")
        process.stdin.flush()
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": "last", "method": "tools/list"}).encode() + b"\n")
        process.stdin.flush()
        listener.join(LIMIT)
        assert not listener.is_alive()
        assert process.poll() is None
    assert "result" in answers[-1]
    assert len(answers) > 9_000
    assert all("error" in answer for answer in answers[:-1] if answer.get("id") != 5)


def test_it_answers_what_it_was_asked_and_ends_with_its_input(on_demand: Shell) -> None:
    lines = [{"jsonrpc": "2.0", "id": number, "method": "tools/list"} for number in range(5)]
    piped = "\n".join(map(json.dumps, [{"jsonrpc": "2.0", "id": 9, **HELLO}, *lines])).encode()
    ended = on_demand.run("mcp", stdin=piped)
    assert ended.code == 0
    assert sorted(json.loads(line)["id"] for line in ended.out.splitlines()) == [0, 1, 2, 3, 4, 9]


def test_it_ends_with_the_process_that_started_it_even_if_its_input_stays_open(shell: Shell) -> None:
    theirs, ours = os.pipe()
    program = (
        "import subprocess, sys;"
        "shim = subprocess.Popen([sys.argv[1], 'mcp', '--url', 'http://127.0.0.1:9'], stdout=subprocess.PIPE);"
        "shim.stdout.readline(); print(shim.pid)"
    )
    try:
        os.write(ours, b"broken\n")  # so that it answers, and is up before its parent ends
        starter = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", program, RECOLLECT],
            stdin=theirs, stdout=subprocess.PIPE, env=shell.environment, timeout=LIMIT, check=True,
        )  # fmt: skip
        try:
            orphan = os.pidfd_open(int(starter.stdout))
        except ProcessLookupError:
            return  # it was quicker than we
        assert select.select([orphan], [], [], LIMIT)[0], "it is still there"
        os.close(orphan)
    finally:
        os.close(theirs)
        os.close(ours)


def test_a_server_elsewhere_is_spoken_to_with_the_token_in_a_file(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "token"
    with Memory(store=":memory:") as memory, served(memory) as client:
        file.write_text(memory.access.issue(scope="write", space="alice", name="far").secret + "\n")
        where = ("--url", f"http://127.0.0.1:{client.port}", "--token-file", str(file))
        with over_stdio(RECOLLECT, "mcp", *where, environment=shell.environment) as speaker:
            assert speaker.version == "2026-07-28"
            note = memory.get(speaker.told("remember", text="Grüße aus der Ferne")["id"], space="alice")
            assert (note.text, note.origin.principal) == ("Grüße aus der Ferne", "far")
        file.write_text("rcl_wrong")
        with shim(shell, *where) as process:
            refused = ask(process, **HELLO)
            assert refused["error"]["data"]["code"] == "token_invalid"
            assert "recollect tokens list" in refused["error"]["message"]
    assert not (shell.home / LOCK).exists(), "no server was started here"


def test_the_token_of_the_shims_is_replaced_when_it_was_revoked(on_demand: Shell) -> None:
    with serving(on_demand):
        file = on_demand.home / LOCAL_TOKEN
        first = file.read_text()
        assert file.stat().st_mode & 0o777 == 0o600
        [own] = [each for each in on_demand.ok("tokens", "list")["items"] if each["name"] == "tester"]
        on_demand.ok("tokens", "revoke", own["id"])
        with shim(on_demand) as process:
            assert remember(process, "x")["error"]["data"]["code"] == "token_invalid"
    with serving(on_demand) as (_, said):
        assert file.read_text() != first
        assert client_of(said, file.read_text().strip()).get("/v1/info").json["scope"] == "admin"


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("--toolset", "odd"), "unknown_toolset"),
        (("--profile", "odd"), "unknown_profile"),
        (("--url", "ftp://x"), "misconfigured"),
        (("--tolset", "full"), "unknown_option"),
        (("--token-file",), "usage"),
    ],
)
def test_what_was_typed_wrongly_is_explained_as_everywhere(shell: Shell, argv: tuple[str, ...], code: str) -> None:
    ended = shell.run("mcp", *argv)
    assert (ended.code != 0, ended.out) == (True, "")
    assert ended.err, code


def test_it_is_explained_like_every_other_command(shell: Shell) -> None:
    assert "Speak MCP" in shell.run("mcp", "--help").out
