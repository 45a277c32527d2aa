"""Which files are opened as a database, and which are refused and left alone."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured, Refused, StoreFailure
from recollect.stores.opening import file_of, open_store
from recollect.stores.sqlite.damage import require_local_file_system, require_sound_sqlite
from tests.support.clock import SteadyClock
from tests.support.writing import saved

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("version", "sound"),
    [
        ("3.7.0", False),
        ("3.40.1", False),
        ("3.44.5", False),
        ("3.44.6", True),
        ("3.45.0", False),
        ("3.50.6", False),
        ("3.50.7", True),
        ("3.51.0", False),
        ("3.51.2", False),
        ("3.51.3", True),
        ("3.52.0", True),
        ("3.54.1", True),
        ("4.0.0", True),
    ],
)
def test_an_sqlite_that_can_lose_pages_is_refused(version: str, sound: bool) -> None:
    if sound:
        require_sound_sqlite(version)
        return
    with pytest.raises(Refused, match=version) as refusal:
        require_sound_sqlite(version)
    assert refusal.value.code == "unsafe_sqlite"


def test_the_sqlite_that_comes_with_us_is_sound() -> None:
    require_sound_sqlite()


MOUNTS = r"""
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:26 / /mnt rw,relatime shared:5 - nfs4 server:/export rw,vers=4.2
31 22 0:27 / /media/share rw,relatime - cifs //server/share rw
32 22 0:28 / /host rw,relatime - 9p hostshare rw,trans=virtio
33 30 254:1 / /mnt/local rw,relatime - ext4 /dev/vdb rw
34 33 0:29 / /mnt/local/far rw,relatime - fuse.sshfs user@server:/home rw
35 22 0:30 / /data\040of\040ours rw,relatime - nfs server:/data rw
36 22 0:31 / /büro rw,relatime master:3 - smb3 //server/büro rw
37 22 0:32 / /back\134slash rw,relatime - nfs server:/x rw
38 22 0:33 / /auto rw,relatime - autofs systemd-1 rw
39 38 0:34 / /auto rw,relatime - nfs4 server:/auto rw
40 22 0:35 / /shadowed rw,relatime - nfs4 server:/x rw
41 40 254:2 / /shadowed rw,relatime - xfs /dev/vdc rw
42 22 0:36 / /run/user/1000 rw,nosuid - tmpfs tmpfs rw
this line means nothing
43 22 0:37 /short
""".strip().splitlines()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/alice/memory.db", None),
        ("/mnt/memory.db", "nfs4"),
        ("/mnt", "nfs4"),
        ("/mntx/memory.db", None),
        ("/mnt/locale/memory.db", "nfs4"),
        ("/media/share/a/b/memory.db", "cifs"),
        ("/host/memory.db", "9p"),
        ("/mnt/local/memory.db", None),
        ("/mnt/local/far/memory.db", "fuse.sshfs"),
        ("/data of ours/memory.db", "nfs"),
        ("/data/memory.db", None),
        ("/büro/memory.db", "smb3"),
        ("/back\\slash/memory.db", "nfs"),
        ("/auto/memory.db", "nfs4"),
        ("/shadowed/memory.db", None),
        ("/run/user/1000/memory.db", None),
    ],
)
def test_a_network_file_system_is_refused(path: str, kind: str | None) -> None:
    if kind is None:
        require_local_file_system(Path(path), MOUNTS)
        return
    with pytest.raises(Refused, match=f"is on {kind}") as refusal:
        require_local_file_system(Path(path), MOUNTS)
    assert refusal.value.code == "unsafe_file_system"
    assert "RECOLLECT_HOME" in refusal.value.hint


def test_a_link_to_a_network_file_system_is_refused(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far")
    mounts = ["22 1 254:0 / / rw - ext4 /dev/vda rw", f"30 22 0:26 / {tmp_path}/far rw - nfs4 server:/x rw"]
    with pytest.raises(Refused):
        require_local_file_system(tmp_path / "near" / "memory.db", mounts)


def test_a_network_share_of_windows_is_refused() -> None:
    with pytest.raises(Refused, match="network share"):
        require_local_file_system(Path(r"\\server\share\memory.db"), [])


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    theirs = apsw.Connection(str(path))
    theirs.execute("CREATE TABLE recipe (name TEXT); INSERT INTO recipe VALUES ('soup')")
    theirs.close()

    _refused_and_untouched(path, code="foreign_database")


@pytest.mark.parametrize(
    "content",
    [b"hello", b"hello\n" * 10_000, os.urandom(8192)],
    ids=["a few words", "a text", "noise"],
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)

    _refused_and_untouched(path, code="foreign_database")


def test_a_folder_is_refused(tmp_path: Path, clock: SteadyClock) -> None:
    with pytest.raises(Refused, match="is a folder"):
        open_store(str(tmp_path), clock=clock, busy_timeout=1)


def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path, clock: SteadyClock) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFailure) as refusal:
        open_store(str(tmp_path / "file" / "memory.db"), clock=clock, busy_timeout=1)
    assert refusal.value.code == "not_writable"


def test_an_empty_file_becomes_a_database(tmp_path: Path, clock: SteadyClock) -> None:
    path = tmp_path / "memory.db"
    path.touch()
    with closing(open_store(str(path), clock=clock, busy_timeout=1)) as store:
        saved(store, clock)


@pytest.mark.parametrize("spelling", ["{}", "sqlite:///{}"])
def test_a_file_can_be_named_in_two_ways(tmp_path: Path, clock: SteadyClock, spelling: str) -> None:
    path = tmp_path / "memory.db"
    with closing(open_store(spelling.format(path), clock=clock, busy_timeout=1)) as store:
        assert store.location == str(path)
    assert path.exists()


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/kept/memory.db", "/kept/memory.db"),
        ("sqlite:////kept/memory.db", "/kept/memory.db"),
        ("memory.db", "{cwd}/memory.db"),
        ("sqlite:///memory.db", "{cwd}/memory.db"),
        ("~/memory.db", "{home}/memory.db"),
        ("sqlite:///~/memory.db", "{home}/memory.db"),
        (":memory:", None),
        ("sqlite:///:memory:", None),
        ("postgresql://me@host/memory", None),
        ("mysql://me@host/memory", None),
    ],
)
def test_an_address_names_one_file_wherever_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, file: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    wanted = None if file is None else Path(file.format(cwd=tmp_path, home=tmp_path / "home")).absolute()
    assert file_of(address) == wanted


def test_an_unknown_kind_of_store_is_a_clear_error(clock: SteadyClock) -> None:
    with pytest.raises(Misconfigured, match="mysql") as refusal:
        open_store("mysql://root@localhost/memory", clock=clock, busy_timeout=1)
    assert refusal.value.code == "unknown_store"


@pytest.fixture
def open_umask() -> Iterator[None]:
    """As if the machine would let everybody read every new file."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_only_the_owner_can_read_the_files(tmp_path: Path, open_umask: None) -> None:
    home = tmp_path / "a" / "home"
    with Memory(home=home) as memory:
        memory.save("Nobody else's business")
        memory.backup(str(home / "backups" / "plain.db"))
        memory.backup(str(home / "backups" / "compact.db"), compact=True)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in home.rglob("*")}

    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert modes.pop("backups") == 0o700
    assert set(modes) == {
        "recollect.db", "recollect.db-wal", "recollect.db-shm", "plain.db", "plain.db.json", "compact.db",
        "compact.db.json",
    }  # fmt: skip
    assert {name: oct(mode) for name, mode in modes.items()} == dict.fromkeys(modes, oct(0o600))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("how", ["politely", "at once", "without using it"])
def test_a_fork_can_use_the_store_and_takes_nothing_from_its_parent(tmp_path: Path, how: str) -> None:
    """A child that is forked with a store open works on it, and the parent's locks stay exactly as they were."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.forking", str(tmp_path / "memory.db"), how],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)

    assert told["status"] == 0
    assert told["before"], "the parent holds locks"
    assert told["after"] == told["before"]
    by_the_child = [] if how == "without using it" else ["Written by the child"]
    assert told["texts"] == ["Written after the fork", *by_the_child, "Written before the fork"]


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not tell who holds which lock")
def test_taking_in_the_folder_of_a_memory_leaves_its_database_alone(tmp_path: Path) -> None:
    """Reading it as a file would drop the locks of this process, and the next writer would not wait for it."""
    with Memory(home=tmp_path / "home") as memory:
        memory.save("Alice prefers tea")
        (tmp_path / "home" / "notes.md").write_text("# Tea\n\nAlice prefers tea, and has for years.\n")
        (tmp_path / "home" / "link.db").symlink_to(tmp_path / "home" / "recollect.db")
        (tmp_path / "home" / "twin.db").hardlink_to(tmp_path / "home" / "recollect.db")
        before = _locks_on(tmp_path / "home" / "recollect.db")

        report = memory.ingest(str(tmp_path / "home"))
        alone = memory.ingest(str(tmp_path / "home" / "recollect.db"))

        assert before
        assert _locks_on(tmp_path / "home" / "recollect.db") == before
        assert report.read == 1
        assert {failure.code for failure in alone.failures} == {"own_database"}
        assert memory.doctor().healthy


def _locks_on(database: Path) -> list[str]:
    """This process's locks on the database and its shared memory, as the kernel has them; nothing is opened."""
    inodes = {Path(f"{database}{ending}").stat().st_ino for ending in ("", "-shm")}
    lines = [line.replace("-> ", "").split() for line in Path("/proc/locks").read_text().splitlines()]
    return sorted(
        " ".join([kind, place, *span])
        for _, _, _, kind, pid, place, *span in lines
        if int(pid) == os.getpid() and int(place.rpartition(":")[2]) in inodes
    )


def _refused_and_untouched(path: Path, *, code: str) -> None:
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(Refused) as refusal:
        Memory(store=str(path), home=path.parent)

    assert refusal.value.code == code
    assert str(path) in refusal.value.message
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
