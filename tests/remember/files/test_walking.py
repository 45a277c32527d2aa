"""A folder: what is read in which order, what is left out, and what is named instead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recollect.remember.files import folder, opened_file
from recollect.remember.files.chunks import FileDocument, Unreadable
from recollect.remember.files.file_reader import read_document
from recollect.remember.files.folder import walk


def plant(root: Path, *files: str, **contents: str) -> None:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(contents.get(name, "text"))


def read(root: Path, *ignore: str) -> list[str]:
    return [item.relative_to(root).as_posix() for item in walk(root, ignore=ignore) if isinstance(item, Path)]


def refused(root: Path, *ignore: str) -> dict[str, str]:
    return {item.path: item.code for item in walk(root, ignore=ignore) if isinstance(item, Unreadable)}


@pytest.fixture(autouse=True, params=["by descriptor", "by path"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "by path":
        monkeypatch.setattr(opened_file, "_BY_DESCRIPTOR", False)


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    plant(tmp_path, "b.md", "a/z.md", "a/b/c.md", "c.txt", "B.md", "a.md")
    assert read(tmp_path) == ["B.md", "a/b/c.md", "a/z.md", "a.md", "b.md", "c.txt"]
    assert list(walk(tmp_path)) == list(walk(tmp_path))


def test_a_single_file_is_walked_too(tmp_path: Path) -> None:
    plant(tmp_path, "a.md")
    assert list(walk(tmp_path / "a.md")) == [tmp_path / "a.md"]


def test_what_tools_make_is_left_out(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", ".git/config", "node_modules/x/y.md", "sub/.venv/a.py", "__pycache__/a.pyc", "uv.lock")
    plant(
        tmp_path, "package-lock.json", ".gitignore", "x.min.js", ".env", "server.pem", ".env.example", ".github/w.yml"
    )
    assert read(tmp_path) == [".env.example", ".github/w.yml", "a.md"]
    assert refused(tmp_path) == {}


def test_each_folder_has_its_own_rules_and_the_deeper_one_decides(tmp_path: Path) -> None:
    plant(tmp_path, "a.log", "sub/a.log", "sub/b.log", "sub/c.txt", "other/c.txt")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "sub" / ".gitignore").write_text("!b.log\n/c.txt\n")
    assert read(tmp_path) == ["other/c.txt", "sub/b.log"]


def test_the_callers_patterns_weigh_most_then_ours_then_gits_then_the_built_in_ones(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", "b.md", "c.md", "d.lock", "e.md")
    (tmp_path / ".gitignore").write_text("b.md\n!c.md\n!d.lock\n")
    (tmp_path / ".recollectignore").write_text("c.md\n!b.md\na.md\n")
    assert read(tmp_path, "e.md", "!a.md") == ["a.md", "b.md", "d.lock"]


def test_the_folders_of_version_control_cannot_be_taken_back(tmp_path: Path) -> None:
    plant(tmp_path, ".git/config", "a.md")
    assert read(tmp_path, "!.git", "!.git/**") == ["a.md"]


def test_what_a_left_out_folder_holds_cannot_be_taken_back(tmp_path: Path) -> None:
    plant(tmp_path, "logs/keep.md", "a.md")
    assert read(tmp_path, "logs/", "!logs/keep.md") == ["a.md"]


def test_an_ignore_file_with_a_mark_and_windows_line_ends_is_understood(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", "b.md")
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfa.md\r\n# b.md\r\n")
    assert read(tmp_path) == ["b.md"]


def test_if_the_rules_cannot_be_read_nothing_they_might_leave_out_is(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", "sub/b.md", "sub/deep/c.md")
    (tmp_path / "sub" / ".gitignore").write_text("#" * 300_000)
    assert read(tmp_path) == ["a.md"]
    assert refused(tmp_path) == {"sub": "too_large"}


def test_links_are_not_followed_and_those_that_lead_out_are_named(tmp_path: Path) -> None:
    root = tmp_path / "root"
    plant(tmp_path, "root/a.md", "root/sub/b.md", "outside/secret.md")
    (root / "out.md").symlink_to("../outside/secret.md")
    (root / "out").symlink_to("../outside")
    (root / "gone-out").symlink_to("/nowhere/at/all")
    (root / "in.md").symlink_to("a.md")
    (root / "sub" / "up").symlink_to("..")
    (root / "gone").symlink_to("missing.md")
    (root / "loop").symlink_to("loop")
    assert read(root) == ["a.md", "sub/b.md"]
    assert refused(root) == {
        "out.md": "outside_root", "out": "outside_root", "gone-out": "outside_root",
        "gone": "not_found", "loop": "symlink_loop",
    }  # fmt: skip


def test_a_link_that_is_left_out_is_not_named(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/etc")
    assert refused(tmp_path, "out") == {}


def test_what_is_no_file_too_large_or_badly_named_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "line\nend.md").write_text("x")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/half\xff.md")).write_text("x")
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(10_000_001)
    assert refused(tmp_path) == {
        "pipe": "not_a_file", "line\\nend.md": "bad_name", "half\\udcff.md": "bad_name", "large.bin": "too_large",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "code"), [("missing", "not_found"), ("loop", "symlink_loop"), ("pipe", "not_a_file")])
def test_a_root_that_cannot_be_walked_is_named(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / name) == {".": code}


def test_a_folder_that_may_not_be_read_is_named_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, "a/x.md", "b/x.md")
    look = opened_file.list_folder

    def refuse(base: str, parts: tuple[str, ...]) -> list[tuple[str, os.stat_result]]:
        if parts == ("a",):
            raise PermissionError(13, "Permission denied")
        return look(base, parts)

    monkeypatch.setattr(folder, "list_folder", refuse)
    assert read(tmp_path) == ["b/x.md"]
    assert refused(tmp_path) == {"a": "no_permission"}


def test_folders_without_end_are_named(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", "/".join(["d"] * 120 + ["x.md"]))
    assert read(tmp_path) == ["a.md"]
    assert refused(tmp_path) == {"/".join(["d"] * 101): "too_deep"}


def test_everything_walked_can_be_read_and_a_second_run_gives_the_same(tmp_path: Path) -> None:
    plant(tmp_path, "a.md", "b/c.py", "d.html", "e.json")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")

    def run() -> list[FileDocument | Unreadable]:
        items = (item for item in walk(tmp_path) if isinstance(item, Path))
        return [read_document(item, root=tmp_path) for item in items]

    assert run() == run()
    assert [item.path for item in run()] == ["a.md", "b/c.py", "d.html", "e.json", "picture.png"]
    assert [item.code for item in run() if isinstance(item, Unreadable)] == ["binary"]
