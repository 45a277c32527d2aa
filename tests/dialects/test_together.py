"""All dialects on one port: clients are at home, no credential opens another family, shared paths are settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.registry import MODULES, loaded
from recollect.dialects.table import lines_at
from recollect.surfaces.reception.guard import Guard
from recollect.surfaces.server.application import application
from tests.surfaces.http.client import UNLIMITED, Answer, Client, served
from tests.surfaces.http.test_guard import ask

pytestmark = pytest.mark.xdist_group("dialect dialects together")  # one after the other, on one server

EVERY = loaded(MODULES)
SPACE = "shared"
REFUSED = {"memoire": 403}  # as it says of a key that it does not know; the others say 401
MEMOIRE_NOUNS = ("users", "sessions", "ingest", "recall", "history", "conscious", "facts", "timeline")
_SAID = {"user_id": "ana", "session_id": "chat", "role": "user", "content": "I live in Oslo."}
_FILE = {"command": "create", "path": "/memories/tea.md", "file_text": "Ana drinks tea."}
# Of each system: method, path, body, status, and words of the answer.
SCENARIOS: dict[str, tuple[tuple[str, str, Any, int, str], ...]] = {
    "agentmemory": (
        ("POST", "/agentmemory/remember", {"content": "Orders go through a queue"}, 201, "queue"),
        ("POST", "/agentmemory/search", {"query": "orders"}, 200, "queue"),
        ("GET", "/agentmemory/health", None, 200, "database"),
    ),
    "anamnesis": (
        ("POST", "/api/notes", {"type": "semantic", "title": "Fern", "body": "Water the fern"}, 201, "Fern"),
        ("GET", "/api/notes?q=fern", None, 200, "Fern"),
        ("GET", "/api/overview", None, 200, "stats"),
    ),
    "anda": (
        ("POST", f"/v1/{SPACE}/formation", {"messages": [{"role": "user", "content": "I like jazz."}]}, 200, "result"),
        ("GET", f"/v1/{SPACE}/conversations/1", None, 200, "jazz"),
        ("GET", f"/v1/{SPACE}/status", None, 200, "result"),
    ),
    "anima": (
        ("POST", "/api/messages", {"content": "My cat is called Mia."}, 201, "Mia"),
        ("GET", "/api/search?q=cat", None, 200, "Mia"),
        ("GET", "/health", None, 200, "healthy"),
    ),
    "mem0": (
        ("POST", "/v3/memories/add/", {"messages": "My locker is 42", "user_id": "ana", "infer": False}, 200, "42"),
        ("POST", "/search", {"query": "locker", "filters": {"user_id": "ana"}}, 200, "42"),
        ("GET", "/v1/ping/", None, 200, "ok"),
    ),
    "memoire": (
        ("POST", "/v1/ingest", _SAID, 201, "job_id"),
        ("POST", "/v1/recall", {"user_id": "ana", "query": "where do I live"}, 200, "Oslo"),
        ("GET", "/health", None, 200, "healthy"),
    ),
    "memory-tool": (
        ("POST", "/memory-tool", _FILE, 200, "created"),
        ("POST", "/memory-tool", {"command": "view", "path": "/memories"}, 200, "tea.md"),
    ),
    "server-memory": (("GET", "/server-memory/memory.jsonl", None, 200, ""),),
}


@dataclass(frozen=True)
class Port:
    """One server that speaks everything, and what a client of each family shows there."""

    memory: Memory
    client: Client
    secrets: dict[str, str]

    def send(self, family: str, method: str, path: str, body: Any = None) -> Answer:
        return self.client.send(method, path, body, **shown(family, self.secrets[family]))


def shown(family: str, secret: str) -> dict[str, str]:
    """The headers in which a client of a family shows a secret."""
    match family:
        case "anima":
            return {"X-Api-Key": secret, "X-User-Id": "ana"}
        case "memoire":
            return {"X-API-Key": f"memori_{secret}"}
        case "mem0":
            return {"Authorization": f"Token {secret}"}
        case _:
            return {"Authorization": f"Bearer {secret}"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Port]:
    with Memory(store=":memory:", home=tmp_path_factory.mktemp("together"), embedding="off") as memory:
        memory.create_space(SPACE)
        # Keys of services that name their users themselves go as far as the server does.
        places = {name: None if name in ("anima", "memoire") else SPACE for name in MODULES}
        secrets = {
            name: memory.access.issue(dialect=name, scope="admin", space=place).secret for name, place in places.items()
        }
        with served(memory, dialects=EVERY) as client:
            yield Port(memory, client, secrets)


@pytest.fixture(scope="module")
def guard(port: Port) -> Guard:
    return application(port.memory, limits=UNLIMITED, dialects=EVERY)


def test_every_system_has_a_scenario() -> None:
    assert SCENARIOS.keys() == MODULES.keys()


@pytest.mark.parametrize("family", SCENARIOS)
def test_clients_of_every_system_are_at_home_on_one_port(port: Port, family: str) -> None:
    for method, path, body, status, words in SCENARIOS[family]:
        answer = port.send(family, method, path, body)
        assert (answer.status, words in answer.body.decode()) == (status, True), (path, answer.body[:300])


def test_a_credential_of_one_family_opens_no_line_of_another(port: Port, guard: Guard) -> None:
    """Every key of another family is tried at one line of each, and the keys in turn at all the others."""
    for dialect in EVERY:
        others = sorted(MODULES.keys() - {dialect.name})
        for number, line in enumerate(each for each in dialect.paths if not each.open):
            path = re.sub(r"\{\w+\}", SPACE, line.path)
            for other in [others[number % len(others)]] if number else others:
                status, _, read = ask(guard, line.method, path, shown(dialect.name, port.secrets[other]))
                assert (status, read) == (REFUSED.get(dialect.name, 401), 0), (dialect.name, line.method, path, other)


def test_our_own_paths_take_no_key_of_a_dialect_and_no_dialect_takes_a_key_of_ours(port: Port, guard: Guard) -> None:
    ours = port.memory.access.issue(scope="admin").secret
    for family, steps in SCENARIOS.items():
        assert ask(guard, "GET", "/v1/spaces", {"Authorization": f"Bearer {port.secrets[family]}"})[0] == 401
        method, path = steps[0][:2]
        assert ask(guard, method, path, shown(family, ours))[0] == REFUSED.get(family, 401), path


def test_no_path_is_claimed_twice_but_health_which_suits_both() -> None:
    claims: dict[tuple[str, str], set[str]] = {}
    for dialect in EVERY:
        for line in dialect.paths:
            claims.setdefault((line.method, re.sub(r"\{\w+\}", "{}", line.path)), set()).add(dialect.name)
    assert {claim: who for claim, who in claims.items() if len(who) > 1} == {("GET", "/health"): {"anima", "memoire"}}


@pytest.mark.parametrize("noun", MEMOIRE_NOUNS)
def test_a_word_of_memoire_is_no_space_of_anda(port: Port, noun: str) -> None:
    """`/v1/facts/info` is the user `info` in Mémoire, and `/v1/users/recall` nobody's recall."""
    for method, word in (("GET", "info"), ("GET", "status"), ("GET", "conversations")):
        claimed = {each.dialect.name for each in lines_at(EVERY, f"/v1/{noun}/{word}") if each.path.method == method}
        assert claimed == ({"memoire"} if noun in ("history", "conscious", "facts") else {"anda"})
    assert port.send("anda", "POST", f"/v1/{noun}/recall", {"query": "x"}).status in (400, 401, 405)


def test_health_and_the_front_page_suit_everybody_who_asks_for_them(port: Port) -> None:
    assert port.client.get("/health").json.keys() >= {"status", "version"}
    assert port.client.get("/", Accept="application/json").json["service"] == "memori-api"
    assert port.client.get("/", Accept="application/json, text/markdown").json["service"] == "memori-api"
    page = port.client.get("/", Accept="text/markdown")
    assert (page.status, page.body) == (200, port.client.get("/SKILL.md").body)
    assert port.client.get("/agentmemory/livez").status == port.client.get("/info").status == 200
