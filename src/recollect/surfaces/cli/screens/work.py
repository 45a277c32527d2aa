"""Work for people: sessions, slots, lessons, what is to be done, and who is told of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.answers.contexts import Context
from recollect.domain.answers.recollections import Link, Links
from recollect.domain.answers.sessions import (
    Counted,
    Crystal,
    Observed,
    ProjectProfile,
    Replay,
    SessionDigest,
    Timeline,
)
from recollect.domain.desk import Action, Lesson, Slot
from recollect.domain.jobs.job import Job, JobsRun, Timer
from recollect.domain.jobs.webhook import EVENTS, NewWebhook, Webhook, WebhookDelivery
from recollect.domain.links.statement_link import StatementLink
from recollect.domain.notes import Note
from recollect.domain.observations import Session
from recollect.domain.selections import Page
from recollect.surfaces.cli.screens.cards import PINNED, day, instant
from recollect.surfaces.cli.terminal import Terminal, count_of, cut, facts, inert, inert_lines, table, wrap

_ROOM_FOR_ENDS = 130  # columns; with fewer, what a session was about would have no room

_NOTHING = {
    "sessions": "There are no sessions yet.",
    "lessons.list": 'Nothing was learned by doing yet. Begin with: `recollect lessons add "…"`.',
    "actions.list": 'Nothing is to be done. Begin with: `recollect actions add "…"`.',
    "frontier": "Nothing can be started now.",
    "jobs.list": "There are no such jobs.",
    "jobs.timers": "There are no timers.",
    "webhooks.list": "Nobody is told of changes here. `recollect webhooks add NAME URL` names an address.",
    "webhooks.deliveries": "Nothing was sent yet.",
}


def told_of_work(verb: str, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]] | None:
    """The answer of a verb about work, as lines and asides; `None` for what is told elsewhere."""
    match result:
        case Context():
            return block_lines(result.block, terminal), _about_context(result, terminal)
        case Timeline():
            return timeline_lines(result, terminal), ()
        case ProjectProfile():
            return project_page(result, terminal), ()
        case Crystal(note=None):
            return (), _said("No sessions have ended long enough ago: three are needed, beside the last two.", terminal)
        case Crystal(note=Note() as note):
            return _said(f"Note {note.id} stands for {len(result.session_ids):,} sessions.", terminal), ()
        case Links():
            rows = [[_relation_in_words(link), link.id, link.text or "(forgotten)"] for link in result.links]
            return (table(["relation", "id", "text"], rows, terminal) if rows else ["It is linked with nothing."]), ()
        case StatementLink(is_refuted=True):
            return _said(f"Noted: {result.newer} does not change {result.older}, whatever is judged.", terminal), ()
        case StatementLink():
            return _said(f"{result.newer} {result.relation.value} {result.older} again, as judged.", terminal), ()
        case Session():
            return _said(f"Session {result.id} {_doing(verb)}.", terminal), ()
        case SessionDigest():
            return digest_page(result, terminal), ()
        case Replay():
            return replay_lines(result, terminal), _more(result)
        case Observed():
            room = f" {result.folded:,} older ones were folded into a summary." if result.folded else ""
            return _said(f"Kept as {result.observation_id} in session {result.session_id}.{room}", terminal), ()
        case Page() if verb == "sessions" and result.items:
            return session_table(result.items, terminal), _more(result)
        case Slot() if verb == "slots.get":
            return slot_card(result, terminal), ()
        case Slot() if verb == "slots.delete":
            return _said(f"The slot `{result.label}` is erased.", terminal), ()
        case Slot():
            return _said(
                f"The slot `{result.label}` holds {len(result.text):,} of {result.limit:,} characters.", terminal
            ), ()
        case Action():
            return _said(f"Action {result.id} is {result.status.value}.", terminal), ()
        case Page(items=(), next_cursor=None) if verb in _NOTHING:
            return (), _said(_NOTHING[verb], terminal)
        case Page() if verb == "slots.list":
            return slot_table(result.items, terminal), [f"{PINNED} pinned: in everything an agent is told"]
        case Page() if verb == "lessons.list":
            return lesson_table(result.items, terminal), ()
        case Page() if verb in ("actions.list", "frontier"):
            return action_table(result.items, terminal), _more(result)
        case Page() if verb == "jobs.list":
            return job_table(result.items, terminal), _more(result)
        case Page() if verb == "jobs.timers":
            return timer_table(result.items, terminal), ()
        case Job() if verb == "jobs.show":
            return job_card(result, terminal), ()
        case Job():
            return _said(f"Job {result.id} is {result.stage.value}.", terminal), ()
        case JobsRun():
            return _said(_jobs_in_words(result), terminal), ()
        case _:
            return None


def block_lines(block: str, terminal: Terminal) -> Iterator[str]:
    """A block to put into a prompt: as it is for a pipe, wrapped for a screen."""
    for line in block.split("\n") if block else ():
        yield from wrap(inert(line), terminal.width)


def _about_context(context: Context, terminal: Terminal) -> Iterator[str]:
    if not context.block:
        yield "Nothing is known that could be told by itself."
        return
    left = ", ".join(f"{count:,} {section}" for section, count in context.left_out.items())
    told = f"{len(context.lines):,} lines, {context.tokens:,} of {context.budget:,} tokens"
    yield from _said(f"{told}; no room for: {left}." if left else f"{told}.", terminal)
    if context.waiting:
        waiting = (
            f"{context.waiting:,} pinned slots were written by a program or a model, and wait until somebody asks."
        )
        yield from _said(waiting, terminal)


def session_table(sessions: Sequence[Session], terminal: Terminal) -> list[str]:
    """One session a line, the newest first. When it ended and who worked is told where there is room."""
    narrow = terminal.width is not None and terminal.width < _ROOM_FOR_ENDS
    told: list[tuple[str, Callable[[Session], str]]] = [
        ("session", lambda each: _short(each.id, 40, terminal)),
        ("began", lambda each: day(each.started_at) if narrow else instant(each.started_at)),
        ("ended", lambda each: instant(each.ended_at) or "-"),
        ("branch", lambda each: _short(each.branch or "-", 12, terminal)),
        ("agent", lambda each: _short(each.scope.agent or "-", 12, terminal)),
        ("what", lambda each: each.title or each.scope.project or ""),
    ]
    shown = [column for column in told if not narrow or column[0] not in ("ended", "agent")]
    rows = [[spell(each) for _, spell in shown] for each in sessions]
    return table([heading for heading, _ in shown], rows, terminal)


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
        ("kept", f"{count_of(digest.observations, 'observation')}, {count_of(digest.prompts, 'prompt')} among them"),
    ]
    yield from facts(told, terminal)


def timeline_lines(timeline: Timeline, terminal: Terminal) -> list[str]:
    """The events before, at and after a moment, as a table."""
    around = [*timeline.before, *((timeline.found,) if timeline.found else ()), *timeline.after]
    rows = [
        [
            ">" if each is timeline.found else "",
            instant(each.observed_at),
            (each.activity or each.kind).value.replace("_", " "),
            each.title or each.text,
        ]
        for each in around
    ]
    return table(["", "when", "what", instant(timeline.at)], rows, terminal)


def project_page(profile: ProjectProfile, terminal: Terminal) -> Iterator[str]:
    """A project in short."""
    told = [
        ("project", profile.project),
        ("since", instant(profile.since)),
        ("sessions", f"{profile.sessions:,}"),
        ("notes", f"{profile.notes:,}"),
        ("concepts", _counts(profile.concepts)),
        ("files", _counts(profile.files)),
        ("commands", _counts(profile.commands)),
        ("agreed", "; ".join(profile.conventions)),
        ("failing", _counts(profile.errors)),
    ]
    yield from facts(told, terminal)


def replay_lines(replay: Replay, terminal: Terminal) -> Iterator[str]:
    """The events of a session, a line each, with the time since the start."""
    rows = [
        [
            _took(beat.offset),
            (beat.observation.activity or beat.observation.kind).value.replace("_", " "),
            beat.observation.title or beat.observation.text,
        ]
        for beat in replay.beats
    ]
    yield from table(["after", "what", _short(replay.session.id, 30, terminal)], rows, terminal)
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
            _short(f"{slot.label}{f' {PINNED}' if slot.pinned else ''}", 24, terminal),
            f"{len(slot.text):,}/{slot.limit:,}",
            _short(slot.project or "all", 20, terminal),
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
            _short(lesson.note.scope.project or "all", 14, terminal),
            lesson.note.text,
        ]
        for lesson in lessons
    ]
    return table(["id", "sure", "said", "project", "lesson"], rows, terminal)


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


def job_table(jobs: Sequence[Job], terminal: Terminal) -> list[str]:
    """One job a line, the newest first."""
    rows = [[job.id, job.kind, job.stage.value, instant(job.created_at), _about_job(job)] for job in jobs]
    return table(["id", "kind", "stage", "queued", "how far"], rows, terminal)


def job_card(job: Job, terminal: Terminal) -> Iterator[str]:
    """One job in full."""
    yield from facts(
        [
            ("job", job.id),
            ("kind", job.kind),
            ("stage", job.stage.value),
            ("queued", f"{instant(job.created_at)} by {job.origin.principal or job.origin.channel.value}"),
            ("due", instant(job.due_at) if job.settled_at is None else ""),
            ("settled", instant(job.settled_at)),
            ("tries", f"{job.attempts} of {job.max_attempts}"),
            ("worker", job.worker or ""),
            ("how far", _progress(job)),
            ("failure", job.failure or ""),
            ("detail", job.detail or ""),
            ("about", ", ".join(f"{name}: {value}" for name, value in job.payload.items() if value)),
        ],
        terminal,
    )


def timer_table(timers: Sequence[Timer], terminal: Terminal) -> list[str]:
    """One timer a line."""
    rows = [[each.name, each.kind, f"{each.every_seconds / 3600:g} h", instant(each.next_at)] for each in timers]
    return table(["timer", "kind", "every", "next"], rows, terminal)


def _about_job(job: Job) -> str:
    return f"{job.failure}: {job.detail or ''}" if job.failure else _progress(job)


def _progress(job: Job) -> str:
    told = job.progress
    if told is None:
        return ""
    return f"{told.phase}, {told.done:,} of {told.total:,}" if told.total else told.phase


def _jobs_in_words(ran: JobsRun) -> str:
    counts = {"done": ran.done, "failed and will be tried again": ran.failed, "dead": ran.dead, "lost": ran.lost}
    told = [f"{many:,} {words}" for words, many in counts.items() if many]
    return f"Jobs: {', '.join(told)}." if told else "No job was due."


def _relation_in_words(link: Link) -> str:
    """The relation, and of one that a model judged its score and whether a person said that it is not so."""
    said = link.relation.value.replace("_", " ")
    judged = "" if link.score is None else f", judged {link.score:.2f}"
    settled = f", settled as {link.settled}" if link.settled else ""
    return f"{said}{judged}{', refuted' if link.refuted else ''}{inert(settled)}"


def _said(sentence: str, terminal: Terminal) -> list[str]:
    """A sentence, on as many lines as it takes."""
    return list(wrap(inert(sentence), terminal.width))


def _short(text: str, width: int, terminal: Terminal) -> str:
    """A text in a column of that width, on a screen; whole on a pipe."""
    return text if terminal.width is None else cut(inert(text), width)


def _more(page: Page[Any] | Replay) -> Iterator[str]:
    if page.next_cursor:
        yield f"There are more: `--cursor {page.next_cursor}`"


_ROOM_FOR_EVENTS = 90  # columns
_WIDEST_NAME, _WIDEST_HOST = 14, 26  # columns on a screen


def told_of_webhooks(verb: str, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    """The answer of a verb about webhooks, as lines and asides."""
    match result:
        case NewWebhook():
            made = result.webhook
            told = f"The webhook `{made.name}` tells {made.host} of changes in `{made.space}`."
            once = "The secret that signs them is shown this once:"
            return [*_said(told, terminal), *_said(once, terminal), f"  {result.secret}"], ()
        case Webhook():
            return _said(f"The webhook `{result.name}` is told nothing any more.", terminal), ()
        case WebhookDelivery():
            return _said(
                f"The webhook `{result.webhook}`: {_ending(result)}, {result.milliseconds:,} ms.", terminal
            ), ()
        case Page(items=()):
            return (), _said(_NOTHING[verb], terminal)
        case Page() if verb == "webhooks.list":
            return webhook_table(result.items, terminal), ()
        case _:
            return delivery_table(result.items, terminal), _more(result)


def webhook_table(webhooks: Sequence[Webhook], terminal: Terminal) -> list[str]:
    """One webhook a line."""
    rows = [
        [
            _short(each.name, _WIDEST_NAME, terminal),
            _short(each.host, _WIDEST_HOST, terminal),
            "ids and texts" if each.content else "ids",
            f"{each.seq:,}",
            "all" if each.events == EVENTS else ", ".join(each.events),
        ]
        for each in webhooks
    ]
    return table(["name", "host", "sends", "told up to", "events"], rows, terminal)


def delivery_table(deliveries: Sequence[WebhookDelivery], terminal: Terminal) -> list[str]:
    """One attempt a line, the newest first. The kind of change and the time it took are told where there is room."""
    narrow = terminal.width is not None and terminal.width < _ROOM_FOR_EVENTS
    told: list[tuple[str, Callable[[WebhookDelivery], str]]] = [
        ("when", lambda each: instant(each.at)),
        ("webhook", lambda each: _short(each.webhook, _WIDEST_NAME, terminal)),
        ("event", lambda each: each.event),
        ("try", lambda each: f"{each.attempt}"),
        ("ms", lambda each: f"{each.milliseconds:,}"),
        ("answer", _ending),
        ("id", lambda each: each.event_id),
    ]
    shown = [column for column in told if not narrow or column[0] not in ("event", "ms")]
    rows = [[spell(each) for _, spell in shown] for each in deliveries]
    return table([heading for heading, _ in shown], rows, terminal)


def _ending(delivery: WebhookDelivery) -> str:
    """The status of the answer, and what was wrong with it."""
    status = f"{delivery.status} " if delivery.status else ""
    return f"{status}{delivery.code.removeprefix('webhook_')}".strip()
