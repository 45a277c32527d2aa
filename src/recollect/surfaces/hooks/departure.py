"""Notices left on disk for lack of a server: without their secrets, and with what their folder says now.

A server does all of that when it is told at once. A notice may wait here for days, by when the folder is on another
branch or gone; and nothing that lies on disk may hold a secret. Loaded only where there is no server.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from recollect.domain.errors import NotFound, RecollectError
from recollect.redaction.clean_records import clean
from recollect.surfaces.hooks.hosts import HookMoment
from recollect.surfaces.hooks.notice import Notice, heard
from recollect.surfaces.hooks.spool import append
from recollect.workspace.projects import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.surfaces.hooks.shim import ShimAnswer


def leave(home: Path, agent: str, event: str, told: ShimAnswer) -> bool:
    """Put it on disk; false if there is nothing in it to be kept, or no room."""
    try:
        notice = heard(agent, event, told.said, at=told.at, new_id=told.new_id, space=told.space).notice
    except NotFound as problem:
        os.write(2, f"recollect hook: {problem.message}\n".encode())
        return False
    return notice is not None and append(home, ready_to_lie(notice).as_line())


def ready_to_lie(notice: Notice) -> Notice:
    """The same without secrets, with its project and branch. A session that begins here was told nothing."""
    told = notice._replace(
        session=clean(notice.session),
        folder=notice.folder and clean(notice.folder),
        text=clean(notice.text),
        tool=notice.tool and clean(notice.tool),
        arguments=_without_secrets(notice.arguments),
        source=clean(notice.source),
        space=notice.space and clean(notice.space),
        untold=notice.moment is HookMoment.SESSION_START,
    )
    if notice.folder is None:
        return told
    try:
        found = project_of(notice.folder)
    except (RecollectError, OSError):
        return told
    return told._replace(project=clean(found.name), branch=found.branch and clean(found.branch))


def _without_secrets(arguments: Any) -> Any:
    """First as a whole, because a name beside a value tells what it is, unless that breaks it; then piece by piece."""
    if arguments is None:
        return None
    try:
        found = json.loads(clean(json.dumps(arguments, ensure_ascii=False)))
    except ValueError:
        found = arguments
    return _piece_by_piece(found) if isinstance(found, dict) else None


def _piece_by_piece(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(name): _piece_by_piece(each) for name, each in value.items()}
    return [_piece_by_piece(each) for each in value] if isinstance(value, list) else value
