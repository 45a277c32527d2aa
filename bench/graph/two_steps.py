"""`python -m bench.graph.two_steps`: what following relations adds to questions of two and three steps, and to others.

Small worlds are made up: people with a manager, a partner, a sister, a friend, a home and an employer. Questions come
in several wordings each; some are of one step and must lose nothing. Told is how often the note that answers
comes first, and among the first three, with the relations and without.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from time import perf_counter
from unittest.mock import patch

from recollect import Memory
from recollect.recall.chains.entity_steps import Stepped

PEOPLE = ("Alice Ben Carol Dana Emil Farah Gustav Hana Igor Julia Karim Lena Mateo Nadia Oskar Priya Rosa Samir Tilda "
          "Umar Vera Wanda Yusuf Zelda").split()  # fmt: skip
TOWNS = "Oslo Lisbon Turin Gdansk Bergen Porto Leiden Malaga Ghent Split Tartu Cork".split()
FIRMS = "Acme Globex Initech Umbra Vandelay Hooli Stark Wonka Tyrell Cyberdyne Soylent Aperture".split()
RELATIONS = {
    "manager": ("manager", "boss"),
    "partner": ("partner", "husband"),
    "sister": ("sister",),
    "friends": ("friend",),
}
ASKED = {
    "location": (
        "Where does {} live?",
        "In which city is {}?",
        "Which town does {} live in these days?",
        "Do you know where {} is based?",
    ),
    "employer": (
        "Who does {} work for?",
        "Which company does {} work at?",
        "What is the employer of {}?",
        "At what firm is {} employed?",
    ),
}
WHOSE = ("{0}'s {1}", "the {1} of {0}")
WORLDS = 6


def main(arguments: Sequence[str]) -> int:
    """Ask every question with and without the relations; 1 if they lose more than they bring."""
    worlds = int(arguments[0]) if arguments else WORLDS
    scores: dict[tuple[str, bool], list[tuple[int, int, float]]] = defaultdict(list)
    for seed in range(worlds):
        with tempfile.TemporaryDirectory() as folder, Memory(store=":memory:", home=folder, judge="off") as memory:
            facts = told(memory, random.Random(seed))
            for kind, question, answer in questions(facts, random.Random(seed)):
                for follows in (True, False):
                    scores[kind, follows].append(asked(memory, question, answer, follows=follows))
    print(f"{'questions':14}{'':9}{'number':>8}{'first':>8}{'in three':>10}{'ms':>8}")
    for (kind, follows), found in sorted(scores.items()):
        first, three, took = (sum(column) / len(found) for column in zip(*found, strict=True))
        way = "with" if follows else "without"
        print(f"{kind:14}{way:9}{len(found):>8,}{first:>8.2f}{three:>10.2f}{took:>8.1f}")
    gained = sum(each[0] for each in scores["two steps", True]) - sum(each[0] for each in scores["two steps", False])
    lost = sum(each[0] for each in scores["one step", False]) - sum(each[0] for each in scores["one step", True])
    return int(gained <= 0 or lost > 0)


def told(memory: Memory, chance: random.Random) -> dict[tuple[str, str], str]:
    """A world, by whom and what."""
    facts: dict[tuple[str, str], str] = {}
    for who in PEOPLE:
        others = [other for other in PEOPLE if other != who]
        facts |= {(who, relation): chance.choice(others) for relation in RELATIONS}
        facts |= {(who, "location"): chance.choice(TOWNS), (who, "employer"): chance.choice(FIRMS)}
    for (who, attribute), value in facts.items():
        memory.learn(f"person:{who.lower()}", attribute, value)
    return facts


def questions(facts: dict[tuple[str, str], str], chance: random.Random) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Questions with how many steps they take, and whose which attribute answers them."""
    for who in PEOPLE[::3]:
        for attribute, wordings in ASKED.items():
            yield "one step", chance.choice(wordings).format(who), (who, attribute)
            for relation, words in RELATIONS.items():
                person = facts[who, relation]
                named = chance.choice(WHOSE).format(who, chance.choice(words))
                yield "two steps", chance.choice(wordings).format(named), (person, attribute)
            further = facts[facts[who, "manager"], "sister"]
            yield "three steps", chance.choice(wordings).format(f"{who}'s manager's sister"), (further, attribute)


def asked(memory: Memory, question: str, answer: tuple[str, str], *, follows: bool) -> tuple[int, int, float]:
    """Whether the answering note comes first, whether among three, and the milliseconds it took."""
    begun = perf_counter()
    with nullcontext() if follows else patch("recollect.recall.pipeline.stepped", _as_it_is):
        hits = memory.search(question, limit=3)
    took = (perf_counter() - begun) * 1000
    wanted = (f"person:{answer[0].lower()}", answer[1])
    places = [bool(hit.note and (hit.note.subject, hit.note.attribute) == wanted) for hit in hits]
    return int(places[:1] == [True]), int(any(places)), took


def _as_it_is(_index: object, _space: str, text: str, _selection: object) -> Stepped:
    return Stepped(text)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
