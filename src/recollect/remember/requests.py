"""Pure: whether somebody asks for something to be remembered, and what."""

from __future__ import annotations

import re

from recollect.domain.text import both_ends

_LOOKED_AT_EACH_END = 32_000  # characters; a wish is said before or after what is pasted

_WISH = re.compile(
    r"""(?:^|[.!?\n][^\S\n]*+)
    (?:(?:please|pls|hey|ok(?:ay)?|also|and|so|oh|just)[\s,]++){0,6}+
    (?P<asked>(?:can|could|would|will)\s++you\s++(?:please\s++)?)?
    (?:
        (?:remember|memori[sz]e|note(?:\s++down)?|write\s++down|keep\s++in\s++mind|bear\s++in\s++mind|make\s++a\s++note
           |don[’']?t\s++forget|do\s++not\s++forget|save|store)
        (?:\s++(?:this|it|the\s++following))?
        (?:\s++(?:in|to|for)\s++(?:your\s++)?memory|\s++for\s++(?:later|next\s++time|me|the\s++future))?
        (?:\s++that\b|\s*+[:,]|\s++of\s++the\s++fact\s++that\b|\s++to(?=\s++(?:always|never)\b))
      | for\s++(?:future\s++reference|the\s++record|next\s++time)\s*+[,:]
      | from\s++now\s++on\s*+[,:]?+
      | (?=(?:always|never)\s++\w)
    )
    \s*+(?P<wish>\S[^\n]{0,4000})""",
    re.IGNORECASE | re.VERBOSE,
)

_QUESTION = re.compile(r"\?\s*$")


def asked_to_remember(text: str) -> str | None:
    """The text that is to be remembered, in the speaker's words; `None` if nothing was asked for."""
    found = _WISH.search(both_ends(text, _LOOKED_AT_EACH_END))
    if found is None:
        return None
    wish = found["wish"].strip()
    if not _QUESTION.search(wish):
        return wish
    return wish.rstrip("? ") if found["asked"] else None  # "can you remember that …?" is no question about it
