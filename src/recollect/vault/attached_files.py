"""The files of messages beside the pages of the notes that were read from them, and links from page to file.

They lie below `attachments/`, each named by the beginning of its digest and its own name. A page links to them by a key
of its front matter that stands on this machine's disk and nowhere else: memory, other machines and the history of a
vault have the note without it. Nothing is taken in from here; a file that was changed is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from recollect.disk import sync_folder, write_whole
from recollect.domain.dataclass import dataclass, field
from recollect.domain.notes import State
from recollect.vault.folder import Draft, put, take_away
from recollect.vault.open_vault import Vault
from recollect.vault.place import Place

FOLDER = "attachments"

_RECORD = "attachments.json"
_OF_DIGEST = 16  # digits of a digest in the name of its file
_NOT_IN_A_LINK = re.compile(r"[\[\]#^|%\\`]")
_KEY = "attachments:"
_LINKS = re.compile(
    rb"(?<=\n)attachments:\r?\n(?:- \"\[\[attachments/[0-9a-f]{16}-[^\r\n\"\]]+\]\]\"\r?\n)+(?=[^\s-]|---)"
)
_END = re.compile(rb"\n---\r?\n")


@dataclass(frozen=True, slots=True)
class AttachedPages:
    """The files that pages link to: the digest of each by its path, and the paths of each note."""

    files: dict[str, str] = field(default_factory=dict)
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def changed_since(self, known: AttachedPages) -> set[str]:
        """The notes whose pages link to other files than they did."""
        both = {*self.links, *known.links}
        return {note_id for note_id in both if self.links.get(note_id) != known.links.get(note_id)}


def wanted(vault: Vault) -> AttachedPages:
    """The files that belong into a vault by now: those of messages that a note of it was read from."""
    if vault.attachments is None or vault.archive is None:
        return AttachedPages()
    held = vault.attachments.held(vault.space)
    if not held:
        return AttachedPages()
    read = vault.archive.derived_notes(vault.space, sorted(held))
    notes = vault.store.current(vault.space, sorted({each for ids in read.values() for each in ids}))
    said = vault.archive.those(vault.space, sorted(read))
    files: dict[str, str] = {}
    links: dict[str, set[str]] = {}
    for observation_id, note_ids in read.items():
        shown = [note_id for note_id in note_ids if note_id in notes and notes[note_id].state is not State.RETRACTED]
        for file in said[observation_id].attachments if shown else ():
            if file.digest in held[observation_id]:
                path = f"{FOLDER}/{file.digest[:_OF_DIGEST]}-{_NOT_IN_A_LINK.sub('_', file.name)}"
                files[path] = file.digest
                for note_id in shown:
                    links.setdefault(note_id, set()).add(path)
    return AttachedPages(files, {note_id: tuple(sorted(paths)) for note_id, paths in links.items()})


def put_down(vault: Vault, now: AttachedPages, known: AttachedPages) -> None:
    """Write the files that are not there yet, take away those that no page links to any more, and record it."""
    if now == known:
        return
    _take_away(vault.place, {path: each for path, each in known.files.items() if path not in now.files})
    written = False
    for path, digest in sorted(now.files.items()):
        found = (
            vault.attachments.content(vault.space, digest) if vault.attachments and path not in known.files else None
        )
        if found is not None:  # one at a time: each may have megabytes
            put(vault.place.folder, [Draft(path, found.content, None)])
            written = True
    if written:
        sync_folder(vault.place.folder / FOLDER)
    _record(vault.place, now)


def forgotten(place: Place, held: Collection[str]) -> None:
    """Take away the files whose bytes memory has no more."""
    known = recorded_attachments(place)
    gone = {path: digest for path, digest in known.files.items() if digest not in held}
    if gone:
        _take_away(place, gone)
        # The links stay in the record, so that the next look finds the pages that still have them.
        _record(
            place, AttachedPages({path: each for path, each in known.files.items() if path not in gone}, known.links)
        )


def recorded_attachments(place: Place) -> AttachedPages:
    """The files as they were last written; none, if that is not known."""
    try:
        said = json.loads((place.private / _RECORD).read_bytes())
        if said["folder"] != str(place.folder):
            return AttachedPages()
        links = {note_id: tuple(paths) for note_id, paths in said["links"].items()}
        return AttachedPages(dict(said["files"]), links)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return AttachedPages()


def _record(place: Place, now: AttachedPages) -> None:
    said = {"folder": str(place.folder), "files": now.files, "links": now.links}
    write_whole(place.private / _RECORD, json.dumps(said, ensure_ascii=False).encode())


def _take_away(place: Place, files: Mapping[str, str]) -> None:
    for path, digest in files.items():
        with suppress(FileNotFoundError, NotADirectoryError):
            take_away(place.folder, path, over=digest)
    with suppress(OSError):
        (place.folder / FOLDER).rmdir()  # if it is empty


def with_links(content: bytes, paths: Sequence[str]) -> bytes:
    """The file of a note with links to its files, as the last key of its front matter, unless it has such a key."""
    end = _END.search(content) if paths else None
    if end is None or re.search(rb"(?m)^attachments[ \t]*:", content[: end.start()]):
        return content
    newline = "\r\n" if end.group().endswith(b"\r\n") else "\n"
    lines = [_KEY, *(f'- "[[{path}]]"' for path in paths)]
    told = "".join(f"{line}{newline}" for line in lines).encode()
    return content[: end.start() + 1] + told + content[end.start() + 1 :]


def without_links(content: bytes) -> bytes:
    """The same file as memory has it: what `with_links` wrote is gone, everything else is untouched."""
    end = _END.search(content)
    found = _LINKS.search(content, 0, end.end() if end else 0)
    return content if found is None else content[: found.start()] + content[found.end() :]
