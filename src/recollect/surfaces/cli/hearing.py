"""Reports on what was heard: what was learned from it and why, what was passed over, what was taken out; profiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from recollect.domain.recollections import Ingested, Learned, PassedOver, Profile, Remembered
from recollect.surfaces.cli.cards import PINNED, day, quoted
from recollect.surfaces.cli.tables import table
from recollect.surfaces.cli.terminal import Terminal, cut, flow, inert, pad, width_of, wrap

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
    kept = f"{count:,} {'message was' if count == 1 else 'messages were'} kept word for word"
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
    parts = ["No file was new or changed"]
    if ingested.read:
        read = f"{_counted(ingested.read, 'file')} would be" if rehearsed else _files(ingested.read)
        parts = [f"{read} read into {_counted(ingested.passages, 'passage')}"]
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
        yield f"{_files(len(ingested.failures))} not read."


def ingested_asides(ingested: Ingested) -> Iterator[str]:
    """How fast it went."""
    if ingested.read and ingested.seconds:
        pace = ingested.passages / ingested.seconds
        yield f"It took {ingested.seconds:,.1f} s: {pace:,.0f} passages a second."


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


def _files(count: int) -> str:
    return f"{count:,} {'file was' if count == 1 else 'files were'}"


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
