"""The judge reads its folder as it was trained, gives the same numbers whatever stands beside, and comes by choice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured, Unsupported
from recollect.domain.links.statement_link import Stance, StatementRelation
from recollect.inference import installation
from recollect.inference.choice import choose_embedder, choose_judge
from recollect.inference.installation import install
from recollect.inference.judge import CARD, OnnxJudge, card_in
from recollect.inference.models import JUDGE, folder_of
from recollect.inference.pair_model import LONGEST, row_of
from recollect.inference.wordpiece import WordPiece
from tests.inference.making import FILES, a_folder, a_model, installed_judge

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b"]


@pytest.fixture(scope="module")
def judge() -> OnnxJudge:
    return OnnxJudge(installed_judge(), "the real one")


def test_a_pair_is_one_row_in_which_the_longer_text_is_cut() -> None:
    pieces = WordPiece(VOCABULARY)
    assert row_of(pieces, ["a", "b b"]) == ([2, 4, 3, 5, 5, 3], [0, 0, 0, 1, 1, 1])
    assert row_of(pieces, ["a"]) == ([2, 4, 3], [0, 0, 0])
    ids, kinds = row_of(pieces, ["a " * 500, "b b"])
    assert (len(ids), len(kinds), ids[-3:], sum(kinds)) == (LONGEST, LONGEST, [5, 5, 3], 3)


def test_a_card_says_the_order_of_the_classes(tmp_path: Path) -> None:
    turned = list(reversed(StatementRelation))
    (tmp_path / CARD).write_text(json.dumps({"version": "7", "relations": turned, "temperatures": {"stance": 2}}))
    card = card_in(tmp_path)
    assert (card.version, card.relations, card.stances) == ("7", tuple(turned), tuple(Stance))
    assert card.temperatures == {"stance": 2.0}
    assert card_in(tmp_path / "empty").relations == tuple(StatementRelation)


@pytest.mark.parametrize(
    "said", ["no json", "[]", '{"relations": ["same"]}', '{"stances": ["loud"]}', '{"temperatures": {"stance": 0}}']
)
def test_a_card_that_makes_no_sense_is_named(tmp_path: Path, said: str) -> None:
    (tmp_path / CARD).write_text(said)
    with pytest.raises(Misconfigured, match=CARD):
        card_in(tmp_path)


def test_there_is_no_judge_unless_one_is_installed_or_named(tmp_path: Path) -> None:
    assert choose_judge("auto", tmp_path) is None
    assert choose_judge("off", tmp_path) is None
    with pytest.raises(Misconfigured, match="without"):
        choose_judge(str(tmp_path), tmp_path)
    with pytest.raises(Misconfigured, match="judge"):
        Memory(home=tmp_path, judge=str(tmp_path / "nowhere"))


def test_a_judge_of_other_files_has_another_name(tmp_path: Path) -> None:
    one, other = a_folder(tmp_path / "one"), a_folder(tmp_path / "other", {**FILES, CARD: b"{}"})
    names = [found.model_id for each in (one, other) if (found := choose_judge(str(each), tmp_path)) is not None]
    assert len(set(names)) == 2


def test_a_judge_makes_no_vectors(tmp_path: Path) -> None:
    with pytest.raises(Unsupported):
        choose_embedder(JUDGE.name, tmp_path)


def test_weights_in_the_checkout_are_installed_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "WEIGHTS", tmp_path / "weights")
    a_folder(tmp_path / "weights" / "tiny")
    told: list[str] = []
    model = a_model(weights="tiny", hub=(tmp_path / "no-hub").as_uri())
    assert install(model, tmp_path / "models", say=told.append) == folder_of(model, tmp_path / "models")
    assert told == ["tiny: trying this checkout"]

    a_folder(tmp_path / "weights" / "tiny", {**FILES, "model.onnx": b"others"})
    with pytest.raises(Exception, match=r"this checkout: .*SHA-256"):
        install(model, tmp_path / "elsewhere")


def test_probabilities_add_up_and_come_again(judge: OnnxJudge) -> None:
    older, newer = "I live in Paris, near the river.", "Moved to Berlin. New flat, no river."
    relations, stances = judge.relations(older, newer), judge.stances(newer)
    assert sum(relations.values()) == pytest.approx(1)
    assert sum(stances.values()) == pytest.approx(1)
    judge.relations("Something else in between.", older * 100)
    assert (judge.relations(older, newer), judge.stances(newer)) == (relations, stances)


def test_the_judge_tells_a_change_from_another_matter(judge: OnnxJudge) -> None:
    older = "We get the flour from Kessler Mill."
    change = judge.relations(older, "Switched mills. Oldbrook now.")
    other = judge.relations(older, "My neighbour bought a Fairphone.")
    assert change[StatementRelation.REPLACES] > 0.5 > other[StatementRelation.REPLACES]


def test_the_judge_tells_what_is_asserted(judge: OnnxJudge) -> None:
    asserted = {text: judge.stances(text)[Stance.ASSERTED] for text in ("I work at a bakery.", "Where do I work?")}
    assert asserted["I work at a bakery."] > 0.5 > asserted["Where do I work?"]


def test_a_damaged_card_is_told_with_the_first_text_and_not_before(tmp_path: Path) -> None:
    (tmp_path / "judge.json").write_text("{")
    damaged = OnnxJudge(tmp_path, "damaged")

    with pytest.raises(Misconfigured):
        damaged.stances("I work at a bakery.")


def test_the_stance_of_a_text_is_worked_out_once_for_all_who_ask(
    judge: OnnxJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[tuple[str, ...]] = []
    worked_out = judge._shares

    def counted(output: str, *texts: str) -> list[float]:
        looks.append(texts)
        return worked_out(output, *texts)

    monkeypatch.setattr(judge, "_shares", counted)

    assert judge.stances("We sail on Sunday.") == judge.stances("We sail on Sunday.")
    assert looks == [("We sail on Sunday.",)]
