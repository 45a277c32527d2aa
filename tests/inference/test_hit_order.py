"""The net that puts hits in order in view of each other, as it ships."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.errors import Misconfigured
from recollect.domain.links.statement_link import Judgement, Stance, StatementLink, StatementRelation
from recollect.domain.meanings import Listed
from recollect.domain.observations import Observation, ObservationKind
from recollect.inference.choice import choose_reranker
from recollect.inference.hit_order import FILE, HitOrder
from recollect.inference.models import RERANKER, is_installed
from recollect.inference.reranker import OnnxReranker
from recollect.recall.evidence.listing import listed
from recollect.recall.question import understand
from tests.inference.making import ROOT

SHIPPED = ROOT / "weights" / RERANKER.weights
NOW = datetime(2026, 3, 9, tzinfo=UTC)
SCORES, NOTHING = (0.159, -3.712, -3.531, -1.414), 0.4142


@pytest.fixture(scope="module")
def reranker() -> OnnxReranker:
    return OnnxReranker(SHIPPED, "the real one")


def waves(many: int, begin: float) -> list[float]:
    return [math.sin(number * 0.37 + begin) for number in range(many)]


def test_it_computes_what_pytorch_computed_of_the_same_numbers() -> None:
    signs, beside = np.array(waves(4 * 29, 1.0)).reshape(4, 29), np.array(waves(4 * 4 * 7, 2.0)).reshape(4, 4, 7)
    states = np.array(waves(4 * 768, 3.0), "f4").reshape(4, 768)
    hits = [
        Listed("", age, tuple(map(float, signs[place])), tuple(tuple(map(float, row)) for row in beside[place]))
        for place, age in enumerate((10.0, 3.0, 50.0, 7.0))
    ]
    ordered = HitOrder(SHIPPED / FILE).ordered(hits, [1.5, -2.0, 0.25, -4.0], states)

    assert ordered.scores == pytest.approx(SCORES, abs=0.02)  # the file is rounded to 16 bits
    assert ordered.nothing == pytest.approx(NOTHING, abs=0.01)


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("What car do I drive?", "I drive a Fiat Panda.", "We swapped the Panda for a Volvo."),
        ("Where do I live?", "I live in Porto, near the river.", "Moved to Lisbon last week, boxes everywhere."),
        ("Who is our landlord?", "Our landlord is Mr Abara.", "The house was sold; our landlord is Ms Lund now."),
    ],
)
def test_what_replaced_the_first_hit_belongs_above_it(
    reranker: OnnxReranker, question: str, older: str, newer: str
) -> None:
    texts = {older: 300, newer: 20, "Lunch was soup and bread.": 5, "The wind blew the washing off the line.": 90}
    hits = [
        Hit(None, 1.0 - place / 10, (), said(text, NOW - timedelta(days=days)))
        for place, (text, days) in enumerate(texts.items())
    ]
    judged = {text: Judgement(text, 0, "judge", Stance.ASSERTED, 0.97, NOW) for text in texts}
    replaced = StatementLink(older, newer, StatementRelation.REPLACES, 0.6, "judge", NOW)
    asked = understand(question, now=NOW, zone=UTC)
    ordered = reranker.ordered(question, listed(hits, asked, judged, [replaced], at=NOW))

    assert ordered is not None
    assert ordered.scores[1] == max(ordered.scores)


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
