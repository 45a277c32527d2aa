"""The forms of texts: written with them, and made later for texts of before there were any.

A text whose forms are not made yet is found by its words as written, as it always was. So nothing has to wait for this.
"""

from __future__ import annotations

from recollect.domain.answers.upkeep import Check
from recollect.language.world.search_forms import search_forms
from recollect.stores.database import Database, Value

_AT_A_TIME = 500  # texts of one transaction: others write in between
_STATEMENTS = {"unformed_texts": "set_forms", "unformed_observation_texts": "set_observation_forms"}


def make_forms(database: Database, space: str) -> None:
    """Make the forms of all texts of a space that have none, some at a time."""
    for unformed, setting in _STATEMENTS.items():
        place: dict[str, Value] = {"id": "", "version": 0}
        while _make_some(database, space, unformed, setting, place):
            pass


def check_forms(database: Database, space: str) -> Check | None:
    """How many texts of a space are found by their words as written only; `None` if there are none."""
    with database.reading(space) as transaction:
        [(lacking,)] = transaction.rows("count_unformed", space=space)
    told = (
        f"{lacking:,} texts are from before; `recollect reindex` makes words of other languages in them easier to find"
    )
    return Check(f"languages in {space}", True, told) if lacking else None


def _make_some(database: Database, space: str, unformed: str, setting: str, place: dict[str, Value]) -> bool:
    with database.writing(space) as transaction:
        page = transaction.rows(unformed, space=space, limit=_AT_A_TIME, **place)
        made = [
            {"space": space, "id": record_id, "version": version, "forms": search_forms(title, text, more)}
            for record_id, version, title, text, more in page
        ]
        if made:
            transaction.each(setting, made)
            place["id"], place["version"] = page[-1][0], page[-1][1]
    return bool(page)
