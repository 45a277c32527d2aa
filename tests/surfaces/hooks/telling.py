"""What agents say, as they say it, and a hook to say it to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tests.surfaces.shell import Ended, Shell


def payload(event: str, session: str = "s1", **more: Any) -> dict[str, Any]:
    """What Claude Code puts on standard input."""
    return {"session_id": session, "hook_event_name": event, "transcript_path": "/nowhere", **more}


PATIENT = ("--patience", "40")  # where a test is about what the server answers, however busy the machine is


def hook(
    shell: Shell, event: str, said: dict[str, Any] | bytes, *more: str, agent: str = "claude-code", **environment: str
) -> Ended:
    """`recollect hook`, as an agent calls it. Whatever is wrong, it ends with 0."""
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    ended = shell.run("hook", event, "--agent", agent, *more, stdin=data, cwd=None, **environment)
    assert ended.code == 0, ended.err
    return ended


def context_in(ended: Ended) -> str:
    """What the model is told."""
    found = json.loads(ended.out)["hookSpecificOutput"]["additionalContext"]
    assert isinstance(found, str)
    return found


def folder_of(parent: Path, name: str) -> str:
    """A project that is known by the name of its folder."""
    folder = parent / name
    folder.mkdir(parents=True, exist_ok=True)
    return os.path.realpath(folder)
