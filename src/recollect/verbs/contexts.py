"""Verbs that tell an agent what matters when it begins, and that fasten notes to what they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from recollect.domain.answers.bounds import DEFAULT_BUDGET
from recollect.domain.changes import WriteNote
from recollect.domain.dataclass import replace
from recollect.domain.desk import UNSETTLED, in_view, is_retired, lesson_at
from recollect.domain.notes import Kind, Note, State
from recollect.domain.observations import Session
from recollect.domain.origin import Authority
from recollect.domain.selections import Selection
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name
from recollect.remember.decisions import Occasion, update
from recollect.verbs.actor import MOST_PER_PAGE, Where, operation
from recollect.verbs.ingest import files_of
from recollect.verbs.recall import checked_budget
from recollect.verbs.sessions import SessionVerbs

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.domain.answers.contexts import Context
    from recollect.domain.graph.mentions import Freshness
    from recollect.recall.context import Material

REFLECTED = "reflected"  # the tag of what something else stands for by now
TRUSTED = frozenset({Authority.INSTRUCTION, Authority.FACT})  # what enters by itself
_KINDS = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL, Kind.PATTERN})
_MOST_FACTS = 300  # newest facts that are weighed; instructions and pinned notes are all looked at
_SESSIONS = 2  # told of
_LOOKED_AT = 12  # sessions, newest first, until two are found that have something to tell
_DELIMITER = 10  # characters of chance; `recall` has the reason


class ContextVerbs(SessionVerbs):
    """The start of a session: context, inject, anchor."""

    @operation(Effect.READ, for_agents=True)
    def context(self, *, budget: int = DEFAULT_BUDGET, space: str | None = None, **where: Unpack[Where]) -> Context:
        """Tell what matters about a project, as a block for a context: trusted, current, dated, fenced as data."""
        return self._compiled(self._readable(space), checked_budget(budget), where, None)

    @operation(Effect.READ)
    def inject(
        self,
        *,
        path: str | Path | None = None,
        budget: int = DEFAULT_BUDGET,
        space: str | None = None,
        **where: Unpack[Where],
    ) -> Context:
        """Tell the same, after looking in the project's folder whether what notes are anchored to still holds."""
        from pathlib import Path

        name, room = self._readable(space), checked_budget(budget)
        if path is None:
            return self._compiled(name, room, where, None)
        from recollect.workspace.projects import project_of

        found = project_of(path)
        if not where.get("project"):
            where = {**where, "project": found.name}
        return self._compiled(name, room, where, Path(found.root))

    @operation(Effect.WRITE)
    def anchor(
        self,
        note_id: str,
        *,
        path: str | Path,
        anchors: Sequence[str] = (),
        expected_version: int | None = None,
        space: str | None = None,
    ) -> Note:
        """Fasten a note to what it is about: files, symbols, commits, packages, settings. None unfastens it."""
        from recollect.domain.graph.mentions import parsed_anchor, with_anchors
        from recollect.workspace.anchors import marked
        from recollect.workspace.projects import folder_at

        root = folder_at(path)
        fastened = marked([parsed_anchor(each) for each in anchors], root, files_of(self._engine.store.location))

        def decide(occasion: Occasion, note: Note) -> tuple[WriteNote, ...]:
            return update(occasion, note, {"metadata": with_anchors(note.metadata, fastened)})

        asked = {"anchors": [each.spelled for each in fastened]}
        return self._revise("anchor", space, note_id, decide, asked=asked, expected_version=expected_version)

    def _compiled(self, space: str, budget: int, where: Where, root: Path | None) -> Context:
        from recollect.recall.context import choose, compose

        project = checked_name(where.get("project"), field="project")
        material, waiting = self._material(space, project, where)
        chosen = choose(material, project=project, budget=budget)
        delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
        freshness = _freshness(chosen.anchored, root, files_of(self._engine.store.location))
        return compose(chosen, freshness, project=project, budget=budget, delimiter=delimiter, waiting=waiting)

    def _material(self, space: str, project: str | None, where: Where) -> tuple[Material, int]:
        """The records that may be told unasked, and how many pinned slots wait because only a model wrote them."""
        from recollect.recall.context import Material

        desk, now = self._engine.desk, self._engine.clock.now()
        slots = [slot for slot in in_view(desk.slots(space), project) if slot.pinned and slot.text]
        actions = [
            action
            for action in desk.actions(space, statuses=UNSETTLED, project=project or "", limit=MOST_PER_PAGE)
            if action.authority in TRUSTED
        ]
        first = desk.those(space, [each for action in actions for each in action.depends_on])
        notes = self._trusted_notes(space, project, where)
        lessons = [note for note in notes if _is_told_as_lesson(note)]
        material = Material(
            slots=tuple(slot for slot in slots if slot.authority in TRUSTED),
            notes=tuple(note for note in notes if not _is_told_as_lesson(note)),
            lessons=tuple(lesson_at(note, now) for note in lessons if not is_retired(note, now)),
            actions=tuple(actions),
            statuses={each: action.status for each, action in first.items()},
            sessions=tuple(self._told_sessions(space, project, where)),
        )
        return material, sum(slot.authority not in TRUSTED for slot in slots)

    def _trusted_notes(self, space: str, project: str | None, where: Where) -> list[Note]:
        """Notes that hold now and that a person wrote or confirmed, of the project and of none."""
        holding = Selection(
            states=frozenset({State.ACTIVE}),
            valid_at=self._engine.clock.now(),
            within=project or "",
            authorities=TRUSTED,
        )
        asked = (
            (replace(holding, authorities=frozenset({Authority.INSTRUCTION})), MOST_PER_PAGE),
            (replace(holding, pinned=True), MOST_PER_PAGE),
            (replace(holding, kinds=frozenset({Kind.LESSON})), MOST_PER_PAGE),
            (replace(holding, kinds=_KINDS), _MOST_FACTS),
        )
        found: dict[str, Note] = {}
        for selection, limit in asked:
            for note in self._engine.store.notes(space, selection, before=None, limit=limit):
                if REFLECTED not in note.tags and is_meant(note, where):
                    found[note.id] = note
        return list(found.values())

    def _told_sessions(self, space: str, project: str | None, where: Where) -> Iterator[tuple[Session, str]]:
        """The last sessions of the project that have something trusted to tell, but for the current one."""
        from recollect.domain.answers.sessions import crystal_subject
        from recollect.reflect.sessions import trusted_line

        crystals = self._engine.store.notes(
            space,
            Selection(states=frozenset({State.ACTIVE}), subject=crystal_subject(project)),
            before=None,
            limit=MOST_PER_PAGE,
        )
        reflected = {each for note in crystals for each in note.metadata.get("sessions", ())}
        told = 0
        for session in self._engine.archive.sessions(space, before=None, limit=_LOOKED_AT, project=project):
            if session.id in reflected or session.id == where.get("session") or session.scope.project != project:
                continue
            line = trusted_line(session, self._of_session(session))
            if line:
                yield session, line
                told += 1
            if told == _SESSIONS:
                return


def is_meant(note: Note, where: Mapping[str, object]) -> bool:
    """Whether a note is for whoever begins here: what is of one agent, machine or session is for no other."""
    return all(getattr(note.scope, name) in (None, where.get(name)) for name in ("agent", "machine", "session")) and (
        where.get("user") is None or note.scope.user in (None, where.get("user"))
    )


def _is_told_as_lesson(note: Note) -> bool:
    """Whether a note is told among the lessons; one that a person wrote as a rule stands among the rules."""
    return note.kind is Kind.LESSON and note.authority is not Authority.INSTRUCTION


def _freshness(notes: Sequence[Note], root: Path | None, own: frozenset[tuple[int, int]]) -> dict[str, Freshness]:
    """How fresh the notes are that are about to be told; without a folder nobody can tell."""
    from recollect.domain.graph.mentions import Freshness, anchors_of, taken_together

    if root is None or not notes:
        return dict.fromkeys((note.id for note in notes), Freshness.UNVERIFIABLE)
    from recollect.workspace.anchors import AnchorLook

    look = AnchorLook(root, own)
    return {note.id: taken_together(look.freshness(anchor) for anchor in anchors_of(note)) for note in notes}
