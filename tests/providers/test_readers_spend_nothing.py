"""A token that may only read cannot spend, at any door, unless an administrator has said that readers may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.chat.spend import SpendSettings
from recollect.settings import Settings
from recollect.verbs.actor import READERS_SPEND_NOTHING
from tests.support.model_server import ModelServer
from tests.surfaces.http.client import Client, served
from tests.surfaces.mcp.speaking import called

QUESTION = {"question": "Where does Ana live?"}


@pytest.fixture(params=[False, True])
def memory(request: pytest.FixtureRequest, server: ModelServer, tmp_path: Path) -> Iterator[Memory]:
    spend = SpendSettings(readers=request.param)
    settings = Settings(tmp_path, ":memory:", embedding="off", providers=(server.provider(),), spend=spend)
    with Memory(settings=settings) as opened:
        opened.save("Ana lives in Lisbon.", space="team")
        yield opened


def test_a_model_is_asked_for_writers_and_for_readers_only_where_the_settings_say_so(
    memory: Memory, server: ModelServer
) -> None:
    may = memory.settings.spend is not None and memory.settings.spend.readers
    with served(memory) as anybody:
        for scope, asks in (("read", may), ("write", True)):
            client = anybody.with_token(memory.access.issue(scope=scope, space="team").secret)
            for door in (_over_http, _over_mcp):
                answer = door(client)
                assert "Ana lives in Lisbon." in str(answer)  # whether or not a model was asked
                assert (READERS_SPEND_NOTHING in str(answer)) is not asks
                assert bool(server.asked) is asks
                server.asked.clear()


def _over_http(client: Client) -> object:
    return client.post("/v1/spaces/team/answer", QUESTION).json


def _over_mcp(client: Client) -> object:
    return called(client, "answer", QUESTION, query="?toolset=full")
