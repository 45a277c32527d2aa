"""Verbs about sessions: they begin and end, things happen in them, and they can be looked at again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Unpack

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.changes import (
    ChangeKind,
    Changes,
    Edit,
    FoldObservations,
    KeepAttachment,
    OpenSession,
    Receipt,
    ReviseSession,
    WriteNote,
)
from recollect.domain.clock import format_time
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.notes import ONCE_TRUE
from recollect.domain.observations import AttachedFile, Commit, Message, Observation, ObservationKind, Session
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.selections import Page, Selection
from recollect.domain.text import sound_text
from recollect.domain.values import choice
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, clean, placeholders, without_secrets
from recollect.remember import decisions
from recollect.remember.decisions import Occasion
from recollect.verbs.actor import Acting, Moment, WhereTold, checked_limit, moment, no_session, operation
from recollect.verbs.listening import RememberingVerbs
from recollect.verbs.lookup import standing
from recollect.verbs.selection import condition_in, mark_of, passing
from recollect.verbs.writing import decided_anew, request_for

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.codecs.attachments import AttachedFiles
    from recollect.domain.answers.sessions import Beat, Observed, Replay, SessionDigest
    from recollect.domain.attachments.attachment import Attachment, AttachmentContent
    from recollect.remember.activity import Seen
    from recollect.remember.pipeline import Circumstances, Heard

MOST_COMMITS = 500  # of one session; of more, the newest are kept
_LIKE_IT = 20  # notes that are compared with a wish
_FIRST = 10  # observations among which a session's first wish is looked for
_ALL = 100_000  # observations of one session: more than are ever kept


class SessionVerbs(RememberingVerbs):
    """Sessions: start, observe, end, look back."""

    @operation(Effect.WRITE, name="session.start")
    def start_session(
        self,
        session_id: str | None = None,
        *,
        title: str | None = None,
        project: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        machine: str | None = None,
        branch: str | None = None,
        folder: str | Path | None = None,
        at: Moment | None = None,
        space: str | None = None,
    ) -> Session:
        """Begin a session, or go on with it. No other session is touched."""
        name, now = self._named(space), moment(at, "at") or self._engine.clock.now()
        wanted = checked_name(session_id, field="session_id") or self._engine.clock.new_id()
        told = {"title": title, "branch": branch, "folder": None if folder is None else str(folder)}
        said = {field: checked_name(value, field=field) for field, value in told.items() if value is not None}
        scopes = {"project": project, "agent": agent, "user": user, "machine": machine}
        scope = {field: checked_name(value, field=field) for field, value in scopes.items() if value is not None}
        archive = self._engine.archive
        if archive.session(name, wanted) is None:
            place = Scope(**scope).placed_in(self._caller.within)
            session = Session(wanted, name, now, scope=place, origin=self._caller.origin(), **said)  # type: ignore[arg-type]
            self._carry_out("session.start", name, OpenSession(session))
            return archive.session(name, wanted) or session
        return self._revise_session(
            "session.start",
            name,
            wanted,
            lambda known: replace(known, ended_at=None, scope=replace(known.scope, **scope), **said),  # type: ignore[arg-type]
        )

    @operation(Effect.WRITE, name="session.end")
    def end_session(self, session_id: str, *, at: Moment | None = None, space: str | None = None) -> SessionDigest:
        """End a session, this one only, and say in short what came of it."""
        name = self._known(space)
        end = moment(at, "at") or self._engine.clock.now()
        ended = self._revise_session(
            "session.end", name, session_id, lambda known: replace(known, ended_at=max(end, known.started_at))
        )
        return self._digest(ended)

    @operation(Effect.WRITE, name="session.link")
    def link_commit(
        self,
        session_id: str,
        commit: str,
        *,
        message: str | None = None,
        branch: str | None = None,
        at: Moment | None = None,
        space: str | None = None,
    ) -> Session:
        """Link a commit to the session it was made in."""
        name = self._known(space)
        made = Commit(
            sha=checked_sha(commit),
            at=moment(at, "at") or self._engine.clock.now(),
            message=(checked_name(message, field="message") or "")[:200],
            branch=checked_name(branch, field="branch"),
        )

        def linked(known: Session) -> Session:
            if any(each.sha == made.sha for each in known.commits):
                return known
            return replace(known, commits=(*known.commits, made)[-MOST_COMMITS:])

        return self._revise_session("session.link", name, session_id, linked)

    @operation(Effect.WRITE)
    def observe(
        self,
        event: str,
        text: str = "",
        *,
        tool: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        attachments: Sequence[Attachment | Mapping[str, Any]] = (),
        at: Moment | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
        **where: Unpack[WhereTold],
    ) -> Observed:
        """Keep what happened in a session, without its secrets: a prompt, what a tool did, a report."""
        from recollect.remember.activity import Event, seen

        name, now = self._named(space), moment(at, "at") or self._engine.clock.now()
        session_id = checked_name(where.get("session"), field="session")
        if session_id is None:
            raise InvalidInput("`session` is missing.", code="field_missing", hint="Say in which session it happened.")
        known = self._engine.archive.session(name, session_id)
        # Before anything is cut off: half a secret cannot be told from other words.
        said, given = clean(text), without_secrets(dict(arguments or {}))
        kept = seen(
            choice(Event, event, field="event"),
            said,
            tool=checked_name(tool, field="tool"),
            arguments=given,
            folder=known.folder if known else None,
        )
        files = _files(attachments)
        taken = files.redacted + placeholders([said, given]) - placeholders([text, dict(arguments or {})])
        asked: dict[str, Any] = {
            "event": event,
            "text": said,
            "tool": tool,
            "arguments": arguments and given,
            "session": session_id,
        }
        if files.records:
            asked["attachments"] = files.records
        request = request_for("observe", asked, idempotency_key)

        def attempt() -> Observed:
            earlier = self._engine.store.replay(name, request) if request else None
            if earlier is not None:
                return self._observed_before(name, earlier)
            heard, edits = self._noted(name, kept, where, now, files.records)
            edits += tuple(KeepAttachment(digest, content) for digest, content in files.contents.items())
            edits += self._read_later(name, session_id) if kept.kind is ObservationKind.PROMPT else ()
            changes = Changes(name, "observe", self._engine.clock.now(), self._caller.origin(), edits, request)
            receipt = self._apply(changes)
            if receipt.replayed:
                return self._observed_before(name, receipt)
            folded = sum(len(each.observation_ids) for each in edits if isinstance(each, FoldObservations))
            heard.redacted.update(taken)
            return without_secrets(_observed(heard, folded))

        return decided_anew(attempt)

    @operation(Effect.READ, for_agents=True)
    def sessions(
        self,
        *,
        project: str | None = None,
        commit: str | None = None,
        where: Mapping[str, Any] | None = None,
        limit: int = 20,
        cursor: str | None = None,
        space: str | None = None,
    ) -> Page[Session]:
        """List sessions, the one that began last first; with a commit, those it was made in.

        One that was given no title goes by what was asked in it first.
        """
        name, size = self._readable(space), checked_limit(limit)
        place, sha = checked_name(project, field="project"), checked_sha(commit) if commit else None
        mark = ("sessions", name, place, sha, *mark_of(where))
        begun = decode_cursor(cursor, of=mark, like=["", ""]) if cursor else None
        found, last = passing(
            lambda before, many: self._engine.archive.sessions(
                name, before=before, limit=many, project=place, commit=sha
            ),
            lambda session: (format_time(session.started_at), session.id),
            condition_in(where, self._engine.clock.now()),
            before=(begun[0], begun[1]) if begun else None,
            size=size,
        )
        return Page(tuple(map(self._titled, found)), encode_cursor(list(last), of=mark) if last else None)

    @operation(Effect.READ, name="session.show", for_agents=True)
    def session(self, session_id: str, *, space: str | None = None) -> SessionDigest:
        """Tell a session in short: what was asked, which files and commands, how it ended, what was left."""
        return self._digest(self._session(self._readable(space), session_id))

    @operation(Effect.READ)
    def replay(
        self, session_id: str, *, limit: int = 200, cursor: str | None = None, space: str | None = None
    ) -> Replay:
        """Show a session again, moment by moment, with its timing."""
        from recollect.domain.answers.sessions import Beat, Replay

        name, size = self._readable(space), checked_limit(limit)
        session = self._session(name, session_id)
        mark = ("replay", name, session.id)
        after, before = decode_cursor(cursor, of=mark, like=[0, 0]) if cursor else (0, 0)
        found = self._engine.archive.observations(name, session.id, after=after, limit=size + 1)
        beats: list[Beat] = []
        for each in self._kept(found[:size]):
            offset = max(before, _milliseconds(session.started_at, each.observed_at))
            beats.append(Beat(offset, offset - before, each))
            before = offset
        more = encode_cursor([found[size - 1].position, before], of=mark) if len(found) > size else None
        end = _milliseconds(session.started_at, session.ended_at) if session.ended_at else before
        return Replay(session, tuple(beats), max(end, before), more)

    def _revise_session(
        self, reason: str, space: str, session_id: str, decide: Callable[[Session], Session]
    ) -> Session:
        """Change a session; what changes nothing is not written."""

        def attempt() -> Session:
            known = self._session(space, session_id)
            session = without_secrets(decide(known))
            if session != known:
                self._carry_out(reason, space, ReviseSession(session, known))
            return session

        return decided_anew(attempt)

    def _session(self, space: str, session_id: str) -> Session:
        wanted = checked_name(session_id, field="session_id") or ""
        found = self._engine.archive.session(space, wanted)
        if found is None:
            raise no_session(wanted, space)
        return found

    def _titled(self, session: Session) -> Session:
        from recollect.reflect.sessions import asked_first

        if session.title:
            return session
        first = self._engine.archive.observations(session.space, session.id, after=0, limit=_FIRST)
        return replace(session, title=asked_first(standing(self._engine, session.space, first)))

    def _digest(self, session: Session) -> SessionDigest:
        from recollect.reflect.sessions import digest_of

        return digest_of(session, self._of_session(session))

    def _of_session(self, session: Session) -> list[Observation]:
        """The observations of a session, without those that are due to go or were taken back."""
        found = self._engine.archive.observations(session.space, session.id, after=0, limit=_ALL)
        return standing(self._engine, session.space, self._kept(found))

    def _kept(self, observations: Iterable[Observation]) -> list[Observation]:
        """The observations whose time to live is not over."""
        now = self._engine.clock.now()
        return [each for each in observations if not each.is_due(now)]

    def _noted(
        self, space: str, kept: Seen, where: WhereTold, at: datetime, files: tuple[AttachedFile, ...] = ()
    ) -> tuple[Heard, tuple[Edit, ...]]:
        """The edits to be written: the observation, what was learned from it and, before it, what makes room for it."""
        from recollect.remember.activity import MOST_OBSERVATIONS
        from recollect.remember.pipeline import Heard, keep

        setting = self._setting(space, where, "UTC", at)
        heard, message = Heard(), Message(kept.role or "system", kept.text, at, attachments=files)
        observation = keep(
            sound_text(kept.text),
            setting,
            heard,
            message=message,
            kind=kept.kind,
            title=kept.title,
            activity=kept.activity,
            files=kept.files,
        )
        if kept.kind is ObservationKind.PROMPT:
            self._read_prompts((observation,), setting, heard)
        room: tuple[Edit, ...] = ()
        if self._engine.archive.session_size(space, setting.session.id) >= MOST_OBSERVATIONS:
            room = self._room(space, setting.session.id)
        return heard, (OpenSession(setting.session), *room, *self._with_reviews(space, heard.edits))

    def _read_prompts(self, prompts: Sequence[Observation], setting: Circumstances, heard: Heard) -> None:
        """Learn from prompts; what was asked to be remembered and is no fact becomes a note in its own words, once."""
        from recollect.domain.answers.recollections import Learned
        from recollect.remember.known_facts import normalised
        from recollect.remember.pipeline import inherited_from, read_prompts

        scope = replace(setting.scope, agent=None, machine=None)
        granted: set[str] = set()
        for prompt, wish in read_prompts(prompts, setting, heard):
            if normalised(wish) in granted or self._is_kept(setting.space, wish, scope):
                continue
            granted.add(normalised(wish))
            told = {"text": wish, "derived_from": (prompt.id,), "valid_from": prompt.observed_at, "importance": 0.8}
            where = {name: value for name in SCOPE_FIELDS if (value := getattr(scope, name))}
            occasion = Occasion(setting.space, setting.at, setting.caller, setting.new_id())
            [edit] = decisions.save(occasion, {**where, **told, **inherited_from(prompt)})
            note = replace(edit.note, authority=setting.caller.word)
            heard.edits.append(WriteNote(note))
            heard.learned.append(Learned("added", "it was asked for", note, wish))

    def _is_kept(self, space: str, text: str, scope: Scope) -> bool:
        """Whether a note of that scope says so already, word for word."""
        from recollect.recall.words import words_of
        from recollect.remember.known_facts import normalised

        if not (words := words_of(text)):
            return False
        found = self._engine.store.matching(space, words, Selection(states=ONCE_TRUE, scope=scope), limit=_LIKE_IT)
        said = normalised(text)
        return any(match.note.scope == scope and normalised(match.note.text) == said for match in found)

    def _room(self, space: str, session_id: str) -> tuple[Edit, ...]:
        """A summary in the place of the lightest observations of a session."""
        from recollect.remember.activity import files_of, to_fold, told_of

        archive = self._engine.archive
        all_of_it = archive.observations(space, session_id, after=0, limit=_ALL)
        derived = archive.derived_notes(space, [each.id for each in all_of_it])
        folded = to_fold(all_of_it, {each for each, notes in derived.items() if notes})
        if not folded:
            return ()
        ends = [each.erase_at for each in folded if each.erase_at is not None]
        summary = Observation(
            id=self._engine.clock.new_id(),
            space=space,
            session_id=session_id,
            position=folded[0].position,
            kind=ObservationKind.SUMMARY,
            text=told_of(folded),
            observed_at=folded[-1].observed_at,
            recorded_at=self._engine.clock.now(),
            files=files_of(folded),
            origin=self._caller.origin(),
            erase_at=min(ends, default=None),  # it tells of each of them, so it goes with the first
        )
        return (FoldObservations(summary, tuple(each.id for each in folded)),)

    def _observed_before(self, space: str, receipt: Receipt) -> Observed:
        from recollect.domain.answers.sessions import Observed

        observed = [change.record_id for change in receipt.changes if change.kind is ChangeKind.OBSERVED]
        found = self._engine.archive.observation(space, observed[-1])
        if found is None:
            raise NotFound("What was observed then has been folded or forgotten.", code="observation_not_found")
        return Observed(found.session_id, found.id, found.kind, found.activity, found.files)


def checked_sha(sha: str) -> str:
    """The id of a commit in lower case, or a clear error."""
    found = sha.strip().lower() if isinstance(sha, str) else ""
    if not (7 <= len(found) <= 64 and all(sign in "0123456789abcdef" for sign in found)):
        raise InvalidInput(
            f"`{str(sha)[:60]}` is not the id of a commit.",
            code="invalid_commit",
            hint="Give 7 to 64 hexadecimal digits, as `git log` shows them.",
        )
    return found


def _files(attachments: Sequence[Attachment | Mapping[str, Any]]) -> AttachedFiles:
    from recollect.codecs.attachments import files_from

    return files_from(attachments)


def _observed(heard: Heard, folded: int) -> Observed:
    from recollect.domain.answers.sessions import Observed

    [said] = heard.observations
    redacted = dict(sorted(heard.redacted.items()))
    learned = tuple(heard.learned)
    return Observed(said.session_id, said.id, said.kind, said.activity, said.files, redacted, folded, learned)


def _milliseconds(start: datetime, end: datetime) -> int:
    return max(0, int((end - start).total_seconds() * 1000))


class AttachmentVerbs(Acting):
    """Files of messages: attachment."""

    @operation(Effect.READ)
    def attachment(self, digest: str, *, space: str | None = None) -> AttachmentContent:
        """Hand out a file that came with a message, byte for byte, by its digest."""
        name = self._readable(space)
        from recollect.codecs.attachments import checked_digest

        wanted = checked_digest(digest)
        found = self._engine.attachments.content(name, wanted, at=self._engine.clock.now())
        if found is None:
            raise NotFound(f"There is no file {wanted} in `{name}`.", code="attachment_not_found")
        return found
