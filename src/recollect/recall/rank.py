"""Pure: how well candidates answer a question, from the sum of all signs.

Words and meaning are matched for each candidate by itself and together with what stands around it; whatever else speaks
for it is added as a hint, whose worth is stated in `weights`. A hint moves a hit among its likes and never buries it.

Signs are scaled to 0..1 and added: on every set measured that beat reciprocal ranks. Products of signs and a second
round of search were tried and gave nothing. Their worth is in `weights`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import compress
from operator import gt
from typing import NamedTuple

from recollect.attributes.catalogue import names_kin
from recollect.domain.answers.recollections import Candidate, Hit
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.domain.periods import Period
from recollect.domain.readings import USER
from recollect.domain.trust.feedback import is_doubted
from recollect.language.english.ownership import speaks_of_oneself
from recollect.language.english.small_words import STOP_WORDS
from recollect.recall import bm25
from recollect.recall.cues import Manner, is_question, manner_of, standing
from recollect.recall.people import HALF, kin_meant, named_in, names_among, share_named
from recollect.recall.question import Question
from recollect.recall.surroundings import TurnPlace, Window, windows_of
from recollect.recall.weights import WEIGHTS, MatchWeights, SignWeights, SpeechWeights, Weights
from recollect.recall.words import stem, words_of


class Signs(NamedTuple):
    """The signs that speak for candidates, each from 0 to 1: a column for each sign, with a row for each candidate."""

    words: Sequence[float]
    words_around: Sequence[float]
    meaning: Sequence[float]
    meaning_around: Sequence[float]
    in_time: Sequence[float]
    standing: Sequence[float]
    answers: Sequence[float]
    fits: Sequence[float]
    tells: Sequence[float]
    speaker: Sequence[float]
    of_oneself: Sequence[float]
    recent: Sequence[float]
    asks: Sequence[float]


def fused(signs: Signs, weights: SignWeights, *, measured: bool) -> list[float]:
    """One score for each candidate. Where no meaning is `measured` the words have its share too."""
    by_itself, nearby = (weights.meaning, weights.meaning_around) if measured else (0.0, 0.0)
    words, around = weights.words + weights.meaning - by_itself, weights.words_around + weights.meaning_around - nearby
    matched = [
        words * own + around * other + by_itself * near + nearby * beside
        for own, other, near, beside in zip(*signs[:4], strict=True)
    ]
    # Most questions have only some of the signs; a column without any adds nothing.
    others = [(getattr(weights, name), column) for name, column in zip(Signs._fields[4:], signs[4:], strict=True)]
    added = [0.0] * len(matched)
    for weight, column in others:
        if any(column):
            added = [before + weight * sign for before, sign in zip(added, column, strict=True)]
    return [one + other for one, other in zip(matched, added, strict=True)]


_A_DAY = timedelta(days=1)


def rank(question: Question, candidates: Sequence[Candidate], *, at: datetime, weights: Weights = WEIGHTS) -> list[Hit]:
    """Hits, best first; of equals the newer one. Each note and each message is listed once."""
    if not candidates:
        return []
    match = _matched(question, candidates, weights.match)
    manner = manner_of(question.text)
    signs = _signs(candidates, match, question, manner, at, weights.match)
    scores = fused(signs, weights.signs, measured=match.measured)
    told, best = _told_of(signs), dict[str, Hit]()
    columns = zip(candidates, scores, match.counted, match.words_around, signs.speaker, strict=True)
    for number, (candidate, score, counted, around, named) in enumerate(columns):
        found = any(counted.times)
        if not (found or candidate.reached or candidate.likeness or around):
            continue  # only the database's own stemming found it, and each database has another
        why = [f"words: {', '.join(compress(match.asked, counted.times))}"] if found else []
        why += _reasons(candidate, told, number)
        hit = _weighed(candidate, score, why, match, question, manner, weights, named=named > 0)
        key = candidate.key
        known = best.get(key)
        # Of equally good wordings the one it has now counts.
        if known is None or (hit.score, -len(hit.why)) > (known.score, -len(known.why)):
            best[key] = hit
    newest_first = [best[key] for key in sorted(best, reverse=True)]
    return sorted(newest_first, key=_falling)


def _falling(hit: Hit) -> float:
    return -hit.score


def with_falling_scores(ranked: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in their order, none with a higher score than the one before it.

    A later step may set a hit behind a weaker one, such as an older statement behind the newer one; it then has the
    score of its place.
    """
    shown: list[Hit] = []
    for hit in ranked:
        limit = shown[-1].score if shown else hit.score
        shown.append(hit if hit.score <= limit else replace(hit, score=limit))
    return tuple(shown)


@dataclass(frozen=True, slots=True)
class _Match:
    """How well the words and the meaning of all candidates match: of each by itself, and with what stands around it."""

    asked: tuple[str, ...]
    names: frozenset[str]  # those that the question has
    kin: frozenset[str]  # the subjects it means by "my sister"
    stems: frozenset[str]  # of all its words
    counted: Sequence[bm25.WordCounts]
    words: Sequence[float]
    words_around: Sequence[float]
    meaning: Sequence[float]
    meaning_around: Sequence[float]
    named: Sequence[float]  # how much of the name of whoever said it, or whom it is about, the question has
    asks: Sequence[bool]
    answers: Sequence[float]
    measured: bool  # whether meaning was compared at all
    how_things_stand: bool  # whether that is asked


def _matched(question: Question, candidates: Sequence[Candidate], weights: MatchWeights) -> _Match:
    names, root = _names(question, candidates), question.stem
    roots = {root(word): word for word in reversed(question.words)}
    asked = tuple(reversed(roots.values()))
    wanted = bm25.Wanted(reversed(roots), root)
    counted = bm25.counted(list(map(_text, candidates)), wanted)
    meaning = _scaled_likeness(candidates)
    places = _places(candidates)
    windows = windows_of(places, [each.length for each in counted], weights) if any(places) else []
    alone = all(len(window.members) == 1 for window in windows)
    # What only the database's own stemming found is in one database and not in the other, and must move no score.
    among = sum(1 for each, near in zip(counted, meaning, strict=True) if near or any(each.times))
    rarity = bm25.rarities(counted, among)
    if not names.issuperset(asked):
        rarity = [0.0 if word in names else weight for word, weight in zip(asked, rarity, strict=True)]
    whole = weights.most_of_it * sum(rarity)
    words = _share_of_best(bm25.scores(counted, rarity, weights), at_least=whole)
    asks = [is_question(candidate.found_text) for candidate in candidates]
    return _Match(
        asked=asked,
        names=names,
        kin=kin_meant(question.text, (each.note for each in candidates if each.note is not None)),
        stems=frozenset(stem(word) for word in words_of(question.text)),
        counted=counted,
        words=words,
        words_around=words
        if alone
        else _share_of_best(
            bm25.scores([bm25.together(counted, window) for window in windows], rarity, weights), at_least=whole
        ),
        meaning=meaning,
        meaning_around=_share_of_best(meaning if alone else [_mean(meaning, window) for window in windows]),
        named=_named(candidates, names),
        asks=asks,
        answers=_answering(candidates, places, asks, words, meaning),
        measured=any(candidate.likeness for candidate in candidates),
        how_things_stand=question.asks_how_things_stand,
    )


def _answering(
    candidates: Sequence[Candidate],
    places: Sequence[TurnPlace | None],
    asks: Sequence[bool],
    words: Sequence[float],
    meaning: Sequence[float],
) -> list[float]:
    """Of each candidate how well the question right before it matches; 0 if there is none.

    Nobody answers themselves: of somebody's messages to an assistant the next one is no answer to the one before.
    """
    asking = {
        place: (_whose(candidates[number]), (words[number] + meaning[number]) / 2)
        for number, place in enumerate(places)
        if place is not None and asks[number]
    }
    answers = [0.0] * len(places)
    for number, place in enumerate(places if asking else ()):
        before = asking.get(TurnPlace(place.session, place.position - 1)) if place is not None else None
        if before is not None and before[0] != _whose(candidates[number]):
            answers[number] = before[1]
    return answers


def _whose(candidate: Candidate) -> tuple[str | None, str | None] | None:
    """The role and the speaker of a candidate; `None` of a note that nobody said."""
    said = _said(candidate)
    return None if said is None else (said.role, said.speaker)


def _signs(
    candidates: Sequence[Candidate],
    match: _Match,
    question: Question,
    manner: Manner,
    at: datetime,
    weights: MatchWeights,
) -> Signs:
    """Everything that speaks for the candidates. A sign that this question cannot have is not looked for."""
    in_time, recent = _signs_of_time(candidates, question, manner, at, weights)
    standings, fits, of_oneself = _signs_of_wording(candidates, match, manner)
    full = math.log(weights.full_length)
    # A text tells by its length; what somebody wrote down on purpose tells something, however short it is.
    tells = [
        1.0 if (note := each.note) is not None and not note.derived_from else min(1.0, math.log1p(words.length) / full)
        for each, words in zip(candidates, match.counted, strict=True)
    ]
    return Signs(
        match.words,
        match.words_around,
        match.meaning,
        match.meaning_around,
        in_time,
        standings,
        match.answers,
        fits,
        tells,
        match.named,
        of_oneself,
        recent,
        match.asks,
    )


def _signs_of_time(
    candidates: Sequence[Candidate], question: Question, manner: Manner, at: datetime, weights: MatchWeights
) -> tuple[list[float], list[float]]:
    """How far each candidate is of the time asked about, and how far it is of late."""
    in_time = recent = [0.0] * len(candidates)
    window = question.window
    if window is not None:
        in_time = [_in_time(_time_of(each), each.note, window, weights) for each in candidates]
    if manner.goes_on:
        days = [max(0.0, (at - _time_of(each)) / _A_DAY) for each in candidates]
        recent = [0.5 ** (each / weights.lately) for each in days]
    return in_time, recent


def _signs_of_wording(
    candidates: Sequence[Candidate], match: _Match, manner: Manner
) -> tuple[list[float], list[float], list[float]]:
    """How far each candidate is a standing wish, has the sort of thing asked for, and has its speaker speak of
    themselves.
    """
    standings = fits = of_oneself = [0.0] * len(candidates)
    if manner.is_request and not match.names:
        standings = [standing(each.found_text) for each in candidates]
    if manner.asks_when or manner.asks_how_many:
        fits = [manner.fitted_by(each.found_text) for each in candidates]
    if any(match.named):
        named = zip(match.named, candidates, strict=True)
        of_oneself = [share if share and speaks_of_oneself(each.found_text) else 0.0 for share, each in named]
    return standings, fits, of_oneself


def _weighed(
    candidate: Candidate,
    score: float,
    why: list[str],
    match: _Match,
    question: Question,
    manner: Manner,
    weights: Weights,
    *,
    named: bool,
) -> Hit:
    note, observation, worth = candidate.note, candidate.observation, weights.note
    if note is None:
        score *= _word_of(observation, manner, weights.speech, how_things_stand=match.how_things_stand)
        return Hit(None, round(score, 6), tuple(why), observation, (), candidate.likeness)
    if not candidate.reached and candidate.found_text != note.text:
        why.append("found by an earlier wording")
    if note.subject is not None and not named and _is_of_somebody_else(note, match, question):
        score *= worth.somebody_else
    elif note.attribute in question.attributes:
        score += worth.attribute / (1 + question.attributes.index(note.attribute))
    elif meant := question.meant.get(note.attribute or "", 0.0):
        score += worth.meant * meant
        if meant > 0.5:
            why.append("asked for in other words")
    if note.pinned:
        score += worth.pinned
        why.append("pinned")
    if note.metadata and is_doubted(note):
        score *= worth.doubted
        why.append("doubted")
    return Hit(note, round(score, 6), tuple(why), None, note.derived_from[::-1], candidate.likeness)


def _word_of(
    observation: Observation | None, manner: Manner, weights: SpeechWeights, *, how_things_stand: bool
) -> float:
    """How much something said counts, by who said it and, where it is asked how things stand, how it was meant."""
    if observation is None or observation.role in (None, "user"):
        if manner.is_told_back:
            return weights.whoever_asks
        standing = observation.standing if observation and how_things_stand else None
        return weights.standing.get(standing, 1.0) if standing else 1.0
    if manner.is_told_back:
        return weights.told_back
    return weights.not_the_user if manner.of_oneself else weights.nobodys


def _told_of(signs: Signs) -> list[tuple[str, Sequence[float]]]:
    """The signs that a reason tells of, in words, and which candidates have them; a sign that none has is left out."""
    told = [
        ("words around it", list(map(gt, signs.words_around, signs.words))),
        ("answers a question like it", signs.answers),
        ("of whoever is named", signs.speaker),
        ("of the time asked about", [each > 0.5 for each in signs.in_time]),
        ("a standing wish", signs.standing),
    ]
    return [(words, having) for words, having in told if any(having)]


def _reasons(candidate: Candidate, told: Sequence[tuple[str, Sequence[float]]], number: int) -> list[str]:
    """Why something is a hit beside its words, in words; the strength of a channel where it has one."""
    reasons = [f"meaning: {candidate.likeness:.2f}"] if candidate.likeness > 0 else []
    for words, having in told:
        if having[number]:
            reasons.append(words)
    if candidate.reached:
        reasons.append(candidate.reached)
    return reasons


def _names(question: Question, candidates: Sequence[Candidate]) -> frozenset[str]:
    said = [each for each in map(_said, candidates) if each is not None]
    notes = [candidate.note for candidate in candidates if candidate.note is not None]
    return named_in(question.text, names_among(said, notes))


def _said(candidate: Candidate) -> Observation | None:
    return candidate.observation or candidate.said


def _named(candidates: Sequence[Candidate], names: frozenset[str]) -> list[float]:
    """Of each candidate how much of the name of whoever said it, or whom it is about, is among some names."""
    if not names:
        return [0.0] * len(candidates)
    told: dict[tuple[str | None, str | None], float] = {}  # few people say much
    named = []
    for candidate in candidates:
        said, note = _said(candidate), candidate.note
        whom = (said.speaker if said else None, note.subject if note else None)
        if whom not in told:
            its_own = names_among([said] if said else [], [note] if note else [])
            told[whom] = max((share_named(name, names) for name in its_own), default=0.0)
        named.append(told[whom])
    return named


def _time_of(candidate: Candidate) -> datetime:
    note, said = candidate.note, _said(candidate)
    own = (note.occurred_at or note.valid_from) if note else None
    return own or (said.observed_at if said else note.recorded_at if note else datetime.max.replace(tzinfo=UTC))


def _in_time(when: datetime, note: Note | None, window: Period, weights: MatchWeights) -> float:
    """1 in the time a question asks about and shortly around it, and less the farther away.

    A fact that held then is of that time, whenever it was told.
    """
    if note is not None and note.attribute is not None:
        return 1.0
    away = max(window.start - weights.earlier - when, when - window.end - weights.later, timedelta(0))
    return math.exp(-(away / _A_DAY) / weights.time_fades)


def _scaled_likeness(candidates: Sequence[Candidate]) -> list[float]:
    """Nearness from 0 for the farthest that was measured to 1 for the nearest."""
    likeness = [candidate.likeness for candidate in candidates]
    farthest = min(filter(None, likeness), default=0.0)
    span = (max(likeness, default=0.0) - farthest) or 1.0
    return [max(0.0, each - farthest) / span for each in likeness]


def _share_of_best(scores: Sequence[float], *, at_least: float = 0.0) -> list[float]:
    best = max((*scores, at_least)) or 1.0
    return [score / best for score in scores]


def _mean(meaning: Sequence[float], window: Window) -> float:
    weighed = sum(share * meaning[member] for member, share in zip(window.members, window.shares, strict=True))
    return weighed / sum(window.shares)


def _places(candidates: Sequence[Candidate]) -> list[TurnPlace | None]:
    """Where each candidate stands: what was said in its session, a note of a session among the others of it."""
    each_said = list(map(_said, candidates))
    notes: dict[str, list[str]] = defaultdict(list)
    for candidate, said in zip(candidates, each_said, strict=True):
        if said is None and candidate.note is not None and candidate.note.scope.session:
            notes[candidate.note.scope.session].append(candidate.note.id)
    order = {
        note_id: (session, position)
        for session, ids in notes.items()
        for position, note_id in enumerate(sorted(set(ids)))
    }
    places: list[TurnPlace | None] = []
    for candidate, said in zip(candidates, each_said, strict=True):
        if said is not None:
            # A thread of messages goes on for months: what was said on another day does not stand around this.
            places.append(TurnPlace(("said", said.session_id, said.observed_at.date()), said.position))
        elif order and candidate.key in order:
            session, position = order[candidate.key]
            places.append(TurnPlace(("noted", session), position))
        else:
            places.append(None)
    return places


def _is_of_somebody_else(note: Note, match: _Match, question: Question) -> bool:
    """Whether a note is about a person or thing that the question does not name.

    Who asks where their sister lives does not ask it of themselves; only who she is, is a fact about them.
    """
    if note.subject is None or note.subject in match.kin:
        return False
    if note.subject == USER and names_kin(note.attribute) and not question.asks_who:
        return True  # who somebody is does not answer what they do
    if len(match.kin) > 1 and note.subject == USER:
        return f"relation:{note.attribute}" not in match.kin
    kind, separator, name = note.subject.partition(":")
    if not separator or kind not in ("person", "relation", "thing"):
        return False
    return share_named(frozenset(stem(word) for word in words_of(name) if word not in STOP_WORDS), match.stems) < HALF


def _text(candidate: Candidate) -> str:
    """Everything a candidate is matched by: what it says now counts as well as what it was found by."""
    note, found = candidate.note, candidate.found_text
    if note is None:
        return found
    own = note.text if note.text != found else ""
    return f"{note.title or ''} {' '.join(note.tags)} {note.attribute or ''} {found} {own}"
