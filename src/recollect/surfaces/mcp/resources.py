"""Resources that can be read by their address, and prompts that a person can pick.

Their words are fixed. What memory adds is a fenced block, which says of itself that it is data.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import mcp_types as protocol

from recollect.dialects.server_memory.tools import graph_in, plain_graph
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.readings import USER
from recollect.domain.suggestions import unknown_field
from recollect.surfaces.mcp import compact, fact_card
from recollect.surfaces.mcp.tools import ATTACHMENT, json_text
from recollect.surfaces.reception.visitor import Visitor

_JSON = "application/json"
_RECENT = 20  # notes
_PROFILE = re.compile(r"memory://profile(?:/([^/?#]+))?")
_NOTE = re.compile(r"memory://([0-7][0-9A-HJKMNP-TV-Z]{25})")

_FILE = re.compile(f"{ATTACHMENT}([0-9a-f]{{64}})")

RESOURCES = (
    protocol.Resource(
        uri="memory://profile",
        name="profile",
        title="What is known of the user",
        description="What holds now of the user, attribute by attribute.",
        mime_type=_JSON,
    ),
    protocol.Resource(
        uri="memory://recent",
        name="recent",
        title="What is new",
        description=f"The {_RECENT} notes that were written down last.",
        mime_type=_JSON,
    ),
    protocol.Resource(
        uri="memory://knowledge-graph",
        name="knowledge-graph",
        title="Knowledge graph",
        description="All entities, what was observed of them, and how they are related.",
        mime_type=_JSON,
    ),
)
TEMPLATES = (
    protocol.ResourceTemplate(
        uri_template="memory://{id}",
        name="note",
        title="A note",
        description="One note by its id, in full.",
        mime_type=_JSON,
    ),
    protocol.ResourceTemplate(
        uri_template="memory://profile/{subject}",
        name="profile-of",
        title="What is known of somebody",
        description="What holds now of somebody or something, attribute by attribute.",
        mime_type=_JSON,
    ),
    protocol.ResourceTemplate(
        uri_template=f"{ATTACHMENT}{{digest}}",
        name="attachment",
        title="A file of a message",
        description="One file by the digest that its message has, byte for byte.",
    ),
)


def read(visitor: Visitor, uri: str) -> protocol.ReadResourceResult:
    """Read the resource at an address. `NotFound` also for what is not the visitor's."""
    if uri == fact_card.FACT_CARD:
        return fact_card.page()
    if file := _FILE.fullmatch(uri):
        found = visitor.do("attachment", {"digest": file[1]})
        blob = base64.b64encode(found.content).decode("ascii")
        held = protocol.BlobResourceContents(uri=uri, mime_type=found.media_type, blob=blob)
        return protocol.ReadResourceResult(contents=[held])
    text = json_text(_plain(visitor, uri))
    return protocol.ReadResourceResult(contents=[protocol.TextResourceContents(uri=uri, mime_type=_JSON, text=text)])


def _plain(visitor: Visitor, uri: str) -> Any:
    if uri == "memory://recent":
        notes = visitor.do("list", {"limit": _RECENT}).items
        return {"notes": [compact.note(note) for note in notes]}
    if uri == "memory://knowledge-graph":
        return plain_graph(graph_in(visitor))
    profile = _PROFILE.fullmatch(uri)
    if profile:
        return compact.profile(visitor.do("profile", {"subject": unquote(profile[1] or USER)}))
    note = _NOTE.fullmatch(uri)
    if note:
        return compact.note(visitor.do("get", {"note_id": note[1]}))
    raise NotFound(f"There is nothing at {uri[:200]}.", code="resource_not_found", hint="List the resources.")


PROMPTS = (
    protocol.Prompt(
        name="recall",
        title="Recall",
        description="Bring what memory knows about a topic into the conversation.",
        arguments=[protocol.PromptArgument(name="topic", description="what to recall", required=True)],
    ),
    protocol.Prompt(
        name="remember",
        title="Remember",
        description="Have something remembered for later sessions.",
        arguments=[protocol.PromptArgument(name="text", description="what to remember", required=True)],
    ),
    protocol.Prompt(
        name="handoff",
        title="Hand over",
        description="Write down where the work stands, for whoever goes on with it.",
        arguments=[protocol.PromptArgument(name="topic", description="what the work is about", required=False)],
    ),
)

_NOTHING = "Memory has nothing to say about it."
_REMEMBER = (
    "Remember the following for later sessions. Keep it as one or more self-contained notes with the `remember` tool; "
    "where it says something new about a known subject, give subject, attribute and value, so that the old value is "
    "taken over from. Then say in one sentence what was kept.\n\n{text}"
)
_HANDOFF = (
    "Hand this work over. Write one note of the kind `episodic` with the `remember` tool that says what was done, "
    "what was decided and why, what is open, and what to do next{about}; name files, commands and people. Keep "
    "lessons that will hold beyond this work as notes of the kind `lesson`. Correct with `update` or `feedback` "
    "whatever turned out to be wrong."
)


def written(visitor: Visitor, name: str, arguments: Mapping[str, str]) -> protocol.GetPromptResult:
    """A prompt with its arguments in their places."""
    prompt = next((each for each in PROMPTS if each.name == name), None)
    if prompt is None:
        raise NotFound(f"There is no prompt `{name[:60]}`.", code="prompt_not_found", hint="List the prompts.")
    known = {each.name: each for each in prompt.arguments or ()}
    for given in arguments:
        if given not in known:
            raise unknown_field(given, of=name, known=known)
    for each in known.values():
        if each.required and not arguments.get(each.name, "").strip():
            raise InvalidInput(f"`{each.name}` is missing.", code="field_missing", hint=f"It is {each.description}.")
    match name:
        case "recall":
            found = visitor.do("recall", {"query": arguments["topic"]})
            text = f"What memory has on the topic `{arguments['topic']}`:\n\n{found.block or _NOTHING}"
        case "remember":
            text = _REMEMBER.format(text=arguments["text"])
        case _:
            topic = arguments.get("topic")
            text = _HANDOFF.format(about=f", about {topic}" if topic else "")
    message = protocol.PromptMessage(role="user", content=protocol.TextContent(type="text", text=text))
    return protocol.GetPromptResult(description=prompt.description, messages=[message])
