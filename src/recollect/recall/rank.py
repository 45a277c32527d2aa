"""Pure: how well a note's words answer a question's words (BM25, over the candidates)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from recollect.domain.recollections import Coverage, Hit, Match
from recollect.recall.words import stem, words_of

_K1 = 1.2  # how soon a repeated word stops counting
_B = 0.75  # how much a long text is held against it
_PIN_LIFT = 1.05  # a pinned note wins against its equals, not against better ones


def rank(asked: Sequence[str], matches: Sequence[Match]) -> list[Hit]:
    """The notes among the matches, best first; of equals the newer one. A note is listed once."""
    wanted = list(dict.fromkeys(stem(word) for word in asked))
    texts = [_document(match) for match in matches]
    lengths = [max(1, counts.total()) for counts in texts]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    holders = Counter(word for counts in texts for word in wanted if counts[word])
    total = len(texts)

    best: dict[str, Hit] = {}
    for match, counts, length in zip(matches, texts, lengths, strict=True):
        score, found = 0.0, []
        for word in wanted:
            times = counts[word]
            if times:
                rarity = math.log(1 + (total - holders[word] + 0.5) / (holders[word] + 0.5))
                score += rarity * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length / average))
                found.append(word)
        hit = _hit(match, score, found)
        known = best.get(hit.note.id)
        if known is None or hit.score > known.score:
            best[hit.note.id] = hit
    newest_first = sorted(best.values(), key=lambda hit: hit.note.id, reverse=True)
    return sorted(newest_first, key=lambda hit: -hit.score)


def coverage(asked: Sequence[str], hits: Sequence[Hit]) -> Coverage:
    """Whether the hits, taken together, speak of everything that was asked."""
    if not hits:
        return Coverage.NONE
    wanted = {stem(word) for word in asked}
    spoken = {stem(word) for hit in hits for word in words_of(_own_words(hit))}
    return Coverage.FULL if wanted <= spoken else Coverage.PARTIAL


def _hit(match: Match, score: float, found: Sequence[str]) -> Hit:
    note = match.note
    why = [f"words: {', '.join(found)}" if found else "words: by their stem"]
    if match.found_text != note.text:
        why.append("found by an earlier wording")
    if note.pinned:
        score *= _PIN_LIFT
        why.append("pinned")
    return Hit(note, round(score, 6), tuple(why))


def _document(match: Match) -> Counter[str]:
    note = match.note
    words = words_of(f"{note.title or ''} {match.found_text} {' '.join(note.tags)}")
    return Counter(stem(word) for word in words)


def _own_words(hit: Hit) -> str:
    return f"{hit.note.title or ''} {hit.note.text} {' '.join(hit.note.tags)}"
