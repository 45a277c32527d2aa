"""The nine MCP tools of Anda Brain, which stand in `tools.json`. Each answers with an object, and with the same or
something better as text.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from recollect.dialects.anda import anda_operations, anda_records
from recollect.dialects.anda.anda_credentials import tier_of_new_spaces
from recollect.dialects.shapes import without_nulls
from recollect.dialects.text_tables import tools_in
from recollect.dialects.tool import Doer, SpaceMaker, Tool, ToolAnswer
from recollect.domain.errors import NotFound

T = TypeVar("T")


@cache
def brain_tools() -> tuple[Tool, ...]:
    """All nine, in the order in which they are listed."""
    return tools_in(__package__ or "", sys.modules[__name__], anda_operations, answered=_answered)


def _answered(found: Any, text: str) -> ToolAnswer:
    told = without_nulls(found)
    return ToolAnswer(told, told[text] if text else json.dumps(told, ensure_ascii=False))


def remember_conversation(doer: SpaceMaker, given: dict[str, Any]) -> dict[str, Any]:
    return anda_records.queued(_in_its_space(doer, lambda: anda_operations.formed(doer, given)))


def run_maintenance(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return anda_records.queued(anda_operations.maintained(doer, given))


def get_space_info(doer: Doer, _: dict[str, Any]) -> dict[str, Any]:
    return anda_records.space_info(doer.do("brain.show"))


def get_formation_status(doer: Doer, _: dict[str, Any]) -> dict[str, Any]:
    return anda_records.formation_status(doer.do("brain.show"))


def known_person(doer: SpaceMaker, given: dict[str, Any]) -> dict[str, Any]:
    # A space that is not there is made for a person only where MCP makes spaces.
    _in_its_space(doer, lambda: doer.do("brain.show"))
    return anda_operations.person(doer, given)


def list_conversations(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    found, more = anda_operations.conversations_in(doer, given)
    return {"conversations": found, "next_cursor": more}


def _in_its_space(doer: SpaceMaker, work: Callable[[], T]) -> T:
    """Do something in the space of a connection, which is made first if it is not there and the settings say so."""
    try:
        return work()
    except NotFound as absent:
        tier = tier_of_new_spaces()
        if absent.code != "space_not_found" or tier is None:
            raise
        doer.make_space(tier=tier)
    return work()
