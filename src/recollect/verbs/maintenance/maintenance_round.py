"""Maintenance of a space, phase by phase: each is whole by itself, and a second time finds nothing left to do.

Nothing is deleted but what was told to be kept for a time only. A note that another takes over from stays in history
with the reason, and `review` is where a person is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from recollect.attributes.lifecycle import ESSENTIAL
from recollect.domain.answers.recollections import Usage
from recollect.domain.answers.upkeep import PHASES, MaintenanceReport, MaintenanceScope, Phase, PhaseReport
from recollect.domain.changes import WriteNote
from recollect.domain.notes import ONCE_TRUE, Note, State, revised
from recollect.domain.selections import current_notes
from recollect.domain.trust.authority_table import may_change
from recollect.domain.trust.feedback import is_essential
from recollect.verbs.actor import MOST_PER_PAGE, chapter_alone
from recollect.verbs.maintenance.rederivation import Rederivation
from recollect.verbs.maintenance.reflection_round import ReflectionRound
from recollect.verbs.reflection import ReflectingVerbs
from recollect.verbs.upkeep import UpkeepVerbs

if TYPE_CHECKING:
    from recollect.domain.jobs.job import Job

_AT_A_TIME = 200  # notes written in one transaction
_CRYSTAL_DAYS = 7  # after which sessions are ripe for a crystal


class MaintenanceRound(UpkeepVerbs, ReflectingVerbs, Rederivation):
    """One round of maintenance in the name of a job."""

    def maintained(self, job: Job, scope: MaintenanceScope, tell: Callable[[str, int, int], None]) -> MaintenanceReport:
        """Go through the phases of a scope, from the one on in which an earlier try was interrupted."""
        phases = PHASES[scope]
        names = [phase.value for phase in phases]
        begun = names.index(job.progress.phase) if job.progress and job.progress.phase in names else 0
        done = []
        for number, phase in enumerate(phases[begun:], start=begun):
            beat = partial(tell, phase.value, number, len(phases))  # also a good moment to stop
            beat()
            done.append(self._phase(phase, job.space, beat))
        tell(_in_short(done), len(phases), len(phases))
        usage = sum((each.usage for each in done), Usage())
        return MaintenanceReport(job.space, scope, job.id, tuple(done), phases[:begun], usage)

    def _phase(self, phase: Phase, space: str, beat: Callable[[], None]) -> PhaseReport:
        match phase:
            case Phase.EXPIRE:
                tidied = self.tidy(space=space)
                ended, erased = (*tidied.expired, *tidied.faded), len(tidied.erased)
                return PhaseReport(phase, len(ended) + erased, ended, f"{erased:,} erased" if erased else "")
            case Phase.CONSOLIDATE:
                return self._consolidated(space)
            case Phase.REDERIVE:
                return self._rewritten(phase, space, self._supported_again(space))
            case Phase.PROMOTE:
                now = self._engine.clock.now()
                proven = (note for note in self._mine(space) if note.state is State.ACTIVE and is_essential(note))
                low = [revised(note, now, importance=ESSENTIAL) for note in proven if note.importance < ESSENTIAL]
                return self._rewritten(phase, space, low)
            case Phase.EMBED:
                return self._embedded(space, beat)
            case Phase.JUDGE:
                judge = self._engine.judge
                many = self._engine.links.waiting(space, judge.model_id) if judge else 0
                self._judge_what_waits(space, lambda *_: beat())
                return PhaseReport(phase, many)
            case Phase.REFLECT:
                return self._reflected(space)
            case Phase.CRYSTALLIZE:
                return self._crystallized(space)

    def _embedded(self, space: str, beat: Callable[[], None]) -> PhaseReport:
        """Vectors for what lacks them. A provider may be down or at its cap, so a job asks it, and no phase waits."""
        from recollect.domain.meanings import RemoteModel

        embedders, beside = self._engine.embedders, self._engine.inference.get().beside
        many = max((self._engine.vectors.lacking(space, each.model_id) for each in embedders), default=0)
        if any(isinstance(each, RemoteModel) for each in (*embedders, beside)):
            if many or beside is not None:
                self._queue("maintain: embed", self._embedding_of(space))
            return PhaseReport(Phase.EMBED, 0, (), f"{many:,} wait for a provider" if many else "")
        self._embed_what_is_missing(space, lambda *_: beat())
        return PhaseReport(Phase.EMBED, many)

    def _consolidated(self, space: str) -> PhaseReport:
        from recollect.remember.tidy import near_duplicates

        now = self._engine.clock.now()
        found = near_duplicates(self._mine(space), self._caller, now)
        return self._rewritten(Phase.CONSOLIDATE, space, found)

    def _supported_again(self, space: str) -> list[Note]:
        """Notes that wait because a source changed or went, and that what is left of their sources still says."""
        renewed = (self._renewed(note) for note in self._mine(space))
        return [note for note in renewed if note is not None]

    def _reflected(self, space: str) -> PhaseReport:
        reflecting = chapter_alone(ReflectionRound, self._engine, self._caller)
        reflecting._fence = self._fence
        found = reflecting.reflected(space, project=None, user=None, apply=True)
        notes = tuple(each.note_id for part in found.parts for each in part.insights if each.note_id)
        why = next((part.fallback for part in found.parts if part.fallback), "")
        return PhaseReport(Phase.REFLECT, len(notes), notes, why, found.usage)

    def _crystallized(self, space: str) -> PhaseReport:
        sessions = self._engine.archive.sessions(space, before=None, limit=MOST_PER_PAGE)
        projects = sorted({session.scope.project for session in sessions if session.scope.project})
        made = (self.make_crystal(project=each, days=_CRYSTAL_DAYS, space=space).note for each in projects)
        notes = tuple(note.id for note in made if note is not None)
        return PhaseReport(Phase.CRYSTALLIZE, len(notes), notes)

    def _rewritten(self, phase: Phase, space: str, notes: list[Note]) -> PhaseReport:
        """Write some notes anew, a few hundred at a time; those that somebody else changed meanwhile wait a round."""
        written: list[str] = []
        for start in range(0, len(notes), _AT_A_TIME):
            some = notes[start : start + _AT_A_TIME]
            known = self._engine.store.current(space, [note.id for note in some])
            if all(known[note.id].version == note.version - 1 for note in some if note.id in known):
                self._carry_out(f"maintain: {phase.value}", space, *map(WriteNote, some))
                written += (note.id for note in some)
        return PhaseReport(phase, len(written), tuple(written))

    def _mine(self, space: str) -> Iterator[Note]:
        """The notes that once held and that the caller may change."""
        for note in current_notes(self._engine.store, space):
            if note.state in ONCE_TRUE and may_change(self._caller, note.authority, "maintain"):
                yield note


def _in_short(done: list[PhaseReport]) -> str:
    """The outcome in a line, which the job keeps."""
    told = [f"{each.phase.value} {each.changed:,}" for each in done if each.changed]
    return ", ".join(told) or "nothing to do"
