"""Pages that people have already, as in an Obsidian vault: they become notes, and stay theirs to the byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory, Note
from recollect.vault.documents import Malformed
from recollect.vault.pages import derived_id, file_bytes, is_own_document, page
from tests.support.clock import SteadyClock
from tests.vault.machines import bare_remote, files_with, remote_bytes

PAGES = {
    "Inbox.md": "Buy milk #errand, see [[Größe]].\n",
    "Größe & Maß/Größe.md": (
        "---\ntype: book\nid: 202611\naliases: [Maß, Size]\ntags:\n  - Lesen\nrating: {of: 5}\n---\n# Größe\n"
        "`#nicht` #länge/cm\n"
    ),
    "Daily/2026/2026-11-16.md": "---\nMet Bob at the harbour.\n",
    "no end.md": "no line end",
    "windows.md": "one\r\ntwo\r\n",
    "empty.md": "",
}


def fill(folder: Path, pages: dict[str, str] = PAGES) -> Path:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


@pytest.fixture
def obsidian(tmp_path: Path) -> Path:
    return fill(tmp_path / "My Vault")


def bytes_of(folder: Path) -> dict[str, bytes]:
    own = (
        path for path in sorted(folder.rglob("*.md")) if path.relative_to(folder).parts[0] not in ("memory", "local")
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in own}


def by_title(memory: Memory) -> dict[str, Note]:
    """Notes that hold, by the names of their pages."""
    held = (note for note in memory.list(limit=100).items if note.state == "active")
    return {Path(note.metadata["vault"]["vault_file"]).stem: note for note in held if "vault" in note.metadata}


def test_every_page_becomes_a_note_and_no_byte_of_it_changes(memory: Memory, obsidian: Path) -> None:
    before = bytes_of(obsidian)
    report = memory.open_vault(str(obsidian))
    assert (len(report.taken_in), report.problems) == (len(PAGES), ())
    notes = by_title(memory)
    assert set(notes) == {"Inbox", "Größe", "2026-11-16", "no end", "windows", "empty"}
    assert notes["Größe"].tags == ("lesen", "länge/cm")
    assert notes["Größe"].metadata["aliases"] == ["Maß", "Size"]
    assert notes["Größe"].text == "# Größe\n`#nicht` #länge/cm"
    assert notes["Inbox"].tags == ("errand",)
    assert [hit.id for hit in memory.search("harbour").hits] == [notes["2026-11-16"].id]
    again = memory.scan_vault()
    assert (again.taken_in, again.written, bytes_of(obsidian)) == ((), 0, before)


def test_an_edit_either_way_touches_only_what_was_edited(memory: Memory, obsidian: Path) -> None:
    memory.open_vault(str(obsidian))
    note = by_title(memory)["Größe"]
    path = obsidian / "Größe & Maß" / "Größe.md"
    memory.update(note.id, tags=[*note.tags, "from-memory"])
    path.write_text(path.read_text().replace("  - Lesen", "  - Hören"))
    assert memory.scan_vault().taken_in == (note.id,)
    assert memory.get(note.id).tags == ("from-memory", "hören", "länge/cm")
    memory.update(note.id, text="# Größe\nneu")
    memory.scan_vault()
    was = PAGES["Größe & Maß/Größe.md"].replace("Lesen", "Hören")
    assert path.read_text() == was.replace("`#nicht` #länge/cm", "neu")


@pytest.mark.parametrize("edited", [False, True])
def test_a_renamed_page_is_the_same_note(memory: Memory, obsidian: Path, edited: bool) -> None:
    memory.open_vault(str(obsidian))
    note = by_title(memory)["Inbox"]
    target = obsidian / "Archive" / "Old inbox.md"
    target.parent.mkdir()
    (obsidian / "Inbox.md").rename(target)
    if edited:
        with target.open("a") as file:
            file.write("And bread.\n")
    report = memory.scan_vault()
    assert (report.taken_in, report.retracted, report.held) == ((note.id,), (), ())
    assert by_title(memory)["Old inbox"].id == note.id
    fill(obsidian, {"Inbox.md": "quite another page\n"})
    memory.scan_vault()
    assert by_title(memory)["Inbox"].id != note.id
    assert memory.get(note.id).title == "Old inbox"
    assert memory.get(note.id).text.startswith("Buy milk")


def test_a_deleted_page_retracts_its_note_and_one_that_is_put_back_brings_it_back(
    memory: Memory, obsidian: Path
) -> None:
    memory.open_vault(str(obsidian))
    note = by_title(memory)["Inbox"]
    content = (obsidian / "Inbox.md").read_bytes()
    (obsidian / "Inbox.md").unlink()
    assert memory.scan_vault().retracted == (note.id,)
    (obsidian / "Inbox.md").write_bytes(content)
    assert memory.scan_vault().taken_in == (note.id,)
    now = memory.get(note.id)
    assert (now.state, now.text, (obsidian / "Inbox.md").read_bytes()) == ("active", note.text, content)


def test_a_forgotten_page_is_gone_and_none_of_that_name_brings_it_back(memory: Memory, obsidian: Path) -> None:
    memory.open_vault(str(obsidian))
    note = by_title(memory)["Inbox"]
    memory.forget(note.id)
    memory.scan_vault()
    assert not (obsidian / "Inbox.md").exists()
    fill(obsidian, {"Inbox.md": "again\n"})
    [problem] = memory.scan_vault().problems
    assert (problem.path, "forgotten" in problem.message) == ("Inbox.md", True)
    assert (obsidian / "Inbox.md").read_text() == "again\n"


def test_a_copy_of_a_page_is_a_note_of_its_own_and_a_copy_with_an_id_is_named(memory: Memory, obsidian: Path) -> None:
    ours = memory.save("Alice prefers tea")
    memory.open_vault(str(obsidian))
    shutil.copy(obsidian / "Inbox.md", obsidian / "Inbox 1.md")
    [file] = files_with(obsidian, ours.id)
    shutil.copy(file, file.with_name("alice 1.md"))
    report = memory.scan_vault()
    assert report.taken_in == (by_title(memory)["Inbox 1"].id,)
    [problem] = report.problems
    assert (problem.path, problem.code) == ("memory/semantic/alice 1.md", "malformed")
    assert file.name in problem.message
    assert by_title(memory)["Inbox"].id != by_title(memory)["Inbox 1"].id


def test_pages_that_cannot_be_notes_are_named_with_the_reason_and_left_alone(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    odd = {
        "huge.md": b"word " * 400_000,
        "binary.md": b"\x89PNG\x00\x01",
        "latin.md": "Größe".encode("latin-1"),
        "front.md": b"---\nkey: " + b"x" * 60_000 + b"\n---\ntext\n",
        "merge.md": b"<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n",
    }
    for name, content in odd.items():
        (folder / name).write_bytes(content)
    report = memory.open_vault(str(folder))
    assert {problem.path for problem in report.problems} == set(odd)
    assert all(problem.message.startswith(problem.path) for problem in report.problems)
    assert ({name: (folder / name).read_bytes() for name in odd}, report.taken_in) == (odd, ())
    assert {item.path for item in memory.review().items} == set(odd)


def test_what_belongs_to_programs_is_left_out_and_folders_of_templates_are_said(memory: Memory, obsidian: Path) -> None:
    fill(obsidian, {".obsidian/x.md": "x", ".trash/y.md": "y", ".git/z.md": "z", "node_modules/a/README.md": "a"})
    fill(obsidian, {"Meta/Vorlagen/daily.md": "{{date}}", "image.png": "no page", "board.canvas": "{}"})
    (obsidian / ".obsidian" / "templates.json").write_text(json.dumps({"folder": "Meta/Vorlagen"}))
    report = memory.open_vault(str(obsidian))
    assert len(report.taken_in) == len(PAGES)
    assert {each.path for each in report.left_out} == {"Meta/Vorlagen", "node_modules"}
    assert report.problems == ()


def test_a_vault_that_is_opened_in_another_folder_is_whole_there_and_nothing_counts_as_deleted(
    memory: Memory, obsidian: Path
) -> None:
    notes = [memory.save(f"note {number}") for number in range(6)]
    before = Path(memory.open_vault().folder)
    report = memory.open_vault(str(obsidian))
    assert (report.held, report.retracted, report.written) == ((), (), len(notes))
    assert len(report.taken_in) == len(PAGES)
    assert all(files_with(folder, note.id) for note in notes for folder in (before, obsidian))


def test_a_mark_is_written_only_where_it_was_asked_for(memory: Memory, obsidian: Path) -> None:
    memory.open_vault(str(obsidian), pages="marked")
    note = by_title(memory)["Größe"]
    path = obsidian / "Größe & Maß" / "Größe.md"
    assert path.read_text() == PAGES["Größe & Maß/Größe.md"].replace("---\n", f"---\nrecollect: {note.id}\n", 1)
    assert (obsidian / "Inbox.md").read_text().endswith(PAGES["Inbox.md"])
    path.write_text(path.read_text().replace("# Größe", "# Ganz anders"))
    path.rename(obsidian / "renamed and rewritten.md")
    settled = memory.scan_vault()
    assert (settled.taken_in, settled.retracted) == ((note.id,), ())
    assert memory.scan_vault().written == 0


@pytest.fixture
def laptops(tmp_path: Path) -> Iterator[list[tuple[Memory, Path]]]:
    """Two machines that share a remote, each with an Obsidian vault of its own."""
    remote = bare_remote(tmp_path / "remote.git")
    opened = []
    for number in range(2):
        clock = SteadyClock(f"2026-01-01T0{number}:00:00+00:00")
        memory = Memory(home=tmp_path / f"home-{number}", clock=clock)
        folder = tmp_path / f"laptop-{number}"
        folder.mkdir()
        memory.open_vault(str(folder), remote=str(remote))
        opened.append((memory, folder))
    yield opened
    for memory, _ in opened:
        memory.close()


def sync(laptops: list[tuple[Memory, Path]], rounds: int = 2) -> None:
    for _ in range(rounds):
        for memory, _ in laptops:
            report = memory.sync()
            assert report.problems == () and report.held == ()


def test_pages_are_at_the_same_place_with_the_same_bytes_on_the_other_machine(
    laptops: list[tuple[Memory, Path]],
) -> None:
    (here, mine), (_, theirs) = laptops
    fill(mine)
    saved = here.save("Alice lives in Boston")
    sync(laptops)
    assert bytes_of(theirs) == bytes_of(mine) == {name: text.encode() for name, text in PAGES.items()}
    [one], [two] = files_with(mine, saved.id), files_with(theirs, saved.id)
    assert one.relative_to(mine) == two.relative_to(theirs)
    assert one.name == f"alice-lives-in-boston-{saved.id[-4:].lower()}.md"
    (theirs / "Inbox.md").rename(theirs / "Errands.md")
    with (theirs / "windows.md").open("ab") as file:
        file.write(b"three\r\n")
    here.update(saved.id, text="Alice lives in Rome")
    sync(laptops)
    assert bytes_of(theirs) == bytes_of(mine)
    assert (mine / "Errands.md").exists() and not (mine / "Inbox.md").exists()
    assert (mine / "windows.md").read_bytes() == b"one\r\ntwo\r\nthree\r\n"
    assert files_with(mine, saved.id) == [one], "a file keeps the name it was given"
    (mine / "Errands.md").unlink()
    sync(laptops)
    assert bytes_of(theirs) == bytes_of(mine) and "Errands.md" not in bytes_of(mine)


def test_machines_that_share_the_folder_by_other_means_call_a_page_the_same(
    laptops: list[tuple[Memory, Path]],
) -> None:
    (here, mine), (there, theirs) = laptops
    fill(mine)
    shutil.copytree(mine, theirs, dirs_exist_ok=True)
    for memory, _ in laptops:
        memory.scan_vault()
    assert {note.id for note in here.list().items} == {note.id for note in there.list().items}
    sync(laptops)
    assert bytes_of(theirs) == bytes_of(mine) == {name: text.encode() for name, text in PAGES.items()}


def test_a_page_that_two_machines_took_in_apart_ends_as_one_note(laptops: list[tuple[Memory, Path]]) -> None:
    (here, mine), (there, theirs) = laptops
    fill(mine, {"Untitled.md": "Tea with Alice\n"})
    here.scan_vault()
    (mine / "Untitled.md").rename(mine / "Tea.md")
    here.scan_vault()
    fill(theirs, {"Tea.md": "Tea with Alice\n"})
    there.scan_vault()
    sync(laptops, rounds=4)
    for memory, folder in laptops:
        assert bytes_of(folder) == {"Tea.md": b"Tea with Alice\n"}
        [note] = [note for note in memory.list().items if note.state == "active"]
        assert by_title(memory)["Tea"].id == note.id
    (theirs / "Tea.md").write_text("Tea with Bob\n")
    sync(laptops)
    assert (mine / "Tea.md").read_text() == "Tea with Bob\n"


def test_edits_of_a_page_on_both_machines_meet_and_its_front_matter_stays(laptops: list[tuple[Memory, Path]]) -> None:
    (_, mine), (_, theirs) = laptops
    fill(mine, {"list.md": "---\nmood: good\n---\none\ntwo\nthree\n"})
    sync(laptops)
    (mine / "list.md").write_text("---\nmood: good\n---\nzero\none\ntwo\nthree\n")
    (theirs / "list.md").write_text("---\nmood: good\nplace: home\n---\none\ntwo\nthree\nfour\n")
    sync(laptops, rounds=3)
    for _, folder in laptops:
        assert (folder / "list.md").read_text() == "---\nmood: good\nplace: home\n---\nzero\none\ntwo\nthree\nfour\n"


def test_a_page_goes_without_its_secrets_and_keeps_them_itself(
    laptops: list[tuple[Memory, Path]], tmp_path: Path
) -> None:
    (here, mine), (there, theirs) = laptops
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    text = f"---\ntoken: {secret}\n---\nmine\n"
    fill(mine, {"keys.md": text, "plain.md": "plain\n"})
    sync(laptops)
    assert set(bytes_of(theirs)) == {"keys.md", "plain.md"}
    assert secret.encode() not in bytes_of(theirs)["keys.md"] + remote_bytes(tmp_path / "remote.git")
    there.update(by_title(there)["keys"].id, text="changed there")
    there.sync()
    assert [problem.code for problem in here.sync().problems] == ["secret"]
    assert by_title(here)["keys"].text == "changed there"
    assert (mine / "keys.md").read_text() == text


def test_a_page_of_the_local_tree_never_leaves(laptops: list[tuple[Memory, Path]]) -> None:
    (here, mine), (there, _) = laptops
    fill(mine, {"local/diary.md": "only here\n"})
    sync(laptops)
    assert here.search("only here").hits and not there.search("only here").hits
    assert (mine / "local" / "diary.md").read_text() == "only here\n"


@given(
    st.text(st.characters(codec="utf-8"), max_size=80)
    | st.lists(
        st.sampled_from(["---\n", "a: b\n", "tags: [x]\n", "text\n", "\ufeff", "#t ", "\r\n", "x"]), max_size=9
    ).map("".join)
)
def test_whatever_a_page_says_its_file_is_that_page(text: str) -> None:
    content = text.encode()
    if is_own_document(content):
        return
    try:
        document = page(content, "a folder/Ä page.md")
    except Malformed:
        return
    mixed = b"\r" in content and (b"\r\n" not in content or content.count(b"\r\n") != content.count(b"\n"))
    if not mixed:
        assert file_bytes(document) == content


def test_the_id_of_a_page_depends_on_its_place_alone_and_not_on_how_a_system_spells_it() -> None:
    assert derived_id("Größe.md") == derived_id("Gro\u0308ße.md") != derived_id("Grösse.md")
    assert derived_id("a.md") != derived_id("a.md", 1)
