"""Verbs that look back over work and put an older collection of notes in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.changes import WriteNote
from recollect.domain.clock import checked_id, format_time, parse_time
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import ONCE_TRUE, Note, State
from recollect.domain.observations import Observation, Session
from recollect.domain.origin import Authority, Caller, Channel
from recollect.domain.readings import PROJECT
from recollect.domain.scopes import Scope
from recollect.domain.selections import Page, Selection
from recollect.domain.trust.authority_table import may_change
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name
from recollect.remember.decisions import save
from recollect.verbs.actor import MOST_PER_PAGE, chapter_alone, operation
from recollect.verbs.selection import condition_in, passing
from recollect.verbs.sessions import SessionVerbs
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.answers.recollections import MassErasure
    from recollect.domain.answers.sessions import Crystal, ProjectProfile, Reflected, Timeline
    from recollect.domain.answers.vaults import Maintained
    from recollect.verbs.erasure import MassEraser


_MOST_AROUND = 200  # observations before and after a moment
_SESSIONS = 50  # of a project that its profile is made of, newest first


class ReflectingVerbs(SessionVerbs):
    """Results of work: timeline, project profile, crystals, reflection."""

    @operation(Effect.WRITE)
    def reflect(
        self, *, project: str | None = None, user: str | None = None, apply: bool = False, space: str | None = None
    ) -> Reflected:
        """Make a few lasting notes of what happened since the last time, each with its sources, to wait in review."""
        from recollect.verbs.maintenance.reflection_round import ReflectionRound

        name = self._known(space)
        place = {"project": checked_name(project, field="project"), "user": checked_name(user, field="user")}
        reflecting = chapter_alone(ReflectionRound, self._engine, self._caller)
        reflecting._rehearsed, reflecting._fence = self._rehearsed, self._fence
        return reflecting.reflected(name, **place, apply=apply)

    @operation(Effect.READ, for_agents=True)
    def timeline(
        self,
        anchor: str,
        *,
        before: int = 10,
        after: int = 10,
        project: str | None = None,
        session: str | None = None,
        where: Mapping[str, Any] | None = None,
        space: str | None = None,
    ) -> Timeline:
        """Show what happened around a moment: a time, or when something was observed or written down."""
        from recollect.domain.answers.sessions import Timeline

        name = self._readable(space)
        earlier, later = _checked_count(before, "before"), _checked_count(after, "after")
        found, moment, mark = self._moment(name, anchor)
        place = {
            "session_id": checked_name(session, field="session"),
            "project": checked_name(project, field="project"),
        }
        condition = condition_in(where, self._engine.clock.now())

        def beside(many: int, *, to_come: bool) -> list[Observation]:
            told, _ = passing(
                lambda before, some: self._engine.archive.beside(
                    name, before or (moment, mark), later=to_come, limit=some, **place
                ),
                lambda each: (format_time(each.observed_at), each.id),
                condition,
                before=None,
                size=many,
            )
            return self._kept(told)

        return Timeline(
            at=parse_time(moment, field="anchor"),
            before=tuple(reversed(beside(earlier, to_come=False))),
            found=found,
            after=tuple(beside(later, to_come=True)),
        )

    @operation(Effect.READ, name="project-profile", for_agents=True)
    def project_profile(self, project: str, *, space: str | None = None) -> ProjectProfile:
        """Say what a project comes to: what is talked about, which files, what was agreed, what keeps failing."""
        from recollect.reflect.projects import project_profile

        name, place = self._readable(space), checked_name(project, field="project")
        if place is None:
            raise InvalidInput("`project` is empty.", code="field_missing")
        holding = Selection(states=ONCE_TRUE, valid_at=self._engine.clock.now(), scope=Scope(project=place))
        notes = self._engine.store.notes(name, holding, before=None, limit=MOST_PER_PAGE)
        agreed = [
            note
            for note in notes
            if (note.subject or "").partition(":")[0] == PROJECT or note.authority is Authority.INSTRUCTION
        ]
        return project_profile(place, self._sessions_of(name, place), notes, agreed)

    @operation(Effect.WRITE, name="crystals.make")
    def make_crystal(self, *, project: str | None = None, days: int = 7, space: str | None = None) -> Crystal:
        """Make one note of the sessions of a project that ended long enough ago, to stand for them."""
        from recollect.domain.answers.sessions import Crystal
        from recollect.reflect.projects import crystal_of, ripe

        name, place = self._known(space), checked_name(project, field="project")
        if isinstance(days, bool) or not isinstance(days, int) or not 0 <= days <= 36_500:
            raise InvalidInput(f"`days` is {days!r}; it must be a whole number from 0 on.", code="invalid_number")
        before = {each for note in self._crystals(name, place) for each in note.metadata.get("sessions", ())}
        known = self._engine.archive.sessions(name, before=None, limit=MOST_PER_PAGE, project=place)
        own = [session for session in known if session.scope.project == place]
        chosen = ripe(own, before, now=self._engine.clock.now(), days=days)
        if not chosen:
            return Crystal(None, ())
        # Nobody said it: it is worth no more than what it was made of.
        occasion = replace(self._occasion(name), caller=Caller(Channel.DERIVED, self._caller.principal))
        [edit] = save(occasion, crystal_of(place, [(each, self._of_session(each)) for each in chosen]))
        self._carry_out("crystals.make", name, WriteNote(edit.note))
        return Crystal(edit.note, tuple(session.id for session in chosen))

    @operation(Effect.READ, name="crystals.list")
    def crystals(self, *, project: str | None = None, space: str | None = None) -> Page[Note]:
        """List the notes that stand for many sessions of a project, newest first."""
        name, place = self._readable(space), checked_name(project, field="project")
        return Page(tuple(self._crystals(name, place)))

    def _crystals(self, space: str, project: str | None) -> Sequence[Note]:
        from recollect.domain.answers.sessions import crystal_subject

        selection = Selection(states=frozenset({State.ACTIVE}), subject=crystal_subject(project))
        return self._engine.store.notes(space, selection, before=None, limit=MOST_PER_PAGE)

    def _sessions_of(self, space: str, project: str) -> list[tuple[Session, list[Observation]]]:
        known = self._engine.archive.sessions(space, before=None, limit=_SESSIONS, project=project)
        return [(session, self._of_session(session)) for session in known]

    def _moment(self, space: str, anchor: str) -> tuple[Observation | None, str, str]:
        """The observation that an anchor names, its time, and the key that sorts it among things of the same moment."""
        from recollect.domain.clock import format_time

        try:
            wanted = checked_id(anchor)
        except InvalidInput:
            return None, format_time(parse_time(anchor, field="anchor")), ""
        said = self._engine.archive.observation(space, wanted)
        if said is not None:
            if said.is_due(self._engine.clock.now()):
                raise self._absent(space, wanted)
            return said, format_time(said.observed_at), said.id
        note = self._current(space, wanted)
        return None, format_time(note.occurred_at or note.recorded_at), ""


def _checked_count(count: int, field: str) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_AROUND:
        raise InvalidInput(
            f"`{field}` is {count!r}; it must be a whole number from 0 to {_MOST_AROUND}.", code="invalid_number"
        )
    return count


_AT_A_TIME = 200  # notes written in one transaction


class MaintainingVerbs(Writing):
    """In order: migrate, dedup, backfill-provenance, forget-all, reset."""

    @operation(Effect.WRITE)
    def migrate(self, projects: Mapping[str, Any], *, apply: bool = False, space: str | None = None) -> Maintained:
        """Give projects other names, in every note; `global` stands for no project."""
        from recollect.remember import tidy

        names = {str(old): _project(new) for old, new in projects.items()}
        name = self._known(space)
        now = self._engine.clock.now()
        return self._maintained("migrate", name, tidy.rekeyed(self._every(name), names, self._caller, now), apply)

    @operation(Effect.WRITE)
    def dedup(self, *, apply: bool = False, space: str | None = None) -> Maintained:
        """Let one note take over from all that say the same word for word."""
        from recollect.remember import tidy

        name = self._known(space)
        now = self._engine.clock.now()
        return self._maintained("dedup", name, tidy.deduplicated(self._every(name), self._caller, now), apply)

    @operation(Effect.WRITE, name="backfill-provenance")
    def backfill_provenance(self, *, apply: bool = False, space: str | None = None) -> Maintained:
        """Write down where notes came from whose tags say so, such as `import` or `session`."""
        from recollect.remember import tidy

        name = self._known(space)
        notes = tidy.with_provenance(self._every(name), self._caller, self._engine.clock.now())
        return self._maintained("backfill-provenance", name, notes, apply)

    def _every(self, space: str) -> list[Note]:
        """Every note that the caller may change."""
        from recollect.domain.selections import current_notes

        every = current_notes(self._engine.store, space)
        return [note for note in every if may_change(self._caller, note.authority, "migrate")]

    @operation(Effect.DESTROY, name="forget-all")
    def forget_all(
        self, *, where: Mapping[str, Any], confirm: str | None = None, space: str | None = None
    ) -> MassErasure:
        """Erase every note that a filter finds, whatever its state, and the messages they were read from.

        Without `confirm` nothing is erased: the answer says how much would be, and has the token to confirm it with.
        """
        return self._eraser().by_filter(where, confirm, space)

    @operation(Effect.DESTROY)
    def reset(
        self, *, user: str | None = None, agent: str | None = None, confirm: str | None = None, space: str | None = None
    ) -> MassErasure:
        """Erase everything of a user or an agent: notes, messages and sessions. Without either, all of the space.

        Without `confirm` nothing is erased: the answer says how much would be, and has the token to confirm it with.
        """
        return self._eraser().of_scope(user, agent, confirm, space)

    def _eraser(self) -> MassEraser:
        from recollect.verbs.erasure import MassEraser

        eraser = chapter_alone(MassEraser, self._engine, self._caller)
        eraser._rehearsed = self._rehearsed
        return eraser

    def _maintained(self, reason: str, space: str, notes: Sequence[Note], apply: bool) -> Maintained:
        """Write the notes if `apply`, and report them either way. Each batch is written whole or not at all."""
        from recollect.domain.answers.vaults import Maintained

        if apply:
            for start in range(0, len(notes), _AT_A_TIME):
                self._carry_out(reason, space, *(WriteNote(note) for note in notes[start : start + _AT_A_TIME]))
        return Maintained(apply, tuple(note.id for note in notes))


def _project(name: Any) -> str:
    found = checked_name(name, field="project") if isinstance(name, str) else None
    if not found:
        raise InvalidInput(
            "`projects` must give each project a name.",
            code="invalid_field",
            hint='Write it like \'{"old name": "new name"}\'.',
        )
    return found
