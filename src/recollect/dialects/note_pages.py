"""Pages with names: notes under keys of a family, with versions, found by searches like any other."""

from __future__ import annotations

from typing import Any

from recollect.dialects.pages import all_of
from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput


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
