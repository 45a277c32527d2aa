"""Pure: whether memory knows anything about what was asked: everything, something, or nothing.

It is told by raw signs and not by scores, which only order what there is: how near the nearest text is in meaning,
which of the asked words the best hits have, whether an asked attribute is among them, and whether anybody whom the
question names occurs at all. "Nothing" is said only when it is rather sure: a false "nothing" loses an answer, a false
"something" costs a few lines. That a question is about something known and still has no answer in it, because it was
never said, only a model can tell that read both; where there is one, its word is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import compress

from recollect.domain.answers.recollections import Candidate, Coverage, Hit
from recollect.domain.dataclass import dataclass
from recollect.language.english.closed_words import MONTHS, WEEKDAYS, WH_WORDS
from recollect.language.english.questions import begins_to_ask
from recollect.language.english.small_words import STOP_WORDS
from recollect.recall.bm25 import Wanted, counted
from recollect.recall.cues import is_question, manner_of
from recollect.recall.question import Question
from recollect.recall.weights import WEIGHTS, CoverageWeights, Scale
from recollect.recall.words import Stem, words_of


@dataclass(frozen=True, slots=True)
class CoverageSigns:
    """The raw signs that coverage is told by. Shares are of the letters of the asked words: a long word says more.

    `likeness` is `None` where no model measured the best hit.
    """

    hits: int
    likeness: float | None  # of the nearest text
    best: float  # share of what was asked that one hit has
    together: float  # share that all hits have together
    attribute: bool  # a hit has an attribute that was asked for
    strangers: bool  # the question names somebody, and none of the names occurs anywhere
    asks: bool = False  # it asks for something, and is no task or topic
    answered: float | None = None  # how likely the best hit answers it, where a model read them side by side
    nothing: float | None = None  # how likely none of the best hits does, where it read them together


def scale_of(model_id: str) -> Scale | None:
    """The scale of a model, which its id begins with; how long its vectors are changes nothing about it."""
    return WEIGHTS.coverage.scales.get(model_id.partition("/")[0])


def on_our_scale(likeness: float, scale: Scale) -> float:
    """A likeness on the scale of a model, as our own encoder would measure it, with which the others were taught."""
    ours = WEIGHTS.coverage.scales["encoder"]
    return ours.nothing + (likeness - scale.nothing) * (ours.all - ours.nothing) / (scale.all - scale.nothing)


def coverage(signs: CoverageSigns, scale: Scale | None, weights: CoverageWeights = WEIGHTS.coverage) -> Coverage:
    """How much of what was asked memory speaks of. Without a scale words alone decide."""
    if not signs.hits or _is_unanswered(signs, weights):
        return Coverage.NONE
    if scale is None or signs.likeness is None:
        if signs.strangers and signs.best < weights.only_strangers:
            return Coverage.NONE
        return Coverage.FULL if signs.together == 1.0 else Coverage.PARTIAL
    strength = (signs.likeness - scale.nothing) / (scale.all - scale.nothing) + weights.words * signs.best
    strength += weights.attribute * signs.attribute - weights.strangers * signs.strangers
    if strength < 0.0 and not _may_be_answered(signs, strength, weights):
        return Coverage.NONE
    return Coverage.FULL if strength >= 1.0 or signs.together == 1.0 else Coverage.PARTIAL


def is_far(likeness: float, scale: Scale | None, weights: CoverageWeights = WEIGHTS.coverage) -> bool:
    """Whether a text has nothing to do with a question, whatever a model that read both says of short ones."""
    return bool(likeness) and scale is not None and likeness < scale.nothing - weights.far * (scale.all - scale.nothing)


def _is_unanswered(signs: CoverageSigns, weights: CoverageWeights) -> bool:
    """Whether a model read all the best hits beside a question, and none answers it. An asked attribute does."""
    if not signs.asks or signs.attribute or signs.answered is None:
        return False
    if signs.nothing is not None:
        return signs.nothing >= weights.nothing and signs.answered < weights.surely_answered
    return signs.answered < weights.unanswered


def _may_be_answered(signs: CoverageSigns, strength: float, weights: CoverageWeights) -> bool:
    """Whether a model that read the best hits beside a question takes one for an answer, however far its words are."""
    if not signs.asks or signs.answered is None or signs.answered < weights.unanswered:
        return False
    if signs.strangers:
        return signs.answered >= weights.surely_answered
    if signs.nothing is not None and signs.nothing < weights.something:
        return True
    return signs.answered >= weights.answered or strength >= -weights.farther_if_read


def signs_of(
    question: Question,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
    *,
    space: str = "",
    looked_at: int = WEIGHTS.coverage.hits,
) -> CoverageSigns:
    """The signs of a search. Somebody whom a space is called after is no stranger in it."""
    asked = list(dict.fromkeys(map(question.stem, question.words)))
    spoken = asked_in_each(asked, map(_words, hits[:looked_at]), question.stem)
    measured = [candidate.likeness for candidate in candidates if candidate.likeness]
    return CoverageSigns(
        hits=len(hits),
        likeness=max(measured, default=None) if not hits or hits[0].likeness else None,  # some have no vector yet
        best=max((share(asked, found) for found in spoken), default=0.0),
        together=share(asked, frozenset().union(*spoken)),
        attribute=any(hit.note is not None and hit.note.attribute in question.attributes for hit in hits[:looked_at]),
        strangers=_are_strangers(names_in(question.text) - frozenset(words_of(space)), candidates),
        asks=_asks(question),
    )


def _asks(question: Question) -> bool:
    """Whether a text asks for something that may be known; many leave out the mark at the end."""
    if question.kinds:
        return question.has_an_answer
    text = question.text
    return (is_question(text) or begins_to_ask(text)) and not manner_of(text).is_request


def asked_in(asked: Iterable[str], text: str, stem: Stem) -> frozenset[str]:
    """Which of the asked words, as stems, a text has."""
    return asked_in_each(asked, [text], stem)[0]


def asked_in_each(asked: Iterable[str], texts: Iterable[str], stem: Stem) -> list[frozenset[str]]:
    """Which of the asked words, as stems, each text has."""
    wanted = tuple(dict.fromkeys(asked))
    return [frozenset(compress(wanted, each.times)) for each in counted(list(texts), Wanted(wanted, stem))]


def share(asked: Sequence[str], found: Iterable[str]) -> float:
    """How much of what was asked was found, by letters."""
    letters = sum(map(len, asked))
    return sum(map(len, found)) / letters if letters else 0.0


def _words(hit: Hit) -> str:
    if hit.note is not None:
        return f"{hit.note.title or ''} {hit.note.subject or ''} {hit.note.text} {' '.join(hit.note.tags)}"
    return f"{hit.observation.speaker or ''} {hit.text}" if hit.observation else ""


_NAME = re.compile(r"(?<=\w )[A-Z][a-z][\w-]+")  # a capital inside a sentence
_NAME_OR_BEGINNING = re.compile(r"(?<=[,;:'’\"”)] )[A-Z][a-z][\w-]+")  # behind these marks a sentence may begin
_BEGINNINGS = STOP_WORDS.union(WH_WORDS.split())


def names_in(text: str) -> frozenset[str]:
    """The words with a capital inside a sentence, in lower case; no months and no days, and behind a mark no small
    words either, of which many begin a sentence.
    """
    found = {word for name in _NAME.findall(text) for word in words_of(name)}
    behind_marks = {word for name in _NAME_OR_BEGINNING.findall(text) for word in words_of(name)}
    return frozenset(found.union(behind_marks - _BEGINNINGS).difference(MONTHS.split(), WEEKDAYS.split()))


def _are_strangers(names: frozenset[str], candidates: Sequence[Candidate]) -> bool:
    if not names:
        return False
    for candidate in candidates:
        said, note = candidate.observation, candidate.note
        around = said.speaker or "" if said else f"{note.title or ''} {note.subject or ''} {note.text}" if note else ""
        if not names.isdisjoint(words_of(f"{around} {candidate.found_text}")):
            return False
    return True
