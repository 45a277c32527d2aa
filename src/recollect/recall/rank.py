"""Pure: how well candidates answer a question.

Words are weighed by BM25 over the candidates; an attribute that is asked for, a pin, freshness and who said it are
added as soft hints. A hint moves a note among its likes, it never buries one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from recollect.domain.lifecycle import freshness
from recollect.domain.notes import Note
from recollect.domain.observations import Observation, Standing
from recollect.domain.recollections import Candidate, Hit
from recollect.recall.understand import Question
from recollect.recall.words import stem, words_of

_K1 = 1.2  # how soon a repeated word stops counting
_B = 0.75  # how much a long text is held against it

# Shares of what is matched by words and by meaning, each scaled to 1 for its best. On every set measured a weighted
# sum beat reciprocal ranks, and meaning the words.
_WORDS = 0.3
_MEANING = 0.7

_ATTRIBUTE = 0.4  # worth of having the attribute that is asked for, beside 1 for the best match
_SOMEBODY_ELSE = 0.6  # how much a note counts that is about somebody whom the question does not name
_PINNED = 0.05
_FRESH = 0.05  # what the freshest gains on the stalest
_ONLY_SAID = 0.8  # how much a message counts against a note
_NOT_THE_USER = 0.5  # how much an assistant's word counts against a person's
# How much a person's message counts that does not state what is so, now and of the speaker.
_STANDING = {Standing.ASKED: 0.7, Standing.SUPPOSED: 0.7, Standing.OF_OTHERS: 0.7, Standing.LONG_AGO: 0.7}


def rank(question: Question, candidates: Sequence[Candidate], *, at: datetime) -> list[Hit]:
    """Hits, best first; of equals the newer one. Each note and each message is listed once."""
    scores = _by_words([_document(candidate) for candidate in candidates], question.words)
    highest = max((score for score, _ in scores), default=0.0) or 1.0
    nearest = max((candidate.likeness for candidate in candidates), default=0.0)
    farthest = min((candidate.likeness for candidate in candidates if candidate.likeness), default=0.0)
    span = (nearest - farthest) or 1.0
    best: dict[str, Hit] = {}
    for candidate, (score, found) in zip(candidates, scores, strict=True):
        if not found and not candidate.reached and not candidate.likeness:
            continue  # only the database's own stemming found it, and each database has another
        matched = score / highest
        if nearest:
            meant = max(0.0, candidate.likeness - farthest) / span
            matched = _WORDS * matched + _MEANING * meant
        hit = _weighed(candidate, matched, found, question, at)
        known = best.get(hit.id)
        # Of equally good wordings the one it has now counts.
        if known is None or (hit.score, -len(hit.why)) > (known.score, -len(known.why)):
            best[hit.id] = hit
    newest_first = sorted(best.values(), key=lambda hit: hit.id, reverse=True)
    return sorted(newest_first, key=lambda hit: -hit.score)


def with_siblings(ranked: Sequence[Hit], siblings: Sequence[Note]) -> list[Hit]:
    """The hits, and right behind the best one the other values of its attribute, in the order they had."""
    if not siblings:
        return list(ranked)
    best, rest = ranked[0], list(ranked[1:])
    known = {hit.id: hit for hit in rest}
    beside = [
        known.get(note.id)
        or Hit(note, best.score, (f"beside: {best.text}",), evidence=tuple(reversed(note.derived_from)))
        for note in siblings
    ]
    order = {hit.id: place for place, hit in enumerate(rest)}
    beside.sort(key=lambda hit: order.get(hit.id, len(order)))
    lifted = {hit.id for hit in beside}
    return [best, *beside, *(hit for hit in rest if hit.id not in lifted)]


def _weighed(candidate: Candidate, score: float, found: Sequence[str], question: Question, at: datetime) -> Hit:
    why = [f"words: {', '.join(found)}"] if found else []
    note, observation = candidate.note, candidate.observation
    if candidate.reached:
        why.append(candidate.reached)
    if note is None:
        score *= _ONLY_SAID * _word_of(observation)
        return Hit(None, round(score, 6), tuple(why), observation, likeness=candidate.likeness)
    if candidate.found_text != note.text and not candidate.reached:
        why.append("found by an earlier wording")
    if _is_of_somebody_else(note, question):
        score *= _SOMEBODY_ELSE
    elif note.attribute in question.attributes:
        score += _ATTRIBUTE / (1 + question.attributes.index(note.attribute))
    if note.pinned:
        score += _PINNED
        why.append("pinned")
    score += _FRESH * freshness(note, at)
    return Hit(
        note, round(score, 6), tuple(why), evidence=tuple(reversed(note.derived_from)), likeness=candidate.likeness
    )


def _word_of(observation: Observation | None) -> float:
    """How much something said counts, by who said it and how it was meant."""
    if observation is None or observation.role in (None, "user"):
        standing = observation.standing if observation else None
        return _STANDING.get(standing, 1.0) if standing else 1.0
    return _NOT_THE_USER


def _is_of_somebody_else(note: Note, question: Question) -> bool:
    """Whether a note is about a person or thing that the question does not name."""
    kind, separator, name = (note.subject or "").partition(":")
    if not separator or kind not in ("person", "relation", "thing"):
        return False
    named = {stem(word) for word in words_of(question.text)}
    return not any(stem(word) in named for word in words_of(name))


def _by_words(documents: Sequence[Counter[str]], asked: Sequence[str]) -> list[tuple[float, list[str]]]:
    """Of each document the BM25 score, and which of the asked words it has."""
    wanted = {stem(word): word for word in reversed(asked)}
    lengths = [max(1, document.total()) for document in documents]
    # Measured over the texts that have a wanted word in our own stemming: what only the database's stemming found
    # differs from one database to the other and would move every score.
    held = [
        length for document, length in zip(documents, lengths, strict=True) if any(document[word] for word in wanted)
    ]
    total = len(held)
    average = sum(held) / total if total else 1.0
    holders = Counter(word for document in documents for word in wanted if document[word])
    scores = []
    for document, length in zip(documents, lengths, strict=True):
        score, found = 0.0, []
        for word in asked:
            root = stem(word)
            times = document[root]
            if times and wanted[root] == word:
                rarity = math.log(1 + (total - holders[root] + 0.5) / (holders[root] + 0.5))
                score += rarity * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length / average))
                found.append(word)
        scores.append((score, found))
    return scores


def _document(candidate: Candidate) -> Counter[str]:
    note = candidate.note
    around = f"{note.title or ''} {' '.join(note.tags)} {note.attribute or ''}" if note else ""
    # What it says now counts as well as what it was found by.
    own = note.text if note and note.text != candidate.found_text else ""
    return Counter(stem(word) for word in words_of(f"{around} {candidate.found_text} {own}"))
