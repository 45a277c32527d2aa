"""Masking of words that are not the speaker's, before anything is read: code, quotations, injected blocks, echoes.

Blanks have the length of what they cover, so that every position still fits the original text.
"""

from __future__ import annotations

import re

from recollect.readers.rules.english import chatter

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
