"""A database as a bound reader sees it: through views of one text, in which each spells its settings.

Writing is as ever: what is written is compared where it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.errors import NotAllowed
from recollect.domain.scopes import ANYWHERE, BOUND_BY, Scope

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Check
    from recollect.domain.meanings import Cache
    from recollect.stores.database import Database, Search, Transaction


class BoundDatabase:
    """Another database, of which a part of each space is seen."""

    def __init__(self, database: Database, within: Scope) -> None:
        self._database, self.within = database, within
        self.dialect, self.location = database.dialect, database.location

    @property
    def cache(self) -> Cache | None:
        return None

    @property
    def vector_search(self) -> str:
        return self._database.vector_search

    def served_vectors(self, _model_id: str, _dimension: int) -> None:
        """None: the index of the whole space is asked, about what the part holds."""

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:
        if space is None:
            raise _beyond()
        return self._database.reading_within(space, self.within)

    def writing(self, space: str | None, *, rehearse: bool = False) -> AbstractContextManager[Transaction]:
        if space is None:
            raise _beyond()
        return self._database.writing(space, rehearse=rehearse)

    def jotting(self, space: str | None) -> AbstractContextManager[Transaction]:
        if space is None:
            raise _beyond()
        return self._database.jotting(space)

    def reading_within(self, _space: str, _within: Scope) -> AbstractContextManager[Transaction]:
        raise _beyond()

    def moving(self, _space: str) -> AbstractContextManager[Transaction]:
        raise _beyond()

    def migrating(self) -> AbstractContextManager[Transaction]:
        raise _beyond()

    def build(self, _script: str) -> bool:
        raise _beyond()

    def has_table(self, transaction: Transaction, name: str) -> bool:
        return self._database.has_table(transaction, name)

    def terms(self, words: Sequence[str], space: str, *, beginnings: bool) -> str:
        return self._database.terms(words, space, beginnings=beginnings)

    def searches(
        self, transaction: Transaction, index: str, words: Sequence[str], space: str, *, beginnings: bool
    ) -> Iterator[Search]:
        return self._database.searches(transaction, index, words, space, beginnings=beginnings)

    def tagged(self, transaction: Transaction, tag: str, space: str) -> Search | None:
        return self._database.tagged(transaction, tag, space)

    def clean_residue(self) -> str | None:
        return self._database.clean_residue()

    def check(self) -> Sequence[Check]:
        raise _beyond()

    def rebuild(self) -> None:
        raise _beyond()

    def size(self) -> int | None:
        return None

    def close(self) -> None:
        """The database belongs to whoever opened it."""


def _beyond() -> NotAllowed:
    return NotAllowed(
        "This is about more than the part of a space that you are bound to.",
        code="scope_bound",
        hint="Use another token.",
    )


# Tables that are the same for everybody in a space: its own row, its limits, and digests of keys, in which the part of
# the space is contained. Nothing in them was said by anybody.
_SHARED = frozenset({"space", "quota", "verdict", "idempotency", "migration"})

_BLOCK = "-- name: "


def part_of(within: Scope) -> str:
    """The part that a reader is bound to, as one text; empty for all of a space."""
    if within == ANYWHERE:
        return ""
    import json

    return json.dumps([getattr(within, name) for name in BOUND_BY])


def settings_of(within: Scope) -> dict[str, str]:
    """The settings that the views ask for, by name; one that is not said is empty."""
    return {**{name: getattr(within, name) or "" for name in BOUND_BY}, "part": part_of(within)}


def views(tables: Iterable[str], *, main: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The text of each view by its name. `settings` are expressions for what a reader is bound to, NULL for nothing."""
    rules = _rules()
    spelled = {f"{{{name}}}": said for name, said in settings.items()}
    spelled["{main}"] = main
    # Whoever is bound to nothing at all is no bound reader, and sees nothing.
    bound = f"{settings['part']} IS NOT NULL"
    within = " AND ".join(
        [bound, *(f"({settings[name]} IS NULL OR own.scope_{name} = {settings[name]})" for name in BOUND_BY)]
    )
    of_project = " AND ".join(
        [bound, f"{settings['user']} IS NULL", f"{settings['agent']} IS NULL", f"desk.project = {settings['project']}"]
    )
    found = {}
    for table in tables:
        if table in _SHARED:
            continue
        text = rules.get(table, f"SELECT * FROM {main}{table} WHERE 1 = 0")  # noqa: S608 - names of our own tables
        text = text.replace("{within}", f"({within})").replace("{of_project}", f"({of_project})")
        for mark, said in spelled.items():
            text = text.replace(mark, said)
        found[table] = text
    return found


def _rules() -> dict[str, str]:
    blocks = (Path(__file__).parent / "views.sql").read_text(encoding="utf-8").split(f"\n{_BLOCK}")[1:]
    texts = (block.split("\n", 2) for block in blocks)
    return {name: text.strip() for name, _, text in texts}
