"""The chosen parts, side by side, typed by ports."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from time import monotonic
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar
from weakref import WeakSet

from recollect.domain.dataclass import dataclass, field, replace
from recollect.process_state import AskedTally, Bell, Memo, Tally, UseTally

if TYPE_CHECKING:  # parts are known by their ports only, and chosen elsewhere
    from collections.abc import Callable, Collection, Sequence

    from recollect.domain.answers.daily_activity import ActivityLog
    from recollect.domain.answers.evaluations import Evaluations
    from recollect.domain.answers.reminders import Reminders
    from recollect.domain.brain import Brains
    from recollect.domain.chat.chat_model import ChatModels
    from recollect.domain.chat.provider_settings import ProviderKeys
    from recollect.domain.chat.spend import SpendLedger
    from recollect.domain.clock import Clock
    from recollect.domain.graph.graph_ports import EntityIndex
    from recollect.domain.jobs.job import Jobs
    from recollect.domain.jobs.webhook import Webhooks
    from recollect.domain.links.statement_link import Judge, StatementLinks
    from recollect.domain.meanings import (
        Closeness,
        Embedder,
        EmbeddingChoice,
        Meaning,
        Near,
        Nearness,
        Relevance,
        Vectors,
    )
    from recollect.domain.ports import (
        AccessTokens,
        Archive,
        Attachments,
        ChangeLog,
        Desk,
        Lineage,
        Receipts,
        SignIns,
        Store,
        Tallies,
        Upkeep,
    )
    from recollect.domain.readings import Reader
    from recollect.domain.scopes import Scope
    from recollect.sealing import Sealing
    from recollect.settings import Settings

T_co = TypeVar("T_co", covariant=True)

CHOICE_SEEN_WITHIN = 5.0  # seconds after which every process knows which model serves

_USES_AT_ONCE = 200  # counted in one transaction: meanwhile nobody else writes in the space
_FEW = 500  # ids that are looked up one by one


class Flushed(Protocol):
    """Something that writes later than it is told to, as the companion of a wrapped client does."""

    def flush(self) -> bool:
        """Write what waits, within some seconds; whether all of it is written."""
        ...


class Parts(Protocol):
    """The ports that stand beside a store, each loaded when it is first asked for."""

    @property
    def lineage(self) -> Lineage: ...

    @property
    def tallies(self) -> Tallies: ...

    @property
    def log(self) -> ChangeLog: ...

    @property
    def upkeep(self) -> Upkeep: ...

    @property
    def archive(self) -> Archive: ...

    @property
    def attachments(self) -> Attachments: ...

    @property
    def desk(self) -> Desk: ...

    @property
    def vectors(self) -> Vectors: ...

    @property
    def links(self) -> StatementLinks: ...

    @property
    def receipts(self) -> Receipts: ...

    @property
    def reminders(self) -> Reminders: ...

    @property
    def tokens(self) -> AccessTokens: ...

    @property
    def jobs(self) -> Jobs: ...

    @property
    def sign_ins(self) -> SignIns: ...

    @property
    def webhooks(self) -> Webhooks: ...

    @property
    def activity(self) -> ActivityLog: ...

    @property
    def spend(self) -> SpendLedger: ...

    @property
    def provider_keys(self) -> ProviderKeys: ...

    @property
    def evaluations(self) -> Evaluations: ...

    @property
    def entities(self) -> EntityIndex: ...

    @property
    def brains(self) -> Brains: ...

    def bound_to(self, within: Scope) -> WholeStore:
        """The same store, of which a part of each space can be read and written."""
        ...


if TYPE_CHECKING:

    class WholeStore(Store, Parts, Protocol):
        """A store with everything that stands beside it."""


@dataclass(frozen=True, slots=True)
class Inference:
    """The parts that work with models. Without an embedder there are no vectors, and words do the work.

    `pieces` is the second embedder, for comparing word by word. Without a judge no links between statements are made,
    without `relevance` no hit is read beside the question. `beside` is a model whose vectors are kept up and answer
    nobody: the next one, or the last.
    """

    embedder: Embedder | None = None
    nearness: Nearness | None = None
    pieces: Embedder | None = None
    closeness: Closeness | None = None
    meaning: Meaning | None = None
    judge: Judge | None = None
    relevance: Relevance | None = None
    beside: Embedder | None = None


class Deferred(Generic[T_co]):
    """A part that is put together when it is first asked for: a short command often never does."""

    def __init__(self, make: Callable[[], T_co]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self.made: T_co | None = None  # `None` until it is asked for

    def get(self) -> T_co:
        made = self.made  # read once: it may be taken back meanwhile
        if made is None:
            with self._lock:
                made = self.made = self.made or self._make()
        return made

    def all_made(self) -> Sequence[T_co]:
        """Everything that was put together so far."""
        return () if self.made is None else (self.made,)


class ServedModels(Deferred[Inference]):
    """The models that the store says serve it. It is asked again after some seconds, so that a switch reaches every
    process; whoever compares goes on with the models it began with.
    """

    def __init__(self, make: Callable[[EmbeddingChoice], Inference], chosen: Callable[[], EmbeddingChoice]) -> None:
        super().__init__(lambda: make(self._choice or chosen()))
        self._chosen, self._look_at = chosen, float("-inf")
        self._choice: EmbeddingChoice | None = None  # until the store was asked
        self._looking = threading.Lock()
        self._earlier: Sequence[Inference] = ()  # at most those that served before: a search may still go on with them

    def get(self) -> Inference:
        if monotonic() >= self._look_at:
            self.look(again=False)
        return super().get()

    def look(self, *, again: bool = True) -> None:
        """Ask which models serve, now; or unless somebody has just asked."""
        left: Sequence[Inference] = ()
        with self._looking:
            if not again and monotonic() < self._look_at:
                return
            choice = self._chosen()
            with self._lock:
                self._look_at = monotonic() + CHOICE_SEEN_WITHIN
                if choice != self._choice:
                    if self.made is not None:
                        left, self._earlier = self._earlier, (self.made,)
                    self._choice, self.made = choice, None
        for each in left:
            if each.nearness is not None:
                each.nearness.close()

    def all_made(self) -> Sequence[Inference]:
        return (*self._earlier, *super().all_made())


class _OfStore(Generic[T_co]):
    """A part beside the store of an engine, by the same name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, engine: Engine, owner: type) -> T_co:
        part: T_co = getattr(engine.store, self._name)
        return part


class _OfModels(_OfStore[T_co]):
    """One of the parts that work with models, by the same name."""

    def __get__(self, engine: Engine, owner: type) -> T_co:
        part: T_co = getattr(engine.inference.get(), self._name)
        return part


@dataclass(frozen=True, slots=True)
class Engine:
    """The parts that every verb works with."""

    settings: Settings
    clock: Clock
    store: WholeStore
    inference: Deferred[Inference]
    reading: Deferred[Reader]
    seals: Deferred[Sealing]
    chat: Deferred[ChatModels]
    tally: Tally = field(default_factory=Tally)
    bell: Bell = field(default_factory=Bell)
    asked: AskedTally = field(default_factory=AskedTally)
    uses: UseTally = field(default_factory=UseTally)
    beside: WeakSet[Flushed] = field(default_factory=WeakSet)  # what is written before the store is let go of
    looked_at: set[tuple[str, ...]] = field(default_factory=set)  # what is looked at once in a process
    prior_acts: Memo[tuple[str, ...]] = field(default_factory=lambda: Memo(5000))  # ids of acts before a lesson
    act_vectors: Memo[bytes] = field(default_factory=lambda: Memo(4000))  # of such acts as they are spelled

    lineage = _OfStore["Lineage"]()
    tallies = _OfStore["Tallies"]()
    log = _OfStore["ChangeLog"]()
    upkeep = _OfStore["Upkeep"]()
    archive = _OfStore["Archive"]()
    attachments = _OfStore["Attachments"]()
    desk = _OfStore["Desk"]()
    vectors = _OfStore["Vectors"]()
    links = _OfStore["StatementLinks"]()
    receipts = _OfStore["Receipts"]()
    reminders = _OfStore["Reminders"]()
    tokens = _OfStore["AccessTokens"]()
    jobs = _OfStore["Jobs"]()
    sign_ins = _OfStore["SignIns"]()
    webhooks = _OfStore["Webhooks"]()
    activity = _OfStore["ActivityLog"]()
    spend = _OfStore["SpendLedger"]()
    provider_keys = _OfStore["ProviderKeys"]()
    evaluations = _OfStore["Evaluations"]()
    entities = _OfStore["EntityIndex"]()
    brains = _OfStore["Brains"]()

    embedder = _OfModels["Embedder | None"]()
    nearness = _OfModels["Nearness | None"]()
    pieces = _OfModels["Embedder | None"]()
    closeness = _OfModels["Closeness | None"]()
    meaning = _OfModels["Meaning | None"]()
    judge = _OfModels["Judge | None"]()
    relevance = _OfModels["Relevance | None"]()

    @property
    def sealing(self) -> Sealing:
        return self.seals.get()

    @property
    def reader(self) -> Reader:
        return self.reading.get()

    @property
    def chat_models(self) -> ChatModels:
        return self.chat.get()

    def keep_asked(self) -> None:
        """Write down what was asked, and which notes were told.

        An answer waits for nobody: while others write, it is tried again later.
        """
        from recollect.domain.errors import RecollectError, StoreFailure

        for space, counts in self.asked.taken().items():
            try:
                self.activity.add(space, counts)
            except StoreFailure:
                self.asked.add(space, counts)
            except RecollectError:  # the space has moved to another store: nobody asks here any more
                continue
        for space, uses in self.uses.taken().items():
            for start in range(0, len(uses), _USES_AT_ONCE):
                try:
                    self.activity.add_uses(space, uses[start : start + _USES_AT_ONCE])
                except StoreFailure:
                    self.uses.add(space, uses[start:])
                    break
                except RecollectError:
                    break

    def close(self) -> None:
        """Let go of the store. Everything acknowledged is safe without it."""
        with ExitStack() as closing:  # whatever fails on the way, the store is let go of
            closing.callback(self.store.close)
            if self.bell.bus is not None:
                closing.callback(self.bell.bus.close)
            for made in self.inference.all_made():
                if made.nearness is not None:
                    closing.callback(made.nearness.close)
            closing.callback(self.keep_asked)
            for each in list(self.beside):
                closing.callback(each.flush)

    def bound_to(self, within: Scope) -> Engine:
        """The same engine, of which a part of each space can be read and written. It is not closed by itself."""
        bound = self.store.bound_to(within)
        return replace(self, store=bound, inference=_InferenceWithin(bound, self.inference))

    @property
    def embedders(self) -> tuple[Embedder, ...]:
        """All that make vectors of a text that is written."""
        found = self.inference.get()
        return tuple(each for each in (found.embedder, found.pieces) if each is not None)


class _NearestWithin:
    """The nearest among what a bound store shows: the index itself is of the whole space."""

    def __init__(self, store: WholeStore, nearness: Nearness) -> None:
        self._store, self._nearness = store, nearness

    def nearest(self, space: str, question: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        return self._nearness.nearest(space, question, limit=limit, among=self._seen(space, among))

    def alike(self, space: str, text: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        return self._nearness.alike(space, text, limit=limit, among=self._seen(space, among))

    def _seen(self, space: str, among: Collection[str] | None) -> set[str]:
        from recollect.domain.scopes import ANYWHERE
        from recollect.domain.selections import Selection

        if among is not None and len(among) <= _FEW:
            return {*self._store.current(space, list(among)), *self._store.archive.those(space, list(among))}
        seen = {*self._store.ids(space, Selection()), *self._store.archive.ids(space, ANYWHERE)}
        return seen if among is None else seen.intersection(among)

    def behind(self) -> int:
        return self._nearness.behind()

    def held_bytes(self) -> int:
        return self._nearness.held_bytes()

    def begin(self, space: str) -> None:
        self._nearness.begin(space)

    def close(self) -> None:
        """The index belongs to whoever opened the store."""


class _InferenceWithin(Deferred[Inference]):
    """The models of another engine, whose nearest are looked for in a part of each space."""

    def __init__(self, store: WholeStore, whole: Deferred[Inference]) -> None:
        self._store, self._whole = store, whole

    def get(self) -> Inference:
        found = self._whole.get()
        return replace(found, nearness=_NearestWithin(self._store, found.nearness)) if found.nearness else found

    def all_made(self) -> Sequence[Inference]:
        return ()  # they belong to whoever opened the store
