"""A brain: a space with an owner and a tier, into which whole conversations are formed, one after the other.

A conversation is a number and a job. Its words are messages of a session, or the question of a receipt; none of them is
kept here, so that whatever is forgotten is gone from conversations, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from recollect.domain.answers.contexts import CitedAnswer
from recollect.domain.answers.recollections import Usage
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import NotFound, TooLarge
from recollect.domain.jobs.job import JobStage
from recollect.domain.observations import Observation
from recollect.domain.values import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

FORM = "form"  # the kind of job that forms a conversation
LANE = "brain"  # conversations of a space are formed in one lane: one at a time, in their order
LARGEST_FORMED = 400_000  # characters of a conversation: some 100,000 tokens
LARGEST_TIER = 16
MOST_RECALLS = 1000  # numbered questions that a space keeps, as many as receipts
# After so many conversations since the last round of a scope, that scope is due; the largest first.
ROUNDS = (("full", 168), ("quick", 42), ("daydream", 21))


class Collection(StrEnum):
    """A series of numbered conversations of a brain."""

    FORMATION = "formation"
    RECALL = "recall"
    MAINTENANCE = "maintenance"


class ConversationStage(StrEnum):
    """How far a conversation has come."""

    SUBMITTED = "submitted"
    WORKING = "working"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


STAGE_OF_JOB = {
    JobStage.WAITING: ConversationStage.SUBMITTED,
    JobStage.RUNNING: ConversationStage.WORKING,
    JobStage.DONE: ConversationStage.COMPLETED,
    JobStage.DEAD: ConversationStage.FAILED,
    JobStage.CANCELLED: ConversationStage.CANCELLED,
}
OPEN_CONVERSATIONS = (ConversationStage.SUBMITTED, ConversationStage.WORKING)


@dataclass(frozen=True, slots=True, repr=False)
class Brain(Value):
    """The settings of a space as a brain. Without a `tier` it has no limit; a `public` one is read without a token."""

    space: str
    owner: str = ""
    title: str = ""
    public: bool = False
    tier: int | None = None
    tier_at: datetime | None = None


@dataclass(frozen=True, slots=True, repr=False)
class BrainConversation(Value):
    """A numbered conversation. `label` is the scope of maintenance, or the topic; `learned` counts facts that were
    filed; `detail` says why it failed. `messages` and `query` are there where one conversation was asked for."""

    space: str
    collection: Collection
    id: int
    stage: ConversationStage
    created_at: datetime
    updated_at: datetime
    principal: str = ""
    job_id: str | None = None
    record_id: str | None = None  # its session, or the receipt of its question
    label: str = ""
    learned: int = 0
    detail: str = ""
    query: str | None = None
    messages: tuple[Observation, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class BrainAnswer(Value):
    """An answer to a brain's question, and the number that the question was given."""

    conversation: int
    answer: CitedAnswer


@dataclass(frozen=True, slots=True, repr=False)
class BrainSummary(Value):
    """A brain in figures. `conversations`, `processed` and `usage` are by collection; `rounds` is when each scope of
    maintenance was last begun."""

    brain: Brain
    description: str
    created_at: datetime
    notes: int
    messages: int
    concepts: int
    propositions: int
    conversations: Mapping[str, int]
    processed: Mapping[str, int]
    usage: Mapping[str, Usage]
    rounds: Mapping[str, datetime] = field(default_factory=dict)
    forming: bool = False
    maintaining: bool = False


@dataclass(frozen=True, slots=True)
class BrainFigures:
    """The counts of a brain that the store has: of entities, facts, conversations by collection and stage."""

    concepts: int
    propositions: int
    counted: Mapping[tuple[Collection, ConversationStage], int]
    newest: Mapping[Collection, int]
    processed: Mapping[Collection, int]
    rounds: Mapping[str, tuple[int, datetime]]  # by scope: after how many conversations, and when

    def are_open(self, collection: Collection) -> bool:
        """Whether conversations of a collection wait or are worked on."""
        return any(self.counted.get((collection, stage)) for stage in OPEN_CONVERSATIONS)


def node_limit(tier: int | None) -> int | None:
    """How many entities or conversations a tier allows; `None` for any number."""
    return None if tier is None else 10 ** (tier + 2)


def require_room(brain: Brain, figures: BrainFigures) -> None:
    """Refuse another conversation where the tier has no room for it."""
    most = node_limit(brain.tier)
    nodes = max(figures.concepts, figures.newest.get(Collection.FORMATION, 0) + 1)
    if most is not None and nodes > most:
        raise TooLarge(
            f"node limit exceeded: {nodes:,} of {most:,} that tier {brain.tier} allows.",
            code="node_limit",
            hint="A manager can raise the tier.",
        )


def round_due(formed: int, rounds: Mapping[str, tuple[int, datetime]]) -> str | None:
    """The scope of maintenance that is due after conversation number `formed`; a larger round counts for smaller."""
    last = 0
    for scope, every in ROUNDS:
        last = max(last, rounds.get(scope, (0, None))[0])
        if formed >= last + every:
            return scope
    return None


def no_conversation(number: int, collection: Collection, space: str) -> NotFound:
    return NotFound(
        f"There is no conversation {number} of {collection.value} in `{space}`.",
        code="conversation_not_found",
        hint="`recollect brain conversations` lists them.",
    )


class Brains(Protocol):
    """The brains of a store. Conversations that are jobs are numbered and settled together with these."""

    def brain(self, space: str) -> Brain | None:
        """The settings of a brain, if there are any."""
        ...

    def keep(self, brain: Brain) -> None:
        """Keep settings in place of those before."""
        ...

    def keep_recall(self, space: str, receipt_id: str | None, principal: str, at: datetime) -> int:
        """Number a question; the oldest beyond `MOST_RECALLS` make room."""
        ...

    def conversations(
        self, space: str, collection: Collection, *, before: int | None, limit: int
    ) -> Sequence[BrainConversation]:
        """Conversations, the newest first, from the one before a number on."""
        ...

    def conversation(self, space: str, collection: Collection, number: int) -> BrainConversation | None:
        """One conversation."""
        ...

    def of_job(self, space: str, job_id: str) -> BrainConversation | None:
        """The conversation that a job is for, unless another job has taken it over."""
        ...

    def figures(self, space: str) -> BrainFigures:
        """The counts of a brain."""
        ...
