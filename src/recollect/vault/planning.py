"""Pure: what the folder and our record of it say together. Nothing is read or written here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping

from recollect.domain.answers.vaults import Problem
from recollect.domain.dataclass import dataclass, replace
from recollect.vault.documents import LARGEST, Document, Malformed, parsed
from recollect.vault.folder import Found, digest
from recollect.vault.layout import scope_at
from recollect.vault.pages import is_own_document, page
from recollect.vault.place import NAMED_BY_ID, Seen

HELD_FROM = 4  # files: fewer than so many that vanish at once are believed
HELD_SHARE = 0.2  # of all files; more than that is taken for an accident until a person says otherwise


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes found in the files: edited ones with what they say now, those that are gone, those held, and problems.

    The document of a page has no id: which note it is depends on where it is, and on what memory knows.
    """

    edited: Mapping[str, Document]
    contents: Mapping[str, bytes]
    gone: tuple[str, ...]
    held: tuple[str, ...]
    problems: tuple[Problem, ...]


def planned(seen: Mapping[str, Seen], found: Found, *, accept: bool = False, pages: Collection[str] = ()) -> Plan:
    """Tell edits from what we wrote ourselves, by their digests; and deletions from accidents, by their number.

    `pages` are the ids of notes whose files are pages; a file of any other note must be a document of ours.
    """
    problems = list(found.problems)
    alike = Counter(path.casefold() for path in found.stats)
    edited: dict[str, Document] = {}
    contents: dict[str, bytes] = {}
    for path, content in sorted(found.content.items()):
        if content is None:
            problems.append(_malformed(path, f"it is larger than {LARGEST:,} bytes"))
            continue
        if path in seen and seen[path].version and seen[path].digest == digest(content):
            continue
        if alike[path.casefold()] > 1:
            problems.append(
                Problem(path, "name_clash", f"{path} differs from another file in the case of its letters only.")
            )
            continue
        try:
            document = _document(content, path, seen.get(path), pages)
        except Malformed as problem:
            problems.append(_malformed(path, str(problem)))
            continue
        edited[path], contents[path] = _in_its_tree(document, path), content
    missing = tuple(sorted(path for path in seen if path not in found.stats))
    hidden = tuple(path for path in missing if path.rpartition("/")[0] not in found.folders)
    is_accident = len(missing) >= HELD_FROM and len(missing) > HELD_SHARE * len(seen)
    held = () if accept else missing if is_accident else hidden
    return Plan(edited, contents, tuple(path for path in missing if path not in held), held, tuple(problems))


def _document(content: bytes, path: str, known: Seen | None, pages: Collection[str]) -> Document:
    """Parse a file: as a document of ours if it has an id of ours, or had one when we last looked; else as a page."""
    is_ours = known is not None and known.version and known.note_id not in pages
    if is_ours or is_own_document(content) or NAMED_BY_ID.search(path):
        return parsed(content)
    if _CLASH.search(content):
        raise Malformed("a merge left its marks in it, such as `<<<<<<<`")
    return page(content, path)


_CLASH = re.compile(rb"^<{7} \S", re.M)


def _in_its_tree(document: Document, path: str) -> Document:
    return replace(document, fields={**document.fields, "scope": scope_at(path)})


def _malformed(path: str, why: str) -> Problem:
    return Problem(path, "malformed", f"{path} is not taken for a note: {why}.")
