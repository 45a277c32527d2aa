"""Where notices are taken in: by the server, at once or from the spool, and from a transcript.

Each is done once, whichever way it came and however often: its key says whether it is there. What memory has to say to
it goes back to the host.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from recollect.domain.errors import Conflict, Erased, InvalidInput, NotFound, RecollectError
from recollect.memory import Memory
from recollect.surfaces.hooks import spool
from recollect.surfaces.hooks.hosts import Moment
from recollect.surfaces.hooks.noticing import Notice, notice_in
from recollect.verbs.arguments import Where

REMINDER = 400  # tokens that may go along with a prompt: a few lines

_KNOWN_SESSIONS = 1000  # of which it is remembered what they were told
_AT_ONCE = 100_000  # bytes of the spool that are taken in before a notice is answered; more would take too long
_LOOK_EVERY = 5.0  # seconds, for what was left because an answer came too late
_SHORTEST = 12  # characters of a prompt that anything is looked up for; "go on" asks for nothing
_EVENTS = {
    Moment.PROMPT: "prompt",
    Moment.TOOL_USE: "tool_use",
    Moment.TOOL_FAILURE: "tool_failure",
    Moment.SUBAGENT_STOP: "subagent",
    Moment.TASK: "task",
    Moment.NOTIFICATION: "notification",
}
_BEFORE = ("idempotency_key_reused", "observation_not_found")
_LOG = logging.getLogger("recollect.http")


@dataclass(slots=True)
class _Known:
    """What the server knows of a session that goes on: what it was told already, and whether it still has to be."""

    told: set[str] = field(default_factory=set)
    untold: bool = False


@dataclass(frozen=True, slots=True)
class Drained:
    """What became of the lines of a spool. `left` is true if some wait for another time."""

    taken: int = 0
    unreadable: int = 0
    refused: int = 0
    left: bool = False


class Attendant:
    """Takes notices in, in the name of whoever `memory` acts for."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._home = memory.settings.home
        self._sessions: OrderedDict[tuple[str | None, str], _Known] = OrderedDict()
        self._access = threading.Lock()
        self._draining = threading.Lock()

    def attend(self, notice: Notice) -> str:
        """Take a notice in, after what was left before it; what its host is to be told, or nothing."""
        if 0 < spool.size(self._home) <= _AT_ONCE:
            self.drain()
        self.take(notice)
        match notice.moment:
            case Moment.SESSION_START:
                return self._context(notice)
            case Moment.PROMPT:
                return self._context(notice) if self._known(notice).untold else self._reminded(notice)
            case _:
                return ""

    def take(self, notice: Notice) -> None:
        """Take one notice in. Nobody waits for an answer to it."""
        match notice.moment:
            case Moment.SESSION_START:
                known = self._known(notice)
                known.told.clear()
                known.untold = known.untold or notice.untold
                self._begin(notice)
            case Moment.SESSION_END:
                with contextlib.suppress(NotFound):  # nothing happened in it
                    self._memory.end_session(notice.session, at=notice.at, space=notice.space)
            case Moment.PRE_COMPACT:
                self._known(notice).told.clear()  # what is cut out of a context may be said again
            case _:
                self._keep(notice)

    def drain(self) -> Drained:
        """Take in what lies on disk, line by line. What cannot be taken now stays."""
        taken = unreadable = refused = 0
        with contextlib.ExitStack() as held:
            if not self._draining.acquire(blocking=False):
                return Drained(left=True)
            held.callback(self._draining.release)
            for file in held.enter_context(spool.draining(self._home)):
                for line in spool.lines_of(file):
                    notice = notice_in(line)
                    if notice is None:
                        spool.put_aside(self._home, line)
                        unreadable += 1
                        continue
                    try:
                        self.take(notice)
                        taken += 1
                    except (InvalidInput, NotFound, Erased, Conflict) as problem:
                        _LOG.warning("a notice from the spool was refused: %s", problem.code)
                        refused += 1
                    except RecollectError as problem:
                        _LOG.warning("the spool waits: %s", problem.code)
                        return Drained(taken, unreadable, refused, left=True)
                file.unlink()
        return Drained(taken, unreadable, refused)

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Take in what lies on disk, now and whenever something does, on a thread of its own."""
        over = threading.Event()

        def watch() -> None:
            while True:
                if spool.size(self._home):
                    try:
                        self.drain()
                    except Exception:
                        _LOG.exception("the spool could not be taken in")
                if over.wait(_LOOK_EVERY):
                    return

        thread = threading.Thread(target=watch, daemon=True, name="recollect-hooks")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

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
            if notice.moment is Moment.STOP:
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

    def _context(self, notice: Notice) -> str:
        """What a session is told when it begins. `inject` looks into the folder, where there is one."""
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
        """What a prompt brings to mind that the session was not told before."""
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

    def _known(self, notice: Notice) -> _Known:
        with self._access:
            known = self._sessions.setdefault((notice.space, notice.session), _Known())
            self._sessions.move_to_end((notice.space, notice.session))
            if len(self._sessions) > _KNOWN_SESSIONS:
                self._sessions.popitem(last=False)
            return known


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is known of where a notice came from. `is_there` is false for a folder that is gone, and without one."""

    project: str | None = None
    branch: str | None = None
    is_there: bool = False


def _seen_from(notice: Notice) -> _Seen:
    """What the notice itself says of its folder, which it knew when it was left on disk; else what is there now."""
    if notice.folder is None:
        return _Seen(notice.project, notice.branch)
    from recollect.workspace.projects import project_of

    try:
        found = project_of(notice.folder)
    except NotFound:
        return _Seen(notice.project, notice.branch)
    return _Seen(notice.project or found.name, notice.branch or found.branch, is_there=True)
