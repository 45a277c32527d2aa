"""Embeddings by a provider: texts become vectors elsewhere, after the write, on the same ledger as every other call.

No write waits for it: a job fills vectors in. A question does, shortly; where the provider fails, words answer alone.
"""

from __future__ import annotations

import math
import struct
import threading
from collections import OrderedDict
from copy import copy
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING

from recollect.domain.chat.chat_model import ModelTask
from recollect.domain.chat.spend import CapReached
from recollect.domain.dataclass import replace
from recollect.domain.errors import Misconfigured, QuotaReached, RecollectError, StoreFailure, Unreachable, Unsupported
from recollect.providers.configured_models import choice_for
from recollect.providers.spend_account import bytes_of, for_nothing, in_full
from recollect.providers.wire import ProviderFailure
from recollect.redaction.clean_records import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.domain.meanings import Near, Nearness, Vector
    from recollect.providers.configured_models import ConfiguredModels
    from recollect.settings import Settings

_MOST_NUMBERS = 20_000  # of one vector
_AT_ONCE = 64  # texts in one call
_LONGEST = 8_000  # bytes of a text; models read about as many tokens at most, and cut the rest off
_PER_TEXT = 16  # tokens that a provider may put around a text
_QUESTION, _PASSAGES = 5.0, 60.0  # seconds
_QUESTIONS = 64  # that are remembered
_FAILED_FOR = 5.0  # seconds in which a question that failed is not tried again


def embedding_choice(settings: Settings) -> tuple[ProviderSettings, str]:
    """The provider and the model that make vectors. Raises `Misconfigured` if the settings name none."""
    choice = choice_for(settings, ModelTask.EMBED)
    able = [each for each in settings.providers if each.embedding_model]
    provider = choice.provider or next(iter(able), None)
    model = choice.model or (provider.embedding_model if provider else "")
    if provider is None or not model or not provider.dimension:
        raise Misconfigured(
            "The setting `embedding` is `provider`, and no provider has a model for embeddings.",
            hint="A table of the file says it: [providers.NAME] with `embedding_model` and `dimension`.",
        )
    if find_spec("numpy") is None:
        raise Unsupported(
            "Comparing vectors needs packages that are not installed.",
            code="extra_missing",
            hint="Install them with: pip install 'recollect[local]'",
        )
    return provider, model


def embedding_spelled(settings: Settings, name: str) -> tuple[ProviderSettings, str]:
    """The provider and the model of `PROVIDER:MODEL/DIMENSION`, as an embedder's id has it. Raises `Misconfigured`."""
    by_name = {each.name: each for each in settings.providers}
    said, _, rest = name.partition(":")
    model, _, dimension = rest.rpartition("/")
    if said not in by_name or not model or not dimension.isdigit() or not 1 <= int(dimension) <= _MOST_NUMBERS:
        raise Misconfigured(
            f"`{name[:80]}` is no embedding model of a provider.",
            hint="It is PROVIDER:MODEL/DIMENSION, such as openai:text-embedding-3-small/1536.",
        )
    return replace(by_name[said], dimension=int(dimension)), model


class ProviderEmbedder:
    """Implements `Embedder`, `RemoteModel` and `BilledModel`. Calls for no space are of the store itself."""

    def __init__(self, provider: ProviderSettings, model: str, models: ConfiguredModels, space: str = "") -> None:
        self._provider, self._model, self._models, self._space = provider, model, models, space
        self.dimension = provider.dimension
        self.model_id = f"{provider.name}:{model}/{provider.dimension}"
        self.address = provider.url
        self._asked = _RecentQuestions()

    def billed_to(self, space: str) -> ProviderEmbedder:
        """See `BilledModel.billed_to`. Questions of another space are not known here: each pays for its own."""
        found = copy(self)
        found._space = space
        return found

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        found: list[Vector] = []
        for start in range(0, len(texts), _AT_ONCE):
            found += self._embedded(texts[start : start + _AT_ONCE], _PASSAGES, question=False)
        return found

    def query(self, text: str) -> Vector:
        if not text.strip():
            return _unit([1.0] + [0.0] * (self.dimension - 1))  # nothing is asked for nothing
        return self._asked.of((self._space, text), lambda: self._embedded([text], _QUESTION, question=True)[0])

    def _embedded(self, texts: Sequence[str], seconds: float, *, question: bool) -> list[Vector]:
        account = self._models.account(ModelTask.EMBED, self._provider, self._model, self._space)
        breaker = self._models.breaker(self._provider, self._space)
        if (rest := breaker.rest()) > 0:
            raise Unreachable(
                f"The provider `{self._provider.name}` is left alone for {rest:.0f} seconds.", code="provider_resting"
            )
        sent = [_bounded(clean(each)) or " " for each in texts]
        try:
            reserved = account.reserve(bytes_of(sent) + _PER_TEXT * len(sent), 0, seconds)
        except StoreFailure as problem:
            message = f"What a call costs cannot be written down: {problem}"
            raise Unreachable(message, code="ledger_unavailable") from None
        if isinstance(reserved, CapReached):
            raise QuotaReached(reserved.message, code="spend_cap", hint="`recollect spend` shows what was spent.")
        try:
            client = self._models.client(self._provider, self._space)
            vectors, claimed = client.embed(self._model, sent, self.dimension, seconds, question=question)
        except ProviderFailure as failure:
            if failure.passing:
                breaker.failed()
            account.settle(reserved, in_full(reserved) if failure.charged else for_nothing(reserved))
            raise Unreachable(str(failure), code=failure.code.value, hint=failure.hint) from None
        breaker.succeeded()
        account.settle(reserved, account.cost_of(reserved, claimed, bytes_of(sent)))
        return self._sound(vectors, len(sent))

    def _sound(self, vectors: Sequence[Sequence[float]], many: int) -> list[Vector]:
        """The vectors at length one, if they are as many and as long as they must be, and all of them numbers."""
        try:
            if len(vectors) != many or any(len(each) != self.dimension for each in vectors):
                raise ValueError
            return [_unit(each) for each in vectors]
        except (TypeError, ValueError, OverflowError, struct.error):
            raise Unreachable(
                f"The vectors of `{self._provider.name}` are not what was asked for.",
                code="malformed_reply",
                hint=f"Is `dimension` of the provider, {self.dimension}, that of the model?",
            ) from None


class _RecentQuestions:
    """The vectors of the last questions, and how asking for one failed a moment ago.

    One search asks for the same vector several times, and later than the first while it reads from the store, when
    nothing can be reserved.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], tuple[float, Vector | RecollectError]] = OrderedDict()

    def of(self, asked: tuple[str, str], embed: Callable[[], Vector]) -> Vector:
        """The vector of a question in a space."""
        with self._lock:
            at, known = self._known.get(asked, (0.0, None))
        if isinstance(known, RecollectError) and monotonic() - at < _FAILED_FOR:
            raise known
        if isinstance(known, bytes):
            return known
        found: Vector | RecollectError
        try:
            found = embed()
        except (StoreFailure, QuotaReached) as problem:
            found = problem
        with self._lock:
            self._known[asked] = (monotonic(), found)
            while len(self._known) > _QUESTIONS:
                self._known.popitem(last=False)
        if isinstance(found, RecollectError):
            raise found
        return found


class NearnessOrWords:
    """Implements `Nearness` by another; where its embedder fails, nothing is near and words answer alone."""

    def __init__(self, nearness: Nearness) -> None:
        self._nearness = nearness
        self.behind, self.held_bytes = nearness.behind, nearness.held_bytes
        self.begin, self.close = nearness.begin, nearness.close

    def nearest(self, space: str, question: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        try:
            return self._nearness.nearest(space, question, limit=limit, among=among)
        except (StoreFailure, QuotaReached) as problem:
            return _only_ours(problem)

    def alike(self, space: str, text: str, *, limit: int, among: Collection[str] | None = None) -> Sequence[Near]:
        try:
            return self._nearness.alike(space, text, limit=limit, among=among)
        except (StoreFailure, QuotaReached) as problem:
            return _only_ours(problem)


def _only_ours(problem: StoreFailure | QuotaReached) -> Sequence[Near]:
    """Nothing, for a failure of the provider; one of the store itself is everybody's business."""
    if isinstance(problem, QuotaReached) or (isinstance(problem, Unreachable) and problem.code != Unreachable.code):
        return ()
    raise problem


def _bounded(text: str) -> str:
    return text.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore")


def _unit(numbers: Sequence[float]) -> Vector:
    length = math.sqrt(math.fsum(float(each) * float(each) for each in numbers))
    if not math.isfinite(length) or length == 0:
        raise ValueError("no direction")
    return struct.pack(f"<{len(numbers)}f", *(each / length for each in numbers))
