"""Resources that can be read by their address: a note, a profile, the newest notes, and everything as a graph."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import mcp_types as protocol

from recollect.dialects.server_memory.tools import graph_in, plain_graph
from recollect.domain.errors import NotFound
from recollect.domain.statements import USER
from recollect.surfaces.mcp import compact
from recollect.surfaces.mcp.tools import json_text
from recollect.surfaces.reception.visitor import Visitor

_JSON = "application/json"
_RECENT = 20  # notes
_PROFILE = re.compile(r"memory://profile(?:/([^/?#]+))?")
_NOTE = re.compile(r"memory://([0-7][0-9A-HJKMNP-TV-Z]{25})")

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
)


def read(visitor: Visitor, uri: str) -> protocol.ReadResourceResult:
    """Read the resource at an address. `NotFound` also for what is not the visitor's."""
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
