"""Lines of the reference knowledge-graph memory server come in as notes: entities, their observations, relations.

Its records have neither ids nor times. The id of a note is made of the words of its record, so that the same file can
be taken in twice, and what was forgotten since stays forgotten.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from recollect.dialects.server_memory.graph import fields_in
from recollect.domain.clock import encode_id
from recollect.domain.errors import Erased, RecollectError
from recollect.domain.recollections import ImportFailure, ImportReport

_TYPES = ("entity", "relation")
_PERHAPS = re.compile(r'"type"\s*:\s*"(?:entity|relation)"')
_CHANCE_BITS = 80  # of an id; the others are a time, and these records have none

TakeIn: TypeAlias = Callable[[dict[str, Any], str], bool]
Numbered: TypeAlias = list[tuple[int, dict[str, Any]]]


def parted(lines: Sequence[str], first_line: int) -> tuple[list[str], Numbered]:
    """Our own lines, each in its place, and the records of a graph with the numbers of their lines."""
    own: list[str] = []
    graph: Numbered = []
    for number, line in enumerate(lines, start=first_line):
        record = _record(line) if _PERHAPS.search(line) else None
        if record is not None:
            graph.append((number, record))
        own.append(line if record is None else "")  # an empty line counts, so that the numbers stay right
    return own, graph


def import_graph(records: Numbered, take_in: TakeIn) -> ImportReport:
    """Take records in, note by note. A broken one is reported, and the others still come in."""
    imported = unchanged = erased = 0
    failures: list[ImportFailure] = []
    for number, record in records:
        try:
            notes = list(fields_in(record))
        except ValueError as problem:
            failures.append(ImportFailure(number, "invalid_record", f"This record is not whole: {problem}."))
            continue
        for fields in notes:
            try:
                if take_in(fields, _id_of(fields)):
                    imported += 1
                else:
                    unchanged += 1
            except Erased:
                erased += 1
            except RecollectError as problem:
                if problem.retryable:
                    raise
                failures.append(ImportFailure(number, problem.code, problem.message))
    return ImportReport(imported, unchanged, erased, tuple(failures))


def merged(one: ImportReport, other: ImportReport) -> ImportReport:
    """Both reports as one."""
    return ImportReport(
        one.imported + other.imported,
        one.unchanged + other.unchanged,
        one.erased + other.erased,
        tuple(sorted((*one.failures, *other.failures), key=lambda failure: failure.line)),
    )


def _record(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("type") in _TYPES else None


def _id_of(fields: dict[str, Any]) -> str:
    words = json.dumps(fields, sort_keys=True).encode("utf-8", "surrogatepass")
    return encode_id(int.from_bytes(hashlib.sha256(words).digest(), "big") >> (256 - _CHANCE_BITS))
