"""Answers that never change while the program stays the same, given before the server is up.

A client asks for the handshake and the lists first, and some go on without a server that takes seconds to say hello.
Those answers depend on nothing but the version of the program and how the shim was called. The handshake is written
down in the program, so that a home in which no server ever ran has it too; of the lists the last ones are kept in the
home. A request that looks at memory waits for the server.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from recollect.surfaces.mcp.frames import Frame, headers_for
from recollect.surfaces.mcp.handshake_answer import answer_to
from recollect.surfaces.resident.process import require_packages
from recollect.version import __version__

FILE = "mcp-answers.json"

_FIXED = ("initialize", "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list")
_MOST = 64  # answers: every list in every revision, for a few ways of being called


class KnownAnswers:
    """The answers of one way of being called, in a file that all shims of a home share."""

    def __init__(self, home: Path, path: str) -> None:
        self._file = home / FILE
        self._path = path

    def find(self, frame: Frame, negotiated: str | None) -> bytes | None:
        """The answer to a message, if it is the handshake or was given before.

        Raises `Unsupported` where no server could ever start: a client that is greeted there would wait for nothing.
        """
        if frame.id is None:
            return None
        if frame.method == "ping":  # whether somebody is there; and we are
            return json.dumps({"jsonrpc": "2.0", "id": frame.id, "result": {}}).encode()
        if frame.method not in _FIXED:
            return None
        found = self._read().get(self._key(frame, negotiated))
        if found is None and (found := answer_to(frame)) is not None:
            require_packages()
        return None if found is None else json.dumps({"jsonrpc": "2.0", "id": frame.id, "result": found}).encode()

    def keep(self, frame: Frame, negotiated: str | None, answer: bytes) -> None:
        """Remember an answer of the server, unless it was a refusal. Losing one to another shim costs nothing."""
        if frame.method not in _FIXED:
            return
        said = json.loads(answer)
        kept, key = self._read(), self._key(frame, negotiated)
        if "result" not in said or kept.get(key) == said["result"]:
            return
        kept = {**dict(list(kept.items())[-_MOST + 1 :]), key: said["result"]}
        draft = self._file.with_name(f".{FILE}.{os.getpid()}")
        with contextlib.suppress(OSError):
            draft.write_text(json.dumps(kept), encoding="utf-8")
            draft.replace(self._file)

    def _key(self, frame: Frame, negotiated: str | None) -> str:
        asked = frame.params.get("protocolVersion") or headers_for(frame, negotiated).get("MCP-Protocol-Version")
        return " ".join((__version__, self._path, frame.method, str(asked), str(frame.params.get("cursor"))))

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
