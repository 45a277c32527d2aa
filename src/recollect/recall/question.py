"""Pure: a question taken apart, without a model.

Which words it is about, which attributes of the catalogue, which time, and whether it wants what is true, what has
been true over time, or when something changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from enum import StrEnum
from functools import cache

from recollect.attributes.catalogue import catalogue, names_kin
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.meanings import AnswerKind
from recollect.domain.periods import Period, TimeRelation
from recollect.language.english import questions
from recollect.language.english.ownership import names_own, speaks_of_oneself
from recollect.language.english.questions import BEFORE_NOUNS, OF_NOW, WHERE, asks_who
from recollect.language.times.finder import find_times
from recollect.language.world.words import likeliest
from recollect.recall.cues import has_an_answer, is_question
from recollect.recall.weights import WEIGHTS
from recollect.recall.words import Stem, asked_words, spellings, stem, stem_in, words_of


class Wants(StrEnum):
    """The kind of answer a question wants."""

    THE_FACT = "fact"
    THE_HISTORY = "history"
    THE_CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, taken apart. `window` is the time it asks about; without one it asks about now.

    Of a long one `text` and `about` are its beginning and its end; `words` and `spelled` are of the whole.
    """

    text: str
    about: str  # without the phrases that only say when
    words: tuple[str, ...]
    spelled: tuple[str, ...]  # the words as a database may know them
    attributes: tuple[str, ...]
    window: Period | None
    wants: Wants
    meant: Mapping[str, float] = field(default_factory=dict)  # attributes it asks for in other words, and how surely
    people: frozenset[str] = frozenset()  # words of it that name somebody who is known
    timed: bool = False  # whether a time was set beside the question
    whole: str = ""  # as it was put
    language: str | None = None  # the one it is asked in, if its words are to be stemmed otherwise than English ones
    kinds: Mapping[AnswerKind, float] = field(default_factory=dict)  # how likely it wants each; empty without a model

    @property
    def moment(self) -> datetime | None:
        """The middle of the time it asks about."""
        return None if self.window is None else self.window.start + (self.window.end - self.window.start) / 2

    @property
    def stem(self) -> Stem:
        """How words are compared with its own."""
        return stem_in(self.language)

    def with_words(self, others: Sequence[str]) -> Question:
        """The same question, looked for by other words as well."""
        words, spelled = (tuple(dict.fromkeys((*each, *others))) for each in (self.words, self.spelled))
        return replace(self, words=words, spelled=spelled)

    @property
    def asks_who(self) -> bool:
        """Whether it asks who somebody is, and not only what somebody does."""
        return questions.asks_who(self.text)

    @property
    def asks_for_many(self) -> bool:
        """Whether it wants all there is: what has been over time, or things of which there are several."""
        if self.wants is Wants.THE_HISTORY:
            return True
        if self.kinds:
            return self.kinds[AnswerKind.SEVERAL] >= _LIMITS.several
        return questions.asks_for_many(self.text)

    @property
    def may_ask_for_many(self) -> bool:
        """Whether it likely wants several values: then hits that are like the first may be answers, too."""
        return self.asks_for_many or self.kinds.get(AnswerKind.SEVERAL, 0.0) >= _LIMITS.perhaps_several

    @property
    def asks_how_things_stand(self) -> bool:
        """Whether it is about how something of ours stands, and not about what somebody did or said once.

        It names nobody who is known, unless it asks of ourselves beside. A model tells, or the words do: then it is
        short and speaks of now, of a change, or of a time. A few words to look for, and a sentence to be compared, ask
        nothing; how to do a thing is asked of everybody, and whether something was ever done is no matter of now.
        """
        if self.people and not (self.kinds and speaks_of_oneself(self.text)):
            return False
        if self.kinds:
            then = self.kinds[AnswerKind.PAST] if self.timed or self.window is not None else 0.0
            return then + sum(self.kinds[kind] for kind in STANDING_KINDS) >= _LIMITS.stands
        if len(self.text.split()) > _LIMITS.short:
            return False
        if (
            not questions.asks_or_is_own(self.text)
            or questions.asks_how_to(self.text)
            or questions.asks_whether_ever(self.text)
        ):
            return False
        bounded = self.timed or self.window is not None or self.wants is Wants.THE_CHANGE
        return bounded or not questions.is_of_once(self.text)

    @property
    def asks_what_happened(self) -> bool:
        """Whether it asks for something that happened or was so once."""
        if self.kinds:
            return self.kinds[AnswerKind.ONCE] >= _LIMITS.of_kind
        return is_question(self.text) and questions.is_of_once(self.text)

    @property
    def has_an_answer(self) -> bool:
        """Whether another text can answer it: a question or a few words, but no task and no talk that is going on."""
        if self.kinds:
            return self.kinds[AnswerKind.TASK] + self.kinds[AnswerKind.TALK] < _LIMITS.unanswerable
        return has_an_answer(self.text)

    def as_told(self, kinds: Mapping[AnswerKind, float]) -> Question:
        """The question with the kinds of answer that a model holds it to want."""
        if not kinds:
            return self
        earlier = kinds[AnswerKind.HISTORY] + (0.0 if self.timed else kinds[AnswerKind.PAST])
        if kinds[AnswerKind.CHANGE] >= _LIMITS.of_kind:
            wants = Wants.THE_CHANGE
        else:
            history = self.window is None and earlier >= _LIMITS.of_kind
            wants = Wants.THE_HISTORY if history else Wants.THE_FACT
        return replace(self, kinds=kinds, wants=wants)

    def reaches(self, said_at: datetime, moment: datetime | None) -> bool:
        """Whether something said then may answer. A time in the question is a hint; one that was set is a limit."""
        return moment is None or self.window is not None or said_at <= moment


# The answer to these holds now, or is the newest change.
STANDING_KINDS = (AnswerKind.NOW, AnswerKind.SEVERAL, AnswerKind.CHANGE)
_LIMITS = WEIGHTS.question


def understand(query: str, *, now: datetime, zone: tzinfo) -> Question:
    """Take a question apart. Times in it are resolved against `now`, and lean to the past.

    A long query is searched for whole, but understood from its two ends: the time this takes does not grow with it.
    """
    text = _both_ends(query)
    mentions = [mention for mention in find_times(text, at=now, zone=zone, lean="past") if _is_window(mention.relation)]
    window = mentions[0].period if mentions and mentions[0].period.start <= now else None
    about = _without(text, [(mention.start, mention.end) for mention in mentions])
    language = likeliest(text).latin
    asked = asked_words(about if text == query else query, language) or asked_words(query, language)
    return Question(
        text=text,
        about=_few_words(about.strip() or text),
        words=tuple(asked),
        spelled=tuple(spellings(query, asked, language)),
        attributes=attributes_asked(about),
        window=window,
        wants=_wanted(text, window),
        whole=query,
        language=language,
    )


def _both_ends(text: str) -> str:
    """A text as it is, or the beginning and the end of a long one."""
    if len(text) <= 2 * _LIMITS.understood:
        return text
    return f"{text[: _LIMITS.understood]}\n{text[-_LIMITS.understood :]}"


def _few_words(about: str) -> str:
    """A question as it is, or the first and the last words of a long one."""
    words = about.split()
    if len(words) <= 2 * _LIMITS.compared:
        return about
    return " ".join((*words[: _LIMITS.compared], "…", *words[-_LIMITS.compared :]))


def _is_window(relation: TimeRelation) -> bool:
    return relation is TimeRelation.AT


def _wanted(text: str, window: Period | None) -> Wants:
    if questions.asks_for_change(text):
        return Wants.THE_CHANGE
    if window is None and questions.asks_for_history(text):
        return Wants.THE_HISTORY
    return Wants.THE_FACT


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]} {text[end:]}"
    return text


def attributes_asked(question: str) -> tuple[str, ...]:
    """The attributes whose words are in a question, the ones with the most telling words first."""
    words = [stem(word) for word in words_of(question)]
    only_whose = names_own(question) and not asks_who(question)
    scores: dict[str, float] = defaultdict(float)
    phrases = _phrases()
    for start in range(len(words)):
        for length in range(1, min(_LIMITS.phrase, len(words) - start) + 1):
            for attribute, weight in phrases.get(tuple(words[start : start + length]), ()):
                if only_whose and names_kin(attribute):
                    continue  # "What does my sister do?" asks what she does, not who she is
                # A longer phrase says more than its words do one by one.
                scores[attribute] += weight * length * length
    for attribute, weight in phrases.get((_WHERE, _done_there(words)), ()):
        scores[attribute] += weight * 4
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return tuple(attribute for attribute, score in ranked[: _LIMITS.attributes] if score >= ranked[0][1] / 2)


def _done_there(words: Sequence[str]) -> str:
    """The verb that a question for a place ends in: `work` in "where does my sister work now?"; empty without one."""
    while words and words[-1] in _NOW:
        words = words[:-1]
    return words[-1] if len(words) > 2 and words[0] == _WHERE and words[-2] not in _BEFORE_NOUNS else ""


_WHERE = stem(WHERE)
_NOW = frozenset(map(stem, OF_NOW))
_BEFORE_NOUNS = frozenset(map(stem, BEFORE_NOUNS))


@cache
def _phrases() -> dict[tuple[str, ...], list[tuple[str, float]]]:
    """Every phrase that asks for attributes, with its weight: the fewer attributes it asks for, the more it says."""
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for attribute in catalogue():
        for phrase in (*attribute.asked, *attribute.synonyms, attribute.name.replace("_", " ")):
            found[tuple(stem(word) for word in words_of(phrase))].add(attribute.name)
    return {phrase: [(name, 1 / len(names)) for name in sorted(names)] for phrase, names in found.items() if phrase}
