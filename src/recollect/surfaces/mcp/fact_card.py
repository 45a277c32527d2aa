"""The fact card: a page that hosts of MCP Apps show inside a chat, in place of the text that `timeline` answers with.

It is one file, built with the dashboard from `web/`, and asks nobody: its buttons have the host call tools. Protocol:
the extension `io.modelcontextprotocol/ui`, revision 2026-01-26.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mcp_types as protocol

from recollect.domain.errors import NotFound

FACT_CARD = "ui://recollect/fact-card"
PAGE_TYPE = "text/html;profile=mcp-app"
BUILT = Path(__file__).parents[1] / "dashboard" / "static" / "fact-card.html"


@cache
def is_built() -> bool:
    """Whether this copy has the page: a source tree may be without it, a wheel never is."""
    return BUILT.is_file()


def page() -> protocol.ReadResourceResult:
    """The page, which needs no other host and no permission."""
    if not is_built():
        raise NotFound("The fact card was not built.", code="resource_not_found", hint="`make dashboard` builds it.")
    text = BUILT.read_text(encoding="utf-8")
    marks = {"ui": {"csp": {}, "prefersBorder": True}}
    held = protocol.TextResourceContents(uri=FACT_CARD, mime_type=PAGE_TYPE, text=text, _meta=marks)
    return protocol.ReadResourceResult(contents=[held])
