"""Pure: the words by which people say what is to be done, from now on or before an act, and what is to be remembered."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.domain.late import Late
from recollect.domain.text import both_ends

_RULE = Late(
    r"(?:^|[.!?]\s+|\bplease )(?:always|never|from now on|whenever|every time|in (?:the )?future)\b", re.IGNORECASE
)
_PREFERENCE = Late(
    r"\bi(?:'d| would)? (?:really |always |usually |much )?(?:prefer|like to keep|want you to|need you to)\b"
    r"|\bmy preference\b",
    re.IGNORECASE,
)

_LOOKED_AT_EACH_END = 32_000  # characters; a wish is said before or after what is pasted
_WISH = Late(
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
_QUESTION = Late(r"\?\s*$")

# Words that bind whoever acts.
BINDING = frozenset(
    "must never always dont don doesnt cannot cant avoid only instead unless generated forbidden required require "
    "requires needs need should shouldnt mustnt wont breaks break broke fails failed hangs loses lost overwrites "
    "overwritten careful beware warning remember ensure ask first before until deprecated readonly rather prefer "
    "without wrong locked frozen untouched hands mind stop keep leave nobody deletes "
    "drops wipes erases destroys".split()
)
# Words that a request begins with.
IMPERATIVE = frozenset("use run call set put add check do start wait regenerate edit touch change bump update".split())
FORBIDDING = frozenset("never not dont don doesnt avoid no cannot cant nor isnt shouldnt mustnt stop forbidden".split())
JOINING = frozenset({"and", "but", "so"})  # two clauses
_INSTEAD = frozenset({"than", "of"})  # `rather than X`, `instead of X`
REQUIRING = frozenset(
    "must needs need requires require with always pass add use using give only has have should wants want "
    "unless".split()
)
DEMANDING = frozenset("must needs need requires require always pass use without unless".split())
RECOMMENDING = frozenset("use run prefer call through via with type always using running want wants only be".split())
AHEAD = frozenset("before prior until when whenever every each if while ahead after".split())
ANYBODY = frozenset("only nobody everybody everyone anybody anyone whoever".split())
ADVISING = frozenset("use using prefer instead always rather goes belongs through via".split())
POINTING = frozenset({"it", "that", "this", "those"})  # to the clause before
# Words after a program that are no subcommand of it.
GOING_ON = frozenset(
    "is are was has had in on at with to from for and or but here there does did will would can may and it this that "
    "once then runs works takes against over".split()
)
# Names of programs that are words of any sentence.
ALSO_PROGRAMS = frozenset("build test watch run start serve clean install release deploy check format docs".split())
CLAUSE_END = Late(r"[.,;:!?\n]\s+|\band\b|\bso\b")
NAMED_FOLDER = Late(r"(?<![\w.-])([\w.-]+)[`'\"]? (?:folder|directory|dir|package|tree)\b", re.IGNORECASE)


def states_a_rule(text: str) -> bool:
    """Whether a text says how things are to be done from now on."""
    return _RULE.search(text) is not None


def states_a_preference(text: str) -> bool:
    return _PREFERENCE.search(text) is not None


def asked_to_remember(text: str) -> str | None:
    """The text that is to be remembered, in the speaker's words; `None` if nothing was asked for."""
    found = _WISH.search(both_ends(text, _LOOKED_AT_EACH_END))
    if found is None:
        return None
    wish = found["wish"].strip()
    if not _QUESTION.search(wish):
        return wish
    return wish.rstrip("? ") if found["asked"] else None  # "can you remember that …?" is no question about it


def is_forbidden(before: Sequence[str]) -> bool:
    """Whether the words before something speak against it. `X without Y fails` does not; `run X without Y` does."""
    if "unless" in before:  # `it does not work unless X`
        before = before[_last(before, "unless") + 1 :]
    if not FORBIDDING.isdisjoint(before) or (before and before[-1] in _INSTEAD):
        return True
    return "without" in before and not RECOMMENDING.isdisjoint(before[: _last(before, "without")])


def is_required(before: Sequence[str]) -> bool:
    """Whether the words before something ask for it."""
    return not REQUIRING.isdisjoint(before) or "without" in before


def _last(words: Sequence[str], word: str) -> int:
    return len(words) - 1 - list(reversed(words)).index(word)
