"""Messages of other systems: read, counted, remembered, and found again beside the notes learned from them."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from recollect.dialects.shapes import moment_of
from recollect.dialects.tool import Doer
from recollect.domain.answers.recollections import Remembered
from recollect.domain.clock import is_uuid
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Erased, InvalidInput, NotFound, RecollectError
from recollect.domain.notes import Note, State
from recollect.domain.observations import Observation, Standing

_TURN = re.compile(r"^(user|human|assistant|ai|bot|system)\s*:\s*", re.IGNORECASE | re.MULTILINE)
_ASSISTANTS = ("assistant", "ai", "bot")
_ID_LENGTH = 26
_ROLES = ("user", "assistant", "system", "tool")


def observation(doer: Doer, record_id: str) -> Observation | None:
    """The message of an id; `None` where the id is a note's."""
    found: Observation | None = doer.do("timeline", {"anchor": record_id, "before": 0, "after": 0}).found
    return found


def note_or_message(doer: Doer, record_id: str) -> Note | Observation:
    """The note of an id, or else the message."""
    try:
        note: Note = doer.do("get", {"note_id": record_id})
    except NotFound:
        message = observation(doer, record_id)
        if message is None:
            raise
        return message
    return note


def note_of(doer: Doer, record_id: str, user: str | None) -> Note | None:
    """The note of an id, if it is there, was not retracted, and is of this user, where one is named."""
    if not is_uuid(record_id) and len(record_id.strip()) != _ID_LENGTH:
        return None
    try:
        note: Note = doer.do("get", {"note_id": record_id})
    except RecollectError:
        return None
    shown = note.state is not State.RETRACTED and (user is None or note.scope.user == user)
    return note if shown else None


def any_of(doer: Doer, ids: Iterable[str]) -> list[Note | Observation]:
    """The notes and messages of these ids that are there."""
    found: list[Note | Observation] = []
    for each in ids:
        with suppress(NotFound, Erased, InvalidInput):
            found.append(note_or_message(doer, each))
    return found


def unlearned(doer: Doer, heard: Remembered) -> Iterator[Observation]:
    """The messages of a person that no fact was read from, except those that only ask."""
    read_from = {said for each in heard.learned if each.note for said in each.note.derived_from}
    for said in heard.observation_ids:
        message = None if said in read_from else observation(doer, said)
        if message is not None and message.role == "user" and message.standing is not Standing.ASKED:
            yield message


def observations_of(doer: Doer, session_id: str, most: int = 1000) -> list[Observation]:
    """Everything that was observed in a session, by its time: hooks are heard in any order."""
    from recollect.dialects.pages import all_of

    seen = [beat.observation for beat in all_of(doer, "replay", most, session_id=session_id)]
    return sorted(seen, key=lambda each: (each.observed_at, each.position))


def messages_of(said: Any) -> list[dict[str, Any]]:
    """Messages whose contents may be parts and whose times may be milliseconds; a text is the one message of a user."""
    if isinstance(said, str):
        said = [{"role": "user", "content": said}]
    if not isinstance(said, list) or not said:
        raise InvalidInput("`messages` must be a list of messages.", code="invalid_messages")
    return [_message(each) for each in said]


def _message(said: Any) -> dict[str, Any]:
    if not isinstance(said, Mapping) or said.get("role", "user") not in _ROLES:
        raise InvalidInput(f"A message has a role ({', '.join(_ROLES)}) and a content.", code="invalid_messages")
    content = said.get("content", "")
    if isinstance(content, list):
        content = "\n".join(_part(each) for each in content)
    if not isinstance(content, str):
        raise InvalidInput("The `content` of a message is text, or a list of parts.", code="invalid_messages")
    told = {"role": said.get("role", "user"), "content": content}
    at = moment_of(said.get("timestamp"), "timestamp", per_second=1000)
    name = said.get("name") or said.get("user")
    return {**told, **({"timestamp": at} if at else {}), **({"name": name} if isinstance(name, str) else {})}


def _part(said: Any) -> str:
    """The text of a part; of one that is no text, the whole of it."""
    if isinstance(said, str):
        return said
    if isinstance(said, Mapping) and isinstance(said.get("text"), str):
        return str(said["text"])
    return json.dumps(said, ensure_ascii=False)


def loose_messages(said: Any) -> list[Mapping[str, Any]]:
    """Messages as they come: a text, one message, or a list of them; without a role it is the user who speaks."""
    if isinstance(said, str):
        said = [{"role": "user", "content": said}]
    elif isinstance(said, Mapping):
        said = [said]
    if not isinstance(said, list) or not said or not all(isinstance(each, Mapping) for each in said):
        raise InvalidInput("`messages` must be a text, a message or a list of messages.", code="invalid_messages")
    return [{"role": "user", **each} for each in said]


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message, whose content may be parts; empty for none."""
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def turns_of(conversation: str) -> list[dict[str, str]]:
    """The turns of a conversation, as `User:` and `Assistant:` at the beginning of a line part them."""
    marks = list(_TURN.finditer(conversation))
    if not marks or conversation[: marks[0].start()].strip():
        return [{"role": "user", "content": conversation.strip()}]
    ends = [*(mark.start() for mark in marks[1:]), len(conversation)]
    turns = [
        {"role": "assistant" if mark[1].lower() in _ASSISTANTS else "user", "content": conversation[mark.end() : end]}
        for mark, end in zip(marks, ends, strict=True)
        if mark[1].lower() != "system"
    ]
    return [{**turn, "content": turn["content"].strip()} for turn in turns if turn["content"].strip()]


def wish_in(message: str, words: Iterable[str]) -> str | None:
    """The part of a message after the words by which it asks to be remembered; `None` if it has none of them."""
    text = message.strip()
    known = [word for word in words if word in text.lower()]
    if not known:
        return None
    lead = next((word for word in known if text.lower().startswith(word)), "")
    wish = text[len(lead) :].lstrip(" ,:")
    return (wish[5:].lstrip() if lead and wish.lower().startswith("that ") else wish) or text


_SESSIONS = uuid.UUID("0d5c1f0e-7c39-4f0b-9a4e-6a9a1c3e7b52")  # of the messages that are counted, one for each user


@dataclass(frozen=True, slots=True)
class MessageQuota:
    """The messages of a user; `said` is the limit as a setting has it, which is none where it is no number."""

    user: str
    said: str = ""

    @property
    def limit(self) -> int | None:
        """How many may be sent; `None` for as many as one likes."""
        return int(self.said) if self.said.isascii() and self.said.isdigit() and len(self.said) < 10 else None

    @property
    def session(self) -> str:
        """The session in which messages are counted."""
        return str(uuid.uuid5(_SESSIONS, self.user))

    def used(self, doer: Doer) -> int:
        """How many were sent: the place of the last one."""
        try:
            around = {"anchor": "9999-01-01", "before": 1, "after": 0, "session": self.session}
            last = doer.do("timeline", around).before
        except NotFound:
            return 0
        return int(last[-1].position) if last else 0

    def told(self, doer: Doer) -> dict[str, Any]:
        """How many were sent, may be, and are left."""
        limit, used = self.limit, self.used(doer)
        return {"used": used, "limit": limit, "remaining": None if limit is None else max(0, limit - used)}

    def used_up(self, doer: Doer) -> str | None:
        """A sentence that says so when no more may be sent; `None` while they may."""
        limit = self.limit
        used = 0 if limit is None else self.used(doer)
        return f"Message limit reached: {used} of {limit} were sent." if limit is not None and used >= limit else None
