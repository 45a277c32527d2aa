"""A hit never loses its sentence: a note comes with the message it was read from, and hides no message."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.domain.answers.receipts import SearchStep
from recollect.domain.answers.recollections import Hit
from recollect.recall.evidence.messages import says_more, sentence_of
from recollect.surfaces.cli.screens.cards import hit_list
from recollect.surfaces.cli.terminal import Terminal
from recollect.surfaces.mcp import compact
from tests.recall.test_fence import records_in
from tests.support.clock import SteadyClock

FILLERS = (
    "The tomatoes on the balcony are finally red.",
    "Traffic on the bridge was terrible today.",
    "We watched a film about deep sea divers.",
    "The printer in the hall is out of paper again.",
    "Somebody left an umbrella in the tram.",
    "The bakery around the corner has new opening hours.",
)


@pytest.fixture(autouse=True)
def late_in_the_year(clock: SteadyClock) -> None:
    """Everything in here was said before now."""
    clock.advance(days=300)


def found(memory: Memory, question: str, **how: str) -> list[Hit]:
    return list(memory.search(question, **how).hits)  # type: ignore[arg-type]


def shown(hit: Hit) -> str:
    return f"{hit.text} {hit.sentence}"


def test_a_note_comes_with_the_sentence_it_was_read_from(memory: Memory) -> None:
    memory.add("I live in Lisbon, right above a bakery.", at="2026-03-01")

    hit = found(memory, "Where do I live?")[0]

    assert (hit.text, hit.sentence) == ("User lives in Lisbon.", "I live in Lisbon, right above a bakery.")
    assert hit.said is not None
    assert (hit.said.id, hit.said.place, str(hit.said.at)[:10]) == (hit.evidence[0], "said", "2026-03-01")


def test_a_message_and_a_saved_note_have_no_sentence_beside_them(memory: Memory) -> None:
    memory.save("The staging server is called Vulcan")
    memory.add("The Varmo boiler hums at night.", at="2026-03-01")

    assert [hit.said for hit in found(memory, "staging server Varmo boiler")] == [None, None]


def test_an_aside_is_found_with_the_note_that_was_read_from_its_message(memory: Memory) -> None:
    memory.add("I live in Lisbon, and the cat is Miso.", at="2026-03-01")

    assert "Miso" in shown(found(memory, "What is the cat called?")[0])


def test_of_several_messages_the_one_that_answers_is_shown_and_the_others_stay_findable(memory: Memory) -> None:
    memory.add("I live in Lisbon, and the cat is Miso.", at="2026-03-01")
    memory.add("I live in Lisbon, near the Tagus ferry.", at="2026-04-01")

    asked = found(memory, "Where in Lisbon is the cat Miso?")

    assert "Miso" in shown(asked[0])
    assert any("ferry" in shown(hit) for hit in asked)


def test_what_a_message_says_beside_a_superseded_fact_is_still_found(memory: Memory) -> None:
    memory.add("I live in Boston, and the cat is Miso.", at="2026-03-01")
    memory.add("I moved to Austin.", at="2026-05-01")

    asked = found(memory, "What is the cat called?")

    assert any("Miso" in shown(hit) for hit in asked)
    assert found(memory, "Where do I live?")[0].text.startswith("User lives in Austin")


def test_a_message_whose_fact_is_over_stands_behind_the_first_few(memory: Memory) -> None:
    memory.add("I live in Boston, and the cat is Miso.", at="2026-03-01")
    for day, text in enumerate(FILLERS, start=2):
        memory.add(f"{text} I live here and now.", at=f"2026-03-{day:02}")
    memory.add("I moved to Austin.", at="2026-05-01")

    asked = [shown(hit) for hit in memory.search("Where do I live?", limit=20).hits]

    assert "Austin" in asked[0]
    assert not any("Boston" in text for text in asked[:5])
    assert any("Boston" in text for text in asked[5:])


def test_a_message_outlives_a_note_that_faded(memory: Memory) -> None:
    heard = memory.add("I live in Lisbon.", at="2026-03-01")
    [note] = [each.note for each in heard.learned if each.note]
    memory.update(note.id, expires_at="2026-04-01")

    assert [hit.text for hit in found(memory, "Where do I live?")] == ["I live in Lisbon."]


def test_an_aside_is_found_beside_a_fact_about_somebody_else(memory: Memory) -> None:
    for day, text in enumerate(FILLERS, start=1):
        memory.add(f"{text} The cat slept.", at=f"2026-02-{day:02}")
    memory.add("My sister Ines lives in Porto, and the cat is Miso.", at="2026-03-01")

    assert "Miso" in shown(found(memory, "What is the cat Miso like?")[0])


def test_a_message_that_its_note_shows_whole_is_not_listed_again_below_it(memory: Memory) -> None:
    message = "My sister is called Ines, and we went to the old harbour together to look for the yellow kayak."
    memory.add(message, at="2026-03-01")

    asked = found(memory, "What is my sister called?")

    assert [hit.text for hit in asked] == ["User's sister is Ines."]
    assert asked[0].sentence == message
    lost = memory.why_not(asked[0].evidence[0], "What is my sister called?")
    assert (lost.step, lost.instead) == (SearchStep.DUPLICATE, asked[0].id)


def test_a_note_of_a_long_message_comes_with_the_words_around_its_quote(memory: Memory) -> None:
    memory.add(" ".join(FILLERS) + " I live in Lisbon, right above a bakery. " + " ".join(FILLERS), at="2026-03-01")

    hit = next(hit for hit in found(memory, "Where do I live?") if hit.note)

    assert "I live in Lisbon, right above a bakery." in hit.sentence
    assert len(hit.sentence) <= 320
    assert hit.sentence.startswith("… ")
    assert hit.sentence.endswith(" …")


def test_a_forgotten_message_leaves_no_sentence_behind(memory: Memory) -> None:
    memory.add("I live in Lisbon, right above a bakery.", at="2026-03-01")
    note = found(memory, "Where do I live?")[0]

    memory.forget(note.evidence[0])

    assert not any("bakery" in shown(hit) for hit in found(memory, "Where do I live?"))


def test_a_block_has_the_sentence_right_behind_its_note(memory: Memory) -> None:
    memory.add("I live in Lisbon, right above a bakery.", at="2026-03-01")
    memory.save("User lives in a country with a coast")

    texts = [record[2] for record in records_in(memory.recall("Where does the user live?").block)]

    place = texts.index("User lives in Lisbon.")
    assert texts[place + 1] == "I live in Lisbon, right above a bakery."


def test_a_sentence_that_says_no_more_than_its_note_takes_no_room_in_a_block(memory: Memory) -> None:
    memory.add("I live in Lisbon.", at="2026-03-01")

    texts = [record[2] for record in records_in(memory.recall("Where do I live?").block)]

    assert texts == ["User lives in Lisbon."]


@pytest.mark.parametrize(
    ("text", "note", "more"),
    [
        ("I live in Lisbon.", "User lives in Lisbon.", False),
        ("I live in Lisbon now, above a bakery.", "User lives in Lisbon.", True),
        ("I do not live in Lisbon.", "User lives in Lisbon.", True),
        ("I live in 3 Lisbon flats.", "User lives in Lisbon flats.", True),
        ("", "User lives in Lisbon.", False),
    ],
)
def test_a_sentence_says_more_by_a_word_a_number_or_a_denial(text: str, note: str, more: bool) -> None:
    assert says_more(text, [note]) is more


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("Short enough.", "Short", "Short enough."),
        ("One one one. Two two two. Three three.", "Two two two.", "… Two two two. …"),
        ("One one one. Two two two. Three three.", "not in it", "One one one. …"),
        ("x" * 40, "", "x" * 18 + " …"),
        ("One. " + "y" * 60 + " end", "y" * 60, "… " + "y" * 16 + " …"),
    ],
)
def test_a_sentence_is_bounded_and_says_where_it_was_cut(text: str, quote: str, expected: str) -> None:
    shortened = sentence_of(text, quote, 20)

    assert shortened == expected
    assert len(shortened) <= 20


def test_what_was_saved_steps_back_only_for_what_supersedes_it(memory: Memory) -> None:
    saved = memory.save("The team deploys to Fly")
    assert saved.id in [hit.id for hit in found(memory, "Where does the team deploy to?")]

    memory.supersede(saved.id, "The team deploys to Render")

    assert saved.id not in [hit.id for hit in found(memory, "Where does the team deploy to?")]


def test_every_door_shows_the_sentence_and_none_shows_it_twice(memory: Memory) -> None:
    memory.add("I live in Lisbon, right above a bakery.", at="2026-03-01")
    memory.add("My sister is Ines.", at="2026-03-02")
    lisbon, ines = (memory.search(query) for query in ("Where do I live?", "Who is my sister?"))
    plain = Terminal()

    assert lisbon.to_dict()["hits"][0]["said"]["text"] == "I live in Lisbon, right above a bakery."
    assert compact.recollection(lisbon)["hits"][0]["said"] == "I live in Lisbon, right above a bakery."
    assert "   “I live in Lisbon, right above a bakery.”" in list(hit_list(lisbon.hits, plain))

    assert ines.to_dict()["hits"][0]["said"]["text"] == "My sister is Ines."
    assert "said" not in compact.recollection(ines)["hits"][0]
    assert not any("“" in line for line in hit_list(ines.hits[:1], plain))
