"""What the protocol's conformance suite asks a server under test for: tools, resources and prompts of fixed names.

They stand beside ours behind the same guard, so that the suite tries every kind of content, refusal and asking back on
the road that our own answers take. Loaded only where a developer asked for it; nothing here reads or writes memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import mcp_types as protocol
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from recollect.domain.dataclass import dataclass, field

Context: TypeAlias = ServerRequestContext[Any, Any]
Played: TypeAlias = protocol.CallToolResult | protocol.InputRequiredResult
Play: TypeAlias = Callable[[Context, protocol.CallToolRequestParams], Awaitable[Played]]

_STEP = 0.05  # seconds between two notices of one call: the suite wants to see them come one by one
_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="  # one pixel
_WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="  # no sound at all
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True)
class Fixture:
    """A tool of the suite."""

    name: str
    does: str
    play: Play
    schema: dict[str, Any] = field(default_factory=lambda: _NOTHING)

    def for_client(self) -> protocol.Tool:
        return protocol.Tool(name=self.name, description=self.does, input_schema=self.schema)


def add_fixtures(server: Server[Any]) -> None:
    """Have a server answer for the suite's names too. Whatever else it is asked, it answers as before."""
    tools = {each.name: each for each in _tools()}
    _beside(server, "tools/list", _listing("tools", [each.for_client() for each in tools.values()]))
    _beside(server, "resources/list", _listing("resources", _RESOURCES))
    _beside(server, "resources/templates/list", _listing("resource_templates", _TEMPLATES))
    _beside(server, "prompts/list", _listing("prompts", _PROMPTS))
    _beside(server, "tools/call", lambda asked: tools[asked.name].play if asked.name in tools else None)
    _beside(
        server, "resources/read", lambda asked: _read if asked.uri in _CONTENTS or _is_templated(asked.uri) else None
    )
    _beside(server, "prompts/get", lambda asked: _prompted if asked.name in _NAMES_OF_PROMPTS else None)
    server.add_request_handler("completion/complete", protocol.CompleteRequestParams, _completed)
    server.add_request_handler("logging/setLevel", protocol.SetLevelRequestParams, _done)
    server.add_request_handler("resources/subscribe", protocol.SubscribeRequestParams, _done)
    server.add_request_handler("resources/unsubscribe", protocol.UnsubscribeRequestParams, _done)
    server.get_tool_input_schema = lambda name: tools[name].schema if name in tools else None
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=server.name))


def _beside(server: Server[Any], method: str, chosen: Callable[[Any], Any]) -> None:
    """Answer a method with what is chosen for a request, which is given what was there before, or as before."""
    before = server.get_request_handler(method)
    if before is None:
        raise AssertionError(f"there is nothing to stand beside at {method}")

    async def answer(context: Context, params: Any) -> Any:
        mine = chosen(params)
        if mine is None:
            return await before.handler(context, params)
        if isinstance(mine, _Listing):
            return mine.after(await before.handler(context, params))
        return await mine(context, params)

    server.add_request_handler(method, before.params_type, answer)


@dataclass(frozen=True, slots=True)
class _Listing:
    """What is listed after our own."""

    kind: str
    items: Sequence[Any]

    def after(self, ours: Any) -> Any:
        return ours.model_copy(update={self.kind: [*getattr(ours, self.kind), *self.items]})


def _listing(kind: str, items: Sequence[Any]) -> Callable[[Any], _Listing]:
    return lambda _: _Listing(kind, items)


async def _done(_context: Context, _params: Any) -> protocol.EmptyResult:
    return protocol.EmptyResult()


async def _completed(_context: Context, _params: protocol.CompleteRequestParams) -> protocol.CompleteResult:
    return protocol.CompleteResult(completion=protocol.Completion(values=[], total=0, has_more=False))


# --- tools ------------------------------------------------------------------------------------------------------------


def _tools() -> tuple[Fixture, ...]:
    image = protocol.ImageContent(type="image", data=_PNG, mime_type="image/png")
    numbers = '{"test":"data","value":123}'
    return (
        Fixture(
            "test_simple_text", "Answers with text.", _saying(_text("This is a simple text response for testing."))
        ),
        Fixture("test_image_content", "Answers with an image.", _saying(image)),
        Fixture(
            "test_audio_content",
            "Answers with a sound.",
            _saying(protocol.AudioContent(type="audio", data=_WAV, mime_type="audio/wav")),
        ),
        Fixture(
            "test_embedded_resource",
            "Answers with a resource.",
            _saying(_embedded("test://embedded-resource", "This is an embedded resource content.")),
        ),
        Fixture(
            "test_multiple_content_types",
            "Answers with text, an image and a resource.",
            _saying(
                _text("Multiple content types test:"),
                image,
                _embedded("test://mixed-content-resource", numbers, "application/json"),
            ),
        ),
        Fixture("test_error_handling", "Answers with an error.", _failing),
        Fixture("test_tool_with_logging", "Logs three lines.", _logging),
        Fixture("test_logging_tool", "Logs three lines.", _logging),
        Fixture("test_tool_with_progress", "Tells how far it is.", _progressing),
        Fixture("test_missing_capability", "Needs a client that can sample.", _needing_sampling),
        Fixture("test_streaming_elicitation", "Asks for a name.", _asking({"name": _NAME})),
        Fixture(
            "json_schema_2020_12_tool", "Has a schema with every keyword.", _saying(_text("Done.")), _EVERY_KEYWORD
        ),
        Fixture("test_header_parameter", "Has a parameter in a header.", _saying(_text("Done.")), _IN_A_HEADER),
        *(Fixture(f"test_input_required_result_{name}", "Asks back.", play) for name, play in _ASKING.items()),
    )


def _text(text: str) -> protocol.TextContent:
    return protocol.TextContent(type="text", text=text)


def _embedded(uri: str, text: str, mime_type: str = "text/plain") -> protocol.EmbeddedResource:
    resource = protocol.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return protocol.EmbeddedResource(type="resource", resource=resource)


def _saying(*content: protocol.ContentBlock) -> Play:
    async def play(_context: Context, _params: protocol.CallToolRequestParams) -> Played:
        return protocol.CallToolResult(content=list(content))

    return play


async def _failing(_context: Context, _params: protocol.CallToolRequestParams) -> Played:
    return protocol.CallToolResult(
        content=[_text("This tool intentionally returns an error for testing")], is_error=True
    )


async def _logging(context: Context, _params: protocol.CallToolRequestParams) -> Played:
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        # Deprecated, and tried by the suite all the same.
        await context.session.send_log_message(  # type: ignore[deprecated]
            "info", line, related_request_id=context.request_id
        )
        await asyncio.sleep(_STEP)
    return protocol.CallToolResult(content=[_text("Three lines were logged.")])


async def _progressing(context: Context, _params: protocol.CallToolRequestParams) -> Played:
    for percent in (0, 50, 100):
        await context.session.report_progress(percent, 100)
        await asyncio.sleep(_STEP)
    return protocol.CallToolResult(content=[_text("It is done.")])


async def _needing_sampling(context: Context, _params: protocol.CallToolRequestParams) -> Played:
    if not _can(context, "sampling/createMessage"):
        raise MCPError(
            protocol.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool needs a client that can sample.",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return protocol.CallToolResult(content=[_text("The client can sample.")])


_IN_A_HEADER: dict[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}
_EVERY_KEYWORD: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


# --- asking back ------------------------------------------------------------------------------------------------------


def _form(message: str, **properties: str) -> protocol.ElicitRequest:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return protocol.ElicitRequest(params=protocol.ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(text: str, tokens: int) -> protocol.CreateMessageRequest:
    message = protocol.SamplingMessage(role="user", content=protocol.TextContent(type="text", text=text))
    return protocol.CreateMessageRequest(
        params=protocol.CreateMessageRequestParams(messages=[message], max_tokens=tokens)
    )


def _asking(*rounds: Mapping[str, protocol.InputRequest]) -> Play:
    async def play(context: Context, params: protocol.CallToolRequestParams) -> Played:
        return _asked(context, params, rounds) or protocol.CallToolResult(content=[_text(_told(params))])

    return play


def _asked(
    context: Context,
    params: protocol.CallToolRequestParams | protocol.GetPromptRequestParams,
    rounds: Sequence[Mapping[str, protocol.InputRequest]],
) -> protocol.InputRequiredResult | None:
    """What is still to be asked, of what the client can answer; `None` once everything was answered. The state is the
    round that was asked last; a boundary of the SDK seals it, so that one that comes back is ours."""
    at = int(params.request_state or 0)
    if set(rounds[at]) <= set(params.input_responses or ()):
        at += 1
    if at == len(rounds):
        return None
    questions = {name: question for name, question in rounds[at].items() if _can(context, question.method)}
    return protocol.InputRequiredResult(input_requests=questions, request_state=str(at))


def _told(params: protocol.CallToolRequestParams | protocol.GetPromptRequestParams) -> str:
    """Everything that was answered, and whether a state came back whole."""
    answers = {
        name: answer.model_dump(mode="json", by_alias=True, exclude_none=True)
        for name, answer in (params.input_responses or {}).items()
    }
    return f"{'no state' if params.request_state is None else 'state-ok'}: {json.dumps(answers, ensure_ascii=False)}"


_CAPABILITIES = {
    "elicitation/create": protocol.ClientCapabilities(elicitation=protocol.ElicitationCapability()),
    "sampling/createMessage": protocol.ClientCapabilities(sampling=protocol.SamplingCapability()),
    "roots/list": protocol.ClientCapabilities(roots=protocol.RootsCapability()),
}


def _can(context: Context, method: str) -> bool:
    return context.session.check_client_capability(_CAPABILITIES[method])


_NAME = _form("What is your name?", name="string")
_ROOTS = protocol.ListRootsRequest()
_ASKING: dict[str, Play] = {
    "elicitation": _asking({"user_name": _NAME}),
    "sampling": _asking({"capital_question": _sample("What is the capital of France?", 100)}),
    "list_roots": _asking({"client_roots": _ROOTS}),
    "request_state": _asking({"confirm": _form("Please confirm", ok="boolean")}),
    "tampered_state": _asking({"confirm": _form("Please confirm", ok="boolean")}),
    "multiple_inputs": _asking(
        {"user_name": _NAME, "greeting": _sample("Generate a greeting", 50), "client_roots": _ROOTS}
    ),
    "multi_round": _asking(
        {"step1": _form("Step 1: What is your name?", name="string")},
        {"step2": _form("Step 2: What is your favorite color?", color="string")},
    ),
    "capabilities": _asking({"user_name": _NAME, "greeting": _sample("Generate a greeting", 50)}),
}


# --- resources --------------------------------------------------------------------------------------------------------

_RESOURCES = (
    protocol.Resource(uri="test://static-text", name="static-text", description="A text.", mime_type="text/plain"),
    protocol.Resource(uri="test://static-binary", name="static-binary", description="An image.", mime_type="image/png"),
    protocol.Resource(uri="test://watched-resource", name="watched", description="A text.", mime_type="text/plain"),
)
_TEMPLATES = (
    protocol.ResourceTemplate(
        uri_template="test://template/{id}/data",
        name="template",
        description="What belongs to an id.",
        mime_type="application/json",
    ),
)
_CONTENTS: dict[str, protocol.TextResourceContents | protocol.BlobResourceContents] = {
    "test://static-text": protocol.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": protocol.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=_PNG),
    "test://watched-resource": protocol.TextResourceContents(
        uri="test://watched-resource", mime_type="text/plain", text="It never changes."
    ),
}
_BEFORE, _AFTER = "test://template/", "/data"


def _is_templated(uri: str) -> bool:
    return uri.startswith(_BEFORE) and uri.endswith(_AFTER)


async def _read(_context: Context, params: protocol.ReadResourceRequestParams) -> protocol.ReadResourceResult:
    uri = params.uri
    if uri in _CONTENTS:
        return protocol.ReadResourceResult(contents=[_CONTENTS[uri]])
    known = uri.removeprefix(_BEFORE).removesuffix(_AFTER)
    text = json.dumps({"id": known, "templateTest": True, "data": f"Data for ID: {known}"})
    return protocol.ReadResourceResult(
        contents=[protocol.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
    )


# --- prompts ----------------------------------------------------------------------------------------------------------


def _prompt(name: str, does: str, *arguments: str) -> protocol.Prompt:
    taken = [protocol.PromptArgument(name=each, description="any text", required=True) for each in arguments]
    return protocol.Prompt(name=name, description=does, arguments=taken)


_PROMPTS = (
    _prompt("test_simple_prompt", "Is a text."),
    _prompt("test_prompt_with_arguments", "Has its arguments in it.", "arg1", "arg2"),
    _prompt("test_prompt_with_embedded_resource", "Has a resource in it.", "resourceUri"),
    _prompt("test_prompt_with_image", "Has an image in it."),
    _prompt("test_input_required_result_prompt", "Asks back."),
)
_NAMES_OF_PROMPTS = frozenset(each.name for each in _PROMPTS)
_CONTEXT = {"user_context": _form("What context should the prompt use?", context="string")}


async def _prompted(
    context: Context, params: protocol.GetPromptRequestParams
) -> protocol.GetPromptResult | protocol.InputRequiredResult:
    given = params.arguments or {}
    content: list[protocol.ContentBlock]
    match params.name:
        case "test_simple_prompt":
            content = [_text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            content = [_text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")]
        case "test_prompt_with_embedded_resource":
            content = [
                _embedded(given.get("resourceUri", ""), "Embedded resource content for testing."),
                _text("Please process the embedded resource above."),
            ]
        case "test_prompt_with_image":
            image = protocol.ImageContent(type="image", data=_PNG, mime_type="image/png")
            content = [image, _text("Please analyze the image above.")]
        case _:
            asked = _asked(context, params, (_CONTEXT,))
            if asked is not None:
                return asked
            content = [_text(_told(params))]
    return protocol.GetPromptResult(messages=[protocol.PromptMessage(role="user", content=each) for each in content])
