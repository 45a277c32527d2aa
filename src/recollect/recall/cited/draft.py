"""Pure: sentences with their evidence, as one text with numbered citations, dates and gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from recollect.domain.answers.contexts import AnswerSentence, Citation, SentenceTime
from recollect.domain.answers.recollections import Hit, Turn
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note, State
from recollect.domain.observations import Observation
from recollect.language.english.closed_words import MONTHS
from recollect.language.english.small_words import DENIALS, OF_STANDING, STOP_WORDS
from recollect.recall.block import dates_of, origin_of, shown_origin, speaker_of
from recollect.recall.fence import seen
from recollect.recall.weights import WEIGHTS, AnswerWeights
from recollect.recall.words import stem, words_of

_EARLIER = "Earlier: "
_DISPUTED = "Disputed: "
_PREFIX = {SentenceTime.CURRENT: "", SentenceTime.PAST: _EARLIER, SentenceTime.DISPUTED: _DISPUTED}
_ORDER = (SentenceTime.CURRENT, SentenceTime.DISPUTED, SentenceTime.PAST)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A record, and the words of it that count."""

    id: str
    version: int
    date: str
    origin: str
    quote: str
    time: SentenceTime


@dataclass(frozen=True, slots=True)
class DraftedSentence:
    """A sentence and the records that say it."""

    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """Sentences in the order in which they answer, and what no record says."""

    sentences: tuple[DraftedSentence, ...] = ()
    gaps: tuple[str, ...] = ()


def note_evidence(note: Note, now: datetime) -> Evidence:
    """A note as evidence: all of its words."""
    text = f"{note.title}: {note.text}" if note.title else note.text
    origin = shown_origin(origin_of(note))
    return Evidence(note.id, note.version, dates_of(note), origin, _one_line(text), _time_of(note, now))


def said_evidence(said: Observation | Turn, quote: str, time: SentenceTime = SentenceTime.CURRENT) -> Evidence:
    """Some words of a message or of a file as evidence."""
    day = said.observed_at if isinstance(said, Observation) else said.at
    origin = speaker_of(said) if isinstance(said, Observation) else f"said by {said.speaker or 'somebody'}"
    return Evidence(said.id, 0, f"{day:%Y-%m-%d}", shown_origin(origin), _one_line(quote), time)


def hit_evidence(hit: Hit, now: datetime) -> Evidence | None:
    """The whole of a hit as evidence."""
    if hit.note is not None:
        return note_evidence(hit.note, now)
    return said_evidence(hit.observation, hit.observation.text) if hit.observation is not None else None


def composed(draft: AnswerDraft) -> tuple[str, tuple[AnswerSentence, ...], tuple[Citation, ...]]:
    """The text of an answer, its sentences and its citations, numbered in the order in which they are read."""
    ordered = sorted(draft.sentences, key=lambda each: _ORDER.index(_time(each)))  # stable: the best stays first
    numbers: dict[tuple[str, str], Citation] = {}
    sentences, lines = [], []
    for drafted in ordered:
        marks = []
        for each in drafted.evidence:
            key = (each.id, each.quote)
            if key not in numbers:
                numbers[key] = Citation(len(numbers) + 1, each.id, each.version, each.date, each.origin, each.quote)
            marks.append(numbers[key].number)
        sentence = AnswerSentence(drafted.text, tuple(dict.fromkeys(marks)), _time(drafted), drafted.evidence[0].date)
        sentences.append(sentence)
        lines.append(_shown(sentence))
    return "\n".join((*lines, *draft.gaps)), tuple(sentences), tuple(numbers.values())


def _shown(sentence: AnswerSentence) -> str:
    date = f" ({sentence.date})" if sentence.date else ""
    marks = "".join(f"[{number}]" for number in sentence.citations)
    return f"{_PREFIX[sentence.time]}{sentence.text}{date} {marks}"


def _time(drafted: DraftedSentence) -> SentenceTime:
    """A sentence holds if anything that says it does."""
    times = [each.time for each in drafted.evidence]
    return next(time for time in _ORDER if time in times)


def _time_of(note: Note, now: datetime) -> SentenceTime:
    if note.state is State.DISPUTED:
        return SentenceTime.DISPUTED
    over = note.valid_until is not None and note.valid_until <= now
    return SentenceTime.PAST if over or note.state in (State.SUPERSEDED, State.EXPIRED) else SentenceTime.CURRENT


def _one_line(text: str) -> str:
    return " ".join(seen(text).split())


_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_NAME = re.compile(r"\b[^\W\d_][\w-]+")  # with a capital, at the beginning of a sentence too: "Ben works" is about Ben
_MONTHS = MONTHS.split()


def is_said_by(text: str, cited: Sequence[Evidence], weights: AnswerWeights = WEIGHTS.answer) -> bool:
    """Whether some records say a sentence; no record says nothing.

    Every number, date and name of it must be in them, and nearly all of its other words; a denial must be on both sides
    or on neither. So a sentence may be put together anew, but nothing can be added to it.
    """
    words = [word for word in words_of(text) if word not in STOP_WORDS and word not in OF_STANDING]
    if not cited or not words:
        return False
    known = {stem(word) for each in cited for word in _words_of(each)}
    names = {word for name in _NAME.findall(text) if name[0].isupper() for word in words_of(name)}
    certain = [word for word in words if word in names or any(sign.isdigit() for sign in word)]
    if any(_plain(word) not in known for word in certain if word not in STOP_WORDS):
        return False
    if _denies(text) != any(_denies(each.quote) for each in cited):
        return False
    letters = sum(map(len, words))
    return sum(len(word) for word in words if _plain(word) in known) >= weights.said * letters


def _words_of(evidence: Evidence) -> Iterator[str]:
    """The words of a record and of its date, months by name too."""
    told = f"{evidence.quote} {evidence.date}"
    for word in words_of(told):
        yield _number(word)
    for _, month, _ in _DATE.findall(told):
        if 1 <= int(month) <= 12:
            yield _MONTHS[int(month) - 1]


def _plain(word: str) -> str:
    return stem(_number(word))


def _number(word: str) -> str:
    """A number without zeros before it: the third of March is 03 in a date."""
    return word.lstrip("0") or "0" if word.isdigit() else word


def _denies(text: str) -> bool:
    return not DENIALS.isdisjoint(words_of(text))
