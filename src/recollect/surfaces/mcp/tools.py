"""Tools in the words of the protocol: every verb as one, how they are listed and called, and for whom.

A connection can only narrow what its token may do: named with a space it is bound to that space, as a token can be.
"""

from __future__ import annotations

import base64
import inspect
import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any

import mcp_types as protocol

from recollect.dialects.tool import Tool, ToolAnswer, Work
from recollect.domain.access import AccessScope, AccessToken
from recollect.domain.attachments.attachment import AttachmentContent
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import checked_space
from recollect.domain.suggestions import unknown_field
from recollect.domain.values import choice, to_plain
from recollect.memory import Memory
from recollect.operations import Effect, Operation, operations_of
from recollect.surfaces.catalogue.parameters import object_schema, parameters_of
from recollect.surfaces.reception.visitor import Visitor, memory_of, open_token
from recollect.verbs.actor import no_space

ATTACHMENT = "memory://attachment/"  # before the digest of a file
ALWAYS_LOAD = "anthropic/alwaysLoad"  # a client that defers tools shows those with this mark at once


def for_client(tool: Tool) -> protocol.Tool:
    """As it is listed. Memory is a closed world: hardly anything that a tool does reaches beyond it."""
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
            open_world_hint=tool.open_world,
        ),
        _meta=_marks(tool) or None,
    )


def _marks(tool: Tool) -> dict[str, Any]:
    """Marks for clients that know them."""
    always = {ALWAYS_LOAD: True} if tool.always_load else {}
    return {**always, "ui": {"resourceUri": tool.page}} if tool.page else always


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
    if told.file is not None:
        content.append(_file_block(told.file))
    return protocol.CallToolResult(
        content=content, structured_content=None if told.object is None else dict(told.object)
    )


def _file_block(file: AttachmentContent) -> protocol.ContentBlock:
    """A file in the form that a client can show: a picture as one, anything else as a resource."""
    data = base64.b64encode(file.content).decode("ascii")
    if file.media_type.startswith("image/"):
        return protocol.ImageContent(type="image", data=data, mime_type=file.media_type)
    held = protocol.BlobResourceContents(uri=f"{ATTACHMENT}{file.digest}", mime_type=file.media_type, blob=data)
    return protocol.EmbeddedResource(type="resource", resource=held)


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
    name = next((each for each in ("note_id", "action_id", "job_id") if each in known), None)
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


_SHOWN_AT_ONCE = ("search", "save")


@cache
def verb_tools() -> tuple[Tool, ...]:
    """One tool for each verb, in the order of the catalogue."""
    return tuple(_tool(operation) for operation in operations_of(Memory).values())


def tool_name(verb: str) -> str:
    """A verb's name as a tool: many clients allow nothing but letters, digits and underscores."""
    return verb.replace(".", "_").replace("-", "_")


def _tool(operation: Operation) -> Tool:
    function = getattr(Memory, operation.method)
    words = inspect.getdoc(function) or ""
    return Tool(
        name=tool_name(operation.name),
        title=operation.name,
        description=" ".join(words.split()),
        schema=object_schema(parameters_of(function)),
        effect=operation.effect,
        verbs=(operation.name,),
        work=_calling(operation.name),
        always_load=operation.name in _SHOWN_AT_ONCE,
    )


def _calling(verb: str) -> Work:
    def work(visitor: Visitor, arguments: dict[str, Any]) -> ToolAnswer:
        found = visitor.do(verb, arguments)
        if isinstance(found, AttachmentContent):
            about = to_plain(replace(found, content=b""))
            return ToolAnswer({**about, "content": f"{ATTACHMENT}{found.digest}"}, file=found)
        plain = to_plain(found)
        # Only an object may stand there; a verb that found nothing to do answers with nothing.
        return ToolAnswer(plain if isinstance(plain, dict) else {"result": plain})

    return work


# What may stand after `?`: `space` binds a connection to one, `default` only says which is meant when none is named.
_OPTIONS = ("space", "default", "toolset", "profile")


class Toolset(StrEnum):
    """Which tools a connection has."""

    CORE = "core"  # eight, for every day
    FULL = "full"  # every verb
    SERVER_MEMORY = "server-memory"  # those of the reference knowledge-graph server
    ANDA = "anda"  # the nine of Anda Brain
    ANIMA = "anima"  # those of Anima
    ANAMNESIS = "anamnesis"  # the five of Anamnesis


@dataclass(frozen=True, slots=True)
class ToolVisitor(Visitor):
    """A visitor who speaks MCP, with a set of tools."""

    toolset: Toolset


def visitor_of(memory: Memory, token: AccessToken | None, query: Mapping[str, str]) -> ToolVisitor:
    """The visitor, from the token they showed (`None` in open mode) and from the query string of the address."""
    shown = token or open_token(memory.settings.principal)
    unknown = sorted(set(query) - set(_OPTIONS))
    if unknown:
        hint = f"There are: {', '.join(_OPTIONS)}."
        raise InvalidInput(f"There is no option `{unknown[0][:60]}` here.", code="unknown_field", hint=hint)
    space = query.get("space")
    if space is not None:
        if not shown.covers(checked_space(space)):
            raise no_space(space)
        shown = replace(shown, space=space)
    toolset = choice(Toolset, query.get("profile") or query.get("toolset") or Toolset.CORE.value, field="toolset")
    usual = shown.space or checked_space(query.get("default") or memory.settings.space)
    caller = Caller(
        Channel.MCP,
        shown.name,
        reads_only=not shown.reaches(AccessScope.WRITE),
        everywhere=shown.is_everywhere,
    )
    return ToolVisitor(memory_of(memory, shown, caller), shown, usual, toolset)
