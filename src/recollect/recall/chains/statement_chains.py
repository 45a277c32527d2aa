"""Pure: where a newer statement took the place of an older one, it takes its place among the hits too.

Links say which statement replaced, ended or repeated which; a judge made them when the newer one was written. Nothing
is guessed here. The newest statement of a chain stands where the first of the chain was found, however far its own
words are from the question; the older ones step back behind the first few, and say what replaced them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import StatementLink, StatementRelation
from recollect.language.english.sentence_form import tells_another_value
from recollect.language.english.sentences import tells_what_happened
from recollect.language.times.finder import find_times
from recollect.recall.question import Question
from recollect.recall.weights import WEIGHTS, ChainWeights
from recollect.recall.words import words_of

ASSERTED = "asserted first"
NAME = "current first"
ONE_FORM = "newest of one form first"
DOUBTFUL = "doubtful changes behind"

_READ = 400  # characters of a statement in which a day ahead is looked for


def records_of(hit: Hit) -> tuple[str, ...]:
    """The ids by which links know a hit: its own, and those of the messages it was read from."""
    return (hit.id, *hit.note.derived_from) if hit.note is not None else (hit.id,)


def said_at(hit: Hit) -> datetime:
    """When a message was said, or since when a note holds."""
    if hit.note is not None:
        return hit.note.valid_from or hit.note.recorded_at
    assert hit.observation is not None  # noqa: S101 - a hit is one or the other
    return hit.observation.observed_at


def was_saved(hit: Hit) -> bool:
    """Whether it is a note that somebody wrote down on purpose, and not one that was read from something."""
    return hit.note is not None and not hit.note.derived_from and not hit.note.metadata.get("said")


def asserted_first(ranked: Sequence[Hit], asserted: Mapping[str, float], weights: ChainWeights) -> list[Hit]:
    """The hits by what they say and how likely each says that it is so: a question, a plan or a quotation tells less.

    `asserted` has the likelihood by record, for those that were judged.
    """
    weighed = [
        hit
        if (likely := asserted.get(hit.id)) is None
        else replace(hit, score=hit.score * (weights.not_asserted + (1 - weights.not_asserted) * likely))
        for hit in ranked[: weights.considered]
    ]
    return [*sorted(weighed, key=lambda hit: -hit.score), *ranked[weights.considered :]]


def current_first(
    ranked: Sequence[Hit],
    question: Question,
    links: Iterable[StatementLink],
    others: Sequence[Hit] = (),
    *,
    at: datetime,
    weights: ChainWeights = WEIGHTS.chains,
) -> list[Hit]:
    """The hits, the newest statement of each chain in the place of its first one.

    `others` are newer statements of these chains that were not found by themselves. `at` is the time asked about.
    """
    if question.asks_for_many or not question.asks_how_things_stand:
        return list(ranked)
    chains = _Chains([*ranked, *others], links, question.window.end if question.window else None, at, weights)
    if not chains.replaced:
        return list(ranked)
    placed: dict[str, Hit] = {}
    behind: list[Hit] = []
    for hit in ranked:
        newest = chains.newest(hit.id)
        if newest is None:
            placed.setdefault(hit.id, hit)
            continue
        if newest.id not in placed:
            reason = f"{NAME}: newer than “{hit.text}”"
            placed[newest.id] = replace(newest, score=max(hit.score, newest.score), why=(*newest.why, reason))
        behind.append(replace(hit, why=(*hit.why, f"{NAME}: “{newest.text}” is newer")))
    first = list(placed.values())
    return [*first[: weights.first_few], *behind, *first[weights.first_few :]]


def doubtful_behind(
    ranked: Sequence[Hit],
    links: Iterable[StatementLink],
    likely: Mapping[str, float],
    *,
    at: datetime,
    weights: ChainWeights = WEIGHTS.chains,
) -> list[Hit]:
    """The hits; those of the first few that the first of all may have replaced stand behind the first few.

    Here a link counts of which the judge was not sure: both ends were read beside the question and are `likely` to
    answer it, and the newer one came out first, so that the older one is more likely the value before than something
    else. Where somebody said it again since, or saved it on purpose, it stays.
    """
    if not ranked or not likely.get(ranked[0].id) or _is_to_come(ranked[0], at):
        return list(ranked)
    first, few = ranked[0], weights.first_few
    newer = set(records_of(first))
    older = {
        link.older
        for link in links
        if link.newer in newer and link.is_change and not link.is_faint and link.strength < weights.replaces
    }
    behind = [
        hit
        for hit in ranked[1:few]
        if likely.get(hit.id)
        and not was_saved(hit)
        and _last_said(hit) < said_at(first)
        and newer.isdisjoint(records_of(hit))
        and not older.isdisjoint(records_of(hit))
    ]
    if not behind:
        return list(ranked)
    moved = {hit.id for hit in behind}
    kept = [hit for hit in ranked if hit.id not in moved]
    told = [replace(hit, why=(*hit.why, f"{DOUBTFUL}: “{first.text}” may have replaced it")) for hit in behind]
    return [*kept[:few], *told, *kept[few:]]


def newest_of_one_form_first(
    ranked: Sequence[Hit],
    refuted: Set[tuple[str, str]] = frozenset(),
    *,
    at: datetime,
    happened: Set[str] | None = None,
    looked_at: int = 12,
) -> list[Hit]:
    """The hits; of those that say the same of one thing with other values the newest in the place of the first.

    No judge is asked: nothing is hidden by it, and whether both values hold or one alone, the newer is told first.
    `refuted` are records of which somebody said that the one changes nothing of the other. `happened` are the words of
    a question for what happened: then only what tells of that is moved, where the newer corrects the older, and nothing
    whose own words are asked for, which may be another event. Of how things stood the older may be meant.
    """
    moved, times = list(ranked), list(map(said_at, ranked[:looked_at]))
    for place in range(len(times)):
        hit = moved[place]
        if happened is not None and not tells_what_happened(hit.text):
            continue
        newer = [
            other
            for other in range(place + 1, len(times))
            if times[place] < times[other] <= at
            and tells_another_value(hit.text, moved[other].text)
            and not _are_refuted(hit, moved[other], refuted)
            and not (happened and happened & (_words(hit) - _words(moved[other])))
        ]
        if newer:
            newest = max(newer, key=lambda other: (times[other], moved[other].id))
            taken = moved[newest]
            times[place], times[newest] = times[newest], times[place]
            moved[place] = replace(taken, score=hit.score, why=(*taken.why, f"{ONE_FORM}: newer than “{hit.text}”"))
            moved[newest] = replace(hit, score=taken.score)
    return moved


def _words(hit: Hit) -> frozenset[str]:
    return frozenset(words_of(hit.text))


def _are_refuted(older: Hit, newer: Hit, refuted: Set[tuple[str, str]]) -> bool:
    """Whether somebody said that the newer of two hits is no change of the older."""
    return bool(refuted) and any((one, other) in refuted for one in records_of(older) for other in records_of(newer))


class _Chains:
    """Which hits took the place of which others."""

    def __init__(
        self,
        hits: Sequence[Hit],
        links: Iterable[StatementLink],
        end: datetime | None,
        at: datetime,
        weights: ChainWeights,
    ) -> None:
        self._hits = {hit.id: hit for hit in hits}
        self._end, self._at = end, at
        self._to_come: dict[str, bool] = {}
        by_record: dict[str, list[str]] = {}
        for hit in hits:
            for record in records_of(hit):
                by_record.setdefault(record, []).append(hit.id)
        self.replaced: dict[str, set[str]] = {}
        repeated: list[tuple[str, str]] = []
        for link in links:
            for older in by_record.get(link.older, ()):
                for newer in by_record.get(link.newer, ()):
                    if link.is_change and link.strength >= weights.replaces and self._follows(older, newer):
                        self.replaced.setdefault(older, set()).add(newer)
                    elif link.stands_as.value == StatementRelation.SAME and link.strength >= weights.repeats:
                        repeated.append((older, newer))
        for older, newer in repeated:  # what replaced one of two that say the same replaced both, if it is newer
            for one, other in ((older, newer), (newer, older)):
                for successor in list(self.replaced.get(one, ())):
                    if successor not in (one, other) and self._follows(other, successor):
                        self.replaced.setdefault(other, set()).add(successor)

    def newest(self, hit_id: str) -> Hit | None:
        """The newest statement at the end of a hit's chain; `None` if nothing took its place."""
        seen, todo, ends = {hit_id}, [hit_id], []
        while todo:
            for newer in self.replaced.get(todo.pop(), ()):
                if newer not in seen:
                    seen.add(newer)
                    todo.append(newer)
                    if not self.replaced.get(newer):
                        ends.append(self._hits[newer])
        return max(ends, key=lambda hit: (said_at(hit), hit.id)) if ends else None

    def _follows(self, older: str, newer: str) -> bool:
        """Whether a hit is newer than another, was said by the asked time, and is not read from it."""
        one, other = self._hits[older], self._hits[newer]
        if older == newer or set(records_of(one)) & set(records_of(other)):
            return False
        moment = said_at(other)
        if moment < _last_said(one) or (self._end is not None and moment >= self._end):
            return False
        if newer not in self._to_come:
            self._to_come[newer] = _is_to_come(other, self._end or self._at)
        return not self._to_come[newer]


def _last_said(hit: Hit) -> datetime:
    """When it was said last: a fact that was told again is as new as that."""
    said = said_at(hit)
    return max(said, hit.note.last_seen_at or said) if hit.note is not None and hit.note.derived_from else said


def _is_to_come(hit: Hit, moment: datetime) -> bool:
    """Whether a statement is of a day that is still ahead: until then the older one holds."""
    said = said_at(hit)
    days = [mention.period.start for mention in find_times(hit.text[:_READ], at=said)]
    return bool(days) and min(days) > moment
