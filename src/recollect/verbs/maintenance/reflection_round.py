"""Reflecting: what happened since the last time becomes a few notes that wait in review, project by project.

Each session says how far it was reflected on. The notes of a part and the marks of its sessions are one change, so a
second round finds nothing left to do, and one that was broken off left nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from recollect.domain.answers.recollections import Usage
from recollect.domain.answers.sessions import REFLECTED_CONFIDENCE, REFLECTION, Insight, Reflected, ReflectedPart
from recollect.domain.changes import ReviseSession, WriteNote
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.desk import subject_of
from recollect.domain.notes import Kind, Note, State
from recollect.domain.observations import may_be_read
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import Scope
from recollect.domain.selections import Selection
from recollect.recall.words import asked_words
from recollect.remember.decisions import save
from recollect.verbs.lookup import standing
from recollect.verbs.writing import Writing, decided_anew

if TYPE_CHECKING:
    from recollect.domain.chat.chat_model import ChatModel
    from recollect.domain.observations import Observation, Session

_MOST_SESSIONS = 500  # that are looked at in one round
_MOST_READ = 1000  # observations of one part in one round
_COMPARED = 20  # records that are compared with a sentence
_KNOWN = 30  # notes that a model is told are known
_DELIMITER = 10  # characters of chance around what a model is shown
_ELSEWHERE = "It was reflected on by somebody else in the meantime."
_WAITS = "Made by reflecting on past sessions: keep it, edit it or reject it."


@dataclass(slots=True)
class _Part:
    """Sessions that are reflected on together, and what is new in them."""

    scope: Scope
    sessions: list[Session] = field(default_factory=list)
    fresh: list[Observation] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    more: bool = False


@dataclass(frozen=True, slots=True)
class _Thought:
    """The insights of a part, and what a model had to do with them."""

    insights: list[Insight]
    dropped: int = 0
    model: str = ""
    fallback: str = ""
    usage: Usage = field(default_factory=Usage)
    again: bool = False  # the same is to be read again the next time


class ReflectionRound(Writing):
    """One round over all that was not reflected on yet."""

    def reflected(self, space: str, *, project: str | None, user: str | None, apply: bool) -> Reflected:
        """Reflect on a project, a user, or everything; the parts in the order in which their first session began."""
        sessions = self._engine.archive.unreflected(space, limit=_MOST_SESSIONS, project=project, user=user)
        parts: dict[Scope, _Part] = {}
        for session in sessions:
            place = session.scope
            of_all = place.project is not None and user is None
            scope = Scope(user=None if of_all else place.user, project=place.project)
            self._read(parts.setdefault(scope, _Part(scope)), session)
        found = tuple(self._reflected(space, part, apply) for part in parts.values())
        return Reflected(apply, found, sum((each.usage for each in found), Usage()))

    def reflected_on(
        self, space: str, said: list[Observation], finishing: Callable[[], AbstractContextManager[None]]
    ) -> None:
        """Have a model, where there is one, reflect on some messages again; nothing is written twice.

        Insights are filed where their messages were said, whoever made the note that asks for it.
        """
        from recollect.domain.chat.chat_model import ModelTask

        mind = self._engine.chat_models.for_task(ModelTask.REFLECT, space=space)
        if mind is None:
            return
        parts: dict[Scope, list[Observation]] = {}
        for each in filter(_is_lasting, said):
            parts.setdefault(Scope(user=each.scope.user, project=each.scope.project), []).append(each)
        made = [each for scope, fresh in parts.items() for each in self._distilled_in_turn(space, scope, fresh, mind)]
        for number, (part, thought) in enumerate(made, start=1):
            with finishing() if number == len(made) else nullcontext():
                self._written_down(space, part, thought)

    def _distilled_in_turn(
        self, space: str, scope: Scope, fresh: list[Observation], mind: ChatModel
    ) -> Iterator[tuple[_Part, _Thought]]:
        """The insights of messages, as many at a time as a model is shown at once; what was said before is left out."""
        told: set[str] = set()
        while fresh:
            part = _Part(scope, fresh=fresh)
            thought = self._distilled(space, part, mind)
            fresh = fresh[len(part.fresh) :]
            insights = [each for each in thought.insights if each.text not in told]
            told.update(each.text for each in insights)
            if insights:
                yield part, replace(thought, insights=insights)

    def _read(self, part: _Part, session: Session) -> None:
        room = _MOST_READ - len(part.fresh)
        found = self._engine.archive.observations(session.space, session.id, after=session.reflected, limit=room + 1)
        part.more = part.more or len(found) > room
        if not found[:room]:
            return
        part.sessions.append(session)
        part.marks[session.id] = found[:room][-1].position
        part.fresh += standing(self._engine, session.space, filter(_is_lasting, found[:room]))

    def _reflected(self, space: str, part: _Part, apply: bool) -> ReflectedPart:
        thought = self._thought(space, part)
        insights = thought.insights
        if apply and not thought.again:
            written = self._written_down(space, part, thought)
            thought = thought if written is not None else replace(thought, fallback=_ELSEWHERE)
            insights = written or []
        return ReflectedPart(
            project=part.scope.project,
            user=part.scope.user,
            session_ids=tuple(session.id for session in part.sessions if session.id in part.marks),
            observations=len(part.fresh),
            insights=tuple(insights),
            more=part.more,
            dropped=thought.dropped,
            model=thought.model,
            fallback=thought.fallback,
            usage=thought.usage,
        )

    def _thought(self, space: str, part: _Part) -> _Thought:
        """The insights of a model, if there is one for it; else what was said again and again, in its own words."""
        from recollect.domain.chat.chat_model import ModelTask

        mind = self._engine.chat_models.for_task(ModelTask.REFLECT, space=space)
        if mind is not None and part.fresh:
            thought = self._distilled(space, part, mind)
            if thought.again or not thought.fallback:
                return thought
            return replace(thought, insights=self._told(space, part), model="")
        return _Thought(self._told(space, part))

    def _told(self, space: str, part: _Part) -> list[Insight]:
        """Insights without a model."""
        from recollect.reflect.episodes import MOST_INSIGHTS, claims_of, failures_of, insights_of

        claims = claims_of(part.fresh)
        earlier = {claim.text: self._said_before(space, claim.text, part.scope) for claim in claims}
        found = [*insights_of(claims, earlier), *failures_of(self._with_failures(space, part))]
        return [each for each in found if not self._is_known(space, each, part.scope)][:MOST_INSIGHTS]

    def _distilled(self, space: str, part: _Part, mind: ChatModel) -> _Thought:
        from recollect.domain.chat.chat_model import OF_NO_USE
        from recollect.reflect import distillation

        fits = distillation.fitting(part.fresh)
        if fits < len(part.fresh):
            part.more = True
            part.fresh = part.fresh[:fits]
            last = {each.session_id: each.position for each in part.fresh}
            part.marks = {session: last[session] for session in part.marks if session in last}
        evidence = distillation.shown_of(part.fresh)
        if not evidence:
            return _Thought([])
        holding = Selection(states=frozenset({State.ACTIVE}), scope=part.scope)
        held = self._engine.store.notes(space, holding, before=None, limit=_KNOWN)
        known = [note for note in held if _is_of(note.scope, part.scope) and note.erase_at is None]
        delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
        request = distillation.messages_for(evidence, known, delimiter)
        reply = mind.reply(request, schema=distillation.SCHEMA, max_tokens=distillation.LONGEST_REPLY)
        if reply.refusal is not None:
            # Of an answer that would be of no use the next time either the same text is not paid for again.
            again = reply.refusal.code not in OF_NO_USE
            return _Thought([], 0, mind.model_id, reply.refusal.message, reply.usage, again)
        kept, dropped = distillation.distilled(reply.data, evidence, mind.model_id)
        kept = [each for each in kept if not self._is_known(space, each, part.scope)]
        return _Thought(kept, dropped, mind.model_id, usage=reply.usage)

    def _said_before(self, space: str, text: str, scope: Scope) -> Sequence[Observation]:
        now, words = self._engine.clock.now(), asked_words(text)
        found = self._engine.archive.matching(space, words, until=now, limit=_COMPARED, scope=scope)
        lasting = (each for each in found if _is_lasting(each) and _is_of(each.scope, scope))
        return standing(self._engine, space, lasting)

    def _with_failures(self, space: str, part: _Part) -> list[Observation]:
        """Observations that are new, and for each new failure earlier runs of its command with what came after."""
        from recollect.domain.observations import ObservationKind
        from recollect.recall.reminders.failures import REACH

        found = {each.id: each for each in part.fresh}
        failed = {each.title for each in part.fresh if each.kind is ObservationKind.TOOL_FAILURE and each.title}
        for title in sorted(failed)[:_COMPARED]:
            before = [each.id for each in self._said_before(space, title, part.scope) if each.title == title]
            near = self._engine.archive.around(space, before, reach=REACH)
            found |= {each.id: each for each in standing(self._engine, space, filter(_is_lasting, near))}
        return list(found.values())

    def _is_known(self, space: str, insight: Insight, scope: Scope) -> bool:
        """Whether a note of the part, or of no place, says it already, also a rejected one: nobody is asked twice."""
        from recollect.recall.cited.draft import is_said_by, note_evidence

        now = self._engine.clock.now()
        words, states = asked_words(insight.text), frozenset({State.ACTIVE, State.RETRACTED, State.DISPUTED})
        return any(
            is_said_by(insight.text, [note_evidence(match.note, now)])
            for place in dict.fromkeys((scope, Scope()))
            for match in self._engine.store.matching(space, words, Selection(states, scope=place), limit=_COMPARED)
            if not match.note.is_due(now) and any(_is_of(match.note.scope, each) for each in (scope, Scope()))
        )

    def _written_down(self, space: str, part: _Part, thought: _Thought) -> list[Insight] | None:
        """The insights with their notes, written together with the marks; `None` if somebody else was faster."""
        caller = Caller(Channel.DERIVED, self._caller.principal, within=self._caller.within)

        def attempt() -> list[Insight] | None:
            now = [(read, self._engine.archive.session(space, read.id)) for read in part.sessions]
            if any(known is None or known.reflected != read.reflected for read, known in now):
                return None
            notes = [self._note(space, caller, part.scope, each, thought.model) for each in thought.insights]
            marks = [
                ReviseSession(replace(known, reflected=part.marks[known.id]), known)
                for _, known in now
                if known is not None and known.id in part.marks
            ]
            self._carry_out("reflect", space, *(WriteNote(note) for note in notes), *marks)
            return [replace(each, note_id=note.id) for each, note in zip(thought.insights, notes, strict=True)]

        return decided_anew(attempt)

    def _note(self, space: str, caller: Caller, scope: Scope, insight: Insight, model: str) -> Note:
        """The note of an insight. Nobody said it so: it is worth no more than what a program hands on."""
        from recollect.domain.notes import MAX_LINKS
        from recollect.reflect.distillation import PROMPT_VERSION

        made = {"reason": insight.reason, **({"model": model, "prompt": PROMPT_VERSION} if model else {})}
        [edit] = save(
            replace(self._occasion(space), caller=caller),
            {
                "text": insight.text,
                "kind": insight.kind,
                "tags": (REFLECTION,),
                "subject": subject_of(insight.text) if insight.kind is Kind.LESSON else None,
                "confidence": REFLECTED_CONFIDENCE,
                "derived_from": insight.sources[:MAX_LINKS],
                "review": _WAITS,
                "source": REFLECTION,
                "metadata": {REFLECTION: made},
                "project": scope.project,
                "user": scope.user,
            },
        )
        return edit.note


def _is_lasting(said: Observation) -> bool:
    """Whether notes may be made of it: not of what is not to be kept for long, which they would outlive, nor of what
    was told not to be read."""
    return said.erase_at is None and may_be_read(said)


def _is_of(place: Scope, part: Scope) -> bool:
    """Whether something was said in a part. A project is one part, whoever speaks; outside of projects a user is."""
    return place.project == part.project and (place.user == part.user or (part.project is not None and not part.user))
