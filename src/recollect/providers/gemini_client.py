"""Google's own client, for Gemini."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from recollect.domain.chat.chat_model import ChatRole
from recollect.providers.bounded_http import bounded_client
from recollect.providers.wire import (
    ClaimedUsage,
    WireReply,
    by_status,
    no_answer,
    no_connection,
    not_understood,
    retry_after,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.providers.wire import ChatRequest

_DECLINED = ("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION")


class GeminiClient:
    """Implements `ProviderClient`."""

    def __init__(self, provider: ProviderSettings, key: str) -> None:
        from google import genai

        self._provider = provider
        self._client = genai.Client(
            api_key=key,
            vertexai=False,
            http_options=genai.types.HttpOptions(
                base_url=provider.url, httpx_client=bounded_client({"x-goog-api-key": key})
            ),
        )

    def ask(self, request: ChatRequest, seconds: float) -> WireReply:
        config: dict[str, Any] = {
            "max_output_tokens": request.max_tokens,
            "http_options": {"timeout": int(seconds * 1000)},
        }
        if request.schema is not None and self._provider.json != "none":
            config["response_mime_type"] = "application/json"
        if request.schema is not None and self._provider.json == "schema":
            config["response_json_schema"] = dict(request.schema)
        system = "\n\n".join(each.text for each in request.messages if each.role is ChatRole.SYSTEM)
        if system:
            config["system_instruction"] = system
        with self._failures():
            reply = self._client.models.generate_content(
                model=request.model,
                contents=[_content(each.role, each.text) for each in request.messages if each.role != "system"],
                config=config,  # type: ignore[arg-type]
            )
            usage = _usage(reply.usage_metadata)
            if not reply.candidates and reply.prompt_feedback is not None:
                return WireReply("", usage, declined=True)
            if not reply.candidates:
                raise ValueError
            first = reply.candidates[0]
            parts = (first.content.parts if first.content else None) or []
            text = "".join(each.text for each in parts if each.text and not each.thought)
            ended = str(getattr(first.finish_reason, "value", first.finish_reason))
            return WireReply(text, usage, ended == "MAX_TOKENS", ended in _DECLINED)

    def embed(
        self, model: str, texts: Sequence[str], dimension: int, seconds: float, *, question: bool
    ) -> tuple[Sequence[Sequence[float]], ClaimedUsage]:
        with self._failures():
            reply = self._client.models.embed_content(
                model=model,
                contents=list(texts),
                config={
                    "task_type": "RETRIEVAL_QUERY" if question else "RETRIEVAL_DOCUMENT",
                    "output_dimensionality": dimension,
                    "http_options": {"timeout": int(seconds * 1000)},
                },
            )
            # It does not say how many tokens it read.
            return [list(each.values or ()) for each in reply.embeddings or ()], ClaimedUsage()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        import httpx2
        from google.genai import errors

        name = self._provider.name
        try:
            yield
        except errors.APIError as problem:
            raise by_status(name, problem.code, retry_after(getattr(problem.response, "headers", None))) from None
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise no_connection(name) from None
        except httpx2.HTTPError:
            raise no_answer(name) from None
        except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError):
            raise not_understood(name) from None


def _content(role: ChatRole, text: str) -> dict[str, Any]:
    return {"role": "model" if role is ChatRole.ASSISTANT else "user", "parts": [{"text": text}]}


def _usage(usage: Any) -> ClaimedUsage:
    if usage is None or not isinstance(usage.prompt_token_count, int):
        return ClaimedUsage()
    cached = usage.cached_content_token_count or 0
    written = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    return ClaimedUsage(usage.prompt_token_count - cached, cached, written)
