"""How a question is put to memory: which notes are meant, where candidates come from, what is kept of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from time import perf_counter
from typing import TYPE_CHECKING, Any

from recollect.domain.errors import StoreFailure
from recollect.domain.values import choice, to_plain
from recollect.verbs.actor import Which
from recollect.verbs.selection import Selecting, filter_in

if TYPE_CHECKING:
    from recollect.domain.answers.receipts import Fate
    from recollect.recall.gather import Sources
    from recollect.recall.pipeline import Search


class SearchModel(StrEnum):
    """A model that takes part in a search, and can be left out of one."""

    EMBEDDING = "embedding"
    JUDGE = "judge"
    RERANKER = "reranker"


class Searching(Selecting):
    """The base of verbs that answer questions. The code that reads questions is large: imported when one comes."""

    def _sources(self, space: str, which: Which, *, wanted: int = 0, without: Sequence[str] = ()) -> Sources:
        """Where candidates come from. Models are woken first: they load while everything else is imported and read.

        `wanted` is how many hits are asked for, if that is known: no fewer are looked for. `without` names models that
        are left out.
        """
        engine = self._engine
        left_out = _left_out(without)
        by_meaning, reranked = SearchModel.EMBEDDING not in left_out, SearchModel.RERANKER not in left_out
        nearness, closeness = (engine.nearness, engine.closeness) if by_meaning else (None, None)
        relevance = engine.relevance if reranked else None
        if _is_followed(which):
            if nearness is not None:
                nearness.begin(space)
            if closeness is not None:
                closeness.prepare()
            if relevance is not None:
                relevance.prepare()
        from recollect.recall.gather import Sources

        judged = SearchModel.JUDGE not in left_out and engine.judge is not None
        return Sources(
            engine.store,
            engine.lineage,
            engine.archive,
            nearness,
            space,
            closeness,
            engine.meaning if by_meaning else None,
            wanted=wanted,
            links=engine.links if judged else None,
            relevance=relevance,
            entities=engine.entities,
            scale=None if nearness is None else self._scale(),
        )

    def _search(self, sources: Sources, query: str, which: Which, *, now: datetime | None = None) -> Search:
        """Everything that was found. `now` is another moment than the present, for asking as it was then."""
        from recollect.recall.pipeline import search

        now = now or self._engine.clock.now()
        return search(
            sources,
            query,
            self._selection(which, now=now),
            now=now,
            zone=UTC,
            follow=_is_followed(which),
            dated=which.get("as_of") is not None,
        )

    def _count_asked(self, figure: str, space: str, began: float, told: Iterable[str]) -> None:
        """Count a question that was answered, and the notes that it was answered with.

        `began` is when, by `perf_counter`. It is written down with others.
        """
        if self._rehearsed is not None:
            return
        from recollect.domain.answers.daily_activity import DayCount, Figure, NoteUse

        engine, took = self._engine, round((perf_counter() - began) * 1_000_000)
        day, actor = engine.clock.now().date().isoformat(), self._caller.principal
        engine.asked.add(space, [DayCount(day, Figure(figure), 1, took, took)])
        counts = {"recalled": 1} if figure == Figure.RECALL else {"found": 1}
        engine.uses.add(space, [NoteUse(note_id, day, actor, **counts) for note_id in dict.fromkeys(told)])
        if engine.asked.is_old and not engine.bell.is_attended:
            engine.keep_asked()

    def _keep_receipt(
        self,
        verb: str,
        sources: Sources,
        search: Search,
        fates: Mapping[str, Fate],
        asked: Mapping[str, Any],
        *,
        tokens: int = 0,
        took: Mapping[str, float],
    ) -> str | None:
        """The id of a receipt, or `None` where none can be kept: an answer never waits for it or fails with it."""
        from recollect.recall.receipt import receipt_of

        if self._rehearsed is not None or not self._is_there(sources.space):
            return None  # nothing is written for a dry run, nor for a space that is not there yet
        clock = self._engine.clock
        receipt = receipt_of(
            search,
            fates,
            receipt_id=clock.new_id(),
            at=clock.now(),
            verb=verb,
            asked=to_plain({name: value for name, value in asked.items() if value is not None}),
            tokens=tokens,
            took=took,
        )
        with suppress(StoreFailure):
            self._engine.receipts.keep(sources.space, receipt)
            return receipt.id
        return None


def named_models(without: Sequence[str]) -> dict[str, list[str]]:
    """The models that were left out, as a receipt has them."""
    return {"without": [without] if isinstance(without, str) else list(without)} if without else {}


def _left_out(without: Sequence[str]) -> frozenset[SearchModel]:
    named = (without,) if isinstance(without, str) else without
    return frozenset(choice(SearchModel, each, field="without") for each in named)


def _is_followed(which: Which) -> bool:
    """Whether notes are followed along their chains. What is asked for by state, or as it was known then, is not."""
    where = filter_in(which)
    by_state = which.get("state") is not None or (where is not None and where.names("state"))
    return not by_state and which.get("known_at") is None
