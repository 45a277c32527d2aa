"""Notes for people: a list of them, one in full, hits with their reasons, a history as a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect.domain.dataclass import names_of
from recollect.domain.notes import Note, State
from recollect.domain.scopes import SCOPE_FIELDS
from recollect.surfaces.cli.terminal import Terminal, cut, facts, flow, inert, inert_lines, json_text, table, wrap

if TYPE_CHECKING:
    from recollect.domain.answers.recollections import History, Hit, Step
    from recollect.domain.links.statement_link import StatementLink
    from recollect.domain.observations import Observation

_ROOM_FOR_KINDS = 92  # columns; with fewer, the text of a note would have less than 40
_LINES_OF_A_HIT = 3  # of a long note; `get` shows all of it
_UNSAID = ("version", "updated_at", "origin", "retired_at")  # every version has its own; nobody changed them
# What changes when something that is known is said once more.
_SEEN_AGAIN = {"last_seen_at", "confidence", "derived_from", "metadata"}

PINNED = "*"


def note_table(notes: Sequence[Note], terminal: Terminal) -> list[str]:
    """One note a line. The state is told where it is not the usual one, the kind where the text still has room."""
    told: list[tuple[str, Callable[[Note], str]]] = [
        ("id", lambda note: note.id),
        ("kind", lambda note: note.kind.value),
        ("state", lambda note: note.state.value),
        ("since", lambda note: day(note.valid_from)),
        ("text", _label),
    ]
    hidden = {"state"} if all(note.state is State.ACTIVE for note in notes) else set()
    if terminal.width is not None and terminal.width < _ROOM_FOR_KINDS:
        hidden.add("kind")
    shown = [column for column in told if column[0] not in hidden]
    rows = [[spell(note) for _, spell in shown] for note in notes]
    return table([heading for heading, _ in shown], rows, terminal)


def note_card(note: Note, terminal: Terminal) -> Iterator[str]:
    """Everything about one note."""
    if note.title:
        yield terminal.paint(inert(note.title), "bold")
    for line in inert_lines(note.text):
        yield from wrap(line, terminal.width)
    yield ""
    yield from facts(_facts(note), terminal, indent="  ")


def hit_list(hits: Sequence[Hit], terminal: Terminal, *, first: int = 1) -> Iterator[str]:
    """The hits, best first, each with its reasons and a note with the words it was read from; from `first` on."""
    from recollect.recall.evidence.messages import shown_sentence

    wide = len(str(len(hits) + first - 1))
    for rank, hit in enumerate(hits, start=first):
        margin = " " * (wide + 2)
        room = None if terminal.width is None else terminal.width - len(margin)
        found = hit.note or hit.observation
        opening, *more = _beginning(_titled(found) if found else "", room)
        yield f"{terminal.paint(str(rank).rjust(wide), 'cyan')}  {opening}"
        yield from (margin + line for line in more)
        about = [hit.id, *_nature(hit), f"score {hit.score:.2f}", *hit.why, _read_from(hit.evidence)]
        for line in flow([inert(each) for each in about if each], room):
            yield margin + terminal.paint(line, "dim")
        if sentence := shown_sentence(hit):
            yield from (margin + line for line in _beginning(f"“{sentence}”", room))


def history_tree(history: History, terminal: Terminal) -> Iterator[str]:
    """The steps in the order in which they were true, and below each its versions."""
    for step in history.steps:
        last = step is history.steps[-1]
        branch, trunk = ("└─ ", "   ") if last else ("├─ ", "│  ")
        for place, line in enumerate(_step(step, terminal, len(trunk))):
            yield f"{trunk if place else branch}{line}".rstrip()
        if not last:
            yield "│"


def link_lines(links: Sequence[StatementLink], terminal: Terminal) -> Iterator[str]:
    """Which newer record replaces, ends or repeats which older one, as a model judged it."""
    if not links:
        return
    yield ""
    yield terminal.paint("Judged", "bold")
    for link in links:
        refuted = ", refuted" if link.is_refuted else ""
        yield f"  {link.newer} {link.relation.value} {link.older} ({link.score:.2f} by {link.model}{refuted})"
        if link.settled_as is not None:
            yield inert(f"    settled as {link.settled_as.value} by {link.settled_by}: {link.settled_because}")


def period(note: Note, spelled: Callable[[datetime | None], str] | None = None) -> str:
    """When a note was true, as far as it says: to the second, unless spelled otherwise."""
    spelled = spelled or instant
    begin, end = spelled(note.valid_from), spelled(note.valid_until)
    if begin and end:
        return f"{begin} to {end}"
    if end:
        return f"until {end}"
    return f"since {begin}" if begin else ""


def day(moment: datetime | None) -> str:
    """The day of a moment in UTC; nothing for one that is not known."""
    return "" if _unknown(moment) else f"{moment:%Y-%m-%d}"


def instant(moment: datetime | None) -> str:
    """A moment in UTC to the second, a midnight as its day; nothing for one that is not known."""
    if moment is None or _unknown(moment):
        return ""
    moment = moment.astimezone(UTC)
    if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
        return day(moment)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def quoted(text: str, width: int = 60) -> str:
    """The beginning of a text, in a sentence."""
    return f"“{cut(inert(text), width)}”"


def _unknown(moment: datetime | None) -> bool:
    return moment is None or moment.year == 1  # the first year there is stands for: since when is not known


def _label(note: Note) -> str:
    return f"{PINNED} {_titled(note)}" if note.pinned else _titled(note)


def _titled(found: Note | Observation) -> str:
    return f"{found.title}: {found.text}" if found.title else found.text


def _quote(note: Note) -> str:
    """The words a note was read from; nothing for one that was not read from any."""
    said = note.metadata.get("said")
    quote = said.get("quote") if isinstance(said, Mapping) else None
    return quote if isinstance(quote, str) else ""


def _read_from(evidence: Sequence[str]) -> str:
    """Where something was said, newest first; all but the first are only counted."""
    if not evidence:
        return ""
    others = len(evidence) - 1
    return f"from {evidence[0]}" + (f" and {others:,} more" if others else "")


def _facts(note: Note) -> Iterator[tuple[str, str]]:
    from recollect.domain.readings import readers_of
    from recollect.domain.trust.claims import claimed_origin

    yield "id", note.id
    yield "key", note.key or ""
    yield "kind", note.kind.value
    yield "state", f"{note.state.value}, version {note.version}" + (", pinned" if note.pinned else "")
    yield "true", period(note)
    yield "about", ", ".join(filter(None, (note.subject, note.attribute)))
    yield "value", note.value or ""
    yield "said", quoted(_quote(note)) if _quote(note) else ""
    yield "read by", ", ".join(readers_of(note))
    yield "happened", instant(note.occurred_at)
    yield "expires", instant(note.expires_at)
    yield "erased", instant(note.erase_at)
    yield "tags", ", ".join(note.tags)
    for name in SCOPE_FIELDS:
        yield name, getattr(note.scope, name) or ""
    yield "space", note.space
    yield "confidence", "" if note.confidence == 1.0 else f"{note.confidence:g}"
    yield "importance", "" if note.importance == 0.5 else f"{note.importance:g}"
    yield "authority", note.authority.value
    yield "saved", instant(note.recorded_at)
    yield "changed", instant(note.updated_at) if note.version > 1 else ""
    yield "by", _by(note)
    yield "claims", f"to be {claimed}" if (claimed := claimed_origin(note)) else ""
    yield "source", note.origin.source or ""
    yield "supersedes", ", ".join(note.supersedes)
    yield "derived from", ", ".join(note.derived_from)
    yield "rests on", ", ".join(note.depends_on)
    yield "review", note.review or ""
    metadata = {key: value for key, value in note.metadata.items() if key != "said" or not _quote(note)}
    yield "metadata", json_text(metadata) if metadata else ""


def _by(note: Note) -> str:
    return f"{note.origin.principal or 'somebody'}, through {note.origin.channel.value}"


def _nature(hit: Hit) -> list[str]:
    """The kind of a hit, who said it, and when that was true or said."""
    if hit.note is not None:
        return [hit.note.kind.value, period(hit.note, day)]
    if hit.observation is not None:
        said = hit.observation
        by = f"{said.speaker} ({said.role})" if said.speaker and said.role else said.speaker or said.role or ""
        return [said.kind.value, by, day(said.observed_at)]
    return []


def _beginning(text: str, width: int | None) -> list[str]:
    if width is None:
        return [inert(text)]
    lines = list(wrap(cut(inert(text), width * _LINES_OF_A_HIT), width))
    if len(lines) > _LINES_OF_A_HIT:
        lines = [*lines[: _LINES_OF_A_HIT - 1], cut(" ".join(lines[_LINES_OF_A_HIT - 1 :]), width)]
    return lines


def _step(step: Step, terminal: Terminal, margin: int) -> Iterator[str]:
    note = step.note
    ink = "green" if note.state is State.ACTIVE else "yellow"
    yield f"{terminal.paint(note.state.value, ink)}  {period(note)}".rstrip()
    room = None if terminal.width is None else terminal.width - margin
    yield from _beginning(_titled(note), room)
    about = [note.id, quoted(_quote(note)) if _quote(note) else "", _read_from(tuple(reversed(note.derived_from)))]
    for line in flow([inert(each) for each in about if each], room):
        yield terminal.paint(line, "dim")
    before: Note | None = None
    for version in step.versions:
        told = [f"version {version.version}", instant(version.updated_at), _difference(before, version), _by(version)]
        first, *more = flow([inert(each) for each in told], None if room is None else room - 4)
        yield f"  {first}"
        yield from (f"    {line}" for line in more)
        before = version


def _difference(before: Note | None, after: Note) -> str:
    """The change that a version made, in a few words."""
    if before is None:
        return "saved"
    changed = [name for name in names_of(Note) if name not in _UNSAID and getattr(before, name) != getattr(after, name)]
    if "text" in changed:
        return f"text was {quoted(before.text)}"
    if after.state is not before.state:
        return after.state.value
    if "last_seen_at" in changed and set(changed) <= _SEEN_AGAIN:
        return "said again"
    if changed == ["pinned"]:
        return "pinned" if after.pinned else "unpinned"
    return f"changed: {', '.join(changed)}" if changed else "said again"
