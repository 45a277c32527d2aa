"""The file of the reference knowledge-graph server goes in and comes out again."""

from __future__ import annotations

import json
from typing import Any

from recollect import Memory
from recollect.dialects.server_memory.tools import DIALECT
from tests.surfaces.http.client import served

RECORDS: list[dict[str, Any]] = [
    {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["prefers tea", "speaks «Dutch»\nwell"]},
    {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
    {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"},
]


def _known(records: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps({**each, "observations": sorted(each.get("observations", ()))}) for each in records)


def test_what_came_in_from_its_file_goes_out_as_its_file() -> None:
    with Memory(store=":memory:") as memory, served(memory, dialects=(DIALECT,)) as anybody:
        memory.import_([json.dumps(each) for each in RECORDS], space="alice")
        secret = memory.access.issue(dialect="server-memory", scope="read", space="alice").secret
        assert anybody.get("/server-memory/memory.jsonl").status == 401
        file = anybody.get("/server-memory/memory.jsonl", Authorization=f"Bearer {secret}")
        lines = file.body.decode().splitlines()
        assert (file.status, file.headers["content-type"]) == (200, "application/x-ndjson")
        assert _known([json.loads(line) for line in lines]) == _known(RECORDS)
        assert memory.import_(lines, space="alice").imported == 0
