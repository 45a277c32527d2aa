"""Many spaces side by side: the token of one gets nothing of another out of any tool, whatever is forged."""

from __future__ import annotations

from typing import Any

from recollect import Memory
from recollect.dialects.anima.anima_tools import anima_tools
from recollect.dialects.server_memory.tools import graph_tools
from recollect.surfaces.mcp.core import core_tools
from recollect.surfaces.mcp.tools import answered, verb_tools, visitor_of
from tests.surfaces.mcp.test_access import example

SPACES = 20
EVERY = [
    (toolset, tool)
    for toolset, tools in (
        ("core", core_tools()),
        ("full", verb_tools()),
        ("server-memory", graph_tools()),
        ("anima", anima_tools()),
    )
    for tool in tools
]


def test_forged_ids_cursors_and_spaces_bring_nothing_of_others(one_memory: Memory) -> None:
    known: dict[str, dict[str, Any]] = {}
    for number in range(SPACES):
        space = f"space-{number:02}"
        note = one_memory.save(f"the secret of {space}", subject="bob", tags=["secret"], space=space)
        one_memory.save("another note", space=space)
        one_memory.set_slot("motto", f"the secret of {space}", space=space)
        one_memory.start_session("work", project="shop", space=space)
        known[space] = {
            "note_id": note.id,
            "action_id": one_memory.add_action(f"the secret of {space}", space=space).id,
            "job_id": one_memory.ingest(__file__, background=True, space=space).job_id,
            "receipt_id": one_memory.recall("the secret", space=space).receipt,
            "cursor": one_memory.list(limit=1, space=space).next_cursor,
        }
    before = {space: one_memory.export(space=space).records for space in known}

    tries = 0
    for space, victim in zip(known, [*list(known)[1:], *list(known)[:1]], strict=True):
        forged = known[victim]
        token = one_memory.access.issue(scope="admin", space=space).token
        for toolset, tool in EVERY:
            visitor = visitor_of(one_memory, token, {"toolset": toolset})
            given = example(tool, forged)
            for forgery in ({}, {"cursor": forged["cursor"]}, {"space": victim}, {"derived_from": [forged["note_id"]]}):
                if set(forgery) <= set(tool.schema["properties"]):
                    told = answered(tool, visitor, {**given, **forgery}).model_dump_json()
                    assert f"secret of {victim}" not in told, (tool.name, forgery)
                    tries += 1
        # What the visitor did in their own space is theirs; the victim's is as it was.
        assert one_memory.export(space=victim).records == before[victim], space
        before[space] = one_memory.export(space=space).records
    assert tries > 1_000
