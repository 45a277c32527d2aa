"""Only regular files below the root are opened, and no trick with links leads out of it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.remember.files import opened_file
from recollect.remember.files.chunks import FileDocument, Unreadable
from recollect.remember.files.file_reader import read_document
from recollect.remember.files.opened_file import fingerprint, read_bytes


@pytest.fixture(params=["by descriptor", "by path"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to read, next to one that must not be; on systems with and without folder descriptors."""
    if request.param == "by path":
        monkeypatch.setattr(opened_file, "_BY_DESCRIPTOR", False)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    inside = tmp_path / "root"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "a.md").write_text("hello")
    return inside


def code(path: Path, root: Path) -> str:
    found = read_document(path, root=root)
    assert isinstance(found, Unreadable), "it was read"
    return found.code


def test_a_file_is_named_by_its_path_below_the_root(root: Path) -> None:
    document = read_document(root / "sub" / "a.md", root=root)
    assert isinstance(document, FileDocument)
    assert (document.path, document.chunks[0].text) == ("sub/a.md", "hello")


def test_a_file_may_be_its_own_root(root: Path) -> None:
    document = read_document(root / "sub" / "a.md", root=root / "sub" / "a.md")
    assert isinstance(document, FileDocument)
    assert document.path == "a.md"


def test_a_relative_path_has_the_same_name(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.parent)
    found = read_bytes(Path("root/sub/../sub/a.md"), root=root)
    assert found == ("sub/a.md", b"hello")


def test_a_fingerprint_is_that_of_the_document(root: Path) -> None:
    document = read_document(root / "sub" / "a.md", root=root)
    assert isinstance(document, FileDocument)
    assert fingerprint(root / "sub" / "a.md", root=root) == (document.path, document.sha256)
    missing = fingerprint(root / "b.md", root=root)
    assert isinstance(missing, Unreadable)


def test_a_link_to_something_below_the_root_is_followed(root: Path) -> None:
    (root / "link.md").symlink_to("sub/a.md")
    found = read_bytes(root / "link.md", root=root)
    assert found == ("link.md", b"hello")


def test_the_root_itself_may_be_a_link(root: Path) -> None:
    (root.parent / "alias").symlink_to(root)
    found = read_bytes(root.parent / "alias" / "sub" / "a.md", root=root.parent / "alias")
    assert found == ("sub/a.md", b"hello")


Prepare = Callable[[Path], Path]


def _link_out(root: Path) -> Path:
    (root / "out.md").symlink_to(root.parent / "outside" / "secret.md")
    return root / "out.md"


def _folder_link_out(root: Path) -> Path:
    (root / "out").symlink_to("../outside")
    return root / "out" / "secret.md"


def _link_to_a_link_out(root: Path) -> Path:
    _link_out(root)
    (root / "again.md").symlink_to("out.md")
    return root / "again.md"


def _loop(root: Path) -> Path:
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    return root / "one"


def _pipe(root: Path) -> Path:
    os.mkfifo(root / "pipe.md")
    return root / "pipe.md"


def _socket(root: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(root / "s.md"))
    return root / "s.md"


def _large(root: Path) -> Path:
    with (root / "large.md").open("wb") as file:
        file.truncate(10_000_001)
    return root / "large.md"


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    ("prepare", "expected"),
    [
        (_link_out, "outside_root"),
        (_folder_link_out, "outside_root"),
        (_link_to_a_link_out, "outside_root"),
        (lambda root: root / ".." / "outside" / "secret.md", "outside_root"),
        (lambda root: root.parent / "outside" / "secret.md", "outside_root"),
        (lambda _: Path("/etc/passwd"), "outside_root"),
        (lambda root: root.parent / "root-not" / "x.md", "not_found"),
        (_loop, "symlink_loop"),
        (_pipe, "not_a_file"),
        (_socket, "not_a_file"),
        (lambda root: root / "sub", "not_a_file"),
        (lambda root: root, "not_a_file"),
        (_large, "too_large"),
        (lambda root: root / "missing.md", "not_found"),
        (lambda root: root / "sub" / "a.md" / "deeper.md", "not_found"),
        (lambda root: root / "nul\0.md", "bad_name"),
        (lambda root: root / "line\nend.md", "bad_name"),
        (lambda root: root / "half\udcff.md", "bad_name"),
        (lambda root: root / ("x" * 600), "bad_name"),
    ],
)
def test_what_must_not_be_read_is_named(prepare: Prepare, expected: str, root: Path) -> None:
    assert code(prepare(root), root) == expected


def test_a_device_is_not_opened() -> None:
    assert code(Path("/dev/zero"), Path("/dev")) == "not_a_file"


def test_a_file_is_refused_to_whom_the_system_refuses_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert code(root / "sub" / "a.md", root) == "no_permission"


def test_a_folder_exchanged_for_a_link_after_the_check_leads_nowhere(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root.parent / "outside" / "a.md").write_text("secret")
    check = opened_file._placed

    def exchanged(path: Path, base: Path) -> object:
        placed = check(path, base)
        (root / "sub").rename(root / "was")
        (root / "sub").symlink_to(root.parent / "outside")
        return placed

    monkeypatch.setattr(opened_file, "_placed", exchanged)
    assert code(root / "sub" / "a.md", root) == "changed_while_reading"


def test_a_file_exchanged_for_a_link_or_a_pipe_after_the_check_is_not_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = root / "sub" / "a.md"
    look = os.stat

    def stat_then_exchange(path: str, **options: object) -> os.stat_result:
        found = look(path, **options)  # type: ignore[arg-type]
        if str(path).endswith("a.md"):
            target.unlink(missing_ok=True)
            os.mkfifo(target)
        return found

    monkeypatch.setattr(os, "stat", stat_then_exchange)
    found = read_bytes(target, root=root)
    assert isinstance(found, Unreadable)
    assert found.code == "changed_while_reading"


def test_a_file_that_grows_while_it_is_read_is_cut_off_at_the_limit(root: Path) -> None:
    (root / "a.md").write_text("x" * 100)
    found = read_bytes(root / "a.md", root=root, max_bytes=99)
    assert isinstance(found, Unreadable)
    assert found.code == "too_large"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux counts descriptors there")
def test_no_descriptor_is_left_open(root: Path) -> None:
    _link_out(root)
    _pipe(root)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for name in ("sub/a.md", "out.md", "pipe.md", "missing.md", "sub", "sub/x/y"):
        read_bytes(root / name, root=root)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
