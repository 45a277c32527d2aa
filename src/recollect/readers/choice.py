"""Which reader a setting names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.domain.readings import Reader


def choose_reader(name: str) -> Reader:
    """The reader of that name, one of `settings.READERS`. Only that one is loaded."""
    if name == "none":
        from recollect.readers.none import NoReader

        return NoReader()
    from recollect.readers.rules.reader import RulesReader

    return RulesReader()
