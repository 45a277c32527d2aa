"""Answers about models: who does which task with which key, what it cost, and which embedding model serves."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from recollect.domain.dataclass import dataclass, field
from recollect.domain.values import Series, Value


@dataclass(frozen=True, slots=True, repr=False)
class SpendLine(Value):
    """The cost of some calls, summed up by what was asked for; what was not is empty.

    `tokens` is what counts against the caps: the settled calls' input, cached and output tokens, and all that the
    `unsettled` ones reserved. `cost_usd` leaves out `unpriced` calls, whose model has no known price.
    """

    calls: int
    tokens: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int = 0
    unsettled: int = 0
    task: str = ""
    space: str = ""
    day: str = ""
    provider: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class SpendCap(Value):
    """One cap, and what is left of it today; of a session, which there are many of, the whole."""

    of: str
    unit: str
    cap: float
    spent: float


@dataclass(frozen=True, slots=True, repr=False)
class SpendReport(Series[SpendLine]):
    """The cost of language models, the newest day first, and the caps as they are today."""

    _held: ClassVar[str] = "lines"

    lines: tuple[SpendLine, ...]
    since: str
    caps: tuple[SpendCap, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, repr=False)
class ModelOfTask(Value):
    """The provider and the model that do a task, and which setting says so; neither, if it is done without a model."""

    task: str
    provider: str
    model: str
    source: str


@dataclass(frozen=True, slots=True, repr=False)
class ProviderState(Value):
    """A provider that is configured, and whether it can be asked; never its key.

    `key` is where its key comes from. `problem` is empty if it can be asked, as far as can be told without asking it.
    """

    name: str
    kind: str
    url: str
    model: str
    key: str
    source: str
    problem: str
    tokens_today: int
    cost_usd_today: float


@dataclass(frozen=True, slots=True, repr=False)
class ProviderReport(Series[ProviderState]):
    """The providers of language models, the first choice first, the model of each task, and the caps.

    `prices_of` is the day of the prices that ship.
    """

    _held: ClassVar[str] = "providers"

    providers: tuple[ProviderState, ...]
    tasks: tuple[ModelOfTask, ...]
    caps: tuple[SpendCap, ...]
    prices_of: str


@dataclass(frozen=True, slots=True, repr=False)
class ProviderKey(Value):
    """A key as it is shown: whose, for which provider, since when and by whom; never the key itself."""

    space: str
    provider: str
    set_at: datetime
    principal: str


@dataclass(frozen=True, slots=True, repr=False)
class EmbeddingModels(Value):
    """The embedding models of a store, by name and by the id that their vectors bear; empty where there is none.

    `lacking` counts texts of all spaces that have no vector yet, and are found by their words meanwhile. `setting` is
    the setting `embedding` of the process that was asked, which says nothing while the store has chosen.
    """

    serving: str
    serving_id: str
    lacking: int
    beside: str = ""
    beside_id: str = ""
    beside_lacking: int = 0
    setting: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class EmbeddingComparison(Value):
    """Two models asked the same recent questions of a space: the share of the nearest ten that both have.

    `overlap` is `None` where no question is known; `least` is that of the question on which they agree least.
    """

    space: str
    serving_id: str
    beside_id: str
    questions: int
    overlap: float | None = None
    least: float | None = None
