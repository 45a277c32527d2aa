"""An agent asks before it answers: the right lines come into its prompt, and it can be told why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import InvalidInput, Memory, NotFound
from recollect.domain.answers.receipts import Fate, SearchStep
from recollect.domain.answers.recollections import Coverage
from recollect.language.token_count import count_tokens
from tests.recall.hostile import HOSTILE
from tests.recall.test_fence import records_in
from tests.support.clock import SteadyClock
from tests.support.companion import files_with
from tests.support.raw import rows, store_of

CANARY = "Quetzalcoatlus"


@pytest.fixture
def caroline(memory: Memory, clock: SteadyClock) -> Memory:
    """A conversation, two facts that followed each other, and a rule."""
    clock.advance(days=100)
    turns = [
        ("Mel", "How was your week?"),
        ("Caroline", "I went to the adoption agency on Monday."),
        ("Mel", "What did they tell you there?"),
        ("Caroline", "The interviews take half a year."),
    ]
    messages = [
        {"role": "user", "name": name, "content": said, "at": f"2026-02-02T10:0{minute}:00Z"}
        for minute, (name, said) in enumerate(turns)
    ]
    memory.add(messages, session="monday")
    memory.save("Caroline lives in Austin", valid_from="2024-01-01")
    memory.save("The staging server is called Vulcan", project="storefront")
    return memory


def test_the_block_is_dated_sourced_and_fenced(caroline: Memory) -> None:
    answer = caroline.recall("What did Caroline say about the adoption agency?")
    records = records_in(answer.block)
    assert ["2026-02-02", "said by Caroline", "I went to the adoption agency on Monday."] in records
    assert [line.text for line in answer.lines] == [record[2] for record in records]
    assert count_tokens(answer.block) == answer.tokens <= answer.budget == 1500
    assert (answer.skipped, answer.coverage is Coverage.NONE) == ("", False)


def test_what_was_said_comes_with_the_turn_before_and_after(caroline: Memory) -> None:
    texts = [record[2] for record in records_in(caroline.recall("adoption agency").block)]
    place = texts.index("I went to the adoption agency on Monday.")
    assert texts[place - 1 : place + 2] == ["How was your week?", texts[place], "What did they tell you there?"]


def test_every_answer_has_a_delimiter_of_its_own(caroline: Memory) -> None:
    first, second = caroline.recall("adoption agency").block, caroline.recall("adoption agency").block
    assert first.split("\n")[0] != second.split("\n")[0]
    assert first.split("\n")[1:-1] == second.split("\n")[1:-1]


def test_when_nothing_is_known_nothing_is_put_into_the_prompt(caroline: Memory) -> None:
    answer = caroline.recall("Which vaccine did Gertrude's parrot get?")
    assert (answer.block, answer.lines, answer.tokens) == ("", (), 0)
    assert answer.coverage is Coverage.NONE
    assert answer.skipped.startswith("Nothing is known")


def test_what_was_said_later_stays_out_of_an_answer_about_then(caroline: Memory) -> None:
    then = caroline.recall("adoption agency", as_of="2026-02-02T10:01:30Z")
    texts = [line.text for line in then.lines]
    assert "I went to the adoption agency on Monday." in texts
    assert "What did they tell you there?" not in texts


@pytest.mark.parametrize(
    "query",
    ["🙂", "OR AND NEAR(", '"', "שלום", "東京", "a" * 100_000, "What? " * 5_000, "\u202e", "'; DROP TABLE note;--"],
)
def test_any_question_gets_an_answer(caroline: Memory, query: str) -> None:
    answer = caroline.recall(query)
    assert answer.tokens <= answer.budget
    assert caroline.why_not(caroline.list().items[0].id, query).reason


@pytest.mark.parametrize(
    ("budget", "code"), [(10, "budget_too_small"), (0, "budget_too_small"), (10**9, "invalid_number")]
)
def test_a_budget_that_cannot_be_kept_is_refused(memory: Memory, budget: int, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.recall("anything", budget=budget)
    assert refused.value.code == code


def test_hostile_notes_stay_inside_the_fence(memory: Memory) -> None:
    kept = 0
    for number, text in enumerate(HOSTILE.values()):
        try:
            memory.save(f"The gate {number} is open. {text}", source="gate", tags=["gate"])
            kept += 1
        except InvalidInput:  # control characters are refused at the door already
            continue
    answer = memory.recall("Which gate is open?", budget=100_000, limit=1000)
    assert kept > 200
    assert [record[2] for record in records_in(answer.block)] == [line.text for line in answer.lines]
    assert len(answer.lines) > 30


def test_memory_does_not_feed_on_what_it_recalled(caroline: Memory) -> None:
    caroline.add("I live in Berlin and my name is Ana.", at="2026-03-01T10:00:00Z")
    block = caroline.recall("Where do I live and what is my name?").block
    assert "Berlin" in block
    before = caroline.status().notes
    for number in range(100):
        learned = caroline.add(f"{block}\n\nThanks, number {number}", at="2026-03-02T10:00:00Z").learned
        assert learned == ()
    assert caroline.status().notes == before


# -- why ---------------------------------------------------------------------------------------------------------------


def test_a_receipt_says_what_was_asked_and_what_became_of_each(caroline: Memory) -> None:
    answer = caroline.recall("What did Caroline say about the adoption agency?", limit=1, project=None)
    assert answer.receipt is not None
    why = caroline.why(answer.receipt)
    assert why.receipt.query == answer.query
    assert why.receipt.asked == {"limit": 1, "budget": 1500}
    assert why.receipt.tokens == answer.tokens
    assert {"understand", "gather", "rank", "cover", "pack"} <= set(why.receipt.took)
    assert [each.text for each in why.answered] == [line.text for line in answer.lines if not line.beside]
    assert [found.fate for found in why.receipt.found][:2] == [Fate.SHOWN, Fate.LIMIT]
    assert why.receipt.found[0].signals["words"] > 0.5
    assert why.receipt.candidates >= len(why.receipt.found)
    assert why.same


def test_a_past_answer_is_replayed_with_memory_as_it_was(caroline: Memory) -> None:
    [austin] = [hit.note for hit in caroline.search("Where does Caroline live?").hits if hit.note][:1]
    assert austin is not None
    receipt = caroline.recall("Where does Caroline live?").receipt
    assert receipt is not None
    boston = caroline.supersede(austin.id, "Caroline lives in Boston")
    caroline.save("Caroline lives in a house in Boston")

    why = caroline.why(receipt)
    assert why.answered[0].text == "Caroline lives in Austin"
    assert why.again[0].id == austin.id
    assert boston.id not in [hit.id for hit in why.again]
    assert why.same


def test_a_receipt_that_is_not_there_is_told_so(memory: Memory) -> None:
    with pytest.raises(NotFound) as refused:
        memory.why("01JB0000000000000000000000")
    assert refused.value.code == "receipt_not_found"
    with pytest.raises(InvalidInput) as malformed:
        memory.why("nonsense")
    assert malformed.value.code == "invalid_id"


def test_secrets_in_a_question_are_not_kept(caroline: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    answer = caroline.recall(f"Is {secret} the token of the adoption agency?")
    assert secret not in repr(rows(store_of(caroline), "SELECT * FROM receipt"))
    assert answer.receipt is not None
    assert "[redacted:" in str(caroline.why(answer.receipt).receipt.query)


def test_a_plain_search_leaves_no_receipt_and_an_explained_one_does(caroline: Memory) -> None:
    caroline.search("adoption agency")
    assert rows(store_of(caroline), "SELECT * FROM receipt") == []
    found = caroline.search("adoption agency", explain=True)
    assert found.receipt is not None
    assert caroline.why(found.receipt).receipt.verb == "search"
    assert [each.id for each in found.explained] == [hit.id for hit in found.hits]
    assert found.explained[0].signals["words"] == 1.0
    assert [turn.place for turn in found.explained[0].evidence] == ["before", "said", "after"]


def test_a_dry_run_leaves_no_receipt(caroline: Memory) -> None:
    assert caroline.dry_run().recall("adoption agency").receipt is None
    assert rows(store_of(caroline), "SELECT * FROM receipt") == []


def test_forgetting_leaves_no_trace_in_receipts(tmp_path: Path) -> None:
    with Memory(home=tmp_path / "home") as memory:
        note = memory.save(f"The {CANARY} is kept in the barn", subject=CANARY, tags=[CANARY])
        other = memory.save("The barn is red")
        answer = memory.recall(f"Where is the {CANARY}?", subject=CANARY)
        memory.search(f"{CANARY} barn", tag=CANARY, explain=True)
        assert answer.receipt is not None
        assert json.dumps(memory.why(answer.receipt).receipt.asked) != "{}"

        memory.forget(note.id)

        assert files_with(tmp_path, CANARY) == []
        why = memory.why(answer.receipt)
        assert (why.receipt.query, why.receipt.asked, why.again, why.same) == (None, {}, (), False)
        assert [(each.text, each.gone) for each in why.answered] == [("", "It was forgotten since.")]
        assert [hit.id for hit in memory.search("barn").hits] == [other.id]


# -- why not -----------------------------------------------------------------------------------------------------------


def test_every_way_to_be_lost_is_told_apart(caroline: Memory) -> None:
    def step(note_id: str, query: str, **how: object) -> SearchStep:
        return caroline.why_not(note_id, query, **how).step  # type: ignore[arg-type]

    austin = next(note for note in caroline.list().items if note.text == "Caroline lives in Austin")
    vulcan = next(note for note in caroline.list().items if "Vulcan" in note.text)
    assert step(austin.id, "Where does Caroline live?") is SearchStep.NOT_LOST
    assert step(vulcan.id, "Where does Caroline live?") is SearchStep.NOT_FOUND
    assert step(vulcan.id, "staging server", project="backoffice") is SearchStep.OUT_OF_SCOPE
    assert step(austin.id, "Where does Caroline live?", as_of="2023-05-01") is SearchStep.NOT_VALID_THEN

    boston = caroline.supersede(austin.id, "Caroline lives in Boston")
    lost = caroline.why_not(austin.id, "Where does Caroline live?")
    assert (lost.step, lost.instead) == (SearchStep.SUPERSEDED, boston.id)

    other = caroline.save("Caroline Smith lives here, says Caroline, who lives here")
    places = [hit.id for hit in caroline.search("Caroline lives").hits]
    below = caroline.why_not(places[1], "Caroline lives", limit=1)
    assert (below.step, below.place) == (SearchStep.BELOW_LIMIT, 2)
    assert {boston.id, other.id} <= set(places)

    twin = caroline.save("The staging server is called Vulcan!", project="storefront")
    collapsed = {step(twin.id, "staging server Vulcan"), step(vulcan.id, "staging server Vulcan")}
    assert collapsed == {SearchStep.NOT_LOST, SearchStep.DUPLICATE}

    long = [caroline.save(f"Shelf {number} in the archive holds: " + f"item {number}, " * 80) for number in range(4)]
    cut = {step(note.id, "Which shelf in the archive holds what?", budget=200) for note in long}
    assert SearchStep.BUDGET in cut

    caroline.retract(twin.id)
    assert step(twin.id, "staging server Vulcan") is SearchStep.NOT_VALID_THEN
    caroline.forget(twin.id)
    assert step(twin.id, "staging server Vulcan") is SearchStep.ERASED
    assert step("01JB0000000000000000000000", "staging server") is SearchStep.NOT_HERE


def test_a_note_of_another_space_is_not_here(memory: Memory) -> None:
    note = memory.save("The code is 4711", space="bob")
    memory.save("Something", space="alice")
    assert memory.why_not(note.id, "What is the code?", space="alice").step is SearchStep.NOT_HERE


def test_what_is_unlike_the_question_counts_as_nothing_known(memory: Memory) -> None:
    note = memory.save("The parrot is in the kitchen")
    lost = memory.why_not(note.id, "Which vaccine did doctor Gertrude give to a parrot?")
    assert lost.step is SearchStep.NOTHING_KNOWN
    assert lost.signals["words"] > 0


def test_a_question_to_one_session_is_answered_from_it_alone(memory: Memory) -> None:
    for day in range(100):  # more than are looked at, and all of them newer and with the very word
        memory.add(f"The fence, the fence, number {day}.", session="every day")
    memory.add("I think the fence is green.", session="monday")
    memory.save("The fence belongs to the neighbours", session="monday")
    memory.save("The fence is new", session="every day")

    answer = memory.search("fence", session="monday")
    assert {hit.text for hit in answer.hits} >= {"I think the fence is green.", "The fence belongs to the neighbours"}
    assert {hit.note.scope.session if hit.note else hit.observation.session_id for hit in answer.hits} == {"monday"}  # type: ignore[union-attr]
    assert memory.search("fence", session="no such day").hits == ()


def test_a_long_session_is_searched_to_its_end(memory: Memory) -> None:
    said = [{"role": "user", "content": f"Step {number} went well."} for number in range(1000)]
    memory.add(said, session="long")
    memory.add("The bridge was painted crimson.", session="long")
    assert memory.search("crimson bridge", session="long").hits[0].text == "The bridge was painted crimson."


def test_what_a_session_was_told_later_is_not_in_a_past_answer(caroline: Memory, clock: SteadyClock) -> None:
    receipt = caroline.recall("What about the interviews?", session="monday").receipt
    assert receipt is not None
    clock.advance(days=1)
    caroline.add("The interviews were cancelled.", session="monday", at="2026-02-02T10:05:00Z")
    replayed = caroline.why(receipt)
    assert "The interviews were cancelled." not in [hit.text for hit in replayed.again]
    assert replayed.same
