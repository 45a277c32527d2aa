"""The gate of sentences: words that are not the speaker's are masked, and sentences not worth reading are passed over.

Blanks have the length of what they cover, so that every position still fits the original text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from recollect.domain.readings import Reason
from recollect.language import tags
from recollect.readers.rules.english import chatter
from recollect.readers.rules.moods import is_hedged
from recollect.readers.rules.syntax.words import Sentence


class GateDecision(StrEnum):
    """Whether a sentence is read, read as unsure, or passed over."""

    KEEP = "keep"
    DEFER = "defer"
    REJECT = "reject"


class SentenceVerdict(NamedTuple):
    """The decision on a sentence, and the reason if it is not kept."""

    decision: GateDecision
    reason: Reason | None = None


KEPT = SentenceVerdict(GateDecision.KEEP)


def judge_sentence(sentence: Sentence, text: str) -> SentenceVerdict:
    """Decide what to do with a sentence: only what is kept, or only supposed, is worth reading."""
    words = sentence.words
    if sentence.asks:
        return SentenceVerdict(GateDecision.REJECT, Reason.QUESTION)
    said = text[sentence.start : sentence.end]
    if _GREETING.fullmatch(said.strip().lower()) or not any(
        word.tag & ~(tags.PUNCT | tags.INTERJ | tags.ADV) for word in words
    ):
        return SentenceVerdict(GateDecision.REJECT, Reason.CHATTER)
    if is_request_to_assistant(sentence) or _ABOUT_THE_TALK.search(said):
        return SentenceVerdict(GateDecision.REJECT, Reason.CHATTER)
    if is_hedged(words, said):
        return SentenceVerdict(GateDecision.DEFER, Reason.HYPOTHETICAL)
    if (
        len(words) > 1
        and words[0].low in ("he", "she", "they", "it")
        and not any(word.tag & tags.NAME for word in words)
    ):
        return SentenceVerdict(GateDecision.REJECT, Reason.NOT_SELF_CONTAINED)
    if all(word.tag & _DESCRIBING and not word.tag & (tags.PART | tags.NAME) for word in words):
        return SentenceVerdict(GateDecision.REJECT, Reason.NOT_DURABLE)
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
    """The part after a request that speaks of oneself: "..., I'm 27", "... because we live in Graz".

    `None` if there is none, or if the request is for a text to be written or a part to be played.
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


def _is_base(tag: int) -> bool:
    return bool(tag & tags.BASE) or not tag & tags.VERB


_DESCRIBING = tags.ADJ | tags.ADV | tags.BE | tags.SUBJECT | tags.INTERJ | tags.PUNCT | tags.NEG
_POLITE = frozenset(
    "please kindly ok okay so now then and also just yes great thanks well hey hi hello right alright sure".split()
)
_REQUESTS = frozenset(chatter.REQUEST_VERBS.split())
_GREETING = re.compile(rf"(?:(?:{chatter.GREETINGS})[\s.,!]*)+")
_ABOUT_THE_TALK = re.compile(chatter.ABOUT_THE_TALK, re.IGNORECASE)


_BLANK = re.compile(r"[^\n]")
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_TAG = "|".join(chatter.INJECTED_BLOCKS)
_BLOCK = re.compile(rf"<({_TAG})\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
# A quotation of several words is somebody else's sentence; a word or two is how a thing is called.
_QUOTE = re.compile(
    r"[\"“«](?=[^\"“”«»\n]*\s[^\"“”«»\n]*\s)[^\"“”«»\n]{8,400}[\"”»]|"
    r"(?<=[\s:(])'(?=[^'\n]*\s[^'\n]*\s)[A-Z][^'\n]{10,400}[.!?,]?'(?=[\s.,!?)]|$)"
)
_ECHO = re.compile("|".join(re.escape(mark) for mark in chatter.ECHO_MARKS), re.IGNORECASE)
_ASSIGNMENT = re.compile(
    r"^[ \t]*(?:[\w.\[\]\"']+\s*(?:[-+*/|&]?=(?!=)|:=)\s*\S.*|(?:def|class|import|from|return|const|let|var|"
    r"function|public|private|SELECT|INSERT|UPDATE|CREATE)\s.*[({;:].*|[{}\[\]();]+)$",
    re.MULTILINE,
)
_MATERIAL = re.compile(
    rf"(?:^|(?<=[.!?\n]\s)|(?<=\n))(?:please |can you |could you )?(?:{chatter.MATERIAL_OPENINGS})\b"
    r"[^.!?\n:]{0,80}:(?=\s)",
    re.IGNORECASE,
)


# Two lines or more that begin with a label are a transcript or a form: other people's words, or material.
_LABELLED = re.compile(r"^[ \t]*[\w.-]{1,20}(?: [\w.-]{1,20}){0,2}:[ \t].*$", re.MULTILINE)
_FEWEST_LABELLED = 2


def masked(text: str) -> str:
    """The text with everything blanked out that the speaker did not say."""
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(_blanked, text)
    if "<" in text:
        text = _BLOCK.sub(_blanked, text)
    if ">" in text or "|" in text:
        text = _QUOTED_LINE.sub(_blanked, text)
    if '"' in text or "“" in text or "«" in text or "'" in text:
        text = _QUOTE.sub(_blanked, text)
    if "=" in text or "(" in text or "{" in text:
        text = _ASSIGNMENT.sub(_blanked, text)
    if echo := _ECHO.search(text):
        text = text[: echo.start()] + _BLANK.sub(" ", text[echo.start() :])
    if text.count(":") >= _FEWEST_LABELLED and len(_LABELLED.findall(text)) >= _FEWEST_LABELLED:
        text = _LABELLED.sub(_blanked, text)
    if ":" in text and (material := _MATERIAL.search(text)):
        text = text[: material.start()] + _BLANK.sub(" ", text[material.start() :])
    return text


def _blanked(match: re.Match[str]) -> str:
    return _BLANK.sub(" ", match.group())
