"""Several processes serve one port, and workers do the jobs: one that dies is begun anew, and all end together."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured
from recollect.surfaces.http import metrics
from recollect.surfaces.http.metrics import ProcessPages, merged
from recollect.surfaces.resident.process import running
from recollect.surfaces.server.lifespan import _answered_until_stopped
from recollect.surfaces.server.supervisor import supervise
from tests.surfaces.http.client import Client
from tests.surfaces.shell import LIMIT, RECOLLECT, Shell

T = TypeVar("T")


@pytest.fixture
def shell(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path / "shell", tmp_path_factory.getbasetemp() / "bytecode")


@contextmanager
def started(
    shell: Shell, *argv: str, ends_with: int = 0, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command that runs until it is stopped, and the first line it says."""
    told = {**shell.environment, "RECOLLECT_EMBEDDING": "off", **environment}
    process = subprocess.Popen([RECOLLECT, *argv], stdout=subprocess.PIPE, text=True, env=told)
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        code = process.wait(LIMIT)
        process.stdout.close()
    assert code == ends_with


def eventually(look: Callable[[], T | Literal[False]]) -> T:
    """What a look finds, as soon as it finds something."""
    until = time.monotonic() + LIMIT
    while not (found := look()):
        assert time.monotonic() < until, "it never came"
        time.sleep(0.05)
    return found


def client_of(said: str) -> Client:
    told: dict[str, Any] = json.loads(said)
    return Client(int(told["url"].rpartition(":")[2]), {}).with_token(told["token"])


def _text(body: bytes | str) -> str:
    return body if isinstance(body, str) else body.decode()


def pids_in(page: str) -> dict[str, float]:
    """When each process began, by its number."""
    lines = (line for line in page.splitlines() if line.startswith("process_start_time_seconds{"))
    return {line.split('"')[1]: float(line.rpartition(" ")[2]) for line in lines}


def children_of(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_processes_share_a_port_and_one_that_dies_is_begun_anew(shell: Shell) -> None:
    with started(shell, "serve", "--port", "0", "--workers", "2", "--json") as (process, said):
        client = client_of(said)
        found = running(shell.home)
        assert found is not None and found.pid == process.pid
        assert client.post("/v1/spaces/alice/save", {"text": "Alice prefers tea"}).status == 200
        both = eventually(lambda: len(each := pids_in(_text(client.get("/metrics").body))) == 2 and each)
        assert set(both) == {"0", "1"}

        before = children_of(process.pid)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        eventually(lambda: len(children_of(process.pid)) == 2 and before[0] not in children_of(process.pid))
        for _ in range(20):
            assert len(client.get("/v1/spaces/alice/list").json["items"]) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
        assert running(shell.home) is None


def test_processes_end_when_their_supervisor_is_killed(shell: Shell) -> None:
    with started(shell, "serve", "--port", "0", "--workers", "2", "--json", ends_with=-signal.SIGKILL) as (
        process,
        said,
    ):
        assert client_of(said).get("/metrics").status == 200
        children = eventually(lambda: len(each := children_of(process.pid)) == 2 and each)
        process.kill()
        process.wait(LIMIT)

        eventually(lambda: not any(map(_is_alive, children)))


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_worker_does_what_others_queue_and_ends_in_order(shell: Shell) -> None:
    store = str(shell.folder / "memory.db")
    with started(shell, "worker", "--store", store) as (process, said):
        assert store in said
        with Memory(store=store, home=shell.home, principal="tester", embedding="off") as memory:
            memory.save("Alice prefers tea")
            memory.reindex(background=True)
            eventually(lambda: memory.status().jobs.get("done"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0


def test_numbers_that_cannot_be_are_refused(shell: Shell) -> None:
    for argv in (("serve", "--workers", "0"), ("worker", "--threads", "0")):
        ended = shell.run(*argv, "--json") if argv[0] == "serve" else shell.run(*argv)
        assert ended.code != 0 and "must be from 1 to 64" in ended.err
    assert "neither" in shell.run("serve", "--workers", "2", "--demo").err


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("--insecure", "--host", "0.0.0.0"), "insecure_host"),
        (("--allow-origin", "nonsense"), "invalid_origin"),
        (("--allow-origin", "http://[x"), "invalid_origin"),
        (("--log", "nowhere/requests.log"), "not_writable"),
    ],
)
def test_what_no_process_would_accept_is_refused_before_any_begins(
    shell: Shell, argv: tuple[str, ...], code: str
) -> None:
    ended = shell.run("serve", "--port", "0", "--workers", "2", "--json", *argv, RECOLLECT_EMBEDDING="off")

    assert ended.code != 0 and ended.out == "" and ended.error["code"] == code


def test_a_supervisor_gives_up_when_every_process_refuses_how_it_was_started(tmp_path: Path) -> None:
    begun = f"open({str(tmp_path / 'begun')!r}, 'a').write('x'); raise SystemExit(2)"
    with socket.create_server(("127.0.0.1", 0)) as port, pytest.raises(Misconfigured):
        supervise(port, 2, ["-c", begun])

    assert len((tmp_path / "begun").read_text()) >= 2


def test_processes_with_a_named_log_write_a_file_each(shell: Shell) -> None:
    log = shell.folder / "requests.jsonl"
    with started(shell, "serve", "--port", "0", "--workers", "2", "--json", "--log", str(log)) as (_, said):
        assert client_of(said).get("/metrics").status == 200

    assert sorted(each.name for each in shell.folder.glob("requests*")) == ["requests-0.jsonl", "requests-1.jsonl"]


def test_a_figure_that_cannot_be_told_once_is_told_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(metrics, "_KEPT_FOR", 0.01)
    answers: list[bytes] = []

    def page() -> bytes:
        answers.append(b"a 1\n")
        if len(answers) == 1:
            raise LookupError("changed while it was read")
        if len(answers) > 2:
            threading.Event().wait()  # nothing more is to be told
        return answers[0]

    ProcessPages(tmp_path, 0).keep_putting(page)

    eventually(lambda: (tmp_path / "0.prom").exists())
    assert "could not be told" in caplog.text


def test_figures_of_several_processes_are_one_page_with_labels() -> None:
    counter = '# HELP a Words.\n# TYPE a counter\na_total{{verb="x y"}} {0}\na_created 1\n'
    page = counter + "# HELP b More.\n# TYPE b gauge\nb {0}\n"

    together = merged({"0": page.format(3), "1": page.format(4)})

    assert together.count("# HELP a Words.") == 1
    assert 'a_total{process="0",verb="x y"} 3\n' in together
    assert 'b{process="1"} 4\n' in together
    assert together.index('a_total{process="1"') < together.index("# HELP b")


def test_a_port_that_processes_share_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    marks: list[bool] = []
    copied = socket.socket.dup

    def watched(port: socket.socket) -> socket.socket:
        copy = copied(port)
        marks.append(os.get_blocking(port.fileno()))
        return copy

    monkeypatch.setattr(socket.socket, "dup", watched)

    class Served:
        should_exit = False

        def run(self, sockets: list[socket.socket]) -> None:
            marks.append(os.get_blocking(sockets[0].fileno()))

    class Roomy:
        def watched(self, _begin_anew: object) -> AbstractContextManager[None]:
            return nullcontext()

    with socket.create_server(("127.0.0.1", 0)) as port:
        assert _answered_until_stopped(cast(Any, Served()), port, cast(Any, Roomy())) is None
    assert marks == [False, False]
