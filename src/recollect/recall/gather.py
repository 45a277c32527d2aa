"""Everything that may answer a question, from every channel.

Words and meaning find notes and what was said. An attribute that is asked for finds the notes that have it. Whatever
is found is followed to what holds at the asked time: every version of a fact, and every message it was read from, is
a key to its chain, and the chain answers with the one that was true then.

Expand "my sister" in a question to the known name before searching.

A message about her says "Ana" and not "my sister", so the name is searched for as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest

from recollect.domain.answers.recollections import Candidate, Hit
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.graph.graph_ports import EntityIndex
from recollect.domain.links.statement_link import StatementLink, StatementLinks
from recollect.domain.meanings import Closeness, Meaning, Nearness, Relevance
from recollect.domain.notes import ONCE_TRUE, Note, State
from recollect.domain.observations import Observation
from recollect.domain.ports import Archive, Lineage, Store
from recollect.domain.readings import USER
from recollect.domain.scopes import ANYWHERE, Scope
from recollect.domain.selections import Selection
from recollect.recall.evidence.messages import quoted, says_more
from recollect.recall.evidence.standing import taken_back_among
from recollect.recall.people import is_kin, kin_called, named_in, names_among, without_names
from recollect.recall.question import Question, Wants
from recollect.recall.weights import WEIGHTS, Breadth, Scale, Weights
from recollect.recall.words import beginnings, meant, unmet, words_of


@dataclass(frozen=True, slots=True)
class Sources:
    """Where candidates come from, and how they are weighed."""

    store: Store
    lineage: Lineage
    archive: Archive
    nearness: Nearness | None
    space: str
    closeness: Closeness | None = None
    meaning: Meaning | None = None
    wanted: int = 0  # hits; no channel looks for fewer
    weights: Weights = WEIGHTS
    links: StatementLinks | None = None
    relevance: Relevance | None = None
    entities: EntityIndex | None = None
    scale: Scale | None = None  # of the model that measures likeness

    @property
    def breadth(self) -> Breadth:
        return self.weights.breadth

    def at_least(self, few: int) -> int:
        """How many a channel looks for: more than are wanted, for some of them will be over."""
        return max(few, self.wanted * 3 // 2)

    def links_of(self, record_ids: Sequence[str]) -> Sequence[StatementLink]:
        """The links between statements that begin or end at some records, the faint ones too, in one query."""
        if self.links is None or not record_ids:
            return ()
        return self.links.links_of(self.space, record_ids, with_faint=True)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Candidates in the order in which they were found, and what was learned of the question on the way."""

    candidates: tuple[Candidate, ...] = ()
    people: frozenset[str] = frozenset()  # words of the question that name somebody who is known
    about: str = ""  # what meanings were compared with: the question without the names in it
    meant: Mapping[str, float] = field(default_factory=dict)  # attributes asked for in other words, and how surely
    set_aside: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # see `_true_then`
    likeness: Mapping[str, float] = field(default_factory=dict)  # of the nearest records to `about`
    unseen: frozenset[str] = frozenset()  # messages that are found by way of their notes: see `_read_from`
    taken_back: tuple[Observation, ...] = ()  # messages that were found, and that somebody took back since


_NOTHING = Gathered()
_MEASURED = 1e-4  # the least likeness of what was measured: 0 says that it was not
_REPLACED = frozenset({State.SUPERSEDED, State.RETRACTED})


def selected(sources: Sources, question: Question, selection: Selection) -> Gathered:
    """Only what the selection itself names, by words."""
    limit = sources.at_least(sources.breadth.notes)
    matches = sources.store.matching(sources.space, question.spelled, selection, limit=limit)
    return Gathered(tuple(Candidate(match.found_text, match.note) for match in matches))


def gather(sources: Sources, question: Question, selection: Selection, before: Gathered = _NOTHING) -> Gathered:
    """Everything that may answer, followed to what held at the asked time.

    `before` is what was gathered for the same question in other words: nothing is measured twice.
    """
    store, space, breadth = sources.store, sources.space, sources.breadth
    moment = None if question.wants is Wants.THE_HISTORY else selection.valid_at
    every_time = replace(selection, states=ONCE_TRUE, valid_at=None)
    open_to_talk, scope, unseen = not _is_about_notes(selection), selection.scope, before.unseen
    withdrawn = before.taken_back
    with store.reading(space):
        matches = store.matching(space, question.spelled, every_time, limit=sources.at_least(breadth.notes))
        found = [Candidate(match.found_text, match.note) for match in matches]
        found += _of(sources, question.attributes, every_time)
        by_words = _said(sources, question, moment, scope) if open_to_talk else []
    people = named_in(question.text, names_among(by_words, (match.note for match in matches)))
    about = without_names(question.about, people)
    # Between the two readings, since the first question to a space waits here until its vectors are read.
    likeness = before.likeness if before.about == about else _likenesses(sources, about, every_time, by_words)
    nearest = list(likeness)[: sources.at_least(breadth.near)]
    meant = sources.meaning.meant_by(about) if sources.meaning is not None else {}
    with store.reading(space):
        notes = _current(sources, nearest, [match.note for match in matches])
        found += (Candidate(note.text, note, found_by=note.id) for note in notes.values() if note.state in ONCE_TRUE)
        found += _of(sources, _surely_meant(meant, question, breadth), every_time)
        if open_to_talk:
            near = sources.archive.those(space, [record_id for record_id in nearest if record_id not in notes])
            by_meaning = [each for each in near.values() if question.reaches(each.observed_at, moment)]
            said = _with_neighbours(sources, by_words, by_meaning, likeness, question, moment)
            told = [each for each in said if was_told_in(each, scope)]
            read, stood_for, withdrawn = _read_from(sources, told, moment, scope)
            found, unseen = [*found, *read], unseen | stood_for
        found, set_aside = _true_then(sources, found, moment, question)
        if scope != ANYWHERE or selection.where is not None:
            found = [each for each in found if _is_within(each, selection)]
        found = [each for each in found if _is_kept(each.note or each.observation, selection)]
    # Behind the reading: another question may have brought the vectors further than what is read in it.
    measured, likeness = _measured(sources, about, found, likeness)
    aside = {**before.set_aside, **set_aside}
    return Gathered(tuple(measured), people, about, meant, aside, likeness, unseen, withdrawn)


def _current(sources: Sources, note_ids: Sequence[str], known: Sequence[Note]) -> dict[str, Note]:
    """The current versions of notes, by id. What words and meaning both found is read once."""
    read = {note.id: note for note in known}
    notes = {note_id: read[note_id] for note_id in note_ids if note_id in read}
    return notes | sources.store.current(sources.space, [each for each in note_ids if each not in read])


def _said(sources: Sources, question: Question, moment: datetime | None, scope: Scope) -> list[Observation]:
    """Messages with words of the question, at any time and in the time it asks about; of a session all."""
    if scope.session is not None:
        all_of_it = _of_session(sources, scope.session, question)
        return [each for each in all_of_it if question.reaches(each.observed_at, moment) and was_told_in(each, scope)]
    matching, limit = sources.archive.matching, sources.at_least(sources.breadth.observations)
    until = None if question.window else moment
    found = {each.id: each for each in matching(sources.space, question.spelled, until=until, limit=limit, scope=scope)}
    if question.window is not None:
        around = sources.weights.match
        since, until = question.window.start - around.earlier, question.window.end + around.later
        then = matching(sources.space, question.spelled, since=since, until=until, limit=limit, scope=scope)
        found.update((each.id, each) for each in then)
    return list(found.values())


def _of_session(sources: Sources, session: str, question: Question) -> list[Observation]:
    """Messages of a session: all, or of a long one its beginning and those that have words of the question."""
    stem = question.stem
    asked = {stem(word) for word in question.words}
    found: list[Observation] = []
    after = -1
    while some := sources.archive.observations(sources.space, session, after=after, limit=sources.breadth.in_a_session):
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
    """Messages, and the neighbours of the best: an answer may have no word of the question."""
    found = {each.id: each for each in (*by_words, *by_meaning)}
    near = sorted(by_meaning, key=lambda each: -likeness.get(each.id, 0.0))
    in_turn = [each.id for pair in zip_longest(by_words, near) for each in pair if each is not None]
    best = list(dict.fromkeys(in_turn))[: sources.breadth.looked_around]
    for each in sources.archive.around(sources.space, best, reach=sources.weights.match.reach + 1):
        if question.reaches(each.observed_at, moment):
            found.setdefault(each.id, each)
    return list(found.values())


def _likenesses(sources: Sources, about: str, selection: Selection, said: Sequence[Observation]) -> dict[str, float]:
    """How near the nearest records are to the question in meaning, nearest first.

    If only some notes and messages are meant, they are looked for among themselves: among the nearest of all there may
    be none of them. Of a session, what was `said` is at hand already.
    """
    if sources.nearness is None:
        return {}
    meant: set[str] | None = None
    if _is_narrowed(selection):
        meant = {*sources.store.ids(sources.space, selection), *(each.id for each in said)}
        if not _is_about_notes(selection) and selection.scope.session is None:
            meant.update(sources.archive.ids(sources.space, selection.scope))
    wanted = sources.breadth.wordings * sources.at_least(sources.breadth.near)
    return _nearest(sources, sources.nearness, about, meant, wanted)


def _measured(
    sources: Sources, about: str, found: Sequence[Candidate], likeness: Mapping[str, float]
) -> tuple[list[Candidate], Mapping[str, float]]:
    """The candidates with their nearness, which what other channels found is weighed by too; and all that was measured.

    A note is as near as the nearest of its own words and of what it was found by.
    """
    if sources.nearness is None:
        return list(found), likeness
    keys = [each.key for each in found]
    far = {key for key in (*keys, *(each.found_by for each in found)) if key and key not in likeness}
    if far:
        limit = sources.breadth.most_wordings * len(far)
        likeness = {**likeness, **_nearest(sources, sources.nearness, about, far, limit)}
    near = likeness.get
    return [
        # Spelled out, since a search does it for dozens.
        Candidate(
            text, note, told, reached, by, near(key, 0.0) if by == key else max(near(key, 0.0), near(by, 0.0)), said
        )
        for (text, note, told, reached, by, _, said), key in zip(found, keys, strict=True)
    ], likeness


def _nearest(
    sources: Sources, nearness: Nearness, about: str, among: Collection[str] | None, limit: int
) -> dict[str, float]:
    """Of each record how near the nearest of its wordings is, nearest first."""
    likeness: dict[str, float] = {}
    for near in nearness.nearest(sources.space, about, limit=limit, among=among):
        likeness.setdefault(near.record_id, max(near.likeness, _MEASURED))
    return likeness


def respelled(
    sources: Sources, question: Question, candidates: Sequence[Candidate], selection: Selection
) -> Question | None:
    """The question with the words that were probably meant, if some of its words were found nowhere; else `None`."""
    if len(question.words) > sources.breadth.few_words:
        return None
    unseen = unmet(question.words, (words_of(candidate.found_text) for candidate in candidates), question.stem)
    if not unseen:
        return None
    # Of a part of memory, or of another time, it counts how a word is spelled in there.
    narrowed = _is_narrowed(replace(selection, scope=replace(selection.scope, session=None)))
    missing = unseen if narrowed or question.timed else _unknown(sources, unseen)
    if not missing:
        return None
    begun = beginnings(missing)
    every_time, many = replace(selection, states=ONCE_TRUE, valid_at=None), sources.weights.spelling.texts
    notes = sources.store.matching(sources.space, begun, every_time, limit=many, beginnings=True)
    said = sources.archive.matching(
        sources.space, begun, until=None, limit=many, beginnings=True, scope=selection.scope
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
    if len(question.words) > sources.breadth.asks_for_all and not question.asks_for_many:
        return []
    best = ranked[0].note if ranked else None
    if best is None or best.attribute not in question.attributes or not best.metadata.get("said", {}).get("many"):
        return []
    beside = replace(selection, subject=best.subject, attribute=best.attribute, states=ONCE_TRUE)
    found = sources.store.notes(sources.space, beside, before=None, limit=sources.breadth.by_attribute)
    return [note for note in found if note.id != best.id]


def _surely_meant(meant: Mapping[str, float], question: Question, breadth: Breadth) -> list[str]:
    """The attributes that are most surely asked for in other words."""
    surest = sorted((-share, name) for name, share in meant.items() if name not in question.attributes)
    return [name for share, name in surest[: breadth.meant] if -share >= breadth.surely]


def _of(sources: Sources, attributes: Iterable[str], selection: Selection) -> Iterable[Candidate]:
    for attribute in attributes:
        wanted = replace(selection, attribute=attribute)
        for note in sources.store.notes(sources.space, wanted, before=None, limit=sources.breadth.by_attribute):
            yield Candidate(note.text, note, reached=f"attribute: {attribute}")


def _read_from(
    sources: Sources, said: Sequence[Observation], moment: datetime | None, scope: Scope
) -> tuple[list[Candidate], frozenset[str], tuple[Observation, ...]]:
    """Messages, and the notes that were read from them; which of the messages are found by way of their notes; and
    those that were taken back, which are left out.

    A message that is found so has little beside what was read from it. If it says no more than notes that hold or were
    replaced, it is left out. A long one is about many things, and stands for itself: that it answers says nothing of
    each note read from it.
    """
    found: list[Candidate] = []
    unseen: set[str] = set()
    gone = taken_back_among(sources.store, sources.archive, sources.space, said)
    stand = [observation for observation in said if observation.id not in gone]
    notes = _notes_of(sources, stand, scope)
    for observation in stand:
        own = notes.get(observation.id, [])
        whole = _say_it_all(own, observation, sources.breadth)
        for note in own:
            if note.state in ONCE_TRUE:
                reached = "found by what was said"
                told, by = (observation.words, observation.id) if whole else (quoted(note), note.id)
                found.append(Candidate(told, note, reached=reached, found_by=by, said=observation))
        if whole and not all(_was_told_as_past(note, moment) for note in own):
            if _are_known(own, moment) and not says_more(observation.words, _read_words(own, sources.breadth)):
                continue
            unseen.add(observation.id)
        found.append(Candidate(observation.words, observation=observation, found_by=observation.id))
    return found, frozenset(unseen), tuple(observation for observation in said if observation.id in gone)


def _notes_of(sources: Sources, said: Sequence[Observation], scope: Scope) -> dict[str, list[Note]]:
    """The notes that were read from each short message, within a scope; of a long one none, which stands for itself."""
    short = [each.id for each in said if len(each.text) <= sources.breadth.short]
    read = sources.archive.derived_notes(sources.space, short)
    notes = sources.store.current(sources.space, [note_id for ids in read.values() for note_id in ids])
    own = {note_id: note for note_id, note in notes.items() if _holds_within(note, scope)}
    return {said_id: [own[each] for each in ids if each in own] for said_id, ids in read.items()}


def _say_it_all(notes: Sequence[Note], observation: Observation, breadth: Breadth) -> bool:
    """Whether a message holds no more than the words its notes were read from, and an aside."""
    if not notes:
        return False
    told = {quote: min(len(quote), len(note.text) + breadth.more) for note in notes if (quote := quoted(note))}
    return len(observation.text) - sum(told.values()) <= breadth.aside


def _are_known(notes: Sequence[Note], moment: datetime | None) -> bool:
    """Whether each note holds, or is known to hold no longer; of one that only faded, the message is the last word."""
    return moment is None or all(note.holds_at(moment) or note.state in _REPLACED for note in notes)


def _read_words(notes: Sequence[Note], breadth: Breadth) -> list[str]:
    """The words that notes say: their own, and of a quote that says no more than its note also those of the quote."""
    own = [note.text for note in notes]
    return [*own, *(quote for note in notes if len(quote := quoted(note)) <= len(note.text) + breadth.more)]


def _was_told_as_past(note: Note, moment: datetime | None) -> bool:
    """Whether a note was over when it was first told ("I ran a race last week"), and not ended by something newer."""
    return moment is not None and note.version == 1 and note.state in ONCE_TRUE and not note.holds_at(moment)


def _is_about_notes(selection: Selection) -> bool:
    """Whether only notes of a sort are meant: what was said has no kind, tag, subject or attribute."""
    if selection.kinds or selection.subject or selection.attribute or selection.tag or selection.pinned is not None:
        return True
    if selection.where is None:
        return False
    from recollect.domain.filters.admission import may_admit_messages

    return not may_admit_messages(selection.where)


def said_besides(
    sources: Sources, record_ids: Sequence[str], question: Question, selection: Selection
) -> list[Observation]:
    """Messages that were not found but are led to, as far as they could have been: by time, scope, filter and notes."""
    if not record_ids or _is_about_notes(selection):
        return []
    moment, scope = selection.valid_at, selection.scope
    told = [
        each
        for each in sources.archive.those(sources.space, record_ids).values()
        if question.reaches(each.observed_at, moment) and was_told_in(each, scope) and _is_kept(each, selection)
    ]
    read, *_ = _read_from(sources, told, moment, scope)
    return [each.observation for each in read if each.observation is not None and _is_within(each, selection)]


def notes_besides(sources: Sources, record_ids: Sequence[str], selection: Selection, at: datetime) -> list[Note]:
    """Notes that were not found but are led to, where all of the space is meant, and they hold."""
    if not record_ids or _is_narrowed(selection):
        return []
    notes = sources.store.current(sources.space, record_ids).values()
    return [each for each in notes if each.state in ONCE_TRUE and each.holds_at(at) and _is_kept(each, selection)]


def _is_narrowed(selection: Selection) -> bool:
    """Whether only a part of the space is meant."""
    return selection.where is not None or selection.scope != ANYWHERE or _is_about_notes(selection)


def was_told_in(said: Observation, scope: Scope) -> bool:
    """Whether something was said within a scope."""
    return scope == ANYWHERE or scope.includes(replace(said.scope, session=said.session_id))


def _is_within(candidate: Candidate, selection: Selection) -> bool:
    """Whether a candidate is within the scope and passes the filter; what chains lead to was not selected."""
    record = candidate.note or candidate.observation
    if selection.where is not None and record is not None:
        from recollect.domain.filters.admission import admits

        if not admits(selection.where, record):
            return False
    return candidate.note is None or _holds_within(candidate.note, selection.scope)


def _is_kept(record: Note | Observation | None, selection: Selection) -> bool:
    """Whether a record is not yet at the end of its time, whatever led to it."""
    return record is None or selection.kept_at is None or not record.is_due(selection.kept_at)


def _holds_within(note: Note, scope: Scope) -> bool:
    """Whether a note is within a scope. What was learned in a session holds beyond it."""
    return scope == ANYWHERE or replace(scope, session=None).includes(note.scope)


def _true_then(
    sources: Sources, found: Sequence[Candidate], moment: datetime | None, question: Question
) -> tuple[list[Candidate], dict[str, tuple[int, str]]]:
    """The candidates, each note followed along its chain to the one that holds at the moment.

    And those that did not hold then, by id: the version, and the id of what held instead, if anything did.
    """
    if moment is None:
        return list(found), {}
    over = [_is_over(candidate.note, moment, question) for candidate in found]
    ended = dict.fromkeys(candidate.key for candidate, is_over in zip(found, over, strict=True) if is_over)
    known = [candidate.note for candidate in found if candidate.note is not None] if ended else []
    instead = _successors(sources, list(ended)[: sources.breadth.followed], known, moment)
    kept: list[Candidate] = []
    set_aside: dict[str, tuple[int, str]] = {}
    for candidate, is_over in zip(found, over, strict=True):
        note = candidate.note
        if note is None or not is_over:
            kept.append(candidate)
            continue
        holds = instead.get(note.id)
        set_aside[note.id] = (note.version, holds.id if holds else "")
        if holds is not None:
            kept.append(candidate._replace(note=holds, reached=candidate.reached or f"was: {note.text}"))
    return kept, set_aside


def _is_over(note: Note | None, moment: datetime, question: Question) -> bool:
    return note is not None and not note.holds_at(moment) and not _is_only_dated(note, question)


def _is_only_dated(note: Note, question: Question) -> bool:
    """Whether a note tells of something, and is no fact that was true or not at the time a question asks about.

    What was written down in the days after that time may well tell of it; its date is weighed, and rules nothing out.
    """
    return question.window is not None and note.attribute is None and note.valid_until is None


def _successors(sources: Sources, note_ids: Sequence[str], known: Sequence[Note], moment: datetime) -> dict[str, Note]:
    """Of each note the one of its chain that holds at a moment, if one does. Those that are `known` are not read."""
    if not note_ids:
        return {}
    chains = sources.lineage.chains(sources.space, note_ids)
    notes = _current(sources, [member for chain in chains.values() for member in chain], known)
    holding = {note_id: note for note_id, note in notes.items() if note.holds_at(moment)}
    found = {}
    for note_id, chain in chains.items():
        members = [holding[member] for member in chain if member in holding]
        if members:
            found[note_id] = max(members, key=lambda each: (each.valid_from or each.recorded_at, each.id))
    return found


def acquainted(sources: Sources, question: Question, selection: Selection) -> Question:
    """The question, looked for by the names of those it calls "my sister" or "my boss", too."""
    called = kin_called(question.text)
    names: list[str] = []
    for attribute in dict.fromkeys(called.values()):
        wanted = replace(selection, subject=USER, attribute=attribute, states=ONCE_TRUE, where=None)
        notes = sources.store.notes(sources.space, wanted, before=None, limit=sources.weights.breadth.people)
        names += [word for note in notes if is_kin(note, called) for word in words_of(note.value or "")]
    return question.with_words(names) if names else question
