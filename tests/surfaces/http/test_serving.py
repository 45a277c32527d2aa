"""`recollect serve` as a process: one per home, with a first token, and a stop that finishes what was begun."""

from __future__ import annotations

import functools
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.errors import Unsupported
from recollect.surfaces.resident import process as resident
from recollect.surfaces.resident.process import FIRST_TOKEN, LOCK, WHERE, holding, require_packages, running
from recollect.surfaces.server.application import application
from recollect.surfaces.server.lifespan import first_token, is_loopback, listening, server
from tests.surfaces.http.client import Answer, Client, served
from tests.surfaces.shell import LIMIT, RECOLLECT, Shell


@contextmanager
def serving(shell: Shell, *argv: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A server in a process of its own, and what it said when it was ready."""
    process = subprocess.Popen(
        [RECOLLECT, "serve", "--port", "0", "--json", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=shell.folder,
        env=shell.environment,
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        said = process.stdout.readline()
        assert said, process.stderr.read()
        yield process, json.loads(said)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(LIMIT)
        process.stdout.close()
        process.stderr.close()


def client_of(said: dict[str, Any], secret: str | None = None) -> Client:
    client = Client(int(said["url"].rpartition(":")[2]), {})
    return client.with_token(secret) if secret else client


def test_an_empty_store_is_filled_at_the_start_and_one_that_is_not_is_left_alone(shell: Shell, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    with Memory(home=tmp_path / "other") as memory:
        note = memory.save("Alice lives in Austin", space="alice")
        memory.backup(copy)
        memory.save("Alice has a cat", space="alice")
    for _ in range(2):
        with serving(shell, "--restore-from", copy):
            assert [each["id"] for each in shell.ok("list", "--space", "alice")["items"]] == [note.id]
    shell.ok("save", "Alice has a dog", "--space", "alice")
    with serving(shell, "--restore-from", copy) as (process, _):
        assert len(shell.ok("list", "--space", "alice")["items"]) == 2
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None and "nothing was restored" in process.stderr.read()


def test_a_server_does_not_start_empty_when_the_backup_is_not_there(shell: Shell, tmp_path: Path) -> None:
    ended = shell.run("serve", "--port", "0", "--restore-from", str(tmp_path / "nowhere"))
    assert ended.code != 0 and ended.err


def test_the_first_start_makes_a_token_that_only_its_owner_can_read(shell: Shell) -> None:
    with serving(shell) as (_, said):
        file = shell.home / FIRST_TOKEN
        assert file.read_text().strip() == said["token"]
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        client = client_of(said, said["token"])
        assert client.get("/v1/info").json["scope"] == "admin"
        assert client_of(said).get("/v1/status").status == 401
        saved = client.post("/v1/spaces/alice/save", {"text": "Alice lives in Austin"})
        assert saved.status == 200
    assert shell.ok("get", saved.json["id"], "--space", "alice")["text"] == "Alice lives in Austin"
    with serving(shell) as (_, said):
        assert said["token"] is None
        assert client_of(said, file.read_text().strip()).get("/v1/info").status == 200


def test_a_person_is_told_how_to_ask_and_how_to_connect_an_agent(shell: Shell) -> None:
    command = [RECOLLECT, "serve", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=shell.folder, env=shell.environment
    ) as process:
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            told.append(line.strip())
            if line.startswith("Ctrl-C"):
                break
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT)
    url = told[0].removeprefix("Recollect serves at ")
    assert "claude mcp add recollect -- recollect mcp" in told
    [over_http] = [line for line in told if "--transport http" in line]
    token = f'-H "Authorization: Bearer $(cat {shell.home / FIRST_TOKEN})"'
    assert over_http == f"claude mcp add --transport http recollect {url}/mcp {token}"
    assert any(line.startswith(f'curl {token} "{url}/v1/spaces/') for line in told)


def test_a_home_has_one_server_which_can_be_found_and_stopped(shell: Shell) -> None:
    assert shell.run("serve", "--status").code == 1
    assert shell.run("serve", "--stop", "--json").error["code"] == "not_serving"
    with serving(shell) as (process, said):
        found = shell.ok("serve", "--status")
        assert (found["running"], found["pid"], found["url"]) == (True, process.pid, said["url"])
        assert shell.run("serve", "--port", "0", "--json").error["code"] == "already_serving"
        assert shell.ok("serve", "--stop")["pid"] == process.pid
        assert process.wait(LIMIT) == 0
    assert shell.run("serve", "--status", "--json").json == {"running": False}


def test_a_server_does_the_jobs_that_are_queued_and_those_it_finds(shell: Shell, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("The cellar is damp.")
    before = shell.ok("ingest", str(letter), "--background", "--space", "alice")["job_id"]
    with serving(shell) as (_, said):
        client = client_of(said, said["token"])
        sent = {"path": str(letter), "background": True}
        asked = client.post("/v1/spaces/bob/ingest", sent).json["job_id"]
        jobs = {f"/v1/spaces/alice/jobs/show?job_id={before}", f"/v1/spaces/bob/jobs/show?job_id={asked}"}
        until = time.monotonic() + LIMIT
        while {client.get(job).json["stage"] for job in jobs} != {"done"}:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert client.get("/v1/spaces/bob/search?query=cellar").json["hits"]
        figures = client.get("/metrics").body.decode()
        assert 'recollect_jobs{kind="ingest",stage="done"} 2.0' in figures
        assert 'recollect_jobs_run_total{kind="ingest",outcome="done"} 2.0' in figures


def test_a_token_made_in_a_shell_opens_the_server_until_it_is_revoked_there(shell: Shell) -> None:
    with serving(shell) as (_, said):
        made = shell.ok("tokens", "create", "--space", "alice", "--scope", "write", "--expires", "30d")
        client = client_of(said, made["token"])
        assert client.post("/v1/spaces/alice/save", {"text": "x"}).status == 200
        assert client.get("/v1/spaces/bob/list").status == 404
        shell.ok("tokens", "revoke", made["id"])
        assert client.get("/v1/spaces/alice/list").status == 401


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_calmly_and_leaves_nothing_behind(shell: Shell, number: signal.Signals) -> None:
    with serving(shell, "--demo") as (process, said):
        found = client_of(said, said["token"]).get("/v1/spaces/sam/search?query=Where+do+I+live")
        assert found.json["hits"][0]["note"]["value"] == "Austin"
        folder = Path(said["token_file"]).parent
        assert folder.is_dir()
        process.send_signal(number)
        assert process.wait(LIMIT) == 0
        assert not folder.exists()
    assert not (shell.home / FIRST_TOKEN).exists()


def test_a_write_under_way_is_finished_before_the_server_ends(
    one_memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    plain_save = Memory.save

    @functools.wraps(plain_save)
    def slow(self: Memory, *given: Any, **named: Any) -> Any:
        begun.set()
        assert go_on.wait(LIMIT)
        return plain_save(self, *given, **named)

    monkeypatch.setattr(Memory, "save", slow)
    answers: list[Answer] = []
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        app = application(one_memory)
        stopping = server(app, app.ending)
        serving = threading.Thread(target=stopping.run, kwargs={"sockets": [taken]})
        serving.start()
        client = Client(port, {}).with_token(one_memory.access.issue(scope="write").secret)
        asking = threading.Thread(target=lambda: answers.append(client.post("/v1/spaces/a/save", {"text": "Tea"})))
        asking.start()
        assert begun.wait(LIMIT)
        stopping.should_exit = True
        until_refused(port)
        go_on.set()
        asking.join(LIMIT)
        serving.join(LIMIT)
    assert [answer.status for answer in answers] == [200]
    assert [note.text for note in one_memory.list(space="a").items] == ["Tea"]


def until_refused(port: int) -> None:
    """Wait until nobody new is let in."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return
    raise AssertionError("the port is still open")


def test_threads_take_short_turns_while_a_server_runs_and_as_before_when_it_ended(memory: Memory) -> None:
    former = sys.getswitchinterval()
    with served(memory) as client:
        assert client.get("/livez").status == 200
        assert sys.getswitchinterval() < former / 4
    assert sys.getswitchinterval() == former


def test_a_server_that_was_killed_does_not_stand_in_the_way_of_the_next(shell: Shell) -> None:
    with serving(shell) as (process, _):
        process.kill()
        process.wait(LIMIT)
    assert (shell.home / WHERE).exists()
    assert shell.run("serve", "--status", "--json").json == {"running": False}
    with serving(shell) as (_, said):
        assert client_of(said).get("/livez").status == 200


def test_what_cannot_be_served_is_said_before_anything_is_opened(shell: Shell) -> None:
    for argv, code in (
        (("--insecure", "--host", "0.0.0.0"), "insecure_host"),
        (("--port", "70000"), "invalid_number"),
        (("--host", "203.0.113.7", "--port", "0"), "port_taken"),
    ):
        assert shell.run("serve", *argv, "--json").error["code"] == code


def test_a_package_that_is_missing_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    require_packages()
    monkeypatch.setattr(resident, "_PACKAGES", ("fastapi", "no_such_package"))
    with pytest.raises(Unsupported, match="not installed: no_such_package") as caught:
        require_packages()
    assert caught.value.code == "extra_missing"


def test_open_mode_is_for_this_machine_only() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "127.9.9.9")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "memory.example", "")] == [False] * 5


def test_a_first_token_is_made_again_only_when_no_live_one_may_do_everything(tmp_path: Path) -> None:
    file = tmp_path / FIRST_TOKEN
    with Memory(store=":memory:") as memory:
        first = first_token(memory.access, file)
        assert first is not None
        file.unlink()
        assert first_token(memory.access, file) is None
        [token] = memory.access.tokens()
        memory.access.revoke(token.id)
        memory.access.issue(scope="admin", space="alice")
        second = first_token(memory.access, file)
        assert second not in (None, first)
        assert file.read_text() == f"{second}\n"


def test_a_link_in_the_place_of_the_token_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("untouched")
    (tmp_path / FIRST_TOKEN).symlink_to(tmp_path / "elsewhere")
    with Memory(store=":memory:") as memory:
        first_token(memory.access, tmp_path / FIRST_TOKEN)
    assert (tmp_path / "elsewhere").read_text() == "untouched"
    assert not (tmp_path / FIRST_TOKEN).is_symlink()


def test_what_the_lock_file_says_counts_only_while_it_is_held(tmp_path: Path) -> None:
    (tmp_path / LOCK).touch()
    (tmp_path / WHERE).write_text(json.dumps({"pid": os.getpid(), "url": "http://127.0.0.1:1", "version": "0"}))
    assert running(tmp_path) is None
    with holding(tmp_path):
        assert running(tmp_path) is not None
    assert running(tmp_path) is None
