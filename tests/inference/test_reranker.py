"""The model that reads a question and a text side by side: chosen by a setting, and as it ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured
from recollect.inference.choice import choose_reranker
from recollect.inference.models import RERANKER, verify
from recollect.inference.reranker import CARD, OnnxReranker
from recollect.recall.weights import WEIGHTS
from tests.inference.making import FILES, ROOT, a_folder


@pytest.fixture(scope="module")
def reranker() -> OnnxReranker:
    return OnnxReranker(ROOT / "weights" / RERANKER.weights, "the real one")


def test_there_is_none_unless_one_is_installed_or_named(tmp_path: Path) -> None:
    assert choose_reranker("auto", tmp_path) is None
    assert choose_reranker("off", tmp_path) is None
    with pytest.raises(Misconfigured, match="without"):
        choose_reranker(str(tmp_path), tmp_path)
    with pytest.raises(Misconfigured, match="reranker"):
        Memory(home=tmp_path, reranker=str(tmp_path / "nowhere"))


def test_one_of_other_files_has_another_name(tmp_path: Path) -> None:
    one, other = a_folder(tmp_path / "one"), a_folder(tmp_path / "other", {**FILES, CARD: b"{}"})
    names = [found.model_id for each in (one, other) if (found := choose_reranker(str(each), tmp_path)) is not None]
    assert len(set(names)) == 2


def test_the_files_that_ship_are_those_that_are_known() -> None:
    verify(RERANKER, ROOT / "weights" / RERANKER.weights)


def test_it_tells_an_answer_from_what_only_has_the_same_words(reranker: OnnxReranker) -> None:
    question = "where do I work?"
    answer, other = reranker.answers(
        question, ["I bake at Osman's on Mill Road since Monday.", "The wind blew the washing off the line."]
    )
    assert answer is not None
    assert other is not None
    assert answer > WEIGHTS.coverage.answered > other


def test_the_same_two_give_the_same_number_and_a_page_none(reranker: OnnxReranker) -> None:
    question, text = "where do I work?", "I work at the bakery."
    first = reranker.answers(question, [text])
    assert reranker.answers(question, ["something else", text])[1:] == first
    assert reranker.answers(question, [text * 60]) == [None]
    assert reranker.answers("where " * 500, [text]) == [None]


def test_the_same_two_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = OnnxReranker(ROOT / "weights" / RERANKER.weights, "the real one")
    first = reranker.answers("where do I work?", ["I work at the bakery."])
    monkeypatch.setattr(reranker, "_made", None)
    assert reranker.answers("where do I work?", ["I work at the bakery."]) == first


@pytest.mark.parametrize("said", ["no json", "[]", '{"temperature": 0}', '{"temperature": "warm"}'])
def test_a_damaged_card_is_named(tmp_path: Path, said: str) -> None:
    folder = ROOT / "weights" / RERANKER.weights
    for name in FILES:
        (tmp_path / name).symlink_to(folder / name)
    (tmp_path / CARD).write_text(said)
    with pytest.raises(Misconfigured, match=CARD):
        OnnxReranker(tmp_path, "damaged").answers("where?", ["here"])
