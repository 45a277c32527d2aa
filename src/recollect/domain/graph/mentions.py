"""Pure: which entities a note names, by keys that are the same for every spelling of a name.

A key is folded so far that no two things of different names share one, and no further: a duplicate is mended by a
merge, a wrong merge is believed. Case, accents, spaces, hyphens, a leading article and the legal form of a company are
folded; signs inside a word are kept (`C`, `C++`, `C#`), and so is a possessive: `Wendy's` is not `Wendy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.late import Late
from recollect.domain.notes import Kind, Note
from recollect.domain.readings import PROJECT, USER

ENTITY, RELATION = "entity", "relation"  # tags of notes that only say what is in the graph
TYPE = "type"  # the attribute that gives an entity its type
ALIAS, SAME_AS = "also_called", "same_as"  # attributes that say that two names mean one entity
MAX_KEY = 120  # characters; a longer text is no name
_KINDS = ("person", "thing", "project")  # sorts of subjects that are spelled before a name
_TOLD_KINDS = ("person", "project")  # those of them that are types; a thing may be anything
_LESSON = "lesson:"
_LEGAL = frozenset({"inc", "ltd", "llc", "gmbh", "corp", "plc", "ag", "bv", "sa", "srl", "oy", "ab"})
_GAPS = Late(r"[\s_,\u2010-\u2015-]+")
_AROUND = "\"'`“”‘’«»()[]{}<>.:;!? "  # noqa: RUF001 - quotation marks of several languages
_KEYS: dict[str, str] = {}  # of names seen lately: a walk folds the same ones again and again
_MOST_KEPT = 8192
_OWNED = Late(r"['\u2019]s$")


class Role(StrEnum):
    """The part that an entity has in a note."""

    SUBJECT = "subject"
    OBJECT = "object"  # the value of an attribute, which may be no entity at all
    TARGET = "target"  # the value of a note that is tagged `relation`
    PROJECT = "project"
    TAG = "tag"
    FILE = "file"
    KIND = "kind"  # of the subject, where the note says it outright; it stands in the place of the attribute


class Mention(NamedTuple):
    """An entity in a note: its key, its part, the attribute (empty where there is none), and the name as written."""

    key: str
    role: Role
    attribute: str
    name: str


class NamedPair(NamedTuple):
    """Two entities in a note by the index alone: of each its key, the word for its part, and the attribute if any."""

    key: str
    role: str
    attribute: str
    other: str
    other_role: str
    other_attribute: str
    note_id: str


class TypeVotes(NamedTuple):
    """The parts in notes that speak for a type, and those that speak for others or leave it to the notes to say.

    `kind` is the folded type as it is spelled before a name, empty where it is not; the others are attributes.
    """

    kind: str
    by_subject: frozenset[str]
    by_value: frozenset[str]
    subject_against: frozenset[str]
    value_against: frozenset[str]


def entity_key(name: str) -> str:
    """The key of a name; empty if the text is no name, because nothing is in it or far too much."""
    if len(name) > MAX_KEY:
        return ""
    known = _KEYS.get(name)
    if known is None:
        if len(_KEYS) >= _MOST_KEPT:
            _KEYS.clear()
        known = _KEYS[name] = _folded(name)
    return known


def _folded(name: str) -> str:
    folded = name.casefold()
    if not folded.isascii():
        import unicodedata

        apart = unicodedata.normalize("NFKD", folded)
        folded = "".join(sign for sign in apart if not unicodedata.combining(sign)).casefold()
    pieces = _GAPS.split(folded.strip(_AROUND).replace("\u2019", "'"))
    words = [word for piece in pieces if (word := piece.strip(_AROUND))]
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    if len(words) > 1 and words[-1] in _LEGAL:
        words = words[:-1]
    return " ".join(words)[:MAX_KEY]


def without_possessive(name: str) -> str:
    """A name as it stands in `Bob's`; the name itself if it has no such end."""
    return _OWNED.sub("", name.strip(_AROUND))


def subject_key(note: Note) -> str:
    """The key of whom or what a note is about; empty if it does not say, as a lesson, whose subject is a fingerprint.

    `user` and `project` mean the user and the project of the note's scope, where it has one.
    """
    subject = note.subject
    if not subject or (note.kind is Kind.LESSON and subject.startswith(_LESSON)):
        return ""
    if subject == USER:
        return user_key(note.scope.user)
    if subject == PROJECT and note.scope.project:
        return entity_key(note.scope.project)
    kind, colon, name = subject.partition(":")
    return entity_key(name if colon and kind in _KINDS else subject)


def user_key(user: str | None) -> str:
    """The key of a user: nobody else is filed under it, whatever they are called."""
    return f"{USER}:{entity_key(user)}" if user else USER


def mentions_of(note: Note) -> tuple[Mention, ...]:
    """Every entity that a note names, each part once. What is only in its text is left to the index of words."""
    found: list[Mention] = []
    subject, value = subject_of(note), value_of(note)
    if subject is not None:
        found.append(subject)
        found += (Mention(subject.key, Role.KIND, kind, subject.name) for kind in _kinds_of(note))
    if value is not None:
        found.append(value)
    if note.scope.project:
        found.append(_mention(note.scope.project, Role.PROJECT))
    if note.tags:
        found += (_mention(tag, Role.TAG) for tag in note.tags if tag not in (ENTITY, RELATION))
    if note.metadata:
        found += (_mention(each.target, Role.FILE) for each in anchors_of(note) if each.kind is AnchorKind.FILE)
    return tuple({each[:3]: each for each in found if each.key}.values())


def subject_of(note: Note) -> Mention | None:
    """Whom or what a note is about; `None` if it does not say."""
    key = subject_key(note)
    return Mention(key, Role.SUBJECT, note.attribute or "", _subject_name(note)) if key else None


def value_of(note: Note) -> Mention | None:
    """The value of a note by its name; `None` if it has none, or one that is no name."""
    if not note.attribute or not note.value:
        return None
    found = _mention(note.value, Role.TARGET if RELATION in note.tags else Role.OBJECT, note.attribute)
    return found if found.key else None


def _kinds_of(note: Note) -> tuple[str, ...]:
    """The folded types that a note gives its subject: spelled before the name, or as the value of `type`."""
    sort, colon, _ = (note.subject or "").partition(":")
    spelled = (sort,) if colon and sort in _TOLD_KINDS else ()
    given = (entity_key(note.value),) if note.attribute == TYPE and note.value else ()
    return tuple(each for each in (*spelled, *given) if each)


def _mention(name: str, role: Role, attribute: str = "") -> Mention:
    return Mention(entity_key(name), role, attribute, name)


def _subject_name(note: Note) -> str:
    subject = note.subject or ""
    if subject == USER:
        return note.scope.user or USER
    if subject == PROJECT and note.scope.project:
        return note.scope.project
    kind, colon, name = subject.partition(":")
    if not colon or kind not in _KINDS:
        return subject
    spelled = re.search(rf"\b{re.escape(name)}\b", note.text, re.IGNORECASE)  # readers file names in lower case
    return spelled.group() if spelled else name


FIELD = "anchors"  # of a note's metadata
MOST_ANCHORS = 16  # of one note: each is looked at before the note is told
_LONGEST = 300  # characters of what an anchor names


class AnchorKind(StrEnum):
    """The kind of thing an anchor is fastened to."""

    FILE = "file"  # a file, or a symbol in it
    COMMIT = "commit"  # a commit that the branch must still contain
    PACKAGE = "package"  # the version of a package, as the project's lock file has it
    CONFIG = "config"  # a value in a configuration file


class Freshness(StrEnum):
    """Whether what a note is about is still as it was."""

    FRESH = "fresh"
    STALE = "stale"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True)
class Anchor:
    """`target` is a path, a commit or a package; `part` a symbol or a key in it; `mark` what was there."""

    kind: AnchorKind
    target: str
    part: str = ""
    mark: str = ""

    @property
    def spelled(self) -> str:
        return f"{self.kind.value}:{self.target}{f'#{self.part}' if self.part else ''}"


def parsed_anchor(spelled: str) -> Anchor:
    """An anchor from its spelling, without a mark."""
    kind, colon, rest = spelled.strip().partition(":") if isinstance(spelled, str) else ("", "", "")
    target, _, part = rest.partition("#")
    known = {each.value for each in AnchorKind}
    if not colon or kind not in known or not _is_sound(target) or (part and not _is_sound(part)):
        raise InvalidInput(
            f"`{str(spelled)[:60]}` is not an anchor.",
            code="invalid_anchor",
            hint="Write file:PATH, file:PATH#SYMBOL, commit:SHA, package:NAME or config:PATH#KEY.",
        )
    if kind == AnchorKind.COMMIT and not re.fullmatch(r"[0-9a-f]{7,64}|HEAD", target):
        raise InvalidInput(
            f"`{target[:60]}` is not the id of a commit.", code="invalid_anchor", hint="Or write `HEAD`."
        )
    if kind == AnchorKind.CONFIG and not part:
        raise InvalidInput("An anchor in a configuration needs a key.", code="invalid_anchor", hint="config:PATH#KEY")
    return Anchor(AnchorKind(kind), target, part)


def anchors_of(note: Note) -> tuple[Anchor, ...]:
    """The anchors a note carries. What is not one, because somebody wrote it there by hand, is passed over."""
    told = note.metadata.get(FIELD)
    found = []
    for each in told[:MOST_ANCHORS] if isinstance(told, list) else ():
        try:
            anchor = parsed_anchor(each["anchor"])
            found.append(Anchor(anchor.kind, anchor.target, anchor.part, str(each["mark"])))
        except (InvalidInput, KeyError, TypeError):
            continue
    return tuple(found)


def with_anchors(metadata: Mapping[str, Any], anchors: Iterable[Anchor]) -> dict[str, Any]:
    """Metadata with these anchors in the place of those before."""
    kept = list(anchors)
    if len(kept) > MOST_ANCHORS:
        raise TooLarge(f"{len(kept)} anchors were given; a note has at most {MOST_ANCHORS}.")
    rest = {name: value for name, value in metadata.items() if name != FIELD}
    return {**rest, FIELD: [{"anchor": each.spelled, "mark": each.mark} for each in kept]} if kept else rest


def taken_together(each: Iterable[Freshness]) -> Freshness:
    """How fresh a note is by its anchors: one that is stale makes it so, one that cannot be told leaves it open."""
    found = set(each)
    for worse in (Freshness.STALE, Freshness.UNVERIFIABLE):
        if worse in found:
            return worse
    return Freshness.FRESH


def _is_sound(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text.isprintable() and text == text.strip()
