"""People talk, and memory listens: what they said, what it means now, and what it meant then."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory, NotFound, Settings
from recollect.domain.answers.recollections import Coverage, Remembered
from tests.inference.making import installed_models
from tests.support.clock import SteadyClock


def said(memory: Memory, text: str, at: str, **where: str) -> Remembered:
    return memory.add(text, at=at, space="alice", **where)  # type: ignore[arg-type]


def answers(memory: Memory, question: str, **how: str) -> list[str]:
    return [hit.text for hit in memory.search(question, space="alice", **how).hits]  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def late_in_the_year(clock: SteadyClock) -> None:
    """Everything in here was said before now."""
    clock.advance(days=300)


@pytest.fixture
def alice(memory: Memory) -> Memory:
    """Somebody who moved to Berlin in March and back to Austin in June."""
    said(memory, "I live in Boston.", "2025-11-02T09:00:00Z")
    said(memory, "I moved to Berlin last week, and my sister Ana still lives in Paris.", "2026-03-09T10:30:00Z")
    said(memory, "We're back in Austin!", "2026-06-01T09:00:00Z")
    return memory


def test_the_newest_address_comes_first(alice: Memory) -> None:
    assert answers(alice, "Where do I live?")[0] == "User lives in Austin."


def test_the_time_in_a_question_chooses_the_answer(alice: Memory) -> None:
    assert answers(alice, "Where did I live in April 2026?")[0] == "User lives in Berlin since 2026-03-02."
    assert answers(alice, "Where did I live?", as_of="2025-12-24")[0] == "User lives in Boston."


def test_every_step_has_its_dates_and_its_quote(alice: Memory) -> None:
    steps = alice.history(subject="user", attribute="location", space="alice").steps
    assert [step.note.value for step in steps] == ["Boston", "Berlin", "Austin"]
    assert [str(step.note.valid_from)[:10] for step in steps] == ["2025-11-02", "2026-03-02", "2026-06-01"]
    assert [str(step.note.valid_until)[:10] for step in steps] == ["2026-03-02", "2026-06-01", "None"]
    assert "I moved to Berlin" in steps[1].note.metadata["said"]["quote"]


def test_what_is_said_of_a_sister_never_closes_ones_own(alice: Memory) -> None:
    assert answers(alice, "Where does Ana live?")[0] == "Ana lives in Paris."
    current = alice.list(subject="user", attribute="location", space="alice").items
    assert [note.value for note in current] == ["Austin"]


def test_what_used_to_be_is_history_and_closes_nothing(alice: Memory) -> None:
    said(alice, "I used to live in NYC.", "2026-06-02T09:00:00Z")
    assert answers(alice, "Where do I live?")[0] == "User lives in Austin."
    steps = alice.history(subject="user", attribute="location", space="alice").steps
    assert "NYC" in [step.note.value for step in steps]


def test_superseded_content_is_not_among_the_answers(alice: Memory) -> None:
    found = answers(alice, "Where do I live? Berlin? Boston?")
    assert not [text for text in found if "Berlin" in text or "Boston" in text]


def test_an_old_fact_nobody_contradicted_still_comes_first(memory: Memory, clock: SteadyClock) -> None:
    clock.advance(days=200)
    said(memory, "I'm allergic to penicillin.", "2025-01-10T09:00:00Z")
    for day in range(1, 25):
        said(memory, f"Went for run number {day} this morning.", f"2026-04-{day:02}T09:00:00Z")
    assert answers(memory, "What am I allergic to?")[0] == "User is allergic to penicillin."


def test_a_message_that_says_nothing_durable_is_kept_word_for_word(memory: Memory) -> None:
    heard = said(memory, "The heron stood by the pond again, just watching.", "2026-01-05T09:00:00Z")
    assert len(heard.observation_ids) == 1
    assert answers(memory, "what about the heron")[0] == "The heron stood by the pond again, just watching."


def test_questions_plans_and_suppositions_are_not_believed(memory: Memory) -> None:
    said(memory, "I live in Austin.", "2026-01-05T09:00:00Z")
    for text in ("Should I move to Lyon?", "Maybe I'll move to Lyon one day.", "If I lived in Lyon I'd cycle more."):
        said(memory, text, "2026-01-06T09:00:00Z")
    current = memory.list(subject="user", attribute="location", space="alice").items
    assert [note.value for note in current] == ["Austin"]


def test_what_memory_said_itself_teaches_it_nothing(alice: Memory) -> None:
    before = alice.describe_space("alice").notes
    facts = "\n".join(f"- {note.text}" for note in alice.list(space="alice").items)
    for _ in range(100):
        said(alice, f"<recollect id='x'>\n{facts}\n</recollect>\nThanks, go on.", "2026-06-03T09:00:00Z")
        for note in alice.list(space="alice").items:
            said(alice, note.text, "2026-06-03T09:00:00Z")
    assert alice.describe_space("alice").notes == before


def test_a_wish_to_have_something_remembered_is_granted(memory: Memory) -> None:
    granted = memory.watch("Please remember that I'm allergic to penicillin", space="alice")
    assert granted is not None
    assert answers(memory, "What am I allergic to?")[0] == "User is allergic to penicillin."
    assert memory.watch("What a lovely day it is.", space="alice") is None


def test_a_wish_that_no_rule_can_read_is_granted_word_for_word(memory: Memory) -> None:
    granted = memory.watch("Please remember that the spare key hangs behind the third flower pot", space="alice")

    assert granted is not None
    note = granted.learned[0].note
    assert note is not None
    assert note.text == "the spare key hangs behind the third flower pot"
    assert note.derived_from == granted.observation_ids
    assert "third flower pot" in answers(memory, "Where is the spare key?")[0]


def test_a_wish_that_no_rule_can_read_can_be_rehearsed(memory: Memory) -> None:
    granted = memory.dry_run().watch("Please remember that the spare key hangs behind the pot", space="alice")

    assert granted is not None
    assert [each.action for each in granted.learned] == ["added"]
    assert "alice" not in [space.name for space in memory.spaces().items]


def test_a_secret_never_reaches_the_store(memory: Memory, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    heard = said(memory, f"My token is {secret}, keep it safe.", "2026-01-05T09:00:00Z")
    assert heard.redacted
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file


def test_forgetting_a_fact_forgets_the_message_it_was_read_from(alice: Memory) -> None:
    [note] = alice.list(subject="person:ana", space="alice").items
    erased = alice.forget(note.id, space="alice")
    assert len(erased.observation_ids) == 1
    assert not [text for text in answers(alice, "Paris") if "Paris" in text]


def test_the_same_request_twice_is_heard_once(memory: Memory) -> None:
    first = memory.add("I live in Oslo.", at="2026-01-05", idempotency_key="turn-1", space="alice")
    again = memory.add("I live in Oslo.", at="2026-01-05", idempotency_key="turn-1", space="alice")
    assert again.observation_ids == first.observation_ids
    assert memory.describe_space("alice").observations == 1


def test_what_is_over_is_no_field_of_a_profile(memory: Memory) -> None:
    said(memory, "I work at Kestrel Media.", "2026-03-01")
    said(memory, "I'm vegetarian.", "2026-03-01")
    said(memory, "I no longer work at Kestrel Media.", "2026-04-01")

    profile = memory.profile(space="alice")
    assert [(field.attribute, field.values) for field in profile.fields] == [("diet", ("vegetarian",))]
    assert "no longer works at Kestrel Media" in profile.prose


def test_a_profile_follows_what_is_true(alice: Memory) -> None:
    fields = {field.attribute: field.values for field in alice.profile(space="alice").fields}
    assert fields["location"] == ("Austin",)


def test_a_person_and_a_thing_are_asked_for_by_name_alone(memory: Memory) -> None:
    said(memory, "My sister Ana lives in Paris. The billing service runs on Postgres.", "2026-03-01")
    profile = memory.profile("Ana", space="alice")
    assert (profile.subject, profile.fields[0].values) == ("person:ana", ("Paris",))
    assert memory.profile("Billing", space="alice").subject == "thing:billing"
    assert memory.history(subject="Ana", attribute="location", space="alice").steps[0].note.value == "Paris"
    assert memory.profile("Ben", space="alice").subject == "Ben"
    memory.save("Ana is a song", subject="Ana", attribute="kind", value="song", space="alice")
    assert memory.profile("Ana", space="alice").subject == "Ana"


def test_what_rests_on_a_fact_is_marked_when_it_changes(memory: Memory) -> None:
    home = memory.save("Alice lives in Austin", space="alice")
    gym = memory.save("Alice's gym is two streets away", depends_on=[home.id], space="alice")
    memory.supersede(home.id, "Alice lives in Boston", space="alice")
    review = memory.get(gym.id, space="alice").review
    assert review is not None and home.id in review


def test_status_says_why_candidates_were_turned_away(alice: Memory) -> None:
    said(alice, "Should I move to Lyon?", "2026-06-05T09:00:00Z")
    summary = alice.describe_space("alice")
    assert summary.verdicts["kept"] >= 4
    assert summary.verdicts["question"] == 1
    assert 0 < summary.junk_rate < 1


def test_a_folder_is_taken_in_once_and_then_only_what_changed(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "deploy.md").write_text("# Deploying\n\nThe storefront is shipped with `make release`.\n")
    (folder / "people.md").write_text("# People\n\nAna looks after the billing service.\n")
    (folder / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")

    first = memory.ingest(str(folder), space="team")
    again = memory.ingest(str(folder), space="team")
    assert (first.read, again.read, again.unchanged) == (2, 0, 2)
    assert [failure.path for failure in first.failures] == ["logo.png"]

    (folder / "deploy.md").write_text("# Deploying\n\nThe storefront is shipped from the pipeline.\n")
    (folder / "people.md").unlink()
    third = memory.ingest(str(folder), space="team")
    assert (third.read, third.gone) == (1, 1)
    found = [hit.text for hit in memory.search("how is the storefront shipped", space="team").hits]
    assert any("pipeline" in text for text in found)
    assert not any("make release" in text or "Ana" in text for text in found)


def test_a_folder_that_is_not_there_is_named(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        memory.ingest(str(tmp_path / "nowhere"), space="team")


def test_messages_and_sessions_travel_with_an_export(alice: Memory) -> None:
    import json

    page = alice.export(space="alice", limit=1000)
    with Memory(store=":memory:", home="unused", embedding="off") as other:
        report = other.import_([json.dumps(record) for record in page.records], trust=True)
        assert report.failures == ()
        theirs = other.export(space="alice", limit=1000)
        assert theirs.records == page.records


def test_who_asks_about_their_sister_is_told_about_their_sister(memory: Memory) -> None:
    memory.add("I live in Austin, and my sister Ana still lives in Paris.", space="alice")

    def first(query: str) -> str:
        return memory.search(query, space="alice").hits[0].text

    assert first("Where does my sister live?") == "Ana lives in Paris."
    assert first("Where do I live?") == "User lives in Austin."
    assert first("Who is my sister?") == "User's sister is Ana."


def test_whoever_a_space_is_called_after_is_no_stranger_in_it(memory: Memory) -> None:
    memory.add("I live in Austin.", space="alice")

    assert memory.search("Where does Alice live?", space="alice").coverage is not Coverage.NONE
    assert memory.search("Where does Bob live?", space="alice").coverage is Coverage.NONE


def test_the_same_in_other_words_is_said_again_and_not_known_twice(memory: Memory) -> None:
    said(memory, "I like mountain hiking.", "2026-03-01")
    [again] = said(memory, "I love mountain hikes.", "2026-03-02").learned
    assert again.action == "reinforced"
    [other] = said(memory, "I love lake cruises.", "2026-03-03").learned
    assert other.action == "added"


def test_a_model_tells_what_is_all_but_the_same_from_what_only_resembles_it(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, store=":memory:", models=installed_models(), embedding="auto")
    with Memory(settings=settings, clock=SteadyClock()) as memory:
        became = {
            text: [each.action for each in memory.add(text).learned]
            for text in (
                "I like long walks on the beach.", "I like long walks at the beach.",
                "I like short answers.", "I like long answers.",
            )
        }  # fmt: skip
    assert list(became.values()) == [["added"], ["reinforced"], ["added"], ["added"]], became


def test_a_message_is_found_by_what_no_note_says_of_it(memory: Memory) -> None:
    message = (
        "My sister Ines called from the airport, she is 31 today. "
        "The plumber has put a Varmo boiler into the cellar and wants to be paid in cash by Friday."
    )
    said(memory, message, "2026-03-01")

    assert answers(memory, "Which boiler did the plumber put into the cellar?")[0] == message
    assert answers(memory, "Who is my sister?")[0] == "User's sister is Ines."


def test_a_message_that_says_no_more_than_its_note_is_not_listed_beside_it(memory: Memory) -> None:
    said(memory, "Hi there, by the way: my sister is called Ines.", "2026-03-01")

    assert answers(memory, "What is my sister called?") == ["User's sister is Ines."]


def test_who_asks_what_somebody_of_theirs_does_is_not_told_who_they_are(memory: Memory) -> None:
    said(memory, "My son Milo is at home with a cold today.", "2026-03-01")
    said(memory, "Milo wants to be paid for mowing the lawn, he says four euros an hour.", "2026-03-02")

    assert "four euros" in answers(memory, "How much does my son want for mowing the lawn?")[0]
    assert answers(memory, "Who is my son?")[0] == "User's son is Milo."


def test_a_manager_who_left_is_the_manager_no_longer(memory: Memory) -> None:
    said(memory, "My manager Kasia brought a cake.", "2026-03-01")
    said(memory, "Kasia left for another company.", "2026-05-01")

    held = memory.list(subject="user", attribute="manager", as_of="2026-06-01", space="alice").items
    assert [note.text for note in held] == ["User's manager is no longer Kasia."]
    held = memory.list(subject="user", attribute="manager", as_of="2026-04-01", space="alice").items
    assert [note.text for note in held] == ["User's manager is Kasia."]


def test_nobody_is_said_to_be_no_longer_what_they_never_were(memory: Memory) -> None:
    said(memory, "Kasia left for another company.", "2026-05-01")

    assert memory.list(space="alice").items == ()


def test_what_is_taken_now_comes_before_what_is_taken_no_longer(memory: Memory) -> None:
    said(memory, "I take ibuprofen for my back.", "2026-03-01")
    said(memory, "I take magnesium before bed.", "2026-03-02")
    said(memory, "I no longer take ibuprofen.", "2026-04-01")

    asked = answers(memory, "Which medication do I take?")
    assert asked[0] == "User takes magnesium."
    assert "no longer takes ibuprofen" in answers(memory, "Do I take ibuprofen?")[0]
