"""What a call looks up of what is known is enough to decide as if it had looked at everything."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.domain.notes import Note
from recollect.domain.origin import Authority, Origin
from recollect.domain.periods import Period, Precision
from recollect.domain.readings import Polarity, Statement, Tense
from recollect.domain.scopes import Scope
from recollect.remember.known_facts import FactFinding, FactLine
from recollect.remember.reconcile import reconcile
from recollect.verbs.listening import MOST_MESSAGES
from tests.support.clock import SteadyClock
from tests.support.growth import calls_made

START = datetime(2026, 1, 1, tzinfo=UTC)
PLACES = st.sampled_from(("Boston", "Austin", "Ovalis", "Ovalis GmbH", ""))


@st.composite
def findings(draw: st.DrawFn) -> FactFinding:
    value, many = draw(PLACES), draw(st.booleans())
    polarity = draw(st.sampled_from(Polarity))
    begun = START + timedelta(days=draw(st.integers(0, 9)))
    since = draw(st.sampled_from((None, Period(begun, begun + timedelta(days=1), Precision.DAY))))
    statement = Statement(
        subject="user",
        attribute="location",
        value=value if polarity is not Polarity.AFFIRMED else value or "Paris",
        text=f"User lives in {value}.",
        quote=value,
        many=many,
        polarity=polarity,
        tense=draw(st.sampled_from(Tense)),
        since=since,
        up_to_now=since is not None and draw(st.booleans()),
        corrects=draw(st.booleans()),
        replaces=draw(PLACES) or None,
    )
    return FactFinding(
        statement=statement,
        said_at=START + timedelta(days=draw(st.integers(0, 9))),
        origin=Origin(),
        authority=Authority.FACT,
        source=draw(st.sampled_from(("alice", "bob"))),
        evidence=(f"observation-{draw(st.integers(0, 99))}",),
        scope=Scope(project=draw(st.sampled_from((None, "shop")))),
    )


@settings(max_examples=150)
@given(said=st.lists(findings(), max_size=14))
def test_what_is_looked_up_decides_as_everything_would(said: list[FactFinding]) -> None:
    line, known = FactLine(()), dict[str, Note]()
    for number, finding in enumerate(said):
        at = START + timedelta(days=100, seconds=number)
        few, all_of_them = (
            reconcile(finding, notes, space="default", at=at, new_id=SteadyClock(at.isoformat()).new_id)
            for notes in (line.touched_by(finding), list(known.values()))
        )
        assert few == all_of_them
        for edit in few.edits:
            line.put(edit.note)
            known[edit.note.id] = edit.note


def test_the_work_for_each_message_does_not_grow_with_their_number(memory: Memory) -> None:
    def told(number: int) -> list[dict[str, str]]:
        names = ("".join(chr(97 + ord(digit) - 48) for digit in f"{each:05}") for each in range(number))
        return [
            {"role": "user", "content": text}
            for name in names
            for text in (f"I like {name} tea.", f"I live in {name.title()}ville.", f"The {name} service uses Postgres.")
        ]

    memory.add("I like green tea.", space="warm")
    few = calls_made(lambda: memory.add(told(20), space="few"))
    many = calls_made(lambda: memory.add(told(80), space="many"))
    assert many < 5 * few, "four times as many messages are four times the work"


def test_ten_thousand_messages_are_taken_at_once() -> None:
    assert MOST_MESSAGES >= 10_000
