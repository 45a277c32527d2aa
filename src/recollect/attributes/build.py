"""Makes the table that the catalogue reads from the records in `data/*.toml`.

    python -m recollect.attributes.build

checks every record and writes `table.json`. Reading TOML at every start would take longer than all the rest of a
short command; the table is read in a few milliseconds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.attributes.catalogue import TABLE
from recollect.attributes.records import Attribute, Flag, attribute_from
from recollect.domain.dataclass import names_of

DATA = Path(__file__).with_name("data")
# The files in the order their records are meant: of two attributes with the same synonym, or frames that fit the same
# clause, the earlier one is taken. A file that is not named here comes after them.
_FIRST = ("person", "people", "contracts", "work", "health", "tastes", "belongings", "stack", "practice", "tools")
# The parts that no record goes without, each with the reason.
_PARTS = {
    "cardinality": "says whether a new value takes the place of the old one (`one`) or stands beside it (`many`)",
    "about": "says whether `we` means the speaker (`person`), the project (`project`) or either (`either`)",
    "wording": "is the sentence of a fact, such as `{who}'s desk is {value}`",
    "synonyms": "lists what people call it besides its name; `[]` if nothing",
    "asked": "lists the words of a question that ask for it",
    "fresh_days": 'is how many days it is believed without being seen again, or "as its kind"',
}


def read_records(data: Path = DATA) -> dict[str, dict[str, Any]]:
    """Every record by the name of its attribute, in the order of the catalogue."""
    import tomllib

    files = sorted(data.glob("*.toml"), key=lambda file: (_place(file.stem), file.stem))
    records: dict[str, dict[str, Any]] = {}
    for file in files:
        for name, record in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if name in records:
                raise SystemExit(f"The attribute `{name}` has two records; the second is in {file.name}.")
            records[name] = record
    return records


def problems_of(records: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A sentence for everything that is missing or unknown in some records."""
    return [problem for name, record in records.items() for problem in _problems(name, record, records)]


def table_of(records: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of the table: one line for each record."""
    lines = [f"{json.dumps(name)}:{_compact(record)}" for name, record in records.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _problems(name: str, record: Mapping[str, Any], records: Mapping[str, Any]) -> Iterator[str]:
    where = f"The attribute `{name}`"
    missing = [part for part in _PARTS if part not in record or (part != "synonyms" and not record[part])]
    yield from (f"{where} has no `{part}`, which {_PARTS[part]}." for part in missing)
    unknown = [field for field in record if field not in names_of(Attribute) or field in ("name", "many")]
    yield from (f"{where} has `{field}`, which is no field of a record." for field in unknown)
    flags = [flag for flag in record.get("flags", ()) if flag not in tuple(Flag)]
    yield from (f"{where} has the flag `{flag}`, which is none." for flag in flags)
    if not (missing or unknown or flags):
        yield from _clashes(name, record, records)


def _clashes(name: str, record: Mapping[str, Any], records: Mapping[str, Any]) -> Iterator[str]:
    """The problems of a record that has all its parts: between them, and with other records."""
    where = f"The attribute `{name}`"
    others = (*record.get("accepts", ()), *filter(None, [record.get("opposite")]))
    yield from (f"{where} refers to `{other}`, which has no record." for other in others if other not in records)
    wordings = (record["wording"], record.get("unnamed", record["wording"]))
    if not all("{who}" in wording and "{value}" in wording for wording in wordings):
        yield f"{where} has a wording without `{{who}}` or `{{value}}`."
    if bool(record.get("relation")) != bool(record.get("people")):
        yield f"{where} needs both `relation` and `people`, the words for its people, or neither."
    try:
        attribute_from(name, record)
    except (TypeError, ValueError) as problem:
        yield f"{where} cannot be read: {problem}."


def _compact(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _place(theme: str) -> int:
    return _FIRST.index(theme) if theme in _FIRST else len(_FIRST)


def main() -> int:
    """Write the table, or say which records are not whole. Returns the exit code."""
    records = read_records()
    problems = problems_of(records)
    if problems:
        sys.stderr.write("\n".join(problems) + "\n")
        return 1
    TABLE.write_text(table_of(records), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
