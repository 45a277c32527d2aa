"""`recollect mcp`: a client's standard input and output on one side, a server on the other, and nothing in between.

It starts in a tenth of a second, because it needs the standard library only: the models, the index and the SDK are in
the server. It holds nothing either, so the server may end and come back under it. It ends with its input, or with the
process that started it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import IO
from urllib.parse import urlencode, urlsplit

from recollect.domain.dataclass import dataclass, names_of
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.surfaces.mcp.frames import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Broken,
    ProtocolFrame,
    error_line,
    frame_in,
    headers_for,
    lines_in,
    refusal_line,
    version_in,
)
from recollect.surfaces.mcp.known_answers import KnownAnswers
from recollect.surfaces.resident.servers import FarServer, HomeServer, ServerAddress

TOOLSETS, PROFILES = ("core", "full"), ("server-memory", "anamnesis", "anda", "anima")

_LONGEST = 10_000_000  # bytes of a line; the server takes no more either
_AT_ONCE = 16  # requests under way; further lines wait to be read
_ANSWERED_IN = 300.0  # seconds; taking a folder in may last
_TRIES = 3
_LAST_ANSWERS = 60.0  # seconds for what is under way when the input has ended
_PARENT_SEEN_EVERY = 1.0  # seconds
_PATH = "/mcp"


@dataclass(frozen=True, slots=True)
class Options:
    """The options typed after `recollect mcp`; `None` for those that were not."""

    space: str | None = None
    toolset: str | None = None
    profile: str | None = None
    home: str | None = None
    url: str | None = None
    token_file: str | None = None


def options_in(words: Sequence[str]) -> Options | None:
    """Plain options, read without the command line's own parser, which would take longer to load than all the rest.

    `None` for anything else: then that parser decides, and has the words for what is wrong.
    """
    known = {f"--{name.replace('_', '-')}": name for name in names_of(Options)}
    found: dict[str, str] = {}
    left = list(words)
    while left:
        name, is_joined, value = left.pop(0).partition("=")
        if name not in known or known[name] in found or not (is_joined or left):
            return None
        found[known[name]] = value if is_joined else left.pop(0)
    return Options(**found)


def run(options: Options, *, explained: bool = False) -> int | None:
    """Forward until the input ends; the exit code. What cannot be begun is an error if it is to be `explained`, and
    `None` if not: then somebody else does that."""
    try:
        server, usual = _server(options)
    except RecollectError:
        if explained:
            raise
        return None
    asked = {"space": options.space, "default": usual, "toolset": options.toolset, "profile": options.profile}
    query = urlencode({name: value for name, value in asked.items() if value})
    _end_with_the_parent()
    try:
        path = f"{_PATH}?{query}" if query else _PATH
        known = KnownAnswers(server.home, path) if isinstance(server, HomeServer) else None
        Shim(server, path, sys.stdout.buffer, known).forward(sys.stdin.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        # Nobody is there to read any more; Python would try once again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _server(options: Options) -> tuple[HomeServer | FarServer, str | None]:
    """The server that is meant, and which space is when none is named; `None` leaves that to the server.

    One that runs already may have been started with other settings than ours.
    """
    from recollect.settings import load_settings

    for name, given, allowed in (("toolset", options.toolset, TOOLSETS), ("profile", options.profile, PROFILES)):
        if given is not None and given not in allowed:
            hint = f"There are: {', '.join(allowed)}."
            raise InvalidInput(f"There is no {name} `{given}`.", code=f"unknown_{name}", hint=hint)
    if options.url is not None:
        return FarServer(options.url, options.token_file), None
    settings, _ = load_settings({"home": options.home, "space": options.space})
    return HomeServer(settings.home), settings.space


class Shim:
    """Messages go to the server as they come, each on a thread of its own; answers come back in any order."""

    def __init__(
        self, server: HomeServer | FarServer, path: str, sink: IO[bytes], known: KnownAnswers | None = None
    ) -> None:
        self._server = server
        self._known = known
        self._path = path
        self._sink = sink
        self._writing = threading.Lock()
        self._room = threading.Semaphore(_AT_ONCE)
        self._version: str | None = None

    def forward(self, source: IO[bytes]) -> None:
        """Read to the end, and wait for the last answers."""
        under_way: set[threading.Thread] = set()
        while line := source.readline(_LONGEST + 1):
            if len(line) > _LONGEST:
                while line and not line.endswith(b"\n"):
                    line = source.readline(_LONGEST)
                self._write(error_line(None, INVALID_REQUEST, f"The message is over {_LONGEST:,} bytes."))
                continue
            try:
                frame = frame_in(line)
            except Broken as broken:
                self._write(broken.answer)
                continue
            if frame is None:
                continue
            self._room.acquire()
            thread = threading.Thread(target=self._sent, args=(frame,), daemon=True)
            under_way = {each for each in under_way if each.is_alive()} | {thread}
            thread.start()
            if frame.method == "initialize":
                thread.join()  # what it settles on goes with everything that follows
        for thread in under_way:
            thread.join(_LAST_ANSWERS)

    def _sent(self, frame: ProtocolFrame) -> None:
        try:
            answers = self._answers_to(frame)
        except RecollectError as problem:
            words = " ".join(part for part in (problem.message, problem.hint) if part)
            answers = [error_line(frame.id, INTERNAL_ERROR, words, problem.as_dict())]
        except Exception as problem:
            answers = [error_line(frame.id, INTERNAL_ERROR, f"The shim failed: {type(problem).__name__}.")]
        finally:
            self._room.release()
        if frame.id is not None:
            for answer in answers:
                self._write(answer)

    def _answers_to(self, frame: ProtocolFrame) -> list[bytes]:
        """Ask, and ask again where it is certain that nothing was done: what was never sent, or only looks."""
        if self._known is not None and not self._server.is_up():
            found = self._known.find(frame, self._version)
            if found is not None:
                self._server.wake()
                return [self._settled(frame, found)]
        for tries_left in reversed(range(_TRIES)):
            place = self._server.place()
            connection = _connected(place)
            try:
                connection.connect()
            except OSError:
                self._server.lost(place)
                continue
            try:
                status, kind, body = _exchanged(connection, place, self._path, frame, self._version)
            except (OSError, HTTPException):
                self._server.lost(place)
                if frame.method == "tools/call":
                    return [error_line(frame.id, INTERNAL_ERROR, _IN_DOUBT, {"code": "unreachable", "hint": _LOOK})]
                continue
            finally:
                connection.close()
            if status == 401 and tries_left:
                self._server.lost(place)  # one that started since may want another token
                continue
            if status not in (200, 202):
                return [refusal_line(frame, status, body)]
            answers = list(lines_in(kind, body))
            if self._known is not None and len(answers) == 1:
                self._known.keep(frame, self._version, answers[0])
            return [self._settled(frame, answer) for answer in answers]
        return [error_line(frame.id, INTERNAL_ERROR, "The server does not answer.", {"code": "unreachable"})]

    def _settled(self, frame: ProtocolFrame, answer: bytes) -> bytes:
        """The answer; what a handshake settles on is kept for what follows."""
        if frame.method == "initialize":
            self._version = version_in(answer) or self._version
        return answer

    def _write(self, line: bytes) -> None:
        try:
            with self._writing:
                self._sink.write(line + b"\n")
                self._sink.flush()
        except (BrokenPipeError, ValueError):
            os._exit(0)  # whoever asked has gone, and no other thread would notice


_IN_DOUBT = "The server went away before it answered: this may have been done or not."
_LOOK = "Look before you do it again; the server is started anew with the next call."


def _connected(place: ServerAddress) -> HTTPConnection:
    address = urlsplit(place.url)
    kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
    return kind(address.hostname or "", address.port, timeout=_ANSWERED_IN)


def _exchanged(
    connection: HTTPConnection, place: ServerAddress, path: str, frame: ProtocolFrame, negotiated: str | None
) -> tuple[int, str, bytes]:
    """Status, content type and body of the answer to one message."""
    headers: Mapping[str, str] = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **({"Authorization": f"Bearer {place.token}"} if place.token else {}),
        **headers_for(frame, negotiated),
    }
    connection.request("POST", urlsplit(place.url).path.rstrip("/") + path, frame.body, dict(headers))
    answer = connection.getresponse()
    return answer.status, answer.headers.get("Content-Type", ""), answer.read()


def _end_with_the_parent() -> None:
    """End with the process that started us: killed, it may leave our input open, and nobody would ever close it."""
    first = os.getppid()

    def watch() -> None:
        never = threading.Event()
        while os.getppid() == first:
            never.wait(_PARENT_SEEN_EVERY)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
