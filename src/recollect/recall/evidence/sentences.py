"""Pure: the sentence that a note was read from, bounded, and whether it says more than the note."""

from __future__ import annotations

import re
from collections.abc import Iterable

from recollect.domain.answers.recollections import Hit
from recollect.domain.notes import Note
from recollect.language.english.small_words import DENIALS, STOP_WORDS
from recollect.recall.words import stem, words_of

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
