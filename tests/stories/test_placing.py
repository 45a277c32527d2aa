"""Much can be filed only by somebody who knows the speaker: which of two names was the old one, and of what."""

from __future__ import annotations

import pytest

from recollect import Memory
from tests.support.clock import SteadyClock

THEN, LATER, NOW = "2026-01-05T10:00:00Z", "2026-03-05T10:00:00Z", "2026-04-01"
AUTHOR = "The lady amber fan's author is Tom Reed."


@pytest.fixture(autouse=True)
def late_in_the_year(clock: SteadyClock) -> None:
    """Everything in here was said before now."""
    clock.advance(days=300)


def told(memory: Memory, known: str, news: str) -> list[str]:
    """What holds after somebody who had said the one thing said the other."""
    memory.add(known, at=THEN, space="alice")
    memory.add(news, at=LATER, space="alice")
    return [note.text for note in memory.list(as_of=NOW, space="alice").items]


@pytest.mark.parametrize(
    ("known", "news", "holds"),
    [
        (
            "I live in Bristol.",
            "Gave back the keys in Bristol last weekend, so Tampere is home now.",
            "User lives in Tampere.",
        ),
        (
            "My doctor is Dr. Obi.",
            "Had enough of the waiting times at Dr. Obi, I'm registered with Dr. Quist now.",
            "User's doctor is no longer Dr. Obi.",
        ),
        ("My gym is Cantabile.", "Bye Cantabile, hello Vox Humana.", "User trains at Cantabile no longer."),
        (
            "My therapist is Bettina.",
            "I stopped sessions with Bettina and found Yuto, who listens much better.",
            "User's therapist is no longer Bettina.",
        ),
        ("I'm vegan.", "I gave in at last. Not a vegan any more.", "User's diet is no longer vegan."),
        ("My boyfriend is Emre.", "Emre and I split up.", "User's boyfriend is no longer Emre."),
    ],
)
def test_what_is_over_is_ended_and_what_took_its_place_is_not_guessed(
    memory: Memory, known: str, news: str, holds: str
) -> None:
    assert told(memory, known, news) == [holds]


@pytest.mark.parametrize("news", ["Tom Reed died last week.", "Tom Reed retired in February."])
def test_whoever_made_something_stays_its_maker(memory: Memory, news: str) -> None:
    memory.save(AUTHOR, subject="thing:lady amber fan", attribute="author", value="Tom Reed", space="alice")

    memory.add(news, space="alice")

    assert [note.text for note in memory.list(space="alice").items] == [AUTHOR]


def test_what_somebody_else_gave_up_was_theirs(memory: Memory) -> None:
    held = told(memory, "My daughter Tuva plays the violin.", "Tuva gave up the violin.")

    assert "Tuva plays violin no longer." in held
    assert "User's daughter is Tuva." in held


@pytest.mark.parametrize(
    ("known", "holds", "news"),
    [
        ("We use Postgres.", "The project's database is Postgres.", "My colleague uses MySQL."),
        ("We use Postgres.", "The project's database is Postgres.", "My brother dropped Postgres."),
        ("We use Postgres.", "The project's database is Postgres.", "Anna uses MySQL."),
        ("We use Postgres.", "The project's database is Postgres.", "For the sake of argument, we use MySQL."),
        ("We are on Slack.", "The project's chat tool is Slack.", "My mum talks on Zoom."),
        ("We deploy to Heroku.", "The project's deploy target is Heroku.", "We deploy the frontend to Vercel."),
        ("We deploy to Heroku.", "The project's deploy target is Heroku.", "We host the docs on Netlify."),
        ("We use Kafka.", "The project's message queue is Kafka.", "I don't know how to use Kafka."),
        ("I live in Rome.", "User lives in Rome.", "I hate living with you in Berlin."),
        ("I live in Rome.", "User lives in Rome.", "I can't bear living in Rome any more."),
        ("I live in Graz.", "User lives in Graz.", "I moved to the Platform Team."),
        ("I work at Bosch.", "User works at Bosch.", "I'm with Anna since 2019."),
        ("My name is Max.", "User is called Max.", "I'm Chicago born and raised."),
        ("My phone is a Pixel.", "User's phone is Pixel.", "I bought her an iPhone."),
        ("I drive a Corsa.", "User drives Corsa.", "I drive Anna to school every morning."),
        ("I go to Maple School.", "User goes to Maple School.", "I went to Oakwood School to watch the game."),
    ],
)
def test_what_is_of_others_or_not_so_leaves_what_holds_alone(memory: Memory, known: str, holds: str, news: str) -> None:
    assert holds in told(memory, known, news)


def test_what_was_before_is_still_known_with_its_time(memory: Memory) -> None:
    told(memory, "My gym is Cantabile.", "Bye Cantabile, hello Vox Humana.")

    steps = memory.history(subject="user", attribute="gym", space="alice").steps
    assert [step.note.value for step in steps] == ["Cantabile", "Cantabile"]
    assert steps[0].note.valid_until == steps[1].note.valid_from


@pytest.mark.parametrize(
    "news",
    [
        "Yuto and Bettina played four hands now.",  # listed, not exchanged
        "Yuto is so much stricter than Bettina now.",  # compared
        "Maybe Yuto will take over from Bettina.",  # only supposed
        "My sister dropped Bettina, she goes to Yuto now.",  # somebody else's
        "Yuto, Ilona, Bettina and Kwame are all new here now.",  # too many to tell
        "Bettina is ill, so Yuto helped out now.",  # nothing has changed hands
        "Bettina stopped by with Yuto.",
        "Bettina quit smoking.",
        "Bettina no longer eats with Yuto.",
    ],
)
def test_two_names_in_one_sentence_are_not_enough(memory: Memory, news: str) -> None:
    assert "User's therapist is Bettina." in told(memory, "My therapist is Bettina.", news)


def test_who_is_in_another_town_for_a_day_has_not_moved(memory: Memory) -> None:
    assert "User lives in Bristol." in told(memory, "I live in Bristol.", "Bye Bristol, hello Tampere, what a flight.")


def test_what_was_said_a_moment_ago_is_known(memory: Memory) -> None:
    chat = [
        {"role": "user", "content": "My gym is Cantabile.", "at": THEN},
        {"role": "user", "content": "Bye Cantabile, hello Vox Humana.", "at": LATER},
        {"role": "user", "content": "The checkout's error tracker is Sentry.", "at": THEN},
        {"role": "user", "content": "Checkout errors go to Rollbar now.", "at": LATER},
    ]
    memory.add(chat, space="alice")

    held = {note.text for note in memory.list(as_of=NOW, space="alice").items}
    assert held == {"User trains at Cantabile no longer.", "The checkout's monitoring is Rollbar."}


def test_where_several_people_speak_none_of_them_ends_what_the_user_has(memory: Memory) -> None:
    memory.add("My gym is Cantabile.", at=THEN, space="alice")
    memory.add([{"role": "user", "speaker": "Bob", "content": "I quit Cantabile."}], at=LATER, space="alice")

    held = [note.text for note in memory.list(subject="user", as_of=NOW, space="alice").items]
    assert held == ["User trains at Cantabile."]


def test_what_holds_in_another_scope_tells_nothing_in_this_one(memory: Memory) -> None:
    memory.add("My gym is Cantabile.", at=THEN, user="alice", space="gym")
    memory.add("I quit Cantabile.", at=LATER, user="bob", space="gym")
    memory.add("Bye Cantabile, hello Vox Humana.", at=LATER, user="bob", space="gym")

    held = [(note.scope.user, note.text) for note in memory.list(as_of=NOW, attribute="gym", space="gym").items]
    assert held == [("alice", "User trains at Cantabile.")]


@pytest.mark.parametrize("first", ["Bye Cantabile, hello Vox Humana.", "I quit Cantabile.", "I have no gym any more."])
def test_the_first_thing_ever_said_may_be_a_change(memory: Memory, first: str) -> None:
    heard = memory.add(first, at=THEN, space="new")

    assert len(heard.observation_ids) == 1
    assert memory.list(attribute="gym", space="new").items == ()


def test_nothing_is_placed_that_nobody_knows(memory: Memory) -> None:
    assert told(memory, "I like long walks.", "Bye Cantabile, hello Vox Humana.") == ["User likes long walks."]


@pytest.mark.parametrize(
    ("known", "news", "holds"),
    [
        (
            "My gym is Vox Humana.",
            "I quit Vox Humana, no gym for me for the time being.",
            "User trains at Vox Humana no longer.",
        ),
        (
            "I work at Kestrel Media.",
            "Quit Kestrel Media without anything lined up, I don't have an employer right now.",
            "User works at Kestrel Media no longer.",
        ),
        (
            "My dentist is Dr. Figaro.",
            "We moved away, so I have no dentist any more.",
            "User's dentist is no longer Dr. Figaro.",
        ),
        (
            "My landlord is Mr. Ode.",
            "We bought the flat, so I have no landlord now.",
            "User's landlord is no longer Mr. Ode.",
        ),
    ],
)
def test_what_ends_is_what_was_known(memory: Memory, known: str, news: str, holds: str) -> None:
    assert told(memory, known, news) == [holds]


@pytest.mark.parametrize(
    "news",
    [
        "Checkout errors go to Rollbar now.",
    ],
)
def test_a_word_on_a_thing_is_filed_where_that_thing_is_known(memory: Memory, news: str) -> None:
    assert told(memory, "The checkout's error tracker is Sentry.", news) == ["The checkout's monitoring is Rollbar."]


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("The checkout runs on AWS.", "The docs site of the checkout runs on Vercel."),
        ("The checkout runs on AWS.", "The checkout demo runs on Vercel."),
    ],
)
def test_something_of_a_thing_may_be_another_thing(memory: Memory, known: str, other: str) -> None:
    memory.add(known, at=THEN, space="alice")
    [before] = memory.list(as_of=THEN, space="alice").items

    memory.add(other, at=LATER, space="alice")

    assert before.text in [note.text for note in memory.list(as_of=NOW, space="alice").items]


def test_what_was_placed_is_not_passed_over_and_what_was_not_is_named_once(memory: Memory) -> None:
    memory.add("My gym is Cantabile.", at=THEN, space="alice")
    placed = memory.add("Bye Cantabile, hello Vox Humana.", at=LATER, space="alice")
    unknown = memory.add("Bye Slack, hello Zulip.", at=LATER, space="alice")

    assert [each.note.text for each in placed.learned if each.note] == ["User trains at Cantabile no longer."]
    assert placed.passed_over == ()
    assert len(unknown.passed_over) <= 1
