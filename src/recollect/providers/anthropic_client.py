"""Anthropic's own client."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from recollect.domain.chat.chat_model import ChatRole, RefusalCode
from recollect.providers.bounded_http import bounded_client
from recollect.providers.wire import ClaimedUsage, ProviderFailure, WireReply, failures_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.providers.wire import ChatRequest


class AnthropicClient:
    """Implements `ProviderClient`."""

    def __init__(self, provider: ProviderSettings, key: str) -> None:
        import anthropic

        self._provider = provider
        self._failures = partial(failures_of, anthropic, anthropic.AnthropicError, provider.name)
        self._client = anthropic.Anthropic(
            api_key=key, base_url=provider.url, max_retries=0, http_client=bounded_client({"x-api-key": key})
        )

    def ask(self, request: ChatRequest, seconds: float) -> WireReply:
        options: dict[str, Any] = {}
        if request.schema is not None and self._provider.json == "schema":
            options["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
        system = "\n\n".join(each.text for each in request.messages if each.role is ChatRole.SYSTEM)
        if system:
            options["system"] = system
        turns = [each for each in request.messages if each.role is not ChatRole.SYSTEM]
        with self._failures():
            reply = self._client.messages.create(
                model=request.model,
                max_tokens=request.max_tokens,
                messages=[{"role": each.role.value, "content": each.text} for each in turns],  # type: ignore[misc]
                timeout=seconds,
                **options,
            )
            text = "".join(each.text for each in reply.content if each.type == "text")
            usage = reply.usage
            read = usage.input_tokens + (usage.cache_creation_input_tokens or 0)
            claimed = ClaimedUsage(read, usage.cache_read_input_tokens or 0, usage.output_tokens)
            return WireReply(text, claimed, reply.stop_reason == "max_tokens", reply.stop_reason == "refusal")

    def embed(
        self,
        model: str,  # noqa: ARG002 - it has none
        texts: Sequence[str],  # noqa: ARG002
        dimension: int,  # noqa: ARG002
        seconds: float,  # noqa: ARG002
        *,
        question: bool,  # noqa: ARG002
    ) -> tuple[Sequence[Sequence[float]], ClaimedUsage]:
        raise ProviderFailure(RefusalCode.REJECTED, "Anthropic has no models for embeddings.")
