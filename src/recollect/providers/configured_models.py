"""The choice of provider and model for each task, and the models themselves, each opened when it is first asked."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING

from recollect.domain.answers.spending import ModelOfTask, ProviderState
from recollect.domain.chat.chat_model import ModelTask, RefusalCode
from recollect.domain.chat.provider_settings import CUSTOM, KNOWN, OFF
from recollect.domain.chat.spend import NO_SPENDING, SpendCaps, SpendSettings
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import Misconfigured
from recollect.providers.metered_model import CircuitBreaker, MeteredChatModel
from recollect.providers.spend_account import SpendAccount, price_for
from recollect.providers.wire import ProviderFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.domain.answers.spending import SpendLine
    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.domain.chat.spend import Price, SpendLedger
    from recollect.domain.clock import Clock
    from recollect.providers.wire import ProviderClient
    from recollect.settings import Settings

_PACKAGES = {"openai": "openai", "anthropic": "anthropic", "gemini": "google.genai"}  # by the kind of client


_ONLY_IF_NAMED = frozenset({ModelTask.EMBED, ModelTask.READ, ModelTask.SETTLE})


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """The provider and the model of a task, and why; neither, where the task is done without a model."""

    task: ModelTask
    provider: ProviderSettings | None
    model: str
    source: str


class ConfiguredModels:
    """Implements `ChatModels`, for the providers of the settings.

    `own_key` says which key a space brought along for a provider, and raises `Misconfigured` where it cannot be opened.
    """

    def __init__(
        self,
        settings: Settings,
        ledger: SpendLedger,
        clock: Clock,
        own_key: Callable[[str, str], str | None] = lambda *_: None,
    ) -> None:
        self._settings, self._ledger, self._clock, self._own_key = settings, ledger, clock, own_key
        self._lock = threading.Lock()
        self._clients: dict[tuple[str, str], tuple[str, ProviderClient]] = {}
        self._breakers: defaultdict[tuple[str, str], CircuitBreaker] = defaultdict(CircuitBreaker)

    def for_task(self, task: ModelTask, *, space: str, session: str = "") -> MeteredChatModel | None:
        choice = choice_for(self._settings, task)
        provider = choice.provider
        if provider is None or not choice.model:
            return None
        account = self.account(task, provider, choice.model, space, session)
        breaker = self.breaker(provider, space)
        return MeteredChatModel(account, breaker, lambda: self.client(provider, space), patience=provider.seconds)

    def account(
        self, task: ModelTask, provider: ProviderSettings, model: str, space: str, session: str = ""
    ) -> SpendAccount:
        """The account that a model spends on."""
        price = price_of_model(self._settings, provider, model)
        caps = caps_of(self._settings)
        return SpendAccount(self._ledger, self._clock, caps, space, session, task.value, provider.name, model, price)

    def breaker(self, provider: ProviderSettings, space: str = "") -> CircuitBreaker:
        """The count of failures of a provider, which all tasks share that ask with the same key."""
        try:
            own = self._own_key(space, provider.name) if space else None
        except Misconfigured:
            own = ""
        with self._lock:
            return self._breakers[provider.name, "" if own is None else space]

    def client(self, provider: ProviderSettings, space: str = "") -> ProviderClient:
        """The vendor's client for a provider, with the key of a space if that has one of its own.

        Raises `ProviderFailure` where the key or the library is missing. A key of a space that cannot be opened is no
        reason to spend somebody else's.
        """
        try:
            own = self._own_key(space, provider.name) if space else None
        except Misconfigured as problem:
            raise ProviderFailure(RefusalCode.NO_KEY, problem.message, hint="Set the key again.") from None
        held = (provider.name, "" if own is None else space)
        with self._lock:
            key, client = self._clients.get(held, ("", None))
            if client is None or key != (own or ""):
                client = _opened(provider if own is None else replace(provider, key=own))
                self._clients[held] = (own or "", client)
            return client


def choice_for(settings: Settings, task: ModelTask) -> TaskChoice:
    """The provider and model of a task: as the settings say, else the first provider that is configured.

    Work that sends what people say elsewhere, without being asked for it, is done only where the settings say so.
    """
    said = settings.tasks.get(task.value, "")
    if said == OFF:
        return TaskChoice(task, None, "", "tasks")
    name, _, model = said.partition(":")
    by_name = {each.name: each for each in settings.providers}
    if name:
        provider = by_name[name]
        return TaskChoice(task, provider, model or _own_model(provider, task), "tasks")
    if task in _ONLY_IF_NAMED or not settings.providers:
        return TaskChoice(task, None, "", "default")
    first = next((each for each in settings.providers if each.source != "tasks"), None)
    if first is None:  # one that is named for a task was not asked to do the others
        return TaskChoice(task, None, "", "default")
    return TaskChoice(task, first, first.model, first.source)


def caps_of(settings: Settings) -> SpendCaps:
    """The caps of the settings; none may be spent while no provider is configured."""
    if not settings.providers:
        return NO_SPENDING
    return (settings.spend or SpendSettings()).caps


def price_of_model(settings: Settings, provider: ProviderSettings, model: str) -> Price | None:
    """The price of a model, by the settings or by the table that ships; `None` if neither knows it."""
    return price_for(provider.name, model, settings.spend.prices if settings.spend else {})


def problem_of(provider: ProviderSettings) -> str:
    """The reason why a provider cannot be asked as things are; empty if it can be tried. Nothing is sent."""
    from importlib.util import find_spec

    try:
        there = find_spec(_PACKAGES[provider.kind]) is not None
    except ModuleNotFoundError:
        there = False
    if not there:
        return f"the client is not installed: pip install 'recollect[{provider.kind}]'"
    if needs_key(provider) and not key_of(provider)[0]:
        return f"no key: set {provider.key_variables[0] if provider.key_variables else 'key_variable'}"
    return "" if provider.model else "no model is named"


def states_of(settings: Settings, today: Sequence[SpendLine]) -> tuple[ProviderState, ...]:
    """The providers as a report shows them, with what each spent today."""
    return tuple(
        ProviderState(
            name=each.name,
            kind=each.kind,
            url=each.url,
            model=each.model,
            key=key_of(each)[1],
            source=each.source,
            problem=problem_of(each),
            tokens_today=sum(line.tokens for line in today if line.provider == each.name),
            cost_usd_today=sum(line.cost_usd for line in today if line.provider == each.name),
        )
        for each in settings.providers
    )


def tasks_of(settings: Settings) -> tuple[ModelOfTask, ...]:
    """The model of each task as a report shows it."""
    choices = (choice_for(settings, task) for task in ModelTask)
    return tuple(
        ModelOfTask(each.task.value, each.provider.name if each.provider else "", each.model, each.source)
        for each in choices
    )


def _own_model(provider: ProviderSettings, task: ModelTask) -> str:
    return provider.embedding_model if task is ModelTask.EMBED else provider.model


def _opened(provider: ProviderSettings) -> ProviderClient:
    key, _ = key_of(provider)
    if not key and needs_key(provider):
        variables = " or ".join(provider.key_variables)
        raise ProviderFailure(
            RefusalCode.NO_KEY,
            f"There is no key for the provider `{provider.name}`.",
            hint=f"Set {variables}, or put it into the keyring: keyring set recollect {provider.name}",
        )
    try:
        return _client(provider, key)
    except ImportError:
        raise ProviderFailure(
            RefusalCode.NO_CLIENT,
            f"The client library for `{provider.name}` is not installed.",
            hint=f"pip install 'recollect[{provider.kind}]'",
        ) from None


def _client(provider: ProviderSettings, key: str) -> ProviderClient:
    match provider.kind:
        case "anthropic":
            from recollect.providers.anthropic_client import AnthropicClient

            return AnthropicClient(provider, key)
        case "gemini":
            from recollect.providers.gemini_client import GeminiClient

            return GeminiClient(provider, key)
        case _:
            from recollect.providers.openai_client import OpenAiClient

            return OpenAiClient(provider, key)


SERVICE = "recollect"  # under which the keyring holds keys, each by the name of its provider


def key_of(provider: ProviderSettings) -> tuple[str, str]:
    """The key of a provider and where it is from; both empty if there is none."""
    if provider.key:
        return provider.key, next(iter(provider.source.split(", ")[::-1]), "")
    held = _in_keyring(provider.name)
    return (held, "keyring") if held else ("", "")


def needs_key(provider: ProviderSettings) -> bool:
    """Whether a provider takes no call without one: those that are known do, one at an own address may not."""
    return provider.name in KNOWN or (provider.name != CUSTOM and provider.kind != "openai")


def _in_keyring(name: str) -> str:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return ""
    try:
        return keyring.get_password(SERVICE, name) or ""
    except (keyring.errors.KeyringError, RuntimeError, OSError):  # locked, or there is none on this machine
        return ""
