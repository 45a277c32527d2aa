"""The wire of Gemini: `contents` with parts. Answers are read as JSON, before the library makes objects of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.wrapping.conversation import ASSISTANT, OTHER, USER, Spoken, replaced

METHODS = (":generateContent", ":streamGenerateContent")


class GenerateContentWire:
    """Contents of a user and a model. Results of functions come as contents of the user."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        return [_spoken(content) for content in body["contents"]]

    def before(self, _body: Mapping[str, Any], /) -> str:
        return ""

    def with_block(self, body: Mapping[str, Any], place: int, block: str) -> dict[str, Any]:
        content = body["contents"][place]
        told = {**content, "parts": [{"text": block}, *content["parts"]]}
        return {**body, "contents": replaced(body["contents"], place, told)}

    def user(self, _body: Mapping[str, Any], /) -> str | None:
        return None

    def reply(self, result: Any) -> str:
        answer = json.loads(result.body) if result.body else {}
        chosen = answer.get("candidates", [])[:1]
        return "".join(_texts(each.get("content", {}), "") for each in chosen)

    def piece(self, event: Any) -> str:
        return self.reply(event)


def _spoken(content: Mapping[str, Any]) -> Spoken:
    if content.get("role") == "model":
        return Spoken(ASSISTANT, _texts(content))
    of_a_tool = any("functionResponse" in part for part in content.get("parts") or ())
    return Spoken(USER if content.get("role", "user") == "user" and not of_a_tool else OTHER, _texts(content))


def _texts(content: Mapping[str, Any], between: str = "\n") -> str:
    parts = content.get("parts") or ()
    return between.join(part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought"))
