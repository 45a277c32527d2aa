"""A `Session` of the OpenAI Agents SDK on a memory: `Runner.run(agent, "hi", session=AgentsSession("s1", memory))`.

The SDK asks for an object with four methods, so it is not loaded here. Each item is kept word for word as an
observation of the session, with its own JSON beside it; what a person said is read for facts as every message is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from recollect.dialects.library import InProcess
from recollect.dialects.pages import every
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.observations import Observation

R = TypeVar("R")

_ITEM = "agents_item"  # the key of the metadata
_ROOM = 48_000  # bytes of an item that the metadata has room for; a longer one is a file of its observation
_FILE = "agents_item.json"


class AgentsSession:
    """The conversation of one session id. `user` says whose facts are learned; `space` where."""

    def __init__(
        self, session_id: str, memory: Any, *, user: str | None = None, space: str | None = None, settings: Any = None
    ) -> None:
        self.session_id = session_id
        self.session_settings = settings
        self._doer, self._user = InProcess(memory, space), user

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items in order; with a limit, the last ones."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        return await self._lifted(lambda: [self._item(each) for each in self._kept(limit)])

    async def add_items(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Keep items behind those that are there."""
        await self._lifted(lambda: self._add_all(items))

    async def pop_item(self) -> Any | None:
        """Take the last item away; `None` if there is none. What was learned from it waits for review."""
        return await self._lifted(self._pop)

    async def clear_session(self) -> None:
        """Erase the conversation. What was learned from it stays."""
        await self._lifted(lambda: [self._doer.do("forget", {"note_id": each.id}) for each in self._kept(None)])

    async def _lifted(self, work: Callable[[], R]) -> R:
        from asyncio import to_thread

        return await to_thread(work)

    def _add_all(self, items: Sequence[Mapping[str, Any]]) -> None:
        try:
            spelled = [json.dumps(item, allow_nan=False) for item in items]
        except (TypeError, ValueError) as problem:
            raise InvalidInput(f"An item is not JSON: {problem}.", code="invalid_messages") from None
        for item, spelling in zip(items, spelled, strict=True):
            self._add(item, spelling)

    def _add(self, item: Mapping[str, Any], spelled: str) -> None:
        role, text = said_in(item)
        fits = len(spelled) <= _ROOM
        self._doer.do(
            "add",
            {
                "messages": [{"role": role, "content": text}],
                "session": self.session_id,
                "user": self._user,
                "extract": role == "user",
                "metadata": {_ITEM: spelled if fits else ""},
                "attachments": None if fits else [_attachment(spelled)],
            },
        )

    def _pop(self) -> Any | None:
        for last in self._kept(1):
            item = self._item(last)
            self._doer.do("forget", {"note_id": last.id})
            return item
        return None

    def _kept(self, limit: int | None) -> list[Observation]:
        try:
            beats = list(every(self._doer, "replay", {"session_id": self.session_id}))
        except NotFound:
            return []
        found = [beat.observation for beat in beats if _ITEM in beat.observation.metadata]
        return found if limit is None else found[-limit:] if limit > 0 else []

    def _item(self, observation: Observation) -> Any:
        spelled = observation.metadata[_ITEM]
        if not spelled:
            [file] = observation.attachments
            spelled = self._doer.do("attachment", {"digest": file.digest}).content
        return json.loads(spelled)


def said_in(item: Mapping[str, Any]) -> tuple[str, str]:
    """The role and the words of an item; of one without words, its type and its name."""
    role = item.get("role")
    content = item.get("content", item.get("output"))
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    told = content if isinstance(content, str) and content.strip() else ""
    about = " ".join(str(item[name]) for name in ("type", "name") if item.get(name))
    known = role if role in ("user", "assistant", "system", "tool") else "tool"
    return known, told or about or "(an item without words)"


def _attachment(spelled: str) -> Any:
    from recollect.domain.attachments.attachment import Attachment

    return Attachment(_FILE, spelled.encode())
