"""`recollect import claude-code` and its like: read another memory, say what is in it, and take it in.

With `--dry-run` it ends after the saying. Nothing is written before everything has been read and looked over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from recollect.domain.answers.recollections import ImportReport, Ingested
from recollect.domain.clock import Clock, SystemClock, parse_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Erased, InvalidInput, NotFound, RecollectError
from recollect.domain.observations import ObservationKind
from recollect.domain.origin import Caller, Channel
from recollect.domain.projects import folder_name
from recollect.domain.values import to_plain
from recollect.memory import Memory
from recollect.remember.activity import Event, seen
from recollect.remember.foreign.claude_code import read_claude_code
from recollect.remember.foreign.exports import (
    read_agentmemory,
    read_basic_memory,
    read_claude_mem,
    read_hindsight,
    read_letta,
    read_mem0,
    read_supermemory,
    read_zep,
)
from recollect.remember.foreign.findings import FoundMemory, FoundSession, FoundTurn, Unread
from recollect.remember.foreign.langmem import read_langmem
from recollect.remember.foreign.mempalace import read_mempalace
from recollect.remember.foreign.review import HEARD, SESSION, Audit, ReviewLine, audited, lines_of
from recollect.surfaces.cli.exits import DONE, PROBLEMS_FOUND
from recollect.surfaces.cli.notices import kept_of
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.screens.reports import import_lines, ingested_lines
from recollect.surfaces.cli.streams import busy, import_from
from recollect.surfaces.cli.terminal import Terminal, count_of, inert, json_text
from recollect.surfaces.hooks.hosts import HookMoment
from recollect.surfaces.hooks.notice import Notice
from recollect.surfaces.hooks.transcripts import notices_of
from recollect.surfaces.hosts.presence import this_ground

_LINES_AT_ONCE = 500
_MOST_SHOWN = 20  # failures


@dataclass(frozen=True, slots=True)
class _Source:
    """Where another memory usually is, and who reads it; those without a reader are read by another verb."""

    usual: Callable[[], Path] | None = None
    read: Callable[[Path], FoundMemory] | None = None


def import_source(memory: Memory, request: Request, terminal: Terminal, clock: Clock | None = None) -> Screen:
    """Read, look over, and unless it is a dry run, take in."""
    name, space = request.arguments["file"], request.arguments.get("space")
    source = _SOURCES[name]
    place = _place(name, source, request.arguments.get("place"))
    into = memory.dry_run() if request.dry_run else memory
    learned = 0
    if name == "server-memory":
        taken: ImportReport | Ingested = import_from(into, str(place), space=space)
        return _screen(request, terminal, None, taken, learned)
    if name == "anima":
        taken = _from_anima(into, place, space, trust=bool(request.arguments.get("trust")))
        return _screen(request, terminal, None, taken, learned)
    with busy(f"Reading {place}"):
        found = source.read(place) if source.read else _chats(place)
    kept, audit = audited(name, found, _redacted, captured=lambda session: _is_captured(memory, session, space))
    if source.read is None:
        taken = into.ingest(str(place), space=space)
    else:
        now = (clock or SystemClock()).now()
        # Transcripts of this machine's own agent are read by us, and so is where each line of them came from.
        heard = name in HEARD
        taken = ImportReport()
        # Session by session: one that is here whole has been learned from, also if the next one is never reached.
        for part in (FoundMemory(kept.notes), *(FoundMemory(sessions=(session,)) for session in kept.sessions)):
            before = {session.id: _ids_of(memory, session.id, space) for session in part.sessions if heard}
            lines = lines_of(name, part, space=space or memory.settings.space, now=now)
            taken = _together(taken, _taken_in(into, memory, lines, space, trust=heard))
            if not request.dry_run:
                learned += sum(_learned_from(memory, session, known, space) for session, known in before.items())
    return _screen(request, terminal, audit, taken, learned)


def _together(one: ImportReport, other: ImportReport) -> ImportReport:
    return ImportReport(
        one.imported + other.imported,
        one.unchanged + other.unchanged,
        one.erased + other.erased,
        (*one.failures, *other.failures),
    )


def _taken_in(
    into: Memory, memory: Memory, lines: Iterator[ReviewLine], space: str | None, *, trust: bool
) -> ImportReport:
    """Hand lines on, some at a time, without those that are here already and would be dated anew."""
    total = ImportReport()
    batch: list[str] = []

    def hand_on() -> None:
        nonlocal total
        total = _together(total, into.import_(batch, trust=trust, space=space))
        batch.clear()

    known: dict[str, bool] = {}
    here = 0
    for line in lines:
        if line.fresh is not None and line.fresh not in known:
            known[line.fresh] = _is_here(memory, line.fresh, space)
        if line.fresh is not None and known[line.fresh]:
            here += 1
            continue
        batch.append(line.text)
        if len(batch) >= _LINES_AT_ONCE:
            hand_on()
    if batch:
        hand_on()
    return _together(total, ImportReport(unchanged=here))


def _is_here(memory: Memory, record_id: str, space: str | None) -> bool:
    """Whether that note, or that session, is here or was forgotten here."""
    kind, _, session_id = record_id.partition(":")
    try:
        if kind == SESSION:
            memory.session(session_id, space=space)
        else:
            memory.get(record_id, space=space)
    except Erased:
        return True
    except NotFound:
        return False
    return True


def _is_captured(memory: Memory, session_id: str, space: str | None) -> bool:
    """Whether that session was kept as it happened, or captured; to import it would say everything twice."""
    try:
        return memory.session(session_id, space=space).session.origin.channel is not Channel.IMPORT
    except (NotFound, InvalidInput):
        return False


def _ids_of(memory: Memory, session: str, space: str | None) -> set[str]:
    return {each.id for each in kept_of(memory, session, space)}


def _learned_from(memory: Memory, session: str, known: Set[str], space: str | None) -> int:
    """Read the prompts of a session that came in just now, as a hook does; the number of facts and wishes in them."""
    new = [each for each in kept_of(memory, session, space) if each.id not in known]
    prompts = [each for each in new if each.kind is ObservationKind.PROMPT]
    if not prompts:
        return 0
    typed = memory.acting_as(Caller(Channel.TRANSCRIPT, memory.settings.principal))
    learned = typed.transcripts.read(session, prompts, space=space or memory.settings.space)
    return sum(each.action not in ("reinforced", "ignored") for each in learned)


def _redacted(text: str) -> tuple[str, Mapping[str, int]]:
    from collections import Counter

    from recollect.redaction.redactor import redact

    cleaned = redact(text)
    return cleaned.text, Counter(each.kind for each in cleaned.redactions)


def _place(name: str, source: _Source, said: str | None) -> Path:
    if said is None and source.usual is None:
        raise InvalidInput(
            f"`recollect import {name}` needs the PATH of what was exported there.",
            code="usage",
            hint=f"`recollect import {name} FILE --dry-run` shows what is in it.",
        )
    place = Path(said).expanduser().absolute() if said is not None else source.usual()  # type: ignore[misc]
    if not place.exists():
        raise NotFound(
            f"There is no {place}.", code="file_not_found", hint=f"`recollect import {name} PATH` names another."
        )
    return place


def _chats(place: Path) -> FoundMemory:
    """The conversations of an export of ChatGPT or Claude; how they are taken in is the business of `ingest`."""
    from recollect.remember.files.chunks import Unreadable
    from recollect.remember.files.file_reader import read_document

    sessions: list[FoundSession] = []
    unread: list[Unread] = []
    for path in sorted(place.rglob("*.json")) if place.is_dir() else [place]:
        read = read_document(path, root=place if place.is_dir() else place.parent, max_bytes=500_000_000)
        if isinstance(read, Unreadable):
            unread.append(Unread(read.path, read.message))
            continue
        for chat in read.conversations:
            turns = tuple(
                FoundTurn(str(number), ObservationKind.MESSAGE, turn.text, turn.at, turn.role)
                for number, turn in enumerate(chat.turns)
            )
            sessions.append(FoundSession(chat.id, turns, chat.title))
    return FoundMemory(sessions=tuple(sessions), unread=tuple(unread))


def _screen(
    request: Request, terminal: Terminal, audit: Audit | None, taken: ImportReport | Ingested, learned: int
) -> Screen:
    code = PROBLEMS_FOUND if taken.failures or (audit and audit.unread) else DONE
    if request.json:
        told: dict[str, Any] = {"audit": to_plain(audit), "result": to_plain(taken), "dry_run": request.dry_run}
        told["learned"] = learned
        return Screen((json_text(told),), exit_code=code)
    lines = list(_audit_lines(audit)) if audit else []
    rehearsed = request.dry_run
    if isinstance(taken, Ingested):
        lines += ingested_lines(taken, terminal, rehearsed=rehearsed)
    else:
        lines += import_lines(taken, rehearsed=rehearsed)
    if learned:
        lines.append(f"Learned from prompts: {count_of(learned, 'note')}.")
    aside = ("This was a dry run: nothing was written.",) if request.dry_run else ()
    return Screen(tuple(lines), tuple(terminal.paint(each, "dim") for each in aside), code)


def _audit_lines(audit: Audit) -> Iterator[str]:
    counts = (count_of(audit.notes, "note"), count_of(audit.sessions, "session"), count_of(audit.turns, "turn"))
    yield "Found: {}, {} with {}.".format(*counts)
    for count, sort, what, then in (
        (audit.duplicates, "duplicates", "Duplicates", "one of each is taken"),
        (audit.junk, "junk", "Saying nothing by themselves", "left out"),
        (audit.undated, "undated", "Without a date", "they count from now on"),
        (audit.captured, "captured", "Sessions that hooks have kept already", "left out"),
    ):
        if count:
            shown = ", ".join(f"“{each}”" for each in audit.examples.get(sort, ()))
            yield inert(f"{what}: {count:,}, {then}{'; such as ' + shown if shown else ''}.")
    if audit.secrets:
        yield "Secrets, taken out: " + ", ".join(f"{many:,} {sort}" for sort, many in audit.secrets.items()) + "."
    for unread in audit.unread[:_MOST_SHOWN]:
        yield inert(f"{unread.place}: {unread.message}")
    if len(audit.unread) > _MOST_SHOWN:
        yield f"… and {len(audit.unread) - _MOST_SHOWN:,} more that could not be read."


def _claude_code(place: Path) -> FoundMemory:
    from recollect.workspace.projects import project_of

    named = named_by(lambda folder: project_of(folder).name)
    return read_claude_code(place, lambda text: sessions_in(text, named))


def _claude_mem(place: Path) -> FoundMemory:
    from recollect.stores.sqlite.frozen import rows_of

    return read_claude_mem(place, rows_of)


def _from_anima(into: Memory, place: Path, space: str | None, *, trust: bool) -> ImportReport:
    """Take in what `Memory.export` of Anima wrote: one user's memories, or a list of such."""
    import json

    from recollect.remember.foreign.anima_export import anima_lines
    from recollect.remember.foreign.findings import json_of

    said = json_of(place)
    if isinstance(said, Unread):
        raise InvalidInput(f"{place} cannot be read: {said.message}", code="invalid_export")
    lines = [
        ReviewLine(json.dumps(line))
        for export in (said if isinstance(said, list) else [said])
        for line in anima_lines(export if isinstance(export, dict) else {}, space or into.settings.space)
    ]
    return _taken_in(into, into, iter(lines), space, trust=trust)


def _agentmemory(place: Path) -> FoundMemory:
    from recollect.stores.sqlite.frozen import rows_of

    return read_agentmemory(place, rows_of)


def _at_home(variable: str, *otherwise: str) -> Callable[[], Path]:
    return lambda: this_ground().folder(variable, *otherwise)


_SOURCES = {
    "claude-code": _Source(_at_home("CLAUDE_CONFIG_DIR", ".claude"), _claude_code),
    "claude-mem": _Source(_at_home("CLAUDE_MEM_DATA_DIR", ".claude-mem"), _claude_mem),
    "agentmemory": _Source(_at_home("AGENTMEMORY_DATA_DIR", ".agentmemory"), _agentmemory),
    "basic-memory": _Source(_at_home("BASIC_MEMORY_HOME", "basic-memory"), read_basic_memory),
    "mem0": _Source(None, read_mem0),
    "zep": _Source(None, read_zep),
    "hindsight": _Source(None, read_hindsight),
    "supermemory": _Source(None, read_supermemory),
    "letta": _Source(None, read_letta),
    "mempalace": _Source(None, read_mempalace),
    "langmem": _Source(None, read_langmem),
    "anima": _Source(),
    "server-memory": _Source(),
    "chatgpt": _Source(),
    "claude": _Source(),
}


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
