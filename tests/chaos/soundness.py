"""Whether a store that has been through something is still whole, looked at from outside its own code.

The doctor looks first. Then the tables are read with plain SQL and held against each other: nothing half-written
can hide, because every change stands in several of them. The text index is compared with one made anew.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import apsw

from recollect import Memory, Note
from recollect.domain.values import to_plain
from recollect.stores.sql_store import SqlStore


def complaints(memory: Memory) -> list[str]:
    """Everything that is wrong with a memory in an SQLite file; empty when it is sound."""
    found = [f"doctor, {check.name}: {check.detail}" for check in memory.doctor().checks if not check.ok]
    with closing(apsw.Connection(memory.settings.store, flags=apsw.SQLITE_OPEN_READWRITE)) as database:
        database.set_busy_timeout(10_000)
        with database:
            for look in (_integrity, _versions, _words, _links, _log, _audit, _index):
                found.extend(look(database))
    return found


def fingerprint(memory: Memory) -> str:
    """A mark of everything a memory holds: its records, its change logs and its audit chains."""
    store = store_of(memory)
    logs = [
        [
            to_plain(space),
            to_plain(store.log.changes_after(space.name, 0, limit=1_000_000)),
            store.log.audit_head(space.name),
        ]
        for space in store.spaces()
    ]
    return _mark([record_marks(memory), logs])


def record_marks(memory: Memory) -> list[str]:
    """A mark of each record a memory would export: spaces, tombstones, versions of notes, and what else there is."""
    return sorted(_mark(record) for record in exported(memory))


def note_mark(note: Note) -> str:
    """Two notes with the same mark are the same version of the same note, in every field."""
    return _mark(to_plain(note))


def exported(memory: Memory) -> Iterator[dict[str, Any]]:
    """Every record of an export, page after page."""
    cursor = None
    while True:
        page = memory.export(cursor=cursor)
        yield from page.records
        cursor = page.next_cursor
        if cursor is None:
            return


def store_of(memory: Memory) -> SqlStore:
    """The store beneath a memory: the change log is not a verb."""
    return cast("SqlStore", memory._engine.store)


def database_of(home: Path) -> Path:
    return home / "recollect.db"


def _mark(plain: Any) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def _integrity(database: apsw.Connection) -> Iterator[str]:
    damage = [row[0] for row in database.execute("PRAGMA integrity_check")]
    if damage != ["ok"]:
        yield f"integrity_check: {damage}"


def _versions(database: apsw.Connection) -> Iterator[str]:
    """A note has versions 1 to n, each current until the next was written, and the last one is current."""
    notes: dict[tuple[str, str], list[tuple[int, str, str | None]]] = defaultdict(list)
    rows = database.execute("SELECT space, id, version, updated_at, replaced_at FROM note ORDER BY space, id, version")
    for space, note_id, version, updated_at, replaced_at in rows:
        notes[space, note_id].append((version, updated_at, replaced_at))
    erased = set(database.execute("SELECT space, note_id FROM tombstone"))
    for note, versions in notes.items():
        if note in erased:
            yield f"{note} was erased and is there"
        if [version for version, _, _ in versions] != list(range(1, len(versions) + 1)):
            yield f"{note} has versions {[version for version, _, _ in versions]}"
        ends = [replaced_at for _, _, replaced_at in versions]
        if ends != [*(updated_at for _, updated_at, _ in versions[1:]), None]:
            yield f"{note} has versions that do not follow each other: {versions}"


def _words(database: apsw.Connection) -> Iterator[str]:
    """Every version has its words, and no words are without a version."""
    needed = set(database.execute("SELECT DISTINCT space, id, text_version FROM note"))
    there = set(database.execute("SELECT space, note_id, version FROM note_text"))
    if needed != there:
        yield f"words and versions differ: {sorted(needed ^ there)[:5]}"


def _links(database: apsw.Connection) -> Iterator[str]:
    """What a note says it is linked to stands in the table of links, and nothing else does."""
    columns = {row[1] for row in database.execute("PRAGMA table_info(note)")}
    said = {
        (space, note_id, relation, target)
        for relation in sorted(columns & {"supersedes", "derived_from", "depends_on", "related"})
        for space, note_id, targets in database.execute(f"SELECT space, id, {relation} FROM note")
        for target in json.loads(targets)
    }
    there = set(database.execute("SELECT space, note_id, relation, target_id FROM note_link"))
    if said != there:
        yield f"links and notes differ: {sorted(said ^ there)[:5]}"


def _log(database: apsw.Connection) -> Iterator[str]:
    """The change log has no gaps, and names every version that is there or was erased."""
    logged: set[tuple[str, str, int]] = set()
    for space, seq in list(database.execute("SELECT name, seq FROM space")):
        rows = list(
            database.execute(
                "SELECT seq, kind, record_id, version FROM change_log WHERE space = ? ORDER BY seq", (space,)
            )
        )
        restored = {number for number, kind, _, _ in rows if kind == "space-restored"}
        numbers = [number for number, _, _, _ in rows]
        gaps = [number for before, number in zip([0, *numbers], numbers, strict=False) if number != before + 1]
        if set(gaps) - restored or (numbers or [0])[-1] != seq:
            yield f"the change log of {space} ends at {numbers[-1:]} of {seq}, with gaps before {gaps}"
        logged |= {(space, record, version) for _, kind, record, version in rows if kind in ("written", "adopted")}
    there = set(database.execute("SELECT space, id, version FROM note"))
    erased = set(database.execute("SELECT space, note_id FROM tombstone"))
    lost = {each for each in logged - there if each[:2] not in erased}
    if lost or there - logged:
        yield f"logged but not there: {sorted(lost)[:5]}; there but not logged: {sorted(there - logged)[:5]}"


def _audit(database: apsw.Connection) -> Iterator[str]:
    """The audit tells of the same changes as the log, in the same order."""
    for (space,) in list(database.execute("SELECT name FROM space")):
        told = [
            tuple(change)
            for (summary,) in database.execute("SELECT summary FROM audit WHERE space = ? ORDER BY seq", (space,))
            for change in json.loads(summary)
        ]
        log = database.execute("SELECT kind, record_id, version FROM change_log WHERE space = ? ORDER BY seq", (space,))
        if told != log.fetchall():
            yield f"the audit of {space} tells of other changes than its log"


def _index(database: apsw.Connection) -> Iterator[str]:
    """Every text index holds, word for word and place for place, what one made anew holds."""
    with closing(apsw.Connection(":memory:")) as copy:
        with copy.backup("main", database, "main") as steps:
            steps.step()
        indexes = [row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5%'")]
        for index in indexes:
            copy.execute(f"CREATE VIRTUAL TABLE temp.places_{index} USING fts5vocab (main, {index}, instance)")
            places = f"SELECT term, doc, col, offset FROM temp.places_{index} ORDER BY 1, 2, 3, 4"
            before = copy.execute(places).fetchall()
            copy.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
            after = copy.execute(places).fetchall()
            if before != after:
                yield f"{index} differs from one made anew in {len(set(before) ^ set(after))} places"
