"""Verbs that answer: what was found, how it came to be, what it is linked with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, Unpack

from recollect.domain.dataclass import replace
from recollect.domain.errors import Erased, InvalidInput
from recollect.domain.notes import LINKS, ONCE_TRUE, Note
from recollect.domain.readings import USER, subjects_named
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.selections import Selection
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, checked_text
from recollect.verbs.actor import MOST_PER_PAGE, Moment, Where, Which, checked_limit, moment, operation
from recollect.verbs.lookup import chain_of, standing_messages
from recollect.verbs.search import Searching, named_models
from recollect.verbs.upkeep import tally_answer

if TYPE_CHECKING:
    from recollect.domain.answers.contexts import CitedAnswer
    from recollect.domain.answers.recollections import History, Link, Links, Profile, Recollection, Usage
    from recollect.domain.chat.chat_model import ChatModel
    from recollect.domain.links.statement_link import StatementLink
    from recollect.recall.cited.changed_since import QuotedRecords
    from recollect.recall.cited.draft import AnswerDraft
    from recollect.recall.gather import Sources
    from recollect.recall.pipeline import Search


_ANSWERED_FROM = 20  # hits
_DELIMITER = 10  # characters of chance; `recall` has the reason
_UNSAID = "The records do not say what the model answered."
_UNANSWERED = "The model found no answer in the records."
_PAST = 3  # values that each current one took the place of
_ENDED = 60  # notes on an attribute among which one that is over is looked for


class ReadingVerbs(Searching):
    """Stored memory: search, answer, history, relations, profile."""

    @operation(Effect.READ, for_agents=True)
    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        explain: bool = False,
        without: Sequence[str] = (),
        space: str | None = None,
        **which: Unpack[Which],
    ) -> Recollection:
        """Find what answers a query, best first, with reasons."""
        from recollect.domain.answers.recollections import Recollection

        began, name, size = perf_counter(), self._readable(space), checked_limit(limit)
        asked = checked_text(query, field="query")
        sources = self._sources(name, which, wanted=size, without=without)
        found = self._search(sources, asked, which)
        from recollect.recall.rank import with_falling_scores

        answer = Recollection(asked, with_falling_scores(found.ranked[:size]), found.coverage)
        tally_answer(self._engine, "search", answer.hits, answer.coverage, answer.usage)
        self._count_asked("search", name, began, (hit.note.id for hit in answer.hits if hit.note is not None))
        told = {**which, "limit": size, **named_models(without)}
        return self._explained(sources, found, answer, told) if explain else answer

    @operation(Effect.READ, for_agents=True)
    def answer(
        self,
        question: str,
        *,
        follows: str | None = None,
        without: Sequence[str] = (),
        space: str | None = None,
        **which: Unpack[Which],
    ) -> CitedAnswer:
        """Answer a question in sentences from memory alone: each with citations and its date; and what is not known."""
        from recollect.domain.answers.receipts import Fate

        began, name = perf_counter(), self._readable(space)
        asked = checked_text(question, field="question")
        earlier = "" if follows is None else checked_text(follows, field="follows")
        sources = self._sources(name, which, wanted=_ANSWERED_FROM, without=without)
        in_full = self._in_full(sources, asked, earlier, which) if earlier else asked
        search = self._search(sources, in_full, which)
        begun = perf_counter()
        answer = self._in_sentences(name, search, self._past(sources, search), asked, earlier)
        cited = {each.id for each in answer.citations}
        shown = [hit for hit in search.ranked if hit.id in cited or (hit.said is not None and hit.said.id in cited)]
        took = {"answer": round((perf_counter() - begun) * 1000, 3)}
        fates = dict.fromkeys((hit.id for hit in search.ranked[:_ANSWERED_FROM]), Fate.LOWER_SCORE)
        fates |= dict.fromkeys((hit.id for hit in shown), Fate.SHOWN)
        told = {**which, "limit": _ANSWERED_FROM, **named_models(without)}
        receipt = self._keep_receipt("answer", sources, search, fates, told, took=took)
        tally_answer(self._engine, "answer", shown, answer.coverage, answer.usage)
        self._count_asked("recall", name, began, (hit.note.id for hit in shown if hit.note is not None))
        return replace(answer, question=asked, receipt=receipt)

    @operation(Effect.READ, for_agents=True)
    def history(
        self,
        note_id: str | None = None,
        *,
        subject: str | None = None,
        attribute: str | None = None,
        as_of: Moment | None = None,
        known_at: Moment | None = None,
        space: str | None = None,
    ) -> History:
        """Show how a note, or what is known of a subject and attribute, came to be: every step and every version."""
        name, known = self._readable(space), moment(known_at, "known_at")
        if note_id is not None:
            note = self._current(name, self._note_id(name, note_id), known_at=known)
            versions = chain_of(self._engine, name, note.id)
        elif subject and attribute:
            versions = self._versions_on(name, subject, attribute)
        else:
            raise InvalidInput(
                "Neither a note nor a subject with an attribute was named.",
                code="field_missing",
                hint="Give the id of a note, or for example subject `user` and attribute `location`.",
            )
        from recollect.recall.profiles import history_of

        found = history_of(versions, begun_by=moment(as_of, "as_of"), known_at=known)
        records = [each for step in found.steps for each in (step.note.id, *step.note.derived_from)]
        links = self._engine.links.links_of(name, records)
        return replace(found, links=tuple(each for each in links if known is None or each.judged_at <= known))

    @operation(Effect.READ, for_agents=True)
    def relations(self, note_id: str, *, space: str | None = None) -> Links:
        """Show what a note or a message is linked with, from both ends; also what a model judged, with its score."""
        from recollect.domain.answers.recollections import SEEN_FROM_THERE, Link, Links, Relation

        name = self._readable(space)
        record_id = self._note_id(name, note_id)
        judged = self._engine.links.links_of(name, [record_id])
        said_itself = self._engine.archive.observation(name, record_id)
        if said_itself is not None:
            if said_itself.is_due(self._engine.clock.now()):
                raise Erased(f"Message {record_id} was kept until {said_itself.erase_at:%Y-%m-%d %H:%M}.")
            return Links(record_id, self._judged(name, record_id, judged))
        note = self._current(name, record_id)
        store = self._engine.store
        found = [(Relation(link), each) for link in LINKS for each in getattr(note, link)]
        leading = self._engine.lineage.links_to(name, note.id)
        others = store.current(name, [*(each for _, each in found), *(each for _, each in leading)])
        # A link of an earlier version no longer counts.
        found += [
            (SEEN_FROM_THERE[link], each)
            for link, each in leading
            if each in others and note.id in getattr(others[each], link)
        ]
        texts = self._texts(name, [each for _, each in found])
        links = (Link(relation, each, texts.get(each, "")) for relation, each in sorted(set(found)))
        return Links(note.id, (*links, *self._judged(name, note.id, judged)))

    def _judged(self, space: str, record_id: str, links: Sequence[StatementLink]) -> tuple[Link, ...]:
        """Links that a model judged, as seen from a record."""
        from recollect.domain.answers.recollections import JUDGED_FROM_EITHER_END, Link

        ends = [(link, link.older if link.newer == record_id else link.newer) for link in links]
        others = [other for _, other in ends]
        texts = self._texts(space, others)
        found = (
            Link(
                JUDGED_FROM_EITHER_END[link.relation][link.newer != record_id],
                other,
                texts.get(other, ""),
                link.score,
                link.model,
                link.is_refuted,
                link.settled_as and f"{link.settled_as.value}, by {link.settled_by}: {link.settled_because}",
            )
            for link, other in ends
            if other in texts
        )
        return tuple(sorted(found, key=lambda link: (link.relation, link.id)))

    def _texts(self, space: str, record_ids: Sequence[str]) -> dict[str, str]:
        """The words of notes and messages, without those that were not to be kept so long."""
        now = self._engine.clock.now()
        notes, said = self._engine.store.current(space, record_ids), self._engine.archive.those(space, record_ids)
        texts = {key: note.text for key, note in notes.items() if not note.is_due(now)}
        return texts | {key: each.text for key, each in said.items() if not each.is_due(now)}

    @operation(Effect.READ, for_agents=True)
    def profile(self, subject: str = USER, *, space: str | None = None, **where: Unpack[Where]) -> Profile:
        """Say what is known of somebody or something now, as fields and as prose."""
        name = self._readable(space)
        selection = Selection(
            states=ONCE_TRUE,
            valid_at=self._engine.clock.now(),
            subject=checked_name(subject, field="subject"),
            scope=Scope(*(checked_name(where.get(each), field=each) for each in SCOPE_FIELDS)),  # type: ignore[arg-type]
        )
        notes = self._notes_named(name, selection)
        from recollect.recall.profiles import profile_of

        return profile_of(notes[0].subject or subject if notes else subject, notes)

    def _notes_named(self, space: str, selection: Selection) -> Sequence[Note]:
        """The notes on a subject; where there are none, those on the person or the thing of that name."""
        store = self._engine.store
        for subject in subjects_named(selection.subject or ""):
            notes = store.notes(space, replace(selection, subject=subject), before=None, limit=MOST_PER_PAGE)
            if notes:
                return notes
        return ()

    def _versions_on(self, space: str, subject: str, attribute: str) -> tuple[Note, ...]:
        """Every version of every note on a subject and attribute, whatever has become of it."""
        store = self._engine.store
        notes = self._notes_named(space, Selection(subject=subject, attribute=attribute))
        return tuple(store.versions(space, [note.id for note in notes]))

    def _explained(
        self, sources: Sources, found: Search, answer: Recollection, asked: Mapping[str, Any]
    ) -> Recollection:
        """The answer with an explanation for each hit, and a receipt of it all."""
        from recollect.recall.receipt import explain, fates_of
        from recollect.recall.surroundings import surroundings_of

        begun = perf_counter()
        explained = explain(found, answer.hits, surroundings_of(sources, answer.hits, found.selection))
        took = {"explain": round((perf_counter() - begun) * 1000, 3)}
        fates = fates_of(found, len(answer.hits))
        receipt = self._keep_receipt("search", sources, found, fates, asked, took=took)
        return replace(answer, explained=explained, receipt=receipt)

    def _in_full(self, sources: Sources, asked: str, earlier: str, which: Which) -> str:
        """A question that goes on from another with the name that it points back to, or else both questions.

        Any other question as it is, also one whose pronoun may stand for somebody whom it names itself.
        """
        from recollect.language.english.follow_up import before_pronoun, goes_on, means_somebody, pronoun_of, with_name
        from recollect.recall.cited.extractive import values_asked
        from recollect.recall.coverage import names_in
        from recollect.recall.people import kin_in

        before, pronoun = before_pronoun(asked), pronoun_of(asked)
        if not goes_on(asked) or names_in(before) or kin_in(before):
            return asked
        if pronoun and self._search(sources, asked, which).question.people:
            return asked
        for note in values_asked(self._search(sources, earlier, which)) if pronoun else ():
            sort, _, key = (note.subject or "").partition(":")
            name = key if means_somebody(pronoun) and sort != USER else note.value
            if name:
                return with_name(asked, name)
        return f"{earlier} {asked}"

    def _in_sentences(
        self, space: str, search: Search, past: Mapping[str, Sequence[Note]], asked: str, earlier: str
    ) -> CitedAnswer:
        """The answer in the words of a model, if there is one and its words hold; else in those of the records."""
        from recollect.domain.answers.contexts import CitedAnswer
        from recollect.domain.answers.recollections import Coverage, Usage
        from recollect.domain.chat.chat_model import ModelTask
        from recollect.recall.cited.changed_since import changes_among, without_lost, without_taken_back
        from recollect.recall.cited.draft import composed
        from recollect.recall.cited.extractive import extract
        from recollect.recall.cited.likelihoods import read_for_answer, taken_back_likelihoods

        now, relevance = self._engine.clock.now(), self._engine.relevance
        search, past, lost = without_lost(read_for_answer(search, relevance), past)
        draft, model, why, usage = extract(search, past, now=now), "", "", Usage()
        mind = None
        if search.coverage is not Coverage.NONE:  # there is nothing that a model could be shown
            mind, why = self._model_for(ModelTask.ANSWER, space)
        if mind is not None:
            found, why, usage = self._synthesised(mind, search, past, asked, earlier)
            draft, model = (found, mind.model_id) if found is not None else (draft, "")
        if lost and not draft.sentences:
            draft = replace(draft, gaps=lost)
        gone = [each.id for each in search.taken_back]
        links = changes_among(self._engine.links.links_of(space, gone)) if gone else ()
        kept = without_taken_back(search, draft, taken_back_likelihoods(search, relevance), links)
        draft, model = kept, model if kept is draft else ""
        draft, quoted = self._with_ends(space, search, draft, now, worded=bool(model))
        changed = tuple(self._since_changed(space, search, draft, quoted))
        draft = replace(draft, gaps=(*changed, *draft.gaps) if draft.sentences or not changed else changed)
        draft = replace(draft, gaps=tuple(dict.fromkeys(draft.gaps)))
        text, sentences, citations = composed(draft)
        return CitedAnswer("", text, sentences, citations, draft.gaps, search.coverage, model, why, None, usage)

    def _with_ends(
        self, space: str, search: Search, draft: AnswerDraft, now: datetime, *, worded: bool
    ) -> tuple[AnswerDraft, QuotedRecords]:
        """The answer with that told as past which later messages ended or replaced, and the records that it quotes.

        Where nothing is known, a record that would have answered and was ended says that it is no longer known.
        """
        from recollect.domain.answers.recollections import Coverage
        from recollect.recall.cited.changed_since import ended_alone, told_as_past, with_successors
        from recollect.recall.cited.extractive import extract, nothing_known
        from recollect.recall.weights import WEIGHTS

        quoted = self._quoted(space, search, draft)
        if search.question.timed or search.question.window is not None:
            return draft, quoted
        if not draft.sentences and draft.gaps == (nothing_known(search.question),) and search.likely:
            unsure = extract(replace(search, coverage=Coverage.PARTIAL), {}, now=now)
            return ended_alone(unsure, self._quoted(space, search, unsure), search.question) or draft, quoted
        for _ in range(0 if worded else WEIGHTS.chains.rounds):
            fuller = with_successors(draft, quoted, search)
            if fuller is draft:
                break
            draft, quoted = fuller, self._quoted(space, search, fuller)
        return told_as_past(draft, quoted), quoted

    def _quoted(self, space: str, search: Search, draft: AnswerDraft) -> QuotedRecords:
        """The records that an answer quotes, with what was judged of their sources."""
        from recollect.recall.cited.changed_since import QuotedRecords, changes_among, sources_of

        engine = self._engine
        ids = list(dict.fromkeys(each.id for sentence in draft.sentences for each in sentence.evidence))
        notes, said = (engine.store.current(space, ids), engine.archive.those(space, ids)) if ids else ({}, {})
        sources = sources_of(notes.values())
        roots = sorted({*said, *sources})
        links = changes_among(engine.links.links_of(space, roots)) if roots else []
        later = [link.newer for link in links if link.older in roots]
        told = self._told(space, later) if later else {}
        told_at, words = {key: at for key, (at, _) in told.items()}, {key: text for key, (_, text) in told.items()}
        readings = {each: self._readings_of(space, each) for each in sorted(sources) if links}
        return QuotedRecords(notes, said, links, told_at, readings, words, search.likely)

    def _told(self, space: str, ids: Sequence[str]) -> dict[str, tuple[datetime, str]]:
        """When messages and notes were said that still count, and their words: neither retracted nor due to go."""
        engine, now = self._engine, self._engine.clock.now()
        messages = standing_messages(engine, space, ids)
        said = {key: (each.observed_at, each.text) for key, each in messages.items() if not each.is_due(now)}
        notes = {key: each for key, each in engine.store.current(space, ids).items() if each.state in ONCE_TRUE}
        return said | {key: (each.recorded_at, each.text) for key, each in notes.items() if not each.is_due(now)}

    def _readings_of(self, space: str, message_id: str) -> int:
        """How many facts were read from a message, and still are."""
        from recollect.recall.cited.changed_since import is_read

        links = self._engine.lineage.links_to(space, message_id)
        near = [each for relation, each in links if relation == "derived_from"]
        return sum(is_read(note) for note in self._engine.store.current(space, near).values())

    def _since_changed(self, space: str, search: Search, draft: AnswerDraft, quoted: QuotedRecords) -> Iterator[str]:
        """Sentences about what is no longer known, and about quoted notes whose basis has changed."""
        from recollect.recall.cited.changed_since import shaken
        from recollect.recall.cited.extractive import no_longer_known, resting_on_change

        store, now = self._engine.store, self._engine.clock.now()
        shown = {each.id for sentence in draft.sentences for each in sentence.evidence}
        notes_shown = [note for key, note in quoted.notes.items() if key in shown]
        yield from resting_on_change(notes_shown, shaken(quoted))
        if search.question.timed or search.question.window is not None:
            return
        notes = list(store.current(space, list(search.set_aside)).values())
        for attribute in search.question.attributes:
            meant = replace(search.selection, attribute=attribute, valid_at=None, states=ONCE_TRUE)
            notes += store.notes(space, meant, before=None, limit=_ENDED)
        told = no_longer_known(search, [note for note in notes if not note.holds_at(now) and not note.is_due(now)])
        if told:
            yield told

    def _synthesised(
        self, mind: ChatModel, search: Search, past: Mapping[str, Sequence[Note]], asked: str, earlier: str
    ) -> tuple[AnswerDraft | None, str, Usage]:
        """The sentences of a model that its citations say; or none, and why."""
        from recollect.domain.answers.recollections import Usage
        from recollect.recall.cited.synthesis import LONGEST_REPLY, SCHEMA, evidence_of, messages_for, synthesised

        evidence = evidence_of(search, past, now=self._engine.clock.now())
        if not evidence:
            return None, "", Usage()
        delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
        request = messages_for(asked, evidence, delimiter, earlier=earlier)
        reply = mind.reply(request, schema=SCHEMA, max_tokens=LONGEST_REPLY)
        if reply.refusal is not None:
            return None, reply.refusal.message, reply.usage
        made = synthesised(reply.data, search, evidence)
        if made.draft.sentences:
            return made.draft, "", reply.usage
        return None, _UNSAID if made.dropped else _UNANSWERED, reply.usage

    def _past(self, sources: Sources, search: Search) -> Mapping[str, Sequence[Note]]:
        """For each note that answers, what it took the place of, newest first; nothing if a time was asked about."""
        if search.question.window is not None or search.question.timed:
            return {}
        from recollect.recall.cited.extractive import values_asked

        before: dict[str, list[Note]] = {}
        now = [note.id for note in values_asked(search)]
        chains = self._engine.lineage.chains(sources.space, now) if now else {}
        notes = self._engine.store.current(sources.space, [each for ids in chains.values() for each in ids])
        for note_id, ids in chains.items():
            ended = [notes[each] for each in ids if each in notes and each not in now]
            ended = [each for each in ended if each.state in ONCE_TRUE and not each.is_due(self._engine.clock.now())]
            ended.sort(key=lambda note: note.valid_from or note.recorded_at, reverse=True)
            before[note_id] = ended[:_PAST]
        return before
