"""Reports for people: spaces, days, checks, the audit log, imports, erasures, what was learned from a message."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from recollect.domain.answers.daily_activity import ActivityDay, DailyActivity, NoteUsage
from recollect.domain.answers.recollections import (
    KEPT,
    AuditReport,
    Erasure,
    ImportReport,
    Ingested,
    Learned,
    MassErasure,
    PassedOver,
    Profile,
    Remembered,
    SpaceSummary,
    Status,
    Tidied,
)
from recollect.domain.answers.upkeep import Check, Diagnosis
from recollect.domain.selections import Count
from recollect.surfaces.cli.screens.cards import PINNED, day, instant, quoted
from recollect.surfaces.cli.terminal import (
    Terminal,
    count_of,
    cut,
    facts,
    flow,
    inert,
    pad,
    table,
    were,
    width_of,
    wrap,
)

_GAP = "  "
_WIDEST_ATTRIBUTE = 24  # columns on a screen; anybody can make an attribute up
_INKS = {"disputed": "yellow", "ignored": "dim", "replayed": "dim"}


def remembered_lines(remembered: Remembered, terminal: Terminal) -> Iterator[str]:
    """The outcome of each thing that was said: learned, passed over, redacted."""
    yield from learned_list(remembered.learned, terminal)
    if remembered.passed_over:
        if remembered.learned:
            yield ""
        yield from _passed_over(remembered.passed_over, terminal)
    yield from _redacted(remembered.redacted, terminal)


def remembered_asides(remembered: Remembered) -> Iterator[str]:
    """Where the words themselves are."""
    count = len(remembered.observation_ids)
    kept = f"{were(count, 'message')} kept word for word"
    if not remembered.learned:
        yield f"No fact was learned; {kept} in session {inert(remembered.session_id)}."
    else:
        yield f"{kept[:1].upper()}{kept[1:]} in session {inert(remembered.session_id)}."


def learned_list(learned: Sequence[Learned], terminal: Terminal) -> Iterator[str]:
    """Each fact with what was done and, below it, the words it was read from and the reason."""
    wide = max((width_of(each.action) for each in learned), default=0)
    margin = " " * wide + _GAP
    room = None if terminal.width is None else terminal.width - len(margin)
    for each in learned:
        told = each.note.text if each.note else each.quote
        first, *more = wrap(inert(told), room)
        yield f"{terminal.paint(pad(inert(each.action), wide), _INKS.get(each.action, 'green'))}{_GAP}{first}"
        yield from (margin + line for line in more)
        about = [each.note.id if each.note else "", quoted(each.quote) if each.quote else "", inert(each.reason)]
        for line in flow([part for part in about if part], room):
            yield margin + terminal.paint(line, "dim")


def ingested_lines(ingested: Ingested, terminal: Terminal, *, rehearsed: bool = False) -> Iterator[str]:
    """How many files there were and what became of them; each that could not be read, with the reason."""
    if ingested.job_id:
        yield from wrap(f"Job {ingested.job_id} takes it in; `recollect jobs show` says how far it is.", terminal.width)
        return
    parts = ["No file was new or changed"]
    if ingested.read:
        read = f"{count_of(ingested.read, 'file')} would be" if rehearsed else were(ingested.read, "file")
        parts = [f"{read} read into {count_of(ingested.passages, 'passage')}"]
    if ingested.unchanged:
        parts.append(f"{ingested.unchanged:,} {'was' if ingested.unchanged == 1 else 'were'} as before")
    if ingested.gone:
        parts.append(f"{ingested.gone:,} {'is' if ingested.gone == 1 else 'are'} no longer there")
    yield from wrap("; ".join(parts) + ".", terminal.width)
    yield from _redacted(ingested.redacted, terminal)
    for failure in ingested.failures:
        first, *more = wrap(inert(f"{failure.path}: {failure.message}"), terminal.width)
        yield first
        yield from (f"  {line}" for line in more)
    if ingested.failures:
        yield f"{were(len(ingested.failures), 'file')} not read."


def ingested_asides(ingested: Ingested) -> Iterator[str]:
    """How fast it went."""
    if ingested.read and ingested.seconds:
        pace = ingested.passages / ingested.seconds
        yield f"It took {ingested.seconds:,.1f} s: {count_of(round(pace), 'passage')} a second."


def profile_page(profile: Profile, terminal: Terminal) -> Iterator[str]:
    """A profile as a table, and below it in sentences."""
    if profile.fields:
        rows = [
            [
                cut(inert(each.attribute.replace("_", " ")), None if terminal.width is None else _WIDEST_ATTRIBUTE),
                day(each.since),
                (f"{PINNED} " if each.essential else "") + ", ".join(each.values),
            ]
            for each in profile.fields
        ]
        yield from table(["what", "since", inert(profile.subject)], rows, terminal)
    if profile.fields and profile.prose:
        yield ""
    if profile.prose:
        yield from wrap(inert(profile.prose), terminal.width)


def profile_asides(profile: Profile) -> Iterator[str]:
    if not profile.fields and not profile.prose:
        yield inert(f'Nothing is known of `{profile.subject}` yet. `recollect add "…"` listens and learns.')
    elif any(each.essential for each in profile.fields):
        yield f"{PINNED} essential: it never fades"


def reason_in_words(reason: str) -> str:
    """Why a candidate did not become a note, as people say it."""
    return inert(reason.replace("_", " "))


def _passed_over(passed_over: Sequence[PassedOver], terminal: Terminal) -> Iterator[str]:
    yield "Not taken for facts:"
    for each in passed_over:
        told = f"{quoted(each.quote)}{_GAP}{reason_in_words(each.reason)}"
        first, *more = wrap(told, None if terminal.width is None else terminal.width - 4)
        yield f"  {first}"
        yield from (f"    {line}" for line in more)


def _redacted(redacted: Mapping[str, int], terminal: Terminal) -> Iterator[str]:
    if redacted:
        told = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in redacted.items())
        yield from wrap(inert(f"Taken out before anything was kept: {told}."), terminal.width)


_ROOM_FOR_HISTORY = 92  # columns; with fewer, what a space is for would have less than 8


def space_table(spaces: Sequence[SpaceSummary], terminal: Terminal) -> list[str]:
    """One space a line. How much is history is told where what the space is for still has room."""
    told: list[tuple[str, Callable[[SpaceSummary], str]]] = [
        ("space", lambda each: each.name),
        ("notes", lambda each: f"{each.notes:,}"),
        ("versions", lambda each: f"{each.versions:,}"),
        ("forgotten", lambda each: f"{each.erased:,}"),
        ("sessions", lambda each: f"{each.sessions:,}"),
        ("observations", lambda each: f"{each.observations:,}"),
        ("since", lambda each: day(each.created_at)),
        ("what for", lambda each: each.description),
    ]
    narrow = terminal.width is not None and terminal.width < _ROOM_FOR_HISTORY
    shown = [column for column in told if not narrow or column[0] not in ("versions", "forgotten")]
    rows = [[spell(each) for _, spell in shown] for each in spaces]
    return table([heading for heading, _ in shown], rows, terminal)


def count_lines(count: Count, terminal: Terminal) -> Iterator[str]:
    """How many notes there are, and below it how many by each field that was asked for."""
    yield count_of(count.total, "note")
    for field, counts in count.by.items():
        yield ""
        yield from table([field, "notes"], [(value or "none", f"{many:,}") for value, many in counts.items()], terminal)
        if field in count.others:
            yield f"and {count.others[field]:,} other values"


def space_card(space: SpaceSummary, terminal: Terminal) -> Iterator[str]:
    yield from facts(
        [
            ("space", space.name),
            ("what for", space.description),
            ("since", instant(space.created_at)),
            ("notes", f"{space.notes:,}{_counted(space.by_state)}"),
            ("kinds", ", ".join(f"{count:,} {kind}" for kind, count in space.by_kind.items())),
            ("versions", f"{space.versions:,}"),
            ("forgotten", f"{space.erased:,}"),
            ("sessions", f"{space.sessions:,}"),
            ("observations", f"{space.observations:,}"),
            ("candidates", f"{_candidates(space):,}, {_kept(space):,} kept" if space.verdicts else ""),
            ("junk rate", f"{space.junk_rate:.0%}" if space.verdicts else ""),
            ("turned away", _turned_away(space)),
            ("changes", f"{space.changes:,}"),
            ("may hold", "" if space.max_notes is None else f"{space.max_notes:,} notes"),
            ("files", f"{space.attachment_bytes:,} bytes" if space.attachment_bytes else ""),
            ("files up to", "" if space.max_attachment_bytes is None else f"{space.max_attachment_bytes:,} bytes"),
            ("may take in", "" if space.max_messages is None else f"{space.max_messages:,} messages a day"),
        ],
        terminal,
    )


def status_page(status: Status, terminal: Terminal) -> Iterator[str]:
    size = "" if status.size_bytes is None else bytes_in_words(status.size_bytes)
    yield from facts(
        [
            ("version", status.version),
            ("store", f"{status.store}, schema {status.schema}"),
            ("kept in", status.location),
            ("size", size),
            ("notes", f"{status.notes:,}"),
            ("sessions", f"{sum(space.sessions for space in status.spaces):,}"),
            ("observations", f"{sum(space.observations for space in status.spaces):,}"),
            ("jobs", ", ".join(f"{many:,} {stage}" for stage, many in status.jobs.items())),
            ("vectors", f"{status.unembedded:,} texts wait for theirs" if status.unembedded else ""),
            ("compared", status.vector_search.removeprefix("compared ")),
            ("in memory", f"{bytes_in_words(status.vector_bytes)} of vectors" if status.vector_bytes else ""),
            ("links", f"{status.unjudged:,} texts wait to be judged" if status.unjudged else ""),
            ("judged by", ", ".join(status.judges)),
            ("reading", f"{status.unread:,} sessions wait for a model" if status.unread else ""),
        ],
        terminal,
    )
    if status.spaces:
        yield ""
        yield from space_table(status.spaces, terminal)
    listened = [space for space in status.spaces if space.verdicts]
    if listened:
        yield ""
        yield from _verdict_table(listened, terminal)


def check_list(diagnosis: Diagnosis, terminal: Terminal) -> Iterator[str]:
    wide = max((len(check.name) for check in diagnosis.checks), default=0)
    for check in diagnosis.checks:
        yield f"{mark(check.ok, terminal)} {inert(check.name).ljust(wide)}  {inert(check.detail)}".rstrip()
        if check.hint:
            yield f"  {terminal.paint('hint:', 'cyan')} {inert(check.hint)}"
    yield "Everything is sound." if diagnosis.healthy else _unsound(diagnosis.checks)


def audit_page(report: AuditReport, terminal: Terminal) -> Iterator[str]:
    if report.entries:
        rows = [
            [str(entry.seq), instant(entry.at), entry.reason, entry.principal, entry.channel, _summary(entry.summary)]
            for entry in report.entries
        ]
        yield from table(["no.", "when", "why", "by", "through", "what"], rows, terminal)
    yield f"{mark(report.whole, terminal)} {inert(report.detail)}"


def import_lines(report: ImportReport, *, rehearsed: bool = False) -> Iterator[str]:
    imported = f"{count_of(report.imported, 'record')} would be" if rehearsed else were(report.imported, "record")
    parts = [f"{imported} imported"]
    if report.unchanged:
        parts.append(f"{report.unchanged:,} {'was' if report.unchanged == 1 else 'were'} there already")
    if report.erased:
        parts.append(f"{report.erased:,} had been forgotten here and {'stays' if report.erased == 1 else 'stay'} so")
    yield "; ".join(parts) + "."
    for failure in report.failures:
        yield f"line {failure.line:,}: {inert(failure.message)}"
    if report.failures:
        left = "" if rehearsed else "; correct and import again, the rest is left alone"
        yield f"{were(len(report.failures), 'line')} not {'understood' if rehearsed else 'imported'}{left}."


def erasure_lines(erasure: Erasure) -> Iterator[str]:
    if len(erasure.note_ids) == 1:
        yield f"Note {erasure.note_ids[0]} is forgotten, with every version of it."
    elif erasure.note_ids:
        yield f"{len(erasure.note_ids):,} notes are forgotten, with every version of them."
    if erasure.observation_ids:
        said = len(erasure.observation_ids)
        yield f"{said:,} {'message is' if said == 1 else 'messages are'} forgotten{' too' if erasure.note_ids else ''}."
    for record_id in erasure.others:
        yield f"{record_id} is forgotten."
    if erasure.derived:
        told = ", ".join(erasure.derived[:5]) + (" and others" if len(erasure.derived) > 5 else "")
        yield f"Derived from it, and still there: {told}."
    yield from residue_lines(erasure)


def mass_erasure_lines(erasure: MassErasure) -> Iterator[str]:
    counts = (("note", erasure.notes), ("message", erasure.messages), ("session", erasure.sessions))
    told = ", ".join(count_of(many, name) for name, many in counts if many) or "Nothing"
    yield f"{told} {'forgotten.' if erasure.done else 'would be forgotten.'}"
    if erasure.passed_over:
        yield f"{erasure.passed_over:,} more rank above you and stay."
    if erasure.sample and not erasure.done:
        yield f"The newest of them: {', '.join(erasure.sample)}."
    yield from residue_lines(erasure)


def mass_erasure_asides(erasure: MassErasure) -> Iterator[str]:
    if not erasure.done and (erasure.notes or erasure.messages or erasure.sessions):
        yield f"Nothing was erased. The same command with `--confirm {erasure.confirm}` does it; it cannot be undone."


def tidied_lines(tidied: Tidied) -> Iterator[str]:
    """The notes that came to an end, and what is gone."""
    told = (
        (tidied.expired, "note", "reached the end given to it", "reached the end given to them"),
        (tidied.faded, "note", "has faded", "have faded"),
        (tidied.erased, "record", "was to be kept no longer, and is gone", "were to be kept no longer, and are gone"),
    )
    for ids, thing, of_one, of_many in told:
        if ids:
            yield f"{count_of(len(ids), thing)} {of_one if len(ids) == 1 else of_many}:"
            yield from (f"  {each}" for each in ids)


def residue_lines(erasure: Erasure | MassErasure) -> Iterator[str]:
    if erasure.residue:
        yield inert(f"Left to clean: {erasure.residue}")


def bytes_in_words(size: int) -> str:
    """A size in the unit that suits it; 1 kB is 1,000 bytes."""
    number, unit = float(size), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if number < 1000:
            break
        number, unit = number / 1000, larger
    return f"{size:,} bytes" if unit == "bytes" else f"{number:.1f} {unit}"


def mark(ok: bool, terminal: Terminal) -> str:
    return terminal.paint("✓", "green") if ok else terminal.paint("✗", "red")


def _verdict_table(spaces: Sequence[SpaceSummary], terminal: Terminal) -> list[str]:
    """Results of listening by space: how many candidates there were, how many became notes, why others did not."""
    rows = [
        [
            space.name,
            f"{_candidates(space):,}",
            f"{_kept(space):,}",
            f"{space.junk_rate:.0%}",
            _turned_away(space),
        ]
        for space in spaces
    ]
    return table(["space", "candidates", "kept", "junk rate", "turned away"], rows, terminal)


def _candidates(space: SpaceSummary) -> int:
    return sum(space.verdicts.values())


def _kept(space: SpaceSummary) -> int:
    return space.verdicts.get(KEPT, 0)


def _turned_away(space: SpaceSummary) -> str:
    """Why candidates did not become notes, the most frequent reason first."""
    against = sorted((-count, reason) for reason, count in space.verdicts.items() if reason != KEPT)
    return ", ".join(f"{-count:,} {reason_in_words(reason)}" for count, reason in against)


def _summary(summary: str) -> str:
    """The changes an audit entry tells of; one that is spelled otherwise is shown as it is."""
    try:
        return ", ".join(
            f"{kind} {record}{f' version {version}' if version else ''}"
            for kind, record, version in json.loads(summary)
        )
    except (ValueError, TypeError):
        return summary


def _counted(by_state: dict[str, int]) -> str:
    if not by_state:
        return ""
    return f" ({', '.join(f'{count:,} {state}' for state, count in by_state.items())})"


def _unsound(checks: Sequence[Check]) -> str:
    failed = sum(not check.ok for check in checks)
    return f"{failed} of {len(checks)} checks failed."


_BARS = "▁▂▃▄▅▆▇█"
_FIGURES = ("learned", "superseded", "forgotten", "searches", "recalls", "tokens")
_NAME = max(map(len, _FIGURES))
_ROOM_FOR_ALL = 80  # columns; with fewer, the mean of the times is told, or none
_LISTED = 14  # days in numbers on a screen; a pipe and `--json` have all of them


def activity_page(found: DailyActivity, terminal: Terminal) -> Iterator[str]:
    """The bars of each figure, of the days that have room, and the newest days in numbers."""
    if not found.days:
        return
    bars_room = len(found.days) if terminal.width is None else terminal.width - _NAME - 12
    figures = _FIGURES if any(each.tokens for each in found.days) else _FIGURES[:-1]
    for name in figures:
        counts = [getattr(each, name) for each in found.days]
        if any(counts):
            yield f"{name.ljust(_NAME)}  {bars(counts[-bars_room:])}  {sum(counts):,}"
    yield ""
    listed = found.days if terminal.width is None else found.days[-_LISTED:]
    wide = terminal.width is None or terminal.width >= _ROOM_FOR_ALL
    rows = [["day", *figures, "mean ms", "max ms"], *(_row(each, figures) for each in listed)]
    room = (
        len(rows[0]) if wide else len(_FIGURES) + 1
    )  # where models are paid for, times are what a narrow screen lacks
    headings, *days = (row[:room] for row in rows)
    yield from table(headings, days, terminal)


def usage_page(found: NoteUsage, terminal: Terminal) -> Iterator[str]:
    """The sums of a note, and its newest days by whoever was told."""
    if not found.lines:
        return
    yield f"Recalled: {found.recalled:,}, found: {found.found:,}, since {found.since}."
    yield ""
    listed = found.lines if terminal.width is None else found.lines[:_LISTED]
    rows = [[each.day, f"{each.recalled:,}", f"{each.found:,}", inert(each.actor)] for each in listed]
    yield from table(["day", "recalled", "found", "by"], rows, terminal)


def usage_asides(found: NoteUsage) -> list[str]:
    """Whether there is nothing, and whether anything was not counted."""
    nothing = [] if found.lines else [f"It was not told to anybody since {found.since}."]
    dropped = f"{found.dropped:,} uses of notes could not be counted: too many waited to be written down."
    return [*nothing, *([dropped] if found.dropped else [])]


def bars(counts: Sequence[int]) -> str:
    """A bar for each count; a day with nothing has none, and any other one that can be seen."""
    most = max(counts, default=0)
    return "".join(_BARS[(len(_BARS) - 1) * each // most] if each else " " for each in counts)


def _row(each: ActivityDay, figures: Sequence[str]) -> list[str]:
    asked = each.searches or each.recalls
    times = [f"{each.mean_ms:,.1f}", f"{each.max_ms:,.1f}"] if asked else ["", ""]
    return [each.day, *(f"{getattr(each, name):,}" for name in figures), *times]
