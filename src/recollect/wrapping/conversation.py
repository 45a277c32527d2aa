"""A request to a language model as a conversation, and the user, session and space that a call belongs to.

A message is known by everything that was said up to it, so a call that is tried again, or goes on after a tool, is
about the same message as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import Any

from recollect.domain.dataclass import dataclass

USER, ASSISTANT, OTHER = "user", "assistant", ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message of a conversation. What a tool answered is of nobody."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message of the user, by its place in the request; `key` stands for it and all that was said before."""

    place: int
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """The message that a request is about, and those of the user that nobody has answered yet, in order."""

    about: UserMessage
    unanswered: tuple[UserMessage, ...]
    goes_on: bool = False  # something was said or done since: a tool's answer, most often
    begun: str = ""  # how the answer begins, where the caller says so


def asked_in(spoken: Sequence[Spoken], before: str = "") -> AskedTurn | None:
    """The last message of the user and what is new; `None` where the user says nothing.

    `before` names a conversation that the provider keeps, and which this one goes on with.
    """
    state = sha256(before.encode("utf-8", "replace"))
    found: list[UserMessage] = []
    answered = -1
    for place, each in enumerate(spoken):
        state.update(f"\x00{each.role}\x00{each.text}".encode("utf-8", "replace"))
        if each.role == USER and each.text.strip():
            found.append(UserMessage(place, each.text, state.hexdigest()))
        elif each.role == ASSISTANT and place < len(spoken) - 1:  # the last one is the beginning of the answer
            answered = place
    if not found:
        return None
    about, last = found[-1], spoken[-1]
    begun = last.text if last.role == ASSISTANT else ""
    unanswered = tuple(each for each in found if each.place > answered)
    return AskedTurn(about, unanswered, about.place < len(spoken) - 1, begun)


def field_of(item: Any, name: str) -> Any:
    """A field of a mapping or of an object: requests hold both."""
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def joined_texts(parts: Iterable[Any], kinds: Sequence[str]) -> str:
    """The texts among the parts of a message, of some kinds."""
    texts = (field_of(part, "text") for part in parts if field_of(part, "type") in kinds)
    return "\n".join(text for text in texts if isinstance(text, str))


def replaced(items: Sequence[Any], place: int, item: Any) -> list[Any]:
    """A copy with another item at one place."""
    return [*items[:place], item, *items[place + 1 :]]


def with_text_before(message: Mapping[str, Any], block: str, kind: str) -> dict[str, Any]:
    """A copy of a message with a block before its words: a text grows, a list of parts gets one more."""
    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": f"{block}\n\n{content}"}
    return {**message, "content": [{"type": kind, "text": block}, *content]}


@dataclass(frozen=True, slots=True)
class Attribution:
    """The user, the session and the space of a call. `skip` leaves it to itself."""

    user: str | None = None
    session: str | None = None
    space: str | None = None
    skip: bool = False

    def under(self, other: Attribution) -> Attribution:
        """This, where the other says nothing."""
        return Attribution(
            other.user or self.user,
            other.session or self.session,
            other.space or self.space,
            other.skip or self.skip,
        )


_NOBODY = Attribution()
_CURRENT: ContextVar[Attribution] = ContextVar("recollect_attribution", default=_NOBODY)


@contextmanager
def attributed(
    *, user: str | None = None, session: str | None = None, space: str | None = None, skip: bool = False
) -> Iterator[None]:
    """Say whose the calls to wrapped clients are, within a `with`, in this thread or task.

    With `skip` they go by memory: nothing is recalled, and nothing remembered.
    """
    token = _CURRENT.set(_CURRENT.get().under(Attribution(user, session, space, skip)))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_attribution() -> Attribution:
    return _CURRENT.get()
