"""Memory: every verb of the product, and the life of one store.

This class is the catalogue: the asynchronous library, the command line and every other door are derived from
its typed methods, chapter by chapter in `verbs/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from recollect.domain.answers.bounds import DEFAULT_BUDGET
from recollect.domain.changes import Changes
from recollect.domain.clock import Clock
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Caller, Channel
from recollect.jobs.chapter import JobVerbs
from recollect.settings import Settings, load_settings
from recollect.verbs.actor import checked_binding, strict
from recollect.verbs.answers import ReadingVerbs
from recollect.verbs.brains.brain_verbs import BrainVerbs
from recollect.verbs.contexts import ContextVerbs
from recollect.verbs.decision_point import DecisionVerbs
from recollect.verbs.desk import ActionVerbs, SlotVerbs
from recollect.verbs.entities.graph_verbs import GraphVerbs
from recollect.verbs.evaluation import EvaluationVerbs
from recollect.verbs.ingest import IngestingVerbs
from recollect.verbs.kip.kip_verbs import KipVerbs
from recollect.verbs.lessons import LessonVerbs
from recollect.verbs.lookup import LookupVerbs
from recollect.verbs.models.embedding_switch import EmbeddingVerbs
from recollect.verbs.models.space_keys import KeyVerbs
from recollect.verbs.notes import NoteVerbs
from recollect.verbs.recall import RecallingVerbs
from recollect.verbs.reflection import MaintainingVerbs, ReflectingVerbs
from recollect.verbs.sessions import AttachmentVerbs
from recollect.verbs.spaces import ActivityVerbs, SpaceVerbs, SpendVerbs
from recollect.verbs.transport import CarryingVerbs
from recollect.verbs.upkeep import Measuring, UpkeepVerbs
from recollect.verbs.vault import Vaults, VaultVerbs
from recollect.webhooks.chapter import WebhookVerbs

if TYPE_CHECKING:  # loaded by whoever asks for them
    from contextlib import AbstractContextManager
    from pathlib import Path

    from recollect.domain.answers.upkeep import Tell
    from recollect.jobs.runner import JobRunner
    from recollect.verbs.access import Access
    from recollect.verbs.ingest import Transcripts
    from recollect.verbs.reminders import Reminding
    from recollect.verbs.upkeep import Following

C = TypeVar("C")
M = TypeVar("M", bound="Memory")


class Memory(
    NoteVerbs,
    IngestingVerbs,
    AttachmentVerbs,
    LookupVerbs,
    ReadingVerbs,
    RecallingVerbs,
    ContextVerbs,
    DecisionVerbs,
    ReflectingVerbs,
    SlotVerbs,
    LessonVerbs,
    ActionVerbs,
    CarryingVerbs,
    VaultVerbs,
    SpaceVerbs,
    UpkeepVerbs,
    ActivityVerbs,
    SpendVerbs,
    MaintainingVerbs,
    JobVerbs,
    EvaluationVerbs,
    GraphVerbs,
    WebhookVerbs,
    EmbeddingVerbs,
    KeyVerbs,
    KipVerbs,
    BrainVerbs,
):
    """Long-term memory. `Memory()` keeps it in a file of your own; nothing needs to be set up."""

    @strict("Memory")
    def __init__(
        self,
        *,
        store: str | None = None,
        home: str | Path | None = None,
        space: str | None = None,
        principal: str | None = None,
        busy_timeout: float | None = None,
        models: str | Path | None = None,
        embedding: str | None = None,
        judge: str | None = None,
        reranker: str | None = None,
        targets: Mapping[str, str] | None = None,
        settings: Settings | None = None,
        caller: Caller | None = None,
        clock: Clock | None = None,
    ) -> None:
        given = {
            "store": store,
            "home": home,
            "space": space,
            "principal": principal,
            "busy_timeout": busy_timeout,
            "models": models,
            "embedding": embedding,
            "judge": judge,
            "reranker": reranker,
            "targets": targets,
        }
        beside = [name for name, value in given.items() if value is not None]
        if settings is not None and beside:
            raise InvalidInput(
                f"`{beside[0]}` is given beside `settings`, which holds it already.",
                code="invalid_field",
                hint="Give `settings` alone, or each setting by its name.",
            )
        from recollect.assembly import assemble

        settings = settings or load_settings(given)[0]
        self._engine = assemble(settings, clock=clock)
        self._caller = caller or Caller(Channel.LIBRARY, settings.principal)
        self._rehearsed = None

    @property
    def settings(self) -> Settings:
        return self._engine.settings

    @property
    def access(self) -> Access:
        """The tokens for doors that ask for one: issued, tried and revoked."""
        from recollect.verbs.access import Access

        return Access(self._engine)

    @property
    def following(self) -> Following:
        """The changes of a space, as they happen."""
        from recollect.verbs.upkeep import Following

        return Following(self._engine)

    @property
    def measuring(self) -> Measuring:
        """Figures for whoever watches a running memory."""
        return Measuring(self._engine)

    @property
    def transcripts(self) -> Transcripts:
        """For an import that brings sessions along."""
        from recollect.verbs.ingest import Transcripts

        return Transcripts(self._engine, self._caller)

    @property
    def reminding(self) -> Reminding:
        """Reminders: the notes that a prompt brings to mind, without being asked for."""
        from recollect.verbs.reminders import Reminding

        return Reminding(self._engine, self._caller)

    @property
    def runner(self) -> JobRunner:
        """A runner of the jobs of this memory, for whoever lets it work in the background."""
        from recollect.jobs.runner import JobRunner

        return JobRunner(self._engine)

    @property
    def vaults(self) -> Vaults:
        """For whoever watches the folders of this memory."""
        return Vaults(self._engine)

    def acting_as(self, caller: Caller) -> Memory:
        """The same memory in another's name."""
        return self._twin(type(self), caller, self._rehearsed)

    def bound_to(self, *, user: str | None = None, agent: str | None = None, project: str | None = None) -> Memory:
        """The same memory, of which only what is of a user, an agent or a project can be read and written.

        The store holds to it, whatever a verb is asked for. What does not say whose it is belongs to them.
        """
        within = checked_binding(user, agent, project)
        twin = self._twin(type(self), replace(self._caller, within=within), self._rehearsed)
        twin._engine = self._engine.bound_to(within)
        return twin

    def telling(self, tell: Tell) -> Memory:
        """The same memory; `tell` hears how far an ingest, a backup or a restore has come."""
        twin = self._twin(type(self), self._caller, self._rehearsed)
        twin._tell = tell
        return twin

    def stale_within(self, seconds: float) -> AbstractContextManager[None]:
        """A context in which answers may be so many seconds old, so that a replica of the store may give them.

        Without the setting `replica`, and where the replica is further behind or away, the store itself answers.
        """
        from recollect.domain.clock import stale_within

        return stale_within(seconds)

    def dry_run(self) -> Rehearsal:
        """The same memory, but nothing is written: every check is made, and `changes` says what would be."""
        return self._twin(Rehearsal, self._caller, [])

    def wrap(
        self,
        client: C,
        *,
        user: str | None = None,
        session: str | None = None,
        space: str | None = None,
        budget: int = DEFAULT_BUDGET,
        wait: float = 2.0,
    ) -> C:
        """A twin of a client of OpenAI, Anthropic or Google that recalls before each call and remembers after it.

        It waits for a recall at most `wait` seconds. When memory is slow, down or fails, the call is made as it is.
        """
        from recollect.wrapping.wrap import EmbeddedMemory, wrapped

        twin, companion = wrapped(
            client, EmbeddedMemory(self), user=user, session=session, space=space, budget=budget, wait=wait
        )
        self._engine.beside.add(companion)
        return twin

    def close(self) -> None:
        """Let go of the store. Everything acknowledged is safe without it."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _twin(self, kind: type[M], caller: Caller, rehearsed: list[Changes] | None) -> M:
        twin = kind.__new__(kind)
        twin._engine, twin._caller, twin._rehearsed = self._engine, caller, rehearsed
        return twin


class Rehearsal(Memory):
    """A memory in which nothing is written. Made by `Memory.dry_run`."""

    @property
    def changes(self) -> tuple[Changes, ...]:
        """The changes that the verbs so far would have written."""
        return tuple(self._rehearsed or ())
