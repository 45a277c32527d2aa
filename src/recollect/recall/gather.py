"""Everything that may answer a question, from every channel.

Words and meaning find notes and what was said. An attribute that is asked for finds the notes that have it. Whatever
is found is followed to what holds at the asked time: every version of a fact, and every message it was read from, is
a key to its chain, and the chain answers with the one that was true then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest

from recollect.domain.dataclass import replace
from recollect.domain.meanings import Closeness, Meaning, Nearness
from recollect.domain.notes import ONCE_TRUE, Note
from recollect.domain.observations import Observation
from recollect.domain.ports import Archive, Lineage, Store
from recollect.domain.recollections import Candidate, Hit
from recollect.domain.scopes import ANYWHERE, Scope
from recollect.domain.selections import Selection
from recollect.recall.names import named_in, names_among, without_names
from recollect.recall.question import Question, Wants
from recollect.recall.spelling import beginnings, meant, unmet
from recollect.recall.windows import REACH
from recollect.recall.words import stem, words_of

# Found by each channel, at least: twice as many were measured and gave the same answers.
_NOTES = 60  # by words
_OBSERVATIONS = 50
_NEAR = 70  # by meaning
_IN_A_SESSION = 1000  # things said, if one is named; of a longer one also those with words of the question
_WORDINGS, _MOST_WORDINGS = 2, 20  # that a record has had; each of them may be one of the nearest
_LOOKED_AROUND = 24  # things said whose neighbours are looked at, the best of each channel in turn
_EARLIER = timedelta(days=1)  # what is planned for a day is often said the day before
_LATER = timedelta(days=7)  # and what happened on it in the week after
_BY_ATTRIBUTE = 60
_MEANT, _SURELY = 3, 0.35  # attributes that are gathered though they are not named, and how surely they must be meant
_FEW_WORDS = 8  # of a longer question the other words find enough; looking for what was meant costs a second round
_ASKS_FOR_ALL = 4  # words: a question of more is narrower than an attribute, unless it is in the plural
_FOLLOWED = 60  # notes that no longer hold whose chain is followed, best first
_SHORT = 320  # characters: a longer message says more than the notes that were read from it
_ASIDE = 60  # characters beside what was read: a greeting, a correction, an afterthought
_MORE = 15  # characters that a quote may have beyond its note: small words


class Sources:
    """Where candidates come from."""

    def __init__(
        self,
        store: Store,
        lineage: Lineage,
        archive: Archive,
        nearness: Nearness | None,
        space: str,
        closeness: Closeness | None = None,
        meaning: Meaning | None = None,
        *,
        wanted: int = 0,
    ) -> None:
        self.store = store
        self.lineage = lineage
        self.archive = archive
        self.nearness = nearness
        self.space = space
        self.closeness = closeness
        self.meaning = meaning
        self.wanted = wanted  # hits; no channel looks for fewer
        self.people: frozenset[str] = frozenset()  # words of the question that name somebody who is known
        self.about = ""  # what meanings were compared with: the question without the names in it
        self.meant: Mapping[str, float] = {}  # attributes that are asked for in other words, and how surely
        self.set_aside: dict[str, tuple[int, str]] = {}  # what did not hold then: its version, and what did instead
        self.measured: dict[str, dict[str, float]] = {}  # by what was compared: a question put twice is measured once

    def at_least(self, few: int) -> int:
        """How many a channel looks for."""
        return max(few, self.wanted)


def gather(sources: Sources, question: Question, selection: Selection, *, follow: bool) -> list[Candidate]:
    """Candidates, in the order in which they were found. Without `follow` only what the selection itself names."""
    store, space = sources.store, sources.space
    if not follow:
        matches = store.matching(space, question.spelled, selection, limit=sources.at_least(_NOTES))
        return [Candidate(match.found_text, match.note) for match in matches]

    moment = None if question.wants is Wants.THE_HISTORY else selection.valid_at
    every_time = replace(selection, states=ONCE_TRUE, valid_at=None)
    open_to_talk, scope = not _is_about_notes(selection), selection.scope
    with store.reading(space):
        matches = store.matching(space, question.spelled, every_time, limit=sources.at_least(_NOTES))
        found = [Candidate(match.found_text, match.note) for match in matches]
        found += _of(sources, question.attributes, every_time)
        by_words = _said(sources, question, moment, scope) if open_to_talk else []
    sources.people = named_in(question.text, names_among(by_words, (match.note for match in matches)))
    sources.about = without_names(question.about, sources.people)
    # Between the two readings, since the first question to a space waits here until its vectors are read.
    likeness = _likenesses(sources, every_time, by_words)
    nearest = list(likeness)[: sources.at_least(_NEAR)]
    sources.meant = sources.meaning.meant_by(sources.about) if sources.meaning is not None else {}
    with store.reading(space):
        notes = _current(sources, nearest, [match.note for match in matches])
        found += (Candidate(note.text, note, found_by=note.id) for note in notes.values() if note.state in ONCE_TRUE)
        found += _of(sources, _surely_meant(sources, question), every_time)
        if open_to_talk:
            near = sources.archive.those(space, [record_id for record_id in nearest if record_id not in notes])
            by_meaning = [each for each in near.values() if question.reaches(each.observed_at, moment)]
            said = _with_neighbours(sources, by_words, by_meaning, likeness, question, moment)
            found += _read_from(sources, [each for each in said if was_told_in(each, scope)], moment, scope)
        found = [each for each in _true_then(sources, found, moment, question) if _is_within(each, scope)]
    return _measured(sources, found, likeness)


def _current(sources: Sources, note_ids: Sequence[str], known: Sequence[Note]) -> dict[str, Note]:
    """The current versions of notes, by id. What words and meaning both found is read once."""
    read = {note.id: note for note in known}
    notes = {note_id: read[note_id] for note_id in note_ids if note_id in read}
    return notes | sources.store.current(sources.space, [each for each in note_ids if each not in read])


def _said(sources: Sources, question: Question, moment: datetime | None, scope: Scope) -> list[Observation]:
    """What was said in the words of the question, at any time and in the time it asks about; of a session all."""
    if scope.session is not None:
        all_of_it = _of_session(sources, scope.session, question)
        return [each for each in all_of_it if question.reaches(each.observed_at, moment) and was_told_in(each, scope)]
    matching, limit = sources.archive.matching, sources.at_least(_OBSERVATIONS)
    until = None if question.window else moment
    found = {each.id: each for each in matching(sources.space, question.spelled, until=until, limit=limit, scope=scope)}
    if question.window is not None:
        since, until = question.window.start - _EARLIER, question.window.end + _LATER
        then = matching(sources.space, question.spelled, since=since, until=until, limit=limit, scope=scope)
        found.update((each.id, each) for each in then)
    return list(found.values())


def _of_session(sources: Sources, session: str, question: Question) -> list[Observation]:
    """What was said in a session: all of it, or of a long one its beginning and whatever has words of the question."""
    asked = {stem(word) for word in question.words}
    found: list[Observation] = []
    after = -1
    while some := sources.archive.observations(sources.space, session, after=after, limit=_IN_A_SESSION):
        found += [each for each in some if after < 0 or any(stem(word) in asked for word in words_of(each.text))]
        after = some[-1].position
    return found


def _with_neighbours(
    sources: Sources,
    by_words: Sequence[Observation],
    by_meaning: Sequence[Observation],
    likeness: Mapping[str, float],
    question: Question,
    moment: datetime | None,
) -> list[Observation]:
    """What was said, and what stands around the best of it: an answer may have no word of the question."""
    found = {each.id: each for each in (*by_words, *by_meaning)}
    near = sorted(by_meaning, key=lambda each: -likeness.get(each.id, 0.0))
    in_turn = [each.id for pair in zip_longest(by_words, near) for each in pair if each is not None]
    best = list(dict.fromkeys(in_turn))[:_LOOKED_AROUND]
    for each in sources.archive.around(sources.space, best, reach=REACH + 1):
        if question.reaches(each.observed_at, moment):
            found.setdefault(each.id, each)
    return list(found.values())


def _likenesses(sources: Sources, selection: Selection, said: Sequence[Observation]) -> dict[str, float]:
    """How near the nearest records are to the question in meaning, nearest first.

    If only some notes and messages are meant, they are looked for among themselves: among the nearest of all there may
    be none of them. Of a session, what was `said` is at hand already.
    """
    if sources.nearness is None:
        return {}
    if sources.about not in sources.measured:
        meant: set[str] | None = None
        if _is_about_notes(selection) or selection.scope != ANYWHERE:
            meant = {*sources.store.ids(sources.space, selection), *(each.id for each in said)}
            if not _is_about_notes(selection) and selection.scope.session is None:
                meant.update(sources.archive.ids(sources.space, selection.scope))
        wanted = _WORDINGS * sources.at_least(_NEAR)
        sources.measured[sources.about] = _nearest(sources, sources.nearness, meant, wanted)
    return sources.measured[sources.about]


def _measured(sources: Sources, found: Sequence[Candidate], likeness: dict[str, float]) -> list[Candidate]:
    """The candidates with their nearness, which what other channels found is weighed by too.

    A note is as near as the nearest of its own words and of what it was found by.
    """
    if sources.nearness is None:
        return list(found)
    far = {key for each in found for key in (each.key, each.found_by) if key and key not in likeness}
    if far:
        likeness |= _nearest(sources, sources.nearness, far, _MOST_WORDINGS * len(far))
    near = likeness.get
    return [each.as_near_as(max(near(each.key, 0.0), near(each.found_by, 0.0))) for each in found]


def _nearest(sources: Sources, nearness: Nearness, among: Collection[str] | None, limit: int) -> dict[str, float]:
    """Of each record how near the nearest of its wordings is, nearest first."""
    likeness: dict[str, float] = {}
    for near in nearness.nearest(sources.space, sources.about, limit=limit, among=among):
        likeness.setdefault(near.record_id, near.likeness)
    return likeness


def respelled(
    sources: Sources, question: Question, candidates: Sequence[Candidate], selection: Selection
) -> Question | None:
    """The question with the words that were probably meant, if some of its words were found nowhere; else `None`."""
    if len(question.words) > _FEW_WORDS:
        return None
    unseen = unmet(question.words, (words_of(candidate.found_text) for candidate in candidates))
    # Of a part of memory, or of another time, it counts how a word is spelled in there.
    narrowed = _is_about_notes(selection) or replace(selection.scope, session=None) != ANYWHERE
    missing = unseen if narrowed or question.timed else _unknown(sources, unseen)
    if not missing:
        return None
    begun = beginnings(missing)
    every_time = replace(selection, states=ONCE_TRUE, valid_at=None)
    notes = sources.store.matching(sources.space, begun, every_time, limit=_NOTES, beginnings=True)
    said = sources.archive.matching(
        sources.space, begun, until=None, limit=_OBSERVATIONS, beginnings=True, scope=selection.scope
    )
    texts = [match.found_text for match in notes] + [observation.text for observation in said]
    known = {word for text in texts for word in words_of(text)}
    found = [other for word in missing for other in meant(word, known)]
    return question.with_words(found) if found else None


def _unknown(sources: Sources, words: Sequence[str]) -> Sequence[str]:
    """Those of the words that nothing has. One that others have crowded out is spelled right, only common."""
    for known_words in (sources.store.known_words, sources.archive.known_words):
        if words:
            known = known_words(sources.space, words)
            words = [word for word in words if word not in known]
    return words


def siblings_of(sources: Sources, question: Question, ranked: Sequence[Hit], selection: Selection) -> list[Note]:
    """The other values that hold beside the best hit's, if its attribute is asked for and has many.

    Who asks more narrowly ("why do I like the second of the three films?") means one of them.
    """
    if len(question.words) > _ASKS_FOR_ALL and not question.asks_for_many:
        return []
    best = ranked[0].note if ranked else None
    if best is None or best.attribute not in question.attributes or not best.metadata.get("said", {}).get("many"):
        return []
    beside = replace(selection, subject=best.subject, attribute=best.attribute, states=ONCE_TRUE)
    found = sources.store.notes(sources.space, beside, before=None, limit=_BY_ATTRIBUTE)
    return [note for note in found if note.id != best.id]


def _surely_meant(sources: Sources, question: Question) -> list[str]:
    """The attributes that are most surely asked for in other words."""
    surest = sorted((-share, name) for name, share in sources.meant.items() if name not in question.attributes)
    return [name for share, name in surest[:_MEANT] if -share >= _SURELY]


def _of(sources: Sources, attributes: Iterable[str], selection: Selection) -> Iterable[Candidate]:
    for attribute in attributes:
        wanted = replace(selection, attribute=attribute)
        for note in sources.store.notes(sources.space, wanted, before=None, limit=_BY_ATTRIBUTE):
            yield Candidate(note.text, note, reached=f"attribute: {attribute}")


def _read_from(
    sources: Sources, said: Sequence[Observation], moment: datetime | None, scope: Scope
) -> Iterable[Candidate]:
    """What was said, and the notes that were read from it: a message that says no more than they do adds nothing.

    A long one is about many things, and stands for itself: that it answers says nothing of each note read from it.
    """
    short = [observation.id for observation in said if len(observation.text) <= _SHORT]
    read = sources.archive.derived_notes(sources.space, short)
    notes = sources.store.current(sources.space, [note_id for ids in read.values() for note_id in ids])
    for observation in said:
        own = [notes[note_id] for note_id in read.get(observation.id, ()) if note_id in notes]
        own = [note for note in own if _holds_within(note, scope)]
        whole = _say_it_all(own, observation)
        for note in own:
            if note.state in ONCE_TRUE:
                reached = "found by what was said"
                told, by = (observation.text, observation.id) if whole else (_quoted(note), note.id)
                yield Candidate(told, note, reached=reached, found_by=by, said=observation)
        if not whole or all(_was_told_as_past(note, moment) for note in own):
            yield Candidate(observation.text, observation=observation, found_by=observation.id)


def _say_it_all(notes: Sequence[Note], observation: Observation) -> bool:
    """Whether a message holds no more than the words its notes were read from, and an aside."""
    if not notes:
        return False
    told = {quote: min(len(quote), len(note.text) + _MORE) for note in notes if (quote := _quoted(note))}
    return len(observation.text) - sum(told.values()) <= _ASIDE


def _quoted(note: Note) -> str:
    """The words a note was read from; its own where there are none."""
    return str(note.metadata.get("said", {}).get("quote") or note.text)


def _was_told_as_past(note: Note, moment: datetime | None) -> bool:
    """Whether a note was over when it was first told ("I ran a race last week"), and not ended by something newer."""
    return moment is not None and note.version == 1 and note.state in ONCE_TRUE and not note.holds_at(moment)


def _is_about_notes(selection: Selection) -> bool:
    """Whether only notes of a sort are meant: what was said has no kind, tag, subject or attribute."""
    return bool(
        selection.kinds or selection.subject or selection.attribute or selection.tag or selection.pinned is not None
    )


def was_told_in(said: Observation, scope: Scope) -> bool:
    """Whether something was said within a scope."""
    return scope == ANYWHERE or scope.includes(replace(said.scope, session=said.session_id))


def _is_within(candidate: Candidate, scope: Scope) -> bool:
    """Whether a candidate is within a scope; what chains lead to was not selected, and is asked again."""
    return candidate.note is None or _holds_within(candidate.note, scope)


def _holds_within(note: Note, scope: Scope) -> bool:
    """Whether a note is within a scope. What was learned in a session holds beyond it."""
    return scope == ANYWHERE or replace(scope, session=None).includes(note.scope)


def _true_then(
    sources: Sources, found: Sequence[Candidate], moment: datetime | None, question: Question
) -> list[Candidate]:
    """The candidates, each note followed along its chain to the one that holds at the moment."""
    if moment is None:
        return list(found)
    over = [_is_over(candidate.note, moment, question) for candidate in found]
    ended = dict.fromkeys(candidate.key for candidate, is_over in zip(found, over, strict=True) if is_over)
    instead = _successors(sources, list(ended)[:_FOLLOWED], moment)
    kept: list[Candidate] = []
    for candidate, is_over in zip(found, over, strict=True):
        note = candidate.note
        if note is None or not is_over:
            kept.append(candidate)
            continue
        holds = instead.get(note.id)
        sources.set_aside[note.id] = (note.version, holds.id if holds else "")
        if holds is not None:
            kept.append(candidate._replace(note=holds, reached=candidate.reached or f"was: {note.text}"))
    return kept


def _is_over(note: Note | None, moment: datetime, question: Question) -> bool:
    return note is not None and not note.holds_at(moment) and not _is_only_dated(note, question)


def _is_only_dated(note: Note, question: Question) -> bool:
    """Whether a note tells of something, and is no fact that was true or not at the time a question asks about.

    What was written down in the days after that time may well tell of it; its date is weighed, and rules nothing out.
    """
    return question.window is not None and note.attribute is None and note.valid_until is None


def _successors(sources: Sources, note_ids: Sequence[str], moment: datetime) -> dict[str, Note]:
    """Of each note the one of its chain that holds at a moment, if one does."""
    if not note_ids:
        return {}
    chains = sources.lineage.chains(sources.space, note_ids)
    notes = sources.store.current(sources.space, [member for chain in chains.values() for member in chain])
    holding = {note_id: note for note_id, note in notes.items() if note.holds_at(moment)}
    found = {}
    for note_id, chain in chains.items():
        members = [holding[member] for member in chain if member in holding]
        if members:
            found[note_id] = max(members, key=lambda each: (each.valid_from or each.recorded_at, each.id))
    return found
