"""Pure: of several words on the same thing, the newest comes first.

Where a fact was read from what was said, its chain knows what replaced what. Much is said that no rule can file:
"the window seat on the ferry was lovely" replaces "I fly there" without saying so. Such statements are linked
here, when a question brings them together: by how near each is to the question, by how firm it stands, and by the
names and words it shares with the others. The newest of them answers; the older ones step back behind the
first few. Nothing is written: what was linked for one question binds no other. A note that somebody saved on purpose
is left where it is: it steps back for what supersedes it and for no guess.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.notes import Note
from recollect.recall.question import Question
from recollect.recall.weights import WEIGHTS, LinkOdds, LinkWeights
from recollect.recall.words import STOP_WORDS, stem, words_of

NAME = "newest first"

_THINGS = ("thing", "project")  # sorts of subjects that are nobody

# Capitals that do not begin a sentence, what has figures in it, addresses, code.
_NAME = re.compile(
    r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w&'-]*(?:\.[a-z]\w*)*(?:\s+(?:&\s+)?[A-Z0-9][\w.-]*)*"
    r"|\b\w*\d[\w.:-]*|\b[\w-]{1,64}\.[a-z]{2,}[\w.]*|`[^`]+`"
)


class _Word(NamedTuple):
    """A hit, taken apart for comparing."""

    record_id: str
    said_at: datetime
    names: frozenset[str]
    stems: frozenset[str]
    attribute: str | None
    odds: float  # of being about what is asked, by itself


Resemblance: TypeAlias = Callable[[str, str], float | None]  # of two records; `None` if it cannot be told


def newest_first(
    ranked: Sequence[Hit],
    question: Question,
    alike: Resemblance | None = None,
    weights: LinkWeights = WEIGHTS.links,
) -> list[Hit]:
    """The hits, the newest of those on the same thing before all others, its older ones behind the first few.

    `alike` tells how much the words of two of them resemble each other, where they are compared word by word.
    """
    considered = ranked[: weights.considered]
    if len(considered) < 2 or not any(hit.likeness for hit in considered):
        return list(ranked)
    if question.asks_for_many or not question.asks_how_things_stand or _is_repeated(considered[0]):
        return list(ranked)
    odds = weights.by_meaning if alike is None else weights.word_by_word
    words = [_word(hit, considered[0].score, question, odds) for hit in considered]
    shares = _shares(words, weights, odds, alike or _untold)
    if sum(share >= weights.steps_back for share in shares) > weights.most_versions:
        return list(ranked)
    best = max(range(len(words)), key=lambda place: (not _is_repeated(considered[place]), shares[place], -place))
    if _has_many(considered[best]) or is_long(considered[best], weights.long):
        return list(ranked)
    joined = [place for place in range(len(words)) if _joins(place, best, considered, shares, question, weights)]
    newest = max(joined, key=lambda place: (words[place].said_at, shares[place]))
    if was_saved(considered[0]) and not was_saved(considered[newest]):
        return list(ranked)
    older = {
        place
        for place in range(len(words))
        if place != newest
        and not was_saved(considered[place])
        and len(considered[place].text) <= weights.says_one_thing
        and (place in joined or (shares[place] >= weights.steps_back and not _stands_apart(considered, place, best)))
        and words[place].said_at <= words[newest].said_at
    }
    first = considered[newest]
    if newest:
        reason = "likeliest to be meant" if newest == best else f"newer than “{considered[best].text}”"
        first = replace(first, score=considered[0].score, why=(*first.why, f"{NAME}: {reason}"))
    others = [hit for place, hit in enumerate(ranked) if place != newest and place not in older]
    behind = [considered[place] for place in sorted(older)]
    return [first, *others[: weights.first_few - 1], *behind, *others[weights.first_few - 1 :]]


def _joins(
    place: int, best: int, hits: Sequence[Hit], shares: Sequence[float], question: Question, weights: LinkWeights
) -> bool:
    """Whether a hit is about the same thing as the likeliest one."""
    note, lead = hits[place].note, hits[best].note
    if place == best:
        return True
    if is_long(hits[place], weights.long) or _is_repeated(hits[place]) or hits[place].id in hits[best].evidence:
        return False  # what a fact was read from is not newer than the fact
    if question.window is not None and said_at(hits[place]) >= question.window.end:
        return False
    if _stands_apart(hits, place, best):
        return False
    if lead is None or not _is_asked_for(lead, question):
        return shares[place] >= weights.joins
    same = note is not None and (note.subject, note.attribute) == (lead.subject, lead.attribute)
    return shares[place] >= (weights.joins if same else weights.joins_a_chain)


def _is_asked_for(lead: Note, question: Question) -> bool:
    """Whether a question names what a fact is of: its attribute, or a thing by its name."""
    if lead.attribute in question.attributes:
        return True
    name = (lead.subject or "").partition(":")[2]
    asked = {stem(word) for word in words_of(question.text)}
    return bool(name) and asked.issuperset(stem(word) for word in words_of(name) if word not in STOP_WORDS)


def _stands_apart(hits: Sequence[Hit], place: int, best: int) -> bool:
    """Whether two facts are filed as different things: rules read both, and their chains know what replaces what."""
    note, lead = hits[place].note, hits[best].note
    if note is None or lead is None or note.attribute is None or lead.attribute is None:
        return False
    if note.attribute != lead.attribute:
        return True
    return note.subject != lead.subject and not (_is_told_of(lead, hits[place]) or _is_told_of(note, hits[best]))


def _is_told_of(fact: Note, other: Hit) -> bool:
    """Whether what another hit says is said of the thing that a fact is about, however that one was filed: "the
    kitchen door is painted green" is filed under the house, and tells of the door.
    """
    told = other.note.subject if other.note else None
    if any((subject or "").partition(":")[0] not in _THINGS for subject in (fact.subject, told)):
        return False
    called = _stems((fact.subject or "").partition(":")[2])
    return bool(called) and called <= _stems(_said_of(other))


def _untold(_one: str, _other: str) -> float | None:
    return None


def _shares(words: Sequence[_Word], weights: LinkWeights, odds: LinkOdds, alike: Resemblance) -> list[float]:
    """Of each hit the likelihood that it is about what is asked, with what it has in common with the likeliest."""
    named = Counter(name for word in words for name in word.names)
    held = Counter(each for word in words for each in word.stems)
    rarity = {each: math.log(1 + (len(words) - count + 0.5) / (count + 0.5)) for each, count in held.items()}
    seldom = frozenset(name for name, count in named.items() if count <= weights.named_often)
    rare = frozenset(each for each, weight in rarity.items() if weight > weights.rare)
    words = [word._replace(names=word.names & seldom, stems=word.stems & rare) for word in words]
    shares = [_likelihood(word.odds) for word in words]
    for _ in range(weights.rounds):
        leading = sorted(range(len(words)), key=lambda place: -shares[place])[: weights.leading]
        shares = [
            _likelihood(_linked(place, leading, words, shares, rarity, odds, alike, weights.alike))
            for place in range(len(words))
        ]
    return shares


def _linked(
    place: int,
    leading: Sequence[int],
    words: Sequence[_Word],
    shares: Sequence[float],
    rarity: Mapping[str, float],
    odds: LinkOdds,
    alike: Resemblance,
    unlike: float,
) -> float:
    word = words[place]
    name = common = other = 0.0
    resembling = -math.inf
    for lead in leading:
        if lead == place:
            continue
        beside, share = words[lead], shares[lead]
        if not word.names.isdisjoint(beside.names):
            name = max(name, share)
        if word.attribute and beside.attribute and word.attribute != beside.attribute:
            other = max(other, share)
        if word.stems:
            both = sum(rarity[each] for each in word.stems & beside.stems)
            common = max(common, share * both)
        told = alike(word.record_id, beside.record_id)
        resembling = max(resembling, 0.0 if told is None else share * (told - unlike))
    return (
        odds.unlinked
        + odds.by_itself * word.odds
        + odds.shared_name * name
        + odds.shared_words * common
        + odds.other_attribute * other
        + odds.said_alike * (resembling if resembling > -math.inf else 0.0)
    )


def _word(hit: Hit, best_score: float, question: Question, weights: LinkOdds) -> _Word:
    note, observation = hit.note, hit.observation
    odds = weights.never + weights.likeness * hit.likeness + weights.closeness * hit.closeness
    odds += weights.score * hit.score / (best_score or 1.0)
    if note is not None:
        odds += weights.asked_attribute if note.attribute in question.attributes else 0.0
    elif observation is not None and observation.standing is not None:
        odds += weights.stands.get(observation.standing, 0.0)
    said = _said_of(hit)
    return _Word(
        record_id=hit.id,
        said_at=said_at(hit),
        names=frozenset(name.lower().strip(".`'") for name in _NAME.findall(said)),
        stems=_stems(said) if weights.shared_words else frozenset(),
        attribute=note.attribute if note else None,
        odds=odds,
    )


def _said_of(hit: Hit) -> str:
    """The text of a hit, and the words it was read from."""
    return f"{hit.text} {_how_said(hit).get('quote', '')}"


def _stems(said: str) -> frozenset[str]:
    return frozenset(stem(each) for each in words_of(said) if each not in STOP_WORDS)


def said_at(hit: Hit) -> datetime:
    if hit.note is not None:
        return hit.note.valid_from or hit.note.recorded_at
    assert hit.observation is not None  # noqa: S101 - a hit is one or the other
    return hit.observation.observed_at


def is_long(hit: Hit, long: int) -> bool:
    """Whether it says so much that it is about many things at once; from so many characters on."""
    return len(hit.text) > long


def _is_repeated(hit: Hit) -> bool:
    """Whether an assistant said it, who has it from others."""
    return hit.observation is not None and hit.observation.role not in (None, "user")


def was_saved(hit: Hit) -> bool:
    """Whether it is a note that somebody wrote down on purpose, and not one that was read from something."""
    return hit.note is not None and not hit.note.derived_from and not _how_said(hit)


def _has_many(hit: Hit) -> bool:
    return bool(_how_said(hit).get("many"))


def _how_said(hit: Hit) -> dict[str, Any]:
    """How a fact was said, of a note that was read from something."""
    return hit.note.metadata.get("said", {}) if hit.note else {}


def _likelihood(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
