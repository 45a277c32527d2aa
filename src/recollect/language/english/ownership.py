"""Pure: the words by which people speak of themselves, and say whose somebody is: "my sister", "Ann's manager"."""

from __future__ import annotations

import re

from recollect.domain.late import Late

_S = "['\N{RIGHT SINGLE QUOTATION MARK}]s"
WORD = r"[^\W\d_]\w{0,40}"
_NAME = r"[A-Z][\w.&-]{0,40}(?:\s{1,3}[A-Z][\w.&-]{0,40}){0,3}"

_ONESELF = Late(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|we|we're|we've|us|our)\b", re.IGNORECASE)
_ONESELF_ALONE = Late(r"\b(?:i|my|mine|me|myself)\b", re.IGNORECASE)
_OWN = Late(r"\b(?:my|our)\s+\w", re.IGNORECASE)

# One word for a relative or the like after "my"; "my brother in law" is no brother.
MY_RELATIVE = Late(rf"\b(?:my|our)\s+(\w+(?:-\w+){{0,5}})(?:{_S})?\b(?!-|\s+in\s+law\b)", re.IGNORECASE)
# Likewise, in what people say and in sentences of ours.
OWN_RELATIVE = Late(rf"\b(?:my|our|user{_S})\s+(\w+)\b(?!-|\s+in\s+law\b)", re.IGNORECASE)
# Words after "my" or a name, and before "of" a name: some of them may say who is meant.
OWNED = Late(rf"\b(?:(?:my|our)|(?P<who>{_NAME}){_S})\s+(?P<what>{WORD}(?:[ -]{WORD}){{0,2}})")
OF_NAMED = Late(rf"\b(?P<what>{WORD}(?:[ -]{WORD}){{0,2}})\s+of\s+(?P<who>{_NAME})(?!{_S})\b")
POSSESSIVE = Late(_S)
ARTICLE_AT_END = Late(r"\bthe\s+$", re.IGNORECASE)


def speaks_of_oneself(text: str) -> bool:
    return _ONESELF.search(text) is not None


def speaks_of_oneself_alone(text: str) -> bool:
    """Whether a text speaks of one speaker; "we" and "our" may mean others."""
    return _ONESELF_ALONE.search(text) is not None


def names_own(text: str) -> bool:
    """Whether a text names something as the speaker's: "my sister", "our car"."""
    return _OWN.search(text) is not None
