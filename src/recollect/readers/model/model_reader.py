"""Messages are put to a language model, some at a time, and what it makes of them is checked word by word.

It never stands in the way of a write: a job asks it afterwards, with the messages of one segment. Its statements go the
way of all others, through the gate and what is known already.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.attributes.catalogue import catalogue
from recollect.domain.answers.recollections import Usage
from recollect.domain.chat.chat_model import ChatMessage, ChatRole
from recollect.domain.dataclass import dataclass, field
from recollect.domain.readings import Reading
from recollect.language.world.words import words_of
from recollect.readers.model.candidates import SCHEMA, ShownMessage, statement_from

if TYPE_CHECKING:
    from recollect.domain.chat.chat_model import ChatModel, ChatRefusal
    from recollect.domain.observations import Message
    from recollect.domain.readings import ReadingContext, Statement

PROMPT_VERSION = "read/1"
LONGEST_REPLY = 4000  # tokens: some forty statements
SECONDS = 120.0  # for an answer; nobody waits for it


@dataclass(frozen=True, slots=True)
class SegmentReading:
    """The readings of some messages, in their order; or the reason why there are none, and what it cost."""

    readings: tuple[Reading, ...] = ()
    refusal: ChatRefusal | None = None
    usage: Usage = field(default_factory=Usage)
    dropped: int = 0  # candidates that their message does not say


class ModelReader:
    """See `Reader`. A provider that fails, or answers nonsense, yields no statement."""

    name = "model"

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def read_by(self) -> str:
        """The model and the version of its prompt, as statements name them."""
        return f"{self.name}:{self._model.model_id} {PROMPT_VERSION}"

    def read(self, message: Message, context: ReadingContext) -> Reading:  # noqa: ARG002
        """See `Reader.read`."""
        if message.role != "user":
            return Reading()
        read = self.read_segment([message])
        return read.readings[0] if read.readings else Reading()

    def read_segment(self, messages: Sequence[Message], before: Sequence[Message] = ()) -> SegmentReading:
        """Read the messages of people among some, with what was said before as context. Their text is masked."""
        shown = [*before, *messages]
        first = len(before)
        to_read = [
            place >= first and each.role == "user" and bool(each.text.strip()) for place, each in enumerate(shown)
        ]
        if not any(to_read):
            return SegmentReading(tuple(Reading() for _ in messages))
        asked = _messages_for(shown, to_read)
        reply = self._model.reply(asked, schema=SCHEMA, max_tokens=LONGEST_REPLY, seconds=SECONDS)
        if reply.refusal is not None:
            return SegmentReading(refusal=reply.refusal, usage=reply.usage)
        words = frozenset(word for each in shown for word in words_of(each.text))
        found: list[list[Statement]] = [[] for _ in shown]
        for candidate in reply.data["statements"]:
            place = candidate["message"] - 1
            if 0 <= place < len(shown) and to_read[place]:
                said = ShownMessage(shown[place].text, shown[place].at, words)
                statement = statement_from(candidate, said, self.read_by)
                found[place] += [statement] if statement is not None else []
        dropped = len(reply.data["statements"]) - sum(map(len, found))
        return SegmentReading(tuple(Reading(tuple(each)) for each in found[first:]), None, reply.usage, dropped)


def _messages_for(shown: Sequence[Message], to_read: Sequence[bool]) -> tuple[ChatMessage, ...]:
    """The request to a model: what to do, the attributes there are, and the messages as data."""
    lines = [
        json.dumps(
            [
                number,
                f"{each.at:%Y-%m-%d %a %H:%M}",
                each.speaker or each.role,
                "read" if read else "context",
                each.text,
            ],
            ensure_ascii=False,
        ).replace("<", "\\u003c")  # so that no text can end the tag around it
        for number, (each, read) in enumerate(zip(shown, to_read, strict=True), start=1)
    ]
    told = "\n".join(("<messages>", *lines, "</messages>"))
    return ChatMessage(ChatRole.SYSTEM, _prompt()), ChatMessage(ChatRole.USER, told)


@cache
def _prompt() -> str:
    prompt = Path(__file__).with_name("reading_prompt.txt").read_text(encoding="utf-8")
    attributes = (f"{each.name} ({each.cardinality.value}): {each.wording}" for each in catalogue())
    return "\n".join((prompt.rstrip(), *attributes))
