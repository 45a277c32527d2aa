"""Work for people: sessions, slots, lessons, and what is to be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.actions import Action
from recollect.domain.contexts import Context
from recollect.domain.lessons import Lesson
from recollect.domain.observations import Session
from recollect.domain.recollections import Page
from recollect.domain.sessions import Counted, Observed, Replay, SessionDigest
from recollect.domain.slots import Slot
from recollect.surfaces.cli.cards import PINNED, day, instant
from recollect.surfaces.cli.tables import facts, table
from recollect.surfaces.cli.terminal import Terminal, inert, inert_lines, wrap

_NOTHING = {
    "sessions": "There are no sessions yet.",
    "lessons.list": 'Nothing was learned by doing yet. Begin with: `recollect lessons add "…"`.',
    "actions.list": 'Nothing is to be done. Begin with: `recollect actions add "…"`.',
    "frontier": "Nothing can be started now.",
}


def told_of_work(verb: str, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]] | None:
    """The answer of a verb about work, as lines and asides; `None` for what is told elsewhere."""
    match result:
        case Context():
            return context_lines(result, terminal), _about_context(result)
        case Session():
            return [inert(f"Session {result.id} {_doing(verb)}.")], ()
        case SessionDigest():
            return digest_page(result, terminal), ()
        case Replay():
            return replay_lines(result, terminal), _more(result)
        case Observed():
            room = f" {result.folded:,} older ones were folded into a summary." if result.folded else ""
            return [inert(f"Kept as {result.observation_id} in session {result.session_id}.{room}")], ()
        case Page() if verb == "sessions" and result.items:
            return session_table(result.items, terminal), _more(result)
        case Slot() if verb == "slots.get":
            return slot_card(result, terminal), ()
        case Slot() if verb == "slots.delete":
            return [inert(f"The slot `{result.label}` is erased.")], ()
        case Slot():
            return [inert(f"The slot `{result.label}` holds {len(result.text):,} of {result.limit:,} characters.")], ()
        case Action():
            return [inert(f"Action {result.id} is {result.status.value}.")], ()
        case Page(items=(), next_cursor=None) if verb in _NOTHING:
            return (), [_NOTHING[verb]]
        case Page() if verb == "slots.list":
            return slot_table(result.items, terminal), [f"{PINNED} pinned: in everything an agent is told"]
        case Page() if verb == "lessons.list":
            return lesson_table(result.items, terminal), ()
        case Page() if verb in ("actions.list", "frontier"):
            return action_table(result.items, terminal), _more(result)
        case _:
            return None


def context_lines(context: Context, terminal: Terminal) -> Iterator[str]:
    """The block: as it is for a pipe, wrapped for a screen."""
    for line in context.block.split("\n") if context.block else ():
        yield from wrap(inert(line), terminal.width)


def _about_context(context: Context) -> Iterator[str]:
    if not context.block:
        yield "Nothing is known that could be told by itself."
        return
    left = ", ".join(f"{count:,} {section}" for section, count in context.left_out.items())
    told = f"{len(context.lines):,} lines, {context.tokens:,} of {context.budget:,} tokens"
    yield inert(f"{told}; no room for: {left}." if left else f"{told}.")
    if context.waiting:
        yield f"{context.waiting:,} pinned slots were written by a program or a model, and wait until somebody asks."


def session_table(sessions: Sequence[Session], terminal: Terminal) -> list[str]:
    """One session a line, the newest first."""
    rows = [
        [
            session.id,
            instant(session.started_at),
            instant(session.ended_at) or "-",
            session.branch or "-",
            session.scope.agent or "-",
            session.title or session.scope.project or "",
        ]
        for session in sessions
    ]
    return table(["session", "began", "ended", "branch", "agent", "what"], rows, terminal)


def digest_page(digest: SessionDigest, terminal: Terminal) -> Iterator[str]:
    """A session in short."""
    session = digest.session
    told = [
        ("session", session.id),
        ("title", session.title or ""),
        ("project", session.scope.project or ""),
        ("agent", session.scope.agent or ""),
        ("branch", session.branch or ""),
        ("began", instant(session.started_at)),
        ("ended", instant(session.ended_at)),
        ("took", _took(round(digest.seconds * 1000))),
        ("asked", digest.ask),
        ("files", _counts(digest.files)),
        ("commands", _counts(digest.commands)),
        ("failures", f"{digest.failures:,}" if digest.failures else ""),
        ("commits", ", ".join(commit.sha[:10] for commit in session.commits)),
        ("outcome", digest.outcome),
        ("left open", "; ".join(digest.open_ends)),
        ("kept", f"{digest.observations:,} observations, {digest.prompts:,} of them prompts"),
    ]
    yield from facts(told, terminal)


def replay_lines(replay: Replay, terminal: Terminal) -> Iterator[str]:
    """What happened, a line each, with the time since the start."""
    rows = [
        [
            _took(beat.offset),
            (beat.observation.activity or beat.observation.kind).value.replace("_", " "),
            beat.observation.title or beat.observation.text,
        ]
        for beat in replay.beats
    ]
    yield from table(["after", "what", f"session {replay.session.id}"], rows, terminal)
    yield f"{_took(replay.duration)} in all."


def _counts(counted: Sequence[Counted]) -> str:
    return ", ".join(f"{each.name} ({each.times})" if each.times > 1 else each.name for each in counted)


def _took(milliseconds: int) -> str:
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _doing(verb: str) -> str:
    return {"session.start": "is open", "session.link": "knows its commit"}.get(verb, "is kept")


def slot_table(slots: Sequence[Slot], terminal: Terminal) -> list[str]:
    """One slot a line, with how full it is."""
    rows = [
        [
            f"{slot.label}{f' {PINNED}' if slot.pinned else ''}",
            f"{len(slot.text):,}/{slot.limit:,}",
            slot.project or "all",
            slot.text or f"({slot.description or 'empty'})",
        ]
        for slot in slots
    ]
    return table(["slot", "filled", "project", "text"], rows, terminal)


def slot_card(slot: Slot, terminal: Terminal) -> Iterator[str]:
    """Everything about one slot."""
    for line in inert_lines(slot.text) if slot.text else ["(empty)"]:
        yield from wrap(line, terminal.width)
    yield ""
    told = [
        ("slot", slot.label),
        ("what for", slot.description),
        ("project", slot.project or "all"),
        ("filled", f"{len(slot.text):,} of {slot.limit:,} characters"),
        ("pinned", "yes" if slot.pinned else "no"),
        ("authority", slot.authority.value if slot.version else ""),
        ("written", instant(slot.updated_at)),
    ]
    yield from facts(told, terminal, indent="  ")


def lesson_table(lessons: Sequence[Lesson], terminal: Terminal) -> list[str]:
    """One lesson a line, the surest first."""
    rows = [
        [
            lesson.note.id,
            f"{lesson.confidence:.2f}",
            f"{lesson.reinforcements}",
            lesson.note.scope.project or "all",
            lesson.note.text,
        ]
        for lesson in lessons
    ]
    return table(["id", "sure", "confirmed", "project", "lesson"], rows, terminal)


def action_table(actions: Sequence[Action], terminal: Terminal) -> list[str]:
    """One action a line."""
    rows = [
        [
            action.id,
            action.status.value,
            f"{action.priority}",
            day(action.created_at),
            f"{action.text}{f' (waits for {len(action.depends_on)})' if action.depends_on else ''}",
        ]
        for action in actions
    ]
    return table(["id", "status", "priority", "since", "what"], rows, terminal)


def _more(page: Page[Any] | Replay) -> Iterator[str]:
    if page.next_cursor:
        yield f"There are more: `--cursor {page.next_cursor}`"
