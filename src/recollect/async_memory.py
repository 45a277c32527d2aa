"""The same verbs, awaited: each is lifted onto a thread, in one line, with its exact types.

Verbs run on threads of their own, so that a slow one does not hold up the event loop. The price is one thread
for each call that is under way.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, Unpack

from recollect.domain.answers.upkeep import Tell
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Caller
from recollect.memory import Memory
from recollect.verbs.access import Access
from recollect.verbs.rights.accounts import Accounts

if TYPE_CHECKING:
    from recollect.wrapping.wrap import WrapOptions

C = TypeVar("C")
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_THREADS = 16  # calls under way at once; more wait their turn


class _Lifted(Generic[T_co]):
    """Runs the methods of a plain object on threads, so that they can be awaited."""

    _plain: T_co
    _threads: ThreadPoolExecutor


def offloaded(verb: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[_Lifted[T], P], Coroutine[Any, Any, R]]:
    """A method of the plain object as one that is awaited."""

    @functools.wraps(verb)
    async def awaited(self: _Lifted[T], /, *args: P.args, **kwargs: P.kwargs) -> R:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, functools.partial(verb, self._plain, *args, **kwargs))

    # Not the decorator `wraps`: it would give the function the type of a wrapper instead of its own.
    named: Any = awaited
    functools.update_wrapper(named, verb)
    return awaited


class AsyncAccounts(_Lifted[Accounts]):
    """`Memory.access.accounts`, awaited: the people who sign in by name."""

    def __init__(self, accounts: Accounts, threads: ThreadPoolExecutor) -> None:
        self._plain, self._threads = accounts, threads

    create = offloaded(Accounts.create)
    link = offloaded(Accounts.link)
    every = offloaded(Accounts.every)
    of_token = offloaded(Accounts.of_token)
    remove = offloaded(Accounts.remove)
    choose_password = offloaded(Accounts.choose_password)
    by_password = offloaded(Accounts.by_password)
    by_identity = offloaded(Accounts.by_identity)


class AsyncAccess(_Lifted[Access]):
    """`Memory.access`, awaited: who may come in through a door that asks for a token."""

    def __init__(self, access: Access, threads: ThreadPoolExecutor) -> None:
        self._plain, self._threads = access, threads

    @property
    def accounts(self) -> AsyncAccounts:
        """The people who sign in by name, awaited."""
        return AsyncAccounts(self._plain.accounts, self._threads)

    issue = offloaded(Access.issue)
    admit = offloaded(Access.admit)
    now = offloaded(Access.now)
    is_there = offloaded(Access.is_there)
    is_public = offloaded(Access.is_public)
    live = offloaded(Access.live)
    is_live = offloaded(Access.is_live)
    has_live = offloaded(Access.has_live)
    tokens = offloaded(Access.tokens)
    revoke = offloaded(Access.revoke)
    rotate = offloaded(Access.rotate)
    link = offloaded(Access.link)
    sign_in = offloaded(Access.sign_in)
    sign_in_as = offloaded(Access.sign_in_as)
    admit_browser = offloaded(Access.admit_browser)
    is_fresh = offloaded(Access.is_fresh)
    sign_out = offloaded(Access.sign_out)
    sign_out_everywhere = offloaded(Access.sign_out_everywhere)


class AsyncMemory(_Lifted[Memory]):
    """`Memory`, awaited. It takes the same arguments, or a `Memory` that is open already."""

    def __init__(self, memory: Memory | None = None, **settings: Any) -> None:
        if memory is not None and settings:
            raise InvalidInput(
                f"`{next(iter(settings))}` is given beside a memory that is open already.",
                code="invalid_field",
                hint="Give it to the `Memory`, or leave out the memory.",
            )
        self._plain = memory or Memory(**settings)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="recollect")

    def wrap(self, client: C, **options: Unpack[WrapOptions]) -> C:
        """A twin of a client of a language model that recalls and remembers: see `Memory.wrap`."""
        return self._plain.wrap(client, **options)

    save = offloaded(Memory.save)
    update = offloaded(Memory.update)
    supersede = offloaded(Memory.supersede)
    retract = offloaded(Memory.retract)
    feedback = offloaded(Memory.feedback)
    settle = offloaded(Memory.settle)
    pin = offloaded(Memory.pin)
    unpin = offloaded(Memory.unpin)
    relate = offloaded(Memory.relate)
    refute = offloaded(Memory.refute)
    forget = offloaded(Memory.forget)

    add = offloaded(Memory.add)
    watch = offloaded(Memory.watch)
    learn = offloaded(Memory.learn)
    ingest = offloaded(Memory.ingest)
    attachment = offloaded(Memory.attachment)

    get = offloaded(Memory.get)
    list = offloaded(Memory.list)
    count = offloaded(Memory.count)
    search = offloaded(Memory.search)
    history = offloaded(Memory.history)
    relations = offloaded(Memory.relations)
    profile = offloaded(Memory.profile)

    recall = offloaded(Memory.recall)
    brief = offloaded(Memory.brief)
    answer = offloaded(Memory.answer)
    why = offloaded(Memory.why)
    why_not = offloaded(Memory.why_not)

    context = offloaded(Memory.context)
    inject = offloaded(Memory.inject)
    anchor = offloaded(Memory.anchor)
    remind = offloaded(Memory.remind)

    start_session = offloaded(Memory.start_session)
    end_session = offloaded(Memory.end_session)
    link_commit = offloaded(Memory.link_commit)
    observe = offloaded(Memory.observe)
    sessions = offloaded(Memory.sessions)
    session = offloaded(Memory.session)
    replay = offloaded(Memory.replay)

    timeline = offloaded(Memory.timeline)
    project_profile = offloaded(Memory.project_profile)
    make_crystal = offloaded(Memory.make_crystal)
    crystals = offloaded(Memory.crystals)
    reflect = offloaded(Memory.reflect)

    slots = offloaded(Memory.slots)
    slot = offloaded(Memory.slot)
    set_slot = offloaded(Memory.set_slot)
    append_slot = offloaded(Memory.append_slot)
    delete_slot = offloaded(Memory.delete_slot)
    reflect_slots = offloaded(Memory.reflect_slots)

    add_lesson = offloaded(Memory.add_lesson)
    strengthen_lesson = offloaded(Memory.strengthen_lesson)
    lessons = offloaded(Memory.lessons)

    add_action = offloaded(Memory.add_action)
    update_action = offloaded(Memory.update_action)
    actions = offloaded(Memory.actions)
    frontier = offloaded(Memory.frontier)

    export = offloaded(Memory.export)
    import_ = offloaded(Memory.import_)
    backup = offloaded(Memory.backup)
    backups = offloaded(Memory.backups)
    restore = offloaded(Memory.restore)

    open_vault = offloaded(Memory.open_vault)
    scan_vault = offloaded(Memory.scan_vault)
    sync = offloaded(Memory.sync)
    review = offloaded(Memory.review)
    log = offloaded(Memory.log)
    show = offloaded(Memory.show)
    diff = offloaded(Memory.diff)
    blame = offloaded(Memory.blame)
    revert = offloaded(Memory.revert)
    machines = offloaded(Memory.machines)

    spaces = offloaded(Memory.spaces)
    describe_space = offloaded(Memory.describe_space)
    create_space = offloaded(Memory.create_space)
    limit_space = offloaded(Memory.limit_space)
    delete_space = offloaded(Memory.delete_space)

    status = offloaded(Memory.status)
    doctor = offloaded(Memory.doctor)
    audit = offloaded(Memory.audit)
    reindex = offloaded(Memory.reindex)
    tidy = offloaded(Memory.tidy)

    activity = offloaded(Memory.activity)
    usage = offloaded(Memory.usage)

    providers = offloaded(Memory.providers)
    spend = offloaded(Memory.spend)

    migrate = offloaded(Memory.migrate)
    dedup = offloaded(Memory.dedup)
    backfill_provenance = offloaded(Memory.backfill_provenance)
    forget_all = offloaded(Memory.forget_all)
    reset = offloaded(Memory.reset)

    jobs = offloaded(Memory.jobs)
    job = offloaded(Memory.job)
    retry_job = offloaded(Memory.retry_job)
    cancel_job = offloaded(Memory.cancel_job)
    run_jobs = offloaded(Memory.run_jobs)
    maintain = offloaded(Memory.maintain)
    build_questions = offloaded(Memory.build_questions)
    questions = offloaded(Memory.questions)
    edit_question = offloaded(Memory.edit_question)
    drop_question = offloaded(Memory.drop_question)
    run_questions = offloaded(Memory.run_questions)
    experiment = offloaded(Memory.experiment)
    evaluation_runs = offloaded(Memory.evaluation_runs)
    timers = offloaded(Memory.timers)

    graph_show = offloaded(Memory.graph_show)
    graph_list = offloaded(Memory.graph_list)
    graph_path = offloaded(Memory.graph_path)
    graph_around = offloaded(Memory.graph_around)
    graph_timeline = offloaded(Memory.graph_timeline)
    graph_communities = offloaded(Memory.graph_communities)
    graph_central = offloaded(Memory.graph_central)
    graph_export = offloaded(Memory.graph_export)
    graph_alias = offloaded(Memory.graph_alias)
    graph_merge = offloaded(Memory.graph_merge)
    graph_split = offloaded(Memory.graph_split)
    kip = offloaded(Memory.kip)

    add_webhook = offloaded(Memory.add_webhook)
    webhooks = offloaded(Memory.webhooks)
    remove_webhook = offloaded(Memory.remove_webhook)
    test_webhook = offloaded(Memory.test_webhook)
    deliveries = offloaded(Memory.deliveries)

    embeddings = offloaded(Memory.embeddings)
    prepare_embeddings = offloaded(Memory.prepare_embeddings)
    compare_embeddings = offloaded(Memory.compare_embeddings)
    switch_embeddings = offloaded(Memory.switch_embeddings)
    drop_embeddings = offloaded(Memory.drop_embeddings)

    set_provider_key = offloaded(Memory.set_provider_key)
    provider_keys = offloaded(Memory.provider_keys)
    remove_provider_key = offloaded(Memory.remove_provider_key)

    form_conversation = offloaded(Memory.form_conversation)
    ask_brain = offloaded(Memory.ask_brain)
    maintain_brain = offloaded(Memory.maintain_brain)
    restart_conversation = offloaded(Memory.restart_conversation)
    conversations = offloaded(Memory.conversations)
    brain = offloaded(Memory.brain)
    change_brain = offloaded(Memory.change_brain)

    @property
    def access(self) -> AsyncAccess:
        """The tokens for doors that ask for one: issued, tried and revoked."""
        return AsyncAccess(self._plain.access, self._threads)

    def acting_as(self, caller: Caller) -> AsyncMemory:
        """The same memory in another's name."""
        return self._with(self._plain.acting_as(caller))

    def bound_to(self, *, user: str | None = None, agent: str | None = None, project: str | None = None) -> AsyncMemory:
        """The same memory, of which only what is of a user, an agent or a project can be read and written."""
        return self._with(self._plain.bound_to(user=user, agent=agent, project=project))

    def telling(self, tell: Tell) -> AsyncMemory:
        """The same memory; `tell` hears, on the thread that does the work, how far an ingest or a transfer has come."""
        return self._with(self._plain.telling(tell))

    def _with(self, plain: Memory) -> AsyncMemory:
        twin = AsyncMemory.__new__(AsyncMemory)
        twin._plain, twin._threads = plain, self._threads
        return twin

    async def close(self) -> None:
        """Wait for the calls under way, then let go of the store."""
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self._plain.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
