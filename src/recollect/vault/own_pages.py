"""New notes of pages that are as we write them: many at once, and each by what its like became.

Most lines of a page say what those of many others do: of which project it is, from which machine, how sure. For each
set of such lines one page is read with care, and the note it becomes gives these fields to all others. Read here is
what is a page's own: its id, its text, its times. Whatever is unusual in the least is left to be read with care.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any

from recollect.domain.clock import is_id
from recollect.domain.dataclass import dataclass, field
from recollect.domain.notes import FILE_MATTERS, LINKS, MAX_LINKS, Note
from recollect.domain.origin import Origin
from recollect.domain.text import FORBIDDEN
from recollect.redaction.clean_records import is_known_clean, know_clean
from recollect.vault.documents import (
    FENCE,
    TIMES,
    Document,
    Malformed,
    as_read,
    cut,
    parsed,
    stand_in_title,
    translated,
)
from recollect.vault.front_matter import DEFAULTS, KEYS, Fields
from recollect.vault.own_front import own_front

_LARGEST = 20_000  # bytes of a page: printable metadata cannot be over their limit then, however they are spelled
_DEEPEST = 8  # objects and lists in its metadata: nor can these be nested too deeply
_LONGEST_NAME = 128  # characters: in bytes, too, they are within the limit of a name
_MOST_KINDS = 1_000  # of pages that are known, each with a note of at most the largest size

_SAID = ("id", "title", "tags", "subject", "attribute", "value", "external_key", "vault_file", "metadata")
_OWN = (*_SAID, "created_at", "updated_at", *TIMES, *LINKS)
_UNUSUAL = ("source", "review", "conflicts", "vault_page")
_shared = itemgetter(*(name for name in KEYS if name not in (*_OWN, *_UNUSUAL)))


@dataclass(frozen=True, slots=True)
class OwnPages:
    """Pages that a sync brings to a space, and for each kind of them a note that was made with care."""

    space: str
    machine: str
    origin: Origin
    likes: dict[tuple[Any, ...], Note] = field(default_factory=dict)

    def notes(self, contents: Mapping[str, bytes]) -> dict[str, tuple[Note, Document]]:
        """The first versions of notes, each with its document, by the names of their pages; without what is unusual."""
        pages = {name: page for name, content in contents.items() if (page := _own_page(content)) is not None}
        know_clean(text for page in pages.values() for text in _texts(page))
        found = ((name, self._note(page, contents[name])) for name, page in pages.items())
        return {name: made for name, made in found if made is not None}

    def _note(self, page: Document, content: bytes) -> tuple[Note, Document] | None:
        if not _is_usual(page):
            return None
        said = page.fields
        kind = (page.ends, _shared(said))
        like = self.likes.get(kind)
        if like is not None:
            return _like(like, page), page
        try:
            page = parsed(content)
            note, own = translated(page, space=self.space, machine=self.machine, before=None, origin=self.origin)
        except Malformed:
            return None
        if own is page:
            if len(self.likes) >= _MOST_KINDS:
                self.likes.clear()
            self.likes[kind] = note
        return note, own


def _own_page(content: bytes) -> Document | None:
    """The document in a file that is as we write it; nobody has checked its text. `None` for any other file."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if len(content) > _LARGEST or "\r" in text or not text.startswith(FENCE):
        return None
    lines, fence, body = cut(text)
    own = own_front(lines) if fence else None
    if own is None:
        return None
    ends = body.endswith("\n")
    page = Document({**DEFAULTS, **own[1]}, body[:-1] if ends else body, own[0], ends=ends)
    as_read(page, content, own=True)
    return page


def _texts(page: Document) -> list[str]:
    """The texts that must be free of secrets before there is a note."""
    said = page.fields
    return [
        page.text,
        *filter(None, (said["title"], said["subject"], said["attribute"], said["value"], said["external_key"])),
    ]


def _is_usual(page: Document) -> bool:
    """Whether every field of a page is what its note will have, so that the note says the page again."""
    said = page.fields
    return (
        is_id(said["id"])
        and said["source"] is said["review"] is said["vault_page"] is None
        and said["vault_file"] != ""
        and not said["conflicts"]
        and _are_sound(page.text, said)
        and all(map(is_known_clean, _texts(page)))
        and (said["valid_until"] is None or _may_hold(said))
        and all(_are_links(said[name], said["id"]) for name in LINKS if said[name])
        and (not said["metadata"] or _are_usual(page.front[-1].raw, said["metadata"]))
    )


def _are_sound(text: str, said: Fields) -> bool:
    """Whether the texts of a page may be kept as they are, wherever they hold no secret."""
    value, subject, key = said["value"], said["subject"], said["external_key"]
    return (
        _is_name(said["title"])
        and (subject is None or _is_name(subject))
        and (said["attribute"] is None or (subject is not None and _is_name(said["attribute"])))
        and (key is None or _is_name(key))
        and (value is None or (value.isprintable() and value.strip() != ""))
        and (text.isprintable() or FORBIDDEN.search(text) is None)
        and text.strip() != ""
    )


def _is_name(said: str) -> bool:
    return 0 < len(said) <= _LONGEST_NAME and said.isprintable() and said == said.strip()


def _may_hold(said: Fields) -> bool:
    """Whether a note begins to hold before it ends."""
    begins, ends = said["valid_from"], said["valid_until"]
    return not begins or _moment(begins) < _moment(ends)


def _are_links(links: tuple[str, ...], note_id: str) -> bool:
    return len(links) <= MAX_LINKS and note_id not in links and all(map(is_id, links))


def _are_usual(line: str, metadata: Mapping[str, Any]) -> bool:
    """Whether metadata, which stand in the last line, are sound and flat, and have nothing under the name for files."""
    few = line.count("{") + line.count("[") <= _DEEPEST and line[:-1].isprintable()
    return few and "NaN" not in line and "Infinity" not in line and FILE_MATTERS not in metadata


_moment = datetime.fromisoformat


def _like(like: Note, page: Document) -> Note:
    """The note of a page that shares its other fields with the page of a note."""
    said = page.fields
    kept = {**like.metadata.get(FILE_MATTERS, {}), "vault_file": said["vault_file"]}
    if said["vault_file"] is None:
        del kept["vault_file"]
    times: dict[str, Any] = {name: _moment(told) for name in TIMES if (told := said[name])}
    return Note(
        id=said["id"],
        space=like.space,
        version=1,
        kind=like.kind,
        text=page.text,
        recorded_at=_moment(said["created_at"]),
        updated_at=_moment(said["updated_at"]),
        title=None if said["title"] == stand_in_title(page.text) else said["title"],
        subject=said["subject"],
        attribute=said["attribute"],
        value=said["value"],
        tags=said["tags"],
        scope=like.scope,
        state=like.state,
        confidence=like.confidence,
        importance=like.importance,
        pinned=like.pinned,
        origin=like.origin,
        authority=like.authority,
        supersedes=said["supersedes"],
        derived_from=said["derived_from"],
        depends_on=said["depends_on"],
        related=said["related"],
        metadata={**said["metadata"], FILE_MATTERS: kept} if kept else dict(said["metadata"]),
        key=said["external_key"],
        **times,
    )
