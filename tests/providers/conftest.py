"""A provider on this machine, and models that ask it through the vendors' own clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from recollect.domain.chat.chat_model import ModelTask
from recollect.domain.chat.provider_settings import ProviderSettings
from recollect.domain.chat.spend import SpendSettings
from recollect.domain.dataclass import replace
from recollect.providers.configured_models import ConfiguredModels
from recollect.providers.metered_model import MeteredChatModel
from recollect.settings import Settings
from recollect.stores.opening import open_store
from tests.support.clock import SteadyClock
from tests.support.model_server import ModelServer, model_server

Opened: TypeAlias = Callable[..., MeteredChatModel]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def pauses() -> list[float]:
    """The pauses that were made, none of which was waited for."""
    return []


@pytest.fixture
def opened(clock: SteadyClock, tmp_path: Path, pauses: list[float]) -> Iterator[Opened]:
    """Opens a model for a task at a provider, on a ledger in memory."""
    store = open_store(":memory:", clock=clock, busy_timeout=5)
    made: dict[tuple[Any, ...], ConfiguredModels] = {}

    def open_model(
        provider: ProviderSettings, spend: SpendSettings | None = None, *, space: str = "team", session: str = ""
    ) -> MeteredChatModel:
        settings = Settings(tmp_path, ":memory:", providers=(provider,), spend=spend)
        models = made.setdefault((provider, str(spend)), ConfiguredModels(settings, store.spend, clock))
        model = models.for_task(ModelTask.ANSWER, space=space, session=session)
        assert model is not None
        return replace(model, sleep=pauses.append)

    yield open_model
    store.close()
