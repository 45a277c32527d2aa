"""A home that cannot be written can be read: by every verb that only reads, with or without a log beside the file."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from tests.damage.bare_root import freeze, run_bound

READS = """
import json, sys
from recollect import Memory
from recollect.domain.errors import RecollectError

told = {}
with Memory(home=sys.argv[1], embedding="off") as memory:
    note = memory.list(limit=1).items[0]
    told["list"] = len(memory.list(limit=1000).items)
    told["get"] = memory.get(note.id).text
    told["search"] = len(memory.search("parrot").hits)
    told["recall"] = bool(memory.recall("What does the parrot like?"))
    told["export"] = len(memory.export(limit=1000).records)
    told["doctor"] = [check.name for check in memory.doctor().checks if not check.ok]
    for name, write in {
        "save": lambda: memory.save("One more"),
        "forget": lambda: memory.forget(note.id),
        "reindex": lambda: memory.reindex(),
    }.items():
        try:
            write()
            told[name] = "done"
        except RecollectError as problem:
            told[name] = problem.code
    told["after"] = len(memory.list(limit=1000).items)
print(json.dumps(told))
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "home"
    yield folder
    folder.chmod(0o700)


def _filled(folder: Path) -> Memory:
    memory = Memory(home=folder, embedding="off")
    for number in range(5):
        memory.save(f"Parrot {number} likes seeds")
    return memory


def _without_log(folder: Path) -> None:
    _filled(folder).close()


def _with_log(folder: Path) -> None:
    """As a killed process leaves it, but without the shared memory, as on a copied disk."""
    elsewhere = folder.with_name("elsewhere")
    memory = _filled(elsewhere)
    folder.mkdir()
    for end in ("", "-wal"):
        shutil.copy(elsewhere / f"recollect.db{end}", folder / f"recollect.db{end}")
    memory.close()


@pytest.mark.parametrize("make", [_without_log, _with_log], ids=["closed", "with a log"])
def test_a_home_that_cannot_be_written_can_be_read(home: Path, make: object) -> None:
    make(home)  # type: ignore[operator]
    freeze(home)
    _require_reading(home)


def test_a_file_that_cannot_be_written_can_be_read(home: Path) -> None:
    _without_log(home)
    (home / "recollect.db").chmod(0o400)
    _require_reading(home)


def test_a_home_that_another_process_writes_to_can_be_read(home: Path) -> None:
    with _filled(home) as memory:
        freeze(home)
        _require_reading(home)
        memory.save("Parrot 5 likes seeds")  # its own files are open already
        assert json.loads(run_bound(sys.executable, "-c", READS, str(home)).stdout)["list"] == 6


def test_the_command_line_reads_and_refuses_to_write(home: Path) -> None:
    _without_log(home)
    freeze(home)
    recollect = str(Path(sys.executable).with_name("recollect"))

    listed = run_bound(recollect, "list", "--json", RECOLLECT_HOME=str(home))
    assert (listed.returncode, listed.stderr) == (0, "")
    refused = run_bound(recollect, "save", "One more", "--json", RECOLLECT_HOME=str(home))
    assert refused.returncode == 6
    error = json.loads(refused.stderr)["error"]
    assert error["code"] == "read_only"
    assert "owns" in error["hint"]


def test_an_unreadable_file_is_said_to_be_that(home: Path) -> None:
    _without_log(home)
    (home / "recollect.db").chmod(0)
    recollect = str(Path(sys.executable).with_name("recollect"))
    refused = run_bound(recollect, "list", "--json", RECOLLECT_HOME=str(home))
    assert json.loads(refused.stderr)["error"]["code"] == "not_readable"


def test_a_home_that_cannot_be_written_is_said_before_an_agent_is_touched(home: Path, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude.json").write_text("{}")
    _without_log(home)
    freeze(home)
    recollect = str(Path(sys.executable).with_name("recollect"))
    refused = run_bound(
        recollect, "init", "--yes", "--agents", "claude-code", "--json", RECOLLECT_HOME=str(home), HOME=str(tmp_path)
    )
    assert json.loads(refused.stderr)["error"]["code"] == "not_writable"
    assert (tmp_path / ".claude.json").read_text() == "{}"


def test_a_change_by_somebody_else_is_seen(home: Path) -> None:
    """Whoever may write can do so while a process that may not has the file open."""
    _without_log(home)
    before = {file.name: file.read_bytes() for file in home.iterdir()}
    script = f"""
import sys
from recollect import Memory
with Memory(home={str(home)!r}, embedding="off") as memory:
    print(len(memory.list(limit=100).items), flush=True)
    sys.stdin.readline()
    print(len(memory.list(limit=100).items), flush=True)
"""
    assert before
    import subprocess

    freeze(home)
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("bare_root.py")), sys.executable, "-c", script],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "5\n"
        home.chmod(0o700)
        (home / "recollect.db").chmod(0o600)
        with Memory(home=home, embedding="off") as memory:
            memory.save("Parrot 5 likes seeds")
        freeze(home)
        child.stdin.write("\n")
        child.stdin.flush()
        assert child.stdout.readline() == "6\n"


@pytest.mark.parametrize("make", [_without_log, _with_log], ids=["closed", "with a log"])
def test_a_change_leaves_what_other_threads_are_reading_alone(home: Path, tmp_path: Path, make: object) -> None:
    """Each thread opens the file anew for itself; a copy goes with the last connection that reads it."""
    make(home)  # type: ignore[operator]
    freeze(home)
    copies = tmp_path / "copies"
    copies.mkdir(mode=0o777)
    script = f"""
import os, threading
from pathlib import Path
from recollect.domain.clock import SystemClock
from recollect.domain.errors import Busy
from recollect.stores.opening import open_store

file = Path({str(home / "recollect.db")!r})
store = open_store(str(file), clock=SystemClock(), busy_timeout=1)
database = store._sqlite
counting = "SELECT count(*) FROM note"
inside, changed = threading.Event(), threading.Event()
told = {{}}

def count():
    with database.reading(None) as transaction:
        return transaction.query(counting)[0][0]

def copies():
    return len(list(Path({str(copies)!r}).iterdir()))

def read_slowly():
    try:
        with database.reading(None) as transaction:
            inside.set()
            changed.wait(20)
            told["slow"] = transaction.query(counting)[0][0]
    except BaseException as problem:
        told["problem"] = type(problem).__name__
    told["again"] = count()
    told["both"] = copies()

thread = threading.Thread(target=read_slowly, daemon=True)
thread.start()
inside.wait(20)
os.utime(file, ns=(1, 1))
told["quick"] = count()
told["meanwhile"] = copies()
changed.set()
thread.join()

def read_often(number):
    for turn in range(30):
        os.utime(file, ns=(1, 1000 * number + turn))
        try:
            count()
        except Busy:
            pass
        except BaseException as problem:
            told["often"] = repr(problem)

threads = [threading.Thread(target=read_often, args=(number,)) for number in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()
count()
told["one"] = copies()
store.close()
told["none"] = copies()
import json
print(json.dumps(told))
"""
    answer = run_bound(sys.executable, "-c", script, TMPDIR=str(copies))
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout)
    one = 1 if make is _with_log else 0
    assert told == {
        "slow": 5, "problem": "Busy", "again": 5, "quick": 5,
        "meanwhile": 2 * one, "both": one, "one": one, "none": 0,
    }  # fmt: skip


def _require_reading(home: Path) -> None:
    before = {file.name: file.read_bytes() for file in home.iterdir() if not file.name.endswith("-shm")}
    done = run_bound(sys.executable, "-c", READS, str(home))
    assert done.stdout, done.stderr
    told = json.loads(done.stdout)

    assert (told["list"], told["after"], told["doctor"]) == (5, 5, [])
    assert told["get"].startswith("Parrot")
    assert told["search"] == 5
    assert told["export"] == 7
    assert (told["save"], told["forget"], told["reindex"]) == ("read_only", "read_only", "read_only")
    assert {file.name: file.read_bytes() for file in home.iterdir() if file.name in before} == before
