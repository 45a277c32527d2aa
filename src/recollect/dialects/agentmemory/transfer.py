"""agentmemory's export as a whole, made of ours; and one of theirs taken in, as `recollect import agentmemory` does."""

from __future__ import annotations

from typing import Any

from recollect.dialects.agentmemory import formats
from recollect.dialects.agentmemory.arguments import MOST, Given, all_of, count
from recollect.dialects.agentmemory.memory_calls import observed_in
from recollect.dialects.tool import Doer
from recollect.domain.clock import SystemClock, format_time
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.notes import Note
from recollect.redaction.clean_text import clean

_MOST_RECORDS = 20_000  # of one import over HTTP
_LINES_AT_ONCE = 500


def exported(doer: Doer, given: Given) -> Any:
    """Everything that agentmemory has a place for; `maxSessions` and `offset` go through sessions in parts."""
    first = count(given, "offset", 0, 1_000_000)
    many = max(1, count(given, "maxSessions", MOST))
    every = all_of(doer, "sessions", first + many + 1)
    digests = [doer.do("session.show", {"session_id": each.id}) for each in every[first : first + many]]
    notes: list[Note] = [
        note for state in ("active", "superseded") for note in all_of(doer, "list", _MOST_RECORDS, state=state)
    ]
    told = {
        "version": formats.VERSION,
        "exportedAt": format_time(SystemClock().now()),
        "sessions": [formats.session_record(each.session, each) for each in digests],
        "observations": {
            each.session.id: [formats.observation_record(seen) for seen in observed_in(doer, each.session.id)]
            for each in digests
        },
        "memories": [formats.memory_record(note) for note in notes if note.kind.value != "lesson"],
        "summaries": [formats.summary_record(each) for each in digests if each.outcome],
        "lessons": [formats.lesson_record(note) for note in notes if note.kind.value == "lesson"],
        "slots": [formats.slot_record(each) for each in doer.do("slots.list") if each.version],
        "actions": [formats.action_record(each) for each in all_of(doer, "actions.list")],
    }
    if "maxSessions" in given or first or len(every) > first + many:
        page = {"offset": first, "limit": many, "total": len(every), "hasMore": len(every) > first + many}
        told["pagination"] = page
    return told


def imported(doer: Doer, given: Given) -> Any:
    """Take an export in. Doing it twice changes nothing, and nothing that is here is erased by it."""
    from recollect.remember.foreign.exports import agentmemory_in
    from recollect.remember.foreign.review import audited, lines_of

    said = given.get("exportData", given)
    if given.get("strategy") == "replace":
        raise InvalidInput("strategy replace is not taken: an import erases nothing here", code="invalid_choice")
    if not isinstance(said, dict) or not isinstance(said.get("memories"), list):
        raise InvalidInput("exportData with a list of memories is required", code="field_missing")
    records = sum(len(each) for each in said.values() if isinstance(each, list | dict))
    if records > _MOST_RECORDS:
        raise TooLarge(f"An import over HTTP has at most {_MOST_RECORDS:,} records; this one has {records:,}.")
    kept, audit = audited("agentmemory", agentmemory_in(said), lambda text: (clean(text), {}), captured=lambda _: False)
    lines = [each.text for each in lines_of("agentmemory", kept, space=doer.space, now=SystemClock().now())]
    reports = [
        doer.do("import", {"lines": lines[start : start + _LINES_AT_ONCE], "space": doer.space})
        for start in range(0, len(lines), _LINES_AT_ONCE)
    ]
    return {
        "success": True,
        "imported": sum(each.imported for each in reports),
        "skipped": sum(each.unchanged + each.erased for each in reports),
        "failed": [each.message for report in reports for each in report.failures]
        + [each.message for each in audit.unread],
    }
