"""The key of a provider is in nothing that is written: no store, backup, export, error, log, screen or argument."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.chat.chat_model import ChatMessage, ChatRole, ModelTask
from recollect.surfaces.cli.main import main
from tests.support.model_server import KEY, ModelServer, Says


def test_the_key_is_nowhere_in_what_is_written(
    tmp_path: Path,
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("RECOLLECT_HOME", str(home))
    monkeypatch.setenv("RECOLLECT_PROVIDER_URL", f"{server.url}/v1")
    monkeypatch.setenv("RECOLLECT_PROVIDER_KEY", KEY)
    monkeypatch.setenv("RECOLLECT_PROVIDER_MODEL", "small")
    caplog.set_level(logging.DEBUG)
    server.script = [Says(status=401), Says(f"Your key is {KEY}.")]
    with Memory() as memory:
        model = memory._engine.chat_models.for_task(ModelTask.ANSWER, space="default")
        assert model is not None
        asked = [ChatMessage(ChatRole.USER, "Which key do I have?")]
        refused, answered = model.reply(asked), model.reply(asked)
        assert KEY not in repr(refused) and answered.is_answered
        memory.save("Ana lives in Lisbon.")
        memory.backup(path=tmp_path / "copy.db")
        (tmp_path / "export.jsonl").write_text(str(list(memory.export())))
        written = [str(memory.providers().to_dict()), str(memory.spend(by=["model"]).to_dict()), repr(memory.settings)]
    for command in (["providers"], ["spend"], ["config"], ["doctor"], ["status", "--json"]):
        main(command)
    shown = capfd.readouterr()
    assert "custom" in shown.out
    assert all(KEY not in text for text in (*written, shown.out, shown.err, caplog.text))
    assert server.heads[-1]["authorization"] == f"Bearer {KEY}"
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
