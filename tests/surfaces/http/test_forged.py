"""Many spaces, every route, ids and cursors and filters that belong to others: nothing of theirs is seen or changed.

A thousand tries in the usual run; `make fuzz` makes twenty times as many, over a hundred spaces.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from recollect import Memory
from recollect.domain.clock import SystemClock
from recollect.operations import Shape
from recollect.surfaces.catalogue.parameters import Parameter
from recollect.surfaces.catalogue.routes import INFO, METRICS, Route, all_routes
from recollect.surfaces.reception.guard import Guard
from recollect.surfaces.server.application import application
from tests.surfaces.http.client import UNLIMITED

TRIES = int(os.environ.get("RECOLLECT_FORGED", "1000"))
SPACES = 100 if TRIES > 10_000 else 10
SEED = 20_261_115
FORMS = ("application/json", "application/cbor", "text/markdown")


@dataclass(frozen=True, slots=True)
class Tenant:
    """A space, the secret in it, how to get in, and everything about it that somebody else could name."""

    name: str
    canary: str
    token: str
    note_ids: tuple[str, ...]
    said_ids: tuple[str, ...]
    session: str
    receipt: str
    cursors: tuple[str, ...]


def settle(memory: Memory, number: int) -> Tenant:
    """All tenants say the same words, so that whatever finds one's notes would find another's."""
    name, canary = f"tenant{number:03}", f"canary{number:03}x"
    note = memory.save(
        f"The vault holds {canary}", subject="vault", attribute="code", value=canary, tags=["vault"],
        title=f"Vault {canary}", metadata={"secret": canary}, space=name, project="vault",
    )  # fmt: skip
    newer = memory.supersede(note.id, f"The vault now holds {canary} twice", space=name)
    heard = memory.add(f"My manager is {canary}. The vault is open.", space=name, session=f"session-{number}")
    told = memory.recall("what does the vault hold", space=name)
    pages = (memory.list(limit=1, state="any", space=name), memory.export(limit=1, space=name))
    return Tenant(
        name,
        canary,
        memory.access.issue(scope="admin", space=name).secret,
        (note.id, newer.id),
        heard.observation_ids,
        f"session-{number}",
        told.receipt or SystemClock().new_id(),
        tuple(page.next_cursor for page in pages if page.next_cursor),
    )


def forged(parameter: Parameter, victim: Tenant, chance: random.Random) -> Any:
    """A value that names something of somebody else."""
    known: dict[str, Callable[[], Any]] = {
        "note_id": lambda: chance.choice((*victim.note_ids, *victim.said_ids)),
        "receipt_id": lambda: victim.receipt,
        "cursor": lambda: chance.choice(victim.cursors),
        "session": lambda: victim.session,
        "name": lambda: victim.name,
        "derived_from": lambda: list(victim.note_ids),
        "depends_on": lambda: list(victim.note_ids),
        "query": lambda: "what does the vault hold",
        "text": lambda: "Please remember that the vault is mine",
        "messages": lambda: "The vault is mine. My manager is Mallory.",
        "subject": lambda: chance.choice(("vault", "user")),
        "attribute": lambda: chance.choice(("code", "manager")),
        "lines": lambda: [_line(victim)],
        "state": lambda: "any",
        "idempotency_key": lambda: chance.choice(("k1", "k2")),
        "path": lambda: "/nowhere",
        "limit": lambda: chance.choice((1, 10)),
        "budget": lambda: 500,
        "kind": lambda: "semantic",
        "project": lambda: "vault",
        "source": lambda: victim.name,
        "user": lambda: victim.name,
    }
    if parameter.name in known:
        return known[parameter.name]()
    plain: dict[Shape, Any] = {
        Shape.TRUTH: chance.random() < 0.5,
        Shape.MOMENT: "2026-01-01",
        Shape.WHOLE: 1,
        Shape.NUMBER: 0.5,
        Shape.OBJECT: {"space": victim.name},
        Shape.TEXTS: [victim.name],
    }
    return parameter.choices[0] if parameter.choices else plain.get(parameter.shape, victim.name)


def _line(victim: Tenant) -> str:
    now = "2026-01-01T00:00:00.000000Z"
    record = {
        "type": "note", "id": victim.note_ids[0], "space": victim.name, "version": 3, "kind": "semantic",
        "text": "The vault is mine", "recorded_at": now, "updated_at": now,
    }  # fmt: skip
    return json.dumps(record)


async def asked(guard: Guard, method: str, path: str, query: str, body: bytes, headers: dict[str, str]) -> Any:
    """Status and body of an answer, without a network between."""
    left = [{"type": "http.request", "body": body, "more_body": False}]
    came: list[Any] = []

    async def receive() -> Any:
        return left.pop() if left else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        came.append(message)

    said = {"Host": "127.0.0.1", "Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": method,
        "path": path, "raw_path": quote(path).encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in said.items()],
    }  # fmt: skip
    await guard(scope, receive, send)
    return came[0]["status"], b"".join(message.get("body", b"") for message in came)


def arguments(route: Route, victim: Tenant, chance: random.Random, method: str) -> dict[str, Any]:
    found = {}
    for parameter in route.parameters:
        if method == "GET" and parameter.shape in (Shape.OBJECT, Shape.MESSAGES):
            continue
        if parameter.required or chance.random() < 0.25:
            found[parameter.name] = forged(parameter, victim, chance)
    return found


def holdings(memory: Memory, tenant: Tenant) -> tuple[Any, ...]:
    return memory.export(space=tenant.name), memory.audit(space=tenant.name), memory.describe_space(tenant.name)


def test_nothing_of_others_is_seen_or_changed_by_naming_it() -> None:
    with Memory(store=":memory:", principal="tester", embedding="off") as memory:
        tenants = [settle(memory, number) for number in range(SPACES)]
        attackers, victims = tenants[: SPACES // 2], tenants[SPACES // 2 :]
        before = {each.name: holdings(memory, each) for each in victims}
        statuses, own = asyncio.run(_tried(application(memory, limits=UNLIMITED), attackers, victims))
        sys.stderr.write(f"\n{statuses.total():,} tries: {dict(sorted(statuses.items()))}\n")
        assert {each.name: holdings(memory, each) for each in victims} == before
    assert statuses.total() >= TRIES
    assert not [status for status in statuses if status >= 500]
    assert own > TRIES / 50, "hardly anybody found even what is theirs, so little was tried"


async def _tried(guard: Guard, attackers: list[Tenant], victims: list[Tenant]) -> tuple[Counter[int], int]:
    """How often each status came, and how often an attacker was told its own secret."""
    chance, statuses, own = random.Random(SEED), Counter[int](), 0
    routes = list(all_routes().values())
    while statuses.total() < TRIES:
        for route in routes:
            attacker, victim = chance.choice(attackers), chance.choice(victims)
            # Mostly from inside one's own space: there the names of others get past the guard.
            space = victim.name if chance.random() < 0.1 else attacker.name
            method = chance.choice(route.methods)
            given = arguments(route, victim, chance, method)
            body = b"" if method == "GET" else json.dumps(given).encode()
            query = urlencode(_flat(given)) if method == "GET" else ""
            head = {"Authorization": f"Bearer {attacker.token}", "Accept": chance.choice(FORMS)}
            status, told = await asked(guard, method, route.path.format(space=space), query, body, head)
            statuses[status] += 1
            assert status < 500, f"{method} {route.path} {given} {told!r}"
            own += attacker.canary.encode() in told
            _require_silence(told, attacker, victims, f"{method} {route.path} {given}")
        for path in (INFO, METRICS):
            attacker = chance.choice(attackers)
            status, told = await asked(guard, "GET", path, "", b"", {"Authorization": f"Bearer {attacker.token}"})
            statuses[status] += 1
            _require_silence(told, attacker, victims, path)
    return statuses, own


def _require_silence(told: bytes, attacker: Tenant, others: list[Tenant], what: str) -> None:
    if b"canary" in told:
        leaked = [each.name for each in others if each.canary.encode() in told]
        assert not leaked, f"{what} told {attacker.name} of {leaked}"


def _flat(given: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, json.dumps(each) if isinstance(each, bool) else str(each))
        for name, value in given.items()
        for each in (value if isinstance(value, list) else [value])
    ]
