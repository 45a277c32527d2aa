"""The doors of the product behind one face: a verb and its arguments go in, plain JSON or a refusal comes out."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol, cast

import cbor2
from mcp.shared.exceptions import MCPError

from recollect import AsyncMemory, Memory, RecollectError
from recollect.domain.values import to_plain
from recollect.operations import Shape, operations_of
from recollect.settings import Settings, load_settings
from recollect.surfaces.catalogue.routes import all_routes
from recollect.surfaces.cli.commands import command_for
from recollect.surfaces.mcp.tools import tool_name
from tests.surfaces.http.client import Answer, served
from tests.surfaces.mcp.speaking import Speaker, over_http, over_stdio
from tests.surfaces.shell import RECOLLECT, Shell

TARGET = "nightly"  # a place for backups that every door knows by this name


class Refusal(Exception):
    """A door said no; `error` is what it tells a program."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["code"])
        self.error = error
        self.code: str = error["code"]


class Door(Protocol):
    """One way in."""

    def call(self, verb: str, **arguments: Any) -> Any:
        """The verb's answer as plain JSON; `Refusal` if there is none."""
        ...

    def elsewhere(self) -> Door:
        """The same door to another, empty store."""
        ...

    def close(self) -> None: ...


class _WithOthers:
    """A door that can be opened again to another store; what was opened so closes with it."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        self._place = (folder, bytecode)
        self._others: list[Door] = []

    def elsewhere(self) -> Door:
        folder, bytecode = self._place
        opened = cast("Door", type(self)(folder.with_name("elsewhere"), bytecode))
        self._others.append(opened)
        return opened

    def _close_others(self) -> None:
        for other in self._others:
            other.close()


class LibraryDoor(_WithOthers):
    """`from recollect import Memory`."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        super().__init__(folder, bytecode)
        self._memory = Memory(settings=_settings(folder))

    def call(self, verb: str, **arguments: Any) -> Any:
        function = getattr(self._memory, operations_of(Memory)[verb].method)
        return _plain(lambda: function(**arguments))

    def close(self) -> None:
        self._close_others()
        self._memory.close()


class AsyncDoor(_WithOthers):
    """`from recollect import AsyncMemory`."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        super().__init__(folder, bytecode)
        self._runner = asyncio.Runner()
        self._memory = AsyncMemory(settings=_settings(folder))

    def call(self, verb: str, **arguments: Any) -> Any:
        function = getattr(self._memory, operations_of(Memory)[verb].method)
        assert inspect.iscoroutinefunction(function), f"`{verb}` is not awaited"
        return _plain(lambda: self._runner.run(function(**arguments)))

    def close(self) -> None:
        self._close_others()
        self._runner.run(self._memory.close())
        self._runner.close()


class CommandDoor:
    """`recollect … --json`, in a process of its own."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        self._place = (folder, bytecode)
        self._shell = _shell(folder, bytecode)

    def call(self, verb: str, **arguments: Any) -> Any:
        # Three verbs have another form here: lines and a secret are piped in, and records are piped out.
        lines = arguments.pop("lines", [arguments.pop("secret")] if "secret" in arguments else ())
        words = tuple(verb.split("."))
        attached = self._put_down(arguments.get("attachments", []))
        if attached:
            arguments["attachments"] = attached
        piped = "".join(f"{line}\n" for line in lines).encode()
        ended = self._shell.run("--json", *words, "--yes", *_typed(words, arguments), stdin=piped)
        for path in attached:
            Path(path).unlink()
        if ended.code not in (0, 1):
            raise Refusal(ended.error)
        if verb == "export":
            return {"records": [json.loads(line) for line in ended.out.splitlines()], "next_cursor": None}
        return ended.json

    def _put_down(self, attachments: list[dict[str, str]]) -> list[str]:
        """Files are typed by their paths, and are gone after the command: some look for what it kept."""
        folder = self._place[0] / "attached"
        folder.mkdir(exist_ok=True)
        names = [
            each["name"] if "/" not in each["name"] else "it.txt" for each in attachments
        ]  # as a file can be named
        paths = [folder / name for name in names]
        for path, each in zip(paths, attachments, strict=True):
            path.write_bytes(base64.b64decode(each["data"]))
        return list(map(str, paths))

    def elsewhere(self) -> Door:
        folder, bytecode = self._place
        return CommandDoor(folder.with_name("elsewhere"), bytecode)

    def close(self) -> None:
        pass


class HttpDoor(_WithOthers):
    """`POST /v1/…`, on a server of its own and with a token that may do everything."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        super().__init__(folder, bytecode)
        self._open = ExitStack()
        memory = self._open.enter_context(Memory(settings=_settings(folder)))
        self._client = self._open.enter_context(served(memory)).with_token(
            memory.access.issue(scope="admin", name="tester").secret
        )

    def call(self, verb: str, **arguments: Any) -> Any:
        path = verb.replace(".", "/")
        # Two verbs mean every space when none is named; the others mean the default one.
        if verb not in ("export", "import") or "space" in arguments:
            in_space = f"/v1/spaces/{{space}}/{path}" in all_routes()
            path = f"spaces/{arguments.pop('space', 'default')}/{path}" if in_space else path
        answer = self._sent(f"/v1/{path}", arguments)
        if answer.status != 200:
            problem = answer.json
            told = {name: problem[name] for name in ("code", "hint", "retryable")}
            raise Refusal({**told, "message": problem["detail"]})
        return self._read(answer)

    def close(self) -> None:
        self._close_others()
        self._open.close()

    def _sent(self, path: str, arguments: dict[str, Any]) -> Answer:
        return self._client.post(path, arguments)

    def _read(self, answer: Answer) -> Any:
        return answer.json


class CborDoor(HttpDoor):
    """The same in CBOR, both ways."""

    def _sent(self, path: str, arguments: dict[str, Any]) -> Answer:
        form = "application/cbor"
        return self._client.post(path, cbor2.dumps(arguments), Content_Type=form, Accept=form)

    def _read(self, answer: Answer) -> Any:
        return cbor2.loads(answer.body)


class _ToolDoor(_WithOthers):
    """A tool for each verb, called by the official client."""

    _speaker: Speaker

    def call(self, verb: str, **arguments: Any) -> Any:
        told = self._speaker.call(tool_name(verb), **arguments)
        answer = told.structured_content
        assert answer is not None
        if told.is_error:
            raise Refusal(answer["error"])
        return answer if set(answer) != {"result"} else answer["result"]


class McpHttpDoor(_ToolDoor):
    """`/mcp` of a server, with a token that may do everything."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        super().__init__(folder, bytecode)
        self._open = ExitStack()
        memory = self._open.enter_context(Memory(settings=_settings(folder)))
        client = self._open.enter_context(served(memory))
        secret = memory.access.issue(scope="admin", name="tester").secret
        self._speaker = self._open.enter_context(over_http(client.port, secret, "?toolset=full"))

    def close(self) -> None:
        self._close_others()
        self._open.close()


class McpStdioDoor(_ToolDoor):
    """`recollect mcp`, which finds no server and starts one; by the handshake that most clients know."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        super().__init__(folder, bytecode)
        self._shell = _shell(folder, bytecode)
        self._open = ExitStack()
        self._open.callback(self._shell.run, "serve", "--stop")
        self._speaker = self._open.enter_context(
            over_stdio(RECOLLECT, "mcp", "--toolset", "full", environment=self._shell.environment, mode="legacy")
        )

    def call(self, verb: str, **arguments: Any) -> Any:
        """The server that it starts has the usual limits, which a fast machine reaches: it waits as it is told to."""
        while True:
            try:
                return super().call(verb, **arguments)
            except MCPError as refused:
                if "too many requests" not in str(refused):
                    raise
                time.sleep(3)

    def close(self) -> None:
        self._close_others()
        self._open.close()


DOORS: dict[str, Callable[[Path, Path], Door]] = {
    "async": AsyncDoor,
    "cli": CommandDoor,
    "http": HttpDoor,
    "http-cbor": CborDoor,
    "library": LibraryDoor,
    "mcp-http": McpHttpDoor,
    "mcp-stdio": McpStdioDoor,
}


def _settings(folder: Path) -> Settings:
    """What the command line in its own empty environment has too: no model, and nothing of the machine's."""
    given = {"store": str(folder / "memory.db"), "home": folder, "principal": "tester"}
    return load_settings({**given, "targets": {TARGET: str(folder / TARGET)}}, environment={})[0]


def _shell(folder: Path, bytecode: Path) -> Shell:
    """A shell that knows the same target for backups by its name."""
    shell = Shell(folder, bytecode)
    shell.environment["RECOLLECT_TARGETS"] = f"{TARGET}={folder / TARGET}"
    return shell


def _plain(call: Callable[[], Any]) -> Any:
    try:
        return json.loads(json.dumps(to_plain(call())))
    except RecollectError as problem:
        raise Refusal(problem.as_dict()) from problem


def _typed(words: tuple[str, ...], arguments: dict[str, Any]) -> Iterator[str]:
    """Arguments as they are typed, those by place last and after `--`, so that no text is taken for an option."""
    known = {argument.name: argument for argument in command_for(words).arguments}
    for name, value in arguments.items():
        argument = known[name]
        if not argument.is_option:
            continue
        if argument.shape is Shape.TRUTH:
            yield from [argument.spelled] if value else [argument.opposite] if argument.opposite else []
        elif argument.shape in (Shape.TEXTS, Shape.FILES):
            yield from (f"{argument.spelled}={item}" for item in value)
        elif argument.shape is Shape.OBJECT:
            yield f"{argument.spelled}={json.dumps(value)}"
        else:
            yield f"{argument.spelled}={value}"
    yield "--"
    for name, argument in known.items():
        if not argument.is_option and name in arguments:
            value = arguments[name]
            yield value if isinstance(value, str) else json.dumps(value)
