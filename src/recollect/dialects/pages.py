"""Lists of ours as other systems page them: from one place to another, by number, or whole; and pages with names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Erased, InvalidInput, NotFound

MOST = 1000  # records of one kind in an answer, and of a page of ours


def every(doer: Doer, verb: str, given: Mapping[str, Any], at_a_time: int = MOST) -> Iterator[Any]:
    """Every record that a verb lists, page by page."""
    cursor: str | None = None
    while True:
        page = doer.do(verb, {**given, "limit": at_a_time, **({"cursor": cursor} if cursor else {})})
        yield from page
        cursor = page.next_cursor
        if cursor is None:
            return


def between(doer: Doer, verb: str, given: Mapping[str, Any], start: int, end: int) -> list[Any]:
    """The records of a list from one place to another."""
    return list(islice(every(doer, verb, given, min(MOST, end)), start, end)) if end > start else []


def all_of(doer: Doer, verb: str, most: int = MOST, **given: Any) -> list[Any]:
    """The first so many records of a list."""
    return between(doer, verb, given, 0, most)


def paged(found: Sequence[Any], first: int, many: int) -> dict[str, Any]:
    """The place of a page of so many records in a list, of which one more was looked for than the page holds."""
    return {"offset": first, "limit": many, "total": len(found), "hasMore": len(found) > first + many}


def if_there(doer: Doer, verb: str, given: Mapping[str, Any]) -> Any:
    """The answer of a verb; nothing in a space that nobody has written in."""
    try:
        return doer.do(verb, given)
    except NotFound as problem:
        if problem.code == "space_not_found":
            return ()
        raise


def confirmed(doer: Doer, verb: str, given: Mapping[str, Any]) -> None:
    """Erase at once, for clients that are not asked twice. In a space that is not there yet there is nothing."""
    try:
        told = doer.do(verb, given)
    except NotFound:
        return
    doer.do(verb, {**given, "confirm": told.confirm})


def erased(doer: Doer, ids: Iterable[str]) -> int:
    """Erase records by their ids; how many of them were there."""
    gone = 0
    for each in ids:
        try:
            doer.do("forget", {"note_id": each})
        except (NotFound, Erased):
            continue
        gone += 1
    return gone


@dataclass(frozen=True, slots=True)
class NotePages:
    """The pages of a family, which is the tag of their notes and the beginning of their keys."""

    family: str

    def names(self, doer: Doer) -> list[str]:
        """The names of all pages, in their order."""
        return sorted(each.title or "" for each in all_of(doer, "list", tag=self.family))

    def read(self, doer: Doer, name: str) -> str:
        """The text of a page."""
        return str(doer.do("get", {"note_id": f"key:{self.family}/{name}"}).text)

    def write(self, doer: Doer, name: str, text: str) -> None:
        """Write a page, or write it anew."""
        doer.do("save", {"text": text, "key": f"{self.family}/{name}", "title": name, "tags": [self.family]})


def page_name(file: Any) -> str:
    """The name of a page: the last part of a path, which leads nowhere."""
    name = str(file).replace("\\", "/").rpartition("/")[2]
    if not name.endswith(".md") or len(name) > 200 or name.startswith("."):
        raise InvalidInput("file must be the name of a .md file", code="invalid_name")
    return name
