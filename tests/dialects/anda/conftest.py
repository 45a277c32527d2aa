"""One server for the tests of a module, with keys of its own; the space `brain` is there, `other` too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.anda.anda_paths import DIALECT
from tests.dialects.anda.client import ENVIRONMENT, capability
from tests.surfaces.http.client import Answer, Client, served


@dataclass(frozen=True, slots=True)
class Brain:
    """A server that speaks Anda Brain, and the memory behind it."""

    memory: Memory
    client: Client

    def ask(self, method: str, path: str, body: Any = None, token: str | None = "*", **headers: str) -> Answer:
        """Ask with a capability of a scope for all spaces, with a token as it is, or with none."""
        if token in ("*", "read", "write"):
            token = capability(token)
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        return self.client.send(method, path, body, **shown, **headers)

    def result(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        answer = self.ask(method, path, body, **more)
        assert answer.status == 200, answer.body
        return answer.json["result"]


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    folder: Path = tmp_path_factory.mktemp("brain")
    with pytest.MonkeyPatch.context() as patched, Memory(home=folder) as memory:
        for name, value in ENVIRONMENT.items():
            patched.setitem(os.environ, name, value)
        memory.create_space("brain")
        memory.create_space("other")
        with served(memory, dialects=(DIALECT,)) as client:
            yield Brain(memory, client)
