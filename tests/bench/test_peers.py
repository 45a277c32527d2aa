"""Peers beside us: absent ones are named with how to make them, and what one answers is scored like ours."""

from __future__ import annotations

import sys
from array import array
from pathlib import Path

import pytest

from bench.card import as_text
from bench.peers import beside as peers
from bench.running import Wanted, run
from bench.sets.finding import load
from recollect.settings import Settings
from tests.bench.samples import write_all

# Stands where an environment's interpreter would: answers every question with the texts in the order they were told.
ECHO = f"""#!{sys.executable}
import json, sys
task = json.load(sys.stdin)
found = [[list(range(len(corpus["texts"]))) for _ in corpus["questions"]] for corpus in task["corpora"]]
asked = sum(len(each) for each in found)
print(json.dumps({{"found": found, "told_in": 0.5, "asked_in": [0.002] * asked}}))
"""
BROKEN = f"#!{sys.executable}\nraise SystemExit('it has no index')\n"


def environment(folder: Path, name: str, program: str) -> None:
    python = folder / name / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(program, encoding="utf-8")
    python.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="an interpreter cannot be stood in for by a script")
def test_a_peer_is_scored_like_us_and_a_broken_or_absent_one_is_named(tmp_path: Path) -> None:
    write_all(tmp_path)
    [given] = load("locomo", tmp_path)
    vectors = {"any text": array("f", [1.0, 0.0]).tobytes()}
    environment(tmp_path / "peers", "chroma", ECHO)
    environment(tmp_path / "peers", "mem0", BROKEN)
    found = peers.beside(given, vectors, tmp_path / "peers", seed=1)
    assert found["chroma"]["recall@10"] == 1
    assert found["chroma"]["questions"] == 4, "adversarial questions are kept apart here too"
    assert found["chroma"]["question_ms"] == 2
    assert found["chroma"]["items_per_second"] == 10
    assert found["mem0"] == {"absent": "It failed: it has no index"}
    assert "pip install langgraph" in found["langgraph"]["absent"]


def test_without_vectors_or_asked_along_the_way_a_peer_is_not_asked(tmp_path: Path) -> None:
    write_all(tmp_path)
    environment(tmp_path / "peers", "mem0", BROKEN)
    for name, reason in (("locomo", "Without a model"), ("realmem", "along the way")):
        [given] = load(name, tmp_path)
        assert reason in peers.beside(given, {}, tmp_path / "peers", seed=1)["mem0"]["absent"]


def test_the_card_shows_peers_with_their_times_and_names_the_absent(tmp_path: Path) -> None:
    write_all(tmp_path)
    settings = Settings(home=tmp_path, store="unused", models=tmp_path, embedding="off")
    card = run(Wanted(data=tmp_path, sets=("locomo",), peers=tmp_path / "peers"), settings, command="recollect bench")
    assert set(card.sets["locomo"]["peers"]) == {"chroma", "langgraph", "mem0"}
    assert card.sets["locomo"]["vectors_known"]["question_ms"] > 0
    assert "locomo, mem0: absent. There is no environment" in as_text(card)
    assert "locomo: peers" in as_text(card)
