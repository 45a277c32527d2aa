"""The gate: what may become a fact, what has to wait, and what is turned away, each with its reason.

It is pure and knows only the sentence or the statement in front of it. A sentence is judged before it is read, so
that chatter costs nothing; a statement is judged after, so that plans and questions are seen but not believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from recollect.domain.dataclass import dataclass
from recollect.domain.statements import UNRESOLVED, Modality, Statement
from recollect.remember.extraction import tags
from recollect.remember.extraction.english import chatter
from recollect.remember.extraction.moods import is_hedged
from recollect.remember.extraction.sentences import Sentence, sentences_of
from recollect.remember.extraction.words import words_of

LEAST_CONFIDENCE = 0.3  # below it a reading is a guess


class Decision(StrEnum):
    KEEP = "keep"
    DEFER = "defer"
    REJECT = "reject"


class Reason(StrEnum):
    """Why something is not kept; `NONE` for what is."""

    NONE = "none"
    NOT_DURABLE = "not_durable"
    NOT_SELF_CONTAINED = "not_self_contained"
    QUESTION = "question"
    CHATTER = "chatter"
    HYPOTHETICAL = "hypothetical"
    ECHO = "echo"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate decided, and why."""

    decision: Decision
    reason: Reason = Reason.NONE


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement and what the gate said of it."""

    statement: Statement
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Accepted:
    """What may become facts, and the rest with its reasons."""

    facts: tuple[Statement, ...]
    others: tuple[Judged, ...]


KEPT = Verdict(Decision.KEEP)


def judge(candidate: Statement | str) -> Verdict:
    """What to do with a statement, or with a sentence before it is read."""
    if isinstance(candidate, Statement):
        return _of_statement(candidate)
    if is_echo(candidate):
        return Verdict(Decision.REJECT, Reason.ECHO)
    sentences = sentences_of(words_of(candidate), candidate)
    if not sentences:
        return Verdict(Decision.REJECT, Reason.CHATTER)
    verdicts = [judge_sentence(sentence, candidate) for sentence in sentences]
    return next((verdict for verdict in verdicts if verdict.decision is Decision.KEEP), verdicts[0])


def accepted(statements: Iterable[Statement]) -> Accepted:
    """The statements that may become facts, each once, and the others with the reason they may not."""
    facts: list[Statement] = []
    others: list[Judged] = []
    seen: set[tuple[str, ...]] = set()
    for statement in statements:
        verdict = judge(statement)
        key = (statement.subject, statement.attribute, statement.value.casefold(), statement.polarity, statement.tense)
        if verdict.decision is Decision.KEEP and key in seen:
            verdict = Verdict(Decision.REJECT, Reason.DUPLICATE)
        if verdict.decision is Decision.KEEP:
            seen.add(key)
            facts.append(statement)
        else:
            others.append(Judged(statement, verdict))
    return Accepted(tuple(facts), tuple(others))


def judge_sentence(sentence: Sentence, text: str) -> Verdict:
    """What to do with a sentence: only what is kept, or only supposed, is worth reading."""
    words = sentence.words
    if sentence.asks:
        return Verdict(Decision.REJECT, Reason.QUESTION)
    said = text[sentence.start : sentence.end]
    if _GREETING.fullmatch(said.strip().lower()) or not any(
        word.tag & ~(tags.PUNCT | tags.INTERJ | tags.ADV) for word in words
    ):
        return Verdict(Decision.REJECT, Reason.CHATTER)
    if is_request_to_assistant(sentence) or _ABOUT_THE_TALK.search(said):
        return Verdict(Decision.REJECT, Reason.CHATTER)
    if is_hedged(words, said):
        return Verdict(Decision.DEFER, Reason.HYPOTHETICAL)
    if (
        len(words) > 1
        and words[0].low in ("he", "she", "they", "it")
        and not any(word.tag & tags.NAME for word in words)
    ):
        return Verdict(Decision.REJECT, Reason.NOT_SELF_CONTAINED)
    if all(word.tag & _DESCRIBING and not word.tag & (tags.PART | tags.NAME) for word in words):
        return Verdict(Decision.REJECT, Reason.NOT_DURABLE)
    return KEPT


def is_request_to_assistant(sentence: Sentence) -> bool:
    """ "Write me a poem", "Please continue", "Can you ...": nothing is said, something is asked for."""
    words = [word for word in sentence.words if not word.tag & tags.PUNCT]
    at = 0
    while at < len(words) - 1 and words[at].low in _POLITE:
        at += 1
    return (
        at < len(words)
        and words[at].low in _REQUESTS
        and not words[at].tag & (tags.PAST & ~tags.BASE)
        and _is_base(words[at].tag)
    )


def is_taken_back(at: int, sentences: Sequence[Sentence], text: str) -> bool:
    """Whether a sentence is called a joke right after, or goes on with "or" where the one before only supposed.

    "What if I became a baker. Or moved to Portugal. Kidding."
    """
    following = sentences[at + 1 : at + 2]
    if any(_JOKING.match(text[each.start : each.end].strip().lower()) for each in following):
        return True
    sentence = sentences[at]
    if at == 0 or sentence.words[0].low != "or" or sentence.words[0].tag & tags.NAME:
        return False
    return judge_sentence(sentences[at - 1], text).reason in (Reason.HYPOTHETICAL, Reason.QUESTION)


_JOKING = re.compile(chatter.JOKING)


def reason_given(sentence: Sentence) -> Sentence | None:
    """What somebody says of themselves after a request: "..., I'm 27", "... because we live in Graz".

    `None` if nothing. What is to be written, or played, is not what is so.
    """
    words = sentence.words
    if sentence.asks or not is_request_to_assistant(sentence) or any(word.low in _OF_MATERIAL for word in words):
        return None
    for at in range(2, len(words) - 2):
        if words[at].low in _ONESELF and (words[at - 1].text == "," or words[at - 1].low in _REASONS):
            return Sentence(words[at:], False, words[at].start, sentence.end)
    return None


_ONESELF = frozenset(("i", "we", "my", "our"))
_REASONS = frozenset("because since as but cause bc cuz coz".split())
_OF_MATERIAL = frozenset(
    "write rewrite translate draft compose pretend act imagine assume suppose proofread correct paraphrase summarize "
    "summarise story poem essay letter dialogue character role-play roleplay fix edit polish say saying says where "
    "if reply respond email message".split()
)


def is_echo(text: str) -> bool:
    """Whether a text is something we said ourselves, given back to us."""
    low = text.lower()
    return any(mark in low for mark in chatter.ECHO_MARKS)


def _is_base(tag: int) -> bool:
    return bool(tag & tags.BASE) or not tag & tags.VERB


def _of_statement(statement: Statement) -> Verdict:
    match statement.modality:
        case Modality.ASKED:
            return Verdict(Decision.REJECT, Reason.QUESTION)
        case Modality.SUPPOSED | Modality.WISHED | Modality.PLANNED:
            return Verdict(Decision.REJECT, Reason.HYPOTHETICAL)
        case Modality.ASSERTED:
            pass
    if statement.attribute == UNRESOLVED:
        return Verdict(Decision.DEFER, Reason.NOT_SELF_CONTAINED)
    if statement.confidence < LEAST_CONFIDENCE or not statement.value.strip():
        return Verdict(Decision.REJECT, Reason.NOT_DURABLE)
    return KEPT


_DESCRIBING = tags.ADJ | tags.ADV | tags.BE | tags.SUBJECT | tags.INTERJ | tags.PUNCT | tags.NEG
_POLITE = frozenset(
    "please kindly ok okay so now then and also just yes great thanks well hey hi hello right alright sure".split()
)
_REQUESTS = frozenset(chatter.REQUEST_VERBS.split())
_GREETING = re.compile(rf"(?:(?:{chatter.GREETINGS})[\s.,!]*)+")
_ABOUT_THE_TALK = re.compile(chatter.ABOUT_THE_TALK, re.IGNORECASE)
