"""Pure: an answer made of the very words of records, without a model.

Notes with the attribute that a question asks for answer by themselves, all values together and past ones as such.
Otherwise the passages answer that a model takes for answers, which read them beside the question; without one those
that have the asked words, or are close to the question in meaning. A record that is only the best of many bad ones is
no answer: nothing is then said to be known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from recollect.attributes.catalogue import names_kin
from recollect.domain.answers.recollections import Candidate, Coverage, Hit
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import ONCE_TRUE, Note
from recollect.domain.readings import USER
from recollect.domain.trust.disputes import is_stale, is_unsupported
from recollect.language.english.ownership import speaks_of_oneself_alone
from recollect.language.english.questions import OF_ASKING
from recollect.language.english.relations import TITLES
from recollect.language.english.small_words import STOP_WORDS
from recollect.recall.cited.draft import AnswerDraft, DraftedSentence, Evidence, note_evidence, said_evidence
from recollect.recall.coverage import asked_in, asked_in_each, names_in, share
from recollect.recall.people import kin_called, kin_in, kin_meant, names_other_kin, person_named, without_kin
from recollect.recall.pipeline import Search
from recollect.recall.question import Question, attributes_asked
from recollect.recall.weights import WEIGHTS, AnswerWeights
from recollect.recall.words import Stem, stem, words_of

_TITLE = "|".join(f"{each.title()}[.](?= [A-Z])" for each in TITLES.split())
# A point in "2.1 bar" or in "Ms. Bao" ends nothing.
_SENTENCE = re.compile(rf"(?:\b(?:{_TITLE})|[^.!?\n]|[.!?](?=[^\s.!?]))+(?:[.!?]+|\n|$)\s*")
_WORD = re.compile(r"\S{1,60}")
_REST = re.compile(r"\S{0,30}\s")  # of a word that a cut goes through
_MOST_PLACES = 40  # of asked words in a long sentence


_MOST_GAPS = 5


@dataclass(frozen=True, slots=True)
class _Passage:
    """Words of a hit that may answer, and how much of the question they have."""

    hit: Hit
    evidence: Evidence
    share: float


def extract(
    search: Search, past: Mapping[str, Sequence[Note]], *, now: datetime, weights: AnswerWeights = WEIGHTS.answer
) -> AnswerDraft:
    """The answer of a search in the words of its records. `past` has, for a note's id, what it took the place of."""
    question = search.question
    if search.coverage is Coverage.NONE:
        return AnswerDraft(gaps=(nothing_known(question),))
    direct = values_asked(search, weights)
    if direct and not _is_outdone(search, direct, weights):
        found = [note_evidence(note, now) for note in direct]
        before = [note_evidence(each, now) for note in direct for each in past.get(note.id, ())]
        chosen = _different((*found, *before))
    else:
        chosen = _different(each.evidence for each in _passages(search, now, weights))
    if not chosen:
        return AnswerDraft(gaps=(nothing_known(question),))
    sentences = tuple(DraftedSentence(each.quote, (each,)) for each in chosen[: weights.most])
    return AnswerDraft(sentences, gaps(search, chosen))


def values_asked(search: Search, weights: AnswerWeights = WEIGHTS.answer) -> list[Note]:
    """The notes that have the attribute a question asks for, of whoever it asks about, best first."""
    question = search.question
    kin = _kin(search)
    about = [hit.note for hit in search.ranked if hit.note is not None and _is_about(hit.note, question, kin)]
    found: dict[str, Note] = {}
    for wanted in (set(question.attributes), _surely_meant(question, weights)):
        notes = [note for note in about if note.attribute in wanted]
        first = notes[0] if notes else None
        found |= {note.id: note for note in notes if first and _fact_of(note) == _fact_of(first)}
    return list(found.values())


def _is_outdone(search: Search, values: Sequence[Note], weights: AnswerWeights) -> bool:
    """Whether a model that read the first hits is rather sure of another one, and takes none of these for an answer."""
    surest = max(search.likely.values(), default=0.0)
    return surest >= WEIGHTS.coverage.surely_answered and all(
        search.likely.get(note.id, 0.0) < weights.likely for note in values
    )


def nothing_known(question: Question) -> str:
    """The sentence that says that nothing is known."""
    return f"Nothing is known about “{_bounded(' '.join(question.whole.split()))}”."


def no_longer_known(search: Search, over: Iterable[Note]) -> str:
    """The sentence that says until when what is asked for was known; empty if it never was, as far as can be told.

    Only what is still here is told of: of what was erased nothing is left that could be.
    """
    question = search.question
    names = names_in(question.text)
    ended = [
        note
        for note in over
        if note.state in ONCE_TRUE
        and note.valid_until is not None
        and _was_about(note, question, names)
        and (note.attribute in question.attributes or _has_every_word(note, question))
    ]
    if not ended or values_asked(search):
        return ""
    last = max(ended, key=lambda note: (note.valid_until or note.recorded_at, note.id))
    return f"It is no longer known: “{_bounded(last.text.rstrip('.'))}” held until {last.valid_until:%Y-%m-%d}."


def resting_on_change(notes: Collection[Note], shaken: Collection[str] = ()) -> tuple[str, ...]:
    """A sentence for each note that an answer quotes and that rests on something that has changed.

    Most of them wait for review. `shaken` are ids of others, by what a judge says of later messages.
    """
    waits = {note.id: is_stale(note) or is_unsupported(note) for note in notes}
    marked = [note for note in notes if waits[note.id] or note.id in shaken]
    return tuple(
        f"“{_bounded(note.text.rstrip('.'))}” rests on something that has changed"
        f"{'; it waits for review' if waits[note.id] else ''}."
        for note in marked[:_MOST_GAPS]
    )


def _has_every_word(note: Note, question: Question) -> bool:
    said = words_of(f"{note.subject or ''} {note.attribute or ''} {note.text}")
    return {question.stem(word) for word in question.words} <= {question.stem(word) for word in said}


def _was_about(note: Note, question: Question, names: frozenset[str]) -> bool:
    """Whether a note was about whom a question names, or else about whoever asks."""
    if names:
        return names <= set(words_of(f"{note.subject or ''} {note.text}"))
    if note.subject != USER:
        return False
    return note.attribute in kin_in(question.text) or speaks_of_oneself_alone(without_kin(question.text))


def gaps(search: Search, evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Words of a question that no record has which was found for it; none where everything asked is known.

    Neighbours are one gap. A word that asks for an attribute is met by a note that has it.
    """
    if search.coverage is Coverage.FULL:
        return ()
    question, root_of = search.question, search.question.stem
    known = {root_of(word) for each in evidence for word in words_of(each.quote)}
    known |= {root_of(word) for text in _texts(search.candidates) for word in words_of(text)}
    held = {hit.note.attribute for hit in search.ranked if hit.note is not None}
    wanted = {root_of(word) for word in question.words}
    found: list[list[str]] = []
    beside = False
    for word in words_of(question.text):
        root = root_of(word)
        missing = root in wanted and root not in known and _is_telling(word) and held.isdisjoint(attributes_asked(word))
        if missing and beside:
            found[-1].append(word)
        elif missing:
            found.append([word])
        beside = missing
    phrases = dict.fromkeys(" ".join(words) for words in found)
    return tuple(f"No record mentions “{_bounded(phrase)}”." for phrase in list(phrases)[:_MOST_GAPS])


# -- passages ----------------------------------------------------------------------------------------------------------


def _passages(search: Search, now: datetime, weights: AnswerWeights) -> list[_Passage]:
    """Passages that answer, in the order of their hits. Of those that a model read beside the question its word alone
    decides; the others answer by their words, or else by closeness."""
    asked, root_of = asked_stems(search), search.question.stem
    best = max((hit.score for hit in search.ranked), default=0.0)
    hits = [hit for hit in search.ranked[: weights.considered] if hit.score >= weights.faint * best]
    read = (_passage(hit, asked, root_of, now, weights) for hit in hits)
    named = _named(search.question, _kin(search))
    found = [each for each in read if each and not names_other_kin(search.question.text, each.evidence.quote, named)]
    likely = {} if _only_names(search.question, asked) else search.likely
    unread = [each for each in found if each.hit.id not in likely]
    signs = (
        (found, [likely.get(each.hit.id, 0.0) for each in found], weights.likely, weights.as_likely),
        (unread, [each.share for each in unread], weights.enough, weights.as_much),
        (unread, [each.hit.closeness for each in unread], weights.close, weights.as_close),
    )
    for passages, told, enough, as_good in signs:
        most = max(told, default=0.0)
        if most >= enough:
            return [each for each, sign in zip(passages, told, strict=True) if sign >= as_good * most]
    return []


def _only_names(question: Question, asked: Sequence[str]) -> bool:
    """Whether a question asks for nothing but somebody it names: whatever names them answers it."""
    return bool(asked) and {question.stem(name) for name in question.people}.issuperset(asked)


def _passage(hit: Hit, asked: Sequence[str], root_of: Stem, now: datetime, weights: AnswerWeights) -> _Passage | None:
    """The best words of a hit: those of the note, or of the message it was read from if they say more of it."""
    if hit.observation is not None:
        quote = best_passage(hit.observation.text, asked, weights.longest, root_of)
        titled = f"{hit.observation.title or ''} {quote}"
        return _Passage(hit, said_evidence(hit.observation, quote), share(asked, asked_in(asked, titled, root_of)))
    if hit.note is None:
        return None
    told = note_evidence(hit.note, now)
    mine = share(asked, asked_in(asked, f"{told.quote} {hit.note.subject or ''} {' '.join(hit.note.tags)}", root_of))
    if hit.said is not None:
        quote = best_passage(hit.said.text, asked, weights.longest, root_of)
        theirs = share(asked, asked_in(asked, quote, root_of))
        if theirs > mine:
            return _Passage(hit, said_evidence(hit.said, quote, told.time), theirs)
    if len(told.quote) > weights.longest:
        cut = best_passage(hit.note.text, asked, weights.longest, root_of)
        told = Evidence(told.id, told.version, told.date, told.origin, cut, told.time)
    return _Passage(hit, told, mine)


def best_passage(text: str, asked: Sequence[str], longest: int, root_of: Stem = stem) -> str:
    """The shortest run of sentences with the most of the asked words, within so many characters.

    Of a sentence that is longer than that, the part around the asked words.
    """
    text = text[: WEIGHTS.block.looked_through]
    sentences = [" ".join(each.split()) for each in _SENTENCE.findall(text)] or [" ".join(text.split())]
    has = asked_in_each(asked, sentences, root_of)
    best: tuple[float, int, str] = (-1.0, 0, "")
    for first in range(len(sentences)):
        run, words = "", frozenset[str]()
        for last in range(first, min(len(sentences), first + 6)):
            run = f"{run} {sentences[last]}".strip()
            if len(run) > longest and last > first:
                break
            words |= has[last]
            best = max(best, (share(asked, words), -len(run), run))
    return best[2] if len(best[2]) <= longest else _cut_around(best[2], asked, longest, root_of)


def _cut_around(sentence: str, asked: Sequence[str], longest: int, root_of: Stem) -> str:
    """The part of a long sentence with the most of the asked words, at whole words; of equals the first."""
    room, wanted = longest - 4, frozenset(asked)  # a mark at each end
    places = [
        each.start() + max(0, *(each[0].casefold().find(root) for root in found))
        for each in _WORD.finditer(sentence)
        if (found := wanted & {root_of(word) for word in words_of(each[0])})
    ]
    best = (-1.0, 0)
    for place in places[:_MOST_PLACES]:
        start = max(0, place - room // 4)
        inside = asked_in(asked, sentence[start : start + room], root_of)
        best = max(best, (share(asked, inside), -start))
    start = min(-best[1], max(0, len(sentence) - room))
    rest = _REST.match(sentence, start) if start and not sentence[start - 1].isspace() else None
    start = rest.end() if rest else start
    end = start + room
    if end < len(sentence) and " " in sentence[start:end]:
        end = sentence.rfind(" ", start, end)
    return f"{'… ' if start else ''}{sentence[start:end].strip()}{' …' if end < len(sentence) else ''}"


# -- the question ------------------------------------------------------------------------------------------------------


def asked_stems(search: Search) -> list[str]:
    """The stems a passage is measured by. "My sister" is left out where her name is known, and asked for as well."""
    question = search.question
    named = any(subject.startswith("person:") for subject in _kin(search))
    replaced = kin_called(question.text) if named else {}
    words = [word for word in question.words if _is_telling(word) and word not in replaced]
    return list(dict.fromkeys(question.stem(word) for word in words))


def _surely_meant(question: Question, weights: AnswerWeights) -> set[str]:
    """The attribute that a question asks for in other words, if that is rather sure and it names none as surely."""
    found = {name: sure for name, sure in question.meant.items() if question.asks_who or not names_kin(name)}
    most = max((weights.surely, *found.values()))
    surest = {name for name, sure in found.items() if sure >= most}
    return surest if surest.isdisjoint(question.attributes) else set()


def _fact_of(note: Note) -> tuple[str | None, str | None]:
    return note.subject, note.attribute


def _is_about(note: Note, question: Question, kin: frozenset[str]) -> bool:
    """Whether a note is about somebody whom the question may mean: the one it names, or the one who asks."""
    asked, told = kin_in(question.text), kin_in(note.subject or "")
    if asked and told and asked.isdisjoint(told):
        return False
    if names_other_kin(question.text, f"{note.subject or ''} {note.text}", _named(question, kin)):
        return False
    if question.people:
        return not question.people.isdisjoint(words_of(f"{note.subject or ''} {note.text}"))
    if not speaks_of_oneself_alone(question.text):
        return True
    return note.subject == USER if not kin or note.attribute in kin_called(question.text) else note.subject in kin


def _named(question: Question, kin: frozenset[str]) -> frozenset[str]:
    """The words of the names of those whom a question may mean."""
    return question.people.union(*map(person_named, kin))


def _different(evidence: Iterable[Evidence]) -> list[Evidence]:
    """The evidence without what says the same in the same words."""
    found: dict[tuple[str, ...], Evidence] = {}
    for each in evidence:
        found.setdefault(tuple(words_of(each.quote)), each)
    return list(found.values())


def _is_telling(word: str) -> bool:
    return word not in OF_ASKING and word not in STOP_WORDS


def _kin(search: Search) -> frozenset[str]:
    """The subjects that "my sister" and the like may mean. "My job" is nobody."""
    question = search.question.text
    if not any(names_kin(attribute) for attribute in kin_called(question).values()):
        return frozenset()
    return kin_meant(question, (each.note for each in search.candidates if each.note is not None))


def _texts(candidates: Iterable[Candidate]) -> Iterator[str]:
    for each in candidates:
        yield each.found_text
        if each.note is not None:
            yield f"{each.note.title or ''} {each.note.subject or ''} {each.note.text} {' '.join(each.note.tags)}"
        elif each.observation is not None:
            yield f"{each.observation.title or ''} {each.observation.speaker or ''}"


def _bounded(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
