"""A transcript becomes the sessions in it, read by whoever reads what hooks tell: one reader for one format."""

from __future__ import annotations

from collections.abc import Callable

from recollect.domain.clock import parse_time
from recollect.domain.errors import NotFound, RecollectError
from recollect.domain.observations import ObservationKind
from recollect.domain.projects import folder_name
from recollect.remember.activity import Event, seen
from recollect.remember.foreign.findings import FoundSession, FoundTurn
from recollect.surfaces.hooks.hosts import HookMoment
from recollect.surfaces.hooks.notice import Notice
from recollect.surfaces.hooks.transcripts import notices_of

_TOOLS = {HookMoment.TOOL_USE: Event.TOOL_USE, HookMoment.TOOL_FAILURE: Event.TOOL_FAILURE}


def sessions_in(text: str, project_of: Callable[[str], str]) -> tuple[tuple[FoundSession, ...], int]:
    """The sessions of a transcript with what happened in them, and how many lines could not be read."""
    told = notices_of(text.encode("utf-8", "surrogatepass").split(b"\n"))
    notices: dict[str, list[Notice]] = {}
    for notice in told.notices:
        notices.setdefault(notice.session, []).append(notice)
    found = []
    for session, each in notices.items():
        turns = tuple(turn for notice in each if (turn := _turn(notice)) is not None)
        folder = next((notice.folder for notice in each if notice.folder), None)
        branch = next((notice.branch for notice in each if notice.branch), None)
        if turns:
            project = project_of(folder) if folder else None
            found.append(FoundSession(session, turns, None, project, each[0].agent, branch, folder))
    return tuple(found), told.unreadable


def named_by(project_of: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that names the project of a folder, each looked up once; one that is gone has the name of its
    folder."""
    known: dict[str, str] = {}

    def named(folder: str) -> str:
        if folder not in known:
            try:
                known[folder] = project_of(folder)
            except NotFound:  # it was moved, or is on another machine
                known[folder] = folder_name(folder)
        return known[folder]

    return named


def _turn(notice: Notice) -> FoundTurn | None:
    """The turn that is kept of a notice; `None` for one that only marks a moment."""
    at = parse_time(notice.at, field="at")
    if notice.moment is HookMoment.PROMPT:
        return FoundTurn(notice.key, ObservationKind.PROMPT, notice.text, at, "user")
    if notice.moment is HookMoment.STOP:
        return FoundTurn(notice.key, ObservationKind.MESSAGE, notice.text, at, "assistant")
    if notice.moment not in _TOOLS:
        return None
    try:
        kept = seen(
            _TOOLS[notice.moment], notice.text, tool=notice.tool, arguments=notice.arguments, folder=notice.folder
        )
    except RecollectError:
        return None
    return FoundTurn(notice.key, kept.kind, kept.text, at, kept.role, kept.title, kept.activity, kept.files)
