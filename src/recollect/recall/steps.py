"""The steps that move hits after they were ranked, in their order: one list, one loop.

Each step has a name, and whatever it lifts says so by that name among its reasons. A later step may set another hit
above the one that an earlier step put first; the loop then writes the later step's name on both, so that nothing is
undone without a word. `Weights.off` leaves steps out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.links.statement_link import Stance, StatementLink
from recollect.domain.meanings import Relevance
from recollect.domain.notes import Note
from recollect.domain.readings import is_denied
from recollect.domain.selections import Selection
from recollect.domain.trust.disputes import dispute_of
from recollect.language.english.ownership import speaks_of_oneself
from recollect.language.world.words import likeliest
from recollect.recall import passages
from recollect.recall.chains import statement_chains
from recollect.recall.coverage import is_far, names_in
from recollect.recall.evidence import answers, listing, messages
from recollect.recall.gather import Gathered, Sources, notes_besides, said_besides, siblings_of
from recollect.recall.question import Question, Wants
from recollect.recall.vectors import late_interaction
from recollect.recall.words import words_of

HOLDS = "what holds first"
TOGETHER = "values together"
HIGHER_FIRST = "higher first"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question with everything that was gathered for it."""

    sources: Sources
    question: Question
    selection: Selection
    gathered: Gathered
    now: datetime
    answered: float | None = None  # how likely the best hit answers, where a model read them beside the question
    likely: Mapping[str, float] = field(default_factory=dict)  # how likely each of the hits answers that were so read
    nothing: float | None = None  # how likely none of the hits answers, where a model read them together
    links: tuple[StatementLink, ...] = ()  # that a judge made of the hits and what replaced them
    refuted: frozenset[tuple[str, str]] = frozenset()  # pairs of which somebody said that nothing changed
    behind: tuple[Hit, ...] = ()  # messages that no note shows, until they are put behind the first few


Outcome: TypeAlias = tuple[Sequence[Hit], Inquiry]  # the hits in their new order, and what the next step may know


class RankingStep(NamedTuple):
    """One step. Its name is what explanations call it."""

    name: str
    take: Callable[[Sequence[Hit], Inquiry], Outcome]


def taken(steps: Sequence[RankingStep], ranked: Sequence[Hit], asked: Inquiry) -> tuple[list[Hit], Inquiry]:
    """The hits after all steps that are not switched off, and what the steps found out."""
    for step in steps:
        if step.name not in asked.sources.weights.off:
            before = ranked
            ranked, asked = step.take(ranked, asked)
            ranked = _with_its_name(step.name, before, ranked)
    return list(ranked), asked


def _with_its_name(name: str, before: Sequence[Hit], after: Sequence[Hit]) -> Sequence[Hit]:
    """The hits; where another one is first than before the step, both say which step that was."""
    if not before or not after or before[0].id == after[0].id:
        return after
    told = {after[0].id: f"{name}: first", before[0].id: f"{name}: no longer first"}
    return [
        hit
        if (reason := told.get(hit.id)) is None or any(why.startswith(name) for why in hit.why)
        else replace(hit, why=(*hit.why, reason))
        for hit in after
    ]


def _with_its_message(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    gathered = asked.gathered
    shown = messages.messages_of(gathered.candidates, asked.question.words, asked.question.stem)
    kept, behind = messages.together(ranked, shown, gathered.unseen, asked.sources.breadth.short)
    return kept, replace(asked, behind=behind) if behind else asked


def _behind_the_first_few(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    return messages.with_those_behind(ranked, asked.behind, asked.sources.weights.chains.first_few), asked


def _closest_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    gathered = asked.gathered
    return late_interaction.closest_first(ranked, gathered.candidates, asked.sources, gathered.about), asked


def _answers_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    relevance, weights, text = _reader_of(asked), asked.sources.weights.relevance, asked.question.text
    if relevance is None:
        return ranked, asked
    moved, most, likely = answers.answers_first(ranked, text, relevance, weights)
    far = {hit.id for hit in ranked if is_far(hit.likeness, asked.sources.scale)}
    likely = {key: 0.0 if key in far else each for key, each in likely.items()}
    return moved, replace(asked, answered=most, likely=likely)


def _reader_of(asked: Inquiry) -> Relevance | None:
    """The model that reads hits beside the question, if it can read the question: a short one, in English."""
    text = asked.question.text
    if len(text) > asked.sources.weights.relevance.longest or not asked.question.has_an_answer:
        return None
    return None if asked.question.language or likeliest(text).foreign else asked.sources.relevance


def _asserted_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    sources, weights = asked.sources, asked.sources.weights.chains
    if sources.links is None or not asked.question.asks_how_things_stand or asked.question.asks_for_many:
        return ranked, asked
    said = [hit.id for hit in ranked[: weights.considered] if hit.observation is not None]
    judged = sources.links.judgements(sources.space, said) if said else {}
    text = asked.question.text
    of_others = bool(names_in(text)) and not speaks_of_oneself(text)
    asserted = {
        record_id: judgement.asserted
        for record_id, judgement in judged.items()
        if not of_others
        or judgement.stance is not Stance.OTHERS  # what is said of somebody answers what is asked of them
    }
    return statement_chains.asserted_first(ranked, asserted, weights), asked


def _current_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    sources, weights = asked.sources, asked.sources.weights.chains
    found = _followed_links(ranked, sources)
    if not found:
        return ranked, asked
    links = [link for link in found if not link.is_refuted]
    asked = replace(asked, refuted=frozenset((link.older, link.newer) for link in found if link.is_refuted))
    if not links:
        return ranked, asked
    known = {record_id for hit in ranked for record_id in statement_chains.records_of(hit)}
    unknown = sorted({link.newer for link in links if not link.is_faint} - known)
    at = asked.selection.valid_at or asked.now
    others = [Hit(None, 0.0, (), each) for each in said_besides(sources, unknown, asked.question, asked.selection)]
    others += (Hit(each, 0.0, ()) for each in notes_besides(sources, unknown, asked.selection, at))
    moved = statement_chains.current_first(ranked, asked.question, links, others, at=at, weights=weights)
    return moved, replace(asked, links=tuple(links))


def _read_together(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    sources, question, first = asked.sources, asked.question, ranked[: listing.MANY]
    fits = listing.as_taught(first) and listing.can_be_ordered(question)
    relevance, at = _reader_of(asked) if fits else None, asked.selection.valid_at or asked.now
    if relevance is None:
        return ranked, asked
    judged = sources.links.judgements(sources.space, [hit.id for hit in first]) if sources.links else {}
    shown = listing.listed(first, question, judged, asked.links, at=at, scale=sources.scale)
    ordered = relevance.ordered(question.text, shown, several=listing.wants_several(question))
    if ordered is None:
        return ranked, asked
    return [*listing.in_order(first, ordered.scores), *ranked[listing.MANY :]], replace(asked, nothing=ordered.nothing)


def _newest_of_one_form_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    question = asked.question
    if not listing.has_one_answer(question):
        return ranked, asked
    stands = question.asks_how_things_stand
    if not stands and not question.asks_what_happened:
        return ranked, asked
    at = asked.selection.valid_at or asked.now
    happened = None if stands else frozenset(words_of(question.text))
    return statement_chains.newest_of_one_form_first(ranked, asked.refuted, at=at, happened=happened), asked


def _doubtful_behind(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    question = asked.question
    if not asked.links or not question.asks_how_things_stand or not listing.has_one_answer(question):
        return ranked, asked
    at, weights = asked.selection.valid_at or asked.now, asked.sources.weights.chains
    return statement_chains.doubtful_behind(ranked, asked.links, asked.likely, at=at, weights=weights), asked


def _followed_links(ranked: Sequence[Hit], sources: Sources) -> list[StatementLink]:
    """The links of the best hits, the refuted ones too, and on from there to what replaced what replaced them."""
    weights = sources.weights.chains
    found: dict[tuple[str, str], StatementLink] = {}
    seen: set[str] = set()
    asked = {record_id for hit in ranked[: weights.considered] for record_id in statement_chains.records_of(hit)}
    for _ in range(weights.rounds):
        found.update(((link.older, link.newer), link) for link in sources.links_of(sorted(asked)))
        seen |= asked
        asked = {link.newer for link in found.values() if not link.is_faint} - seen
        if not asked:
            break
    return list(found.values())


def _latest_figures_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    return passages.latest_figures_first(ranked, asked.question, asked.sources.weights), asked


def _what_holds_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    return what_holds_first(ranked, asked.question), asked


def _values_together(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    siblings = siblings_of(asked.sources, asked.question, ranked, asked.selection)
    return with_siblings(ranked, siblings), asked


def _higher_first(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    proposals = contested(ranked)
    if not proposals:
        return ranked, asked
    named = {*proposals.values()}.difference(hit.id for hit in ranked)
    notes = asked.sources.store.current(asked.sources.space, sorted(named)) if named else {}
    moment = asked.selection.valid_at or asked.now
    holding = {each.id: each for each in notes.values() if each.holds_at(moment)}
    return higher_first(ranked, proposals, holding), asked


def _higher_first_of_these(ranked: Sequence[Hit], asked: Inquiry) -> Outcome:
    proposals = contested(ranked)
    return higher_first(ranked, proposals, {}) if proposals else ranked, asked


# -- values of what is asked for, and what contradicts them ------------------------------------------------------------


def what_holds_first(ranked: Sequence[Hit], question: Question) -> list[Hit]:
    """The hits; where the best one says what is no longer so, what still is of the same sort comes before it.

    Unless the question names what is over.
    """
    best = ranked[0].note if ranked else None
    if best is None or not best.attribute or not is_denied(best) or question.wants is Wants.THE_HISTORY:
        return list(ranked)
    if not frozenset(words_of(best.value or "")).isdisjoint(question.words):
        return list(ranked)
    filed = (best.subject, best.attribute)
    same = [hit for hit in ranked if hit.note and (hit.note.subject, hit.note.attribute) == filed]
    still = [hit for hit in same if hit.note and not is_denied(hit.note)]
    kept = {hit.id for hit in still}
    return [*still, *(hit for hit in ranked if hit.id not in kept)]


def with_siblings(ranked: Sequence[Hit], siblings: Sequence[Note]) -> list[Hit]:
    """The hits, and right behind the best one the other values of its attribute, in the order they had."""
    if not siblings:
        return list(ranked)
    best, rest = ranked[0], list(ranked[1:])
    known = {hit.id: hit for hit in rest}
    beside = [
        known.get(note.id)
        or Hit(note, best.score, (f"{TOGETHER}: beside “{best.text}”",), evidence=tuple(reversed(note.derived_from)))
        for note in siblings
    ]
    order = {hit.id: place for place, hit in enumerate(rest)}
    beside.sort(key=lambda hit: order.get(hit.id, len(order)))
    lifted = {hit.id for hit in beside}
    return [best, *beside, *(hit for hit in rest if hit.id not in lifted)]


def contested(ranked: Sequence[Hit]) -> dict[str, str]:
    """The hits that are proposals, each with the note that it contradicts from below."""
    return {hit.id: dispute.note_id for hit in ranked if hit.note is not None and (dispute := dispute_of(hit.note))}


def higher_first(ranked: Sequence[Hit], proposals: Mapping[str, str], others: Mapping[str, Note]) -> list[Hit]:
    """The hits, each proposal behind the note it contradicts; that one is taken from `others` if it is no hit."""
    hits = {hit.id: hit for hit in ranked}
    told: dict[str, Hit] = {}
    for hit in ranked:
        higher = proposals.get(hit.id)
        if higher is not None and higher not in told:
            before = hits.get(higher) or _beside(hit, others.get(higher))
            if before is not None:
                told[before.id] = before
        told.setdefault(hit.id, hit)
    return list(told.values())


def _beside(hit: Hit, note: Note | None) -> Hit | None:
    if note is None or hit.note is None or note.scope != hit.note.scope:
        return None
    return Hit(
        note, hit.score, (f"{HIGHER_FIRST}: contradicted by “{hit.text}”",), evidence=tuple(reversed(note.derived_from))
    )


FOLLOWED = (
    RankingStep(messages.TOGETHER, _with_its_message),
    RankingStep(late_interaction.NAME, _closest_first),
    RankingStep(answers.NAME, _answers_first),
    RankingStep(statement_chains.ASSERTED, _asserted_first),
    RankingStep(statement_chains.NAME, _current_first),
    RankingStep(listing.NAME, _read_together),
    RankingStep(statement_chains.ONE_FORM, _newest_of_one_form_first),
    RankingStep(statement_chains.DOUBTFUL, _doubtful_behind),
    RankingStep(passages.NAME, _latest_figures_first),
    RankingStep(HOLDS, _what_holds_first),
    RankingStep(TOGETHER, _values_together),
    RankingStep(HIGHER_FIRST, _higher_first),
    RankingStep(messages.BEHIND, _behind_the_first_few),
)
AS_SELECTED = (RankingStep(HIGHER_FIRST, _higher_first_of_these),)  # nothing is looked for along the chains of notes
