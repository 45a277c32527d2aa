"""The whole card on tiny sets: told to a real memory, asked, scored, shown, drawn; and what it says of missing sets."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from bench.card import Card, as_json, as_text
from bench.material import Corpus, DataSet, Question
from bench.plot import as_svg
from bench.retelling import ALONE, OURS, TOGETHER, retell, scored_by
from bench.running import Wanted, checked_data, checked_sets, checked_sizes, run
from bench.sets.finding import load
from recollect import InvalidInput
from recollect.settings import Settings
from tests.bench.samples import write_all
from tests.inference.making import installed_models

QUALITY = ("locomo", "realmem", "beam", "lifebench", "longmemeval")


def settings_in(folder: Path) -> Settings:
    return Settings(home=folder, store=str(folder / "unused.db"), models=folder, embedding="off")


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Card:
    """Everything but the speed, by words alone, from one folder."""
    folder = tmp_path_factory.mktemp("data")
    write_all(folder)
    wanted = Wanted(data=folder, sets=(*QUALITY, "factconsolidation"))
    return run(wanted, settings_in(folder), command="recollect bench")


def test_every_set_that_is_there_has_its_figures_and_baselines(card: Card) -> None:
    assert set(card.sets) == {*QUALITY, "beam_all"}
    for name, figure in card.sets.items():
        assert 0 <= figure["recall@10"] <= 1, name
        assert set(figure) >= {"recall@1", "recall@5", "recall@20", "all@10", "any@10", "mrr", "ndcg@10", "tokens@10"}
        assert figure["baselines"]["bm25"]["questions"] == figure["questions"] > 0
        low, high = figure["intervals"]["recall@10"]
        assert low <= figure["recall@10"] <= high


def test_plain_questions_about_tiny_sets_are_answered(card: Card) -> None:
    assert card.sets["locomo"]["categories"]["single-hop"]["recall@10"] == 1
    assert card.sets["realmem"]["recall@10"] == 1
    assert card.sets["lifebench"]["recall@10"] == 1
    assert card.sets["longmemeval"]["recall@10"] == 1


def test_a_set_that_fails_is_named_and_the_others_are_measured(tmp_path: Path) -> None:
    write_all(tmp_path)
    (tmp_path / "locomo-tiny.json").write_text("[{}]", encoding="utf-8")
    card = run(Wanted(data=tmp_path, sets=("locomo", "realmem")), settings_in(tmp_path), command="recollect bench")

    assert "locomo-tiny.json cannot be read" in card.failed["locomo"]
    assert "realmem" in card.sets
    assert "locomo: failed. " in as_text(card)
    assert "locomo" not in card.absent


def test_adversarial_questions_are_kept_apart(card: Card) -> None:
    locomo = card.sets["locomo"]
    assert locomo["questions"] == 4
    assert locomo["categories"]["adversarial"]["questions"] == 1
    assert locomo["unanswerable"] == 1


def test_the_card_says_what_questions_with_and_without_an_answer_were_told_of_coverage(card: Card) -> None:
    locomo = card.sets["locomo"]["coverage"]
    assert locomo["with an answer"]["questions"] == 4
    assert locomo["adversarial"]["questions"] == 1
    assert locomo["of another corpus"]["questions"] > 0
    for told in locomo.values():
        assert told["none"] + told["partial"] + told["full"] == pytest.approx(1)
    assert card.sets["beam"]["coverage"]["abstention"]["questions"] > 0
    assert "locomo: coverage" in as_text(card)


def test_sessions_updates_and_one_space_for_all_have_figures_of_their_own(card: Card) -> None:
    locomo = card.sets["locomo"]
    assert locomo["sessions"]["recollect"]["recall@10"] >= locomo["recall@10"]
    assert card.sets["locomo"]["together"]["baselines"]["bm25"]["questions"] == 4
    assert "together" not in card.sets["lifebench"], "one person is in one space anyway"
    assert card.sets["beam"]["updated above original"] in (0, 1)


def test_a_missing_set_is_named_and_the_others_go_on(card: Card) -> None:
    assert list(card.absent) == ["factconsolidation"]
    assert "factconsolidation*.json" in card.absent["factconsolidation"]
    assert "factconsolidation: absent." in as_text(card)


def test_the_card_reads_as_json_and_as_a_table(card: Card) -> None:
    plain = json.loads(as_json(card))
    assert plain["sets"]["locomo"]["ndcg@10"] == card.sets["locomo"]["ndcg@10"]
    shown = as_text(card)
    assert "recollect: multi-hop" in shown
    assert "bm25, all in one" in shown


def test_the_picture_stands_alone_and_has_a_group_for_each_set(card: Card) -> None:
    picture = ET.fromstring(as_svg(card))
    texts = {element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {*QUALITY, "beam_all", "bm25", "recollect", "Recall at 10"} <= texts
    assert "href" not in as_svg(card)


def test_a_card_without_sets_is_a_picture_that_says_so(card: Card) -> None:
    assert "No set was played." in as_svg(replace(card, sets={}))


def test_a_note_counts_for_the_message_it_was_read_from(tmp_path: Path) -> None:
    write_all(tmp_path)
    [given] = load("locomo", tmp_path)
    talk = given.corpora[0]
    asked = Question("Where does the user live?", "fact", ("D9:1",), talk.items[-1].at)
    said = replace(talk.items[0], id="D9:1", text="I live in Lisbon.", speaker=None, session="before")
    made = DataSet("made", [Corpus("made", [said, *talk.items], [asked])])
    [found] = scored_by(retell(made, settings_in(tmp_path), tmp_path), ALONE)[OURS]
    assert found.ids[0] == "D9:1"
    assert len(found.ids) == len(set(found.ids))


def test_what_another_conversation_said_is_never_right(tmp_path: Path) -> None:
    """Turns of two conversations bear the same ids; in one space they are still told apart."""
    write_all(tmp_path)
    [given] = load("locomo", tmp_path)
    retold = retell(given, settings_in(tmp_path), tmp_path)
    found = {each.question.text: each for each in scored_by(retold, TOGETHER)[OURS]}
    parrot, dog = found["What does the parrot sing?"], found["What is the greyhound called?"]
    assert (parrot.ids[0], dog.ids[0]) == ("D1:1", "D1:1")
    assert "D1:1" not in parrot.ids[1:]


def test_a_question_along_the_way_finds_only_what_was_there(tmp_path: Path) -> None:
    write_all(tmp_path)
    [given] = load("realmem", tmp_path)
    retold = retell(given, settings_in(tmp_path), tmp_path)
    later = given.corpora[0].items[-1].id
    for found in (*retold.found[ALONE, OURS], *retold.found[ALONE, "bm25"]):
        assert later not in found.ids


def test_bad_wishes_are_refused_with_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no set `locomoco`"):
        checked_sets("locomoco,speed")
    with pytest.raises(InvalidInput, match="list of whole numbers"):
        checked_sizes("10k")
    with pytest.raises(InvalidInput, match="needs them all"):
        checked_sizes("10")
    with pytest.raises(InvalidInput, match="not a folder"):
        checked_data(tmp_path / "nowhere")
    assert checked_sets("speed, locomo") == ("locomo", "speed")


@pytest.mark.slow
def test_the_speed_part_has_a_row_for_each_size_and_says_what_is_made_up(tmp_path: Path) -> None:
    wanted = Wanted(sets=("speed",), quick=1, sizes=(1_000,))
    card = run(wanted, settings_in(tmp_path), command="recollect bench --sets speed")
    figure = card.sets["speed"]
    assert figure["sizes"]["1000"]["search"]["words_only"]["p95_ms"] > 0
    assert figure["sizes"]["1000"]["resident_mb"] > 1
    assert set(figure["sizes"]["1000"]) >= {
        "bytes_per_note",
        "times_its_text",
        "first_search_ms",
        "first_search_cpu_ms",
    }
    assert {"p50_ms", "p95_ms", "cpu_p50_ms", "cpu_p95_ms"} == set(figure["sizes"]["1000"]["search"]["words_only"])
    assert {"load at the start", "load at the end"} <= set(card.machine)
    assert figure["vectors"] == "none"
    assert all(rate > 0 for rate in figure["per_second"].values())
    assert {"writes", "adding", "search", "list", "store", "cold start", "ratios"} <= {
        each.title for each in card.tables
    }


def test_with_a_model_meaning_is_fused_into_a_second_baseline(tmp_path: Path) -> None:
    write_all(tmp_path)
    settings = replace(settings_in(tmp_path), models=installed_models(), embedding="auto")
    card = run(Wanted(data=tmp_path, sets=("locomo",)), settings, command="recollect bench")
    assert card.embedding.startswith("encoder/")
    assert set(card.sets["locomo"]["baselines"]) == {"bm25", "rrf60"}
    assert card.sets["locomo"]["baselines"]["rrf60"]["recall@10"] == 1, "five turns are all among the first ten"
