"""The nine MCP tools of Anda Brain, which stand in `tools.json`. Each answers with an object, and with the same or
something better as text.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from recollect.dialects.anda import anda_operations, anda_records
from recollect.dialects.shapes import without_nulls
from recollect.dialects.tool import Doer, Tool, ToolAnswer
from recollect.dialects.tool_table import tools_in


@cache
def brain_tools() -> tuple[Tool, ...]:
    """All nine, in the order in which they are listed."""
    return tools_in(__package__ or "", sys.modules[__name__], anda_operations, answered=_answered)


def _answered(found: Any, text: str) -> ToolAnswer:
    told = without_nulls(found)
    return ToolAnswer(told, told[text] if text else json.dumps(told, ensure_ascii=False))


def remember_conversation(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return anda_records.queued(anda_operations.formed(doer, given))


def run_maintenance(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return anda_records.queued(anda_operations.maintained(doer, given))


def get_space_info(doer: Doer, _: dict[str, Any]) -> dict[str, Any]:
    return anda_records.space_info(doer.do("brain.show"))


def get_formation_status(doer: Doer, _: dict[str, Any]) -> dict[str, Any]:
    return anda_records.formation_status(doer.do("brain.show"))


def known_person(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    doer.do("brain.show")  # a space that is not there is not made for a person
    return anda_operations.person(doer, given)


def list_conversations(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    found, more = anda_operations.conversations_in(doer, given)
    return {"conversations": found, "next_cursor": more}
