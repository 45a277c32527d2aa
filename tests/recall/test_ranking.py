"""Orders that must not change by accident: small talks, and which line of each comes first, on every store."""

from __future__ import annotations

import pytest

from recollect import Memory
from tests.support.clock import SteadyClock

TALK = [
    ("Nina", "Hey Tom! Long time no see, how have you been?"),
    ("Tom", "Hey Nina! Busy weeks. I made ice cream with coconut milk on Sunday."),
    ("Nina", "Oh nice, what did you think of it?"),
    ("Tom", "Super good! It was rich and creamy, might be my new favourite snack."),
    ("Nina", "I joined a pottery class last Tuesday and made two bowls."),
    ("Tom", "Wow Nina, that is great! Pottery is so relaxing."),
    ("Nina", "My sister Eva moved to Porto for her new job at the aquarium."),
    ("Tom", "Porto must be lovely. I am training for a half marathon in autumn."),
]


def _told(memory: Memory, clock: SteadyClock) -> None:
    messages = [{"role": "user", "name": name, "content": text} for name, text in TALK]
    memory.add(messages, at=clock.now(), session="talk", extract=False)


def _first(memory: Memory, query: str) -> str:
    return memory.search(query).hits[0].text


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What did Tom make with coconut milk?", 1),
        ("What did Nina make in her pottery class?", 4),
        ("When did Nina join the pottery class?", 4),
        ("Where did Eva move?", 6),
        ("What is Tom training for?", 7),
    ],
)
def test_the_line_that_answers_comes_first(memory: Memory, clock: SteadyClock, question: str, line: int) -> None:
    _told(memory, clock)
    assert _first(memory, question) == TALK[line][1]


def test_an_answer_without_a_word_of_the_question_is_found_by_what_stands_around_it(
    memory: Memory, clock: SteadyClock
) -> None:
    _told(memory, clock)

    hits = memory.search("What did Tom think of the coconut milk ice cream?").hits

    answer = next(hit for hit in hits[:3] if hit.text == TALK[3][1])
    assert "words around it" in answer.why


def test_what_was_said_on_another_day_of_a_thread_does_not_stand_around_it(memory: Memory, clock: SteadyClock) -> None:
    days = {"2024-03-01": "I made ice cream with coconut milk.", "2024-04-09": "The plumber comes at nine."}
    for day, text in days.items():
        memory.add(text, at=f"{day}T09:00:00Z", session="thread", extract=False)

    hits = memory.search("Who made ice cream with coconut milk?").hits

    assert "words around it" not in {reason for hit in hits if hit.text == days["2024-04-09"] for reason in hit.why}


def test_what_is_told_after_the_time_asked_about_is_not_cut_off(memory: Memory, clock: SteadyClock) -> None:
    memory.add("We climbed the Brocken on Saturday with the whole choir.", at="2024-02-19T09:00:00Z", extract=False)
    memory.add("We climbed the Watzmann with two friends.", at="2023-07-04T09:00:00Z", extract=False)

    assert _first(memory, "What did we climb in February 2024?").startswith("We climbed the Brocken")


def test_something_past_is_found_though_its_note_no_longer_holds(memory: Memory, clock: SteadyClock) -> None:
    said = "I ran a charity race for the hospice last Saturday."
    memory.add(said, at=clock.now())

    assert any("charity race" in hit.text for hit in memory.search("Which race did I run?").hits)


def test_a_standing_wish_is_found_by_a_task_it_applies_to(memory: Memory, clock: SteadyClock) -> None:
    memory.add("Always include version numbers when I ask about libraries.", at=clock.now(), extract=False)
    memory.add("The charts library was slow when we plotted a million points.", at=clock.now(), extract=False)
    memory.add("I had lunch with the charts team.", at=clock.now(), extract=False)

    texts = [hit.text for hit in memory.search("Can you suggest libraries for charts?").hits]

    assert texts[0].startswith("Always include version numbers")


def test_chatter_with_one_word_in_common_stays_below_a_fact(memory: Memory, clock: SteadyClock) -> None:
    memory.add("I report to Bernard.", at=clock.now())
    memory.add("Someone said the need for approval is a need of the young.", at=clock.now())

    assert "Bernard" in _first(memory, "Who is my manager, whom do I ask for approval?")


def test_a_standing_wish_comes_before_what_has_but_a_part_of_the_task(memory: Memory, clock: SteadyClock) -> None:
    memory.add("Always show the units when I want to bake.", at=clock.now(), session="wishes", extract=False)
    memory.add("I am trying to bake barley bread with honey, can you help me with it?", at=clock.now(), extract=False)
    for grain in ("rye", "spelt", "oat"):
        memory.add(f"I am trying to bake {grain} bread, can you help me with it?", at=clock.now(), extract=False)

    texts = [hit.text for hit in memory.search("How do I bake barley bread with honey?").hits]

    assert "barley" in texts[0]
    assert texts[1].startswith("Always show the units")


def test_a_long_message_is_found_without_the_facts_it_mentions_beside(memory: Memory, clock: SteadyClock) -> None:
    said = (
        "I want to fix the leaking radiator valve in the hallway before the winter, and it has to be turned with "
        "an old brass key that nobody can find. I live in Lisbon, by the way, and I work at Norwind, so I can do it "
        "only on a Saturday, when all are away. The plumber said that a new valve costs forty, and that the "
        "water has to be drained first, which takes about an hour and makes quite a mess."
    )
    memory.add(said, at=clock.now())

    hits = memory.search("What is wrong with the radiator valve in the hallway?").hits

    assert hits[0].text == said
    assert "Lisbon" in _first(memory, "Where do I live?")
    assert not [hit for hit in hits[1:] if "found by what was said" in hit.why]


def test_nobody_answers_their_own_question(memory: Memory, clock: SteadyClock) -> None:
    asked = "Which glue holds the soundboard of a guitar?"
    for session, name in (("alone", "Ada"), ("together", "Ben")):
        told = [("Ada", asked), (name, "Hide glue, warmed to sixty degrees.")]
        messages = [{"role": "user", "name": who, "content": text} for who, text in told]
        memory.add(messages, at=clock.now(), session=session, extract=False)

    found = {
        hit.observation.session_id: hit
        for hit in memory.search(asked).hits
        if hit.observation is not None and hit.text.startswith("Hide")
    }

    assert "answers a question like it" in found["together"].why
    assert "answers a question like it" not in found["alone"].why


def test_all_values_are_listed_for_a_broad_question_and_not_for_a_narrow_one(
    memory: Memory, clock: SteadyClock
) -> None:
    for language in ("Danish", "Farsi", "Welsh"):
        memory.add(f"I speak {language}.", at=clock.now(), session=language)

    def beside(query: str) -> set[str]:
        return {reason for hit in memory.search(query).hits for reason in hit.why if reason.startswith("beside")}

    assert len([hit for hit in memory.search("Which languages do I speak?").hits[:3] if "speaks" in hit.text]) == 3
    assert not beside("Why do I speak Welsh with the harbour master of our small town?")


SNIPPETS = [
    "def all_completions(self, text):\n    prefix = text.lower()\n    return [prefix + each for each in self]",
    "def remove_prefix(text, prefix):\n    return text[len(prefix):] if text.startswith(prefix) else text",
    "def with_margin(text, prefix):\n    return prefix + text.replace(' ', prefix)",
    "def exists(path, prefix):\n    return any(name.startswith(prefix) for name in os.listdir(path))",
]


@pytest.mark.parametrize("asked", ["Remove the prefix from a text if it is there", "remove prefix", "remove_prefix"])
def test_a_function_is_found_by_the_words_of_its_name_however_old_it_is(
    memory: Memory, clock: SteadyClock, asked: str
) -> None:
    for number in (1, 0, 2, 3):
        memory.save(SNIPPETS[number])
        clock.advance(days=1)

    assert _first(memory, asked) == SNIPPETS[1]


ADVICE = [
    ("user", "I go to Naples in October with my sister, where should we eat pizza?"),
    ("assistant", "Go to Da Attilio for the star-shaped one; if the queue is long, Carmnella near the station."),
    ("user", "I had pizza at Da Michele last night, it was awful."),
    ("assistant", "Sorry to hear that about your pizza at Da Michele last night!"),
]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("Which pizza place did you recommend?", 1),
        ("What was the place near the station you told me to go to for pizza?", 1),
        ("Where did I have pizza last night?", 2),
    ],
)
def test_an_assistant_answers_for_itself_and_not_for_whoever_asks(
    memory: Memory, clock: SteadyClock, asked: str, line: int
) -> None:
    memory.add([{"role": role, "content": text} for role, text in ADVICE], at=clock.now(), extract=False)

    assert _first(memory, asked) == ADVICE[line][1]


def test_hits_are_listed_in_the_order_of_their_scores(memory: Memory, clock: SteadyClock) -> None:
    memory.add("I have a parrot called Rio.", at=clock.now())
    memory.add("I play the drums in a band called Rio Bravo.", at=clock.now())
    memory.add("I no longer play the drums. I play the oboe and the harp.", at=clock.now())

    for question in ("Which instruments do I play?", "Do I play the drums?", "What is Rio?", "What do I play?"):
        scores = [hit.score for hit in memory.search(question).hits]
        assert scores == sorted(scores, reverse=True)
