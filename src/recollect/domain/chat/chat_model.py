"""The port to language models, one per task, and the values that go through it.

A model never raises for what a provider does: a provider that is down, at its cap or talking nonsense gives a reply
with a `refusal`, and whoever asked goes on without the model.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from recollect.domain.answers.recollections import Usage
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Unreachable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class ModelTask(StrEnum):
    """The work that models are asked to do. Each can have a provider and a model of its own."""

    READ = "read"
    SETTLE = "settle"
    REFLECT = "reflect"
    ANSWER = "answer"
    EMBED = "embed"


class ChatRole(StrEnum):
    """The side that a message of a chat is from. Only the system's words are instructions."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to a model."""

    role: ChatRole
    text: str


class RefusalCode(StrEnum):
    """Reasons why there is no answer of a model."""

    SPEND_CAP = "spend_cap"  # the ledger let no more be spent
    LEDGER = "ledger_unavailable"  # the call could not be written down, so it was not made
    NO_KEY = "no_key"
    NO_CLIENT = "no_client"  # the vendor's client library is not installed
    TOO_LONG = "prompt_too_long"
    UNREACHABLE = "provider_unreachable"  # no answer, or only errors that may pass
    RESTING = "provider_resting"  # it failed several times in a row, and is left alone for a while
    REJECTED = "provider_rejected"  # it will not take this request: a wrong key, a model that there is not
    MALFORMED = "malformed_reply"  # not of the form that was asked for, nor after one repair
    TRUNCATED = "truncated_reply"  # cut off at the limit of its length
    DECLINED = "model_declined"  # the model itself would not answer


@dataclass(frozen=True, slots=True)
class ChatRefusal:
    """The reason why a model gave no answer, for people too. `wait` is in how many seconds it may."""

    code: RefusalCode
    message: str
    hint: str = ""
    wait: float | None = None


# Answers that another try at the same question hardly makes better; after so many in a row the question is passed by.
OF_NO_USE = frozenset((RefusalCode.MALFORMED, RefusalCode.TRUNCATED, RefusalCode.DECLINED, RefusalCode.TOO_LONG))
TRIES_OF_NO_USE = 3


class Unanswered(Unreachable):
    """A model gave no answer to a job. `wait` is in how many seconds it may; `None` for a failure like any other."""

    def __init__(self, refusal: ChatRefusal) -> None:
        super().__init__(refusal.message, code=refusal.code.value, hint=refusal.hint)
        self.wait = refusal.wait if refusal.code in (RefusalCode.SPEND_CAP, RefusalCode.RESTING) else None
        self.is_final = refusal.code is RefusalCode.SPEND_CAP and refusal.wait is None


@dataclass(frozen=True, slots=True)
class ChatReply:
    """The answer of a model, or the reason why there is none.

    `data` is the text as JSON where a schema was given, and has been checked against it. What was spent counts also
    when the answer was of no use.
    """

    text: str = ""
    data: Any = None
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    refusal: ChatRefusal | None = None

    @property
    def is_answered(self) -> bool:
        return self.refusal is None


class ChatModel(Protocol):
    """A language model, ready to be asked for one task in one space; every call passes the spend ledger."""

    @property
    def model_id(self) -> str:
        """The provider and the model, as in `openai:gpt-5-mini`."""
        ...

    def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        seconds: float = 60.0,
    ) -> ChatReply:
        """The answer to some messages, within so many tokens and seconds; JSON of a schema, if there is one."""
        ...


class ChatModels(Protocol):
    """The language models that the settings choose."""

    def for_task(self, task: ModelTask, *, space: str, session: str = "") -> ChatModel | None:
        """The model of a task, spending on the account of a space and a session; `None` if there is none."""
        ...
