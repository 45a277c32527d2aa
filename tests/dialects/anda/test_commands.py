"""`recollect anda`: the commands of the old command line, against a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.codecs.cwt import claims_in, keys_in, unpadded
from recollect.surfaces.cli.main import main
from tests.dialects.anda.client import KEYS, MANAGER
from tests.dialects.anda.conftest import Brain

pytestmark = pytest.mark.xdist_group("dialect anda commands")  # one after the other, on one server


def _typed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["anda", *words]) == 0, capsys.readouterr().err
    said = capsys.readouterr().out
    return said if words[0] in ("cwt", "recall") else [json.loads(line) for line in said.splitlines()]


def test_a_space_is_made_filled_asked_and_managed_by_commands(
    brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [made] = _typed(capsys, "keygen")
    assert keys_in(made["public_key"])
    monkeypatch.setenv("ANDA_CWT_KEY", unpadded(KEYS.private))
    monkeypatch.setenv("ANDA_BASE_URL", f"http://127.0.0.1:{brain.client.port}")
    monkeypatch.setenv("ANDA_SPACE_ID", "typed")
    monkeypatch.setenv("ANDA_TOKEN", _typed(capsys, "cwt", "--sub", MANAGER).strip())
    assert _typed(capsys, "admin", "create-space", "--user", "me", "--tier", "1")[0]["result"]["owner"] == "me"
    own = _typed(capsys, "cwt", "--sub", "me", "--aud", "typed", "--scope", "*", "--ttl", "60").strip()
    assert (claims_in(own, keys_in(unpadded(KEYS.public))) or {})[3] == "typed"
    monkeypatch.setenv("ANDA_TOKEN", own)
    for number, town in enumerate(("Oslo", "Rome")):
        (tmp_path / f"{number}.json").write_text(
            json.dumps({"messages": [{"role": "user", "content": f"I moved to {town}."}]})
        )
    sent = _typed(capsys, "formation", "--batch-dir", str(tmp_path))
    assert [each["result"]["conversation"] for each in sent] == [1, 2]
    brain.memory.run_jobs()
    assert "Rome" in _typed(capsys, "recall", "Where does the user live?")
    assert _typed(capsys, "conversations", "get", "2")[0]["result"]["status"] == "completed"
    assert _typed(capsys, "formation-status")[0]["result"]["formation_processed_id"] == 2
    token = _typed(capsys, "management", "add-token", "read", "--name", "plugin")[0]["result"]["token"]
    assert _typed(capsys, "management", "revoke-token", token)[0] == {"result": True}
    assert _typed(capsys, "management", "update-space", "--public")[0] == {"result": True}
    assert main(["anda", "conversations", "get", "9"]) != 0
    assert "There is no conversation 9" in capsys.readouterr().err
