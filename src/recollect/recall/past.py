"""Memory as it was at a moment: the same store, in which nothing that was written later can be seen.

Only what gathering reads is turned back. What was forgotten since stays forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, cast

from recollect.domain.answers.recollections import Match
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import Judgement, StatementLink, StatementLinks
from recollect.domain.meanings import Near, Nearness
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.domain.ports import Archive, Store
from recollect.domain.scopes import ANYWHERE, Scope
from recollect.domain.selections import Selection
from recollect.recall.gather import Sources

_SAID = 100  # things said that are looked through for one that was known then


def as_it_was(sources: Sources, then: datetime) -> Sources:
    """Where candidates came from at a moment."""
    store = cast("Store", _PastStore(sources.store, then))
    archive = cast("Archive", _PastArchive(sources.archive, then))
    nearness = None if sources.nearness is None else _PastNearness(sources.nearness, sources.store, then)
    links = None if sources.links is None else cast("StatementLinks", _PastLinks(sources.links, then))
    return replace(sources, store=store, archive=archive, nearness=nearness, links=links)


class _PastStore:
    def __init__(self, store: Store, then: datetime) -> None:
        self._store = store
        self._then = then

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def matching(
        self, space: str, words: Sequence[str], selection: Selection, *, limit: int, beginnings: bool = False
    ) -> Sequence[Match]:
        then = replace(selection, known_at=self._then)
        return self._store.matching(space, words, then, limit=limit, beginnings=beginnings)

    def known_words(self, space: str, words: Sequence[str]) -> frozenset[str]:
        return frozenset(word for word in words if self.matching(space, [word], Selection(), limit=1))

    def ids(self, space: str, selection: Selection) -> Sequence[str]:
        return self._store.ids(space, replace(selection, known_at=self._then))

    def notes(self, space: str, selection: Selection, *, before: str | None, limit: int) -> Sequence[Note]:
        return self._store.notes(space, replace(selection, known_at=self._then), before=before, limit=limit)

    def current(self, space: str, note_ids: Sequence[str]) -> dict[str, Note]:
        found = (self._store.note(space, note_id, known_at=self._then) for note_id in dict.fromkeys(note_ids))
        return {note.id: note for note in found if note is not None}


class _PastArchive:
    def __init__(self, archive: Archive, then: datetime) -> None:
        self._archive = archive
        self._then = then

    def __getattr__(self, name: str) -> Any:
        return getattr(self._archive, name)

    def matching(
        self,
        space: str,
        words: Sequence[str],
        *,
        until: datetime | None,
        limit: int,
        since: datetime | None = None,
        beginnings: bool = False,
        scope: Scope = ANYWHERE,
    ) -> Sequence[Observation]:
        found = self._archive.matching(
            space, words, since=since, until=until, limit=limit, beginnings=beginnings, scope=scope
        )
        return [said for said in found if said.recorded_at <= self._then]

    def observations(self, space: str, session_id: str, *, after: int, limit: int) -> Sequence[Observation]:
        # A session is recorded in order: what is there of a page at all is its beginning.
        found = self._archive.observations(space, session_id, after=after, limit=limit)
        return [said for said in found if said.recorded_at <= self._then]

    def known_words(self, space: str, words: Sequence[str]) -> frozenset[str]:
        return frozenset(word for word in words if self.matching(space, [word], until=self._then, limit=_SAID))

    def around(self, space: str, observation_ids: Sequence[str], *, reach: int) -> Sequence[Observation]:
        found = self._archive.around(space, observation_ids, reach=reach)
        return [said for said in found if said.recorded_at <= self._then]

    def those(self, space: str, observation_ids: Sequence[str]) -> dict[str, Observation]:
        found = self._archive.those(space, observation_ids)
        return {said.id: said for said in found.values() if said.recorded_at <= self._then}


class _PastLinks:
    """Links as they were judged by then. One that was made anew since is not known any more, and left out."""

    def __init__(self, links: StatementLinks, then: datetime) -> None:
        self._links = links
        self._then = then

    def links_of(self, space: str, record_ids: Sequence[str], *, with_faint: bool = False) -> Sequence[StatementLink]:
        known = (
            link.unsettled() if link.settled_at is not None and link.settled_at > self._then else link
            for link in self._links.links_of(space, record_ids, with_faint=with_faint)
            if link.judged_at <= self._then
        )
        return [
            replace(link, refuted_at=None, refuted_by=None)
            if link.refuted_at is not None and link.refuted_at > self._then
            else link
            for link in known
        ]

    def judgements(self, space: str, record_ids: Sequence[str]) -> dict[str, Judgement]:
        found = self._links.judgements(space, record_ids)
        return {record_id: judged for record_id, judged in found.items() if judged.judged_at <= self._then}


class _PastNearness:
    def __init__(self, nearness: Nearness, store: Store, then: datetime) -> None:
        self._nearness = nearness
        self._store = store
        self._then = then

    def nearest(self, space: str, question: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        return self._of_then(space, self._nearness.nearest(space, question, limit=limit, among=among))

    def alike(self, space: str, text: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        return self._of_then(space, self._nearness.alike(space, text, limit=limit, among=among))

    def behind(self) -> int:
        return self._nearness.behind()

    def held_bytes(self) -> int:
        return self._nearness.held_bytes()

    def begin(self, space: str) -> None:
        """Nothing is read ahead: memory as it was is seldom asked for, and never first."""

    def close(self) -> None:
        """Nothing of its own is open."""

    def _of_then(self, space: str, found: Sequence[Near]) -> Sequence[Near]:
        return [near for near in found if near.version <= 1 or self._was_there(space, near)]

    def _was_there(self, space: str, near: Near) -> bool:
        # A first version needs no look: its note is not among the current ones of that time.
        version = self._store.version(space, near.record_id, near.version)
        return version is not None and version.updated_at <= self._then
