"""Deriving notes anew, after something that they rest on has changed or gone.

The sources that are left, and those that took the place of others, are read again. If one of them says every word of
the note, the marks go and the note rests on it. Otherwise a model, where `tasks` names one for `reflect`, is shown the
messages among them; its insights wait in review. The note itself keeps its mark and the reason until a person decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime

from recollect.domain.changes import WriteNote
from recollect.domain.dataclass import replace
from recollect.domain.notes import ONCE_TRUE, Note, State, revised
from recollect.domain.observations import Observation
from recollect.domain.trust.authority_table import may_change
from recollect.domain.trust.disputes import is_stale, is_unsupported, without_marks
from recollect.recall.cited.draft import is_said_by, note_evidence, said_evidence
from recollect.recall.weights import WEIGHTS
from recollect.verbs.actor import chapter_alone
from recollect.verbs.lookup import standing_messages
from recollect.verbs.maintenance.reflection_round import ReflectionRound
from recollect.verbs.writing import Writing

_MOST_SUCCESSORS = 20  # notes that took the place of one source, one after the other


class Rederivation(Writing):
    """Reads the sources of marked notes again."""

    def rederived(
        self, space: str, note_ids: Sequence[str], finishing: Callable[[], AbstractContextManager[None]]
    ) -> None:
        """Derive notes anew; a model is shown the messages of all of them together.

        The last commit, if there is any, is made inside `finishing`.
        """
        renewed: list[WriteNote] = []
        left: dict[str, Observation] = {}
        for note in self._engine.store.current(space, note_ids).values():
            if note.state not in ONCE_TRUE or not may_change(self._caller, note.authority, "maintain"):
                continue
            if (again := self._renewed(note)) is not None:
                renewed.append(WriteNote(again))
            elif is_unsupported(note) or is_stale(note):
                left |= self._sources(note)[1]
        if renewed:
            with nullcontext() if left else finishing():
                self._carry_out("rederive", space, *renewed)
        if left:
            reflecting = chapter_alone(ReflectionRound, self._engine, self._caller)
            reflecting._fence = self._fence
            reflecting.reflected_on(space, [left[each] for each in sorted(left)], finishing)

    def _renewed(self, note: Note) -> Note | None:
        """The next version of a marked note without its marks, if its sources still say it; `None` if they do not."""

        if not (is_unsupported(note) or is_stale(note)):
            return None
        now, (notes, said) = self._engine.clock.now(), self._sources(note)
        if not supported_by(note, (*notes.values(), *said.values()), now):
            return None
        left = {*notes, *said}
        kept = {
            name: tuple(each for each in getattr(note, name) if each in left) for name in ("derived_from", "depends_on")
        }
        kept["depends_on"] += tuple(sorted(left - {*note.derived_from, *note.depends_on}))
        return revised(note, now, review=without_marks(note.review), **kept)

    def _sources(self, note: Note) -> tuple[Mapping[str, Note], Mapping[str, Observation]]:
        """The notes that hold and the messages that are left of a note's sources, and what took the place of others."""
        now, store = self._engine.clock.now(), self._engine.store
        named = (*note.derived_from, *note.depends_on)
        successors = [each for source in named for each in self._successors(note.space, source) if each != note.id]
        notes = {
            key: each
            for key, each in store.current(note.space, [*named, *successors]).items()
            if each.state is State.ACTIVE and not is_unsupported(each) and not each.is_due(now)
        }
        said = standing_messages(self._engine, note.space, named)
        return notes, {key: each for key, each in said.items() if not each.is_due(now)}

    def _successors(self, space: str, source: str) -> Iterator[str]:
        """The notes that took the place of a note, and of these in turn."""
        seen, left = {source}, [source]
        while left and len(seen) <= _MOST_SUCCESSORS:
            for relation, note_id in self._engine.lineage.links_to(space, left.pop()):
                if relation == "supersedes" and note_id not in seen:
                    seen.add(note_id)
                    left.append(note_id)
                    yield note_id


_EVERY_WORD = replace(WEIGHTS.answer, said=1.0)  # nobody looks at it again, so no word may be missing


def supported_by(note: Note, sources: Sequence[Note | Observation], now: datetime) -> bool:
    """Whether one source says every word of a note."""
    evidence = [
        note_evidence(each, now) if isinstance(each, Note) else said_evidence(each, each.text) for each in sources
    ]
    return any(is_said_by(note.text, [each], _EVERY_WORD) for each in evidence)
