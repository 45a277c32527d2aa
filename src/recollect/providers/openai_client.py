"""OpenAI's own client, for OpenAI and every provider that speaks as it does: OpenRouter, DeepSeek, Ollama, vLLM,
llama.cpp."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from recollect.providers.bounded_http import bounded_client
from recollect.providers.wire import ClaimedUsage, WireReply, failures_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.providers.wire import ChatRequest

_OWN_HOST = "https://api.openai.com/"  # here the limit on output has another name, and covers thoughts


class OpenAiClient:
    """Implements `ProviderClient`."""

    def __init__(self, provider: ProviderSettings, key: str) -> None:
        import openai

        self._provider = provider
        self._failures = partial(failures_of, openai, openai.OpenAIError, provider.name)
        self._client = openai.OpenAI(
            api_key=key or "none",
            base_url=provider.url,
            max_retries=0,
            http_client=bounded_client({"authorization": f"Bearer {key}"} if key else {}),
        )

    def ask(self, request: ChatRequest, seconds: float) -> WireReply:
        options: dict[str, Any] = {}
        limit = "max_completion_tokens" if self._provider.url.startswith(_OWN_HOST) else "max_tokens"
        options[limit] = request.max_tokens
        if request.schema is not None and self._provider.json == "schema":
            described = {"name": "reply", "schema": dict(request.schema)}
            options["response_format"] = {"type": "json_schema", "json_schema": described}
        elif request.schema is not None and self._provider.json == "object":
            options["response_format"] = {"type": "json_object"}
        with self._failures():
            reply = self._client.chat.completions.create(
                model=request.model,
                messages=[{"role": each.role.value, "content": each.text} for each in request.messages],  # type: ignore[misc]
                timeout=seconds,
                **options,
            )
            choice = reply.choices[0]
            text = choice.message.content
            refused = bool(getattr(choice.message, "refusal", None)) or choice.finish_reason == "content_filter"
            if not isinstance(text, str | None):
                raise TypeError
            return WireReply(text or "", _usage(reply), choice.finish_reason == "length", refused)

    def embed(
        self,
        model: str,
        texts: Sequence[str],
        dimension: int,
        seconds: float,
        *,
        question: bool,  # noqa: ARG002 - these models know no difference
    ) -> tuple[Sequence[Sequence[float]], ClaimedUsage]:
        # A length is asked for only where the vendor's own models can give it; others have one.
        options: dict[str, Any] = {"dimensions": dimension} if self._provider.url.startswith(_OWN_HOST) else {}
        with self._failures():
            reply = self._client.embeddings.create(
                model=model, input=list(texts), encoding_format="float", timeout=seconds, **options
            )
            ordered = sorted(reply.data, key=lambda each: each.index)
            return [each.embedding for each in ordered], _usage(reply)


def _usage(reply: Any) -> ClaimedUsage:
    """Tokens as they are claimed. Input includes what was read from the cache, so that is taken off."""
    usage = getattr(reply, "usage", None)
    if usage is None:
        return ClaimedUsage()
    details = getattr(usage, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None) or getattr(usage, "prompt_cache_hit_tokens", None) or 0
    read = getattr(usage, "prompt_tokens", None)
    if not isinstance(read, int) or not isinstance(cached, int):
        return ClaimedUsage()
    return ClaimedUsage(read - cached, cached, getattr(usage, "completion_tokens", 0) or 0)
