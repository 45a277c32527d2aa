"""Formation: a conversation is kept word for word when it comes, and read by a job, once and in its order.

The messages, the job and the number of the conversation are one commit. So are the facts that the job reads and its
end: a conversation takes effect exactly once, however often a process dies at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.domain.brain import (
    FORM,
    LANE,
    LARGEST_FORMED,
    Brain,
    BrainConversation,
    Collection,
    require_room,
    round_due,
)
from recollect.domain.changes import ChangeKind, Changes, Edit, KeepAttachment, OpenSession, QueueJob, Receipt
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, InvalidInput, TooLarge
from recollect.domain.jobs.job import UPKEEP, Job
from recollect.redaction.clean_records import checked_name
from recollect.verbs.listening import MOST_MESSAGES
from recollect.verbs.models.session_reading import SessionReading, unread_statements
from recollect.verbs.writing import decided_anew, request_for

if TYPE_CHECKING:
    from recollect.verbs.actor import WhereTold
    from recollect.verbs.listening import IncomingMessages

_TRIES = 20  # at a conversation, before it is a dead letter and the next one has its turn
_IGNORED = "ignored"


class Formation(SessionReading):
    """Takes conversations in, and forms them."""

    def submitted(
        self,
        space: str,
        told: IncomingMessages,
        where: WhereTold,
        *,
        topic: str | None,
        source: str | None,
        key: str | None,
    ) -> BrainConversation:
        """Keep a conversation, and queue its formation. Nothing is learned from it yet."""
        if not told.messages:
            raise InvalidInput("There are no messages.", code="invalid_messages", hint="Give at least one.")
        if (size := sum(len(each.text) for each in told.messages)) > LARGEST_FORMED:
            raise TooLarge(f"Input too large: {size:,} characters; a conversation may have {LARGEST_FORMED:,}.")
        named = {"topic": checked_name(topic, field="topic"), "source": checked_name(source, field="source")}
        said = [(each.role, each.text, each.speaker) for each in told.messages]  # without times: now is never the same
        request = request_for("brain.form", {"messages": said, "where": dict(where), **named}, key)
        brains = self._engine.brains
        earlier = self._engine.store.replay(space, request) if request else None
        if earlier is None:
            require_room(brains.brain(space) or Brain(space), brains.figures(space))
            edits = self._submission(space, told, where, **named)
            changes = Changes(space, "brain.form", self._engine.clock.now(), self._caller.origin(), edits, request)
            earlier = self._apply(changes)
        return self._numbered(space, earlier)

    def maintained_later(self, space: str, scope: str) -> BrainConversation:
        """Queue maintenance as a numbered conversation; refused while something is under way."""

        def attempt() -> Receipt:
            basis = self._basis(space, frozenset({ChangeKind.JOB_QUEUED}))
            figures = self._engine.brains.figures(space)
            if figures.are_open(Collection.FORMATION) or figures.are_open(Collection.MAINTENANCE):
                raise Conflict(
                    "Formation or Maintenance is processing, cannot start maintenance.",
                    code="brain_busy",
                    hint="Ask again when `recollect brain show` says that neither is.",
                )
            edits, at = (QueueJob(self._round_of(space, scope)),), self._engine.clock.now()
            return self._apply(Changes(space, "brain.maintain", at, self._caller.origin(), edits, basis=basis))

        return self._numbered(space, decided_anew(attempt))

    def restarted(self, found: BrainConversation) -> BrainConversation:
        """Form a conversation anew: what was read from it before is not learned twice."""
        payload = {"session": found.record_id, "collection": found.collection.value, "conversation": found.id}
        job = self._forming_of(found.space, payload)
        return self._numbered(found.space, self._carry_out("brain.restart", found.space, QueueJob(job)))

    def formed(self, conversation: BrainConversation, tell: Callable[[str, int, int], None]) -> None:
        """Learn what the messages of a conversation say, all in one commit."""
        from recollect.remember.pipeline import Heard, learn_later, read_kept

        space, session_id = conversation.space, conversation.record_id or ""
        now = self._engine.clock.now()
        kept = self._engine.archive.observations(space, session_id, after=0, limit=MOST_MESSAGES)
        messages = [each for each in kept if not each.is_due(now)]

        def attempt() -> None:
            heard = Heard()
            known = self._made_from(space, messages)
            settings = {said.id: self._then(space, said) for said in messages if said.role == "user"}
            read = [(said, read_kept(said, settings[said.id], heard)) for said in messages if said.id in settings]
            learn_later(
                [
                    (said, unread_statements(reading, known[said.id], said), settings[said.id])
                    for said, reading in read
                    if reading is not None
                ],
                heard,
            )
            filed = sum(each.action != _IGNORED for each in heard.learned)
            tell("formed", filed, len(heard.learned))
            edits: tuple[Edit, ...] = (
                *self._with_reviews(space, heard.edits),
                *self._read_later(space, session_id),
                *self._round_after(conversation),
            )
            self._apply(Changes(space, FORM, now, self._caller.origin(), edits))

        decided_anew(attempt)

    def _submission(
        self, space: str, told: IncomingMessages, where: WhereTold, *, topic: str | None, source: str | None
    ) -> tuple[Edit, ...]:
        from recollect.remember.pipeline import Heard, keep

        own = {name: value for name, value in where.items() if name != "session"}
        setting = self._setting(space, own, "UTC", told.messages[0].at)  # type: ignore[arg-type]
        session = replace(setting.session, title=topic)
        heard = Heard(edits=[OpenSession(session)])
        for message in told.messages:
            keep(message.text, setting, heard, message=message, origin=self._caller.origin(source))
        files = (KeepAttachment(digest, content) for digest, content in told.contents.items())
        payload = {"session": session.id, "collection": Collection.FORMATION.value}
        return (*heard.edits, *files, QueueJob(self._forming_of(space, payload)))

    def _forming_of(self, space: str, payload: Mapping[str, Any]) -> Job:
        return self._new_job(FORM, space, payload=payload, lane=LANE, max_attempts=_TRIES)

    def _round_of(self, space: str, scope: str) -> Job:
        """Maintenance that has a number. It has no key: each one that is asked for is one of its own."""
        payload = {"scope": scope, "collection": Collection.MAINTENANCE.value}
        return self._new_job(UPKEEP, space, payload=payload, lane=UPKEEP)

    def _round_after(self, conversation: BrainConversation) -> tuple[QueueJob, ...]:
        """The maintenance that is due after a conversation, unless it is formed a second time."""
        figures = self._engine.brains.figures(conversation.space)
        if conversation.id <= figures.processed.get(Collection.FORMATION, 0):
            return ()
        scope = round_due(conversation.id, figures.rounds)
        return () if scope is None else (QueueJob(self._round_of(conversation.space, scope)),)

    def _numbered(self, space: str, receipt: Receipt) -> BrainConversation:
        """The conversation whose job is in a receipt."""
        queued = (change.record_id for change in receipt.changes if change.kind is ChangeKind.JOB_QUEUED)
        found = next(filter(None, (self._engine.brains.of_job(space, each) for each in queued)), None)
        if found is None:
            raise Conflict(
                "The conversation was taken up anew meanwhile.", code="conversation_taken", hint="Ask for it."
            )
        return found
