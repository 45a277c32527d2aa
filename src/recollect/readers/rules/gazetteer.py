"""Names that tell by themselves what they are: makers and models, places, technology. They stand in `names.tsv`.

A row has a table, the kind of its names, and the names. In `first` are the first words of a name, with more after them
or alone, in `last` its last words. What is written in lower case is recognised in any case; what is written with a
capital, or stands in `ordinary`, is also an English word, and only counts when it is written so. A name that is
followed by a version or an edition is still that name.
"""

from __future__ import annotations

from pathlib import Path


def _tables() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in Path(__file__).with_name("names.tsv").read_text(encoding="utf-8").splitlines():
        table, kind, names = line.split("\t")
        found.setdefault(table, {})[kind] = names
    return found


_TABLES = _tables()
FIRST_WORDS, LAST_WORDS, TECHNOLOGY = _TABLES["first"], _TABLES["last"], _TABLES["technology"]
PLACES, ORDINARY_NAMES = _TABLES["place"][""], _TABLES["ordinary"][""]
