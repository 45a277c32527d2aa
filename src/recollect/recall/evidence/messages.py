"""Pure: a note with the message it was read from, as one hit; and the messages that no hit shows, behind the first few.

A short message with little beside what was read from it is found by way of its notes, and each note shows it. Nothing
that was said is hidden by that: a message of which a note shows another one, or whose facts are over, is listed too if
it says more than they do. It stands behind the first few, so that it crowds out nothing that holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from recollect.domain.answers.recollections import Candidate, Hit, Turn
from recollect.domain.dataclass import replace
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.language.english.small_words import DENIALS, STOP_WORDS
from recollect.recall.words import Stem, stem, words_of

TOGETHER = "a note with its message"
BEHIND = "unseen messages behind"


def messages_of(candidates: Sequence[Candidate], asked: Sequence[str], stem: Stem = stem) -> dict[str, Observation]:
    """For each note the message it was read from that has most of the asked words; of equals the nearest one."""
    wanted = {stem(word) for word in asked}
    found: dict[str, tuple[int, float, str, Observation]] = {}
    for candidate in candidates:
        said, note = candidate.said, candidate.note
        if said is None or note is None or said.id not in note.derived_from:
            continue
        shared = len(wanted.intersection(stem(word) for word in words_of(said.text)))
        rival = (shared, candidate.likeness, said.id, said)
        if note.id not in found or rival[:3] > found[note.id][:3]:
            found[note.id] = rival
    return {note_id: said for note_id, (_, _, _, said) in found.items()}


def beside(hit: Hit, said: Observation, most: int) -> Hit:
    """A note with a message that it was read from."""
    text = sentence_of(said.text, quoted(hit.note) if hit.note else "", most)
    return replace(hit, said=Turn(said.id, "said", said.observed_at, said.speaker or said.role or "", text))


def together(
    ranked: Sequence[Hit], messages: Mapping[str, Observation], unseen: frozenset[str], most: int
) -> tuple[list[Hit], tuple[Hit, ...]]:
    """The hits, each note with its message, and at the place of whichever is better; and apart the messages that are to
    stand behind.

    `unseen` are the messages that are found by way of their notes only, if by anything. Another message is listed once
    more if it comes before its note, or if the note does not show it whole.
    """
    if not messages and not unseen:
        return list({hit.id: hit for hit in ranked}.values()), ()
    notes = {hit.id: beside(hit, messages[hit.id], most) for hit in ranked if hit.id in messages}
    showing: dict[str, Hit] = {}  # the best note that shows a message whole
    for hit_id, hit in notes.items():
        if len(messages[hit_id].text) <= most:
            showing.setdefault(messages[hit_id].id, hit)
    kept: dict[str, Hit] = {}
    behind: list[Hit] = []
    for hit in ranked:
        note = showing.get(hit.id)
        if hit.id in notes:
            kept.setdefault(hit.id, notes[hit.id])
        elif note is None and hit.id in unseen:
            behind.append(hit)
        elif note is not None and hit.id in unseen:
            kept.setdefault(
                note.id, replace(note, score=hit.score, why=(*note.why, f"{TOGETHER}: by what else it says"))
            )
        elif note is None or note.id not in kept:
            kept[hit.id] = hit
    return list(kept.values()), tuple(behind)


def with_those_behind(ranked: Sequence[Hit], behind: Sequence[Hit], first_few: int) -> list[Hit]:
    """The hits with those behind the first few, each before the next one with a lower score."""
    placed = list(ranked)
    place = min(first_few, len(placed))
    for hit in behind:
        while place < len(placed) and placed[place].score >= hit.score:
            place += 1
        placed.insert(place, replace(hit, why=(*hit.why, BEHIND)))
        place += 1
    return placed


_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)\s*")
_CUT = "…"


def quoted(note: Note) -> str:
    """The words a note was read from; its own where there are none."""
    return str(note.metadata.get("said", {}).get("quote") or note.text)


def sentence_of(text: str, quote: str, most: int) -> str:
    """A text of at most so many characters: the sentences of a quote, or the beginning; cut ends are marked."""
    text = text.strip()
    if len(text) <= most:
        return text
    start = max(0, text.find(quote)) if quote else 0
    end = start + len(quote) if quote and text.startswith(quote, start) else start + 1
    sentences = [match.span() for match in _SENTENCE.finditer(text) if match.start() < end and match.end() > start]
    first, last = (sentences[0][0], sentences[-1][1]) if sentences else (start, len(text))
    before = f"{_CUT} " if first else ""
    part = text[first:last].strip()
    whole = first + len(text[first:last].rstrip()) == len(text) and len(before) + len(part) <= most
    room = most - len(before) - (0 if whole else len(_CUT) + 1)
    return f"{before}{part[:room].rstrip()}{'' if whole else f' {_CUT}'}"


def says_more(text: str, notes: Iterable[str]) -> bool:
    """Whether a text has a word, a number or a denial that is in none of the notes."""
    known = {stem(word) for note in notes for word in words_of(note)}
    return any((word not in STOP_WORDS or word in DENIALS) and stem(word) not in known for word in words_of(text))


def shown_sentence(hit: Hit) -> str:
    """The sentence to show beside a hit; nothing if its text says all of it."""
    title = (hit.note.title if hit.note else None) or ""
    return hit.sentence if says_more(hit.sentence, [hit.text, title]) else ""
