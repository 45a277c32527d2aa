"""A document: one note as a markdown file, taken apart so that it can be put together again byte for byte.

`front` holds the lines as they were written. Putting together replaces only the lines of keys whose value is no
longer what they say; comments, unknown keys, their order and every blank stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import RecollectError
from recollect.domain.text import MAX_TEXT_BYTES
from recollect.redaction.clean_text import checked_text
from recollect.vault.fields import DEFAULTS, KEYS, PLACES, Fields, Value, read_field, spell_field
from recollect.vault.front_matter import Entry, NotUnderstood, entries_of

FENCE = "---\n"
MAX_FRONT_BYTES = 48_000  # it is kept with the note, whose metadata has a limit of its own
_TITLE = 80  # characters of a text that stand in for a title
LARGEST = MAX_TEXT_BYTES + MAX_FRONT_BYTES  # bytes of a file that is read at all


class Malformed(Exception):
    """A file that cannot be taken for a note, and why; it is left alone."""


class _Written:
    """Room for the file of a document, once it was written or read. It is no field, so `replace` does not copy it."""

    __slots__ = ("_written",)
    _written: bytes


@dataclass(frozen=True, slots=True)
class Document(_Written):
    """A note as a file. `fields` has every known key; `front` the lines of all keys; `text` is the body."""

    fields: Fields
    text: str
    front: tuple[Entry, ...] = ()
    newline: str = "\n"
    ends: bool = True  # with a line end after the body

    @property
    def id(self) -> str:
        found: str = self.fields["id"]
        return found

    @property
    def stamp(self) -> str:
        """When it was last changed, by the clock that the machines share."""
        return str(self.fields["updated_at"] or "")

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Document) and written(self) == written(other))

    def __hash__(self) -> int:
        return hash(written(self))


def text_and_newline(content: bytes) -> tuple[str, str]:
    """The text of a file with plain line feeds, and the ends of line it has; raises `Malformed` where there is none."""
    if len(content) > LARGEST:
        raise Malformed(f"it has {len(content):,} bytes; a note has at most {LARGEST:,}")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise Malformed(f"it is not UTF-8: byte {problem.start:,} does not belong there") from None
    newline = "\r\n" if text.count("\r\n") == text.count("\n") > 0 else "\n"
    return text.replace("\r\n", "\n"), newline


def parsed(content: bytes) -> Document:
    """The document in a file; raises `Malformed` where there is none."""
    text, newline = text_and_newline(content)
    if not text.startswith(FENCE):
        raise Malformed("it does not begin with front matter: a line `---`")
    block, fence, body = text[len(FENCE) - 1 :].partition("\n" + FENCE)
    if not fence:
        raise Malformed("its front matter has no end: a second line `---`")
    if len(block.encode()) > MAX_FRONT_BYTES:
        raise Malformed(f"its front matter is over {MAX_FRONT_BYTES:,} bytes")
    try:
        front = entries_of(block.removeprefix("\n") + "\n" if block else "")
        found = {entry.key: read_field(entry) for entry in front if entry.key in KEYS}
    except NotUnderstood as problem:
        raise Malformed(f"its front matter is not understood: {problem}") from None
    ends = body.endswith("\n")
    document = Document({**DEFAULTS, **found}, checked_body(body[:-1] if ends else body), front, newline, ends)
    if front and (newline == "\r\n" or b"\r" not in content):
        object.__setattr__(document, "_written", content)
    return document


def written(document: Document) -> bytes:
    """The file of a document. What its `front` says already is left as it is."""
    known: bytes | None = getattr(document, "_written", None)
    if known is None:
        known = _assembled(document, arranged(document))
        object.__setattr__(document, "_written", known)
    return known


def _assembled(document: Document, front: tuple[Entry, ...]) -> bytes:
    lines = "".join(entry.raw for entry in front)
    text = FENCE + lines + FENCE + document.text + ("\n" if document.ends else "")
    return (text if document.newline == "\n" else text.replace("\n", document.newline)).encode()


def arranged(document: Document) -> tuple[Entry, ...]:
    """The front matter that says what the fields say, in the order it was written in or else in ours."""
    if not document.front:
        return tuple(
            spell_field(name, value)
            for name, key in KEYS.items()
            if (value := document.fields[name]) is not None and (key.always or value != key.default)
        )
    said: list[Entry] = []
    for entry in document.front:
        if entry.key not in KEYS:
            said.append(entry)
            continue
        value = document.fields[entry.key]
        if _says(entry, value):
            said.append(entry)
        elif value != DEFAULTS[entry.key] or KEYS[entry.key].always:
            said.append(spell_field(entry.key, value))
    there = {entry.key for entry in document.front}
    for name, key in KEYS.items():
        value = document.fields[name]
        if name in there or value is None or value == key.default:
            continue
        said.insert(_place_for(name, said), spell_field(name, value))
    return tuple(said)


def with_fields(document: Document, changed: Mapping[str, object], text: str | None = None) -> Document:
    """The document with other values, its lines brought in step."""
    return in_order(
        replace(document, fields={**document.fields, **changed}, text=document.text if text is None else text)
    )


def without_key(document: Document, name: str) -> Document:
    """The document that does not say one key; all other lines stay as they are."""
    if getattr(document, "_written", None) is None:  # its lines may not say yet what its fields do
        return with_fields(document, {name: DEFAULTS[name]})
    front = tuple(entry for entry in document.front if entry.key != name)
    told = replace(document, fields={**document.fields, name: DEFAULTS[name]}, front=front)
    object.__setattr__(told, "_written", _assembled(told, front))
    return told


def in_order(document: Document) -> Document:
    """The same document, with the front matter that says what its fields say."""
    told = replace(document, front=arranged(document))
    object.__setattr__(told, "_written", _assembled(told, told.front))
    return told


def stand_in_title(text: str) -> str:
    """The stand-in for a title where a note has none: the beginning of its first line."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    bare = " ".join(re.sub(r"^[#>*\-\s]+", "", first).split()) or "untitled"
    return bare if len(bare) <= _TITLE else bare[: _TITLE - 1] + "…"


def _says(entry: Entry, value: Value) -> bool:
    if value is not None and spell_field(entry.key, value) == entry:
        return True  # as we write it, which is quicker found out than what it says
    try:
        return bool(read_field(entry) == value)
    except NotUnderstood:
        return False


def _place_for(name: str, said: list[Entry]) -> int:
    """Behind the last key that comes before it in our order, so that comments keep the key they stand above."""
    earlier = [place for place, entry in enumerate(said) if PLACES.get(entry.key, len(PLACES)) < PLACES[name]]
    return earlier[-1] + 1 if earlier else 0


def checked_body(body: str) -> str:
    """The text of a file, as memory may keep it; raises `Malformed`."""
    if not body.strip():
        return body
    try:
        return checked_text(body)
    except RecollectError as problem:
        raise Malformed(problem.message.rstrip(".").replace("`text`", "its text")) from None
