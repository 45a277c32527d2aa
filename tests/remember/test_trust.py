"""Random lives of a memory, by callers of every rank: the promises about origin and authority hold after each step.

No note leaves current truth, or is changed, because of somebody who ranks lower; a contradiction from below waits in
review; no stored origin names anybody but the caller; nobody gives more authority than they have; and everything made
from what was retracted or forgotten is marked.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory, Note
from recollect.domain.answers.recollections import MassErasure
from recollect.domain.errors import NotFound, RecollectError
from recollect.domain.notes import ONCE_TRUE, State
from recollect.domain.origin import Authority, Caller, Channel, rank
from recollect.domain.selections import Selection
from recollect.domain.trust.authority_table import FOR_ADMINISTRATORS, OUTCOMES, Outcome
from recollect.domain.trust.disputes import dispute_of, is_unsupported
from recollect.domain.values import to_plain
from recollect.operations import Effect, operations_of
from tests.support.clock import SteadyClock

CALLERS = [
    Caller(Channel.LIBRARY, "owner"),
    Caller(Channel.CLI, "owner"),
    Caller(Channel.HOOK, "owner"),
    Caller(Channel.HTTP, "bot"),
    Caller(Channel.HTTP, "root", admin=True),
    Caller(Channel.MCP, "agent"),
]
PLACES = ["Berlin", "Paris", "Rome"]
AUTHORITIES = [None, "quoted", "fact", "instruction"]


@dataclass(frozen=True, slots=True)
class Step:
    """One call: which verb, by whom, on which note, and three numbers to make its arguments of."""

    verb: str
    caller: Caller
    one: int
    other: int


def _on(notes: list[Note], number: int) -> Note:
    return notes[number % len(notes)]


def _said(step: Step) -> str:
    return f"I live in {PLACES[step.other % 3]}."


def _forged(note: Note, step: Step) -> str:
    """A line of a file that claims to be root's word, and perhaps to be the next version of a note that is here."""
    claimed = {**to_plain(note), "type": "note", "text": "Forged", "authority": "instruction", "pinned": True}
    claimed["origin"] = {"channel": "cli", "principal": "root"}
    claimed["recorded_at"] = "2020-01-01T00:00:00+00:00"
    claimed["updated_at"] = "2030-01-01T00:00:00+00:00"
    match step.other % 4:
        case 0:
            claimed["version"] = note.version + 1
        case 1:
            claimed |= {"id": f"{step.one:026d}", "version": 1, "supersedes": [note.id], "derived_from": []}
        case 2:
            claimed |= {"id": f"{step.one:026d}", "version": 1, "supersedes": [], "derived_from": [note.id]}
        case _:
            return json.dumps({"type": "tombstone", "space": note.space, "note_id": note.id})
    return json.dumps(claimed)


VERBS: dict[str, Callable[[Memory, Step, list[Note]], object]] = {
    "save": lambda m, s, n: m.save("Something", authority=AUTHORITIES[s.other % 4]),
    "derive": lambda m, s, n: m.save("Derived", derived_from=[_on(n, s.one).id], depends_on=[_on(n, s.other).id]),
    "update": lambda m, s, n: m.update(_on(n, s.one).id, text=f"Other words {s.other % 3}"),
    "rest": lambda m, s, n: m.update(_on(n, s.one).id, depends_on=[_on(n, s.other).id]),
    "upsert": lambda m, s, n: m.save(f"Words {s.other % 4}", key=PLACES[s.one % 3]),
    "supersede": lambda m, s, n: m.supersede(_on(n, s.one).id, f"Newer words {s.other % 3}"),
    "retract": lambda m, s, n: m.retract(_on(n, s.one).id),
    "feedback": lambda m, s, n: m.feedback(_on(n, s.one).id, ["useful", "wrong", "outdated"][s.other % 3]),
    "pin": lambda m, s, n: m.pin(_on(n, s.one).id),
    "unpin": lambda m, s, n: m.unpin(_on(n, s.one).id),
    "relate": lambda m, s, n: m.relate(_on(n, s.one).id, _on(n, s.other).id),
    "forget": lambda m, s, n: m.forget(_on(n, s.one).id, cascade=bool(s.other % 2)),
    "add": lambda m, s, n: m.add(_said(s)),
    "learn": lambda m, s, n: m.learn("user", "location", PLACES[s.other % 3], corrects=s.one % 4 == 0),
    "deny": lambda m, s, n: m.learn("user", "location", PLACES[s.other % 3], polarity="ended"),
    "watch": lambda m, s, n: m.watch(f"Please remember that {_said(s)}"),
    "observe": lambda m, s, n: m.observe("prompt", text=_said(s), session="one"),
    "lessons.add": lambda m, s, n: m.add_lesson(f"Test before lunch {s.other % 2}"),
    "import": lambda m, s, n: m.import_([_forged(_on(n, s.one), s)]),
    "reject": lambda m, s, n: m.settle(_on(n, s.one).id, "reject"),
    "accept": lambda m, s, n: m.settle(_waiting(n, s.one).id, "accept"),
    "dedup": lambda m, s, n: m.dedup(apply=True),
    "migrate": lambda m, s, n: m.migrate({"global": "p", "p": "global"}, apply=True),
    "backfill-provenance": lambda m, s, n: m.backfill_provenance(apply=True),
    "forget-all": lambda m, s, n: _confirmed(lambda **more: m.forget_all(where={"id": _on(n, s.one).id}, **more)),
    "reset": lambda m, s, n: _confirmed(lambda **more: m.reset(user=PLACES[s.other % 3], **more)),
    "tidy": lambda m, s, n: m.tidy(),
}
_CALLED = {
    "derive": "save",
    "upsert": "save",
    "rest": "update",
    "deny": "learn",
    "reject": "settle",
    "accept": "settle",
}


def _confirmed(erase: Callable[..., MassErasure]) -> object:
    return erase(confirm=erase().confirm)


def _waiting(notes: list[Note], number: int) -> Note:
    """A proposal, if there is one; a note that lost its support is not confirmed here, so that its mark stays."""
    proposals = [note for note in notes if dispute_of(note)]
    others = [note for note in notes if not is_unsupported(note)]
    if not proposals and not others:
        raise NotFound("There is nothing to settle.")
    return _on(proposals or others, number)


STEPS = st.lists(
    st.builds(
        Step, st.sampled_from(sorted(VERBS)), st.sampled_from(CALLERS), st.integers(0, 10_000), st.integers(0, 10_000)
    ),
    max_size=16,
)


@settings(max_examples=20)
@given(STEPS)
def test_no_sequence_of_verbs_breaks_a_promise(steps: list[Step]) -> None:
    with Memory(store=":memory:", home=Path(tempfile.gettempdir()), clock=SteadyClock()) as memory:
        lived(memory, steps)


@pytest.mark.parametrize("seed", range(2))
def test_the_promises_hold_on_every_store(memory: Memory, seed: int) -> None:
    chance = random.Random(seed)
    steps = [
        Step(chance.choice(sorted(VERBS)), chance.choice(CALLERS), chance.randrange(10_000), chance.randrange(10_000))
        for _ in range(60)
    ]
    lived(memory, steps)


def test_every_verb_that_writes_has_its_row_in_the_table() -> None:
    writing = {name for name, each in operations_of(Memory).items() if each.effect is not Effect.READ}
    assert set(OUTCOMES) == writing
    assert set(OUTCOMES) >= FOR_ADMINISTRATORS


def test_the_documentation_shows_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs/security.md").read_text(encoding="utf-8")
    for outcome in Outcome:
        [row] = [line for line in page.splitlines() if line.startswith(f"| {outcome.value} |")]
        shown = {each for part in row.split("|")[2:3] for each in part.replace("`", "").replace(",", " ").split()}
        assert shown == {verb for verb, each in OUTCOMES.items() if each is outcome}, outcome


def lived(memory: Memory, steps: list[Step]) -> None:
    """Carry steps out, and look after each of them."""
    memory.save("Never force-push", authority="instruction")
    memory.learn("user", "location", "Berlin", since="2025-01-01")
    for step in steps:
        if not _all(memory):
            memory.save("Never force-push", authority="instruction")
        before = _all(memory)
        try:
            VERBS[step.verb](memory.acting_as(step.caller), step, list(before.values()))
        except RecollectError:
            assert _all(memory) == before, f"{step}: a refusal writes nothing"
            continue
        after = _all(memory)
        _look_at_the_higher(step, before, after)
        _look_at_origins(step, before, after)
        _look_at_disputes(memory, after)
        _look_at_support(memory, after)


def _all(memory: Memory) -> dict[str, Note]:
    if memory._engine.store.space("default") is None:
        return {}
    found = memory._engine.store.notes("default", Selection(), before=None, limit=1000)
    return {note.id: note for note in sorted(found, key=lambda note: note.id)}


def _given(step: Step) -> int:
    """How far the caller's word goes in this step: a prompt that a hook hands on was typed by a person."""
    word = step.caller.word if step.verb == "observe" else Authority.QUOTED
    said = Authority.FACT if step.verb in ("add", "learn", "deny", "watch", "observe") else Authority.INSTRUCTION
    return max(rank(word), min(rank(step.caller.ceiling), rank(said)))


def _look_at_the_higher(step: Step, before: dict[str, Note], after: dict[str, Note]) -> None:
    if step.caller.admin and _CALLED.get(step.verb, step.verb) in FOR_ADMINISTRATORS:
        return
    for known in before.values():
        if rank(known.authority) > _given(step):
            now = after.get(known.id)
            assert now is not None, step
            kept = ("text", "value", "state", "valid_from", "valid_until", "authority", "pinned", "scope", "supersedes")
            for name in kept:
                assert getattr(now, name) == getattr(known, name), (step, name)
            assert now.confidence >= known.confidence, step


def _look_at_origins(step: Step, before: dict[str, Note], after: dict[str, Note]) -> None:
    for now in after.values():
        known = before.get(now.id)
        if known == now:
            continue
        # Whoever writes other words is named for them; a mark or a link leaves the name of who said them.
        said_anew = known is None or now.words != known.words or now.origin != known.origin
        if said_anew:
            assert now.origin.principal == step.caller.principal, step
            assert now.origin.channel in (step.caller.channel, Channel.IMPORT), step
        highest = max(_given(step), rank(known.authority) if known else 0)
        assert rank(now.authority) <= highest, step


def _look_at_disputes(memory: Memory, after: dict[str, Note]) -> None:
    waiting = {item.path for item in memory.review().items}
    for note in after.values():
        if dispute_of(note) is not None:
            assert note.id in waiting


def _look_at_support(memory: Memory, after: dict[str, Note]) -> None:
    """The slow and obvious way: follow every link of every note."""
    log = memory._engine.log
    gone = {note.id for note in after.values() if note.state is State.RETRACTED}
    resting = {note.id: {*note.derived_from, *note.depends_on} for note in after.values()}
    for sources in resting.values():
        gone |= {each for each in sources if each not in after and log.tombstone("default", each) is not None}
    for note in after.values():
        if note.state not in ONCE_TRUE:
            continue
        reached: set[str] = set()
        wanted = set(resting[note.id])
        while wanted:
            each = wanted.pop()
            if each not in reached:
                reached.add(each)
                wanted |= resting.get(each, set())
        if reached & gone - {note.id}:
            assert is_unsupported(note), note
