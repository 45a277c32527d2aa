"""An MCP handshake with the very command that coding agents are told to start.

Settings may be written correctly and still lead nowhere: a moved environment, a missing package. The doctor therefore
starts the command, says hello as an agent does, and asks for something that only the server itself can answer.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from recollect.domain.checks import Check
from recollect.domain.errors import RecollectError
from recollect.surfaces.resident.process import running, stop

_PATIENCE = 90.0  # seconds: a server may have to start first, on a machine that is busy
_SHOWN = 300  # characters of what a failing command says
_SEARCH = 2
_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "doctor", "version": "1"}}
_QUESTION = {"name": "search", "arguments": {"query": "hello", "limit": 1}}
_MESSAGES: tuple[dict[str, Any], ...] = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    # The shim answers pings and lists by itself while the server starts; a search reaches memory.
    {"jsonrpc": "2.0", "id": _SEARCH, "method": "tools/call", "params": _QUESTION},
)


def handshake(command: Sequence[str], home: Path) -> Check:
    """Start `command`, speak MCP with it, and say whether it answers.

    A server that was started for this alone is stopped again.
    """
    was_running = running(home) is not None
    try:
        failure = _failure(command)
    finally:
        if not was_running:
            with suppress(RecollectError):
                stop(home)
    if failure is None:
        return Check("MCP", True, f"`{' '.join(command)}` answers")
    hint = "`recollect init` writes the command anew; `recollect serve` shows whether a server can start."
    return Check("MCP", False, f"`{' '.join(command)}` does not answer: {failure}", hint)


def _failure(command: Sequence[str]) -> str | None:
    """The reason why a command does not answer; `None` if it does."""
    said = "".join(f"{json.dumps(each)}\n" for each in _MESSAGES)
    try:
        done = subprocess.run(  # noqa: S603 - the command that agents are told to start
            command, input=said.encode(), capture_output=True, timeout=_PATIENCE, check=False
        )
    except OSError as problem:
        return f"{problem.strerror}."
    except subprocess.TimeoutExpired:
        return f"there was no answer within {_PATIENCE:.0f} seconds."
    answer = next((each for each in _answers(done.stdout) if each.get("id") == _SEARCH), None)
    if answer is not None and "result" in answer:
        return None
    words = answer.get("error", {}).get("message") if answer else done.stderr.decode("utf-8", "replace").strip()
    return (words or f"it ended with code {done.returncode}.")[:_SHOWN]


def _answers(output: bytes) -> Iterator[dict[str, Any]]:
    for line in output.splitlines():
        with suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                yield found
