"""Following a space: what has happened in it since a number of its change log.

It is no verb: whoever follows does not ask once and get an answer. A door makes of it whatever it calls a stream.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.answers.happenings import Happening
from recollect.domain.changes import Change, ChangeKind
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Note
from recollect.domain.scopes import DEFAULT_SPACE
from recollect.engine import Engine
from recollect.verbs.acting import no_space

_WITH_A_NOTE = (ChangeKind.WRITTEN, ChangeKind.ADOPTED)


class Following:
    """The change logs of one store, read from the outside."""

    def __init__(self, engine: Engine) -> None:
        self._store, self._log, self._archive = engine.store, engine.log, engine.archive

    def newest(self, space: str) -> int:
        """The number of the newest change; 0 for the default space before its first."""
        found = self._store.space(space)
        if found is None and space != DEFAULT_SPACE:
            raise no_space(space)
        return found.seq if found else 0

    def start(self, space: str, after: int | None) -> int:
        """The number to follow from: the one given, or the newest. One that has not come yet is refused."""
        newest = self.newest(space)
        if after is None:
            return newest
        if not 0 <= after <= newest:
            raise InvalidInput(
                f"There is no change {after} in `{space}`; the newest is {newest}.",
                code="invalid_cursor",
                hint="Follow from 0 for everything, or from nothing for what comes.",
            )
        return after

    def after(self, space: str, seq: int, *, limit: int) -> Sequence[Happening]:
        """The changes after a number, in order."""
        changes = self._log.changes_after(space, seq, limit=limit)
        said = self._archive.those(space, [each.record_id for each in changes if each.kind is ChangeKind.OBSERVED])
        return [
            Happening(
                change.seq,
                change.kind,
                change.record_id,
                change.version,
                self._note(space, change),
                said.get(change.record_id) if change.kind is ChangeKind.OBSERVED else None,
            )
            for change in changes
        ]

    def _note(self, space: str, change: Change) -> Note | None:
        if change.kind not in _WITH_A_NOTE:
            return None
        return self._store.version(space, change.record_id, change.version)
