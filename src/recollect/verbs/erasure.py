"""Erasing many records at once: counted first, confirmed by a token, then erased some at a time.

Notes and messages that were told to be kept for a time only are erased once that time is over, without a question.

It is no chapter of its own: it is loaded by the verbs that need it, which few processes call.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.answers.recollections import MassErasure
from recollect.domain.changes import Basis, Changes, DeleteSpace, DropSession, EraseNote, LimitSpace, OpenSpace
from recollect.domain.clock import just_after
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, InvalidInput
from recollect.domain.filters.conditions import Comparison, resolved
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.domain.origin import rank
from recollect.domain.scopes import ANYWHERE, Scope
from recollect.domain.selections import Selection
from recollect.domain.trust.authority_table import authority_of, may_change, require_rank
from recollect.redaction.clean_records import checked_name
from recollect.verbs.actor import MOST_PER_PAGE
from recollect.verbs.notes import NoteVerbs
from recollect.verbs.selection import filter_in
from recollect.verbs.writing import MARKED_BY, decided_anew

if TYPE_CHECKING:
    from recollect.domain.notes import Note
    from recollect.domain.observations import Session

_SAMPLE = 10  # ids that are shown of what would go
_AT_A_TIME = 200  # records of one commit: others can write in between


class MassEraser(NoteVerbs):
    """Counts what would go and, once that is confirmed, erases it."""

    def by_filter(self, where: Mapping[str, Any], confirm: str | None, space: str | None) -> MassErasure:
        """Erase every note that a filter finds, of any state and time."""
        name, asked = self._known(space), filter_in({"where": where})
        if asked is None or not asked.condition.parts:
            hint = "To erase everything, use `reset`."
            raise InvalidInput("`where` is empty, which would mean every note.", code="invalid_filter", hint=hint)
        store = self._engine.store
        condition = resolved(asked.condition, self._engine.clock.now())
        found = store.current(name, store.ids(name, Selection(where=condition)))
        notes = {each.id: each for each in found.values() if may_change(self._caller, each.authority, "forget-all")}
        told = MassErasure(
            len(notes),
            len(self._evidence_for(name, list(notes))),
            passed_over=len(found) - len(notes),
            sample=_newest(notes),
            confirm=confirmation_of("forget-all", name, asked.to_dict(), _versions(notes)),
        )
        if confirm is None:
            return told
        require_confirmed(confirm, told.confirm, "forget-all")
        return self._erased("forget-all", name, told, notes)

    def of_scope(self, user: str | None, agent: str | None, confirm: str | None, space: str | None) -> MassErasure:
        """Erase everything of a user or an agent, or of the whole space."""
        name, store = self._known(space), self._engine.store
        whose = Scope(user=checked_name(user, field="user"), agent=checked_name(agent, field="agent"))
        notes = store.current(name, store.ids(name, Selection(scope=whose)))
        said = self._engine.archive.ids(name, whose)
        sessions = [each.id for each in self._every_session(name) if whose.includes(each.scope)]
        for note in notes.values():
            require_rank(self._caller, note.authority, "reset", what=f"Note {note.id}")
        found = [*_versions(notes), *((each, 0) for each in (*said, *sessions))]
        asked = {"user": whose.user, "agent": whose.agent}
        token = confirmation_of("reset", name, asked, found)
        told = MassErasure(len(notes), len(said), len(sessions), sample=_newest(notes), confirm=token)
        if confirm is None:
            return told
        require_confirmed(confirm, token, "reset")
        if whose != ANYWHERE:
            return self._erased("reset", name, told, notes, said, sessions)
        self._empty(name)
        residue = self._cleaned(name, list(notes)) if self._rehearsed is None else None
        return replace(told, confirm="", done=True, residue=residue)

    def _empty(self, name: str) -> None:
        """Erase a space with everything in it, and make it again as it was described and limited."""
        store = self._engine.store
        space = store.space(name)
        if space is None:
            return  # the default one, to which nothing was ever written
        kept = store.summary(space)
        self._carry_out("reset", name, DeleteSpace())
        self._carry_out(
            "reset",
            name,
            OpenSpace(kept.description),
            LimitSpace(kept.max_notes, kept.max_messages, kept.max_attachment_bytes),
        )

    def _erased(
        self,
        verb: str,
        space: str,
        told: MassErasure,
        notes: Mapping[str, Note],
        said: Sequence[str] = (),
        sessions: Sequence[str] = (),
    ) -> MassErasure:
        """Erase records, each commit with its own entry in the audit log."""
        archive = self._engine.archive
        gone: list[str] = []
        messages = 0
        for some in _pieces(sorted(notes)):
            erased, with_them = self._erase_some(verb, space, {each: notes[each] for each in some})
            gone += erased
            messages += with_them
        left = sorted(archive.those(space, said))
        for some in _pieces(left):
            self._carry_out(verb, space, *(EraseNote(each) for each in some))
        emptied = [each for each in sessions if not archive.session_size(space, each)]
        for some in _pieces(emptied):
            self._carry_out(verb, space, *(DropSession(each) for each in some))
        residue = self._cleaned(space, gone) if self._rehearsed is None else None
        counted = replace(told, notes=len(gone), messages=messages + len(left), sessions=len(emptied))
        return replace(counted, confirm="", done=True, residue=residue)

    def _erase_some(self, verb: str, space: str, notes: Mapping[str, Note]) -> tuple[list[str], int]:
        """Erase some notes, and the messages they were read from: the ids of the ones, how many of the others.

        A note that was changed since it was counted stays, as it may no longer be meant.
        """

        def attempt() -> tuple[list[str], int]:
            basis = self._basis(space, MARKED_BY)
            now = self._engine.store.current(space, list(notes))
            meant = [each for each, note in now.items() if note.version == notes[each].version]
            evidence = self._evidence_for(space, meant)
            edits = self._with_reviews(space, [EraseNote(each) for each in (*meant, *evidence)])
            at, origin = self._engine.clock.now(), self._caller.origin()
            self._apply(Changes(space, verb, at, origin, tuple(edits), basis=basis))
            return meant, len(evidence)

        return decided_anew(attempt)

    def _every_session(self, space: str) -> Iterator[Session]:
        after = ""
        while page := self._engine.archive.export_sessions(space, after=after, limit=MOST_PER_PAGE):
            yield from page
            after = page[-1].id


def _versions(notes: Mapping[str, Note]) -> list[tuple[str, int]]:
    return [(note.id, note.version) for note in notes.values()]


def _newest(notes: Mapping[str, Note]) -> tuple[str, ...]:
    return tuple(sorted(notes, reverse=True)[:_SAMPLE])


def _pieces(records: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(records), _AT_A_TIME):
        yield records[start : start + _AT_A_TIME]


_DIGITS = 24  # 96 bits; it guards against a mistake, and everybody who can make one may also erase


def confirmation_of(verb: str, space: str, asked: Mapping[str, Any], found: Iterable[tuple[str, int]]) -> str:
    """The token for what is asked for and the set that was found: each record by its id and its version."""
    import hashlib

    told = json.dumps([verb, space, asked, sorted(found)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def require_confirmed(confirm: str, token: str, verb: str) -> None:
    """Raise unless the token that was handed back is that of what would be erased now."""
    if confirm.strip().lower() != token:
        raise Conflict(
            f"`{verb}` was confirmed for something else: the filter or what it finds has changed. Nothing was erased.",
            code="not_confirmed",
            hint="Call it without `confirm`, look at what would go, and hand back the token it gives.",
        )


class DueEraser(NoteVerbs):
    """Erases what is due in a space. Whoever calls it need not rank high: the end was set by somebody who could."""

    def erased(self, space: str) -> tuple[str, ...]:
        """Erase all that is due, each commit with its own entry in the audit log; the ids of what is gone."""
        store, archive = self._engine.store, self._engine.archive
        due = Comparison("erases", "until", just_after(self._engine.clock.now()))
        notes = sorted(store.ids(space, Selection(where=due)))
        gone: list[str] = []
        for start in range(0, len(notes), _AT_A_TIME):
            gone += self._erased_notes(space, notes[start : start + _AT_A_TIME])
        after = ""
        while said := archive.due(space, self._engine.clock.now(), after=after, limit=_AT_A_TIME):
            # That says nothing against what was read from them, so no note is marked for review.
            self._apply(self._erasing(space, said))
            gone += said
            after = said[-1]
        if gone and self._rehearsed is None:
            self._cleaned(space, gone)
        return tuple(gone)

    def _erased_notes(self, space: str, note_ids: list[str]) -> list[str]:
        """Erase those of some notes that are due by now, and the messages from which nothing else was read."""

        def attempt() -> list[str]:
            basis, now = self._basis(space, MARKED_BY), self._engine.clock.now()
            current = self._engine.store.current(space, note_ids)
            due = sorted(each.id for each in current.values() if each.is_due(now))
            if not due:
                return []
            read = self._engine.archive.derived_notes(space, self._evidence_for(space, due))
            said = self._engine.archive.those(space, list(read))
            alone = [
                each
                for each, notes in read.items()
                if set(notes) <= set(due) and any(_ranks_as_high(current[one], said[each]) for one in notes)
            ]
            self._apply(self._erasing(space, [*due, *alone], basis=basis))
            return [*due, *alone]

        return decided_anew(attempt)

    def _erasing(self, space: str, record_ids: Sequence[str], basis: Basis | None = None) -> Changes:
        at, origin, edits = self._engine.clock.now(), self._caller.origin(), tuple(map(EraseNote, record_ids))
        return Changes(space, "tidy: at the end of their time", at, origin, edits, basis=basis)


def _ranks_as_high(note: Note, said: Observation) -> bool:
    """Whether a note is worth what a message is: one who could not forget the message does not end its time either."""
    return rank(note.authority) >= rank(authority_of(said))
