"""Verbs about lessons: what was learned by doing, and how far it is to be believed by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.changes import ChangeKind, WriteNote
from recollect.domain.desk import Lesson, is_retired, lesson_at, subject_of
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Kind, Note, State
from recollect.domain.scopes import Scope
from recollect.domain.selections import Page, Selection
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name
from recollect.remember.fields import checked_fields
from recollect.verbs.actor import MOST_PER_PAGE, checked_limit, operation
from recollect.verbs.selection import condition_in
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.answers.recollections import Learned

# Whether a lesson is known is decided by all notes: two that hear of it at once must not both write it down.
_NOTES = frozenset({ChangeKind.WRITTEN, ChangeKind.ADOPTED})
_ELSEWHERE = 2 / 3  # of a lesson for all projects, beside one of this very project


class LessonVerbs(Writing):
    """Lessons: add, strengthen, list."""

    @operation(Effect.WRITE, name="lessons.add", for_agents=True)
    def add_lesson(
        self,
        text: str,
        *,
        confidence: float | None = None,
        tags: Sequence[str] | None = None,
        derived_from: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        ttl: str | None = None,
        when: Sequence[str] | None = None,
        project: str | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
    ) -> Learned:
        """Remember a lesson; one that is known already grows stronger."""
        from recollect.remember import decisions

        given = {"confidence": confidence, "tags": tags, "derived_from": derived_from, "when": when, "project": project}
        fields = checked_fields({**given, "text": text, "metadata": metadata, "ttl": ttl}, required=("text",))
        name = self._named(space)

        def decide() -> tuple[WriteNote, ...]:
            known = self._lesson_on(name, subject_of(fields["text"]), fields.get("project"))
            if known is not None:
                told: dict[str, Any] = {each: fields.get(each) for each in ("ttl", "when", "metadata")}
                return decisions.lesson_reinforced(self._occasion(name), known, said=True, **told)
            parents = self._parents(name, fields["derived_from"])
            return decisions.lesson_added(self._occasion(name), fields, parents)

        written = self._write("lessons.add", name, decide, asked=fields, key=idempotency_key, rests_on=_NOTES)
        return _learned(written)

    @operation(Effect.WRITE, name="lessons.strengthen", for_agents=True)
    def strengthen_lesson(self, note_id: str, *, space: str | None = None) -> Learned:
        """Confirm a lesson: it has proven itself once more."""

        from recollect.remember import decisions

        def decide(note: Note) -> Note:
            if note.kind is not Kind.LESSON or note.state is not State.ACTIVE:
                raise InvalidInput(
                    f"Note {note.id} is no lesson that holds.",
                    code="not_a_lesson",
                    hint="`recollect lessons` shows those that do; adding the words again makes one.",
                )
            return note

        written = self._revise(
            "lessons.strengthen",
            space,
            note_id,
            lambda occasion, note: decisions.lesson_reinforced(occasion, decide(note), said=False),
            asked={},
            expected_version=None,
        )
        return _learned(written)

    @operation(Effect.READ, name="lessons.list", for_agents=True)
    def lessons(
        self,
        *,
        project: str | None = None,
        where: Mapping[str, Any] | None = None,
        limit: int = 50,
        space: str | None = None,
    ) -> Page[Lesson]:
        """List lessons, the surest first; with a project, its own and those for all, its own before others."""
        name, size, place = self._readable(space), checked_limit(limit), checked_name(project, field="project")
        now = self._engine.clock.now()
        selection = Selection(
            states=frozenset({State.ACTIVE}),
            valid_at=now,
            kinds=frozenset({Kind.LESSON}),
            within=place,
            where=condition_in(where, now),
        )
        found = self._engine.store.notes(name, selection, before=None, limit=MOST_PER_PAGE)
        lessons = sorted(
            (lesson_at(note, now) for note in found if not is_retired(note, now)),
            key=lambda lesson: (-lesson.confidence * _nearness(lesson, place), lesson.note.id),
        )
        return Page(tuple(lessons[:size]))

    def _lesson_on(self, space: str, subject: str, project: str | None) -> Note | None:
        """The lesson with that fingerprint that holds, of that very project."""
        selection = Selection(
            states=frozenset({State.ACTIVE}),
            kinds=frozenset({Kind.LESSON}),
            subject=subject,
            scope=Scope(project=project),
            kept_at=self._engine.clock.now(),
        )
        found = self._engine.store.notes(space, selection, before=None, limit=MOST_PER_PAGE)
        return min((note for note in found if note.scope.project == project), key=lambda note: note.id, default=None)


def _nearness(lesson: Lesson, project: str | None) -> float:
    return 1.0 if project is not None and lesson.note.scope.project == project else _ELSEWHERE


def _learned(note: Note) -> Learned:
    from recollect.domain.answers.recollections import Learned

    if note.version == 1:
        return Learned("added", "a new lesson", note, note.text)
    return Learned("reinforced", f"said again; its confidence is {note.confidence:.2f} now", note, note.text)
