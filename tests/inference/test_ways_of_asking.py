"""What a question means without naming it: from the questions that are written down, and their vectors."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from recollect import Memory
from recollect.attributes.catalogue import catalogue
from recollect.inference.encoder import OnnxEmbedder
from recollect.inference.ways_of_asking import WaysOfAsking, main, read_vectors, ways_of_asking, written
from recollect.settings import Settings
from tests.inference.making import installed_models

TOLD = [
    "I am vegetarian.", "I live in Ghent.", "My manager is Elin.", "I work at Lumen.", "We have a dog named Bruno.",
    "I'm allergic to penicillin.", "I drive a Volvo.", "The sourdough came out flat.", "I go to the gym on Mondays.",
]  # fmt: skip


def test_every_written_question_means_an_attribute_of_the_catalogue_and_only_one() -> None:
    found = list(written())
    together = [attribute for attribute, _ in groupby(found, key=lambda each: each[0])]
    assert together == list(dict.fromkeys(together)), "those of one attribute stand together"
    assert set(together) <= {attribute.name for attribute in catalogue()}
    assert len({question for _, question in found}) == len(found)


def test_the_vectors_that_come_along_are_those_of_the_written_questions(embedder: OnnxEmbedder) -> None:
    found, rows = list(written()), read_vectors(embedder.model_id, embedder.dimension)
    assert len(rows) == len(found)
    for place in range(0, len(found), 97):
        likeness = rows @ np.frombuffer(embedder.query(found[place][1]), dtype="<f4")
        # An int8 model rounds in another way on another processor, by less than questions differ.
        assert int(likeness.argmax()) == place, found[place]
        assert float(likeness[place]) > 0.99, found[place]


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("Who gets a bowl of kibble from me every evening?", "pets"),
        ("Who has to agree before I take a week of vacation?", "manager"),
        ("Where should a courier bring my parcels?", "address"),
        ("What am I paid for a year of work?", "salary"),
    ],
)
def test_what_is_meant_is_found_in_other_words(embedder: OnnxEmbedder, question: str, attribute: str) -> None:
    meant = WaysOfAsking(embedder).meant_by(question)
    assert max(meant, key=lambda each: meant[each]) == attribute
    assert all(0 < share <= 1 for share in meant.values())


def test_a_question_that_comes_again_means_the_same(embedder: OnnxEmbedder) -> None:
    question, ways = "Who gets a bowl of kibble from me every evening?", WaysOfAsking(embedder)
    first = ways.meant_by(question)
    again = ways.meant_by(question)
    again.clear()  # an answer belongs to whoever asked

    assert ways.meant_by(question) == first == WaysOfAsking(embedder).meant_by(question) != {}
    assert ways.meant_by("What am I paid for a year of work?") != first


def test_what_asks_for_no_attribute_means_none_surely(embedder: OnnxEmbedder) -> None:
    assert all(share < 0.5 for share in WaysOfAsking(embedder).meant_by("def main(): return 42").values())


def test_vectors_of_one_model_say_nothing_to_another() -> None:
    class Other:
        model_id, dimension = "another/384/0", 384

    assert ways_of_asking(None) is None
    assert ways_of_asking(Other()) is None  # type: ignore[arg-type]  # only its name is looked at


def test_a_fact_answers_who_asks_for_it_in_other_words(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, store=":memory:", models=installed_models(), embedding="auto")
    with Memory(settings=settings) as memory:
        for day, text in enumerate(TOLD, 1):
            memory.add(text, at=f"2026-01-0{day}T10:00:00Z")

        assert memory.search("Whom do I ask for a raise?").hits[0].text == "User's manager is Elin."


def test_without_the_model_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="encoder"):
        main([str(tmp_path)])
