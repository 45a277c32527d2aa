"""No sequence of saving, deriving, updating, superseding and importing gives a text more authority than it had."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory, Note
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Authority, Caller, Channel
from recollect.domain.values import to_plain
from tests.support.clock import SteadyClock

LADDER = [Authority.QUOTED, Authority.FACT, Authority.INSTRUCTION]

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["save", "derive", "update", "pin", "supersede", "retract", "import"]),
        st.sampled_from(list(Channel)),
        st.sampled_from([None, "instruction", "fact", "quoted"]),
        st.integers(0, 1_000),
        st.integers(0, 1_000),
    ),
    max_size=25,
)


def _rank(note: Note) -> int:
    return LADDER.index(note.authority)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_whatever_is_done_authority_only_falls(steps: list[tuple[str, Channel, str | None, int, int]]) -> None:
    """Each result is compared with what it was made from, and with what the channel it came through may give."""
    with Memory(store=":memory:", home=Path(tempfile.gettempdir()), clock=SteadyClock()) as memory:
        notes: list[Note] = [memory.save("A rule", authority="instruction")]
        for number, (verb, channel, wish, first, second) in enumerate(steps):
            caller = Caller(channel)
            asked = wish if wish and LADDER.index(Authority(wish)) <= LADDER.index(caller.ceiling) else None
            # As they are now: what is done to one note marks those that are made from it.
            one, other = (memory.get(notes[place % len(notes)].id) for place in (first, second))
            made_from = [one]
            acting = memory.acting_as(caller)
            try:
                match verb:
                    case "save":
                        made_from, note = [], acting.save("Something said", authority=asked)
                    case "derive":
                        made_from = [one, other]
                        note = acting.save("A summary", derived_from=[one.id, other.id], authority=asked)
                    case "update":
                        note = acting.update(one.id, text="Other words", authority=asked)
                    case "pin":
                        note = acting.pin(one.id)
                    case "supersede" if one.state == "active":
                        note = acting.supersede(one.id, "Newer words")
                        notes[first % len(notes)] = memory.get(one.id)
                    case "retract" if one.state == "active":
                        note = acting.retract(one.id)
                    case "import":
                        note = _imported(acting, one, asked, space=f"copy-{number}")
                    case _:
                        continue
            except InvalidInput as refusal:
                assert refusal.code == "authority_too_low"
                assert LADDER.index(caller.ceiling) < _rank(one)
                assert memory.get(one.id) == one
                continue
            assert all(_rank(note) <= _rank(parent) for parent in made_from), verb
            if verb != "retract":  # which adds no words
                assert _rank(note) <= LADDER.index(caller.ceiling), verb
            _remember(notes, note)


def _imported(acting: Memory, note: Note, claimed: str | None, *, space: str) -> Note:
    """The note as it comes into another space, and once more from a line that claims more than it should."""
    record = {**to_plain(note), "type": "note", "authority": claimed or "instruction", "space": space}
    record["origin"] = {"channel": "cli", "principal": "a person"}
    true_authority = {**record, "authority": note.authority.value}
    acting.import_([json.dumps(true_authority)])
    acting.import_([json.dumps(record)])
    return acting.get(note.id, space=space)


def _remember(notes: list[Note], note: Note) -> None:
    """Keep the newest version of each note; what was imported lives in a space of its own."""
    if note.space != notes[0].space:
        return
    places = [place for place, known in enumerate(notes) if known.id == note.id]
    if places:
        notes[places[0]] = note
    else:
        notes.append(note)
