"""A model of which a benchmark knows the answers: the engine's own code asks it, and nothing leaves the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.domain.chat.chat_model import ChatMessage, ChatModel, ChatReply, ModelTask


class PerfectModel:
    """Implements `ChatModels` and `ChatModel` for one task. Whoever inherits says what it replies to lines of JSON."""

    task: ModelTask
    model_id = "bench:perfect"

    def for_task(self, task: ModelTask, *, space: str, session: str = "") -> ChatModel | None:  # noqa: ARG002
        """See `ChatModels`."""
        return self if task is self.task else None

    def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002
        max_tokens: int = 1024,  # noqa: ARG002
        seconds: float = 60.0,  # noqa: ARG002
    ) -> ChatReply:
        """See `ChatModel`."""
        lines = [json.loads(line) for line in messages[-1].text.splitlines() if line.startswith("[")]
        return ChatReply(data=self.known(lines), model=self.model_id)

    def known(self, lines: Sequence[Sequence[Any]]) -> dict[str, Any]:
        """The right reply to the lines of a prompt."""
        raise NotImplementedError
