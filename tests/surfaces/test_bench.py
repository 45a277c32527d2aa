"""`recollect bench`, typed: a card on the screen, in a file, as a picture; and what it refuses at once."""

from __future__ import annotations

import json

import pytest

from tests.bench.samples import write_all
from tests.surfaces.shell import Shell


def test_the_card_is_shown_and_its_figures_and_picture_are_written(shell: Shell) -> None:
    write_all(shell.folder / "sets")
    ended = shell.run(
        "bench", "--data", "sets", "--sets", "locomo,factconsolidation", "--json", "card.json", "--plot", "card.svg"
    )
    assert ended.code == 0, ended.err
    assert "recollect: single-hop" in ended.out
    assert "factconsolidation: absent." in ended.out
    assert "locomo: 5 things to tell" in ended.err, "it says what it is doing while it runs"
    assert "locomo: recall@10 in % / nDCG@10: recollect " in ended.err, "and what came out, set by set"
    figures = json.loads((shell.folder / "card.json").read_text(encoding="utf-8"))
    assert figures["sets"]["locomo"]["recall@10"] > 0.5
    assert figures["command"] == "recollect bench --data sets --sets locomo,factconsolidation"
    assert (shell.folder / "card.svg").read_text(encoding="utf-8").startswith("<svg")


def test_with_json_alone_the_figures_are_the_answer(shell: Shell) -> None:
    write_all(shell.folder / "sets")
    ended = shell.run("bench", "--json", "--data", "sets", "--sets", "locomo", "--no-together", "--quick", "1")
    assert ended.code == 0, ended.err
    assert ended.json["sets"]["locomo"]["questions"] == 1
    assert "together" not in ended.json["sets"]["locomo"]
    assert ended.json["command"] == "recollect bench --data sets --sets locomo --no-together --quick 1"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (("--data", "nowhere"), "data_missing"),
        (("--sets", "locomoco"), "unknown_set"),
        (("--sizes", "10k"), "invalid_number"),
        (("--quick", "0"), "invalid_number"),
        (("--plot", "nowhere/card.svg"), "not_writable"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_measured(
    shell: Shell, typed: tuple[str, ...], code: str
) -> None:
    ended = shell.run("bench", "--json", *typed)
    assert (ended.code, ended.error["code"], ended.out) == (2, code, "")


def test_a_file_without_json_is_not_understood(shell: Shell) -> None:
    ended = shell.run("bench", "card.json", "--sets", "speed")
    assert (ended.code, ended.out) == (2, "")
    assert "--json" in ended.err
