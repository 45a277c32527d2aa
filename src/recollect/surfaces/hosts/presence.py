"""Which hosts are here and how each is connected: a look at their files, and an MCP handshake.

Settings may be written correctly and still lead nowhere: a moved environment, a missing package. The doctor therefore
starts the command, says hello as an agent does, and asks for something that only the server itself can answer.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import RecollectError
from recollect.surfaces.hosts.files import Records
from recollect.surfaces.hosts.json_text import BrokenJson
from recollect.surfaces.hosts.known import HOSTS, Ground, Host, HostFile, Paragraph, Server, Table, Wiring
from recollect.surfaces.hosts.plan import HostStanding, standing
from recollect.surfaces.resident.process import running, stop

_SKILL = "SKILL.md"  # several agents share one


def this_ground() -> Ground:
    """Where the files of whoever runs this are. The variables are those of other programs, and not settings of ours."""
    return Ground(Path.home(), os.environ)


def found_hosts(ground: Ground) -> list[Host]:
    """The coding agents that somebody uses here, or could: they have left traces, or can be started."""
    path = ground.environment.get("PATH")
    return [
        host
        for host in HOSTS.values()
        if _is_used(host, ground) or (path and any(shutil.which(program, path=path) for program in host.programs))
    ]


def _is_used(host: Host, ground: Ground) -> bool:
    return any(trace.exists() for trace in host.traces(ground))


def checks(ground: Ground, wiring: Wiring, records: Records) -> Iterator[Check]:
    """One line for each agent that is used: connected, not connected, or connected in a way that no longer works."""
    for host in HOSTS.values():
        if _is_used(host, ground):
            yield _check(host, ground, wiring, records)


def _check(host: Host, ground: Ground, wiring: Wiring, records: Records) -> Check:
    """Check one agent. Parts out of date are amiss, and parts we had put there that are gone; parts never asked for
    are not."""
    parts: dict[str, HostStanding] = {}
    amiss = False
    for target in host.targets(ground, wiring):
        try:
            text = target.path.read_text(encoding="utf-8") if target.path.exists() else None
            how = standing(text, target, records.ours)
        except (BrokenJson, UnicodeDecodeError, OSError) as problem:
            hint = "Correct the file; the agent cannot read it either."
            return Check(host.title, False, f"{target.path} cannot be read: {problem}", hint)
        amiss = amiss or how is HostStanding.STALE or (how is HostStanding.MISSING and records.has(target))
        what = _called(target)
        parts[what] = max(how, parts.get(what, how), key=list(_IN_WORDS).index)
    connect = f"`recollect init --agents {host.name}` connects it."
    if not amiss and all(how is HostStanding.MISSING for what, how in parts.items() if what != _SKILL):
        return Check(host.title, True, "is here and not connected", connect)
    words = ", ".join(f"{what} {_IN_WORDS[how]}" for what, how in parts.items())
    return Check(host.title, not amiss, words, f"`recollect init --agents {host.name}` puts it right." if amiss else "")


def has_mcp(ground: Ground, wiring: Wiring, records: Records) -> bool:
    """Whether some agent that is used here is told to start our command."""
    for host in HOSTS.values():
        if not _is_used(host, ground):
            continue
        for target in host.targets(ground, wiring):
            if _called(target) != "MCP" or not target.path.exists():
                continue
            with suppress(BrokenJson, UnicodeDecodeError, OSError):
                if standing(target.path.read_text(encoding="utf-8"), target, records.ours) is HostStanding.CURRENT:
                    return True
    return False


def _called(target: HostFile) -> str:
    """The name that a person knows a part by. A plugin, its permit and entries in settings are all hooks."""
    if isinstance(target.part, Server | Table):
        return "MCP"
    if isinstance(target.part, Paragraph) or target.path.name == _SKILL:
        return target.path.name
    return "hooks"


# The worst is last: it is what is said of several files together.
_IN_WORDS = {
    HostStanding.CURRENT: "connected",
    HostStanding.FOREIGN: "in somebody else's words, left alone",
    HostStanding.STALE: "out of date",
    HostStanding.MISSING: "missing",
}


def holders(location: str) -> list[tuple[int, str]]:
    """The other processes that have a file of the store open, as far as this system tells: Linux only."""
    processes = Path("/proc")
    if not processes.is_dir() or not Path(location).is_file():
        return []
    wanted = Path(location).stat()
    found = []
    for folder in processes.iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            opened = (each.stat() for each in (folder / "fd").iterdir())
            if any((each.st_dev, each.st_ino) == (wanted.st_dev, wanted.st_ino) for each in opened):
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
                found.append((int(folder.name), words))
        except OSError:
            continue  # it ended, or belongs to somebody else
    return sorted(found)


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
