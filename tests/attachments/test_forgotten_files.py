"""The bytes of a file go with the last message that has it: from the store, its files, and everything made later."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect import Attachment, Memory, NotFound
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of
from tests.support.small_files import PNG, TEXT, picture


def _tables(memory: Memory) -> tuple[int, int]:
    store = store_of(memory)
    return len(rows(store, "SELECT digest FROM attachment")), len(
        rows(store, "SELECT digest FROM attachment_reference")
    )


def test_forgetting_one_message_keeps_the_file_of_the_other(memory: Memory) -> None:
    first = memory.add("The kitchen", attachments=[picture("one.png")])
    second = memory.add("The kitchen again", attachments=[picture("two.png")])
    digest = first.attachments[0].digest
    memory.forget(first.observation_ids[0])
    assert memory.attachment(digest).name == "two.png"
    memory.forget(second.observation_ids[0])
    with pytest.raises(NotFound):
        memory.attachment(digest)
    assert _tables(memory) == (0, 0)


def test_a_note_takes_the_files_of_its_message_along(memory: Memory) -> None:
    kept = memory.add("I moved to Berlin last week.", attachments=[picture()])
    assert kept.learned[0].note is not None
    memory.forget(kept.learned[0].note.id)
    assert _tables(memory) == (0, 0)


WAYS: dict[str, Callable[[Memory], object]] = {
    "reset of a space": lambda memory: memory.reset(confirm=memory.reset().confirm),
    "reset of a user": lambda memory: memory.reset(user="ana", confirm=memory.reset(user="ana").confirm),
    "deleting the space": lambda memory: memory.delete_space("default"),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_to_erase_messages_erases_their_files(memory: Memory, way: Callable[[Memory], object]) -> None:
    memory.add("The kitchen", attachments=[picture()], user="ana")
    way(memory)
    assert _tables(memory) == (0, 0)


def test_nothing_of_a_forgotten_file_is_left_in_the_bytes_on_disk(tmp_path: Path, clock: SteadyClock) -> None:
    mark = "a mark that is nowhere else " * 40
    with Memory(store=str(tmp_path / "memory.db"), home=tmp_path, clock=clock) as memory:
        kept = memory.add("The kitchen", attachments=[picture(seed=mark)])
        assert mark.encode() in b"".join(file.read_bytes() for file in tmp_path.glob("memory.db*"))
        memory.forget(kept.observation_ids[0])
        memory.backup(tmp_path / "copy.db")
        for file in tmp_path.glob("*.db*"):
            assert mark[:27].encode() not in file.read_bytes(), file


def test_a_backup_has_files_and_a_restore_does_not_bring_forgotten_ones_back(
    tmp_path: Path, clock: SteadyClock
) -> None:
    with Memory(store=str(tmp_path / "memory.db"), home=tmp_path, clock=clock) as memory:
        kept = memory.add("The kitchen", attachments=[picture("one.png")])
        other = memory.add("The garden", attachments=[picture("two.png", seed="garden")])
        memory.backup(tmp_path / "copy.db")
        memory.forget(kept.observation_ids[0])
        memory.restore(tmp_path / "copy.db")
        assert memory.attachment(other.attachments[0].digest).name == "two.png"
        with pytest.raises(NotFound):
            memory.attachment(kept.attachments[0].digest)
        assert _tables(memory) == (1, 1)


def test_a_text_file_with_a_secret_is_not_imported_and_the_rest_is(memory: Memory, tmp_path: Path) -> None:
    memory.add("Here are the notes", attachments=[Attachment("notes.txt", TEXT)])
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    forged = f"token = {secret}\n".encode()
    digest = hashlib.sha256(forged).hexdigest()
    spelled = {
        hashlib.sha256(TEXT).hexdigest(): digest,
        base64.b64encode(TEXT).decode(): base64.b64encode(forged).decode(),
    }
    lines = _lines(memory)
    for old, new in spelled.items():
        lines = [line.replace(old, new) for line in lines]
    home = tmp_path / "other"
    with Memory(home=home) as other:
        report = other.import_(lines)
        assert [failure.code for failure in report.failures] == ["secret_in_attachment"]
        assert [hit.text for hit in other.search("notes")] == ["Here are the notes"]
        with pytest.raises(NotFound):
            other.attachment(digest)
    assert all(secret.encode() not in file.read_bytes() for file in home.rglob("*") if file.is_file())


def test_an_export_carries_files_and_an_import_brings_them_back(memory: Memory, tmp_path: Path) -> None:
    said = memory.add("The kitchen", attachments=[picture("one.png", alt="a stove", caption="x" * 1500)])
    memory.add("Again", attachments=[picture("two.png"), picture("three.png", seed="three")])
    lines = _lines(memory)
    with Memory(store=str(tmp_path / "other.db"), home=tmp_path) as other:
        report = other.import_(lines)
        assert not report.failures
        assert other.attachment(said.attachments[0].digest).content == PNG
        assert other.search("stove").hits[0].id == said.observation_ids[0]
        assert _lines(other)[2:] != []
        again = other.import_(lines)
        assert (again.imported, again.failures) == (0, ())
        other.forget(said.observation_ids[0])
        other.import_(lines)
        assert other.attachment(said.attachments[0].digest).name == "two.png"


def test_bytes_that_no_message_names_are_not_taken_in(memory: Memory, tmp_path: Path) -> None:
    memory.add("The kitchen", attachments=[picture()])
    alone = [line for line in _lines(memory) if '"attachment"' in line and '"digest"' in line and '"data"' in line]
    assert len(alone) == 1
    with Memory(store=str(tmp_path / "other.db"), home=tmp_path) as other:
        assert not other.import_(alone).failures
        assert _tables(other) == (0, 0)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        (lambda line: line.replace('"digest":"', '"digest":"0', 1), "invalid_digest"),
        (lambda line: line.replace('"data":"iVBOR', '"data":"UEsDB', 1), "attachment_type"),
        (
            lambda line: line.replace('"data":"iVBORw0KGgoAAAANSUhEUgAAAAE', '"data":"iVBORw0KGgoAAAANSUhEUgAAAAI'),
            "attachment_differs",
        ),
    ],
)
def test_a_file_that_was_changed_on_its_way_is_refused(
    memory: Memory, tmp_path: Path, changed: Callable[[str], str], code: str
) -> None:
    memory.add("The kitchen", attachments=[picture()])
    lines = [changed(line) if '"type":"attachment"' in line else line for line in _lines(memory)]
    with Memory(store=str(tmp_path / "other.db"), home=tmp_path) as other:
        report = other.import_(lines)
        assert [failure.code for failure in report.failures] == [code]
        assert _tables(other) == (0, 1)


def _lines(memory: Memory) -> list[str]:
    import json

    found, cursor = [], None
    while True:
        page = memory.export(cursor=cursor)
        found += [json.dumps(record, separators=(",", ":")) for record in page.records]
        if (cursor := page.next_cursor) is None:
            return found
