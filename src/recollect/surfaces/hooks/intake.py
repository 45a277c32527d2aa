"""Where notices are taken in: by the server, at once or from the spool, and from a transcript.

Each is done once, whichever way it came and however often: its key says whether it is there. What memory has to say to
it goes back to the host.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any, NamedTuple

from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Conflict, Erased, InvalidInput, NotFound, RecollectError
from recollect.domain.observations import Activity
from recollect.domain.origin import Caller, Channel
from recollect.domain.projects import folder_name
from recollect.memory import Memory
from recollect.remember.activity import activity_of, files_in
from recollect.surfaces.hooks import spool
from recollect.surfaces.hooks.hosts import HookMoment
from recollect.surfaces.hooks.notice import HeardNotice, Notice, answer, notice_in
from recollect.surfaces.hooks.transcripts import committed, is_commit
from recollect.verbs.actor import Where
from recollect.workspace.repositories import Logged

REMINDER = 400  # tokens that may go along with a prompt: a few lines

_KNOWN_SESSIONS = 1000  # of which it is remembered what they were told
_AT_ONCE = 100_000  # bytes of the spool that are taken in before a notice is answered; more would take too long
_LOOK_EVERY = 5.0  # seconds, for what was left because an answer came too late
_SHORTEST = 12  # characters of a prompt that anything is looked up for; "go on" asks for nothing
_EVENTS = {
    HookMoment.PROMPT: "prompt",
    HookMoment.TOOL_USE: "tool_use",
    HookMoment.TOOL_FAILURE: "tool_failure",
    HookMoment.SUBAGENT_STOP: "subagent",
    HookMoment.TASK: "task",
    HookMoment.NOTIFICATION: "notification",
}
_BEFORE = ("idempotency_key_reused", "observation_not_found")
_LOG = logging.getLogger("recollect.http")


@dataclass(slots=True)
class _Known:
    """The state of an open session: the ids it was told already, and whether its context is still to be told."""

    told: set[str] = field(default_factory=set)
    untold: bool = False


@dataclass(frozen=True, slots=True)
class Drained:
    """The outcome of draining a spool, in lines. `left` is true if some wait for another time."""

    taken: int = 0
    unreadable: int = 0
    refused: int = 0
    left: bool = False


class _Fate(Enum):
    """The outcome of one line of a spool."""

    TAKEN = auto()
    UNREADABLE = auto()
    REFUSED = auto()
    LEFT = auto()


class Attendant:
    """Takes notices in, in the name of whoever `memory` acts for; and, given a home, what lies in its spool."""

    def __init__(self, memory: Memory, home: Path | None = None) -> None:
        self._memory = memory
        self._home = home
        self._sessions: OrderedDict[tuple[str | None, str], _Known] = OrderedDict()
        self._access = threading.Lock()
        self._draining = threading.Lock()
        self._due = threading.Event()  # something is to be looked after
        self._begun: deque[str | None] = deque(maxlen=_KNOWN_SESSIONS)  # spaces in which sessions began
        self._warmed: set[str | None] = set()

    def answer(self, heard: HeardNotice) -> str:
        """Take in what a host said, and what it is to be told, in its own form."""
        return answer(heard.host, heard.moment, self.attend(heard.notice)) if heard.notice else ""

    def attend(self, notice: Notice) -> str:
        """Take a notice in, after what was left before it; what its host is to be told, or nothing."""
        if notice.moment is HookMoment.BEFORE_TOOL:
            return self._warned(notice)
        if self._home is not None and 0 < spool.size(self._home) <= _AT_ONCE:
            try:
                self.drain(wait=True)
            except OSError:
                _LOG.exception("the spool could not be taken in")
        self.take(notice)
        match notice.moment:
            case HookMoment.SESSION_START:
                self._begun.append(notice.space)
                self._due.set()
                return self._context(notice)
            case HookMoment.PROMPT:
                return self._context(notice) if self._known(notice).untold else self._reminded(notice)
            case _:
                return ""

    def take(self, notice: Notice) -> None:
        """Take one notice in. Nobody waits for an answer to it."""
        match notice.moment:
            case HookMoment.SESSION_START:
                known = self._known(notice)
                known.told.clear()
                known.untold = known.untold or notice.untold
                self._begin(notice)
            case HookMoment.SESSION_END:
                with contextlib.suppress(NotFound):  # nothing happened in it
                    self._memory.end_session(notice.session, at=notice.at, space=notice.space)
            case HookMoment.PRE_COMPACT:
                self._known(notice).told.clear()  # what is cut out of a context may be said again
                self._memory.reminding.begin_anew(notice.session, space=notice.space)
            case HookMoment.BEFORE_TOOL:
                pass  # nothing has happened yet
            case _:
                self._keep(notice)

    def drain(self, *, wait: bool = False) -> Drained:
        """Take in what lies on disk, line by line. What cannot be taken now stays, and so does all that comes after.
        While another thread does so there is nothing to do here, except for it to be done where somebody waits."""
        became: Counter[_Fate] = Counter()
        if self._home is None:
            return Drained()
        with contextlib.ExitStack() as held:
            if not self._draining.acquire(blocking=wait):
                return Drained(left=True)
            held.callback(self._draining.release)
            for file in held.enter_context(spool.draining(self._home)):
                for line in spool.lines_of(file):
                    fate = self._taken(line)
                    became[fate] += 1
                    if fate is _Fate.LEFT:
                        return _drained(became)
                    if fate is _Fate.UNREADABLE:
                        spool.put_aside(self._home, line)
                file.unlink()
        return _drained(became)

    def _taken(self, line: bytes) -> _Fate:
        """Try to take one line in; whatever it is, it must not keep others from being taken."""
        notice = notice_in(line)
        if notice is None:
            return _Fate.UNREADABLE
        try:
            self.take(notice)
        except RecollectError as problem:
            _LOG.warning("a notice from the spool was not taken in: %s", problem.code)
            return _Fate.REFUSED if _is_final(problem) else _Fate.LEFT
        except Exception:
            _LOG.exception("a notice from the spool cannot be taken in")
            return _Fate.UNREADABLE
        return _Fate.TAKEN

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Take in what lies on disk, now and whenever something does, and get ready for prompts, on a thread."""
        over = threading.Event()

        def watch() -> None:
            while not over.is_set():
                self._due.clear()
                try:
                    if self._home is not None and spool.size(self._home):
                        self.drain()
                    while self._begun:
                        self._warm(self._begun.pop())
                except Exception:
                    _LOG.exception("what hooks left could not be looked after")
                self._due.wait(_LOOK_EVERY)

        thread = threading.Thread(target=watch, daemon=True, name="recollect-hooks")
        thread.start()
        try:
            yield
        finally:
            over.set()
            self._due.set()
            thread.join()

    def _warm(self, space: str | None) -> None:
        """Do as with a prompt, so that what looks things up and what listens is loaded when the first one comes."""
        if space not in self._warmed:
            self._warmed.add(space)
            self._memory.reminding.remind("what is known here", budget=REMINDER, space=space)
            self._memory.dry_run().remind(files=["nothing"], command="nothing", space=space)
            self._memory.dry_run().observe("prompt", "We use memory here", session="warming", space=space)

    def _begin(self, notice: Notice) -> None:
        """See to it that the session goes on, with its folder and branch."""
        found = _seen_from(notice)
        self._memory.start_session(
            notice.session,
            project=found.project,
            agent=notice.agent,
            branch=found.branch,
            folder=notice.folder,
            at=notice.at,
            space=notice.space,
        )

    def _is_there(self, notice: Notice) -> bool:
        try:
            self._memory.replay(notice.session, limit=1, space=notice.space)
        except NotFound:
            return False
        return True

    def _keep(self, notice: Notice) -> None:
        if not notice.text.strip() and notice.tool is None:
            return
        if not self._is_there(notice):
            self._begin(notice)
        where: Where = {"session": notice.session, "agent": notice.agent, "project": _seen_from(notice).project}
        try:
            if notice.moment is HookMoment.STOP:
                said = [{"role": "assistant", "content": notice.text}]
                self._memory.add(
                    said, at=notice.at, extract=False, idempotency_key=notice.key, space=notice.space, **where
                )
                return
            self._memory.observe(
                _EVENTS[notice.moment],
                notice.text,
                tool=notice.tool,
                arguments=notice.arguments,
                at=notice.at,
                idempotency_key=notice.key,
                space=notice.space,
                **where,
            )
        except (Conflict, Erased, NotFound) as problem:
            # It is there in other words, it was and has been forgotten, or it has been folded.
            if not isinstance(problem, Erased) and problem.code not in _BEFORE:
                raise
        if is_commit(notice):
            self._link(notice)

    def _link(self, notice: Notice) -> None:
        """Write down which commit was made in a session, as far as that can be told."""
        made = committed(notice, _log_at(notice.folder))
        if made is not None:
            self._memory.link_commit(
                notice.session,
                made.sha,
                message=made.message or None,
                branch=_seen_from(notice).branch,
                at=notice.at,
                space=notice.space,
            )

    def _context(self, notice: Notice) -> str:
        """The context that a session is given when it begins. `inject` looks into the folder, where there is one."""
        found = _seen_from(notice)
        told = self._memory.inject(
            path=notice.folder if found.is_there else None,
            project=found.project,
            agent=notice.agent,
            session=notice.session,
            space=notice.space,
        )
        known = self._known(notice)
        known.told.update(each.line.id for each in told.lines)
        known.untold = False
        return told.block

    def _reminded(self, notice: Notice) -> str:
        """The reminder that a prompt brings up, without what the session was told before."""
        if len(notice.text) < _SHORTEST:
            return ""
        known = self._known(notice)
        reminder = self._memory.reminding.remind(
            notice.text,
            known=frozenset(known.told),
            budget=REMINDER,
            space=notice.space,
            project=_seen_from(notice).project,
            agent=notice.agent,
            session=notice.session,
        )
        known.told.update(line.id for line in reminder.lines)
        return reminder.block

    def _warned(self, notice: Notice) -> str:
        """The lines about what a tool is going to touch; what it reads is no decision, and nothing is told of it."""
        target = target_of(notice.tool or "", notice.arguments or {}, _root_of(notice))
        if not target.files and not target.command:
            return ""
        return self._memory.remind(
            files=target.files,
            command=target.command or None,
            space=notice.space,
            project=_seen_from(notice).project,
            agent=notice.agent,
            session=notice.session,
        ).block

    def _known(self, notice: Notice) -> _Known:
        with self._access:
            known = self._sessions.setdefault((notice.space, notice.session), _Known())
            self._sessions.move_to_end((notice.space, notice.session))
            if len(self._sessions) > _KNOWN_SESSIONS:
                self._sessions.popitem(last=False)
            return known


def _root_of(notice: Notice) -> str | None:
    """The folder of the project that a notice is about, below which its notes name files."""
    from recollect.workspace.projects import project_of

    try:
        return str(project_of(notice.folder).root) if notice.folder else None
    except NotFound:
        return notice.folder


def _log_at(folder: str | None) -> tuple[Logged, ...]:
    """The commits that were made where a folder is; none if it is no repository, or gone."""
    from recollect.workspace.projects import folder_at
    from recollect.workspace.repositories import repository_above

    try:
        found = repository_above(folder_at(folder), Path.home()) if folder else None
    except NotFound:
        return ()
    return found.log() if found else ()


def attendant_of(memory: Memory, home: Path | None = None) -> Attendant:
    """One for hooks: what comes through them is what the person at this machine says."""
    return Attendant(memory.acting_as(Caller(Channel.HOOK, memory.settings.principal)), home)


def _drained(became: Counter[_Fate]) -> Drained:
    return Drained(became[_Fate.TAKEN], became[_Fate.UNREADABLE], became[_Fate.REFUSED], left=bool(became[_Fate.LEFT]))


def _is_final(problem: RecollectError) -> bool:
    """Whether trying again could never help."""
    return isinstance(problem, InvalidInput | NotFound | Erased) or (
        isinstance(problem, Conflict) and problem.code != "stale_version"
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """The project and branch of a notice. `is_there` is false for a folder that is gone, and without one."""

    project: str | None = None
    branch: str | None = None
    is_there: bool = False


def _seen_from(notice: Notice) -> _Seen:
    """The project and branch that a notice was left on disk with; else those that its folder has now."""
    if notice.folder is None:
        return _Seen(notice.project, notice.branch)
    from recollect.workspace.projects import project_of

    try:
        found = project_of(notice.folder)
    except NotFound:  # it was moved, or is on another machine; it is still a project of its own
        return _Seen(notice.project or folder_name(notice.folder) or None, notice.branch)
    return _Seen(notice.project or found.name, notice.branch or found.branch, is_there=True)


_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$", re.MULTILINE)
_COMMANDS = ("command", "cmd", "script")
_CHANGING = frozenset({Activity.EDIT, Activity.WRITE, Activity.COMMAND})


class ToolTarget(NamedTuple):
    """Files below the project, and a line for a shell."""

    files: tuple[str, ...] = ()
    command: str = ""


def target_of(tool: str, arguments: Mapping[str, Any], folder: str | None) -> ToolTarget:
    """The files and the command of a call. A patch that is given as text names its files."""
    activity = activity_of(tool)
    if activity not in _CHANGING:
        return ToolTarget()
    line = _line_in(arguments)
    patch = next((each for each in (line, arguments.get("input"), arguments.get("patch")) if _is_patch(each)), None)
    if patch is not None:
        return ToolTarget(files_in({"files": _PATCHED.findall(patch)}, folder))
    if activity is Activity.COMMAND:
        return ToolTarget(command=line)
    return ToolTarget(files_in(arguments, folder))


def _line_in(arguments: Mapping[str, Any]) -> str:
    """The line that a shell is given: as a text, or as words of which the last is the line."""
    for name in _COMMANDS:
        told = arguments.get(name)
        told = told[-1] if isinstance(told, list) and told else told
        if isinstance(told, str) and told.strip():
            return told
    return ""


def _is_patch(text: object) -> bool:
    return isinstance(text, str) and text.lstrip().startswith("*** Begin Patch")
