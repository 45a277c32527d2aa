"""The requests of a page reach a real server and are answered."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

import pytest

from recollect import Memory
from tests.documentation.pages import Command, blocks, commands_in
from tests.surfaces.http.client import LIMIT, Client, served

CURL = [command for block in blocks("sh", "console") for command in commands_in(block) if command.words[0] == "curl"]
REQUESTS = {
    f"{block.page}:{block.line}": [line for line in block.text.splitlines() if line] for block in blocks("http")
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Memory(store=":memory:", principal="tester") as memory:
        memory.save("Alice lives in Austin", space="alice")
        with served(memory) as anybody:
            yield anybody.with_token(memory.access.issue(scope="admin", name="tester").secret)


@pytest.mark.parametrize("command", CURL, ids=lambda command: command.place)
def test_what_curl_asks_for_is_answered(command: Command, client: Client) -> None:
    address = next(word for word in command.words if re.match(r"(?:http://)?(?:localhost|127\.0\.0\.1):", word))
    asked = urlsplit(address if "://" in address else f"http://{address}")
    assert _status(client, "GET", asked.path + (f"?{asked.query}" if asked.query else ""), None) == 200


@pytest.mark.parametrize("lines", REQUESTS.values(), ids=REQUESTS)
def test_the_requests_of_a_page_are_answered_one_after_the_other(lines: Sequence[str], client: Client) -> None:
    for line in lines:
        method, path, *rest = line.split(maxsplit=2)
        body = rest[0] if rest and rest[0].startswith("{") else None
        if body is not None:
            json.loads(body)
        assert _status(client, method, path.replace("{space}", "alice"), body) in (200, 201), line


def _status(client: Client, method: str, path: str, body: str | None) -> int:
    """Only the status: a stream has no end to wait for."""
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=LIMIT)
    kind = {} if body is None else {"Content-Type": "application/json"}
    connection.request(method, path, body, {**client.headers, **kind})
    status = connection.getresponse().status
    connection.close()
    return status
