"""Pure: pairs that the judge is unsure of are put to a language model, and its word is read.

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
from recollect.domain.links.statement_link import Settlement
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
    """Two texts, the older one first."""

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


def settlements(data: Mapping[str, Any], pairs: Sequence[DoubtfulPair], settled_by: str) -> list[SettleLink]:
    """The word on each pair that the reply names; of several on one pair the first."""
    found: dict[int, SettleLink] = {}
    for each in data["verdicts"]:
        number, reason = each["pair"], " ".join(each["reason"].split())[:_LONGEST_REASON]
        if 1 <= number <= len(pairs) and number not in found:
            pair, word = pairs[number - 1], Settlement(each["relation"])
            found[number] = SettleLink(pair.older.record_id, pair.newer.record_id, word, settled_by, reason)
    return list(found.values())


def _shown(text: DatedText) -> tuple[str, str]:
    return f"{text.at:%Y-%m-%d}", both_ends(masked(text.text), _LONGEST_TEXT // 2)


@cache
def _prompt() -> str:
    return Path(__file__).with_name("settle_prompt.txt").read_text(encoding="utf-8")
