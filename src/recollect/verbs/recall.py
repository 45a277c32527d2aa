"""Verbs that bring memory into a prompt, and say why it is there or why it is not."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Unpack, cast

from recollect.domain.answers.bounds import DEFAULT_BUDGET, SMALLEST_BUDGET
from recollect.domain.clock import checked_id
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.readings import USER, readers_of
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, checked_text
from recollect.verbs.actor import MOST_PER_PAGE, Where, Which, checked_limit, operation
from recollect.verbs.search import Searching, named_models
from recollect.verbs.upkeep import tally_answer

if TYPE_CHECKING:
    from recollect.domain.answers.contexts import Briefing
    from recollect.domain.answers.receipts import Answered, Found, RecallReceipt, Why, WhyNot
    from recollect.domain.answers.recollections import Hit
    from recollect.recall.block import Packed
    from recollect.recall.gather import Sources
    from recollect.recall.pipeline import Search

_LIMIT = 20  # hits: more than a prompt of the usual size has room for
_MOST_BUDGET = 1_000_000  # tokens; no model reads more at once
_DELIMITER = 10  # characters of chance, fifty bits: nobody who wrote a note could know them
_NOTHING_YET = "Nothing is known yet, so there is nothing to put into a prompt."
_NOTHING = "Nothing is known about it, so there is nothing to put into a prompt."


class RecallingVerbs(Searching):
    """Memory in a prompt: recall, brief, why, why-not."""

    @operation(Effect.READ, for_agents=True)
    def recall(
        self,
        query: str,
        *,
        budget: int = DEFAULT_BUDGET,
        limit: int = _LIMIT,
        without: Sequence[str] = (),
        space: str | None = None,
        **which: Unpack[Which],
    ) -> Briefing:
        """Pack what answers a query into a block for a prompt: dated, with its origin, fenced as data."""
        from recollect.domain.answers.contexts import Briefing

        began = perf_counter()
        name, size, room = self._readable(space), checked_limit(limit), checked_budget(budget)
        asked = checked_text(query, field="query")
        sources = self._sources(name, which, wanted=size, without=without)
        search = self._search(sources, asked, which)
        begun = perf_counter()
        packed = self._packed(sources, search, size, room)
        receipt = self._keep_receipt(
            "recall",
            sources,
            search,
            packed.fates,
            {**which, "limit": size, "budget": room, **named_models(without)},
            tokens=packed.tokens,
            took={"pack": round((perf_counter() - begun) * 1000, 3)},
        )
        briefing = Briefing(
            query=asked,
            block=packed.block,
            lines=packed.lines,
            tokens=packed.tokens,
            budget=room,
            coverage=search.coverage,
            skipped="" if packed.block else _NOTHING,
            receipt=receipt,
        )
        tally_answer(self._engine, "recall", _shown(search.ranked, packed), briefing.coverage, briefing.usage)
        self._count_asked("recall", name, began, (line.id for line in packed.lines if line.version))
        return briefing

    @operation(Effect.READ, for_agents=True)
    def brief(
        self,
        topic: str | None = None,
        *,
        subject: str = USER,
        budget: int = DEFAULT_BUDGET,
        space: str | None = None,
        **where: Unpack[Where],
    ) -> Briefing:
        """Pack what to know before starting on something: what is pinned, who it is for, and the topic itself."""
        from recollect.domain.answers.contexts import Briefing
        from recollect.domain.answers.recollections import Coverage

        began, name, room = perf_counter(), self._readable(space), checked_budget(budget)
        about = None if topic is None or not topic.strip() else checked_text(topic, field="topic")
        always = self._standing(name, subject, where)
        sources = self._sources(name, cast("Which", where))
        search = None if about is None else self._search(sources, about, cast("Which", where))
        begun = perf_counter()
        packed = self._packed_with(always, sources, search, room)
        receipt = None
        if search is not None:
            asked = {**where, "limit": _LIMIT, "budget": room}
            took = {"pack": round((perf_counter() - begun) * 1000, 3)}
            receipt = self._keep_receipt("brief", sources, search, packed.fates, asked, tokens=packed.tokens, took=took)
        known = Coverage.FULL if packed.lines else Coverage.NONE
        briefing = Briefing(
            query=about or "",
            block=packed.block,
            lines=packed.lines,
            tokens=packed.tokens,
            budget=room,
            coverage=known if search is None else search.coverage,
            skipped="" if packed.block else _NOTHING_YET,
            receipt=receipt,
        )
        hits = () if search is None else _shown(search.ranked, packed)
        tally_answer(self._engine, "brief", hits, briefing.coverage, briefing.usage)
        self._count_asked("recall", name, began, (line.id for line in packed.lines if line.version))
        return briefing

    @operation(Effect.READ)
    def why(self, receipt_id: str, *, space: str | None = None) -> Why:
        """Show what a past search answered and why, and ask the same again of memory as it was then."""
        from recollect.domain.answers.receipts import Fate, Why

        name = self._readable(space)
        receipt = self._engine.receipts.receipt(name, checked_id(receipt_id, what="receipt"))
        if receipt is None:
            raise NotFound(
                f"There is no receipt {receipt_id} in `{name}`.",
                code="receipt_not_found",
                hint="Receipts are kept for 30 days, the newest 1,000 of a space; `--space` names another one.",
            )
        answered = tuple(self._answered(name, found) for found in receipt.found if found.fate is Fate.SHOWN)
        links = tuple(self._engine.links.links_of(name, [each.id for each in answered]))
        if receipt.query is None:
            return Why(receipt, answered, links=links)
        again = self._again(name, receipt, receipt.query)
        limit = receipt.asked["limit"]
        within_limit = {Fate.SHOWN, Fate.DUPLICATE, Fate.BUDGET, Fate.NOTHING_KNOWN, Fate.LOWER_SCORE}
        before = [found.id for found in receipt.found if found.fate in within_limit]
        hits = again.ranked[:limit]
        return Why(receipt, answered, hits, sorted(hit.id for hit in hits) == sorted(before), links)

    @operation(Effect.READ, name="why-not")
    def why_not(
        self,
        note_id: str,
        query: str,
        *,
        budget: int = DEFAULT_BUDGET,
        limit: int = _LIMIT,
        without: Sequence[str] = (),
        space: str | None = None,
        **which: Unpack[Which],
    ) -> WhyNot:
        """Say at which step a note was lost on its way into the answer to a query, and why."""
        from recollect.domain.answers.receipts import SearchStep, WhyNot
        from recollect.recall.receipt import left_out_by, lost_among, out_of_time

        name, size, room = self._readable(space), checked_limit(limit), checked_budget(budget)
        asked, wanted = checked_text(query, field="query"), self._note_id(name, note_id)
        store = self._engine.store
        note, said = store.note(name, wanted), self._engine.archive.observation(name, wanted)
        if note is None and said is None:
            if self._was_erased(name, wanted):
                return WhyNot(wanted, asked, SearchStep.ERASED, "It was forgotten.")
            return WhyNot(wanted, asked, SearchStep.NOT_HERE, f"There is no such note in `{name}`.")

        sources = self._sources(name, which, wanted=size, without=without)
        search = self._search(sources, asked, which)
        record = note or said
        condition = left_out_by(record, search.selection) if record else ""
        if condition:
            return WhyNot(wanted, asked, SearchStep.OUT_OF_SCOPE, condition)
        found = lost_among(search, self._packed(sources, search, size, room).fates, wanted, limit=size, budget=room)
        if found is not None:
            return found
        if note is not None and search.selection.valid_at is not None:
            chain = list(store.current(name, self._engine.lineage.chains(name, [wanted])[wanted]).values())
            late = out_of_time(note, search.selection.valid_at, chain)
            if late is not None:
                step, reason, instead = late
                return WhyNot(wanted, asked, step, reason, instead=instead)
        read = self._engine.archive.derived_notes(name, [wanted])[wanted] if said else ()
        for hit in search.ranked:
            if hit.id in read:
                reason = f"It is shown with note {hit.id}, which was read from it."
                return WhyNot(wanted, asked, SearchStep.DUPLICATE, reason, instead=hit.id)
        return WhyNot(wanted, asked, SearchStep.NOT_FOUND, "Neither its words nor its meaning led to it.")

    def _packed(self, sources: Sources, search: Search, limit: int, budget: int) -> Packed:
        """The best hits as a block; an empty one when nothing is known, so that nothing is put into a prompt."""
        from recollect.domain.answers.receipts import Fate
        from recollect.domain.answers.recollections import Coverage
        from recollect.recall.block import Packed, pack
        from recollect.recall.surroundings import surroundings_of

        hits = search.ranked[:limit]
        if search.coverage is Coverage.NONE:
            return Packed("", (), 0, dict.fromkeys((hit.id for hit in hits), Fate.NOTHING_KNOWN))
        around = {
            hit_id: found.in_order() for hit_id, found in surroundings_of(sources, hits, search.selection).items()
        }
        delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
        asked = search.question
        return pack(hits, around, asked.words, budget=budget, delimiter=delimiter, compare=asked.stem)

    def _standing(self, space: str, subject: str, where: Where) -> list[Hit]:
        """Hits that count whatever is asked: pinned notes, then those about the subject, the most important first."""
        from recollect.domain.answers.recollections import Hit

        then = self._selection(cast("Which", where))
        store = self._engine.store
        pinned = store.notes(space, replace(then, pinned=True), before=None, limit=_LIMIT)
        known = store.notes(
            space, replace(then, subject=checked_name(subject, field="subject")), before=None, limit=MOST_PER_PAGE
        )
        known = sorted(known, key=lambda note: (note.importance, note.valid_from or note.recorded_at), reverse=True)
        chosen = {note.id: note for note in (*pinned, *known[:_LIMIT])}
        return [Hit(note, 1.0, ("standing",)) for note in chosen.values()]

    def _packed_with(self, always: Sequence[Hit], sources: Sources, search: Search | None, budget: int) -> Packed:
        """Pack hits that always count, in half of the room if something else was asked for, and then the best hits."""
        from recollect.domain.answers.receipts import Fate
        from recollect.domain.answers.recollections import Coverage
        from recollect.recall.block import pack
        from recollect.recall.surroundings import surroundings_of

        delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
        if search is None or search.coverage is Coverage.NONE:
            return pack(always, {}, (), budget=budget, delimiter=delimiter)
        first = pack(always, {}, (), budget=max(SMALLEST_BUDGET, budget // 2), delimiter=delimiter)
        standing = [hit for hit in always if first.fates[hit.id] is Fate.SHOWN]
        hits = [hit for hit in search.ranked[:_LIMIT] if hit.id not in {each.id for each in standing}]
        # The scores of a search are its own; what always counts must not make its hits look faint.
        best = max((hit.score for hit in hits), default=1.0)
        around = {found: each.in_order() for found, each in surroundings_of(sources, hits, search.selection).items()}
        together = (*(replace(hit, score=best) for hit in standing), *hits)
        asked = search.question
        return pack(together, around, asked.words, budget=budget, delimiter=delimiter, compare=asked.stem)

    def _answered(self, space: str, found: Found) -> Answered:
        from recollect.domain.answers.receipts import Answered

        readers: tuple[str, ...] = ()
        if found.version:
            note = self._engine.store.version(space, found.id, found.version)
            text, readers = (note.text, readers_of(note)) if note else (None, ())
        else:
            said = self._engine.archive.observation(space, found.id)
            text = said.text if said else None
        gone = "" if text is not None else "It was forgotten since."
        return Answered(found.id, found.version, text or "", gone, readers)

    def _again(self, space: str, receipt: RecallReceipt, query: str) -> Search:
        """The same question, asked of memory as it was when the receipt was made."""
        from recollect.recall.past import as_it_was

        asked = {name: value for name, value in receipt.asked.items() if name in Which.__annotations__}
        which = cast("Which", asked)
        without = receipt.asked.get("without", ())
        sources = self._sources(space, which, wanted=receipt.asked["limit"], without=without)
        return self._search(as_it_was(sources, receipt.at), query, which, now=receipt.at)


def _shown(ranked: Sequence[Hit], packed: Packed) -> list[Hit]:
    from recollect.domain.answers.receipts import Fate

    return [hit for hit in ranked if packed.fates.get(hit.id) is Fate.SHOWN]


def checked_budget(budget: int) -> int:
    if isinstance(budget, bool) or not isinstance(budget, int) or budget > _MOST_BUDGET:
        raise InvalidInput(
            f"`budget` is {budget!r}; it must be a whole number of at most {_MOST_BUDGET:,} tokens.",
            code="invalid_number",
        )
    if budget < SMALLEST_BUDGET:
        raise InvalidInput(
            f"`budget` is {budget:,} tokens; the fence and one short line take up to {SMALLEST_BUDGET}.",
            code="budget_too_small",
            hint=f"Give at least {SMALLEST_BUDGET}; {DEFAULT_BUDGET:,} is usual.",
        )
    return budget
