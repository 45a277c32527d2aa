"""`recollect hooks drain` and `recollect capture`: what hooks left and what transcripts tell, taken in by hand."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.observations import Observation
from recollect.domain.origin import Caller, Channel
from recollect.memory import Memory
from recollect.settings import Settings, load_settings
from recollect.surfaces.cli.exits import PROBLEMS_FOUND
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal, inert, json_text, were
from recollect.surfaces.hooks.intake import Attendant, attendant_of
from recollect.surfaces.hooks.notice import Notice
from recollect.surfaces.hooks.transcripts import notices_of, unheard
from recollect.verbs.actor import MOST_PER_PAGE


def noticing(request: Request, _terminal: Terminal) -> Screen:
    """Do what one of the two was asked for."""
    settings, _ = load_settings({"store": request.store, "home": request.home})
    if request.command.spelled == "capture":
        return _captured(settings, request)
    with open_memory(settings) as memory:
        done = attendant_of(memory, settings.home).drain()
    if request.json:
        return Screen((json_text(asdict(done)),), exit_code=PROBLEMS_FOUND if done.left else 0)
    told = [f"{were(done.taken, 'notice')} taken in."]
    if done.unreadable:
        told.append(f"{were(done.unreadable, 'line')} unreadable and put aside in {settings.home / 'hooks.broken'}.")
    if done.refused:
        told.append(f"{were(done.refused, 'notice')} refused.")
    if done.left:
        told.append("Some could not be taken in now and wait for the next time.")
    return Screen(tuple(map(inert, told)), exit_code=PROBLEMS_FOUND if done.left else 0)


def _captured(settings: Settings, request: Request) -> Screen:
    file = Path(request.arguments["transcript"]).expanduser()
    try:
        data = file.read_bytes()
    except OSError as problem:
        raise InvalidInput(
            f"{file} cannot be read: {problem.strerror}.", code="not_readable", hint="Name a transcript."
        ) from None
    told = notices_of(data.split(b"\n"), space=request.arguments.get("space", settings.space))
    if not told.notices:
        raise InvalidInput(
            f"There is no session in {file}.",
            code="empty_transcript",
            hint="Transcripts of Claude Code are below ~/.claude/projects.",
        )
    sessions: dict[str, list[Notice]] = {}
    for notice in told.notices:
        sessions.setdefault(notice.session, []).append(notice)
    with open_memory(settings) as memory:
        attendant_of(memory, settings.home).drain()  # what hooks have left of it comes first
        attendant = Attendant(memory.acting_as(Caller(Channel.TRANSCRIPT, settings.principal)))
        for session, notices in sessions.items():
            for notice in unheard(notices, kept_of(memory, session, notices[0].space)):
                attendant.take(notice)
    if request.json:
        plain = {"sessions": list(sessions), "notices": len(told.notices), "unreadable": told.unreadable}
        return Screen((json_text(plain),))
    lines = [f"{were(len(told.notices), 'notice')} taken in of {', '.join(sessions)}."]
    if told.unreadable:
        lines.append(f"{were(told.unreadable, 'line')} unreadable.")
    return Screen(tuple(map(inert, lines)))


def kept_of(memory: Memory, session: str, space: str | None) -> list[Observation]:
    """Everything that is there of a session; nothing if it is new."""
    kept: list[Observation] = []
    cursor = None
    while True:
        try:
            page = memory.replay(session, limit=MOST_PER_PAGE, cursor=cursor, space=space)
        except NotFound:
            return kept
        kept += (beat.observation for beat in page.beats)
        cursor = page.next_cursor
        if cursor is None:
            return kept
