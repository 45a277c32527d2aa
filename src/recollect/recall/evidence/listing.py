"""Pure: the first hits of a question as a model sees them that puts them in order, each beside the others.

A question of how things stand has one answer among texts that all speak of it: the newest that is meant so, and not the
plan, the neighbour's or the value before. Which one it is, only the hits together tell. `Listed.signs` and
`Listed.beside` are what the model was taught with; another order of numbers would be another model.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import Judgement, Stance, StatementLink, StatementRelation
from recollect.domain.meanings import Listed
from recollect.recall.chains.statement_chains import records_of, said_at
from recollect.recall.coverage import on_our_scale
from recollect.recall.evidence.answers import told_text
from recollect.recall.question import Question, Wants
from recollect.recall.weights import Scale
from recollect.recall.words import words_of

NAME = "read together"
MANY = 24  # hits at most that the model was taught with, half of them notes at most
FEWEST = 12  # hits from which there is an order to find

_A_DAY = timedelta(days=1)
_PLACES = 12  # positions are told as shares of it
_LOGARITHMS = 8.0  # by which the logarithm of days is divided
_LENGTH, _LONGEST = 200, 400  # characters
_UNJUDGED = -0.2


def has_one_answer(question: Question) -> bool:
    """Whether a question asks for one thing as of one moment, and for no change or history."""
    if question.asks_for_many or question.wants in (Wants.THE_CHANGE, Wants.THE_HISTORY):
        return False
    return question.window is None or question.timed


def can_be_ordered(question: Question) -> bool:
    """Whether a question has one answer of how things stand, or several that hold: the model was taught no others."""
    return question.asks_how_things_stand and (has_one_answer(question) or wants_several(question))


def wants_several(question: Question) -> bool:
    """Whether a question asks for all values that hold at one moment."""
    of_one_moment = question.window is None or question.timed
    return question.wants is Wants.THE_FACT and question.may_ask_for_many and of_one_moment


def as_taught(hits: Sequence[Hit]) -> bool:
    """Whether the hits are such as the model knows: enough of them, and no more notes than messages."""
    return FEWEST <= len(hits) <= MANY and 2 * sum(hit.note is not None for hit in hits) <= len(hits)


def listed(
    hits: Sequence[Hit],
    question: Question,
    judged: Mapping[str, Judgement],
    links: Iterable[StatementLink],
    *,
    at: datetime,
    scale: Scale | None = None,
) -> list[Listed]:
    """The hits with their signs. `judged` and `links` are what a judge said of them when they were written, `scale` is
    that of the model which measured their likeness.
    """
    among = _Links(hits, links)
    said = [said_at(hit) for hit in hits]
    newest_first = sorted(range(len(hits)), key=lambda place: said[place], reverse=True)
    rank = {place: number for number, place in enumerate(newest_first)}
    best, closest = max(hit.score for hit in hits), max(hit.closeness for hit in hits)
    texts = [told_text(hit) for hit in hits]
    words = [frozenset(words_of(text)) for text in texts]

    def signs(place: int, hit: Hit) -> tuple[float, ...]:
        judgement, note = judged.get(hit.id), hit.note
        return (
            place / _PLACES,
            1 / (1 + place),
            hit.score,
            hit.score - best,
            on_our_scale(hit.likeness, scale) if hit.likeness and scale is not None else math.nan,
            hit.closeness if closest else math.nan,
            hit.closeness - closest if closest else math.nan,
            _UNJUDGED if judgement is None else judgement.asserted,
            float(judgement is None),
            *(float(judgement is not None and judgement.stance is stance) for stance in Stance),
            float(note is not None),
            math.log1p(max(0.0, (at - said[place]) / _A_DAY)) / _LOGARITHMS,
            rank[place] / _PLACES,
            among.replaced[place],
            among.replaces[place],
            among.repeats[place],
            among.ends[place],
            min(len(texts[place]), _LONGEST) / _LENGTH,
            float(hit.observation is not None and hit.observation.role == "assistant"),
            float(note is not None and note.attribute in question.attributes),
            question.meant.get(note.attribute, 0.0) if note is not None and note.attribute else 0.0,
        )

    def beside(one: int, other: int) -> tuple[float, ...]:
        days = (said[other] - said[one]) / _A_DAY
        either = len(words[one] | words[other]) or 1
        return (
            float(days > 0) - float(days < 0),
            math.copysign(math.log1p(abs(days)) / _LOGARITHMS, days),
            among.changed.get((one, other), 0.0),
            among.changed.get((other, one), 0.0),
            among.same.get((one, other), 0.0),
            len(words[one] & words[other]) / either,
            float(texts[one] == texts[other]),
        )

    return [
        Listed(
            texts[place],
            (at - said[place]) / _A_DAY,
            signs(place, hit),
            tuple(beside(place, other) for other in range(len(hits))),
        )
        for place, hit in enumerate(hits)
    ]


def in_order(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    """The hits, highest score of the model first; places keep the scores that they had among hits."""
    falling = sorted((hit.score for hit in hits), reverse=True)
    places = sorted(range(len(hits)), key=lambda place: -scores[place])
    highest = max(scores)
    shares = [math.exp(each - highest) for each in scores]
    whole = sum(shares)
    return [
        replace(hits[place], score=score, why=(*hits[place].why, f"{NAME}: {shares[place] / whole:.2f}"))
        for place, score in zip(places, falling, strict=True)
    ]


class _Links:
    """The links that end at hits: how strong the strongest of each sort is, and between which two."""

    def __init__(self, hits: Sequence[Hit], links: Iterable[StatementLink]) -> None:
        many = len(hits)
        self.replaced, self.replaces, self.repeats, self.ends = ([0.0] * many for _ in range(4))
        self.changed: dict[tuple[int, int], float] = {}
        self.same: dict[tuple[int, int], float] = {}
        places: dict[str, list[int]] = defaultdict(list)
        for place, hit in enumerate(hits):
            for record in records_of(hit):
                places[record].append(place)
        for link in links:
            self._take(link, places.get(link.older, ()), places.get(link.newer, ()))

    def _take(self, link: StatementLink, older: Sequence[int], newer: Sequence[int]) -> None:
        relation, strength = link.stands_as.value, link.strength
        if relation in (StatementRelation.REPLACES, StatementRelation.ENDS):
            for place in older:
                self.replaced[place] = max(self.replaced[place], strength)
            for place in newer:
                self.replaces[place] = max(self.replaces[place], strength)
                if relation == StatementRelation.ENDS:
                    self.ends[place] = max(self.ends[place], strength)
        pairs = [(one, other) for one in older for other in newer if one != other]
        for one, other in pairs:
            if relation in (StatementRelation.REPLACES, StatementRelation.ENDS):
                self.changed[one, other] = max(self.changed.get((one, other), 0.0), strength)
            elif relation == StatementRelation.SAME:
                for pair in ((one, other), (other, one)):
                    self.same[pair] = max(self.same.get(pair, 0.0), strength)
                    self.repeats[pair[0]] = max(self.repeats[pair[0]], strength)
