"""A document: one note as a markdown file, taken apart and put together byte by byte, and what it says of the note.

`front` holds the lines as they were written. Putting together replaces only the lines of keys whose value is no
longer what they say; comments, unknown keys, their order and every blank stay.

The file says what is the same on every machine. What only this store knows (numbers of versions, the door an edit
came through) is not in it. What a file has and a note has no field for is kept in the note's metadata under `vault`:
whose machine it is from, and the lines a person wrote otherwise than we would.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from recollect.domain.clock import checked_id, just_after, parse_time
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import RecollectError
from recollect.domain.notes import FILE_MATTERS, Kind, Note, State, checked_note
from recollect.domain.origin import Authority, Channel, Origin, lowest
from recollect.domain.scopes import Scope
from recollect.domain.text import MAX_TEXT_BYTES
from recollect.domain.values import choice
from recollect.redaction.clean_records import checked_name, checked_tags, checked_text
from recollect.vault.front_matter import (
    DEFAULTS,
    KEYS,
    PLACES,
    Entry,
    Fields,
    NotUnderstood,
    Value,
    authority_of,
    entries_of,
    read_field,
    spell_field,
)
from recollect.vault.own_front import own_front

FENCE = "---\n"
MAX_FRONT_BYTES = 48_000  # it is kept with the note, whose metadata has a limit of its own
_OPENING = re.compile(r"^[#>*\-\s]+")
_TITLE = 80  # characters of a text that stand in for a title
LARGEST = MAX_TEXT_BYTES + MAX_FRONT_BYTES  # bytes of a file that is read at all


class Malformed(Exception):
    """A file that cannot be taken for a note, and why; it is left alone."""


class _Written:
    """Room for the file of a document, once it was written or read. It is no field, so `replace` does not copy it.

    `_own` has one that was read from a file whose front matter is exactly what its fields would be written as.
    """

    __slots__ = ("_own", "_written")
    _written: bytes
    _own: bool


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
    lines, fence, body = cut(text)
    if not fence:
        raise Malformed("its front matter has no end: a second line `---`")
    if len(lines.encode()) > MAX_FRONT_BYTES:
        raise Malformed(f"its front matter is over {MAX_FRONT_BYTES:,} bytes")
    own = own_front(lines)
    try:
        front, found = own or _understood(lines)
    except NotUnderstood as problem:
        raise Malformed(f"its front matter is not understood: {problem}") from None
    ends = body.endswith("\n")
    body = body[:-1] if ends else body
    told = checked_body(body)
    document = Document({**DEFAULTS, **found}, told, front, newline, ends)
    if newline == "\r\n" or b"\r" not in content:
        as_read(document, content, own=own is not None and told == body)
    return document


def cut(text: str) -> tuple[str, str, str]:
    """The lines of a front matter, what ends it, and the text behind it."""
    block, fence, body = text[len(FENCE) - 1 :].partition("\n" + FENCE)
    return block.removeprefix("\n") + "\n" if block else "", fence, body


def as_read(document: Document, content: bytes, *, own: bool) -> None:
    """Keep the file that a document was read from."""
    if document.front:
        object.__setattr__(document, "_written", content)
        object.__setattr__(document, "_own", own)


def _understood(lines: str) -> tuple[tuple[Entry, ...], dict[str, Value]]:
    front = entries_of(lines)
    return front, {entry.key: read_field(entry) for entry in front if entry.key in KEYS}


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


def written_without(document: Document, name: str) -> bytes:
    """The file of a document that does not say one key."""
    if not getattr(document, "_own", False) or document.newline != "\n":
        return written(without_key(document, name))
    line = next((entry.raw for entry in document.front if entry.key == name), "")
    return written(document).replace(f"\n{line}".encode(), b"\n", 1)


def in_order(document: Document) -> Document:
    """The same document, with the front matter that says what its fields say."""
    told = replace(document, front=arranged(document))
    object.__setattr__(told, "_written", _assembled(told, told.front))
    return told


def stand_in_title(text: str) -> str:
    """The stand-in for a title where a note has none: the beginning of its first line."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    bare = " ".join(_OPENING.sub("", first).split()) or "untitled"
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


LOCAL = "machine-local"

# What other readers of such files know as a type of note, for the two kinds they do not know.
_TYPES = {Kind.LESSON: "procedural", Kind.PATTERN: "semantic"}
_SOURCES = {
    Channel.HOOK: "session-end",
    Channel.TRANSCRIPT: "session-end",
    Channel.DERIVED: "reflection",
    Channel.FILE: "import",
    Channel.WEB: "import",
    Channel.IMPORT: "import",
}
TIMES = (
    "valid_from", "valid_until", "occurred_at", "expires_at", "retired_at", "last_seen_at", "verified_at",
    "erase_at",
)  # fmt: skip
_OWN = (
    "machine_id",
    "workspace_id",
    "prov_source",
    "prov_model",
    "vault_file",
    "vault_page",
)  # of a file, kept beside the note


def document_of(note: Note, machine: str) -> Document:
    """The file of a note; `machine` is ours, and named as its maker if nobody else is."""
    return in_order(_out_of_order(note, machine))


def _out_of_order(note: Note, machine: str) -> Document:
    """The same, with the lines it had when it was read; none, if it was ours."""
    kept = note.metadata.get(FILE_MATTERS)
    kept = kept if isinstance(kept, Mapping) else {}
    fields = _fields_of(note, kept, machine)
    try:
        front = entries_of(str(kept["front"])) if "front" in kept else ()
    except NotUnderstood:
        front = ()
    if note.authority is not authority_of(fields) or any(entry.key == "authority" for entry in front):
        fields["authority"] = note.authority.value
    stands_in = "empty" in kept and note.text == fields["title"]
    return Document(
        fields,
        str(kept["empty"]) if stands_in else note.text,
        front,
        newline="\r\n" if kept.get("crlf") else "\n",
        ends=not kept.get("open"),
    )


def _fields_of(note: Note, kept: Mapping[str, Any], machine: str) -> dict[str, Value]:
    """The fields of a note's file, but for its authority; `kept` has those that only files know."""
    prov_source = kept.get("prov_source") or _SOURCES.get(note.origin.channel, "human")
    return {
        **DEFAULTS,
        "id": note.id,
        "type": _TYPES.get(note.kind, note.kind.value),
        "kind": note.kind.value if note.kind in _TYPES else None,
        "title": note.title or stand_in_title(note.text),
        "project": note.scope.project or "global",
        "machine_id": kept.get("machine_id") or note.scope.machine or machine,
        "scope": LOCAL if note.scope.machine else "portable",
        "user_id": note.scope.user or "self",
        "workspace_id": kept.get("workspace_id") or "personal",
        "prov_source": prov_source,
        "prov_model": kept.get("prov_model"),
        "vault_file": kept.get("vault_file"),
        "vault_page": kept.get("vault_page"),
        "prov_session": note.origin.session,
        "confidence": float(note.confidence),
        "supersedes": tuple(sorted(note.supersedes)) if note.supersedes else (),
        "created_at": note.recorded_at.isoformat(),
        "updated_at": note.updated_at.isoformat(),
        "tags": note.tags,
        "subject": note.subject,
        "attribute": note.attribute,
        "value": note.value,
        "external_key": note.key,
        "agent": note.scope.agent,
        "session": note.scope.session,
        "state": note.state.value,
        "importance": float(note.importance),
        "pinned": note.pinned,
        "principal": note.origin.principal or None,
        "source": note.origin.source,
        "derived_from": tuple(sorted(note.derived_from)) if note.derived_from else (),
        "depends_on": tuple(sorted(note.depends_on)) if note.depends_on else (),
        "related": tuple(sorted(note.related)) if note.related else (),
        "review": note.review,
        "conflicts": tuple(kept.get("conflicts", ())) if note.review else (),  # they go with the review
        "metadata": {key: value for key, value in note.metadata.items() if key != FILE_MATTERS},
        **{name: _spelled(getattr(note, name)) for name in TIMES},
    }


def translated(
    document: Document, *, space: str, machine: str, before: Note | None, origin: Origin, at: datetime | None = None
) -> tuple[Note, Document]:
    """The next version of a note, or its first, as a document says it, and its own document; raises `Malformed`.

    With `at` a person changed it here and now; otherwise it carries its own time, which comes from elsewhere.
    """
    try:
        return _note(document, space, machine, before, origin, at)
    except (RecollectError, ValueError) as problem:
        raise Malformed(str(problem).rstrip(".")) from None


def _note(
    document: Document, space: str, machine: str, before: Note | None, origin: Origin, at: datetime | None
) -> tuple[Note, Document]:
    said = document.fields
    is_own = getattr(document, "_own", False)  # then its text and its tags have been checked
    text = _text(document, is_checked=is_own)
    local = said["scope"] == LOCAL
    stamp = parse_time(said["updated_at"], field="updated_at") if said["updated_at"] else None
    moment = at or stamp or (before.updated_at if before else datetime.fromisoformat("1970-01-01T00:00:00+00:00"))
    if before is not None:
        moment = max(moment, just_after(before.updated_at))
    created = parse_time(said["created_at"], field="created_at") if said["created_at"] else moment
    authority = authority_of(said)
    if before is not None:
        authority = lowest((authority, before.authority))
    times = {name: parse_time(said[name], field=name) if said[name] else None for name in TIMES}
    bound_to = _machine(said["machine_id"], before, machine) if local else None
    kept = _own_matters(document, bound_to or machine, origin.channel)
    metadata = dict(said["metadata"])
    note = Note(
        id=checked_id(said["id"] or ""),
        space=space,
        version=1 if before is None else before.version + 1,
        kind=choice(Kind, said["kind"] or said["type"] or "semantic", field="kind"),
        text=text,
        recorded_at=created,
        updated_at=moment,
        title=_title(document, text),
        subject=checked_name(said["subject"], field="subject"),
        attribute=checked_name(said["attribute"], field="attribute"),
        value=checked_text(said["value"], field="value") if said["value"] else None,
        tags=said["tags"] if is_own else checked_tags(said["tags"]),
        scope=Scope(
            user=_unless(said["user_id"], "self"),
            agent=checked_name(said["agent"], field="agent"),
            project=_unless(said["project"], "global"),
            session=checked_name(said["session"], field="session"),
            machine=bound_to,
        ),
        state=choice(State, said["state"], field="state"),
        confidence=said["confidence"],
        importance=said["importance"],
        pinned=said["pinned"],
        origin=Origin(origin.channel, said["principal"] or "", said["prov_session"], said["source"]),
        authority=Authority(authority),
        supersedes=_ids(said["supersedes"]),
        derived_from=_ids(said["derived_from"]),
        depends_on=_ids(said["depends_on"]),
        related=_ids(said["related"]),
        review=checked_name(said["review"], field="review"),
        metadata={**metadata, FILE_MATTERS: kept} if kept else metadata,
        key=checked_name(said["external_key"], field="external_key"),
        **times,
    )
    note, own = _with_its_lines(note, kept, document, machine)
    return checked_note(note), own


def _with_its_lines(note: Note, kept: Mapping[str, Any], document: Document, machine: str) -> tuple[Note, Document]:
    """The note with the lines of its file, where we would write others, and its own document."""
    own = _out_of_order(note, machine)
    if getattr(document, "_own", False) and _says_the_same(own, document):
        return note, document
    own = in_order(own)
    if document.front and document.front != own.front and _raw(document) != _raw(own):
        with_lines = {**kept, "front": _raw(document)}
        note = replace(note, metadata={**note.metadata, FILE_MATTERS: with_lines})
        own = document_of(note, machine)
    return note, own


def _text(document: Document, *, is_checked: bool) -> str:
    """The text of a note; that of an empty file is its title."""
    if not document.text.strip():
        return checked_text(str(document.fields["title"] or ""))
    return document.text if is_checked else checked_text(document.text)


def _says_the_same(one: Document, other: Document) -> bool:
    return (one.fields, one.text, one.newline, one.ends) == (other.fields, other.text, other.newline, other.ends)


def _title(document: Document, text: str) -> str | None:
    """The title that a document gives; one that only stands in for none is none."""
    said = checked_name(document.fields["title"], field="title")
    return None if said == stand_in_title(text) else said


def _machine(said: str | None, before: Note | None, ours: str) -> str:
    """The machine that a note must not leave: the one it was not to leave before, or whose file it is."""
    return (before.scope.machine if before else None) or _unless(said, "unknown") or ours


def _own_matters(document: Document, machine: str, channel: Channel) -> dict[str, Any]:
    """Matters of a file for which its note has no field: they are kept under `vault` in the note's metadata."""
    said = document.fields
    usual = {
        "machine_id": machine,
        "workspace_id": "personal",
        "prov_source": _SOURCES.get(channel, "human"),
        "prov_model": None,
        "vault_file": None,
        "vault_page": None,
    }
    kept: dict[str, Any] = {name: said[name] for name in _OWN if said[name] != usual[name]}
    if said["conflicts"]:
        kept["conflicts"] = list(said["conflicts"])
    if not document.text.strip():
        kept["empty"] = document.text
    if document.newline != "\n":
        kept["crlf"] = True
    if not document.ends:
        kept["open"] = True
    return kept


def _raw(document: Document) -> str:
    return "".join(each.raw for each in document.front)


def _ids(links: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(checked_id(link) for link in links) if links else ()


def _unless(name: str | None, usual: str) -> str | None:
    return None if name == usual else checked_name(name, field="scope")


def _spelled(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
