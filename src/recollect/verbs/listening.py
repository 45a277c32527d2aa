"""Verbs that listen: what people say, in any shape of a message, becomes what is known, with no model.

What reads messages is large, so it is imported when something is first said, and not by a command that only lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Unpack

from recollect.domain.changes import ChangeKind, Changes, Edit, KeepAttachment, QueueJob, Receipt, WriteNote
from recollect.domain.clock import end_of_life, parse_time
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.jobs.job import READ
from recollect.domain.notes import MAX_METADATA_BYTES, ONCE_TRUE, Note, checked_metadata
from recollect.domain.observations import AttachedFile, Message, Observation, Session
from recollect.domain.origin import Authority, rank
from recollect.domain.periods import Period, Precision
from recollect.domain.readings import Polarity, Statement, Tense
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.selections import Selection
from recollect.domain.text import sound_text, without_control_characters
from recollect.domain.triggers import checked_triggers, with_triggers
from recollect.domain.values import choice
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, checked_text, clean_beside, without_secrets
from recollect.remember import decisions
from recollect.remember.fields import checked_fields
from recollect.verbs.actor import Moment, WhereTold, moment, operation, zone_named
from recollect.verbs.writing import Writing, decided_anew, request_for

if TYPE_CHECKING:
    from recollect.codecs.attachments import GivenFile
    from recollect.domain.answers.recollections import Learned, Remembered
    from recollect.domain.attachments.attachment import Attachment
    from recollect.domain.jobs.job import Job
    from recollect.remember.pipeline import Circumstances, Heard

_MOST_KNOWN = 1000  # notes on one subject and attribute that are looked at


@dataclass(frozen=True, slots=True)
class IncomingMessages:
    """Messages, and apart from them the bytes of their files: whatever reads messages sees none of these."""

    messages: Sequence[Message]
    contents: Mapping[str, bytes] = field(default_factory=dict)  # by their digests
    redacted: Counter[str] = field(default_factory=Counter)  # secrets that were in files, and in the words about them


class RememberingVerbs(Writing):
    """Things people say: add, watch, learn."""

    @operation(Effect.WRITE, for_agents=True)
    def add(
        self,
        messages: str | Sequence[Mapping[str, Any]],
        *,
        at: Moment | None = None,
        zone: str = "UTC",
        extract: bool = True,
        attachments: Sequence[Attachment | Mapping[str, Any]] = (),
        idempotency_key: str | None = None,
        space: str | None = None,
        **where: Unpack[WhereTold],
    ) -> Remembered:
        """Listen to messages: keep them word for word, and learn the facts in them.

        Files are kept with the last message; nothing is read from them.
        """
        name, said_at = self._named(space), moment(at, "at") or self._engine.clock.now()
        told = incoming_from(messages, at=said_at, attachments=attachments)
        asked = {"messages": told.messages, "where": dict(where), "extract": extract}
        return self._hear("add", name, told, where, zone, asked, idempotency_key, read=extract)

    @operation(Effect.WRITE)
    def watch(
        self,
        text: str,
        *,
        at: Moment | None = None,
        zone: str = "UTC",
        attachments: Sequence[Attachment | Mapping[str, Any]] = (),
        space: str | None = None,
        **where: Unpack[WhereTold],
    ) -> Remembered | None:
        """Listen for a wish to have something remembered, and do so; anything else is let go by."""
        from recollect.domain.answers.recollections import Learned
        from recollect.language.english.directions import asked_to_remember
        from recollect.redaction.redactor import redact

        clean = redact(sound_text(text))  # before anything is cut off: half a secret cannot be told from other words
        wish = asked_to_remember(clean.text)
        if wish is None:
            return None
        redacted = dict(sorted(Counter(each.kind for each in clean.redactions).items()))
        said_at = moment(at, "at") or self._engine.clock.now()
        conversation = incoming_from(wish, at=said_at, attachments=attachments)
        remembered = self._hear("watch", self._named(space), conversation, where, zone, {}, None, read=True)
        remembered = replace(remembered, redacted={**remembered.redacted, **redacted})
        if remembered.learned:
            return remembered
        # It was asked for, so it is kept as a note even if no fact could be read from it.
        name = self._named(space)
        told = {"text": wish, "derived_from": remembered.observation_ids, "valid_from": said_at, "importance": 0.8}
        fields = checked_fields({**where, **told}, required=("text",))
        # Its message is not looked up: in a rehearsal it is not there.
        note = self._write("watch", name, lambda: decisions.save(self._occasion(name), fields), asked=fields, key=None)
        learned = Learned("added", "it was asked for", note, wish)
        return replace(remembered, learned=(learned,), passed_over=())

    @operation(Effect.WRITE, for_agents=True)
    def learn(
        self,
        subject: str,
        attribute: str,
        value: str,
        *,
        text: str | None = None,
        many: bool | None = None,
        polarity: str = "affirmed",
        past: bool = False,
        since: Moment | None = None,
        until: Moment | None = None,
        corrects: bool = False,
        replaces: str | None = None,
        confidence: float = 1.0,
        source: str | None = None,
        when: Sequence[str] | None = None,
        at: Moment | None = None,
        space: str | None = None,
        **where: Unpack[WhereTold],
    ) -> Learned:
        """Take in one fact that somebody has worked out already, and reconcile it with what is known."""
        from recollect.attributes.catalogue import attribute_named, flagged
        from recollect.attributes.records import Flag
        from recollect.language.rendering import called, rendered
        from recollect.remember.known_facts import FactFinding
        from recollect.remember.pipeline import Heard, learn

        catalogued = attribute_named(checked_name(attribute, field="attribute") or "")
        name = catalogued.name if catalogued else (checked_name(attribute, field="attribute") or "").lower()
        about = checked_name(subject, field="subject")
        if not name or not about:
            raise InvalidInput("A fact needs a subject and an attribute.", code="field_missing")
        how = choice(Polarity, polarity, field="polarity")
        tense = Tense.PAST if past else Tense.PRESENT
        said_at = moment(at, "at") or self._engine.clock.now()
        worth = clean_beside(name, _checked_value(value))
        told_by = checked_name(source, field="source")
        statement = Statement(
            subject=about,
            attribute=name,
            value=worth,
            text=checked_text(text)
            if text
            else rendered(called(about), name, attribute_named(name), worth, polarity=how, tense=tense),
            quote=checked_text(text) if text else worth,
            many=catalogued.many if many is None and catalogued else bool(many),
            polarity=how,
            tense=tense,
            since=_from_then(moment(since, "since")),
            until=_up_to(moment(until, "until")),
            corrects=corrects,
            replaces=checked_name(replaces, field="replaces"),
            confidence=confidence,
        )
        finding = FactFinding(
            statement=statement,
            said_at=said_at,
            origin=self._caller.origin(told_by),
            authority=self._caller.authority(None),
            source=told_by or self._caller.principal,
            scope=_scope(where, self._caller.within),
            essential=flagged(name, Flag.ESSENTIAL),
            **self._belongings(where),
        )
        spot, told_when = self._named(space), checked_triggers(when) if when else ()

        def attempt() -> Learned:
            heard = Heard()
            learned = learn(statement, finding, self._setting(spot, where, "UTC", said_at), heard)
            if told_when and learned.note is not None:
                heard.edits, learned = _with_when(heard.edits, learned, told_when, finding.authority)
            if heard.edits:
                self._carry_out("learn", spot, *heard.edits)
            return without_secrets(learned)

        return decided_anew(attempt)

    def _hear(
        self,
        reason: str,
        space: str,
        told: IncomingMessages,
        where: WhereTold,
        zone: str,
        asked: Mapping[str, Any],
        key: str | None,
        *,
        read: bool,
    ) -> Remembered:
        """Hear and write, hearing anew when another process was faster."""
        from recollect.remember.pipeline import hear

        request = request_for(reason, asked, key)
        if request is not None:
            earlier = self._engine.store.replay(space, request)
            if earlier is not None:
                return self._remembered_before(space, earlier)

        def attempt() -> Remembered:
            setting = self._setting(space, where, zone, told.messages[0].at)
            heard = hear(told.messages, setting, read=read)
            heard.redacted.update(told.redacted)
            files = (KeepAttachment(digest, content) for digest, content in told.contents.items())
            reading = self._read_later(space, setting.session.id) if read else ()
            edits = (*self._with_reviews(space, heard.edits), *files, *reading)
            receipt = self._apply(Changes(space, reason, setting.at, self._caller.origin(), edits, request))
            if receipt.replayed:
                return self._remembered_before(space, receipt)
            return without_secrets(_remembered(setting.session, heard))

        return decided_anew(attempt)

    def _read_later(self, space: str, session_id: str) -> tuple[QueueJob, ...]:
        """The job that has a model read what was said in a session, where the settings choose one for that."""
        if not self._engine.settings.providers:
            return ()
        from recollect.domain.chat.chat_model import ModelTask

        if self._working_model(ModelTask.READ, space, session_id) is None:
            return ()
        return (QueueJob(self._reading_of(space, session_id)),)

    def _reading_of(self, space: str, session_id: str) -> Job:
        """The job that reads a session by a model, once people paused. Many messages are one job."""
        import hashlib

        from recollect.remember.segments import QUIET

        key = f"{READ}:{hashlib.sha256(session_id.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
        job = self._new_job(READ, space, payload={"session": session_id}, key=key, lane=key, max_attempts=20)
        return replace(job, due_at=job.due_at + QUIET)

    def _setting(self, space: str, where: WhereTold, zone: str, started_at: datetime) -> Circumstances:
        from recollect.remember.pipeline import Circumstances

        clock = self._engine.clock
        scope = _scope(where, self._caller.within)
        given = scope.session
        session = Session(
            id=given or clock.new_id(),
            space=space,
            started_at=started_at,
            scope=scope,
            origin=self._caller.origin(),
        )
        # The session is where something was said; what was learned there holds beyond it.
        held = Scope(scope.user, scope.agent, scope.project, None, scope.machine)
        return Circumstances(
            space=space,
            session=session,
            scope=held,
            caller=self._caller,
            at=clock.now(),
            zone=zone_named(zone),
            new_id=clock.new_id,
            lookup=lambda subject, attribute: self._notes_on(space, subject, attribute),
            holding=lambda value: self._notes_with(space, value),
            reader=self._engine.reader,
            **self._belongings(where),
            likeness=partial(self._likeness, space) if self._scale() is not None else None,
        )

    def _belongings(self, where: WhereTold) -> dict[str, Any]:
        """The metadata of something that is told, and when it is to be erased."""
        if where.get("metadata") is None and where.get("ttl") is None:
            return {"metadata": {}, "erase_at": None}
        given = checked_fields({name: where.get(name) for name in ("metadata", "ttl")})
        end = end_of_life(self._engine.clock.now(), given.get("ttl"))
        from recollect.domain.notes import of_callers

        return {"metadata": checked_metadata(of_callers(given.get("metadata", {}))), "erase_at": end}

    def _likeness(self, space: str, one: str, other: str) -> float:
        """How alike two texts are in meaning, by a model whose scale is known."""
        embedder = self._engine.embedder
        if embedder is None:
            raise AssertionError("there is a scale only where there is a model")
        from recollect.domain.meanings import embedder_for, likeness_of

        return likeness_of(embedder_for(space, embedder), one, other)

    def _notes_on(self, space: str, subject: str | None, attribute: str) -> Sequence[Note]:
        now = self._engine.clock.now()
        selection = Selection(states=ONCE_TRUE, subject=subject, attribute=attribute, kept_at=now)
        return self._engine.store.notes(space, selection, before=None, limit=_MOST_KNOWN)

    def _notes_with(self, space: str, value: str) -> Sequence[Note]:
        """The notes that have a value, whatever they are about."""
        from recollect.recall.words import words_of
        from recollect.remember.known_facts import same_value

        words = words_of(value)
        if not words:
            return ()
        selection = Selection(states=ONCE_TRUE, kept_at=self._engine.clock.now())
        found = self._engine.store.matching(space, words, selection, limit=_MOST_KNOWN)
        return [match.note for match in found if match.note.value and same_value(match.note.value, value)]

    def _remembered_before(self, space: str, receipt: Receipt) -> Remembered:
        """The result of a request when it was first made, rebuilt from its receipt."""
        from recollect.domain.answers.recollections import Learned, Remembered

        observed = tuple(change.record_id for change in receipt.changes if change.kind is ChangeKind.OBSERVED)
        first = self._engine.archive.observation(space, observed[0]) if observed else None
        learned = []
        for change in receipt.changes:
            if change.kind is ChangeKind.WRITTEN:
                note = self._engine.store.version(space, change.record_id, change.version)
                learned.append(Learned("replayed", "done before, under the same key", note, ""))
        said = self._engine.archive.those(space, observed) if observed else {}
        return Remembered(
            first.session_id if first else "", observed, tuple(learned), attachments=_files_of(said.values())
        )


def _remembered(session: Session, heard: Heard) -> Remembered:
    from recollect.domain.answers.recollections import Remembered

    return Remembered(
        session_id=session.id,
        observation_ids=tuple(observation.id for observation in heard.observations),
        learned=tuple(heard.learned),
        passed_over=tuple(heard.passed_over),
        redacted=dict(sorted(heard.redacted.items())),
        attachments=_files_of(heard.observations),
    )


def _files_of(observations: Iterable[Observation]) -> tuple[AttachedFile, ...]:
    return tuple(file for observation in observations for file in observation.attachments)


def _with_when(
    edits: Sequence[Edit], learned: Learned, when: Sequence[str], authority: Authority
) -> tuple[list[Edit], Learned]:
    """The edits of a fact that is to be told at some moments, and what was learned. When one is told that was known
    already is changed only by somebody who ranks as high as it does."""
    told = list(edits)
    for place, edit in enumerate(told):
        if not isinstance(edit, WriteNote) or (edit.note.version > 1 and rank(authority) < rank(edit.note.authority)):
            continue
        if learned.note is not None and edit.note.id == learned.note.id:
            note = replace(edit.note, metadata=with_triggers(edit.note.metadata, when))
            told[place], learned = WriteNote(note), replace(learned, note=note)
    return told, learned


def _scope(where: Mapping[str, Any], within: Scope) -> Scope:
    """The scope of what is said, which the caller's own fills up."""
    return Scope(*(checked_name(where.get(name), field=name) or getattr(within, name) for name in SCOPE_FIELDS))


def _checked_value(value: str) -> str:
    """The value of a fact; one that the metadata of its note has no room for is refused before any work."""
    sound = sound_text(value, field="value")
    if len(sound.encode()) > MAX_METADATA_BYTES:
        raise TooLarge(
            f"`value` is over its limit of {MAX_METADATA_BYTES:,} bytes.",
            hint="Learn a short value, and give the whole as `text`.",
        )
    return checked_text(value, field="value")


def _from_then(start: datetime | None) -> Period | None:
    return None if start is None else Period(start, datetime.max.replace(tzinfo=start.tzinfo), Precision.MOMENT)


def _up_to(end: datetime | None) -> Period | None:
    return None if end is None else Period(datetime.min.replace(tzinfo=end.tzinfo), end, Precision.MOMENT)


# -- messages in the shapes that callers and vendors send them in ------------------------------------------------------

MOST_MESSAGES = 10_000
ROLES = ("user", "assistant", "system", "tool")

# The fields of a message that are read; those of one line mean the same.
_FIELDS = (("role",), ("content", "text"), ("at", "timestamp"), ("name", "speaker"))
_READ = tuple(name for alike in _FIELDS for name in alike)
_LOOKED_AT = 20  # other fields of a message that are compared with ours; vendors have fewer, and comparing costs
_LONGEST_ALIKE = 16  # letters: a longer name cannot be a misspelling of ours


def incoming_from(
    given: str | Sequence[Mapping[str, Any]], *, at: datetime, attachments: Sequence[GivenFile] = ()
) -> IncomingMessages:
    """Messages in any of their usual shapes. `at` is the time of those that do not say theirs.

    A message is what somebody said, not what somebody filled in: control characters are dropped, not refused. Files
    that are parts of a message belong to it; `attachments` are of the last one.
    """
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    if isinstance(given, Mapping) or not isinstance(given, Sequence):
        raise InvalidInput("`messages` must be text or a list of messages.", code="invalid_messages", hint=_SHAPE)
    if len(given) > MOST_MESSAGES:
        raise TooLarge(f"{len(given)} messages were given; at most {MOST_MESSAGES} are taken at once.")
    messages: list[Message] = []
    contents: dict[str, bytes] = {}
    redacted: Counter[str] = Counter()
    for number, each in enumerate(given, start=1):
        message, own = _message(each, number, at)
        own_files = attachments if number == len(given) else ()
        if own_files != () or not isinstance(own, str):
            from recollect.codecs.attachments import files_from, files_in_parts, listed

            attached = files_from([*files_in_parts(own), *listed(own_files)])
            message = replace(message, attachments=attached.records)
            contents.update(attached.contents)
            redacted.update(attached.redacted)
        if message.text.strip() or message.attachments:
            messages.append(message)
    if not messages:
        raise InvalidInput("The messages are empty.", code="empty_text", hint="Say what should be remembered.")
    return IncomingMessages(tuple(messages), contents, redacted)


_SHAPE = 'For example [{"role": "user", "content": "I moved to Berlin"}].'


def _message(given: Any, number: int, at: datetime) -> tuple[Message, Any]:
    """A message without its files, and the content they may be in."""
    if isinstance(given, str):
        given = {"role": "user", "content": given}
    if not isinstance(given, Mapping):
        raise InvalidInput(f"Message {number} is not an object.", code="invalid_messages", hint=_SHAPE)
    _refuse_misspelled(given, number)
    role = given.get("role", "user")
    if role not in ROLES:
        raise InvalidInput(
            f"Message {number} has the role {role!r}.", code="unknown_role", hint=f"It can be: {', '.join(ROLES)}."
        )
    said_at = given.get("at", given.get("timestamp"))
    content = given.get("content", given.get("text"))
    message = Message(
        role=role,
        text=without_control_characters(_text(content, number)),
        at=at if said_at is None else parse_time(said_at, field=f"at of message {number}"),
        speaker=checked_name(given.get("name", given.get("speaker")), field=f"name of message {number}"),
    )
    return message, content


def _refuse_misspelled(given: Mapping[str, Any], number: int) -> None:
    """Refuse a field that stands for one of ours, if ours is not there: the message would lose its time or speaker.

    Every vendor's messages have fields of their own (`tool_calls`, `refusal`, `id`, `annotations`). They are passed
    over, as they are not part of what was said.
    """
    others = [name for name in given if isinstance(name, str) and name not in _READ and len(name) <= _LONGEST_ALIKE]
    for name in others[:_LOOKED_AT]:
        meant = None if given[name] is None else _meant(name)
        if meant and not any(alike in given for each in _FIELDS if meant in each for alike in each):
            from recollect.domain.suggestions import unknown_field

            raise unknown_field(name, of=f"message {number}", known=_READ, what="field")


@lru_cache(maxsize=256)
def _meant(name: str) -> str | None:
    from recollect.domain.suggestions import meant_by

    return next(iter(meant_by(name, _READ)), None)


def _text(content: Any, number: int) -> str:
    """The text of a message; of one in parts, its text parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = [part.get("text", "") if isinstance(part, Mapping) else part for part in content]
        if all(isinstance(part, str) for part in parts):
            return "\n".join(part for part in parts if part)
    raise InvalidInput(f"Message {number} has no text.", code="invalid_messages", hint=_SHAPE)
