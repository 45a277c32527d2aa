"""Pure: of several long messages that give a figure for what is asked, the one that tells of a change comes first.

A long message is about many things, so it replaces none as a whole. But in a page about
somebody's week "the choir has grown to 41 singers" is one passage that tells how things stand by now. So the passage is
looked for that has most of the question's words close together and a figure or a date beside them. If it says that
something changed, its message goes above those that gave another figure before it. Nothing else moves.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import TypeAlias

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.late import Late
from recollect.language.english.questions import OF_FIGURES, asks_for_figure, figure_asked
from recollect.language.english.sentences import OF_CHANGE, WRITTEN_FIGURES
from recollect.language.english.word_forms import SHORTEST_STEM
from recollect.recall.chains.statement_chains import said_at, was_saved
from recollect.recall.question import Question
from recollect.recall.weights import WEIGHTS, PassageWeights, Weights
from recollect.recall.words import beginnings_of, stem, words_of

NAME = "latest figures first"

_QUOTED = 60  # characters of the older message, in the reason

_PASTED = Late(r"```.*?(?:```|$)", re.DOTALL)
_WORD = Late(r"\d[\d,.]*\d|\w+")


_Met: TypeAlias = tuple[int, str]  # the place of a word, and its stem


@dataclass(frozen=True, slots=True)
class _Passage:
    """Where a hit speaks of what is asked. `covers` is the share of the question that it has, 0 if there is none."""

    covers: float = 0.0
    figures: frozenset[str] = frozenset()
    tells_a_change: bool = False


_NOWHERE = _Passage()


def latest_figures_first(ranked: Sequence[Hit], question: Question, weights: Weights = WEIGHTS) -> list[Hit]:
    """The hits, long messages that tell of a change above those that gave another figure before."""
    limits = weights.passages
    hits = list(ranked[: limits.considered])
    if len(hits) < 2 or not _asks_how_it_stands(question) or not any(len(hit.text) > limits.long for hit in hits):
        return list(ranked)
    asked = frozenset(stem(word) for word in question.words if word not in OF_FIGURES)
    texts = [_words(hit, limits.read) for hit in hits]
    met = [_met(text, asked) for text in texts]
    worth = _worth(question, asked, met, limits.head)
    passages = [_passage(*each, worth, limits) for each in zip(texts, met, strict=True)]
    order = list(range(len(hits)))
    for place, hit in enumerate(hits):
        above = order[: order.index(place)]
        older = next((each for each in above if _is_outdated(each, place, hits, passages, limits)), None)
        if older is not None and len(hit.text) > limits.long:
            order.remove(place)
            order.insert(order.index(older), place)
            reason = f"{NAME}: newer than “{hits[older].text[:_QUOTED]}”"
            hits[place] = replace(hit, score=max(hit.score, hits[older].score), why=(*hit.why, reason))
    return [*(hits[place] for place in order), *ranked[limits.considered :]]


def _asks_how_it_stands(question: Question) -> bool:
    if question.window is not None or question.timed:
        return False
    return asks_for_figure(question.text)


def _is_outdated(
    one: int, other: int, hits: Sequence[Hit], passages: Sequence[_Passage], limits: PassageWeights
) -> bool:
    """Whether one hit gives a figure that another one tells anew. A saved note steps back for no guess."""
    before, after = passages[one], passages[other]
    return (
        after.tells_a_change
        and not was_saved(hits[one])
        and before.figures != after.figures
        and min(before.covers, after.covers) >= limits.about_it
        and after.covers >= limits.as_much * before.covers
        and _when(hits[one]) < _when(hits[other])
    )


def _when(hit: Hit) -> tuple[datetime, str]:
    """When it was said. Many messages may bear the time of their session; their ids are in the order they came."""
    return said_at(hit), hit.id


def _words(hit: Hit, read: int) -> list[str]:
    """The words of the person in a hit, without pasted text; none of an assistant's."""
    if hit.observation is not None and hit.observation.role not in (None, "user"):
        return []
    return list(_WORD.findall(_PASTED.sub(" ", hit.text)[:read].lower()))


def _met(words: Sequence[str], asked: Set[str]) -> list[_Met]:
    """Where the asked words stand."""
    beginnings = beginnings_of(asked, stem)  # most words begin otherwise, and need no stem
    begun = [(at, word) for at, word in enumerate(words) if not beginnings or word[:SHORTEST_STEM] in beginnings]
    return [(place, root) for place, word in begun if (root := stem(word)) in asked]


def _worth(question: Question, asked: Set[str], met: Sequence[Sequence[_Met]], of_the_head: float) -> dict[str, float]:
    """The weight of each asked word, by its stem: the rarer among the texts the more, and 1 together."""
    head = asked & {stem(word) for word in words_of(figure_asked(question.text))}
    held = Counter(root for each in met for root in {root for _, root in each})
    rarity = {root: math.log(1 + (len(met) - count + 0.5) / (count + 0.5)) for root, count in held.items()}
    of_head = sum(weight for root, weight in rarity.items() if root in head)
    of_rest = sum(rarity.values()) - of_head
    if not of_head or not of_rest:
        return {root: weight / (of_head + of_rest) for root, weight in rarity.items()}
    return {
        root: of_the_head * weight / of_head if root in head else (1 - of_the_head) * weight / of_rest
        for root, weight in rarity.items()
    }


def _passage(words: Sequence[str], met: Sequence[_Met], worth: Mapping[str, float], limits: PassageWeights) -> _Passage:
    """The passage that has most of what is asked, with a figure beside it; of equals the first."""
    best = _NOWHERE
    for number, (start, _) in enumerate(met):
        together = [each for each in met[number : number + limits.span] if each[0] < start + limits.span]
        covers = sum(worth[root] for root in {root for _, root in together})
        if covers <= best.covers:
            continue
        near = words[max(0, start - limits.beside) : together[-1][0] + limits.beside + 1]
        if figures := frozenset(word for word in near if word[0].isdigit() or word in WRITTEN_FIGURES):
            best = _Passage(covers, figures, not OF_CHANGE.isdisjoint(near))
    return best
