"""A page that a person wrote for themselves, and which note it is although it does not say.

A page becomes a note and stays a page. `vault_page` of its document holds all that stands before the text, byte for
byte; of the keys in it only `title`, `tags` and `aliases` are read. Nothing of ours is written into it but the text,
when the note is changed in memory, and a line `recollect: <id>` where a person asked for marks.

A page is known by where it is. One at a place we do not know is, in this order: the note whose mark it bears; a page
that is gone from where it was and has the same content or the same inode, so it was renamed; the note that memory, and
with it every other machine, has at that place; or a new note, whose id follows from the place. So machines that get a
page by other ways than ours call it the same.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import cached_property

from recollect.domain.dataclass import replace
from recollect.domain.errors import RecollectError
from recollect.domain.notes import FILE_MATTERS, State
from recollect.domain.selections import current_notes
from recollect.domain.text import MAX_TAGS
from recollect.redaction.clean_records import checked_name, checked_tags
from recollect.vault.documents import (
    FENCE,
    Document,
    Malformed,
    checked_body,
    text_and_newline,
    with_fields,
    written,
    written_without,
)
from recollect.vault.folder import FoundFile, digest
from recollect.vault.front_matter import DEFAULTS, NotUnderstood, Plain, entries_of, value_of
from recollect.vault.open_vault import Vault
from recollect.vault.place import SeenFile

MARK = "recollect"  # the key of a page that says which note it is
MAX_OPENING_BYTES = 24_000  # of what stands before the text: it is kept with the note, whose metadata has a limit

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_OUR_ID = re.compile(r"^id:[ \t]*['\"]?[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}['\"]?[ \t]*$", re.M)
_MARKED = re.compile(rf"^{MARK}:[ \t]*([0-9A-HJKMNP-TV-Z]{{26}})[ \t]*$", re.M)
_TAG = re.compile(r"(?<![\w&/#])#([^\W\d_][\w/-]*|\d[\w/-]*[^\W\d][\w/-]*)")
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`", re.M | re.S)
_BOM = "\ufeff"


def is_own_document(content: bytes) -> bool:
    """Whether a file is one of ours, or made for us: its front matter has an id of 26 letters and digits."""
    opening = _split(content[: MAX_OPENING_BYTES * 2].decode("utf-8", "replace").replace("\r\n", "\n"))[0]
    return _OUR_ID.search(opening) is not None


def page(content: bytes, path: str) -> Document:
    """The document of a page; raises `Malformed` where memory cannot hold it."""
    text, newline = text_and_newline(content)
    opening, body = _split(text)
    if len(opening.encode()) > MAX_OPENING_BYTES:
        raise Malformed(f"its front matter is over {MAX_OPENING_BYTES:,} bytes")
    ends = body.endswith("\n")
    body = checked_body(body[:-1] if ends else body)
    said = _said(opening)
    fields = {
        **DEFAULTS,
        "type": _kind_at(path),
        "title": _title(said, path),
        "tags": _tags(said, body),
        "metadata": _aliases(said),
        "vault_page": opening,
        "vault_file": place_name(path),
    }
    return Document(fields, body, newline=newline, ends=ends)


def edited(was: Document, found: Document) -> Document:
    """The document of a note whose page was edited: what the page no longer says is gone, what memory added stays."""
    before = page(page_bytes(was), str(was.fields["vault_file"]))
    changed = {name: found.fields[name] for name in ("vault_page", "vault_file", "scope")}
    if was.fields["state"] == "retracted":
        changed |= {"state": "active", "retired_at": None}  # somebody put the page back
    if before.fields["title"] != found.fields["title"]:
        changed["title"] = found.fields["title"]
    gone, added = (set(a.fields["tags"]) - set(b.fields["tags"]) for a, b in ((before, found), (found, before)))
    changed["tags"] = tuple(sorted((set(was.fields["tags"]) - gone) | added))
    if before.fields["metadata"] != found.fields["metadata"]:
        kept = {key: value for key, value in was.fields["metadata"].items() if key != "aliases"}
        changed["metadata"] = {**kept, **found.fields["metadata"]}
    return with_fields(replace(was, newline=found.newline, ends=found.ends), changed, found.text)


def is_page(document: Document) -> bool:
    return document.fields["vault_page"] is not None


def file_bytes(document: Document) -> bytes:
    """A document as its file on disk, which for a page is the page and nothing else."""
    if is_page(document):
        return page_bytes(document)
    # A file need not say its own name.
    return written(document) if document.fields["vault_file"] is None else written_without(document, "vault_file")


def page_bytes(document: Document) -> bytes:
    text = str(document.fields["vault_page"]) + document.text + ("\n" if document.ends else "")
    return text.replace("\n", document.newline).encode()


def mark_of(document: Document) -> str | None:
    """The note that a page says it is."""
    found = _MARKED.search(str(document.fields["vault_page"] or ""))
    return found.group(1) if found else None


def marked(document: Document, note_id: str) -> Document:
    """The page with its mark, in the first line of its front matter; one without any is given one."""
    opening, line = str(document.fields["vault_page"]), f"{MARK}: {note_id}\n"
    bare = opening.removeprefix(_BOM)
    start = opening[: len(opening) - len(bare)]
    told = start + (FENCE + line + bare[len(FENCE) :] if bare else FENCE + line + FENCE)
    return with_fields(document, {"vault_page": told})


def place_name(path: str) -> str:
    """A path in the one spelling that all machines use: some systems take letters with marks apart."""
    return unicodedata.normalize("NFC", path)


def derived_id(path: str, turn: int = 0) -> str:
    """The id of the note of a page: the same on every machine that has a page there. `turn` counts other pages of
    that name, whose notes went on under another one."""
    told = f"page {place_name(path)}" + (f"\0{turn}" if turn else "")
    number = int.from_bytes(hashlib.sha256(told.encode("utf-8", "surrogateescape")).digest()[:10], "big")
    return "0" * 10 + "".join(_ALPHABET[(number >> shift) & 31] for shift in range(75, -1, -5))


def _split(text: str) -> tuple[str, str]:
    """Split a page into front matter and text. Front matter without an end is text, such as a line to divide it."""
    start = len(_BOM) if text.startswith(_BOM) else 0
    if not text.startswith(FENCE, start):
        return text[:start], text[start:]
    end = text.find("\n" + FENCE, start + len(FENCE) - 1)
    if end < 0:
        if not text.endswith("\n---"):
            return text[:start], text[start:]
        return text, ""
    end += 1 + len(FENCE)
    return text[:end], text[end:]


def _said(opening: str) -> dict[str, Plain]:
    """The title, tags and aliases in the front matter, as far as understood; other keys are a person's own."""
    block = opening.removeprefix(_BOM).removeprefix(FENCE).removesuffix("\n").removesuffix("---")
    try:
        entries = entries_of(block)
    except NotUnderstood:
        return {}
    said: dict[str, Plain] = {}
    for entry in entries:
        if entry.key.lower() in ("title", "tags", "tag", "aliases", "alias"):
            try:
                said[entry.key.lower()] = value_of(entry)
            except NotUnderstood:
                continue
    return said


def _title(said: dict[str, Plain], path: str) -> str:
    stem = place_name(path).rpartition("/")[2].removesuffix(".md")
    for each in (said.get("title"), stem):
        try:
            if isinstance(each, str) and (name := checked_name(each, field="title")):
                return name
        except RecollectError:
            continue
    return "untitled"


def _tags(said: dict[str, Plain], body: str) -> tuple[str, ...]:
    """Tags of the front matter and of the text, in which code is not looked at; at most as many as a note has."""
    found: list[str] = []
    for each in (said.get("tags"), said.get("tag")):
        found += re.split(r"[,\s]+", each) if isinstance(each, str) else each or ()
    found += (each.group(1) for each in _TAG.finditer(_CODE.sub(" ", body)))
    told: list[str] = []
    for each in found:
        try:
            told += checked_tags([each.lstrip("#")])
        except RecollectError:
            continue
    return tuple(sorted(dict.fromkeys(told[: MAX_TAGS * 4]))[:MAX_TAGS])


def _aliases(said: dict[str, Plain]) -> dict[str, object]:
    names = said.get("aliases") or said.get("alias") or ()
    listed = [names] if isinstance(names, str) else list(names)
    return {"aliases": listed[:MAX_TAGS]} if listed else {}


def _kind_at(path: str) -> str:
    """The kind of note that the folder of a page is for; outside of our trees it is a piece of knowledge."""
    from recollect.vault.layout import KINDS, TREES

    tree, _, rest = path.partition("/")
    folder = rest.partition("/")[0]
    return folder if tree in TREES and folder in KINDS else "semantic"


class Tracks:
    """Pages and their notes, as a look at the folder finds them. `owners` has the file of each note that has one."""

    def __init__(self, vault: Vault, seen: Mapping[str, SeenFile], found: FoundFile) -> None:
        self._vault, self._seen, self._found = vault, seen, found
        self.owners = {each.note_id: path for path, each in seen.items() if path in found.stats}

    def notes_of_pages(self) -> frozenset[str]:
        """The notes among those with a changed file whose file is a page."""
        changed = sorted({self._seen[path].note_id for path in self._found.content if path in self._seen})
        return frozenset(
            note.id
            for note in self._vault.store.current(self._vault.space, changed).values()
            if _page_of(note.metadata)
        )

    def note_at(self, path: str, content: bytes, document: Document) -> str:
        """The id of the note of a page."""
        known = self._seen.get(path)
        marked = mark_of(document)
        if marked is not None:
            return marked
        if known is not None and known.version:
            return known.note_id
        return self._renamed(path, content) or self._claimed(path) or self._new(path)

    def _renamed(self, path: str, content: bytes) -> str | None:
        told, inode = digest(content), self._found.stats[path][2]
        name = path.rpartition("/")[2]
        gone = [
            (each.digest != told, was.rpartition("/")[2] != name, was, each.note_id)
            for was, each in self._missing.items()
            if each.note_id not in self.owners and (each.digest == told or (inode and each.inode == inode))
        ]
        return min(gone)[3] if gone else None

    def _claimed(self, path: str) -> str | None:
        note_id = self._places.get(place_name(path))
        return None if note_id is None or self.owners.get(note_id, path) != path else note_id

    def _new(self, path: str) -> str:
        turn = 0
        while self.owners.get(derived_id(path, turn), path) != path or derived_id(path, turn) in self._elsewhere:
            turn += 1
        return derived_id(path, turn)

    @cached_property
    def _missing(self) -> dict[str, SeenFile]:
        """Pages that are not where they were. A note that has an id in its file says itself where it went."""
        gone = {path: each for path, each in self._seen.items() if path not in self._found.stats}
        notes = self._vault.store.current(self._vault.space, sorted({each.note_id for each in gone.values()}))
        pages = {note.id for note in notes.values() if _page_of(note.metadata)}
        return {path: each for path, each in gone.items() if each.note_id in pages}

    @cached_property
    def _places(self) -> dict[str, str]:
        """The notes of pages by the places that memory has them at."""
        return {place: note_id for note_id, place in self._pages.items()}

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        """Notes whose page has another place by now than the one their id follows from."""
        return frozenset(note_id for note_id, place in self._pages.items() if derived_id(place) != note_id)

    @cached_property
    def _pages(self) -> dict[str, str]:
        notes = current_notes(self._vault.store, self._vault.space)
        found = ((note.id, _page_of(note.metadata)) for note in notes if note.state is not State.RETRACTED)
        return {note_id: place for note_id, place in found if place}


def _page_of(metadata: Mapping[str, object]) -> str | None:
    """Where the page of a note is; `None` for a note that is no page."""
    kept = metadata.get(FILE_MATTERS)
    if not isinstance(kept, Mapping) or kept.get("vault_page") is None:
        return None
    return str(kept.get("vault_file") or "")
