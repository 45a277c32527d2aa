"""Pure: records that an answer quotes, held against later messages that were judged to end or replace them.

A quoted message that a later one ends or replaces is told as past, and so is the only fact that was read from it. A
note that somebody drew from such a message is not over by that: it rests on something that has changed. A note whose
sources were taken back or forgotten is not quoted at all, since it may repeat them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from recollect.domain.answers.contexts import SentenceTime
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.links.statement_link import StatementLink, StatementRelation
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.domain.trust.disputes import is_unsupported
from recollect.recall.cited.draft import AnswerDraft, DraftedSentence, Evidence, said_evidence
from recollect.recall.cited.extractive import asked_stems, best_passage, gaps
from recollect.recall.coverage import asked_in, names_in, share
from recollect.recall.pipeline import Search
from recollect.recall.question import Question
from recollect.recall.weights import WEIGHTS, AnswerWeights
from recollect.recall.words import words_of

TAKEN_BACK = "It is no longer known: a message on it was taken back."
LOST = "It is no longer known: a note on it was made from something that was taken back, and waits for review."


@dataclass(frozen=True, slots=True)
class QuotedRecords:
    """The records that an answer quotes, the links of their sources, and when the later ends of these were said.

    `readings` says of a message how many facts were read from it, `later` what the later ends say. `likely` says how
    likely records answer the question, by a model that read them beside it.
    """

    notes: Mapping[str, Note]
    messages: Mapping[str, Observation]
    links: Sequence[StatementLink]
    said_at: Mapping[str, datetime]
    readings: Mapping[str, int]
    later: Mapping[str, str] = field(default_factory=dict)
    likely: Mapping[str, float] = field(default_factory=dict)

    def changed_by(self, record_id: str, *, surely: bool = True) -> StatementLink | None:
        """The last link that says that a message or note no longer holds; `None` if none does.

        `surely` asks for as much as ranking does, or for a later end that answers the question itself. Without it every
        link counts that was worth keeping.
        """
        later = [link for link in self.links if link.older == record_id and link.newer in self.said_at]
        found = [link for link in later if not surely or _is_sure(link) or self._answers(link.newer)]
        return max(found, key=lambda link: self.said_at[link.newer], default=None)

    def over_by(self, record_id: str) -> StatementLink | None:
        """The link by which what is quoted of a record is over. A long message says more than what was ended."""
        said = self.messages.get(record_id)
        if said is not None:
            return self.changed_by(record_id) if len(said.text) <= WEIGHTS.chains.says_one_thing else None
        note = self.notes.get(record_id)
        if note is None or not is_read(note):
            return None
        links = [self._over(note, each) for each in note.derived_from]
        return links[0] if links and None not in links else None

    def began_at(self, record_id: str) -> datetime | None:
        """When a quoted message was said, or since when a quoted note holds."""
        said, note = self.messages.get(record_id), self.notes.get(record_id)
        if said is not None:
            return said.observed_at
        return (note.valid_from or note.recorded_at) if note is not None else None

    def _answers(self, record_id: str) -> bool:
        return self.likely.get(record_id, 0.0) >= WEIGHTS.answer.likely

    def _over(self, note: Note, source: str) -> StatementLink | None:
        """The link by which a fact is over that was read from a message: its only one, or one that the end names."""
        link = self.changed_by(source)
        if link is None or self.readings.get(source, 0) <= 1:
            return link
        value = set(words_of(note.value or ""))
        return link if value and value <= set(words_of(self.later.get(link.newer, ""))) else None


def sources_of(notes: Iterable[Note]) -> set[str]:
    """The records that notes were made from, or rest on."""
    return {each for note in notes for each in (*note.derived_from, *note.depends_on)}


def changes_among(links: Iterable[StatementLink]) -> list[StatementLink]:
    """The links by which a newer statement takes the place of an older one."""
    return [link for link in links if link.is_change]


def is_read(note: Note) -> bool:
    """Whether a note was read from a message, and not written by somebody."""
    return bool(note.metadata.get("said"))


def without_lost(
    search: Search, past: Mapping[str, Sequence[Note]]
) -> tuple[Search, Mapping[str, Sequence[Note]], tuple[str, ...]]:
    """A search and its past without notes whose sources were taken back or forgotten, and the gap if there were any."""
    kept = tuple(hit for hit in search.ranked if hit.note is None or not is_unsupported(hit.note))
    before = {key: [note for note in notes if not is_unsupported(note)] for key, notes in past.items()}
    return replace(search, ranked=kept), before, (LOST,) if len(kept) < len(search.ranked) else ()


def told_as_past(draft: AnswerDraft, quoted: QuotedRecords) -> AnswerDraft:
    """The answer in which that stands as past which a later message ended or replaced, and until when it held."""
    sentences, ended = [], []
    for drafted in draft.sentences:
        links = {each.id: quoted.over_by(each.id) for each in drafted.evidence}
        evidence = tuple(
            replace(each, time=SentenceTime.PAST) if links[each.id] is not None else each for each in drafted.evidence
        )
        sentences.append(replace(drafted, evidence=evidence))
        last = next((link for link in links.values() if link is not None), None)
        if last is not None and None not in links.values() and last.stands_as.value == StatementRelation.ENDS:
            ended.append((drafted, quoted.said_at[last.newer]))
    beside = [each.id for drafted in sentences for each in drafted.evidence if each.time is not SentenceTime.PAST]
    told = (
        f"It is no longer known: “{drafted.text.rstrip('.')}” held until {until:%Y-%m-%d}."
        for drafted, until in ended
        if not beside or _counts_more(drafted, until, beside, quoted)
    )
    return AnswerDraft(tuple(sentences), (*told, *draft.gaps))


def _counts_more(ended: DraftedSentence, until: datetime, beside: Sequence[str], quoted: QuotedRecords) -> bool:
    """Whether a sentence that was ended is likelier to answer than the records beside it, all from before its end."""
    likely = max(quoted.likely.get(each.id, 0.0) for each in ended.evidence)
    begun = [quoted.began_at(each) for each in beside]
    return likely > max(quoted.likely.get(each, 1.0) for each in beside) and all(
        each is not None and each < until for each in begun
    )


def ended_alone(draft: AnswerDraft, quoted: QuotedRecords, question: Question) -> AnswerDraft | None:
    """An answer that says only until when something held, if all that a draft quotes of whom the question names was
    ended; else `None`.
    """
    named = names_in(question.text)
    about = tuple(each for each in draft.sentences if named.issubset(words_of(each.text)))
    told = told_as_past(AnswerDraft(about), quoted)
    is_over = all(each.time is SentenceTime.PAST for drafted in told.sentences for each in drafted.evidence)
    return AnswerDraft(gaps=told.gaps) if told.gaps and is_over else None


def with_successors(
    draft: AnswerDraft, quoted: QuotedRecords, search: Search, weights: AnswerWeights = WEIGHTS.answer
) -> AnswerDraft:
    """The answer; where everything it quotes is over, together with what took the place of that and was found."""
    evidence = [each for sentence in draft.sentences for each in sentence.evidence]
    links = {each.id: quoted.over_by(each.id) for each in evidence if each.time is not SentenceTime.PAST}
    newer = {
        link.newer
        for link in links.values()
        if link is not None and link.stands_as.value == StatementRelation.REPLACES and link.newer in quoted.said_at
    }
    found = _quotes_of(search, newer - {each.id for each in evidence}, weights) if None not in links.values() else []
    added = tuple(DraftedSentence(each.quote, (each,)) for each in found)
    return replace(draft, sentences=(*draft.sentences, *added)) if added else draft


def without_taken_back(
    search: Search,
    draft: AnswerDraft,
    likely: Mapping[str, float],
    links: Sequence[StatementLink] = (),
    weights: AnswerWeights = WEIGHTS.answer,
) -> AnswerDraft:
    """The answer, or that it is no longer known: where a message would have answered that was taken back.

    `likely` says of messages that were taken back how likely they answered, where a model read them. Quoted records
    that are likely themselves, or as likely as these, or that no model read, stand beside them. `links` are changes
    that such a message made or underwent: the other end is quoted, since it is about the same and still stands.
    """
    quoted = [each.id for sentence in draft.sentences for each in sentence.evidence]
    best = max((search.likely.get(each, 1.0) for each in quoted), default=0.0)
    if best >= weights.stands:
        return draft
    asked, root_of = asked_stems(search), search.question.stem
    for each in search.taken_back:
        sure = likely.get(each.id)
        by_words = not quoted and sure is None and share(asked, asked_in(asked, each.text, root_of)) >= weights.enough
        if by_words or (sure is not None and sure >= weights.likely and sure > best):
            return _in_its_place(search, each.id, links, weights) or AnswerDraft(gaps=(TAKEN_BACK,))
    return draft


def _in_its_place(
    search: Search, message_id: str, links: Sequence[StatementLink], weights: AnswerWeights
) -> AnswerDraft | None:
    """The answer by the messages that one replaced which was taken back, or that replaced it; `None` without any."""
    ends = {each.older if each.newer == message_id else each.newer for each in links if _is_sure(each)} - {message_id}
    found = _quotes_of(search, ends, weights)
    sentences = tuple(DraftedSentence(each.quote, (each,)) for each in found[: weights.most])
    return AnswerDraft(sentences, gaps(search, found)) if sentences else None


def _quotes_of(search: Search, messages: Collection[str], weights: AnswerWeights) -> list[Evidence]:
    """The best words of some messages, as far as they were found."""
    asked, root_of = asked_stems(search), search.question.stem
    return [
        said_evidence(hit.observation, best_passage(hit.text, asked, weights.longest, root_of))
        for hit in search.ranked
        if hit.observation is not None and hit.id in messages
    ]


def _is_sure(link: StatementLink) -> bool:
    """Whether a link is as sure as ranking asks for."""
    return link.strength >= WEIGHTS.chains.replaces


def shaken(quoted: QuotedRecords) -> Collection[str]:
    """Notes that somebody drew from a record which a later message ended or replaced, or may have.

    A doubt needs less than a change: it is told beside the note, and takes nothing away.
    """
    return {
        note.id
        for note in quoted.notes.values()
        if not is_read(note) and any(quoted.changed_by(each, surely=False) is not None for each in sources_of([note]))
    }
