"""The net that puts hits in order in view of each other, as it ships."""

from __future__ import annotations

import math
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from recollect import Memory, Settings
from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.errors import Misconfigured
from recollect.domain.meanings import Listed
from recollect.domain.observations import Observation, ObservationKind
from recollect.inference.choice import choose_reranker
from recollect.inference.hit_order import FILE, SORTS, HitOrder, led
from recollect.inference.models import RERANKER, is_installed
from recollect.inference.reranker import OnnxReranker
from recollect.recall.evidence.listing import listed
from recollect.recall.question import understand
from tests.inference.making import ROOT, installed_models

SHIPPED = ROOT / "weights" / RERANKER.weights
NOW = datetime(2026, 3, 9, tzinfo=UTC)
SCORES = {  # of four hits, and of "none of them"
    "first": (-4.633, -4.124, 0.051, 0.158, 1.833),
    "behind": (-4.195, -3.932, 0.224, 0.235, 2.007),
    "several": (-5.043, -4.347, -0.167, 0.107, 1.892),
}


@pytest.fixture(scope="module")
def reranker() -> OnnxReranker:
    return OnnxReranker(SHIPPED, "the real one")


def waves(many: int, begin: float) -> list[float]:
    return [math.sin(number * 0.37 + begin) for number in range(many)]


@pytest.mark.parametrize("sort", SORTS)
def test_it_computes_what_pytorch_computed_of_the_same_numbers(sort: str) -> None:
    signs, beside = np.array(waves(4 * 33, 1.0)).reshape(4, 33), np.array(waves(4 * 4 * 7, 2.0)).reshape(4, 4, 7)
    states = np.array(waves(4 * 768, 3.0), "f4").reshape(4, 768)
    scores = HitOrder(SHIPPED / FILE).scores(signs, beside, states, sort)

    assert scores.tolist() == pytest.approx(SCORES[sort], abs=0.02)  # the file is rounded to 16 bits


def test_the_first_hit_is_chosen_by_some_nets_and_the_others_are_put_in_order_by_more_careful_ones() -> None:
    assert led(np.array([1.0, 3.0, 2.5]), np.array([4.0, 0.0, 2.0])).tolist() == pytest.approx([2.95, 3.45, 2.175])
    assert led(np.array([1.0]), np.array([4.0])).tolist() == pytest.approx([2.95])


CHATTER = (
    "Lunch was soup and bread.", "The wind blew the washing off the line.", "Can you draft a reply to the plumber?",
    "The concert was sold out.", "Choir is moved to the gym this week.", "My knee hurts again after the stairs.",
    "The library wants its atlas.", "Bought a new kettle, the old one leaked.", "Rain all week, the cellar smells.",
    "I should call my aunt on Sunday.", "The bakery was closed for the holiday.", "We watched a film about bees.",
    "The printer refuses to find the network.", "My brother passed his exam.", "There is a hole in my left glove.",
    "The tulips are coming up early.", "Dinner with the neighbours was lovely.", "The tram was late twice today.",
    "I read half of the novel on the train.", "Set a timer for the eggs.", "Our gate squeaks.", "The cat has fleas.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("What car do I drive?", "I drive a Fiat Panda.", "We swapped the Panda for a Volvo."),
        ("Where do I live?", "I live in Porto, near the river.", "Moved to Lisbon last week, boxes everywhere."),
        ("Who is our landlord?", "Our landlord is Mr Abara.", "The house was sold; our landlord is Ms Lund now."),
        (
            "The school form has a box for whoever does my fillings, so which name goes in there?",
            "I see Dr Hale about my teeth.",
            "Dr Hale retired, so Dr Osei does my fillings from now on.",
        ),
    ],
)
def test_what_replaced_a_message_is_first_and_the_message_is_not_among_the_first_five(
    question: str, older: str, newer: str
) -> None:
    told = {older: 300, **{text: 280 - 9 * place for place, text in enumerate(CHATTER)}, newer: 20}
    given = Settings(
        home=Path("/nonexistent"), store=":memory:", space="alice", principal="alice", models=installed_models()
    )
    with closing(Memory(settings=given)) as memory:
        said = {
            observation: text
            for text, days in told.items()
            for observation in memory.add(text, at=NOW - timedelta(days=days)).observation_ids
        }
        found = [said[hit.evidence[0] if hit.evidence else hit.id] for hit in memory.search(question, limit=5).hits]

    assert found[0] == newer
    assert older not in found


def test_hits_that_were_not_compared_word_by_word_are_ordered_too(reranker: OnnxReranker) -> None:
    older, newer = "I drive a Fiat Panda.", "We swapped the Panda for a Volvo."
    days = {older: 300, newer: 20, "Lunch was soup and bread.": 5}
    asked = understand("What car do I drive?", now=NOW, zone=UTC)

    def scores(closeness: float) -> tuple[float, ...]:
        hits = [
            replace(Hit(None, 1.0, (), said(text, NOW - timedelta(days=ago))), closeness=closeness)
            for text, ago in days.items()
        ]
        ordered = reranker.ordered("What car do I drive?", listed(hits, asked, {}, [], at=NOW))
        assert ordered is not None
        return ordered.scores

    assert all(map(math.isfinite, scores(0.0)))
    assert scores(0.0).index(max(scores(0.0))) == scores(0.5).index(max(scores(0.5)))


def test_a_folder_without_it_orders_nothing(tmp_path: Path) -> None:
    linked(tmp_path)
    assert OnnxReranker(tmp_path, "without").ordered("where?", [Listed("here", 1.0, (), ())]) is None


@pytest.mark.parametrize("kept", [0, 10, 100_000, "no numbers"])
def test_a_damaged_file_is_named(tmp_path: Path, kept: int | str) -> None:
    linked(tmp_path)
    whole = (SHIPPED / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole[:kept] if isinstance(kept, int) else kept.encode())
    with pytest.raises(Misconfigured, match=FILE):
        OnnxReranker(tmp_path, "damaged").ordered("where?", [Listed("here", 1.0, (), ())])


def test_an_installation_from_before_goes_on_without_it(tmp_path: Path) -> None:
    (tmp_path / RERANKER.name).mkdir()
    linked(tmp_path / RERANKER.name)
    assert not is_installed(RERANKER, tmp_path)
    assert choose_reranker("auto", tmp_path) is not None


def test_nets_that_were_taught_other_signs_order_nothing(tmp_path: Path) -> None:
    linked(tmp_path)
    with np.load(SHIPPED / FILE) as stored:
        arrays = {name: stored[name] for name in stored.files}
    np.savez(tmp_path / FILE, **{name: each[:-2] if name.endswith("/mean") else each for name, each in arrays.items()})
    assert OnnxReranker(tmp_path, "of before").ordered("where?", [Listed("here", 1.0, (), ())]) is None


def test_a_file_without_nets_orders_nothing(tmp_path: Path) -> None:
    linked(tmp_path)
    np.savez(tmp_path / FILE)
    assert OnnxReranker(tmp_path, "empty").ordered("where?", [Listed("here", 1.0, (), ())]) is None


def said(text: str, at: datetime) -> Observation:
    return Observation(text, "alice", "session", 1, ObservationKind.MESSAGE, text, at, at, role="user")


def linked(folder: Path) -> None:
    """The files of the model that ships, without the net."""
    for file in SHIPPED.iterdir():
        if file.name != FILE:
            (folder / file.name).symlink_to(file)
