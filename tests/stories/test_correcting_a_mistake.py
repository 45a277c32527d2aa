"""We had misheard: the record was wrong, and the world never changed."""

from __future__ import annotations

import pytest

from recollect import Memory, State
from recollect.domain.errors import Conflict
from tests.support.clock import SteadyClock


def test_a_correction_replaces_what_was_wrong_and_keeps_it_in_the_history(memory: Memory, clock: SteadyClock) -> None:
    misheard = memory.save(
        "Alice's birthday is on 12 May", subject="user", attribute="birthday", value="12 May", valid_from="1990-05-12"
    )
    clock.advance(days=3)
    corrected = memory.update(misheard.id, text="Alice's birthday is on 20 May", value="20 May")

    assert [note.text for note in memory.list(subject="user").items] == ["Alice's birthday is on 20 May"]
    [step] = memory.history(misheard.id).steps
    assert [version.value for version in step.versions] == ["12 May", "20 May"]
    assert (corrected.valid_from, corrected.valid_until) == (misheard.valid_from, misheard.valid_until)


def test_the_past_is_corrected_too_but_not_what_we_believed_then(memory: Memory, clock: SteadyClock) -> None:
    misheard = memory.save("Alice lives in Austin", valid_from="2020-01-01")
    before = clock.advance(days=1)
    clock.advance(days=1)
    memory.update(misheard.id, text="Alice lives in Houston")

    assert memory.get(misheard.id, as_of="2021-01-01").text == "Alice lives in Houston"
    assert memory.get(misheard.id, known_at=before).text == "Alice lives in Austin"
    assert memory.get(misheard.id, as_of="2021-01-01", known_at=before).text == "Alice lives in Austin"


def test_two_people_who_correct_the_same_note_do_not_overwrite_each_other(memory: Memory) -> None:
    note = memory.save("The meeting is on Monday")
    memory.update(note.id, text="The meeting is on Tuesday", expected_version=note.version)

    with pytest.raises(Conflict, match="is at version 2 now; you expected version 1") as refusal:
        memory.update(note.id, text="The meeting is on Friday", expected_version=note.version)

    assert refusal.value.hint == "Read it again, and repeat the change on the version you then see."
    assert memory.get(note.id).text == "The meeting is on Tuesday"


def test_what_was_never_true_is_taken_back(memory: Memory, clock: SteadyClock) -> None:
    joke = memory.save("Alice is allergic to water", valid_from="2020-01-01")
    before = clock.advance(days=1)
    taken_back = memory.retract(joke.id, reason="it was a joke")

    assert memory.list().items == ()
    assert memory.list(as_of="2021-01-01").items == ()
    assert memory.search("allergic").hits == ()
    assert memory.list(state="retracted").items == (taken_back,)
    assert taken_back.metadata["retracted_because"] == "it was a joke"
    assert [note.text for note in memory.list(known_at=before).items] == ["Alice is allergic to water"]
    with pytest.raises(Conflict):
        memory.retract(joke.id)


def test_the_old_words_still_lead_to_the_corrected_note(memory: Memory) -> None:
    note = memory.save("We deploy with make deploy")
    memory.update(note.id, text="We ship with make release")

    [hit] = memory.search("how do we deploy").hits
    assert hit.text == "We ship with make release"
    assert "found by an earlier wording" in hit.why


def test_a_field_can_be_emptied(memory: Memory) -> None:
    note = memory.save("Alice prefers tea", title="Drinks", tags=["drink"], project="storefront")
    bare = memory.update(note.id, clear=["title", "tags", "project"])

    assert (bare.title, bare.tags, bare.scope.project, bare.text) == (None, (), None, "Alice prefers tea")
    assert bare.state is State.ACTIVE
    assert memory.list(tag="drink").items == ()
