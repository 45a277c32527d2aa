"""Pure: pairs in doubt are put to a language model, and its word is read.

Its word is one more input that is kept with the link, with its reason. It deletes nothing, and stands below a person's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from recollect.domain.changes import SettleLink
from recollect.domain.chat.chat_model import ChatMessage, ChatRole
from recollect.domain.dataclass import dataclass
from recollect.domain.links.link_decision import DatedText
from recollect.domain.links.statement_link import Settlement, StatementLink
from recollect.domain.text import both_ends
from recollect.remember.gate import masked

PROMPT_VERSION = "settle/1"
LONGEST_REPLY = 1500  # tokens
MOST_PAIRS = 10  # of one request

_LONGEST_TEXT = 800  # characters
_LONGEST_REASON = 300
_FIELDS: Mapping[str, Any] = {
    "pair": {"type": "integer"},
    "relation": {"type": "string", "enum": [each.value for each in Settlement]},
    "reason": {"type": "string", "maxLength": 1000},
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "maxItems": MOST_PAIRS,
            "items": {
                "type": "object",
                "properties": _FIELDS,
                "required": list(_FIELDS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class DoubtfulPair:
    """A link and its two texts."""

    link: StatementLink
    older: DatedText
    newer: DatedText


def messages_about(pairs: Sequence[DoubtfulPair]) -> tuple[ChatMessage, ...]:
    """The request to a model: what to do, and the pairs as data."""
    lines = [
        json.dumps([number, *_shown(each.older), *_shown(each.newer)], ensure_ascii=False).replace("<", "\\u003c")
        for number, each in enumerate(pairs, start=1)
    ]
    told = "\n".join(("<pairs>", *lines, "</pairs>"))
    return ChatMessage(ChatRole.SYSTEM, _prompt()), ChatMessage(ChatRole.USER, told)


def settlements(
    verdicts: Sequence[Mapping[str, Any]], pairs: Sequence[DoubtfulPair], settled_by: str
) -> list[SettleLink]:
    """The word on each pair; of several on one pair the first, and for one that no verdict names that there is none."""
    told = {each["pair"]: each for each in reversed(verdicts)}
    found = []
    for number, pair in enumerate(pairs, start=1):
        verdict, link = told.get(number), pair.link
        word = None if verdict is None else Settlement(verdict["relation"])
        reason = "" if verdict is None else " ".join(verdict["reason"].split())[:_LONGEST_REASON]
        found.append(SettleLink(link.older, link.newer, link.judged_at, word, settled_by, reason))
    return found


def _shown(text: DatedText) -> tuple[str, str]:
    return f"{text.at:%Y-%m-%d}", both_ends(masked(text.text), _LONGEST_TEXT // 2)


@cache
def _prompt() -> str:
    return Path(__file__).with_name("settle_prompt.txt").read_text(encoding="utf-8")
