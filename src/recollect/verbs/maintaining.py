"""Verbs that put an older collection of notes in order. They only look, unless they are told to apply it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.domain.answers.vaults import Maintained
from recollect.domain.changes import WriteNote
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Note
from recollect.domain.paging import current_notes
from recollect.domain.trust.authority_table import may_change
from recollect.operations import Effect, operation
from recollect.redaction.clean_text import checked_name
from recollect.remember import maintaining
from recollect.verbs.writing import Writing

_AT_A_TIME = 200  # notes written in one transaction


class MaintainingVerbs(Writing):
    """In order: migrate, dedup, backfill-provenance."""

    @operation(Effect.WRITE)
    def migrate(self, projects: Mapping[str, Any], *, apply: bool = False, space: str | None = None) -> Maintained:
        """Give projects other names, in every note; `global` stands for no project."""
        names = {str(old): _project(new) for old, new in projects.items()}
        name = self._known(space)
        now = self._engine.clock.now()
        return self._maintained(
            "migrate", name, maintaining.rekeyed(self._every(name), names, self._caller, now), apply
        )

    @operation(Effect.WRITE)
    def dedup(self, *, apply: bool = False, space: str | None = None) -> Maintained:
        """Let one note take over from all that say the same word for word."""
        name = self._known(space)
        now = self._engine.clock.now()
        return self._maintained("dedup", name, maintaining.deduplicated(self._every(name), self._caller, now), apply)

    @operation(Effect.WRITE, name="backfill-provenance")
    def backfill_provenance(self, *, apply: bool = False, space: str | None = None) -> Maintained:
        """Write down where notes came from whose tags say so, such as `import` or `session`."""
        name = self._known(space)
        notes = maintaining.with_provenance(self._every(name), self._caller, self._engine.clock.now())
        return self._maintained("backfill-provenance", name, notes, apply)

    def _every(self, space: str) -> list[Note]:
        """Every note that the caller may change."""
        every = current_notes(self._engine.store, space)
        return [note for note in every if may_change(self._caller, note.authority, "migrate")]

    def _maintained(self, reason: str, space: str, notes: Sequence[Note], apply: bool) -> Maintained:
        """Write the notes if `apply`, and report them either way. Each batch is written whole or not at all."""
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
