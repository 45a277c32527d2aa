"""Tools in the words of the protocol: how one is listed, how it is called, and how it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import mcp_types as protocol

from recollect.dialects.tool import Tool
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.suggestions import unknown_field
from recollect.operations import Effect
from recollect.surfaces.reception.visitor import Visitor

ALWAYS_LOAD = "anthropic/alwaysLoad"  # a client that defers tools shows those with this mark at once


def for_client(tool: Tool) -> protocol.Tool:
    """As it is listed. Memory is a closed world: nothing that a tool does reaches beyond it."""
    reads = tool.effect is Effect.READ
    return protocol.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema,
        output_schema=tool.output,
        annotations=protocol.ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=tool.effect is Effect.DESTROY,
            idempotent_hint=reads or tool.idempotent,
            open_world_hint=False,
        ),
        _meta={ALWAYS_LOAD: True} if tool.always_load else None,
    )


def answered(tool: Tool, visitor: Visitor, arguments: dict[str, Any]) -> protocol.CallToolResult:
    """Have a tool do its work. What goes wrong is its answer too, with our code and the next step."""
    try:
        for verb in tool.verbs:
            visitor.require(verb)  # also those it would call last, so that nothing is told by how far it got
        arguments = _by_their_names(tool, arguments)
        _require_known(tool, arguments)
        told = tool.work(visitor, arguments)
    except RecollectError as problem:
        return refused(problem)
    text = told.text or json_text(told.object)
    content: list[protocol.ContentBlock] = [protocol.TextContent(type="text", text=text)]
    return protocol.CallToolResult(
        content=content, structured_content=None if told.object is None else dict(told.object)
    )


def refused(problem: RecollectError) -> protocol.CallToolResult:
    """An error as a tool tells it: a sentence to read, and the fields that every door has."""
    told = problem.as_dict()
    sentence = " ".join(part for part in (problem.message, problem.hint, f"({problem.code})") if part)
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=encodable(sentence))],
        structured_content={"error": json.loads(json_text(told))},
        is_error=True,
    )


def json_text(plain: Any) -> str:
    """Compact JSON of characters that can be sent."""
    return encodable(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))


def encodable(text: str) -> str:
    """The text with what is not even Unicode as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _by_their_names(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments with `id` under the name that the tool has for it: answers say `id`, and so do those who read them."""
    known = tool.schema.get("properties", {})
    name = next((each for each in ("note_id", "action_id") if each in known), None)
    if name is None or "id" in known or "id" not in arguments:
        return arguments
    if arguments.get(name, arguments["id"]) != arguments["id"]:
        raise InvalidInput(
            f"`id` and `{name}` say different things.", code="invalid_field", hint=f"Give `{name}` only."
        )
    return {**{given: value for given, value in arguments.items() if given != "id"}, name: arguments["id"]}


def _require_known(tool: Tool, arguments: Mapping[str, Any]) -> None:
    if tool.schema.get("additionalProperties", True):
        return
    for name in arguments:
        if name not in tool.schema["properties"]:
            raise unknown_field(name, of=tool.name, known=tool.schema["properties"])
