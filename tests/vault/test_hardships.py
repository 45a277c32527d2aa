"""What remotes, disks and people do to a sync: it says so, goes on with everything else, and loses nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recollect import Memory, RecollectError
from tests.vault.machines import bare_remote, file_of, files_of, folder_of, git, in_step, refusal


def test_a_remote_that_was_replaced_by_an_empty_one_is_filled_again(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    note = here.save("Alice prefers tea")
    in_step([here, there])
    shutil.rmtree(tmp_path / "remote.git")
    bare_remote(tmp_path / "remote.git")
    there.update(note.id, text="Alice prefers oolong")
    in_step([here, there])
    assert here.get(note.id).text == "Alice prefers oolong"
    assert len(git("--git-dir", str(tmp_path / "remote.git"), "for-each-ref").splitlines()) == 2


def test_a_branch_of_somebody_else_is_no_hindrance(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    good = here.save("Alice prefers tea")
    in_step([here, there])
    foreign(tmp_path, "main", {"README.md": b"# memory\n", "src/deep/er/code.py": b"pass\n"})
    foreign(
        tmp_path,
        "m-strange",
        {
            "README.md": b"# memory\n",
            "notes/deep/er/x.md": b"---\nid: x\n---\n",
            "semantic/no-id.md": b"---\ntitle: x\n---\n",
            "semantic/01J9Z8YPM7Q3X2V4WT6B5N0KGD.md": b"\xff\xfe no text",
            "semantic/01J9ZB0C4F8H2K6M3P9R7S5T1W.md": b"---\ntype: semantic\n---\n" + b"long " * 2_000_000,
            f"semantic/{good.id}.md": b"<<<<<<< HEAD\nnot a note\n",
            "erased/not-an-id": b"",
        },
        link="semantic/01J9ZC0C4F8H2K6M3P9R7S5T1W.md",
        odd_name=b"semantic/\xff\xfe.md",
    )
    here.update(good.id, text="Alice prefers oolong")
    other = there.save("from the other machine")
    in_step([here, there], rounds=3)
    assert there.get(good.id).text == "Alice prefers oolong"
    assert set(files_of(here)) == {
        f"semantic/alice-prefers-tea-{good.id[-4:].lower()}.md",
        f"semantic/from-the-other-machine-{other.id[-4:].lower()}.md",
    }


def foreign(folder: Path, branch: str, files: dict[str, bytes], *, link: str = "", odd_name: bytes = b"") -> None:
    """A branch of the remote that was made by other means than ours."""
    work = folder / branch
    git("clone", "--quiet", str(folder / "remote.git"), str(work))
    git("-C", str(work), "checkout", "--quiet", "--orphan", branch)
    for path, content in files.items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_bytes(content)
    if link:
        (work / link).symlink_to("/etc/passwd")
    if odd_name:
        Path(os.fsdecode(bytes(work) + b"/" + odd_name)).write_bytes(b"x")
    named = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    git("-C", str(work), "add", "--all", "--force")
    git("-C", str(work), "update-index", "--add", "--cacheinfo", f"160000,{'a' * 40},semantic/module")
    git("-C", str(work), *named, "commit", "--quiet", "--message", "by hand")
    git("-C", str(work), "push", "--quiet", "origin", branch)


@pytest.mark.parametrize("damage", ["pack", "index"])
def test_a_pack_that_is_cut_in_half_is_made_anew(two: tuple[Memory, Memory], damage: str) -> None:
    here, there = two
    notes = [here.save(f"note {number} " + "of some length " * 40) for number in range(8)]
    in_step([here, there])
    repository = folder_of(here) / ".recollect" / "repository.git"
    git("--git-dir", str(repository), "gc", "--quiet", "--prune=now")
    [broken] = (repository / "objects" / "pack").glob("*.pack" if damage == "pack" else "*.idx")
    broken.chmod(0o600)
    broken.write_bytes(broken.read_bytes()[: broken.stat().st_size // 2])
    here.update(notes[0].id, text="edited here")
    there.update(notes[1].id, text="edited there")
    in_step([here, there])
    assert (there.get(notes[0].id).text, here.get(notes[1].id).text) == ("edited here", "edited there")
    assert len(files_of(here)) == 8


def test_a_remote_whose_objects_are_gone_is_said_and_nothing_is_lost(
    two: tuple[Memory, Memory], tmp_path: Path
) -> None:
    here, there = two
    note = here.save("Alice prefers tea")
    in_step([here, there])
    there.update(note.id, text="Alice prefers oolong")
    there.sync()
    shutil.move(tmp_path / "remote.git" / "objects", tmp_path / "objects")
    (tmp_path / "remote.git" / "objects").mkdir()
    here.update(note.id, tags=["drink"])
    assert refusal(here).code in ("remote_unreachable", "remote_read_only")
    assert here.get(note.id).tags == ("drink",)
    (tmp_path / "remote.git" / "objects").rmdir()
    shutil.move(tmp_path / "objects", tmp_path / "remote.git" / "objects")
    in_step([here, there])
    assert (there.get(note.id).text, there.get(note.id).tags) == ("Alice prefers oolong", ("drink",))


def test_a_lock_that_somebody_left_on_the_remote_is_said(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    note = here.save("Alice prefers tea")
    in_step([here, there])
    [ref] = [each for each in (tmp_path / "remote.git" / "refs" / "heads").iterdir() if machine(here) in each.name]
    lock = ref.with_name(f"{ref.name}.lock")
    lock.touch()
    here.update(note.id, text="Alice prefers oolong")
    problem = refusal(here)
    assert problem.code == "push_rejected"
    assert ".lock" in problem.message
    lock.unlink()
    in_step([here, there])
    assert there.get(note.id).text == "Alice prefers oolong"


def machine(memory: Memory) -> str:
    return memory.scan_vault().machine


def test_a_remote_that_keeps_its_history_is_said_when_something_is_forgotten(
    two: tuple[Memory, Memory], tmp_path: Path
) -> None:
    here, there = two
    doomed, kept = here.save("the swordfish swims at noon"), here.save("kept")
    in_step([here, there])
    git("--git-dir", str(tmp_path / "remote.git"), "config", "receive.denyNonFastForwards", "true")
    here.forget(doomed.id)
    there.update(kept.id, text="kept, and edited there")
    there.sync()
    problem = refusal(here)
    assert problem.code == "remote_keeps_history"
    assert "forgotten" in problem.hint
    assert here.get(kept.id).text == "kept, and edited there", "what others sent has been taken in"
    git("--git-dir", str(tmp_path / "remote.git"), "config", "receive.denyNonFastForwards", "false")
    in_step([here, there], rounds=3)
    with pytest.raises(RecollectError, match="forgotten"):
        there.get(doomed.id)


@pytest.mark.parametrize("days", [-1, 1])
def test_what_is_written_by_a_wrong_clock_and_after_it_was_put_right_is_kept(
    two: tuple[Memory, Memory], days: int
) -> None:
    here, there = two
    note = here.save("one\ntwo\nthree", title="first")
    in_step([here, there])
    here._engine.clock.advance(days=days)  # type: ignore[attr-defined]
    here.update(note.id, text="one, wrong clock\ntwo\nthree")
    there.update(note.id, text="one\ntwo\nthree, right clock", title="second")
    in_step([here, there])
    here._engine.clock.advance(days=-days)  # type: ignore[attr-defined]
    here.update(note.id, title="third")
    in_step([here, there])
    now = there.get(note.id)
    assert (now.title, now.text) == ("third", "one, wrong clock\ntwo\nthree, right clock")


def test_the_line_ends_of_a_file_are_the_same_on_every_machine(two: tuple[Memory, Memory]) -> None:
    here, there = two
    note = here.save("one\ntwo\nthree", tags=["a"])
    in_step([here, there])
    path = file_of(here, note.id)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").replace(b"one", b"one, on Windows"))
    there.update(note.id, text="one\ntwo\nthree, there", tags=["a", "b"])
    in_step([here, there])
    content = file_of(there, note.id).read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n")
    assert b"one, on Windows\r\ntwo\r\nthree, there\r\n" in content
    assert there.get(note.id).tags == ("a", "b")


def test_files_that_cannot_be_sent_keep_nothing_else_back(two: tuple[Memory, Memory], tmp_path: Path) -> None:
    here, there = two
    large, binary, linked, long, good = (here.save(f"note {number}") for number in range(5))
    in_step([here, there])
    names = {each.id: file_of(here, each.id).name for each in (large, binary, linked)}
    file_of(here, large.id).write_bytes(file_of(here, large.id).read_bytes() + b"a" * 10_000_000)
    file_of(here, binary.id).write_bytes(file_of(here, binary.id).read_bytes() + b"\xc3\x28")
    target = tmp_path / "elsewhere.md"
    path = file_of(here, linked.id)
    path.rename(target)
    path.symlink_to(target)
    file_of(here, long.id).write_bytes(file_of(here, long.id).read_bytes() + b"a long line\n" * 70_000)
    here.update(good.id, text="better")
    there.update(linked.id, text="edited there")
    codes = {problem.path.rpartition("/")[2]: problem.code for problem in here.sync().problems}
    assert codes == {names[large.id]: "malformed", names[binary.id]: "malformed", names[linked.id]: "symlink"}
    there.sync()
    here.sync()
    assert there.get(good.id).text == "better"
    assert len(there.get(long.id).text) > 800_000
    assert here.get(linked.id).text == "edited there"
    assert target.read_text().endswith("note 2\n"), "a link is not written through"
    assert [there.get(each.id).state for each in (large, binary, linked)] == ["active"] * 3


def test_a_folder_that_vanished_is_held_and_no_other_machine_is_told(two: tuple[Memory, Memory]) -> None:
    here, there = two
    notes = [here.save(f"note {number}") for number in range(2)]
    other = here.save("of another kind", kind="procedural")
    in_step([here, there])
    shutil.rmtree(folder_of(here) / "memory" / "semantic")
    there.update(other.id, text="edited there")
    there.sync()
    assert len(here.sync().held) == 2
    there.sync()
    assert [there.get(note.id).state for note in notes] == ["active", "active"]
    assert here.get(other.id).text == "edited there"
    assert here.scan_vault(put_back=True).held == ()
    in_step([here, there])
    assert len(files_of(here)) == 3


def test_a_folder_that_was_moved_as_a_whole_is_not_held(two: tuple[Memory, Memory]) -> None:
    here, there = two
    notes = [here.save(f"note {number}") for number in range(5)]
    in_step([here, there])
    (folder_of(here) / "memory" / "semantic").rename(folder_of(here) / "local" / "semantic")
    moved = here.sync()
    assert (moved.held, moved.problems) == ((), ())
    assert all(here.get(note.id).scope.machine for note in notes)
    there.sync()
    assert files_of(there) == {}


def test_a_folder_that_may_not_be_read_is_held_and_everything_else_goes_on(two: tuple[Memory, Memory]) -> None:
    here, there = two
    hidden = here.save("behind a closed door")
    other = here.save("of another kind", kind="procedural")
    in_step([here, there])
    there.update(other.id, text="edited there")
    there.sync()
    closed = folder_of(here) / "memory" / "semantic"
    closed.chmod(0)
    try:
        said = without_privileges("sync", "--json", home=here.settings.home)
    finally:
        closed.chmod(0o700)
    assert said.returncode == 1, said.stderr
    assert '"unreadable"' in said.stdout
    assert f"-{hidden.id[-4:].lower()}.md" in said.stdout.partition('"held"')[2], "it is held, and not deleted"
    assert here.get(other.id).text == "edited there"
    in_step([here, there])
    assert there.get(hidden.id).state == "active"


def without_privileges(*words: str, home: Path) -> subprocess.CompletedProcess[str]:
    """`recollect` as somebody to whom closed doors are closed; to root they are open otherwise."""
    dropped = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()
    return subprocess.run(
        [*dropped, sys.executable, "-m", "recollect", *words, "--home", str(home)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
