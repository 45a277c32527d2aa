"""The facts that one call knows: what the store had when it began, and what the call itself has changed since.

The store is asked once for each subject and attribute, however many messages speak of it. What a statement can change
is looked up by its value and by its time, so that many statements about one attribute take time in proportion to their
number.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import chain, islice, takewhile
from typing import Any, TypeAlias

from recollect.domain.dataclass import dataclass, field
from recollect.domain.notes import ONCE_TRUE, Note, State
from recollect.domain.origin import Authority, Origin
from recollect.domain.readings import PROJECT, UNRESOLVED, Polarity, Statement, Tense, is_denied
from recollect.domain.scopes import Scope
from recollect.domain.trust.disputes import dispute_of
from recollect.language.english.sentences import OF_ANOTHER, TURNING
from recollect.language.english.small_words import FILLER
from recollect.language.english.word_forms import FORMS, SHORTEST_STEM

Lookup: TypeAlias = Callable[[str | None, str], Sequence[Note]]

_LOOKED_BACK = 1000  # notes, for the one that held at a moment; where one value holds at a time it is the first
_MOST_OF_ATTRIBUTE = 1000  # notes of this call on an attribute, whosever it is


@dataclass(frozen=True, slots=True)
class FactFinding:
    """A statement, when it was said, by whom, and what it was read from."""

    statement: Statement
    said_at: datetime
    origin: Origin
    authority: Authority
    source: str = ""  # who said it; two sources can contradict each other
    evidence: tuple[str, ...] = ()
    scope: Scope = Scope()
    essential: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)  # of what it was read from
    erase_at: datetime | None = None  # likewise; `None` if it is kept


def start_of(finding: FactFinding) -> datetime:
    """Since when a statement holds: since the time it names, or since it was said."""
    statement = finding.statement
    named = statement.since or statement.occurred
    return named.start if named is not None else finding.said_at


def sure_at(finding: FactFinding) -> datetime | None:
    """The first moment at which a change within a named time has certainly happened; `None` if it names no time."""
    named = finding.statement.since or finding.statement.occurred
    return None if named is None else min(named.end, finding.said_at)


class FactLine:
    """The notes on one subject and attribute, by value and in the order of time."""

    def __init__(self, stored: Sequence[Note]) -> None:
        self._notes: dict[str, Note] = {}
        self._values = ValueIndex()
        self._by_value: dict[str, dict[str, None]] = {}
        self._by_time: list[tuple[datetime, str]] = []
        self._texts: set[str] | None = None
        self._stored = stored
        for note in stored:
            self.put(note)

    def put(self, note: Note) -> None:
        """Take in a note, in the place of its earlier version if there is one."""
        before = self._notes.get(note.id)
        if before is not None and _is_on_line(before):
            del self._by_time[bisect_left(self._by_time, _place(before))]
        if _is_on_line(note):
            insort(self._by_time, _place(note))
        self._notes[note.id] = note
        self._values.add(note.value or "")
        self._by_value.setdefault(note.value or "", {})[note.id] = None

    def wording(self, value: str, likeness: Callable[[str, str], float] | None) -> str:
        """A value in the wording that is known for it; see `ValueIndex.wording`."""
        return self._values.wording(value, likeness)

    def newest(self) -> Iterator[Note]:
        """All of them, the one that came last first."""
        return reversed(self._notes.values())

    def says(self, text: str) -> bool:
        """Whether a note that was there before this call says just that, word for word."""
        if self._texts is None:
            self._texts = {normalised(note.text) for note in self._stored}
        return normalised(text) in self._texts

    def touched_by(self, finding: FactFinding) -> list[Note]:
        """The notes that `reconcile` looks at for a finding, and which the others would change nothing about.

        Those with the value that is stated or replaced, the one that holds when it begins, the next one after that,
        and the last one before it was said that held at all. Likewise those around the time at which a dated change has
        certainly happened, and at which a value was said that holds up to now.
        """
        statement = finding.statement
        found = {note.id: note for note in self._with_value(statement.value)}
        if statement.replaces:
            found.update((note.id, note) for note in self._with_value(statement.replaces))
        moments = [start_of(finding), sure_at(finding), finding.said_at if statement.up_to_now else None]
        others = [note for moment in filter(None, moments) for note in self._around(moment, finding.scope)]
        if statement.many and not statement.replaces:
            others = []
        if statement.corrects:
            earlier = self._before(finding.said_at, finding.scope, besides=found)
            others += [*islice(filter(_held_for_a_time, earlier), 1)]
        found.update((note.id, note) for note in others)
        return list(found.values())

    def _with_value(self, value: str) -> Iterator[Note]:
        """The notes whose value is the same; one without any stands for the empty value."""
        same = self._values.same_as(value) if value else ()
        for each in dict.fromkeys((*same, *(("",) if not normalised(value) else ()))):
            yield from (self._notes[note_id] for note_id in self._by_value.get(each, ()))

    def _around(self, moment: datetime, scope: Scope) -> Iterator[Note]:
        """The last note that held at a moment, and the first that begins after it."""
        some = islice(self._before(moment, scope), _LOOKED_BACK)
        yield from islice((note for note in some if note.valid_until is None or moment < note.valid_until), 1)
        after = bisect_right(self._by_time, (moment, _LAST_ID))
        later = (self._notes[note_id] for _, note_id in islice(self._by_time, after, after + _LOOKED_BACK))
        yield from islice((note for note in later if note.scope == scope), 1)

    def _before(self, moment: datetime, scope: Scope, besides: Iterable[str] = ()) -> Iterator[Note]:
        """The notes that begin by then, the last one first."""
        for place in range(bisect_right(self._by_time, (moment, _LAST_ID)) - 1, -1, -1):
            note = self._notes[self._by_time[place][1]]
            if note.scope == scope and note.id not in besides:
                yield note


_LAST_ID = "\U0010ffff"  # after every id


def _is_on_line(note: Note) -> bool:
    """Whether a note has a place in time: a proposal has none until it is settled, and is found by its value."""
    return note.state in ONCE_TRUE and (note.state is not State.DISPUTED or dispute_of(note) is None)


def _held_for_a_time(note: Note) -> bool:
    """Whether a note was true for longer than a moment; one that was closed at its own beginning never was."""
    return note.valid_until is None or note.valid_until > _place(note)[0]


def _place(note: Note) -> tuple[datetime, str]:
    return note.valid_from or datetime.min.replace(tzinfo=UTC), note.id


def was_read_before(statement: Statement, notes: Iterable[Note], said_at: datetime) -> bool:
    """Whether one of the notes from the same message says so already, or was taken back: it is not read anew then."""
    return any(
        statement.attribute in (note.attribute, UNRESOLVED)
        and (statement.subject == note.subject or not is_of_somebody(statement.subject))
        and is_denied(note) == (statement.polarity is not Polarity.AFFIRMED)
        and same_value(note.value or "", statement.value)
        and (note.state is State.RETRACTED or _was_over(note, said_at) == (statement.tense is Tense.PAST))
        for note in notes
    )


def is_of_somebody(subject: str) -> bool:
    """Whether a subject stays as it was read; a thing may be filed under the one it is a part of."""
    return subject != PROJECT and not subject.startswith("thing:")


def _was_over(note: Note, said_at: datetime) -> bool:
    return note.valid_until is not None and note.valid_until <= said_at and not is_denied(note)


class KnownFacts:
    """The facts known during one call, this call's own changes included."""

    def __init__(self, lookup: Lookup, holding: Callable[[str], Sequence[Note]]) -> None:
        self._lookup = cache(lookup)
        self._holding = cache(holding)  # each name of a sentence is looked up several times
        self._lines: dict[tuple[str | None, str], FactLine] = {}
        self._written: dict[str, Note] = {}
        self._values = ValueIndex()
        self._by_value: dict[str, dict[str, None]] = {}
        self._by_attribute: dict[str, dict[str, None]] = {}

    def line(self, subject: str | None, attribute: str) -> FactLine:
        """The notes on a subject and attribute."""
        line = self._lines.get((subject, attribute))
        if line is None:
            line = self._lines[subject, attribute] = FactLine(self._lookup(subject, attribute))
            for note_id in self._by_attribute.get(attribute, ()):
                if self._written[note_id].subject == subject:
                    line.put(self._written[note_id])
        return line

    def write(self, note: Note) -> None:
        """Take in a note as it will be once this call is written."""
        self._written[note.id] = note
        self._values.add(note.value or "")
        self._by_value.setdefault(note.value or "", {})[note.id] = None
        if note.attribute is not None:
            self._by_attribute.setdefault(note.attribute, {})[note.id] = None
            self.line(note.subject, note.attribute).put(note)

    def with_value(self, value: str) -> list[Note]:
        """The notes that have a value, whatever they are about."""
        ids = [note_id for same in self._values.same_as(value) for note_id in self._by_value[same]]
        return self._by_now(self._holding(value), ids)

    def with_attribute(self, attribute: str) -> list[Note]:
        """The notes on an attribute, whosever it is."""
        written = self._by_attribute.get(attribute, {})
        return self._by_now(self._lookup(None, attribute), list(islice(reversed(written), _MOST_OF_ATTRIBUTE))[::-1])

    def _by_now(self, stored: Iterable[Note], ids: Iterable[str]) -> list[Note]:
        found = {note.id: self._written.get(note.id, note) for note in stored}
        found.update((note_id, self._written[note_id]) for note_id in ids)
        return list(found.values())


# -- values that say the same thing ------------------------------------------------------------------------------------

# "Ovalis" and "Ovalis GmbH" do, "the Renault Zoe" and "Renault Zoe" do; "Austin" and "Boston", "Google" and "Goldman",
# "3.11" and "3.12" do not, however alike they look. Words decide, never letters: what is merely similar is kept apart,
# because merging two facts loses one of them. "Mountain hikes" are "hiking in the mountains", since only the forms and
# the order of the words differ. Where some words differ, meaning decides, if it is told by a model: it has to be all
# but the same, and no name, number or "over" may tell the two apart.

Likeness: TypeAlias = Callable[[str, str], float]  # of the meanings of two texts, at most 1
Words: TypeAlias = tuple[str, ...]

_TOKEN = re.compile(r"[^\W_]+(?:[.:'’/+#-][^\W_]+)*[+#]*")

_ALL_BUT_THE_SAME = 0.96  # likeness; "meetings before ten" and "after ten" have 0.91, by arctic-embed-s 0.95
_MOST_MEASURED = 4  # values whose meaning is compared: each takes milliseconds, and somebody may like a thousand things
_MOST_RESEMBLING = 64  # values with a word in common from which those are chosen, those with a rare word first
_MOST_LEFT_OUT = 2  # words
_MOST_WORDS = 64  # of a value that is looked for in other words; a page of text is worded once
_LONGEST_REMEMBERED = 200  # characters of a value whose words are kept for the next comparison


def normalised(value: str) -> str:
    """A value in the spelling in which it is compared: folded, without accents, articles and punctuation."""
    return " ".join(_tokens(value))


def same_value(one: str, other: str) -> bool:
    """Whether two values name the same thing: the same words, or one is the other with something left out."""
    first, second = _tokens(one), _tokens(other)
    if first == second:
        return True
    shorter, longer = sorted((first, second), key=len)
    return shorter in _shortened(longer)


def _shortened(words: Words) -> Iterator[Words]:
    """The same value with words left out: "Zoe" for "Renault Zoe", and "Ovalis" for "Ovalis GmbH".

    Those stand at one end, and are none that tell two things apart.
    """
    for few in range(1, min(_MOST_LEFT_OUT, len(words) - 1) + 1):
        for left, out in ((words[:-few], words[-few:]), (words[few:], words[:few])):
            if any(len(word) > 3 for word in left) and not any(map(_tells_apart, out)):
                yield left


def _tells_apart(word: str) -> bool:
    return word in OF_ANOTHER or any(map(str.isdigit, word))


class ValueIndex:
    """Values, looked up by their words: whatever says the same is found without being compared with all of them."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._places: dict[str, int] = {}
        self._by_words: dict[Words, list[str]] = {}
        self._by_fewer: dict[Words, list[str]] = {}  # those that can be shortened to these words
        self._by_root: dict[tuple[frozenset[str], str], list[str]] = {}
        for value in values:
            self.add(value)

    def add(self, value: str) -> None:
        """Take in a value; one that is empty or known already changes nothing."""
        if not value or value in self._places:
            return
        self._places[value] = len(self._places)
        words = _tokens(value)
        self._by_words.setdefault(words, []).append(value)
        for fewer in dict.fromkeys(_shortened(words)):
            self._by_fewer.setdefault(fewer, []).append(value)
        if _may_be_reworded(words):
            telling = _telling(value)
            for root in {root for word in words for root in _roots_of(word)}:
                self._by_root.setdefault((telling, root), []).append(value)

    def same_as(self, value: str) -> list[str]:
        """The values of which `same_value` says that they are the same as this one, in the order they came."""
        words = _tokens(value)
        found = dict.fromkeys((*self._by_words.get(words, ()), *self._by_fewer.get(words, ())))
        for fewer in _shortened(words):
            found.update(dict.fromkeys(self._by_words.get(fewer, ())))
        return sorted(found, key=self._places.__getitem__)

    def wording(self, value: str, likeness: Likeness | None = None) -> str:
        """A value in the wording that is known for it, if one of those known says the same in other words."""
        words = _tokens(value)
        if self.same_as(value) or not words or not _may_be_reworded(words):
            return value
        telling = _telling(value)
        rarest_first = sorted(
            (self._with_form_of(word, telling) for word in words), key=lambda each: sum(map(len, each))
        )
        for other in sorted({*chain(*rarest_first[0])}, key=self._places.__getitem__):
            if _shared_words(value, other) == len(words) == len(_tokens(other)):
                return other
        if likeness is None:
            return value
        alike = islice(chain.from_iterable(chain.from_iterable(rarest_first)), 2 * _MOST_RESEMBLING)
        some = list(dict.fromkeys(alike))[:_MOST_RESEMBLING]
        some.sort(key=lambda other: (-_shared_words(value, other), self._places[other]))
        return next((other for other in some[:_MOST_MEASURED] if likeness(value, other) >= _ALL_BUT_THE_SAME), value)

    def _with_form_of(self, word: str, telling: frozenset[str]) -> list[list[str]]:
        """The values that have a word in some form, beside the same names and numbers; some of them more than once."""
        return [self._by_root.get((telling, root), []) for root in sorted(_roots_of(word))]


def _shared_words(one: str, other: str) -> int:
    """How many words two values share, in whatever form; none where something tells the two apart."""
    first, second = _tokens(one), _tokens(other)
    if not TURNING.isdisjoint((*first, *second)) or _telling(one) != _telling(other):
        return 0
    unpaired = list(second)
    for token in first:
        form = next((each for each in unpaired if _are_forms(token, each)), None)
        if form is not None:
            unpaired.remove(form)
    return len(second) - len(unpaired)


def _are_forms(one: str, other: str) -> bool:
    """Whether two words are one in two forms, such as `hikes` and `hiking`."""
    if one == other:
        return True
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return shared >= SHORTEST_STEM and any({one[shared:], other[shared:]} <= endings for endings in FORMS)


def _roots_of(word: str) -> set[str]:
    """The roots of a word's forms: `hik` and `hike` of `hikes`. Two forms of one word have one in common."""
    cut = {word[: len(word) - len(ending)] for endings in FORMS for ending in endings if word.endswith(ending)}
    return {word, *(root for root in cut if len(root) >= SHORTEST_STEM)}


def _telling(value: str) -> frozenset[str]:
    """The names and numbers in a value: what tells two things apart, however alike they sound."""
    found = _TOKEN.findall(value)
    return frozenset(token.casefold() for token in found if token[0].isupper() or any(map(str.isdigit, token)))


def _may_be_reworded(words: Words) -> bool:
    return len(words) <= _MOST_WORDS and TURNING.isdisjoint(words)


def _tokens(value: str) -> Words:
    return _tokens_of(value) if len(value) > _LONGEST_REMEMBERED else _known_tokens(value)


def _tokens_of(value: str) -> Words:
    folded = unicodedata.normalize("NFKD", value.casefold())
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    found = _TOKEN.findall(plain)
    return tuple(token for token in found if token not in FILLER) or tuple(found)


_known_tokens = lru_cache(maxsize=16_384)(_tokens_of)
