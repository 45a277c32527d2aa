"""A rescue gets every undamaged note out of a damaged file, and says which it could not."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.assembly import rescue_from
from recollect.domain.answers.recollections import Rescue
from recollect.domain.errors import RecollectError, Unsupported
from recollect.settings import load_settings
from recollect.stores.sqlite.page_rows import DatabasePages, StoredRow, rows_in
from tests.damage.damages import PAGE, Damage, Sound, damages_of_a_file, damages_of_a_log, exported, key_of, sound

_ON_ONE_PAGE = 3000  # bytes; a row of this length has no pages beside its own


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return sound(tmp_path_factory.mktemp("sound"), crashed=False)


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return sound(tmp_path_factory.mktemp("sound"), crashed=True)


def test_a_rescue_of_a_sound_file_is_an_export(tmp_path: Path, closed: Sound) -> None:
    (tmp_path / "recollect.db").write_bytes(closed.database)
    lines, report = _rescued(tmp_path)

    assert {key_of(line) for line in lines} == closed.keys
    assert report.lost == ()
    assert report.mended == ()
    assert report.unknown_changes == {}
    with Memory(home=tmp_path, embedding="off") as memory:
        assert sorted(map(json.dumps, lines)) == sorted(map(json.dumps, exported(memory)))


def test_a_rescue_reads_the_log_of_a_killed_process(tmp_path: Path, crashed: Sound) -> None:
    (tmp_path / "recollect.db").write_bytes(crashed.database)
    (tmp_path / "recollect.db-wal").write_bytes(crashed.log)

    assert {key_of(line) for line in _rescued(tmp_path)[0]} == crashed.keys


@pytest.mark.parametrize("damage", list(damages_of_a_file(60)), ids=lambda damage: damage.name)
def test_every_undamaged_note_comes_out_and_goes_into_a_new_memory(
    tmp_path: Path, closed: Sound, damage: Damage
) -> None:
    damage.inflict(tmp_path / "recollect.db", closed)
    if not (tmp_path / "recollect.db").is_file():
        with pytest.raises(RecollectError):
            _rescued(tmp_path)
        return
    before = (tmp_path / "recollect.db").read_bytes()
    wanted = _undamaged(closed, before)
    try:
        lines, report = _rescued(tmp_path)
    except RecollectError as problem:
        assert problem.code == "nothing_rescued"
        assert "restore" in problem.hint
        assert wanted == {}
        return

    assert (tmp_path / "recollect.db").read_bytes() == before, "the damaged file is left as it is"
    with Memory(home=tmp_path / "new", embedding="off") as memory:
        imported = memory.import_([json.dumps(line) for line in lines])
        assert imported.failures == ()
        there = {each.id: each.text for note_id in wanted for each in [memory.get(note_id)]}
    assert there == wanted
    gone = {name for kind, name, _ in closed.keys if kind == "note"} - {line["id"] for line in lines if "id" in line}
    told = {each.id for each in report.lost}
    assert gone <= told or report.unknown_changes or report.unreadable_rows, "what is lost is said"


@pytest.mark.parametrize("damage", list(damages_of_a_log(5)), ids=lambda damage: damage.name)
def test_commits_behind_a_broken_place_in_the_log_come_out(tmp_path: Path, crashed: Sound, damage: Damage) -> None:
    damage.inflict(tmp_path / "recollect.db", crashed)
    lines, report = _rescued(tmp_path)
    if damage.name.startswith(("frame", "noise")):
        # One page is older than it should be; nearly all of them were written again later.
        got = {key_of(line) for line in lines}
        assert len(crashed.keys - got) <= 1 + len(report.lost)


def test_a_log_that_was_put_aside_is_read_after_others_wrote(tmp_path: Path, crashed: Sound) -> None:
    damage = next(each for each in damages_of_a_log(5) if each.name.startswith("frame"))
    damage.inflict(tmp_path / "recollect.db", crashed)
    with Memory(home=tmp_path, embedding="off") as memory:
        seen = {key_of(record) for record in exported(memory)}
        memory.save("Written after the damage")
    assert seen < crashed.keys, "SQLite stops at the broken place"
    with Memory(home=tmp_path, embedding="off") as memory:
        [log] = [check for check in memory.doctor().checks if check.name == "log"]
    assert (log.ok, log.code) == (False, "damaged_log")

    got = {key_of(line) for line in _rescued(tmp_path)[0]}
    notes = {key for key in crashed.keys if key[0] == "note"}
    assert len(notes - got) <= 1
    assert len(notes - seen) > 1


def test_forgetting_takes_a_log_that_was_put_aside_with_it(tmp_path: Path, crashed: Sound) -> None:
    next(damages_of_a_log(5)).inflict(tmp_path / "recollect.db", crashed)
    with Memory(home=tmp_path, embedding="off") as memory:
        note = memory.save("To be forgotten")
        assert list(tmp_path.glob("*unread-log"))
        memory.forget(note.id)
    assert not list(tmp_path.glob("*unread-log"))


def test_a_text_with_a_hole_comes_out_and_is_named(tmp_path: Path, closed: Sound) -> None:
    content = bytearray(closed.database)
    place = content.index(b"Parrot 9 likes seeds seeds")
    content[place + 15 : place + 17] = b"\xff\xfe"
    (tmp_path / "recollect.db").write_bytes(bytes(content))
    lines, report = _rescued(tmp_path)

    [mended] = report.mended
    [note] = [line for line in lines if line["type"] == "note" and line["id"] == mended.id]
    assert note["text"].startswith("Parrot 9 likes \ufffdeds seeds")
    assert {key_of(line) for line in lines} == closed.keys


def test_a_server_is_not_rescued_here(tmp_path: Path) -> None:
    settings, _ = load_settings({"store": "postgresql://nobody@nowhere/none", "home": tmp_path})
    with pytest.raises(Unsupported):
        rescue_from(settings, None, print)


def _rescued(home: Path) -> tuple[list[dict[str, Any]], Rescue]:
    lines: list[dict[str, Any]] = []
    report = rescue_from(load_settings({"home": home, "store": str(home / "recollect.db")})[0], None, lines.append)
    return lines, report


def _undamaged(before: Sound, after: bytes) -> dict[str, str]:
    """The texts of all notes whose rows stand on pages that are as they were."""
    pages: dict[str, set[int]] = defaultdict(set)
    texts: dict[str, str] = {}
    for row in rows_in(DatabasePages(PAGE, before.database)):
        assert isinstance(row, StoredRow)
        names = [each for each in row.columns[:3] if isinstance(each, str)]
        for note_id in names:
            pages[note_id].add(row.page)
        if len(row.columns) == 8 and row.columns[0] is None and isinstance(row.columns[5], str):
            texts[str(row.columns[2])] = row.columns[5]
    return {
        name: text
        for kind, name, _ in before.keys
        if kind == "note" and len(text := texts[name]) < _ON_ONE_PAGE
        if all(_page(after, each) == _page(before.database, each) for each in pages[name])
    }


def _page(content: bytes, number: int) -> bytes:
    return content[(number - 1) * PAGE : number * PAGE]
