"""Pure: a question without what it says of the talk and of the answer.

"Can you list the order in which I brought up different sides of the garden plan throughout our conversations? Mention
only three." is about the garden plan. That it was brought up, in talks, and how the answer is to look, finds whatever
speaks of orders and talks.
"""

from __future__ import annotations

import re

from recollect.domain.late import Late

_LONGEST = 1_000  # characters; what is longer is a page that somebody pasted, and is left alone

_TELL = (
    r"(?:list|name|outline|describe|recap|summari[sz]e|tell me|remind me(?: of)?|walk me through|take me through"
    r"|(?:give|provide)(?: me)?(?: with)?(?: an?(?: \w+){0,2} (?:summary|overview|recap|rundown) of)?)"
)
_SPOKE_OF = (
    r"(?:brought up|raised|mentioned|discussed|introduced|went through|covered|described"
    r"|(?:talked|asked|spoke|told you|wrote) (?:of|about))"
)
_TALKS = r"(?:conversations?|chats?|discussions?|talks?|dialogues?)"

_FRAME = Late(
    "|".join(
        (
            rf"(?:(?:can|could|would|will) you (?:please )?|please ){_TELL}",
            rf"(?:the |what |which )?(?:order|sequence) in which (?:i|we)(?: have|'ve)?(?: first)? {_SPOKE_OF}",
            rf"(?:throughout|across|during|over|in)(?: the course of)?(?: all)?(?: of)? (?:our|my|these|those)"
            rf"(?: (?:past|previous|earlier|last))? {_TALKS}",
            r"(?:throughout|across)(?: all)?(?: of)? (?:our|my) (?:sessions?|messages|questions|requests)",
            r"in (?:chronological|the right|the correct|that) order|in order(?=\s*(?:[?.!]|$))",
            r"(?:mention|list|name|give)(?: me)? only(?: and only)? \w+(?: items?| things?| points?)?",
            r"(?:the )?(?:different|various|several) (?:aspects|sides|topics|subjects) (?:of|in)",
        )
    ).join((r"\b(?:", r")\b")),
    re.IGNORECASE,
)
_LEFT_OVER = Late(r"\s+(?=[?.,!])|(?<=\s)\s+")


def without_frame(question: str) -> str:
    """What it is about; the question as it is, if it has no such frame or nothing else."""
    if len(question) > _LONGEST or not _FRAME.search(question):
        return question
    left = _LEFT_OVER.sub("", _FRAME.sub(" ", question)).strip(" ,.;:?!")
    return left if any(letter.isalnum() for letter in left) else question
