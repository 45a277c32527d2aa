"""A model reads what it has not read of a session, segment by segment; what it found goes the way of all statements.

Each segment is one commit: the facts, and how far the session is read. So a second run begins where the last one ended,
and nothing is read twice or left out. A segment of which a model makes nothing sensible is passed by after some tries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from recollect.domain.changes import Changes, Edit, MarkRead
from recollect.domain.chat.chat_model import OF_NO_USE, TRIES_OF_NO_USE, ModelTask, RefusalCode, Unanswered
from recollect.domain.dataclass import replace
from recollect.domain.jobs.job import READ
from recollect.domain.observations import ObservationKind
from recollect.domain.origin import Caller
from recollect.domain.readings import Reading
from recollect.verbs.listening import RememberingVerbs
from recollect.verbs.lookup import standing
from recollect.verbs.writing import decided_anew

if TYPE_CHECKING:
    from recollect.domain.jobs.job import Job
    from recollect.domain.notes import Note
    from recollect.domain.observations import Observation
    from recollect.readers.model.model_reader import ModelReader
    from recollect.remember.pipeline import Circumstances
    from recollect.remember.segments import Segment

_LOOKED_AT = 200  # observations of a session at a time


class SessionReading(RememberingVerbs):
    """Reads sessions by a model."""

    def _read_session(self, space: str, session_id: str, *, tell: Callable[[str, int, int], None]) -> Job | None:
        """Read what is whole of a session; the job for the rest, if people still talk. Raises `Unanswered`.

        At the cap of a session, which no day lifts, the rest stays unread.
        """
        model, done = self._working_model(ModelTask.READ, space, session_id), 0
        if model is None:
            return None
        from recollect.readers.model.model_reader import ModelReader
        from recollect.remember.segments import QUIET, is_whole, next_segment

        while unread := self._unread_of(space, session_id):
            now, segment = self._engine.clock.now(), next_segment(unread)
            if not is_whole(unread, segment, now):
                return replace(self._reading_of(space, session_id), due_at=now + QUIET)
            tell(model.model_id, done, done + len(unread))
            segment = replace(segment, messages=tuple(standing(self._engine, space, segment.messages)))
            try:
                readings = self._readings(ModelReader(model), segment.messages)
            except Unanswered as problem:
                if not problem.is_final:
                    raise
                tell(problem.code, done, done + len(unread))
                return None
            self._keep_readings(space, session_id, segment, readings)
            done += len(segment.messages)
        return None

    def _unread_of(self, space: str, session_id: str) -> Sequence[Observation]:
        archive, now = self._engine.archive, self._engine.clock.now()
        session = archive.session(space, session_id)
        if session is None:
            return ()
        found = archive.observations(space, session_id, after=session.read_to, limit=_LOOKED_AT)
        return [each for each in found if not each.is_due(now)]

    def _readings(self, reader: ModelReader, messages: Sequence[Observation]) -> Sequence[Reading]:
        """The reading of each of some messages, empty after some answers of no use. Raises `Unanswered` without any.

        If an answer was cut off at its limit, each half of the messages is read by itself.
        """
        from recollect.remember.segments import MOST_BEFORE, as_shown, is_spoken

        if not messages:
            return ()
        first, now = messages[0], self._engine.clock.now()
        near = self._engine.archive.around(first.space, [first.id], reach=MOST_BEFORE)
        earlier = [each for each in near if each.position < first.position and not each.is_due(now)]
        spoken = standing(self._engine, first.space, filter(is_spoken, earlier))
        before = [as_shown(each, before=True) for each in spoken]
        for _ in range(TRIES_OF_NO_USE):
            read = reader.read_segment([as_shown(each) for each in messages], before)
            if read.refusal is None:
                return read.readings
            if read.refusal.code is RefusalCode.TRUNCATED and len(messages) > 1:
                half = len(messages) // 2
                return [part for some in (messages[:half], messages[half:]) for part in self._readings(reader, some)]
            if read.refusal.code not in OF_NO_USE:
                raise Unanswered(read.refusal)
        return [Reading()] * len(messages)

    def _keep_readings(self, space: str, session_id: str, segment: Segment, readings: Sequence[Reading]) -> None:
        """File what was read, in one commit with how far the session is read."""
        from recollect.remember.pipeline import Heard, learn_later

        def attempt() -> None:
            heard = Heard()
            known = self._made_from(space, segment.messages)
            told = [
                (said, unread_statements(reading, known[said.id], said), self._then(space, said))
                for said, reading in zip(segment.messages, readings, strict=True)
            ]
            learn_later(told, heard)
            edits: tuple[Edit, ...] = (*self._with_reviews(space, heard.edits), MarkRead(session_id, segment.end))
            self._apply(Changes(space, READ, self._engine.clock.now(), self._caller.origin(), edits))

        decided_anew(attempt)

    def _made_from(self, space: str, messages: Sequence[Observation]) -> Mapping[str, Sequence[Note]]:
        """The notes that were made from each message so far, whatever has become of them."""
        ids = [each.id for each in messages]
        derived = self._engine.archive.derived_notes(space, ids)
        notes = self._engine.store.current(space, sorted({each for found in derived.values() for each in found}))
        return {each: [notes[note] for note in derived.get(each, ()) if note in notes] for each in ids}

    def _then(self, space: str, said: Observation) -> Circumstances:
        """The circumstances in which a message was told: by whom, where, and what their word counts."""
        origin, prompt = said.origin, said.kind is ObservationKind.PROMPT
        caller = Caller(origin.channel, origin.principal, origin.session)
        scope = replace(said.scope, agent=None, machine=None) if prompt else said.scope
        setting = self._setting(space, {"session": said.session_id}, "UTC", said.observed_at)
        return replace(setting, caller=caller, scope=scope, authority=caller.word if prompt else None)


def unread_statements(reading: Reading, known: Sequence[Note], said: Observation) -> Reading:
    """A reading without what was read from the message before."""
    from recollect.remember.known_facts import was_read_before

    fresh = [each for each in reading.statements if not was_read_before(each, known, said.observed_at)]
    return replace(reading, statements=tuple(fresh))
