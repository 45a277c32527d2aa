"""Whatever is sent to a line of a dialect is answered or refused, and never fails."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from recollect import Memory
from recollect.dialects.registry import MODULES, loaded
from recollect.dialects.table import Dialect
from tests.dialects.test_together import SPACE, shown
from tests.surfaces.http.client import Client, served

pytestmark = pytest.mark.xdist_group("dialect dialects nonsense")  # one after the other, on one server

SPOKEN = loaded(MODULES)
MADE_UP = int(
    os.environ.get("RECOLLECT_FUZZ_DIALECTS", "0")
)  # bodies for each line; with some, each gets all else, too
PARTS = ("x", "00000000-0000-4000-8000-000000000000", "01K3ZQ5V7N8M2R4T6W8Y0A2C4E", "a\x00b", "é" * 300, "../..", "{}")
QUERIES = (
    "", "limit=-1", "limit=1e9", "limit=99999999999999999999", "offset=9999999&limit=1000", "q=%00", "q=%F0%9F%A6%8A",
    "q=" + "a" * 5000, "user_id=%ff&slot_hint=%00&category=x", "max_facts=0", "temporal_state=soon", "top_k=%E2%91%A1",
    "include_historical=maybe", "category=%00", "user_id=ana&category=learning&limit=1", "q=x&include_history=true",
)  # fmt: skip
FIELDS: tuple[dict[str, Any], ...] = (
    {},
    {"content": "\ud800 half a character", "user_id": "ana", "session_id": "s", "role": "user"},
    {"content": ["x"], "user_id": {"a": 1}, "session_id": 7, "role": None},
    {"content": "a\x00b", "user_id": "a\nb", "session_id": "s\x00", "role": "user", "query": "\x00"},
    {"content": "x" * 200_000, "user_id": "u" * 5000, "session_id": "s" * 5000, "role": "user", "query": "q" * 9000},
    {"user_id": "ana", "query": "x", "limit": 10**30, "categories": ["\x00"], "max_age_days": 10**9},
    {"user_id": "ana", "query": "x", "limit": 1.5, "max_age_days": -1, "current_view_only": "yes"},
    {"user_id": "ana", "query": "x", "categories": ["learning", "nonsense"], "temporal_states": ["past", "future"]},
    {"user_id": "ana", "query": "AND OR NOT \" ' ; DROP TABLE -- * ( )", "include_historical": True},
    {"user_id": "ana", "query": "x", "max_age_days": 100_000, "limit": 20},
    {"messages": [None, 3, {"role": [], "content": {}}], "filters": [[]], "memories": [{"memory_id": 3}], "text": 3},
    {"query": "x", "filters": {"OR": [{"NOT": [{"created_at": {"gte": "never"}}]}]}, "top_k": 10**30, "page": -1},
    {
        "command": "insert",
        "path": "/memories/\x00",
        "insert_line": 10**30,
        "insert_text": "\ud800",
        "view_range": ["a"],
    },
    {"type": "semantic", "title": "x" * 5000, "body": "\ud800", "tags": [[]], "scope": 3, "project": {"a": 1}},
    {
        "messages": "x",
        "context": [1],
        "timestamp": "never",
        "commands": [{"command": 3}],
        "space_id": "../",
        "tier": 10**40,
    },
)
BODIES = (*(json.dumps(each).encode() for each in FIELDS), b"null", b"[]", b"\xff\xfe", b"{" * 5000, b'{"a":1,"a":2}')


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, dict[str, dict[str, str]]]]:
    """One server that speaks all of them, with the credentials of a client for each."""
    with Memory(store=":memory:", home=tmp_path_factory.mktemp("port"), embedding="off") as memory:
        memory.create_space(SPACE)
        secrets = {each.name: memory.access.issue(dialect=each.name, scope="admin").secret for each in SPOKEN}
        with served(memory, dialects=SPOKEN) as client:
            yield client, {name: shown(name, secret) for name, secret in secrets.items()}


_NAMES = sorted({name for each in FIELDS for name in each} | {
    "sessionId", "project", "memoryId", "newContent", "memory_ids", "event_types", "url", "feedback", "expiration_date",
    "conversation", "scope", "token", "user", "name", "public", "file_text", "old_str", "new_str", "hookType", "data",
})  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**30, 10**400, "", "x", "ana", "\x00", "\ud800", "9999-12-31", "2026-01-01", "../..",
    "é" * 300, [], [1], ["x", None], {}, {"a": [None]}, {"role": "user", "content": "x"},
    [{"role": "user", "content": ["x"]}],
)  # fmt: skip


def made_up(chance: random.Random) -> bytes:
    """An object of a few names that some dialect knows, with values that seldom suit them."""
    names = chance.sample(_NAMES, chance.randint(1, 6))
    return json.dumps({name: chance.choice(_VALUES) for name in names}).encode()


@pytest.mark.parametrize("dialect", SPOKEN, ids=lambda each: each.name)
def test_nonsense_is_refused_and_fails_nowhere(
    port: tuple[Client, dict[str, dict[str, str]]], dialect: Dialect
) -> None:
    """Each line gets a part of it, the next line the next part; a single line gets all. A seed is told by a failure."""
    client, headers = port
    seed = random.randrange(10**9) if MADE_UP else 0
    chance = random.Random(seed)
    step = 1 if MADE_UP else min(3 if len(dialect.paths) < 100 else 6, len(dialect.paths))
    for number, line in enumerate(dialect.paths):
        bodies = (*BODIES, *(made_up(chance) for _ in range(MADE_UP))) if line.method != "GET" else ()
        tries = list(itertools.zip_longest(PARTS, QUERIES, bodies))
        for part, query, body in tries[number % step :: step]:
            filled = line.path.replace("{space}", SPACE)
            path = re.sub(r"\{\w+\}", quote(part or "ana", safe=""), filled)
            answer = client.send(line.method, f"{path}?{query or ''}", body, **headers[dialect.name])
            assert answer.status < 500 or answer.status == 501, (seed, line.path, part, query, body, answer.body[:300])
