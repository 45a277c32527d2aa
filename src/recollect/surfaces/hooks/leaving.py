"""What a host said is left on disk: as a notice, without its secrets, and with what its folder says now.

A server does all of that when it is told at once. What lies here may wait for days, when the folder is on another
branch or gone; and nothing that lies on disk may hold a secret. Loaded only where there is no server.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from recollect.domain.errors import NotFound, RecollectError
from recollect.domain.redaction.redacting import redact
from recollect.surfaces.hooks.hosts import Moment
from recollect.surfaces.hooks.noticing import Notice, heard
from recollect.surfaces.hooks.spool import append
from recollect.workspace.projects import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.surfaces.hooks.shim import Told


def leave(home: Path, agent: str, event: str, told: Told) -> bool:
    """Put it on disk; false if there is nothing in it to be kept, or no room."""
    try:
        notice = heard(agent, event, told.said, at=told.at, new_id=told.new_id, space=told.space).notice
    except NotFound as problem:
        os.write(2, f"recollect hook: {problem.message}\n".encode())
        return False
    return notice is not None and append(home, ready_to_lie(notice).as_line())


def ready_to_lie(notice: Notice) -> Notice:
    """The same without secrets, with its project and branch. A session that begins here was told nothing."""
    clean = notice._replace(
        text=_clean(notice.text),
        arguments=_without_secrets(notice.arguments),
        untold=notice.moment is Moment.SESSION_START,
    )
    if notice.folder is None:
        return clean
    try:
        found = project_of(notice.folder)
    except (RecollectError, OSError):
        return clean
    return clean._replace(project=found.name, branch=found.branch)


def _without_secrets(arguments: Any) -> Any:
    """First as a whole, because a name beside a value tells what it is; piece by piece where that breaks it."""
    if arguments is None:
        return None
    try:
        found = json.loads(_clean(json.dumps(arguments, ensure_ascii=False)))
    except ValueError:
        return _piece_by_piece(arguments)
    return found if isinstance(found, dict) else None


def _piece_by_piece(value: Any) -> Any:
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, dict):
        return {name: _piece_by_piece(each) for name, each in value.items()}
    return [_piece_by_piece(each) for each in value] if isinstance(value, list) else value


def _clean(text: str) -> str:
    return redact(text, once=True).text
