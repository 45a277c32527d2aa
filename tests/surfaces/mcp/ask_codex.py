"""Ask Codex what it sees of `recollect`: its own list shows only what was configured, its app server what answered."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

LIMIT = 120  # seconds


def main() -> None:
    """One line that says whether our tools have reached it."""
    with subprocess.Popen(
        ["codex", "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as codex:
        limit = threading.Timer(LIMIT, codex.kill)
        limit.start()
        asked(codex, 1, "initialize", {"clientInfo": {"name": "recollect-tests", "version": "1"}})
        told(codex, {"method": "initialized"})
        for server in asked(codex, 2, "mcpServerStatus/list", {})["data"]:
            tools = ", ".join(sorted(server["tools"]))
            told_of = "Connected" if "search" in server["tools"] else "no tools"
            sys.stdout.write(f"{server['name']}: {told_of} ({tools})\n")
        limit.cancel()
        codex.kill()


def asked(codex: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> Any:
    """What it answers to one request, whatever else it says meanwhile."""
    told(codex, {"id": number, "method": method, "params": params})
    assert codex.stdout is not None
    for line in codex.stdout:
        said = json.loads(line)
        if said.get("id") == number and "method" not in said:
            return said["result"]
    raise SystemExit("Codex ended without an answer.")


def told(codex: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert codex.stdin is not None
    codex.stdin.write(json.dumps(message) + "\n")
    codex.stdin.flush()


if __name__ == "__main__":
    main()
