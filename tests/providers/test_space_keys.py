"""A space brings its own key for a provider: used for its calls alone, sealed, and shown to nobody."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from recollect import InvalidInput, Memory, NotFound
from recollect.domain.dataclass import replace
from recollect.domain.errors import NotAllowed
from recollect.domain.origin import Caller, Channel
from recollect.sealing import new_key
from recollect.settings import Settings
from recollect.surfaces.cli.main import main
from tests.support.model_server import KEY, ModelServer
from tests.surfaces.http.client import served

OWN = "team-0a1b2c3d4e5f60718293a4b5c6d7e8f9"


def asked_with(memory: Memory, server: ModelServer, space: str) -> str:
    """The key that a question in a space is asked with; empty if none is asked."""
    server.heads.clear()
    memory.answer("Where does Ana live?", space=space)
    return server.heads[-1]["authorization"].removeprefix("Bearer ") if server.heads else ""


def test_calls_of_a_space_go_with_its_own_key_and_no_others_do(
    store_address: str, tmp_path: Path, server: ModelServer
) -> None:
    settings = Settings(tmp_path / "home", store_address, embedding="off", providers=(server.provider(),))
    with Memory(settings=settings) as memory:
        for space in ("team", "other"):
            memory.save("Ana lives in Lisbon.", space=space)
        with pytest.raises(NotFound):
            memory.set_provider_key("nobody", OWN, space="team")
        with pytest.raises(InvalidInput):
            memory.set_provider_key("openai", "two words", space="team")
        with pytest.raises(NotAllowed):
            memory.acting_as(Caller(Channel.MCP, admin=True)).set_provider_key("openai", OWN, space="team")
        memory.dry_run().set_provider_key("openai", OWN, space="team")
        assert asked_with(memory, server, "team") == KEY
        shown = memory.set_provider_key("openai", OWN, space="team")
        assert OWN not in repr(shown) and memory.provider_keys(space="team").items == (shown,)
        assert memory.provider_keys(space="other").items == ()
        assert (asked_with(memory, server, "team"), asked_with(memory, server, "other")) == (OWN, KEY)
        assert OWN not in str(list(memory.export())) and OWN not in str(memory.audit(space="team"))
        sealing = memory._engine.sealing
        memory._engine.seals.made = replace(sealing, key=new_key())
        assert asked_with(memory, server, "team") == "", "what cannot be opened spends nobody else's money"
        memory._engine.seals.made = sealing
        memory.remove_provider_key("openai", space="team")
        assert asked_with(memory, server, "team") == KEY
        memory.set_provider_key("openai", OWN, space="team")
        memory.delete_space("team")
        memory.save("Ana lives in Lisbon.", space="team")
        assert memory.provider_keys(space="team").items == () and asked_with(memory, server, "team") == KEY
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or OWN.encode() not in file.read_bytes(), file


def test_an_administrator_of_the_space_sets_it_over_http_and_nobody_else(tmp_path: Path, server: ModelServer) -> None:
    settings = Settings(tmp_path, ":memory:", embedding="off", providers=(server.provider(),))
    with Memory(settings=settings) as memory, served(memory) as anybody:
        memory.save("Ana lives in Lisbon.", space="team")
        body = {"provider": "openai", "secret": OWN}
        for scope, space, status in (("write", "team", 403), ("admin", "other", 404), ("admin", "team", 200)):
            client = anybody.with_token(memory.access.issue(scope=scope, space=space).secret)
            answer = client.post("/v1/spaces/team/provider-keys/set", body)
            assert answer.status == status
            assert OWN.encode() not in answer.body
        assert asked_with(memory, server, "team") == OWN


def test_at_a_terminal_it_comes_by_a_pipe_or_a_variable_and_is_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "RECOLLECT_HOME": str(tmp_path),
        "RECOLLECT_PROVIDER_URL": "https://models.example/v1",
        "RECOLLECT_NEW_KEY": OWN,
    }.items():
        monkeypatch.setenv(name, value)
    assert main(["provider-keys", "set", "custom"]) == 0
    monkeypatch.delenv("RECOLLECT_NEW_KEY")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{OWN}\n".encode())))
    assert main(["provider-keys", "set", "custom"]) == 0
    assert main(["provider-keys", "list"]) == 0
    assert main(["provider-keys", "remove", "custom"]) == 0
    assert main(["providers"]) == 0
    shown = capfd.readouterr()
    assert "custom" in shown.out and OWN not in shown.out + shown.err
