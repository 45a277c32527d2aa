"""What the published package does with a store. Run by the interpreter of its own environment, never by ours.

It says what it found as one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

NOTES: tuple[dict[str, Any], ...] = (
    {"type": "semantic", "title": "Database", "body": "The service keeps its orders in PostgreSQL 16.", "tags": ["db"]},
    {
        "type": "procedural",
        "title": "Deploy: first the migrations, then the workers, and only then the web processes of the shop",
        "body": "1. Run the migrations.\n2. Restart the workers.\n\n3. Restart the web processes.",
        "project": "github.com/alice/shop",
        "tags": ["deploy", "Ops"],
        "confidence": 0.6,
        "prov_source": "reflection",
        "prov_model": "a-model",
    },
    {
        "type": "episodic",
        "title": "'Quoted', with a colon: and # a mark",
        "body": "# What happened\n\n- The build broke on Grüße.txt\n- It was `utf-8`, not `latin-1`  \n\n---\n\nDone.",
        "project": "github.com/alice/shop",
        "prov_source": "session-end",
        "prov_session": "3bf75f14-4c3f",
        "tags": ["session"],
    },
    {
        "type": "semantic",
        "title": "Port",
        "body": "The local server of this laptop has port 8123.",
        "scope": "machine-local",
    },
    {"type": "semantic", "title": "Empty", "body": "", "tags": []},
)


def write(root: Path) -> list[dict[str, Any]]:
    """A store with notes of each type, in both trees, of which one took over from another."""
    store = _store(root)
    made = [store.write(machine_id="thinkpad", **note) for note in NOTES]
    made.append(
        store.write(
            machine_id="thinkpad",
            type="semantic",
            title="Database",
            body="The service keeps its orders in PostgreSQL 17.",
            supersedes=[made[0].id],
        )
    )
    return [asdict(each) for each in made]


def read(root: Path) -> list[dict[str, Any]]:
    """Every note, after the index was made anew from the files."""
    store = _store(root)
    count = store.reindex()
    found = [store.get(each.id) for each in store.list()]
    if count != len(found):
        raise SystemExit(f"{count} files were indexed, but {len(found)} notes are listed")
    return [asdict(each) for each in found]


def search(root: Path, query: str) -> list[str]:
    store = _store(root)
    store.reindex()
    return [each.id for each in store.search(query)]


def change(root: Path, note_id: str, body: str) -> list[dict[str, Any]]:
    """One note is edited by it, and one is written."""
    store = _store(root)
    store.reindex()
    edited = store.put(replace(store.get(note_id), body=body))
    fresh = store.write(type="procedural", title="Rollback", body="Roll back the web processes first.")
    return [asdict(edited), asdict(fresh)]


def sync(root: Path, remote: str) -> dict[str, Any]:
    """Its own way to share a store: the folder itself is a repository."""
    backend = importlib.import_module("anamnesis.sync").GitSyncBackend(
        root / "memory", remote=remote, machine_id="thinkpad"
    )
    backend.init()
    return asdict(backend.sync())


def _store(root: Path) -> Any:
    return importlib.import_module("anamnesis.store").MemoryStore(root)


if __name__ == "__main__":
    verb, folder, *more = sys.argv[1:]
    sys.stdout.write(json.dumps(globals()[verb](Path(folder), *more)))
