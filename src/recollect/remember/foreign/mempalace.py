"""Exports of MemPalace: its drawers as lines of JSON, or as the pages of its rooms, in the folder that it writes.

A drawer is a note in its own words. Its wing is the project, and its room a tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.remember.foreign.findings import (
    FoundMemory,
    FoundNote,
    Unread,
    each_note,
    lines_in,
    metadata_in,
    one_line,
    tags_of,
    text_in,
    text_of,
    time_in,
)

_NOBODY = ("", "unknown")  # as its pages say that something is not known
_FIELDS = {"Source": "source_file", "Filed": "filed_at", "Added by": "added_by"}
_PAGES_OF_ITS_OWN = ("index.md", "overview.md")


def read_mempalace(place: Path) -> FoundMemory:
    """Every drawer below a folder, or of one file: `*.jsonl` as its sync writes them, else `*.md` as its export."""
    if not place.is_dir():
        return _read(place, place.parent)
    lines = sorted(place.rglob("*.jsonl"))
    pages = [path for path in sorted(place.rglob("*.md")) if path.name not in _PAGES_OF_ITS_OWN]
    if not lines and not pages:
        return FoundMemory(unread=(Unread(str(place), "It is not an export of MemPalace: there is no room in it."),))
    found = FoundMemory()
    for path in lines or pages:
        found += _read(path, place)
    return found


def _read(path: Path, root: Path) -> FoundMemory:
    text = text_of(path, root)
    if isinstance(text, Unread):
        return FoundMemory(unread=(text,))
    drawers = list(_on_page(text) if path.suffix == ".md" else lines_in(text))
    if not drawers:
        return FoundMemory(unread=(Unread(str(path), "There is no drawer in it."),))
    notes, unread = each_note(drawers, f"{path.name}, drawer", _note)
    return FoundMemory(notes, unread=unread)


def _note(drawer: Mapping[str, Any]) -> FoundNote:
    about = metadata_in(drawer)
    wing, room = text_in(about, "wing"), text_in(about, "room")
    return FoundNote(
        text=text_in(drawer, "document"),
        at=time_in(about, "filed_at", "created_at", "date"),
        key=text_in(drawer, "id"),
        tags=tags_of((room,) if room else ()),
        project=one_line(wing) if wing not in _NOBODY else None,
        metadata={name: value for name, value in about.items() if name not in ("wing", "room", "filed_at")},
    )


def _on_page(text: str) -> Iterator[dict[str, Any]]:
    """The drawers of a page: `# wing / room`, and for each `## id`, its words quoted, and a table about it."""
    about: dict[str, str] = {}
    drawer: dict[str, Any] | None = None
    words: list[str] = []
    for line in [*text.splitlines(), "## "]:
        if line.startswith("# "):
            wing, _, room = line[2:].partition(" / ")
            about = {"wing": wing.strip(), "room": room.strip()}
        elif line.startswith("## "):
            if drawer is not None:
                yield {**drawer, "document": "\n".join(words).strip()}
            drawer, words = {"id": line[3:].strip(), "metadata": dict(about)}, []
        elif drawer is not None and line.startswith(">"):
            words.append(line[1:].removeprefix(" "))
        elif drawer is not None and line.startswith("| "):
            name, _, value = line.strip("| ").partition(" | ")
            if name in _FIELDS and value not in _NOBODY:
                drawer["metadata"][_FIELDS[name]] = value
