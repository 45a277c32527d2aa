"""A notice is made ready to lie on disk: its secrets are taken out, and what its folder says now is written down.

A server does both when it is told at once. What lies there may wait for days, when the folder is on another branch or
gone; and nothing that lies on disk may hold a secret.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from recollect.domain.errors import RecollectError
from recollect.domain.redaction.redacting import redact
from recollect.surfaces.hooks.noticing import Notice
from recollect.workspace.projects import project_of


def ready_to_lie(notice: Notice) -> Notice:
    """The same without secrets, with its project and branch."""
    clean = replace(notice, text=redact(notice.text).text, arguments=_without_secrets(notice.arguments))
    if notice.folder is None:
        return clean
    try:
        found = project_of(notice.folder)
    except (RecollectError, OSError):
        return clean
    return replace(clean, project=found.name, branch=found.branch)


def _without_secrets(arguments: Any) -> Any:
    """First as a whole, because a name beside a value tells what it is; piece by piece where that breaks it."""
    if arguments is None:
        return None
    try:
        found = json.loads(redact(json.dumps(arguments, ensure_ascii=False)).text)
    except ValueError:
        return _piece_by_piece(arguments)
    return found if isinstance(found, dict) else None


def _piece_by_piece(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, dict):
        return {name: _piece_by_piece(each) for name, each in value.items()}
    return [_piece_by_piece(each) for each in value] if isinstance(value, list) else value
