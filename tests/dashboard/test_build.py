"""The dashboard as it is shipped: small, without a word of inline script, kept by browsers as long as it may be."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.surfaces.http.file_answers import BUILT, DashboardFiles
from tests.support.project import ROOT
from tests.surfaces.http.client import served


@pytest.fixture
def fresh() -> Iterator[Memory]:
    with Memory(store=":memory:", principal="tester") as opened:
        yield opened


MOST = 250_000  # bytes of packed JavaScript before the first screen
PAGE = BUILT / "index.html"


def test_the_first_load_is_small_and_nothing_stands_inline() -> None:
    page = PAGE.read_text(encoding="utf-8")
    loaded = [BUILT / name for name in re.findall(r'(?:src|href)="/ui/(assets/[^"]+\.js)"', page)]
    first = max(BUILT.glob("assets/overview-*.js"), key=lambda file: file.stat().st_size)
    packed = sum(len(gzip.compress(file.read_bytes())) for file in [*loaded, first])
    assert len(loaded) >= 1
    assert packed <= MOST
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|style=", page)
    assert "http://" not in page
    assert "https://" not in page


def test_the_page_is_at_every_address_below_its_own_and_its_parts_are_kept_for_good(fresh: Memory) -> None:
    asset = next(BUILT.glob("assets/*.js")).name
    with served(fresh) as client:
        assert (client.get("/").status, client.get("/").headers["location"]) == (307, "/ui/")
        for path in ("/ui/", "/ui/sam", "/ui/sam/memories/01K3ZQ5V7N8M2R4T6W8Y0A2C4E"):
            answer = client.get(path)
            assert (answer.status, answer.body) == (200, PAGE.read_bytes()), path
            assert answer.headers["cache-control"] == "no-store"
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self'" in policy
            assert "unsafe" not in policy
        part = client.get(f"/ui/assets/{asset}")
        assert (part.status, part.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
        assert "immutable" in part.headers["cache-control"]
        for path in (
            "/ui/assets/none.js",
            "/ui/../pyproject.toml",
            "/ui/assets/../../../../http/openapi.py",
            "/ui/%2e%2e/x.py",
        ):
            assert client.get(path).status in (401, 404), path
        assert client.post("/ui/", {}).status == 401


def test_without_the_dashboard_a_page_says_how_it_is_made(tmp_path: Path) -> None:
    answer = DashboardFiles(tmp_path).answer("/ui/sam")
    assert (answer.status_code, b"make dashboard" in answer.body) == (503, True)


def test_a_verb_can_be_tried_over_http_without_being_done(fresh: Memory) -> None:
    with served(fresh) as anybody:
        client = anybody.with_token(fresh.access.issue(scope="write", space="alice").secret)
        tried = client.post("/v1/spaces/alice/save", {"text": "I play the oboe"}, Dry_Run="true")
        assert (tried.status, tried.json["text"], tried.headers["dry-run"]) == (200, "I play the oboe", "true")
        kept = client.post("/v1/spaces/alice/save", {"text": "I play the tuba"})
        assert (kept.status, "dry-run" in kept.headers) == (200, False)
        assert [note.text for note in fresh.list(space="alice").items] == ["I play the tuba"]
        gone = client.post("/v1/spaces/alice/forget", {"note_id": kept.json["id"]}, Dry_Run="true")
        assert gone.json["note_ids"] == [kept.json["id"]]
        assert fresh.get(kept.json["id"], space="alice").text == "I play the tuba"
        refused = client.post("/v1/spaces/alice/list", {}, Dry_Run="true")
        assert (refused.status, refused.json["code"]) == (400, "header_not_supported")
        unclear = client.post("/v1/spaces/alice/save", {"text": "x"}, Dry_Run="perhaps")
        assert (unclear.status, unclear.json["code"]) == (400, "invalid_field")
        for path in ("/v1/session", "/v1/tokens", "/mcp", "/livez"):
            assert client.post(path, {}, Dry_Run="true").json["code"] == "header_not_supported"


@pytest.mark.slow
def test_what_has_logic_in_the_page_is_tested_there() -> None:
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    program = shutil.which("npm", path=path)
    assert program, "npm is missing: `make node` brings it along"
    done = subprocess.run(
        [program, "test", "--silent"],
        cwd=ROOT / "web",
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_packages_of_the_dashboard_have_hashes_and_no_addresses() -> None:
    lock = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') == lock.count('"node_modules/')
