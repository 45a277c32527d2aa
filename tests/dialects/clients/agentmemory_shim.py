"""The npm shim and the hooks of agentmemory speak to a server of ours; what they answer is looked at.

Started by `agentmemory.sh`, with the folder of the installed packages.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from recollect import Memory
from recollect.dialects.agentmemory.http import DIALECT, PACKAGE
from recollect.dialects.text_tables import remote_list
from tests.surfaces.http.client import Client, served


def main(packages: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, Memory(store=":memory:", home=folder, embedding="off") as memory:
        secret = memory.access.issue(dialect="agentmemory", scope="write").secret
        with served(memory, dialects=(DIALECT,)) as anybody:
            said = {
                **os.environ,
                "HOME": folder,
                "AGENTMEMORY_URL": f"http://127.0.0.1:{anybody.port}",
                "AGENTMEMORY_SECRET": secret,
                "AGENTMEMORY_INJECT_CONTEXT": "true",
            }
            _hooks(packages / "agentmemory" / "plugin" / "scripts", said, anybody.with_token(secret))
            _tools(packages / "mcp" / "bin.mjs", said)
    sys.stdout.write("agentmemory: the hooks and all tools of the shim answered\n")


def _hooks(scripts: Path, said: dict[str, str], client: Client) -> None:
    event = {"session_id": "hooked", "cwd": str(scripts)}
    _hook(scripts / "session-start.mjs", event, said)
    _hook(scripts / "prompt-submit.mjs", {**event, "prompt": "Fix the rounding in cart.py"}, said)
    edited = {"tool_name": "Edit", "tool_input": {"file_path": "/w/cart.py"}, "tool_response": "ok"}
    _hook(scripts / "post-tool-use.mjs", {**event, **edited}, said)
    told = _hook(scripts / "pre-tool-use.mjs", {**event, **edited}, said)
    assert "cart.py" in told, "a tool that is about to run is told what is known"
    _hook(scripts / "stop.mjs", event, said)
    seen = client.get("/agentmemory/observations?sessionId=hooked").json["observations"]
    kinds = [each["type"] for each in seen]
    assert kinds == ["conversation", "file_edit"], kinds
    [session] = client.get("/agentmemory/sessions").json["sessions"]
    assert (session["status"], session["observationCount"]) == ("completed", 2)


def _hook(script: Path, event: dict[str, Any], said: dict[str, str]) -> str:
    done = subprocess.run(
        ["node", str(script)], input=json.dumps(event), env=said, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


def _tools(shim: Path, said: dict[str, str]) -> None:
    with subprocess.Popen(
        ["node", str(shim)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=said, text=True
    ) as process:
        ids = iter(range(1, 1000))

        def ask(method: str, **params: Any) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            line = {"jsonrpc": "2.0", "id": next(ids), "method": method, "params": params}
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())["result"]

        ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test", "version": "1"})
        listed = {tool["name"]: tool for tool in ask("tools/list")["tools"]}
        assert listed.keys() == {each["name"] for each in remote_list(PACKAGE)}
        saved = ask("tools/call", name="memory_save", arguments={"content": "The warehouse uses Kafka for events"})
        found = ask("tools/call", name="memory_recall", arguments={"query": "What does the warehouse use?"})
        assert "Kafka" in found["content"][0]["text"]
        ids_of = {"memoryIds": json.loads(saved["content"][0]["text"])["memory"]["id"]}
        given = {"sessionId": "hooked", "sha": "abcdef1", "anchor": "2026-11-17", "label": "errands", **ids_of}
        for name, tool in listed.items():
            required = tool["inputSchema"].get("required", ())
            arguments = {field: given.get(field, f"tea of {name}") for field in required}
            assert ask("tools/call", name=name, arguments=arguments)["content"][0]["type"] == "text"
        assert process.stdin is not None
        process.stdin.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
