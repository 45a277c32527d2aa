"""What every data set becomes before it is played: things to remember, and questions whose answers are known.

Nothing in here knows where a set came from, and nothing that plays or scores one needs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from recollect.domain.dataclass import dataclass, replace


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to remember: something said, or a note that is saved as it is.

    Several items may bear one id; finding any of them is finding it.
    """

    id: str
    text: str
    at: datetime
    session: str = ""
    role: str = "user"
    speaker: str | None = None
    is_note: bool = False
    title: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Everything there is to find it by, in one text."""
        return f"{self.title}. {self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the ids of the items that answer it.

    `older` and `newer` are those of them that an update is about: what was said first, and what replaced it.
    """

    text: str
    category: str
    gold: tuple[str, ...]
    now: datetime
    older: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """What belongs together: one conversation, one person. Items are in the order of their times.

    `unanswered` are questions whose answer was never told, and of which nothing can be found.
    """

    name: str
    items: Sequence[Item]
    questions: Sequence[Question]
    unanswered: Sequence[Question] = ()

    def sessions(self) -> Iterator[list[Item]]:
        """The items in the pieces in which they arrive: a note alone, messages of one session together."""
        piece: list[Item] = []
        for item in self.items:
            if piece and (item.is_note or piece[-1].is_note or item.session != piece[-1].session):
                yield piece
                piece = []
            piece.append(item)
        if piece:
            yield piece


@dataclass(frozen=True, slots=True)
class DataSet:
    """A set as it is played.

    `along_the_way`: a question is asked at its own time, of what was there by then; otherwise when all is told.
    `apart`: categories that do not count in the main figure. `unanswerable`: categories whose questions have no right
    answer, even if something near it can be found. `dropped`: questions that have no answer to find.
    """

    name: str
    corpora: Sequence[Corpus]
    along_the_way: bool = False
    apart: frozenset[str] = frozenset()
    by_session: bool = False
    dropped: int = 0
    about: str = ""
    unanswerable: frozenset[str] = frozenset()

    def first(self, count: int | None) -> DataSet:
        """The same with at most that many corpora, and that many questions of each."""
        if count is None:
            return self
        fewer = [
            Corpus(each.name, each.items, each.questions[:count], each.unanswered[:count])
            for each in self.corpora[:count]
        ]
        return replace(self, corpora=fewer)


def flat(value: object) -> str:
    """A text as it is; an object or a list as one, field by field."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {flat(each)}" for key, each in value.items())
    return "; ".join(map(flat, value)) if isinstance(value, list | tuple) else str(value)
