"""Pure: which lines go into a prompt, within a budget, and why others do not.

First what answers by itself, best first, as far as the budget goes. Then, with what room is left, what was said around
it: the words a note was read from, and the turn before and after. Lines of one conversation that stand close together
become one region in the order in which they were said; regions come in the order of their best line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from recollect.domain.answers.contexts import Line
from recollect.domain.answers.receipts import Fate
from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.notes import Note, State
from recollect.domain.observations import Observation, ObservationKind
from recollect.domain.origin import Channel
from recollect.domain.trust.claims import claimed_origin
from recollect.domain.trust.disputes import is_stale, is_unsupported
from recollect.language.english.small_words import DENIALS
from recollect.language.token_count import count_tokens
from recollect.recall.evidence.messages import shown_sentence
from recollect.recall.fence import fenced, frame, record, seen
from recollect.recall.weights import WEIGHTS
from recollect.recall.words import Stem, stem, words_of

_LIMITS = WEIGHTS.block
_LONGEST_ORIGIN = 90  # characters; who imported a note, when, and what it claims take seventy

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)\s*")
_NUMBER = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Packed:
    """A block with the lines in it, what it takes, and what became of every hit."""

    block: str
    lines: tuple[Line, ...]
    tokens: int
    fates: Mapping[str, Fate]


@dataclass(slots=True)
class _Region:
    """Lines that stand together. Of what was said, `turns` has the place in its session; `near` are places beside."""

    session: str = ""
    near: frozenset[int] = frozenset()
    notes: list[Line] = field(default_factory=list)
    turns: dict[int, Line] = field(default_factory=dict)

    def is_close_to(self, said: Observation) -> bool:
        if self.session != said.session_id:
            return False
        return said.position in self.near or any(abs(turn - said.position) <= _LIMITS.close for turn in self.turns)

    def lines(self) -> Iterator[Line]:
        yield from self.notes
        yield from (self.turns[turn] for turn in sorted(self.turns))


def pack(
    hits: Sequence[Hit],
    around: Mapping[str, Sequence[Observation]],
    asked: Sequence[str],
    *,
    budget: int,
    delimiter: str,
    compare: Stem = stem,
) -> Packed:
    """The best block there is for a budget. `around` has, for a hit's id, the turns to show beside it; `compare` is the
    stem of words in the language of the question."""
    room = budget - count_tokens(frame(delimiter))
    longest = max(_LIMITS.least, room // _LIMITS.share)
    regions: list[_Region] = []
    home: dict[str, _Region] = {}
    fates: dict[str, Fate] = {}
    kept: list[_Wording] = []
    faint = _LIMITS.faint * max((hit.score for hit in hits), default=0.0)

    def taken(line: Line) -> Line | None:
        """The line, cut if it is long, if there is room for it; the room is then less."""
        nonlocal room
        if room < _LIMITS.shortest:
            return None
        fitting = _shortened(line, asked, min(longest, room), compare)
        if fitting is not None:
            room -= cost_of(fitting)
        return fitting

    for hit in hits:
        if hit.score < faint:
            fates[hit.id] = Fate.LOWER_SCORE
            continue
        wording = _Wording.of(hit.text, hit.note)
        if any(wording.says_the_same(other) for other in kept):
            fates[hit.id] = Fate.DUPLICATE
            continue
        line = taken(_line(hit))
        if line is None:
            fates[hit.id] = Fate.BUDGET
            continue
        fates[hit.id] = Fate.SHOWN
        kept.append(wording)
        region = _region_of(hit, around.get(hit.id, ()), regions)
        _put(region, line, hit.observation)
        home[hit.id] = region
        said = next((turn for turn in around.get(hit.id, ()) if hit.said and turn.id == hit.said.id), None)
        if said is None or said.id in home:
            continue
        sentence = shown_sentence(hit)
        beside = taken(replace(_said(said), text=seen(sentence), beside=hit.id)) if sentence else None
        if beside is not None:
            _put(region, beside, said)
        if beside is not None or not sentence:  # shown, or said already by the note
            home[said.id] = region
            kept.append(_Wording.of(said.text, None))

    for hit in hits:
        for said in around.get(hit.id, ()) if hit.id in home else ():
            if said.id in home or room < _LIMITS.shortest:
                continue
            wording = _Wording.of(said.text, None)
            if any(wording.says_the_same(other) for other in kept):
                continue
            line = taken(replace(_said(said), beside=hit.id))
            if line is not None:
                home[said.id] = home[hit.id]
                kept.append(wording)
                _put(home[hit.id], line, said)

    lines = tuple(line for region in regions for line in region.lines())
    block = fenced(lines, delimiter)
    return Packed(block, lines, count_tokens(block), fates)


# -- lines -------------------------------------------------------------------------------------------------------------


def _line(hit: Hit) -> Line:
    if hit.note is not None:
        note = hit.note
        text = f"{note.title}: {note.text}" if note.title else note.text
        return Line(note.id, note.version, dates_of(note), shown_origin(origin_of(note)), seen(text))
    return _said(hit.observation) if hit.observation is not None else Line(hit.id, 0, "", "", "")


def _said(said: Observation) -> Line:
    text = f"{said.title}: {said.text}" if said.title else said.text
    return Line(said.id, 0, f"{said.observed_at:%Y-%m-%d}", shown_origin(speaker_of(said)), seen(text))


def dates_of(note: Note) -> str:
    """When a note was true, or else when it happened or was written down; in days."""
    begin, end = _day(note.valid_from), _day(note.valid_until)
    if begin and end:
        return f"{begin} to {end}"
    if end:
        return f"until {end}"
    if note.occurred_at is not None:
        return _day(note.occurred_at)
    return f"since {begin}" if begin else _day(note.recorded_at)


def origin_of(note: Note) -> str:
    """How far a note's word goes, and whose it is."""
    by = f" by {note.origin.principal}" if note.origin.principal else ""
    source = f", {note.origin.source}" if note.origin.source else ""
    return f"{mark_of(note)}{note.authority.value}{by}{_import_of(note)}{source}"


def mark_of(note: Note) -> str:
    """A word of warning before a note that is contradicted, lost what it was made from, or rests on what changed."""
    if note.state is State.DISPUTED:
        return "disputed, "
    return "unsupported, " if is_unsupported(note) else "basis changed, " if is_stale(note) else ""


def _import_of(note: Note) -> str:
    """When a note was imported, and what its file claims: a file can claim anything."""
    if note.origin.channel is not Channel.IMPORT:
        return ""
    claim = claimed_origin(note)
    return f", imported {_day(note.recorded_at)}" + (f", claims to be {claim}" if claim else "")


def speaker_of(said: Observation) -> str:
    if said.kind is ObservationKind.PASSAGE:
        return f"file {said.origin.source}" if said.origin.source else "file"
    return f"said by {said.speaker or said.role or 'somebody'}"


def _day(moment: datetime | None) -> str:
    return "" if moment is None or moment.year == 1 else f"{moment:%Y-%m-%d}"  # year 1: since when is not known


def shown_origin(origin: str) -> str:
    """An origin on one line, and not too long."""
    origin = " ".join(seen(origin).split())
    return origin if len(origin) <= _LONGEST_ORIGIN else origin[: _LONGEST_ORIGIN - 1] + "…"


def cost_of(line: Line) -> int:
    """The tokens that a line takes in a block."""
    return count_tokens(record(line)) + 1  # and the line feed behind it


# -- long texts --------------------------------------------------------------------------------------------------------


def _shortened(line: Line, asked: Sequence[str], room: int, compare: Stem) -> Line | None:
    """The line, or the passage of it that speaks most of what was asked; `None` if not even that has room."""
    # A text that is certainly too long is not even counted: no token stands for more than ten characters.
    if len(line.text) <= 10 * room and cost_of(line) <= room:
        return line
    if room < _LIMITS.least:
        return None
    sentences = _SENTENCE.findall(line.text[: _LIMITS.looked_through]) or [line.text[: _LIMITS.looked_through]]
    wanted = {compare(word) for word in asked}
    told = [len(wanted.intersection(compare(word) for word in words_of(sentence))) for sentence in sentences]
    best = told.index(max(told))
    first = last = best
    while True:  # what follows explains more than what went before
        for begin, end in ((first, last + 1), (first - 1, last)):
            if begin >= 0 and end < len(sentences):
                wider = _passage(line, sentences, begin, end)
                if cost_of(wider) <= room:
                    first, last = begin, end
                    break
        else:
            break
    passage = _passage(line, sentences, first, last)
    return passage if cost_of(passage) <= room else beginning(passage, room)


def _passage(line: Line, sentences: Sequence[str], first: int, last: int) -> Line:
    before = "… " if first else ""
    whole = last == len(sentences) - 1 and len(line.text) <= _LIMITS.looked_through
    return replace(
        line, text=f"{before}{''.join(sentences[first : last + 1]).strip()}{'' if whole else ' …'}", cut=True
    )


def beginning(line: Line, room: int) -> Line | None:
    """As many characters of a line as there is room for."""
    low, high = 0, len(line.text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = cost_of(replace(line, text=f"{line.text[:middle]} …", cut=True)) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return replace(line, text=f"{line.text[:low].rstrip()} …", cut=True) if low else None


# -- what says the same ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Wording:
    """The part of a line that is compared with others."""

    words: frozenset[str]
    about: tuple[str | None, str | None, str | None]

    @classmethod
    def of(cls, text: str, note: Note | None) -> _Wording:
        words = frozenset(stem(word) for word in words_of(text[: _LIMITS.looked_through]))
        return cls(words, (note.subject, note.attribute, note.value) if note else (None, None, None))

    def says_the_same(self, other: _Wording) -> bool:
        """Whether nearly all words are common, and neither a number nor a denial makes the difference."""
        if self.about[2] and other.about[2] and self.about != other.about:
            return False
        common, different = self.words & other.words, self.words ^ other.words
        if len(common) < _LIMITS.alike * (len(common) + len(different)) or not common:
            return False
        return not any(word in DENIALS or _NUMBER.search(word) for word in different)


# -- regions -----------------------------------------------------------------------------------------------------------


def _region_of(hit: Hit, around: Sequence[Observation], regions: list[_Region]) -> _Region:
    """The region a hit belongs to: one that has it close by, or a new one. A note is where it was said."""
    said = hit.observation
    found = next((region for region in regions if said is not None and region.is_close_to(said)), None)
    if found is None:
        session = said.session_id if said else around[0].session_id if around else ""
        found = _Region(session, frozenset(turn.position for turn in around if said is None))
        regions.append(found)
    return found


def _put(region: _Region, line: Line, said: Observation | None) -> None:
    if said is None:
        region.notes.append(line)
        return
    region.session = region.session or said.session_id
    if region.session == said.session_id:
        region.turns[said.position] = line
    else:
        region.notes.append(line)
