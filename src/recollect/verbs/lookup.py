"""Verbs that look notes up: one by its id, or page by page.

A command that only lists is started again and again, so this chapter stands apart from what answers questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.errors import NotFound
from recollect.domain.notes import Note
from recollect.domain.selections import Count, Facet, Page, most_common
from recollect.domain.values import choice, to_plain
from recollect.operations import Effect
from recollect.verbs.actor import Moment, Which, checked_limit, key_scope, moment, operation
from recollect.verbs.selection import Selecting

if TYPE_CHECKING:
    from recollect.domain.observations import Observation
    from recollect.engine import Engine


class LookupVerbs(Selecting):
    """Stored memory: get, list, count."""

    @operation(Effect.READ, for_agents=True)
    def get(
        self,
        note_id: str,
        *,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        space: str | None = None,
    ) -> Note:
        """Read one note. With `as_of`: whichever note of its chain was true then."""
        name, known = self._readable(space), moment(known_at, "known_at")
        wanted = self._note_id(name, note_id, key_scope(user, agent, project))
        note = self._current(name, wanted, known_at=known)
        then = moment(as_of, "as_of")
        if then is None:
            return note
        from recollect.recall.profiles import true_at

        found = true_at(chain_of(self._engine, name, note.id), then, known_at=known)
        if found is None:
            raise NotFound(
                f"Nothing in the history of note {note.id} was true at that time.",
                code="note_not_found",
                hint="`recollect history` shows since when each step was true.",
            )
        return found

    @operation(Effect.READ, for_agents=True)
    def list(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        total: bool = False,
        space: str | None = None,
        **which: Unpack[Which],
    ) -> Page[Note]:
        """List notes, newest first: what is true now, unless asked otherwise."""
        name, size = self._readable(space), checked_limit(limit)
        selection = self._selection(which)
        mark = ("list", name, *sorted((key, _spelled(value)) for key, value in which.items() if value is not None))
        before = decode_cursor(cursor, of=mark, like="") if cursor else None
        found = self._engine.store.notes(name, selection, before=before, limit=size + 1)
        more = encode_cursor(found[size - 1].id, of=mark) if len(found) > size else None
        return Page(tuple(found[:size]), more, self._engine.tallies.count(name, selection) if total else None)

    @operation(Effect.READ, for_agents=True)
    def count(self, *, by: Sequence[str] = (), space: str | None = None, **which: Unpack[Which]) -> Count:
        """Count notes, and with `by` how many have each kind, tag, user, project or day: of what is true now."""
        name, selection, tallies = self._readable(space), self._selection(which), self._engine.tallies
        facets = [choice(Facet, each, field="by") for each in ((by,) if isinstance(by, str) else by)]
        with self._engine.store.reading(name):
            counts = {facet: tallies.counts(name, selection, facet) for facet in dict.fromkeys(facets)}
            total = tallies.count(name, selection)
        shown = {facet.value: most_common(found, facet) for facet, found in counts.items()}
        others = {
            facet.value: more for facet, found in counts.items() if (more := len(found) - len(shown[facet.value]))
        }
        return Count(total, shown, others)


def _spelled(value: object) -> str:
    """A filter, or part of one, as a cursor is bound to it."""
    if not isinstance(value, Mapping):
        return str(value)
    import json

    return json.dumps(to_plain(value), sort_keys=True, default=str)


def standing_messages(engine: Engine, space: str, ids: Sequence[str]) -> dict[str, Observation]:
    """Messages by their ids, without those that were taken back."""
    return {each.id: each for each in standing(engine, space, engine.archive.those(space, ids).values())}


def standing(engine: Engine, space: str, said: Iterable[Observation]) -> list[Observation]:
    """Messages without those that were taken back."""
    from recollect.recall.evidence.standing import taken_back_among

    messages = list(said)
    gone = taken_back_among(engine.store, engine.archive, space, messages)
    return [each for each in messages if each.id not in gone]


def chain_of(engine: Engine, space: str, note_id: str) -> tuple[Note, ...]:
    """Every version of every note that a note took over from or that took over from it."""
    return tuple(engine.store.versions(space, engine.lineage.chains(space, [note_id])[note_id]))
