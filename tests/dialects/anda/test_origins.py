"""Pages that the settings of Anda Brain let ask may ask here, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.dialects.anda.anda_paths import DIALECT
from recollect.domain.errors import InvalidInput
from recollect.surfaces.server.lifespan import Served, checked_origin, serve, serve_together


def test_origins_are_taken_from_the_variable_of_the_old_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "https://app.example.com, http://localhost:3000/")
    monkeypatch.delenv("ED25519_PUBKEYS", raising=False)
    assert DIALECT.origins() == {}, "the name is used by other programs too"

    monkeypatch.setenv("ED25519_PUBKEYS", "any")

    assert [checked_origin(each) for each in DIALECT.origins()] == ["https://app.example.com", "http://localhost:3000"]


@pytest.mark.parametrize("together", [False, True], ids=["one process", "several"])
@pytest.mark.parametrize("named", ["*", "https://app.example.com, app"], ids=["any", "no scheme"])
def test_a_server_says_which_variable_keeps_it_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, together: bool
) -> None:
    monkeypatch.setenv("ED25519_PUBKEYS", "any")
    monkeypatch.setenv("CORS_ORIGINS", named)

    def ready(_: Served) -> None:
        raise AssertionError("the port was taken")

    with (
        Memory(store=":memory:", home=tmp_path, embedding="off") as memory,
        pytest.raises(InvalidInput, match="in CORS_ORIGINS is not an origin") as refused,
    ):
        if together:
            serve_together(memory, 2, (), host="127.0.0.1", port=0, insecure=False, ready=ready)
        else:
            serve(memory, port=0, ready=ready)

    assert refused.value.code == "invalid_origin"
    assert "leave CORS_ORIGINS out" in refused.value.hint
