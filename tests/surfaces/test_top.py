"""`recollect top`: what a server does, once, for people and for programs."""

from __future__ import annotations

import json
import re

from tests.surfaces.http.test_serving import client_of, serving
from tests.surfaces.shell import Shell


def test_top_shows_what_the_server_did(shell: Shell) -> None:
    with serving(shell) as (_, said):
        client = client_of(said, said["token"])
        client.post("/v1/spaces/alice/add", {"messages": "I moved to Berlin. I might buy a bike."})
        for _ in range(3):
            client.get("/v1/spaces/alice/search?query=berlin")
        client.get("/v1/spaces/nobody/audit")
        told = shell.ok("top")
        verbs = {each["verb"]: each for each in told["verbs"]}
        assert (verbs["search"]["requests"], verbs["add"]["requests"]) == (3, 1)
        assert verbs["search"]["mean_ms"] > 0 and verbs["search"]["p99_ms"] > 0
        assert told["refused"] == {"space_not_found": 1}
        assert told["gate"]["hypothetical"] == 1
        assert told["resident_bytes"] > 1_000_000 and told["spaces"] == 1

        shown = re.sub(r"\x1b\[\d*m", "", shell.on_screen("top", "--once").out)
        assert re.search(rf"Recollect at {said['url']}, up 0:00:\d\d", shown)
        assert re.search(r"refused +1 space not found", shown)
        assert re.search(r"^search +3 ", shown, re.MULTILINE)
        assert max(len(line) for line in shown.splitlines()) <= 80

        log = [json.loads(line) for line in (shell.home / "serve.log").read_text().splitlines()]
        assert [each["verb"] for each in log[:4]] == ["add", "search", "search", "search"]
        assert (shell.home / "serve.log").stat().st_mode & 0o777 == 0o600

        refused = shell.run("top", "--json", "--token", "nonsense")
        assert (refused.code, refused.error["code"]) == (2, "metrics_refused")


def test_top_needs_a_server(shell: Shell) -> None:
    ended = shell.run("top", "--json")
    assert (ended.code, ended.error["code"]) == (3, "not_serving")
