"""Pure: signs that a text is meant for a model and not for people.

Words are not judged: a note may well say what to ignore. The signs are those that nobody types into a note by chance:
the marks between the turns of a chat template, the fence in which records are handed over, and letters that no screen
shows. Such a note is kept as it is, and told like any other quotation; it waits in review, with where it came from.
"""

from __future__ import annotations

import re

from recollect.domain.answers.contexts import FENCE
from recollect.domain.notes import Note
from recollect.domain.origin import Authority, Caller

_MARK = "It may be meant for a model:"
# The invisible copy of ASCII, and writing turned against its letters. What only sets another direction is ordinary.
_HIDDEN = re.compile("[\U000e0020-\U000e007e]{4}|[\u202d\u202e]")
_TURN = re.compile(r"<\|[a-z_]{2,24}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|system-reminder|assistant)>", re.IGNORECASE)
_FENCE = re.compile(rf"</?{FENCE}-\w", re.IGNORECASE)
# The flag of a region is written with a few of the invisible letters.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")


def why_suspected(caller: Caller, note: Note) -> str | None:
    """Why a person should look at what a program or a model handed in; `None` for what a person wrote themselves."""
    if caller.ceiling is Authority.INSTRUCTION:
        return None
    text = f"{note.title or ''}\n{note.text}"
    found = (
        "it has letters that no screen shows" if _HIDDEN.search(_FLAG.sub("", text)) else None,
        "it has marks of a chat template" if _TURN.search(text) else None,
        "it has the fence around records of memory" if _FENCE.search(text) else None,
    )
    signs = [each for each in found if each is not None]
    source = f" ({note.origin.source})" if note.origin.source else ""
    return f"{_MARK} {', '.join(signs)}. It came by {note.origin.channel.value}{source}." if signs else None


def is_suspected(note: Note) -> bool:
    """Whether a note waits for review for that reason."""
    return note.review is not None and _MARK in note.review
