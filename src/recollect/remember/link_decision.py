"""Pure: which links a text has to older ones, given those that are near to it and a judge.

The stance comes first: what says nothing of how things are changes nothing, costs one look, and cannot be changed
either. Everything depends on the texts and their dates alone, so the same messages in another order of arrival have the
same links.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from recollect.domain.dataclass import dataclass, field
from recollect.domain.links.statement_link import (
    CHANGES,
    CLEAR,
    Judge,
    Judgement,
    Stance,
    StatementLink,
    StatementRelation,
)
from recollect.domain.notes import ONCE_TRUE, Note
from recollect.domain.observations import Observation, ObservationKind
from recollect.domain.origin import Authority, rank
from recollect.domain.scopes import Scope
from recollect.language.english.sentence_form import are_of_different_things, name_other_things

JUDGED_KINDS = frozenset({ObservationKind.MESSAGE, ObservationKind.PROMPT})
MOST_BY_MEANING = 8  # older texts a new one is compared with: 5 ms each
MOST_BY_WORDS = 2  # beside those: a rare name that both have
LEAST_LIKENESS = 0.2  # below that two texts have nothing in common, by any model
LEAST_ASSERTED = 0.2  # of being asserted, for a message to be compared with others at all
LONGEST_MEASURED = 160  # characters; a longer text says several things, and is like another only in part
LEAST_CHANGE = 0.1  # of a score that is worth keeping; a search asks for more before it follows a link
LEAST_SAME = 0.5
FAINT = 0.2  # the score of an end that speaks of something with another name
UNSURE = (CLEAR, 0.65)  # scores about which a language model is asked; a search begins to follow links in between


@dataclass(frozen=True, slots=True)
class ChangeWeights:
    """How likely a change is, by what the judge says of the pair, how like the two texts are, and how surely the newer
    one is asserted: weights of a logistic.

    A judge alone takes too many texts for changes of others that only sound alike: of the eight that it compares a text
    with, hardly one has to do with it. Fitted by `python -m training.change_weights` on authors whom the judge had not
    read. More is taken for a change than is one: a search weighs it once more, beside other signs.
    """

    judged: float = 0.726  # of the logit of a change
    likeness: float = 9.787  # as our own encoder measures it
    asserted: float = 0.65  # of the logit of being asserted
    constant: float = -8.175
    credit: float = 1.7  # beside the constant that was fitted
    least: float = 0.005  # a share that is nearer to 0 or 1 counts as that


CHANGE_WEIGHTS = ChangeWeights()


@dataclass(frozen=True, slots=True)
class DatedText:
    """A message or a note as far as links depend on it.

    `part` is its user, agent and project. `speaker` is a name, where several people speak. `of_person` says that a
    person stands behind it, and no assistant.
    """

    record_id: str
    version: int
    text: str
    at: datetime
    part: Scope
    speaker: str
    of_person: bool

    @property
    def place(self) -> tuple[datetime, str]:
        """Where it stands in time; of two at one moment the one that was written down first is the older."""
        return self.at, self.record_id

    def may_change(self, older: DatedText) -> bool:
        """Whether it could replace another: it is newer, of the same part and speaker, and no assistant corrects a
        person."""
        return (
            self.place > older.place
            and self.part == older.part
            and self.speaker == older.speaker
            and (self.of_person or not older.of_person)
        )


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Texts near to one in meaning, each with its likeness, and by words, best first. None of them is that text."""

    texts: Mapping[str, DatedText]
    likeness: Mapping[str, float] = field(default_factory=dict)
    by_words: Sequence[str] = ()


def text_of_message(said: Observation) -> DatedText | None:
    """The text of a message; `None` for what a tool did, for passages and summaries."""
    if said.kind not in JUDGED_KINDS:
        return None
    speaker = (said.speaker or "").strip().casefold()
    return DatedText(said.id, 0, said.text, said.observed_at, _part(said.scope), speaker, said.role == "user")


def text_of_note(note: Note, version: int) -> DatedText | None:
    """The text of a note that stands for itself; `None` for one that was read from a message or is not believed.

    `version` is the one that first had these words.
    """
    if note.derived_from or note.state not in ONCE_TRUE:
        return None
    text = f"{note.title}. {note.text}" if note.title else note.text
    person = rank(note.authority) >= rank(Authority.FACT)
    return DatedText(note.id, version, text, note.valid_from or note.recorded_at, _part(note.scope), "", person)


def candidates(newer: DatedText, near: Neighbours) -> list[DatedText]:
    """The older texts that are worth judging: the nearest in meaning, and some that share words."""
    older = {each.record_id for each in near.texts.values() if newer.may_change(each)}
    alike = [each for each in older if near.likeness.get(each, 0.0) >= LEAST_LIKENESS]
    nearest = sorted(alike, key=lambda each: (-near.likeness[each], each))[:MOST_BY_MEANING]
    others = [each for each in near.by_words if each in older and each not in nearest]
    room = MOST_BY_WORDS if near.likeness else MOST_BY_MEANING
    return [near.texts[each] for each in (*nearest, *others[:room])]


def judged(
    newer: DatedText,
    older: Callable[[], Iterable[DatedText]],
    judge: Judge,
    at: datetime,
    likeness: Callable[[str], float | None] = lambda _: None,
) -> Judgement:
    """How a text is meant, and its links to the older ones, which are asked for only if it says how things are.

    `likeness` is that of an older text as our own encoder measures it; without it the judge alone is believed, and of
    long texts, by which the weights of a change were not fitted.
    """
    stances = judge.stances(newer.text)
    stance, asserted = likeliest(stances), share_asserted(stances)
    links: list[StatementLink] = []
    if says_how_things_are(stance, asserted):
        told = asserted + stances[Stance.OTHERS]
        for each in older():
            if are_of_different_things(each.text, newer.text):
                continue
            again = _words(each.text) == _words(newer.text)
            shares = _SAID_AGAIN if again else judge.relations(each.text, newer.text)
            measured = max(len(each.text), len(newer.text)) <= LONGEST_MEASURED
            found = _relation(shares, asserted, told, likeness(each.record_id) if measured else None)
            if found is None:
                continue
            relation, score = found
            if relation is StatementRelation.ENDS and name_other_things(each.text, newer.text):
                score = min(score, FAINT)  # the names may be beside the matter
            links.append(StatementLink(each.record_id, newer.record_id, relation, score, judge.model_id, at))
    return Judgement(newer.record_id, newer.version, judge.model_id, stance, asserted, at, tuple(links))


_SAID_AGAIN = {each: float(each is StatementRelation.SAME) for each in StatementRelation}


_WORD = re.compile(r"\w+")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def share_asserted(stances: Mapping[Stance, float]) -> float:
    """How likely it is that a text says how things are, or from which day on they will be."""
    return round(stances[Stance.ASSERTED] + stances[Stance.SCHEDULED], 4)


def likeliest(stances: Mapping[Stance, float]) -> Stance:
    """The stance that a text most likely has."""
    return max(stances, key=lambda each: stances[each])


def says_how_things_are(stance: Stance, asserted: float) -> bool:
    """Whether a text can change others and be changed: it is asserted, of the speaker or of somebody else.

    A judge that compares two texts tells the speaker's affairs from those of others.
    """
    return asserted >= LEAST_ASSERTED or stance is Stance.OTHERS


def how_likely(seen: float, likeness: float, asserted: float, weights: ChangeWeights = CHANGE_WEIGHTS) -> float:
    """How likely a newer text changes an older one, where a judge sees a change with some probability."""
    strength = (
        weights.judged * logit(seen, weights.least)
        + weights.likeness * min(likeness, 1.0)  # that of another encoder may be over 1 on the scale of ours
        + weights.asserted * logit(asserted, weights.least)
        + weights.constant
        + weights.credit
    )
    return 1 / (1 + math.exp(-strength))


def logit(share: float, least: float = CHANGE_WEIGHTS.least) -> float:
    """The log of the odds of a share, which counts as no nearer to 0 or 1 than `least`."""
    kept = min(max(share, least), 1 - least)
    return math.log(kept / (1 - kept))


def _relation(
    shares: Mapping[StatementRelation, float], asserted: float, told: float, likeness: float | None
) -> tuple[StatementRelation, float] | None:
    """The relation that is worth keeping, with its score."""
    seen = sum(shares[each] for each in CHANGES)
    change, same = round(told * seen, 4), round(told * shares[StatementRelation.SAME], 4)
    if same >= LEAST_SAME and change < same:
        return StatementRelation.SAME, same
    if likeness is not None and change >= LEAST_CHANGE:
        change = round(told * how_likely(seen, likeness, asserted), 4)
    return (max(sorted(CHANGES), key=lambda each: shares[each]), change) if change >= LEAST_CHANGE else None


def _part(scope: Scope) -> Scope:
    return Scope(user=scope.user, agent=scope.agent, project=scope.project)
